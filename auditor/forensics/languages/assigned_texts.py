"""What names stand for in texts: what they were given in the same function or at the top of the file, and what was added since."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.forensics.languages.assignments import (
    MAX_CHILDREN,
    MAX_NAME_LENGTH,
    MAX_TEXT,
    Assignment,
    AssignmentIndex,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK, ITEM_SEPARATOR, StringSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAMES = 20
"""Sources that are put together of an expression and its names."""
_MAX_PRECEDING = 120
"""Places before a use at which it is looked for what its name was given."""
_METHOD_REFERENCE = "method_reference"
_SHORT_TEXT_LENGTH = 400
_MAX_RECORD_DEPTH = 4
"""Records inside each other."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONSTANT_NAME = re.compile(r"(?:[\w$]+(?:\.|::))*_?[A-Z][A-Z0-9_]*(?:(?:\.|::)[\w$]+)*$")
"""A constant by its name, or what hangs below one."""
NUMBER_CALL = re.compile(
    r"(?:^|[.:])(?:parseInt|parseFloat|Number|parseLong|Itoa|FormatInt|to_i|to_f|Integer|Float|BigInt|length|size|len|count|intValue|longValue|floor|round|ceil|abs|max|min|repeat|nCopies|Repeat|Boolean)$"
)
"""Calls and members that give numbers, or one constant text many times."""
PLACEHOLDER_NAME = re.compile(r"(?i)^\W*(?:\w+\.)*\w*(?:placeholder|marks|qmarks|bindvars?)\w*$")
"""Names of lists of parameter marks."""
_GO_ASSIGNMENT = re.compile(
    rb"(?<![\w.,\"])(?<!const )(?<!var )((?:\w{1,80}[ \t]{0,9},[ \t]{0,9}){0,5}\w{1,80})[ \t]{0,9}(?::=|\+?=(?!=))"
)
_GO_FUNCTION_HEADER = re.compile(rb"\bfunc\b[^\n{]{0,1000}")
_GO_PARAMETER = re.compile(rb"(?<![\w.*\]])\w{1,80}(?=[ \t]{0,9},|[ \t]{1,9}(?:\.\.\.)?[\w*\[])")
_WORD = re.compile(rb"\w+")
"""How a function gives names something, and how it takes what callers hand over."""
_IDENTIFIER_NAME = re.compile(
    r"(?i)(?:table|column|schema|field|cols|index|view|order_?by|database|db|keyspace|savepoint|db_?name|partition|tbl|extension|sequence|constraint)s?(?:_?(?:name|ident|list))?s?$|(?-i:(?:^|_)col|(?<=[a-z])Col)s?$"
)


