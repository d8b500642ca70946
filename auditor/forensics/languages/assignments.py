"""What gives a name something, or adds to it: looked for at the places of the name, or, where those are too many, in all of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.forensics.languages.called_names import plain_name
from auditor.forensics.languages.string_syntax import StringSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TEXT = 6_000
MAX_CHILDREN = 200
_MAX_PLACES = 400
"""Places of a file at which it is looked for what gives a name something; beyond them a walk through all of it costs less."""
_MAX_LOOKUPS = 2_000
_MAX_TARGETS = 8
"""Names that one statement gives something."""
MAX_NAME_LENGTH = 120
_LIST_KIND = "expression_list"
"""The kind of several names, or values, beside each other."""
INDEX_KINDS = frozenset(
    {"subscript_expression", "index_expression", "element_reference", "array_access", "element_access_expression"}
)
"""An element of a list, or of a record."""
_MAX_ELEMENTS = 50
_CONTEXT_BYTES = 24
_WORD_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")
"""Characters that continue a word."""
_QUALIFIED_TYPE = "scoped_type_identifier"
_GENERIC_KINDS = frozenset({"generic_function", "generic_name", "generic_type"})
"""A name with type arguments."""
_FALLBACK_SIGNS = frozenset({"||=", "&&=", "??="})
_DESTRUCTURING_KINDS = frozenset({"tuple_pattern"})
"""Several names that are given the elements of one value."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One place that gives a name a value, or adds to it."""

    start: int
    end: int
    value: Node | None
    declares: bool
    grows: bool
    empty: bool = False
    """Is the name there from now on, with nothing in it?"""
    listed: bool = False
    """Is what is added an element of a list?"""
    element: int | None = None
    """Which element of a list it becomes."""
    part: int | None = None
    """Which element of the value it is given, where several names take one apart."""
    field: bool = False
    """Is it a field of a class, so that its name alone is another one?"""
    default: bool = False
    """Is it what a parameter stands for where nobody gives a value?"""
    fallback: bool = False
    """Does it depend on what the name stood for whether it gets anything, as with `||=`?"""


