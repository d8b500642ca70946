"""One file in which values are followed: its functions, names and rows, and how much may still be looked at."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.forensics.code_facts.input_flows import shown_source
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Entry,
    Expression,
    Filled,
    FunctionValue,
    Member,
    Name,
    Operation,
    Text,
)
from auditor.forensics.languages.data_flow.flow_models import LanguageModels
from auditor.forensics.languages.data_flow.imported_names import ImportedNames, superclass_of
from auditor.forensics.languages.data_flow.scope_types import Binding, Parameter, Scope, add_binding, self_member
from auditor.forensics.languages.data_flow.scopes import FileScopes
from auditor.forensics.languages.data_flow.token_trees import TOKENS, chain_start

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.languages.parsed_file import ParsedFile

_MAX_FIELDS = 500
_MAX_CALLS = 200
"""Calls of one method that add to something."""
_MAX_STEPS = 12_000
"""Expressions of a file that are looked at."""
MAX_CALLERS = 20
_MAX_HEADER = 1_000
"""Characters of an expression that a statement shows."""
_LIFETIME = re.compile(r"'\w+\s+|\b(?:dyn|mut|impl|ref|scoped|params|readonly)\s+")
_HOLDER = re.compile(r"&?\s*(?:\w{1,60}::){0,4}(\w{1,60})<(.{1,200})>$")
_TYPE = re.compile(r"[A-Za-z_][\w.]*")


@dataclass(eq=False)
class FollowedFile:
    """What every question about values in a file shares."""

    file: ParsedFile
    scopes: FileScopes
    imports: ImportedNames
    models: LanguageModels
    steps_left: int = _MAX_STEPS
    callers: dict[str, list[Call]] = field(default_factory=dict)
    kept: dict[str, list[Expression]] = field(default_factory=dict)
    """Objects that keep a value for the code that runs meanwhile, by their names, with what they are given."""

    def gather_additions(self) -> None:
        """Record the values that names receive from calls such as `list.push(x)` and `decode(&x)`."""
        passing = self.models.passing
        for name in sorted(passing.adding_methods | passing.filling_calls):
            for call in self.calls_of(name, _MAX_CALLS):
                self._add(call, fills=name in passing.filling_calls)
        for kind, methods in sorted(passing.keepers.items()):
            if kind.encode() in self.file.source:
                self._gather_kept(kind, methods)
        self._gather_given_names()
        if "<<" in self.scopes.kinds.joining:
            self._gather_shifts()

    def _gather_given_names(self) -> None:
        """Record the names that calls give to other names and to functions."""
        passing = self.models.passing
        for name in sorted(passing.alias_calls):
            for call in self.calls_of(name, _MAX_CALLS):
                if len(call.arguments) > 1 and isinstance(call.arguments[0], Text):
                    self.scopes.add_alias(call.arguments[0].value, call.arguments[1].node)
        for name in sorted(passing.naming_calls):
            for call in self.calls_of(name, _MAX_CALLS):
                given = call.arguments
                if len(given) > 1 and isinstance(given[0], Text) and isinstance(given[1], FunctionValue):
                    self.scopes.name_function(given[1], given[0].value)

    def _gather_kept(self, kind: str, methods: Iterable[str]) -> None:
        """`store.run(value, next)` of `store = new AsyncLocalStorage()`."""
        made = {
            name
            for name, bound in self.scopes.root.bindings.items()
            for each in bound[:3]
            if isinstance(each.value, Call)
            and each.value.constructs
            and self.scopes.lowering.source_of(each.value.callee.node, 100).rpartition(".")[2] == kind
        }
        for call in (one for name in sorted(methods) for one in self.calls_of(name, _MAX_CALLS)):
            owner = call.callee.owner if isinstance(call.callee, Member) else None
            if isinstance(owner, Name) and owner.name in made and call.arguments:
                add_binding(self.scopes.root, owner.name, call.arguments[0])
                self.kept.setdefault(owner.name, []).append(call.arguments[0])

    def _gather_shifts(self) -> None:
        """`list << x`."""
        source = self.file.source
        place = source.find(b"<<")
        for _ in range(_MAX_CALLS):
            if place < 0:
                return
            sign = self.file.root.descendant_for_byte_range(place, place + 1)
            around = sign.parent if sign is not None else None
            made = self.scopes.lowering.lower(around) if around is not None else None
            if isinstance(made, Operation) and made.operator == "<<" and isinstance(made.left, Name):
                add_binding(self.scopes.scope_of(made.node), made.left.name, Entry(made.node, None, made.right))
            place = source.find(b"<<", place + 2)

    def _add(self, call: Call, *, fills: bool) -> None:
        scope = self.scopes.scope_of(call.node)
        if fills:
            for each in call.arguments:
                if isinstance(each, Name):
                    add_binding(scope, each.name, Filled(call.node, call))
            return
        owner = call.callee.owner if isinstance(call.callee, Member) else None
        given = call.arguments
        if isinstance(call.callee, Member) and call.callee.name.startswith("Fprint"):
            owner, given = (given[0], given[1:]) if given else (None, ())
        for each in given[:10]:
            if isinstance(owner, Name):
                add_binding(scope, owner.name, Entry(call.node, None, each))
            elif (
                isinstance(owner, Member)
                and isinstance(owner.owner, Name)
                and owner.name in self.models.passing.word_fields
            ):
                entry = Entry(call.node, Text(owner.node, owner.name), each)
                add_binding(scope, owner.owner.name, entry)
            elif owner is not None and self_member(owner):
                add_binding(self.scopes.root, self_member(owner), Entry(call.node, None, each))

    def calls_of(self, name: str, most: int = MAX_CALLERS) -> list[Call]:
        """Calls by the last part of what they call."""
        if name not in self.callers:
            nodes = self.file.called.get(name, ())[:_MAX_CALLS]
            lowered = (self.scopes.lowering.lower(each) for each in self.file.calls_of(nodes))
            self.callers[name] = [each for each in lowered if isinstance(each, Call)]
        return self.callers[name][:most]

    def parameter(self, name: str, scope: Scope) -> tuple[Parameter, Scope] | None:
        """The parameter that a name is, and its function; None where an assignment or nothing gives it."""
        holder = scope.holder(name)
        if holder is None or name not in holder.parameters:
            return None
        return holder.parameters[name], holder

    def reaching(self, name: str, place: int, scope: Scope) -> list[Binding]:
        """The values that a name may have at a place: those that no later one replaces on every way."""
        is_shared = name[:1] in self.scopes.kinds.global_prefixes or name.startswith("this.")
        holder = self.scopes.root if is_shared else scope.holder(name)
        if holder is None:
            return []
        bound = holder.bindings.get(name, [])
        if holder is not scope:
            return bound
        found: list[Binding] = []
        for each in sorted(bound, key=lambda one: one.place):
            inside = each.value is not None and each.value.node.start_byte <= place < each.value.node.end_byte
            if (each.place > place and not each.each) or inside:
                continue
            if not each.adds and each.start <= place < each.end:
                found = []
            found.append(each)
        return found or [each for each in bound if each.place > place]

    def declared_type(self, name: str, scope: Scope) -> str:
        """The type that a name is declared with, by its full name where the file imports it."""
        written, holding = self.written_type(name, scope), self.models.passing.holding_types
        while holding and (found := _HOLDER.match(written)) is not None and found[1] in holding:
            written = found[2]
        return self.full_type(written)

    def written_type(self, name: str, scope: Scope) -> str:
        """The type that a name is declared with, as it is written."""
        holder = scope.holder(name)
        if holder is not None and name in holder.parameters:
            return holder.parameters[name].type
        field = f"this.{name.removeprefix('this.')}"
        bound = holder.bindings.get(name, ()) if holder is not None else self.scopes.root.bindings.get(field, ())
        typed = next((each.type for each in bound if each.type), "")
        if typed or (holder is not None and holder is not self.scopes.root):
            return typed
        return self._written_field_type(field.removeprefix("this."))

    def field_type(self, name: str) -> str:
        """The type of what classes of the file hold under a name, by its full name; empty where they differ."""
        return self.full_type(self._written_field_type(name))

    def _written_field_type(self, name: str) -> str:
        types = self.field_types.get(name, ())
        return next(iter(types)) if len(types) == 1 else ""

    @cached_property
    def field_types(self) -> dict[str, set[str]]:
        """Names of what classes of the file hold -> the types that are written beside them."""
        found: dict[str, set[str]] = defaultdict(set)
        lowering, kinds = self.scopes.lowering, self.scopes.kinds
        declared = {**kinds.typed_parameters, **kinds.typed_fields}
        for node in self.scopes.fields[:_MAX_FIELDS]:
            name, typed = (node.child_by_field_name(each) for each in declared[node.type])
            if name is not None and typed is not None:
                found[lowering.source_of(name, 100).lstrip("$")].add(lowering.source_of(typed, 100))
        return found

    def full_type(self, written: str) -> str:
        """A type by its full name."""
        plain = _LIFETIME.sub("", written).lstrip("*&[].?\\ ").replace("\\", ".").replace("::", ".")
        found = _TYPE.search(plain)
        if found is None:
            return ""
        head, dot, rest = found[0].partition(".")
        return f"{self.imports.names.get(head, head)}{dot}{rest}"

    def is_own_class(self, name: str) -> bool:
        """Is a class of that name declared in the file?"""
        lowering = self.scopes.lowering
        for each in self.scopes.classes:
            named = each.child_by_field_name("name")
            if named is not None and lowering.source_of(named, 100) == name:
                return True
        return False

    @cached_property
    def classes_above(self) -> dict[str, str]:
        """The classes of the file that extend another, with the full name of that."""
        lowering, found = self.scopes.lowering, dict[str, str]()
        for each in self.scopes.classes:
            named, body = each.child_by_field_name("name"), each.child_by_field_name("body")
            if named is None or body is None:
                continue
            end = min(body.start_byte, named.start_byte + _MAX_HEADER)
            header = self.file.source[named.start_byte : end].decode("utf-8", errors="replace")
            if above := superclass_of(f"class {header}", self.file.language.name):
                found[lowering.source_of(named, 100)] = self.full_type(above)
        return found

    def superclass(self, name: str, place: Node) -> Expression | None:
        """The class that a class of the file extends, if it makes its objects the same way; for `super` the class around."""
        around = name == "super"
        node = self._class_around(place) if around else self._classes_by_name.get(name)
        if node is None:
            return None
        held = next((each for each in node.named_children if each.type == "class_heritage"), None)
        inner = held.named_children[0] if held is not None and held.named_children else None
        inner = inner.child_by_field_name("value") or inner if inner is not None else None
        if inner is None or (not around and self._has_constructor(node)):
            return None
        made = self.scopes.lowering.lower(inner)
        return None if isinstance(made, Name) and made.name == name else made

    def _class_around(self, place: Node) -> Node | None:
        start = place.start_byte
        return next((each for each in self.scopes.classes if each.start_byte < start < each.end_byte), None)

    @cached_property
    def _classes_by_name(self) -> dict[str, Node]:
        """The first class of the file with each name."""
        found: dict[str, Node] = {}
        for each in self.scopes.classes:
            named = each.child_by_field_name("name")
            if named is not None:
                found.setdefault(self.scopes.lowering.source_of(named, 100), each)
        return found

    def _has_constructor(self, node: Node) -> bool:
        body = node.child_by_field_name("body")
        names = (each.child_by_field_name("name") for each in body.named_children) if body is not None else ()
        return any(each is not None and self.scopes.lowering.source_of(each, 20) == "constructor" for each in names)

    def static_field(self, owner: str, name: str) -> list[Binding]:
        """What a field of a class, or a name of a namespace, is given, where it is reached by the name of that."""
        bound = self.scopes.root.bindings.get(f"this.{name}", [])
        if bound and self.is_own_class(owner):
            return bound
        blocks = [each for each in self.scopes.namespaces if self._is_namespace(each, owner)]
        held = self.scopes.root.bindings.get(name, []) if blocks else []
        return [one for one in held if any(each.start_byte < one.place <= each.end_byte for each in blocks)]

    def _is_namespace(self, node: Node, name: str) -> bool:
        held = node.child_by_field_name(self.scopes.kinds.namespaces[node.type][0])
        return held is not None and self.scopes.lowering.source_of(held, 100) == name

    def around(self, node: Node) -> list[Node]:
        """The nodes around a node, the innermost first."""
        found: list[Node] = []
        cursor = self.file.root.walk()
        start, end = node.byte_range
        while True:
            here = cursor.node
            if here is None or (here.start_byte, here.end_byte) == (start, end) or len(found) > _MAX_AROUND:
                break
            found.append(here)
            if cursor.goto_first_child_for_byte(start) is None:
                break
        return found[::-1]

    def called(self, call: Call) -> str:
        """The callee of a call, as written in the file."""
        callee = call.callee
        if call.node.type == TOKENS:  # of a macro, whose tokens no node holds together
            start, end = chain_start(callee).node.start_byte, call.node.start_byte
            return shown_source(self.file.source[start:end].decode("utf-8", errors="replace")[:400])
        if not isinstance(callee, Member) or callee.node != call.node:
            return self.written(callee if isinstance(callee, (Name, Member)) and callee.name != "`" else call)
        owner = self.written(callee.owner)
        return f"{owner}.{callee.name.rstrip('=')}"

    def written(self, expression: Expression) -> str:
        """The source text of an expression on one line, shortened to fit a statement."""
        return shown_source(self.scopes.lowering.source_of(expression.node, 400))


_MAX_AROUND = 400