@dataclass
class AssignedTexts(ABC):
    """The names of one file. `functions` are the spans of its functions, by where they begin."""

    names: AssignmentIndex
    functions: Sequence[tuple[int, int]]
    defined: Callable[[str], Node | None] = lambda _name: None
    """The one function of the file of that name."""
    fixed: Callable[[str, int], bool] = lambda _name, _place: False
    """Can a name, used at a place, only stand for what the program itself lists?"""
    unresolved_mark: Callable[[str, int], str] = lambda _name, _place: ""
    """What stands for a name, or for what a call gives, that was not followed: nothing for the usual mark."""
    result_of_constants: Callable[[AssignedTexts, str, Sequence[Node]], str] = lambda _texts, _name, _arguments: ""
    """What a function of the file makes of arguments that are all constants; nothing where that is not known."""
    steps: int = 0
    known: dict[tuple[int, int, str], str] = field(default_factory=dict)
    writing: StringSyntax = field(init=False)
    source: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.writing, self.source = self.names.writing, self.names.source

    @abstractmethod
    def _reads(self, node: Node | None, depth: int, growing: str = "") -> str:
        """What the text reads like that an expression gives; only a mark where it is not known."""

    def sources(self, node: Node) -> str:
        """The source of an expression, and of what the names in it were given, and the names in that."""
        told, asked = [self.names.text(node, _SHORT_TEXT_LENGTH)], set[str]()
        for text in told:
            for said in dict.fromkeys(_NAME.findall(text)):
                name = f"{self.writing.variable_mark}{said}"
                if name not in asked and len(told) < _MAX_NAMES:
                    asked.add(name)
                    told += self._referenced(node, said)
                    told += [
                        self.names.text(each.value, _SHORT_TEXT_LENGTH)
                        for each in self.names.assignments_to(name)[:5]
                        if each.value is not None and self.is_visible(each.start, node.start_byte)
                    ]
        return "\n".join(told)

    def _referenced(self, node: Node, name: str) -> list[str]:
        """The method of the file that a reference such as `Shop::accept` names."""
        function = self.defined(name) if node.type == _METHOD_REFERENCE else None
        return [] if function is None else [self.names.text(function, _SHORT_TEXT_LENGTH)]

    def is_parameter(self, node: Node) -> bool:
        """Is it a name that nothing before assigns a value to?"""
        if node.type not in self.writing.names:
            return False
        name = self.names.text(node, MAX_NAME_LENGTH)
        return self._gathered(name, node.start_byte, 0) is None or len(self.names.local_assignments(name)[0]) > len(
            self.names.local_assignments(name)[1]
        )

    def _named(self, node: Node, depth: int, growing: str) -> str:
        name = self.names.text(node, MAX_NAME_LENGTH)
        if self.writing.number_names.search(name):
            return "0"
        if name == growing:
            return ""
        followed = self._resolve_name(name, node.start_byte, node.start_byte, depth)
        told = (
            self.unresolved_mark(name, node.start_byte)
            if DYNAMIC_MARK in followed and is_constant_or_unresolved(followed)
            else ""
        )
        if told or followed not in {
            DYNAMIC_MARK,
            IDENTIFIER_MARK,
            "0",
        }:  # a name in capitals reads like a constant, whatever it is
            return told or followed
        held = self._held(node) if node.type in self.writing.members else None
        if held is not None:
            return self._reads(held, depth)
        if node.type in self.writing.members and NUMBER_CALL.search(name):
            return "0"
        return (
            followed
            if followed == "0"
            else IDENTIFIER_MARK
            if self._is_package_level_name(name)
            else _unresolved_name_mark(name)
        )

    def _is_package_level_name(self, name: str) -> bool:
        """Is it a package-level name, and no parameter or variable of a function?

        Not where the file gives a name of the same letters something, or takes it as a parameter.
        """
        if not self.writing.package_level_name.match(name):
            return False
        owner = name.rpartition(".")[0].encode()
        imported = (b'/%b"', b'"%b"', b'%b "')
        if owner and not any(form % owner in self._imports for form in imported):
            return False
        return (owner or name.encode()) not in self._locally_bound_names

    @cached_property
    def _imports(self) -> bytes:
        """What is above the first function."""
        return self.source.partition(b"\nfunc ")[0]

    @cached_property
    def _locally_bound_names(self) -> frozenset[bytes]:
        """Names that the functions of the file give something, or take."""
        given = (name for found in _GO_ASSIGNMENT.finditer(self.source) for name in _WORD.findall(found[1]))
        taken = (
            name for found in _GO_FUNCTION_HEADER.finditer(self.source) for name in _GO_PARAMETER.findall(found[0])
        )
        return frozenset((*given, *taken))

    def given(self, node: Node) -> Node | None:
        """What alone gives a value to a name, a field of the class, or a part of a record; None where that is not known."""
        if node.type in self.writing.members:
            return self._held(node)
        events, _ = self.names.local_assignments(self.names.text(node, MAX_NAME_LENGTH))
        only = events[0] if len(events) == 1 and node.type in self.writing.names else None
        if only is None or only.default or not self.is_visible(only.start, node.start_byte):
            return None
        return only.value

    def _held(self, node: Node) -> Node | None:
        """What a field of the class holds, or the record that a name stands for, where one place alone gives it that."""
        owner, last = node.child_by_field_name("object"), node.child_by_field_name("property")
        if owner is None or last is None or not (self.writing.fields or self.writing.records):
            return None
        name, told = self.names.text(owner, MAX_NAME_LENGTH), self.names.text(last, MAX_NAME_LENGTH)
        if self.writing.self_names.match(name):
            given = [each.value for each in self.names.assignments_to(told) if each.field]
            if given:
                return given[0] if len(given) == 1 else None
        if owner.type in self.writing.members and name.count(".") < _MAX_RECORD_DEPTH:
            return self._entry_value(self._held(owner), told)
        if owner.type not in self.writing.names:
            return None
        records, _ = self.names.local_assignments(name)
        return self._entry_value(records[0].value, told) if len(records) == 1 else None

    def _entry_value(self, record: Node | None, name: str) -> Node | None:
        """What a record holds by a name."""
        for _ in range(3):  # `Object.freeze({...} as const)`
            if record is None or record.type in self.writing.records:
                break
            held = record.child_by_field_name("arguments") if record.type in self.writing.calls else record
            around = record.type in self.writing.around or record.type in self.writing.calls
            record = next(iter(held.named_children), None) if held is not None and around else None
        for each in record.named_children[:MAX_CHILDREN] if record is not None else ():
            key = each.child_by_field_name("key")
            if key is not None and self.names.text(key, MAX_NAME_LENGTH).strip("\"'") == name:
                return each.child_by_field_name("value")
        return None

    def _resolve_name(self, name: str, place: int, limit: int, depth: int) -> str:
        """The text that a name stands for at an offset: its last value, and what was added since."""
        key = (-1, limit, name)
        if key in self.known:
            return self.known[key]
        self.known[key] = DYNAMIC_MARK
        told = self._gathered(name, place, depth)
        if not told and self.writing.own:
            told = self._field_of_self(name, place, depth) or told
        if told is None:
            told = (
                "0"
                if self.writing.constants and _CONSTANT_NAME.match(name)
                else "?"
                if PLACEHOLDER_NAME.match(name)
                else DYNAMIC_MARK
            )
        if DYNAMIC_MARK in told and len(told) < _SHORT_TEXT_LENGTH and self.fixed(name, place):
            told = "0"
        self.known[key] = told = told[:MAX_TEXT]
        return told

    def _gathered(self, name: str, place: int, depth: int) -> str | None:
        events, others = self.names.local_assignments(name)
        if not events:
            return None
        anywhere = self._is_member(name)
        last = bisect_left(events, place, key=lambda each: each.start)
        before = [each for each in events[max(0, last - _MAX_PRECEDING) : last] if each.end <= place][-60:]
        seen = [number for number, each in enumerate(before) if anywhere or self.is_visible(each.start, place)]
        if not seen:
            alone = others[0] if len(others) == 1 else None
            at_the_top = alone is not None and alone.declares and self._function(alone.start) is None
            return self._reads(alone.value, depth) if alone is not None and at_the_top else None
        first = max((number for number in seen if before[number].declares), default=seen[0])
        home = None if anywhere else self._function(before[first].start)
        events_here = [
            each
            for number, each in enumerate(before[first:], first)
            if (home is None or home[0] <= each.start < home[1]) and (number in seen or not each.declares)
        ]
        ways: list[tuple[int, str]] = [(before[first].start, DYNAMIC_MARK)] if before[first].grows else []
        for each in events_here:
            branch = self._branch(each, place) if len(events_here) > 1 else None
            inside = [way for way in ways if branch is None or way[0] >= branch]
            if each.grows:
                added = self._reads(each.value, depth, name)
                ways = [
                    (at, _added_to(text, added, each)) if not inside or at >= inside[0][0] else (at, text)
                    for at, text in ways or [(each.start, "")]
                ]
                continue
            told = "" if each.empty else self._assigned_value(each, depth)
            if each.default:
                told = f"{told}\n{_unresolved_name_mark(name)}"
            ways = [*ways[: len(ways) - len(inside)], (each.start, told)]
        return one_of(text for _, text in ways if text or len(ways) == 1)

    def _branch(self, assignment: Assignment, place: int) -> int | None:
        """Where the innermost part around an assignment begins that may never run, unless the place of use is in it too."""
        function = self._function(assignment.start)
        parts = [] if function is None else [function]
        if assignment.fallback:
            parts.append((assignment.start, assignment.end))
        optional = self.writing.optional_blocks
        for node in self.names.around(self.writing.optional_kinds, assignment.start):
            start, end = node.byte_range
            if assignment.start <= start and end <= assignment.end:
                break  # what the assignment itself is made of
            if node.type in self.writing.branches:
                first = int(node.type in self.writing.binary_kinds)  # the left side always runs
                parts += [
                    each.byte_range
                    for each in node.children[first:]
                    if each.start_byte <= assignment.start < each.end_byte
                ]
            elif optional[node.type] in {"", node.children[0].type}:
                parts.append((start, end))
        start, end = max(parts, key=lambda each: (each[0], -each[1]), default=(0, len(self.source)))
        return None if start <= place < end else start

    def _is_member(self, name: str) -> bool:
        """Is it a name that more than one function may give something: a field, or a variable of the whole program?"""
        if self.writing.variable_mark:
            return "->" in name or "::" in name
        return "." in name or name.startswith(("@", "$"))

    def _field_of_self(self, name: str, place: int, depth: int) -> str | None:
        """The text of a field that is assigned by its other name: `this.x` and `x`."""
        own = self.writing.own
        if name.startswith(own):
            given = [
                each
                for each in self.names.assignments_to(f"{self.writing.variable_mark}{name.removeprefix(own)}")
                if self._function(each.start) is None
            ]
            return self._reads(given[0].value, depth) if len(given) == 1 else None
        around = self._function(place)
        header = b"" if around is None else self.source[around[0] : place].partition(b"{")[0]
        if "." in name or not name.isidentifier() or re.search(rb"\b%b\b" % name.encode(), header):
            return None
        return self._gathered(f"{own}{name}", len(self.source), depth)

    def _assigned_value(self, assignment: Assignment, depth: int) -> str:
        """The text that an assignment gives a name: all of a value, or one element of each variant."""
        told = self._reads(assignment.value, depth)
        if assignment.part is None:
            return told
        ways = [each.split(ITEM_SEPARATOR) for each in told.split("\n")]
        return "\n".join(each[assignment.part] if assignment.part < len(each) else DYNAMIC_MARK for each in ways)

    def is_visible(self, assigned_at: int, place: int) -> bool:
        """Does the function in which a name is assigned enclose the place where it is used?"""
        around = self._function(assigned_at)
        return around is None or around[0] <= place < around[1]

    def _function(self, place: int) -> tuple[int, int] | None:
        """The innermost function around a place."""
        at = bisect_left(self.functions, (place + 1, 0))
        return next(
            (each for each in reversed(self.functions[max(0, at - 200) : at]) if each[0] <= place < each[1]), None
        )