@dataclass
class AssignmentIndex:
    """The names of one file, and what gives them something."""

    writing: StringSyntax
    source: bytes
    within: Callable[[frozenset[str], int, int], Iterable[Node]]
    """The nodes of some kinds that share a byte with a stretch, by where they begin."""
    around: Callable[[frozenset[str], int], Iterable[Node]]
    """The nodes of some kinds around a byte, the outermost first."""
    places: int = 0
    """How many places of names were looked at one by one."""
    given: dict[str, list[Assignment]] = field(default_factory=dict)
    """Names that were asked for -> where they are given values."""
    local_assignments_by_name: dict[str, tuple[list[Assignment], list[Assignment]]] = field(default_factory=dict)
    """The same without fields of classes, and without defaults of parameters."""

    def local_assignments(self, name: str) -> tuple[list[Assignment], list[Assignment]]:
        """What gives a name something: without fields of classes, and without defaults of parameters as well."""
        if name not in self.local_assignments_by_name:
            events = [each for each in self.assignments_to(name) if not each.field]
            self.local_assignments_by_name[name] = events, [each for each in events if not each.default]
        return self.local_assignments_by_name[name]

    def assignments_to(self, name: str) -> list[Assignment]:
        """Where a name is given values, or added to.

        Names are few that are asked for, and stand at few places: what gives is looked for around those. Where that
        would be many places, all that gives anything in the file is collected once.
        """
        if name not in self.given:
            written = name.encode()
            places = None if "_all" in self.__dict__ else self._places(written)
            if places is None:
                giving, grown = self._all
                events = [*self._by_name(giving.get(written, ())).get(name, ()), *grown.get(name, ())]
            else:
                self.places += len(places)
                kinds = self.writing.binding_kinds
                nodes = {node.id: node for place in places for node in self.around(kinds, place)}
                events = self._by_name(nodes.values()).get(name, [])
            self.given[name] = sorted(events, key=lambda each: each.start)
        return self.given[name]

    def _places(self, name: bytes) -> list[int] | None:
        """Where a name may be given something, as far as the source around it shows; None where that is too often."""
        before, behind = self.writing.assignment_before, self.writing.assignment_after
        source, long = self.source, len(name)
        first, last = (name[0] in _WORD_BYTES, name[-1] in _WORD_BYTES) if name else (False, False)
        found: list[int] = []
        place = -1
        for _ in range(_MAX_LOOKUPS):
            place = source.find(name, place + 1)
            if place < 0 or self.places + len(found) > _MAX_PLACES:
                return found if place < 0 else None
            end = place + long
            if (first and place and source[place - 1] in _WORD_BYTES) or (
                last and end < len(source) and source[end] in _WORD_BYTES
            ):
                continue  # a part of a word
            if (
                before is None
                or (behind is not None and behind.match(source, end))
                or before.search(source, max(0, place - _CONTEXT_BYTES), place)
            ):
                found.append(place)
        return None

    @cached_property
    def _all(self) -> tuple[dict[bytes, list[Node]], dict[str, list[Assignment]]]:
        """Every node that gives something to a name, by that name, and all that is added to names by calls."""
        giving: dict[bytes, list[Node]] = defaultdict(list)
        others: list[Node] = []
        for node in self.within(self.writing.binding_kinds, 0, len(self.source)):
            fields = self.writing.target_fields.get(node.type)
            name = None if fields is None else node.child_by_field_name(fields[0])
            if fields is None:
                others.append(node)
            elif name is not None:
                for each in name.named_children[:_MAX_TARGETS] if name.type == _LIST_KIND else (name,):
                    start, end = each.byte_range
                    giving[self.source[start : min(end, start + MAX_NAME_LENGTH)]].append(node)
                    if (owner := self.switched_object(each) or self._listing(each)) is not None:
                        giving[self.text(owner, MAX_NAME_LENGTH).encode()].append(node)
        return giving, self._by_name(others)

    def _by_name(self, nodes: Iterable[Node]) -> dict[str, list[Assignment]]:
        """Names, and what gives them something among these nodes."""
        found: dict[str, list[Assignment]] = defaultdict(list)
        writing = self.writing
        calls: dict[int, Node] = {}
        for node in nodes:
            kind = node.type
            if kind in writing.macros:
                self._record_write_macro(node, found)
            elif kind in writing.target_fields:
                self._record_assignment(node, found)
            elif writing.growing.match(self.source, start := node.start_byte) and (
                start not in calls or calls[start].end_byte < node.end_byte
            ):
                calls[start] = node
        for node in calls.values():
            self._record_append_call(node, found)
        return found

    def _gives_first(self, value: Node) -> bool:
        """Does a call of several results give a number first, as `strconv.Atoi` does, or what it was given?"""
        receiver, name = self.called(value)
        full = name if receiver is None else f"{self.text(receiver, 40)}.{name}"
        return (
            self.writing.number_expressions.match(self.source, *value.byte_range) is not None
            or self.writing.identity_calls.search(full) is not None
        )

    def _record_assignment(self, node: Node, found: dict[str, list[Assignment]]) -> None:
        fields = self.writing.target_fields.get(node.type)
        if fields is None:
            return
        name = node.child_by_field_name(fields[0])
        value = node.child_by_field_name(fields[1]) if fields[1] else part_without_field(node)
        default, is_field = node.type in self.writing.defaults, node.type in self.writing.fields
        if name is None or (value is None and (default or is_field)):
            return
        sign = node.child_by_field_name("operator")
        told = self.text(sign, 4) if sign is not None else ""
        if node.type == "binary" and told != "<<":
            return
        grows = (
            node.type in self.writing.grows
            or told in {"+=", "<<"}
            or self.source[name.end_byte : name.end_byte + 2] == b"+="
        )
        if name.type in _DESTRUCTURING_KINDS:
            for number, each in enumerate(name.named_children[:_MAX_TARGETS]):
                found[self.text(each, MAX_NAME_LENGTH)].append(
                    Assignment(node.start_byte, node.end_byte, value, True, False, part=number)
                )
            return
        if (owner := self.switched_object(name)) is not None:
            _record_append(found, self.text(owner, MAX_NAME_LENGTH), node)
        names = name.named_children if name.type == _LIST_KIND else [name]
        if len(names) == 1 and (owner := self._listing(names[0])) is not None and value is not None:
            at = (
                number_of_element(self.text(names[0].named_children[-1], 4)) if names[0].named_child_count > 1 else None
            )
            found[self.text(owner, MAX_NAME_LENGTH)].append(
                Assignment(node.start_byte, node.end_byte, value, False, True, listed=True, element=at)
            )
        values = value.named_children if value is not None and value.type == _LIST_KIND else [value]
        if len(values) == 1 < len(names) and values[0] is not None and self._gives_first(values[0]):
            values = [values[0], *[None] * (len(names) - 1)]
        for number, each in enumerate(names[:_MAX_TARGETS]):
            found[self.text(each, MAX_NAME_LENGTH)].append(
                Assignment(
                    node.start_byte,
                    node.end_byte,
                    values[number] if len(values) == len(names) else None,
                    node.type in self.writing.declares or default,
                    grows and told not in _FALLBACK_SIGNS,
                    value is None,
                    field=is_field,
                    default=default,
                    fallback=told in _FALLBACK_SIGNS,
                )
            )

    def switched_object(self, name: Node) -> Node | None:
        """What holds, by a name, what an assignment switches on or off."""
        form = self.writing.boolean_assignment
        if form is None or name.type not in self.writing.members or form.match(self.source, name.end_byte) is None:
            return None
        return name.child_by_field_name("object")

    def _listing(self, name: Node) -> Node | None:
        """What holds, as a list, what an assignment makes its last element, or the one at a number."""
        parts = name.named_children if name.type in INDEX_KINDS else []
        if not 0 < len(parts) < 3 or (len(parts) > 1 and number_of_element(self.text(parts[1], 4)) is None):
            return None
        return parts[0]

    def _record_append_call(self, node: Node, found: dict[str, list[Assignment]]) -> None:
        """A call that adds to what a name stands for: `query.append(more)`."""
        receiver, method = self.called(node)
        if receiver is not None and self.writing.writes.search(f"{self.text(receiver, 40)}.{method}"):
            held = node.child_by_field_name("arguments")
            if held is not None and held.named_children:
                _record_append(found, self.text(held.named_children[0], MAX_NAME_LENGTH).lstrip("&"), node)
            return
        if receiver is None or not (self.writing.adds.search(method) or self.writing.append_methods.search(method)):
            return
        while receiver.type in self.writing.calls:
            inner, name = self.called(receiver)
            if inner is None or not (self.writing.adds.search(name) or self.writing.append_methods.search(name)):
                return
            receiver = inner
        if receiver.type in self.writing.names | self.writing.members:
            _record_append(
                found,
                self.text(receiver, MAX_NAME_LENGTH),
                node,
                listed=self.writing.append_methods.search(method) is not None,
            )

    def _record_write_macro(self, node: Node, found: dict[str, list[Assignment]]) -> None:
        """`write!(query, " and name = {}", name)`."""
        name = node.child_by_field_name("macro")
        tree = next((each for each in node.named_children if each.type == "token_tree"), None)
        if name is not None and tree is not None and self.text(name, 10) in {"write", "writeln"}:
            groups = self.groups(tree)
            if groups:
                _record_append(found, self.text(groups[0][-1], MAX_NAME_LENGTH), node)

    def groups(self, tree: Node) -> list[list[Node]]:
        """What is between the commas of a macro, without `&`."""
        groups: list[list[Node]] = [[]]
        for each in tree.children[1:-1][:MAX_CHILDREN]:
            if self.source[each.start_byte : each.end_byte] == b",":
                groups.append([])
            elif self.source[each.start_byte : each.end_byte] != b"&":
                groups[-1].append(each)
        return [each for each in groups if each]

    def called(self, node: Node) -> tuple[Node | None, str]:
        """What a method is called on, and the name of what is called without that, or all of it."""
        if node.type not in self.writing.calls:
            return None, ""
        method = node.child_by_field_name("method") or node.child_by_field_name("name")
        if method is not None:
            receiver = node.child_by_field_name("receiver") or node.child_by_field_name("object")
            return receiver, plain_name(self.text(method, 80)).lstrip("\\")
        made = (
            node.child_by_field_name("function")
            or node.child_by_field_name("constructor")
            or node.child_by_field_name("type")
        )
        if made is None:
            return None, ""
        if made.type in _GENERIC_KINDS:
            made = made.child_by_field_name("function") or made.named_children[0]
        if made.type == _QUALIFIED_TYPE and made.named_children:
            made = made.named_children[-1]  # `new a.b.C()` makes what `new C()` makes
        inner = (
            made.child_by_field_name("object")
            or made.child_by_field_name("operand")
            or made.child_by_field_name("value")
            or made.child_by_field_name("expression")
        )
        last = (
            made.child_by_field_name("property")
            or made.child_by_field_name("field")
            or made.child_by_field_name("name")
        )
        if inner is not None and last is not None:
            return inner, plain_name(self.text(last.named_children[0] if last.type in _GENERIC_KINDS else last, 80))
        return None, plain_name(self.text(made, 80)).lstrip("\\")

    def text(self, node: Node, most: int = MAX_TEXT) -> str:
        """The source of a node, up to a length."""
        return self.source[node.start_byte : min(node.end_byte, node.start_byte + most)].decode(
            "utf-8", errors="replace"
        )


def number_of_element(written: str) -> int | None:
    """A place in a list that is written as a number."""
    number = written.strip("[]")
    return int(number) if number.isdecimal() and number.isascii() and int(number) < _MAX_ELEMENTS else None


def part_without_field(node: Node) -> Node | None:
    """The first part of a node that its grammar gives no field, as a value behind `=` in C#; None where there is none."""
    return next(
        (
            each
            for number, each in enumerate(node.children[:MAX_CHILDREN])
            if each.is_named and not each.is_extra and node.field_name_for_child(number) is None
        ),
        None,
    )


def _record_append(found: dict[str, list[Assignment]], name: str, value: Node, *, listed: bool = False) -> None:
    found[name].append(Assignment(value.start_byte, value.end_byte, value, False, True, listed=listed))
