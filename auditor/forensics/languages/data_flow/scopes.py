"""The functions of a file, their parameters, and what gives a value to which name: gathered once, by one query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.binding_targets import binding_targets, optional_operand
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Entry,
    Expression,
    FunctionValue,
    Item,
    Member,
    Name,
    Text,
)
from auditor.forensics.languages.data_flow.lowering import Lowering
from auditor.forensics.languages.data_flow.scope_types import Binding, Parameter, Scope, held_under, self_member
from auditor.forensics.languages.grammar_kinds import GrammarKinds, child_part
from auditor.forensics.languages.tree_walk import node_query
from auditor.forensics.source_text.syntax_trees import sort_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.languages.parsed_file import ParsedFile

MAX_NODES = 30_000
"""Nodes of a file that are looked at; a larger file is not followed."""
_MAX_SWITCH_DEPTH = 4
"""Nodes from an arm to its switch."""
_MAX_WRAPPERS = 4
"""Nodes from a value to the declaration that has its type."""
_MAX_TYPE_BYTES = 120
_METHOD_OBJECT = b"method("
"""What a file holds that makes an object of a method."""
_MAX_RETURNS = 20
_MAX_BINDINGS = 200
"""Assignments to one name that are looked at."""


class FileScopes:
    """All functions of a file."""

    def __init__(self, file: ParsedFile, kinds: GrammarKinds) -> None:
        self.kinds = kinds
        ignored = file.language.writing.delimiters if file.language.writing is not None else frozenset()
        self.lowering = Lowering(kinds, file.source, file.language.comments | ignored)
        self.root = Scope(file.root, 0, len(file.source) + 1, None)
        self.functions: dict[int, Scope] = {}
        self.by_name: dict[str, list[Scope]] = defaultdict(list)
        self.imports: list[Node] = []
        self.exports: list[Node] = []
        self.shells: list[Node] = []
        self.aliases: list[tuple[str, Name]] = []
        """Second names with the functions that they stand for."""
        self.classes: list[Node] = []
        self.unnamed_calls: list[Node] = []
        self.keyword_calls: list[Node] = []
        self.macros: list[Node] = []
        self.settings: list[Node] = []
        """Assignments to a member of an object."""
        self.item_settings: list[Node] = []
        """Assignments to what a collection holds under a key."""
        self.object_blocks: list[Node] = []
        self.namespaces: list[Node] = []
        self.fields: list[Node] = []
        """Declarations of what classes hold, with their types."""
        wanted = kinds.gathered | kinds.unnamed_calls if _METHOD_OBJECT in file.source else kinds.gathered
        known = frozenset(each for each in wanted if file.grammar.id_for_node_kind(each, True) is not None)
        found = node_query(file.grammar, None, known).nodes(file.root)
        found.pop("ERROR", None)
        self.is_too_large = sum(map(len, found.values())) > MAX_NODES
        if not self.is_too_large:
            self._gather(sort_nodes(found, found))

    def scope_at(self, place: int) -> Scope:
        """The innermost function around a place."""
        inner = self.root
        for each in self._starts:
            if each.start > place:
                break
            if place < each.end:
                inner = each
        return inner

    def scope_of(self, node: Node) -> Scope:
        """The innermost function around a node, known once it was asked for."""
        known = self._scopes.get(node.start_byte)
        if known is None:
            known = self._scopes[node.start_byte] = self.scope_at(node.start_byte)
        return known

    def objects_around(self, node: Node) -> list[Expression]:
        """The objects of which a name may be a member, as in `with (object) { name() }`."""
        around = (each for each in self.object_blocks if _holds(each, node))
        held = (each.child_by_field_name(self.kinds.object_blocks[each.type][0]) for each in around)
        return [self.lowering.lower(each) for each in held if each is not None and not _holds(each, node)]

    def _gather(self, nodes: list[Node]) -> None:
        kinds = self.kinds
        self._scopes: dict[int, Scope] = {}
        self._starts: list[Scope] = []
        functions: list[Scope] = [self.root]
        blocks: list[tuple[int, int]] = [(0, self.root.end)]
        self._match_heredocs(nodes)
        placed = [(each.start_byte, -each.end_byte, 1, each) for each in nodes]
        placed += [(one.start_byte, -one.end_byte, 0, one) for each in nodes for one in self._bare_branches(each)]
        for start, negative_end, is_gathered, node in sorted(placed, key=itemgetter(0, 1, 2)):
            end = -negative_end
            while functions[-1].end <= start:
                functions.pop()
            while blocks[-1][1] <= start:
                blocks.pop()
            kind = node.type
            if kind in kinds.blocks or not is_gathered:
                blocks.append((start, end))
            if not is_gathered:
                continue
            if kind in kinds.functions:
                functions.append(self._function(node, functions[-1]))
                blocks.append((start, end))
            elif kind in kinds.returns:
                functions[-1].returns.append(node)
            else:
                self._keep(node)
            if kind in kinds.bindings:
                self._bind(node, functions[-1], blocks[-1])
        self._name_functions()

    def _bare_branches(self, node: Node) -> Iterator[Node]:
        """The branches of a condition that have no braces."""
        fields = self.kinds.conditionals.get(node.type)
        for field in fields[1:] if fields is not None and node.type not in self.kinds.choices else ():
            branch = node.child_by_field_name(field) if field else None
            if branch is not None and branch.type not in self.kinds.blocks:
                yield branch

    def _keep(self, node: Node) -> None:
        """Note what is asked for later."""
        kinds, kind = self.kinds, node.type
        for wanted, kept in (
            (kinds.imports, self.imports),
            (kinds.exports, self.exports),
            (kinds.shells, self.shells),
            (kinds.classes, self.classes),
            (kinds.object_blocks, self.object_blocks),
            (kinds.namespaces, self.namespaces),
            (kinds.typed_fields, self.fields),
            (kinds.keyword_calls, self.keyword_calls),
            (kinds.macros, self.macros),
        ):
            if kind in wanted:
                kept.append(node)
        if kind in kinds.classes:  # `class Store(HttpClient http)`
            lists = (each for each in node.named_children if each.type == "parameter_list")
            self.fields += [one for each in lists for one in each.named_children if one.type in kinds.typed_parameters]
        if kind in kinds.aliases:
            name, function = (node.child_by_field_name(each) for each in kinds.aliases[kind])
            if name is not None and function is not None:
                self.add_alias(self.lowering.source_of(name, 200).lstrip(":"), function)
        if kind in kinds.unnamed_calls and node.child_by_field_name("method") is None:
            self.unnamed_calls.append(node)

    def add_alias(self, name: str, function: Node) -> None:
        """Record that a function has a second name."""
        value = Name(function, self.lowering.source_of(function, 200).strip(":\"'"))
        place = (function.end_byte, function.start_point[0] + 1, 0, self.root.end)
        self.aliases.append((name, value))
        for bound in (self.root.bindings[name], self.root.bindings[f"this.{name}"]):
            if len(bound) < _MAX_BINDINGS:
                bound.append(Binding(value, *place, adds=True))

    def _name_functions(self) -> None:
        """Give functions that are written out as values the names that they are assigned to."""
        for scope in (self.root, *self._starts):
            for name, bound in scope.bindings.items():
                for each in bound:
                    value, own = each.value, name.removeprefix("this.")
                    if isinstance(value, Entry) and isinstance(value.key, Text):
                        own, value = value.key.value, value.value
                    function = self.functions.get(value.node.id) if isinstance(value, FunctionValue) else None
                    self._name_function(function, own)

    def _name_function(self, function: Scope | None, name: str) -> None:
        if function is not None and not function.name:
            function.name = name
            self.by_name[name].append(function)

    def name_function(self, value: FunctionValue, name: str) -> None:
        """Record the name of a function that is written out as a value."""
        self._name_function(self.functions.get(value.node.id), name)

    def _match_heredocs(self, nodes: list[Node]) -> None:
        if self.kinds.heredocs:
            begins = [each for each in nodes if each.type in self.kinds.heredocs]
            bodies = [each for each in nodes if each.type == "heredoc_body"]
            self.lowering.heredocs = {a.start_byte: b for a, b in zip(begins, bodies, strict=False)}

    def _function(self, node: Node, around: Scope) -> Scope:
        start, end = node.byte_range
        scope = Scope(node, start, end, around, is_closed=node.type in self.kinds.closed_functions)
        self._starts.append(scope)
        named = node.child_by_field_name("name")
        if named is not None:
            scope.name = self.lowering.source_of(named, 200)
            self.by_name[scope.name].append(scope)
        self.functions[node.id] = scope
        held = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        if held is not None:
            self._parameters(held, scope)
        return scope

    def _parameters(self, held: Node, scope: Scope) -> None:
        listed = [held] if held.type in self.kinds.identifiers else self.lowering.named_children(held)
        listed = [each for each in listed if each.type not in self.kinds.receivers]
        position = 0
        for each in listed:
            target, typed, annotations = self._typed(each)
            targets = each.children_by_field_name("name") if len(each.children_by_field_name("name")) > 1 else [target]
            for one in targets:
                self._parameter(one, scope, position, typed, annotations)
                position += 1

    def _typed(self, node: Node) -> tuple[Node, str, str]:
        """What is declared by a parameter, its type and its annotations."""
        fields = self.kinds.typed_parameters.get(node.type)
        if fields is None:
            return node, "", ""
        target = node.child_by_field_name(fields[0]) or (node.named_children[-1] if node.named_children else node)
        if target.type == "variable_declarator":
            target = target.child_by_field_name("name") or target
        typed = node.child_by_field_name(fields[1]) if fields[1] else None
        before = self.lowering.source_of(node, 400)[: max(0, target.start_byte - node.start_byte)]
        told = self.lowering.source_of(typed, _MAX_TYPE_BYTES).lstrip(":*&. ") if typed is not None else ""
        return target, told, before if "@" in before or "[" in before else ""

    def _parameter(self, target: Node, scope: Scope, position: int, typed: str, annotations: str) -> None:
        held = target.parent
        declares = held is not None and held.type in self.kinds.typed_parameters
        default = _default(held) if held is not None and declares else None
        for name, path, fallback, inside in binding_targets(self.lowering, target):
            own = default is not None and default.id != target.id
            given, way = (default, path) if own else (fallback, inside)
            scope.parameters[name] = Parameter(
                name,
                position,
                target,
                typed,
                path,
                held_under(self.lowering.lower(given), way) if given is not None else None,
                annotations,
            )

    # assignments

    def _bind(self, node: Node, scope: Scope, block: tuple[int, int]) -> None:
        kinds = self.kinds
        left, right = (child_part(node, each) for each in kinds.bindings[node.type])
        if left is None:
            return
        if right is None and node.type in kinds.cases:
            right = self._switched(node)
        right = None if right == left else right
        sign = node.child_by_field_name("operator")
        each, adds = node.type in kinds.loops, node.type in kinds.additions
        adds = adds or (node.type in kinds.assignments and sign is not None and sign.type != "=")
        values = self.lowering.values(right)
        targets = self.lowering.named_children(left) if left.type in kinds.lists else [left]
        if node.type in {"var_spec", "const_spec"}:
            targets = node.children_by_field_name("name")
        elif left.type in kinds.targets and len(values) > 1:
            targets = self.lowering.named_children(left)
        begin = left if node.type in kinds.cases else node
        operand = optional_operand(kinds, node)
        place = (begin.end_byte, node.start_point[0] + 1, *(block if operand is None else operand.byte_range))
        typed = self._declared_type(node) or self._made_type(right)
        declares = node.type in kinds.declarations or each
        if node.type in kinds.class_fields:
            name = self.lowering.source_of(left, 200).lstrip("$")
            self.root.bindings[f"this.{name}"].append(Binding(values[0] if values else None, *place, type=typed))
            return
        for number, target in enumerate(targets):
            value = values[number] if len(values) == len(targets) else values[0] if values else None
            self._bind_target(target, value, scope, place, declares=declares, adds=adds, each=each, typed=typed)

    def _switched(self, arm: Node) -> Node | None:
        """The value that an arm of a switch is for."""
        around = arm.parent
        for _ in range(_MAX_SWITCH_DEPTH):
            if around is None or around.type == self.kinds.cases[arm.type]:
                return around.child_by_field_name("value") if around is not None else None
            around = around.parent
        return None

    def _declared_type(self, node: Node) -> str:
        typed = node.child_by_field_name("type")
        if typed is None and node.type in {"variable_declarator", "property_element"} and node.parent is not None:
            typed = node.parent.child_by_field_name("type")
        return self.lowering.source_of(typed, _MAX_TYPE_BYTES).lstrip(":*& ") if typed is not None else ""

    def _made_type(self, value: Node | None) -> str:
        """The type that a value names itself, such as `http.Client` of `&http.Client{}`."""
        for _ in range(_MAX_WRAPPERS if self.kinds.typed_values else 0):
            if value is None:
                return ""
            named = self.kinds.typed_values.get(value.type)
            typed = value.child_by_field_name(named) if named is not None else None
            if typed is not None:
                return self.lowering.source_of(typed, _MAX_TYPE_BYTES)
            inner = self.lowering.named_children(value)
            value = inner[0] if len(inner) == 1 else None
        return ""

    def _bind_target(
        self,
        target: Node,
        value: Expression | None,
        scope: Scope,
        place: tuple[int, int, int, int],
        *,
        declares: bool,
        adds: bool,
        each: bool,
        typed: str,
    ) -> None:
        kinds = self.kinds
        if target.type in kinds.members or target.type in kinds.items or target.type in kinds.calls:
            around = target.parent
            if around is not None and around.type in kinds.lists and around.named_child_count == 1:
                around = around.parent
            if around is not None and target.type not in kinds.calls:
                (self.settings if target.type in kinds.members else self.item_settings).append(around)
            self._bind_part(self.lowering.lower(target), value, scope, place)
            return
        for name, path, default, inside in binding_targets(self.lowering, target):
            held = held_under(value, path)
            holder = scope if declares else scope.holder(name) or scope
            is_global = name[:1] in kinds.global_prefixes
            if is_global:
                holder = self.root
            bound = holder.bindings[name]
            if len(bound) >= _MAX_BINDINGS:
                continue
            bound.append(Binding(held, *place, adds=adds or is_global, each=each, type=typed))
            if default is not None:
                bound.append(Binding(held_under(self.lowering.lower(default), inside), *place, adds=True))

    def _bind_part(
        self, target: Expression, value: Expression | None, scope: Scope, place: tuple[int, int, int, int]
    ) -> None:
        """`a.b = v`, `a[k] = v`, `this.b = v`: the whole holds the value as well."""
        written = self_member(target)
        if written:
            self.root.bindings[written].append(Binding(value, *place, adds=True))
            return
        key: Expression | None = None
        owner = target
        while isinstance(owner, (Member, Item, Call)):
            key = (
                Text(owner.node, owner.name)
                if isinstance(owner, Member)
                else owner.key
                if isinstance(owner, Item)
                else key
            )
            owner = owner.callee if isinstance(owner, Call) else owner.owner
        if isinstance(owner, Name) and value is not None:
            entry = Entry(target.node, key, value)
            holder = scope.holder(owner.name) or scope
            holder.bindings[owner.name].append(Binding(entry, *place, adds=True))


def _holds(around: Node, node: Node) -> bool:
    return around.start_byte <= node.start_byte < around.end_byte


def _default(parameter: Node) -> Node | None:
    return parameter.child_by_field_name("value") or parameter.child_by_field_name("default_value")


def returned_values(scopes: FileScopes, scope: Scope) -> list[Expression]:
    """What a function gives back."""
    lowering, kinds = scopes.lowering, scopes.kinds
    ends: list[Expression] = []
    body = scope.node.child_by_field_name("body")
    if body is not None and (kinds.implicit_returns or body.type not in kinds.blocks):
        ends.append(lowering.lower(body))
    for each in scope.returns[:_MAX_RETURNS]:
        for part in lowering.named_children(each)[:1]:
            inner = lowering.named_children(part) if part.type in {*kinds.lists, "argument_list"} else [part]
            ends += [lowering.lower(one) for one in inner[:3]]
    return ends