def _added_to(text: str, added: str, assignment: Assignment) -> str:
    """What a text, or a list, is once something was added to it."""
    if not assignment.listed or not text:
        return f"{text}{added}"[:MAX_TEXT]
    items, at = text.split(ITEM_SEPARATOR), assignment.element
    if at is None or "\n" in text:
        return f"{text}{ITEM_SEPARATOR}{added}"[:MAX_TEXT]
    return ITEM_SEPARATOR.join((*items[:at], *[""] * (at - len(items)), added, *items[at + 1 :]))[:MAX_TEXT]


def _unresolved_name_mark(name: str) -> str:
    """The mark of a name that was not followed."""
    return IDENTIFIER_MARK if _IDENTIFIER_NAME.search(name) else DYNAMIC_MARK


def one_of(texts: Iterable[str]) -> str:
    """Several texts of which an expression is one: first those that are built, because what a text begins with matters."""
    return "\n".join(
        sorted(dict.fromkeys(texts), key=lambda each: (is_constant_or_unresolved(each), DYNAMIC_MARK not in each))
    )[:MAX_TEXT]


def is_constant_or_unresolved(text: str) -> bool:
    """Is each variant of a text either a constant, or not resolved at all?"""
    return all(DYNAMIC_MARK not in each or each == DYNAMIC_MARK for each in text.split("\n"))
