"""What a text in the code reads like once it is assembled: its constant parts, and a mark wherever something is filled in.

Names are followed to what they were given in the same function or at the top of the file, and to all that was added to them
on the way. Only what a reader would follow is: no other file, no loop, only functions of the file. Every walk is bounded.

The data flow answers another question (`data_flow/constant_values.py`): which one text a value always is, or none. Rules about
queries, paths and commands ask what is written around the values that are filled in, for each way in which a text may be built;
two in three texts that are followed for them are no single constant. They ask before the flow, which leaves out what they report,
and in shell, which has no flow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from auditor.forensics.languages.assignments import (
    INDEX_KINDS,
    MAX_CHILDREN,
    MAX_NAME_LENGTH,
    MAX_TEXT,
    number_of_element,
    part_without_field,
)
from auditor.forensics.languages.called_texts import TEMPORARY_FOLDER, CalledTexts
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK, ITEM_SEPARATOR, StringSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 14
_MAX_STEPS = 20_000
_SLICE_KINDS = frozenset({"slice_expression"})
_QUERY_KEYS = frozenset({"text", "sql", "query", "cmd", "sqlText", "queryText", "statement"})
"""Keys by which a record holds a query, or a command."""
_UNARY_SIGNS = frozenset({b"+", b"-", b"!", b"~"})
_UNARY_KINDS = frozenset({"unary_expression"})
_ASSIGNMENT_KINDS = frozenset({"assignment_expression"})
_NAME_KINDS = frozenset({"identifier", "shorthand_property_identifier"})
_BOOLEAN_TEXTS = frozenset({"true", "false"})
_CONSTANT_KINDS = frozenset(
    {"number", "true", "false", "null", "nil", "none", "int_literal", "float_literal", "integer", "float", "integer_literal",
     "decimal_integer_literal", "decimal_floating_point_literal", "boolean_literal", "null_literal", "char_literal", "rune_literal",
     "character_literal", "simple_symbol", "undefined", "boolean"}
)  # fmt: skip


@dataclass
class TextResolver(CalledTexts):
    """Resolves the texts of one file."""

    @cached_property
    def _bodies(self) -> dict[int, Node]:
        """Where a text that is further below is begun -> its body."""
        if self.writing.heredoc_kinds is None:
            return {}
        nodes = list(self.names.within(frozenset(self.writing.heredoc_kinds), 0, len(self.source)))
        begins, ends = ([each for each in nodes if each.type == kind] for kind in self.writing.heredoc_kinds)
        return {each.start_byte: body for each, body in zip(begins, ends, strict=False)}

    def reads(self, node: Node, *, told_apart: bool = False) -> str:
        """What the text reads like that an expression gives; only a mark where it is not known.

        Told apart, what goes by the name of a table or a column has a mark of its own.
        """
        told = self._reads(node, 0)
        return told if told_apart else told.replace(IDENTIFIER_MARK, DYNAMIC_MARK)

    def listed(self, nodes: Iterable[Node]) -> str:
        """The same for several, as one list."""
        return ITEM_SEPARATOR.join(self.reads(each) for each in nodes)[:MAX_TEXT]

    def receiver(self, call: Node) -> list[Node]:
        """What a method is called on, if anything."""
        found, _ = self.names.called(call)
        return [] if found is None else [found]

    def _reads(self, node: Node | None, depth: int, growing: str = "") -> str:
        if node is None:
            return DYNAMIC_MARK
        key = (node.id, -1, growing)
        if key not in self.known:
            self.steps += 1
            if depth > _MAX_DEPTH or self.steps > _MAX_STEPS:
                return DYNAMIC_MARK
            self.known[key] = DYNAMIC_MARK  # what leads back to itself
            read = _resolvers_by_kind(self.writing).get(node.type)
            if read is not None:
                self.known[key] = read(self, node, depth + 1, growing)[:MAX_TEXT]
        return self.known[key]

    def _constant(self, node: Node, _depth: int, _growing: str) -> str:
        return self.names.text(node, 100)

    def _unary(self, node: Node, _depth: int, _growing: str) -> str:
        """`+limit`, `!quiet`: a number, or yes or no."""
        return "0" if self.source[node.start_byte : node.start_byte + 1] in _UNARY_SIGNS else DYNAMIC_MARK

    def _inside(self, node: Node, depth: int, growing: str) -> str:
        if self.writing.number_expressions.match(self.source, *node.byte_range):
            return "0"
        inner = self.writing.around[node.type]
        part = (
            node.child_by_field_name(inner)
            if inner
            else next(reversed(node.named_children), None)
            if node.type in self.writing.sequences
            else part_without_field(node) or next(iter(node.named_children), None)
        )
        return self._reads(part, depth, growing)

    def _choice(self, node: Node, depth: int, growing: str) -> str:
        ways = self.writing.choices[node.type]
        return "\n".join(self._reads(node.child_by_field_name(each), depth, growing) for each in ways)

    def _alternative(self, node: Node, depth: int, growing: str) -> str:
        ways = node.named_children[self.writing.alternatives[node.type] :]
        if len(ways) > MAX_CHILDREN:
            return DYNAMIC_MARK
        told = (self._reads(each, depth, growing) for each in ways if "comment" not in each.type)
        return "\n".join(dict.fromkeys(told))

    def _list(self, node: Node, depth: int, _growing: str) -> str:
        return ITEM_SEPARATOR.join(self._reads(each, depth) for each in self._elements(node))

    def _element(self, node: Node, depth: int, _growing: str) -> str:
        """The element itself where its place is a number, else only whether all of them are constants."""
        parts = node.named_children[:2]
        told = self._reads(next(iter(parts), None), depth)
        listed = told.split(ITEM_SEPARATOR)
        if len(listed) > 1 and "\n" not in told:
            at = self._place(parts[1] if len(parts) > 1 else None)
            if at is not None and at < len(listed):
                return listed[at]
        return DYNAMIC_MARK if DYNAMIC_MARK in told or IDENTIFIER_MARK in told else "0"

    def _rest(self, node: Node, depth: int, _growing: str) -> str:
        """What a list holds from a place on."""
        start = node.child_by_field_name("start")
        told = self._reads(node.child_by_field_name("operand"), depth)
        at = 0 if start is None else self._place(start)
        if at is None or node.child_by_field_name("end") is not None or ITEM_SEPARATOR not in told or "\n" in told:
            return DYNAMIC_MARK
        return ITEM_SEPARATOR.join(told.split(ITEM_SEPARATOR)[at:])

    def _place(self, node: Node | None) -> int | None:
        """A place in a list that is written as a number."""
        return None if node is None else number_of_element(self.names.text(node, 4))

    def _elements(self, node: Node) -> list[Node]:
        held = node.child_by_field_name("body") or node.child_by_field_name("value") or node
        return [
            each
            for each in held.named_children[:MAX_CHILDREN]
            if "comment" not in each.type and each.type not in {"type_identifier", "dimensions"}
        ]

    def _record(self, node: Node, depth: int, _growing: str) -> str:
        for each in node.named_children[:MAX_CHILDREN]:
            name = each.child_by_field_name("key")
            if name is not None and self.names.text(name, 20).strip("\"':") in _QUERY_KEYS:
                return self._reads(each.child_by_field_name("value"), depth)
        told = (self._record_part(each, depth) for each in node.named_children[:MAX_CHILDREN])
        return ITEM_SEPARATOR.join((self.names.text(node, 2_000), *filter(None, told)))

    def _record_part(self, part: Node, depth: int) -> str:
        """What a part of a record stands for: another record that is spread into it, or a name that is on or off."""
        if part.type in self.writing.around:
            told = self._reads(part, depth)
            return "" if DYNAMIC_MARK in told or IDENTIFIER_MARK in told else told
        value = part.child_by_field_name("value") if part.type == "pair" else part
        if value is None or value.type not in _NAME_KINDS:
            return ""
        named = self._resolve_name(self.names.text(value, MAX_NAME_LENGTH), value.start_byte, value.start_byte, depth)
        key = part.child_by_field_name("key") or part
        return f"{self.names.text(key, MAX_NAME_LENGTH)}: {named}" if named in _BOOLEAN_TEXTS else ""

    def _boolean_assignment(self, node: Node, _depth: int, _growing: str) -> str:
        """What an assignment adds to a record: that something is on or off."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or self.names.switched_object(left) is None:
            return DYNAMIC_MARK
        name = left.child_by_field_name("property")
        return (
            DYNAMIC_MARK
            if name is None
            else f"{ITEM_SEPARATOR}{self.names.text(name, 80)}: {self.names.text(right, 8)}"
        )

    def _literal(self, node: Node, depth: int, _growing: str = "") -> str:
        body = self._bodies.get(node.start_byte) if node.type in (self.writing.heredoc_kinds or ()) else None
        node = body if body is not None else node
        parts = [each for each in self._parts(node) if not each.type.startswith("heredoc_end")]
        if not parts:
            written = node.child_count == 0 or node.named_child_count == 0
            return self.names.text(node).removeprefix("@").strip("\"'`") if written else ""
        told: list[str] = []
        for each in parts:
            if each.type in self.writing.interpolation_kinds and self._is_temporary_folder(each):
                told.append(TEMPORARY_FOLDER)
            elif each.type in self.writing.interpolation_kinds:
                inner = next(iter(self._parts(each)), None)
                told.append(self._reads(inner, depth) if each.type != "command_substitution" else DYNAMIC_MARK)
            elif each.type in self.writing.bare_interpolations:
                told.append(self._reads(each, depth))
            elif each.type in self.writing.literals:
                told.append(self._literal(each, depth))
            else:
                told.append(self.names.text(each))
        return "".join(told)

    def _parts(self, node: Node) -> list[Node]:
        """The named parts of a literal, or of what is filled into one, without its delimiters."""
        return [each for each in node.named_children[:MAX_CHILDREN] if each.type not in self.writing.delimiters]

    def _binary_operation(self, node: Node, depth: int, growing: str) -> str:
        sign = node.child_by_field_name("operator")
        told = self.names.text(sign, 4) if sign is not None else ""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if told in {"+", "<<", "."}:
            pieces: list[Node | None] = [right]
            while left is not None and left.type == node.type and len(pieces) < MAX_CHILDREN:
                inner = left.child_by_field_name("operator")
                if inner is None or self.names.text(inner, 4) != told:
                    break
                pieces.append(left.child_by_field_name("right"))
                left = left.child_by_field_name("left")
            pieces.append(left)
            return "".join(self._reads(each, depth, growing) for each in reversed(pieces))
        if told == "%":
            held = [] if right is None else [right] if right.type not in self.writing.lists else self._elements(right)
            return self._fill_placeholders(self._reads(left, depth), held, depth)
        if told in {"||", "??", "or"}:
            return "\n".join(self._reads(each, depth, growing) for each in (left, right))
        return "0" if told in {"-", "*", "/"} else DYNAMIC_MARK


@cache
def _resolvers_by_kind(writing: StringSyntax) -> dict[str, Callable[[TextResolver, Node, int, str], str]]:
    """Node kind -> what reads it. Names and literals come last, as they are what most is made of."""
    return {
        kind: read
        for kinds, read in (
            (_UNARY_KINDS, TextResolver._unary),
            (writing.calls, TextResolver._call),
            (writing.macros, TextResolver._macro),
            (writing.records, TextResolver._record),
            (INDEX_KINDS, TextResolver._element),
            (
                writing.binding_kinds & _ASSIGNMENT_KINDS if writing.boolean_assignment is not None else (),
                TextResolver._boolean_assignment,
            ),
            (_SLICE_KINDS, TextResolver._rest),
            (writing.lists, TextResolver._list),
            (writing.choices, TextResolver._choice),
            (writing.alternatives, TextResolver._alternative),
            (writing.around, TextResolver._inside),
            (writing.binary_kinds, TextResolver._binary_operation),
            (writing.members | writing.names, TextResolver._named),
            (writing.literals, TextResolver._literal),
            (_CONSTANT_KINDS, TextResolver._constant),
        )
        for kind in kinds
    }
