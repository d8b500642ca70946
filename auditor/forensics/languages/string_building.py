"""What a text in the code reads like once it is assembled: its constant parts, and a mark wherever something is filled in.

Names are followed to what they were given in the same function or at the top of the file, and to all that was added to them
on the way. Only what a reader would follow is: no other file, no call into another function, no loop. Every walk is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from auditor.forensics.languages.assignments import (
    MAX_CHILDREN,
    MAX_NAME_LENGTH,
    MAX_TEXT,
    Assignment,
    AssignmentIndex,
    part_without_field,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK, ITEM_SEPARATOR, StringSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 14
_MAX_STEPS = 20_000
_MAX_NAMES = 20
"""Sources that are put together of an expression and its names."""
_MAX_PRECEDING = 120
"""Places before a use at which it is looked for what its name was given."""
_METHOD_REFERENCE = "method_reference"
_SHORT_TEXT_LENGTH = 400
_MAX_RECORD_DEPTH = 4
"""Records inside each other."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_TEMPORARY_FOLDER = "/tmp"  # noqa: S108  what it is called on most systems
_CONSTANT_NAME = re.compile(r"(?:[\w$]+(?:\.|::))*_?[A-Z][A-Z0-9_]*(?:(?:\.|::)[\w$]+)*$")
"""A constant by its name, or what hangs below one."""
_REPLACE_CALL = re.compile(r"(?:^|\.)(?:replace|replaceAll|gsub|sub)$")
_NUMBER_CALL = re.compile(
    r"(?:^|[.:])(?:parseInt|parseFloat|Number|parseLong|Itoa|FormatInt|to_i|to_f|Integer|Float|BigInt|length|size|len|count|intValue|longValue|floor|round|ceil|abs|max|min|repeat|nCopies|Repeat|Boolean)$"
)
"""Calls and members that give numbers, or one constant text many times."""
_ESCAPING_CALL = re.compile(
    r"(?i)(?:^|[.:_])(?:escape\w*|quote\w*|sanitize\w*|\w*identifier|shellescape|shelljoin|shellwords\.\w+|shlex\w*|placeholders?|marks|binds?|lit(?:eral)?_?quoted)$"
)
"""Calls that make a value harmless where it is put in, or that make marks for parameters."""
_PLACEHOLDER_NAME = re.compile(r"(?i)^\W*(?:\w+\.)*\w*(?:placeholder|marks|qmarks|bindvars?)\w*$")
"""Names of lists of parameter marks."""
_PLACEHOLDER_LITERAL = re.compile(
    r"[\"'`](?:\{\w+\}\s?=\s?@\{\w+\}|\s?=\s?[@:]|\(?\?\)?|:\w*|%s|\$%d|\$#\{[^}]*\}|@p?\$?\{[^}]*\})[\"'`]|`\$\$?\{[^}]*\}`"
)
"""Source of a list whose elements are marks."""
_STRING_CONVERSION = re.compile(rb"\s*\.(?:to_string|to_owned|into|clone|as_str)\(\)")
_INDEX_KINDS = frozenset({"subscript_expression", "index_expression", "element_reference", "array_access"})
"""An element of a list, or of a record: a constant where all of that is."""
_SLICE_KINDS = frozenset({"slice_expression"})
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


@dataclass(frozen=True, slots=True)
class _CallParts:
    """The parts of a call: its receiver, its arguments and its name."""

    receiver: Node | None
    held: tuple[Node, ...]
    full: str
    depth: int
    growing: str


@dataclass
class TextResolver:
    """Resolves the texts of one file. `functions` are the spans of its functions, by where they begin."""

    names: AssignmentIndex
    functions: Sequence[tuple[int, int]]
    defined: Callable[[str], Node | None] = lambda _name: None
    """The one function of the file of that name."""
    fixed: Callable[[str, int], bool] = lambda _name, _place: False
    """Can a name, used at a place, only stand for what the program itself lists?"""
    unresolved_mark: Callable[[str, int], str] = lambda _name, _place: ""
    """What stands for a name, or for what a call gives, that was not followed: nothing for the usual mark."""
    steps: int = 0
    known: dict[tuple[int, int, str], str] = field(default_factory=dict)
    writing: StringSyntax = field(init=False)
    source: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.writing, self.source = self.names.writing, self.names.source

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
        return _truncate(ITEM_SEPARATOR.join(self.reads(each) for each in nodes))

    def receiver(self, call: Node) -> list[Node]:
        """What a method is called on, if anything."""
        found, _ = self.names.called(call)
        return [] if found is None else [found]

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
                self.known[key] = _truncate(read(self, node, depth + 1, growing))
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
            else part_without_field(node) or next(iter(node.named_children), None)
        )
        return self._reads(part, depth, growing)

    def _choice(self, node: Node, depth: int, growing: str) -> str:
        ways = self.writing.choices[node.type]
        return "\n".join(self._reads(node.child_by_field_name(each), depth, growing) for each in ways)

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
        written = "" if node is None else self.names.text(node, 4)
        return int(written) if written.isdecimal() and written.isascii() else None

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
                told.append(_TEMPORARY_FOLDER)
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

    def _fill_placeholders(self, text: str, arguments: Sequence[Node | None], depth: int) -> str:
        """A text with its placeholders filled in, in order. Placeholders for numbers can carry nothing else."""
        given = iter(arguments)

        def fill(found: re.Match[str]) -> str:
            letter = found[1] if found.re.groups else ""
            if letter in {"%", "n"}:
                return letter
            each = next(given, None)
            if letter in {"I", "L"}:
                return "?"  # a name or value that is quoted
            if letter and letter in "dioxXbfgeGEtcpU":
                return "0"
            return self._reads(each, depth) if each is not None else DYNAMIC_MARK

        return self.writing.placeholder_pattern.sub(fill, text)

    def _macro(self, node: Node, depth: int, _growing: str) -> str:
        """`format!("select {} from {table}", what)`: the text is the first literal, what follows are the arguments."""
        name = node.child_by_field_name("macro")
        told = self.names.text(name, 40) if name is not None else ""
        tree = next((each for each in node.named_children if each.type == "token_tree"), None)
        if tree is None:
            return DYNAMIC_MARK
        groups = self.names.groups(tree)
        if told == "vec":
            return ITEM_SEPARATOR.join(
                self._reads(each[0], depth) if self._is_plain_token(each) else DYNAMIC_MARK for each in groups
            )
        if told == "concat":
            return "".join(self._reads(each[0], depth) if len(each) == 1 else DYNAMIC_MARK for each in groups)
        if told in {"write", "writeln"}:
            groups = groups[1:]
        if (
            told not in {"format", "format_args", "write", "writeln", "formatdoc", "indoc"}
            or not groups
            or not groups[0]
        ):
            return DYNAMIC_MARK
        given = iter(groups[1:])

        def fill(found: re.Match[str]) -> str:
            name = found[1] or ""
            if name and not name.isdigit():
                return self._resolve_name(name, node.start_byte, node.start_byte, depth)
            each = next(given, None)
            return self._reads(each[-1], depth) if each is not None and len(each) <= 2 else DYNAMIC_MARK

        text = self._reads(groups[0][0], depth).replace("{{", "").replace("}}", "")
        return re.sub(r"\{\s*(\w*)[^{}]*\}", fill, text)

    def _is_plain_token(self, group: Sequence[Node]) -> bool:
        """Is it one token, or a text or name that is only turned into a text of its own?"""
        return len(group) == 1 or (
            _STRING_CONVERSION.fullmatch(
                self.source, group[0].end_byte, min(group[-1].end_byte, group[0].end_byte + 40)
            )
            is not None
        )

    def _is_temporary_folder(self, node: Node) -> bool:
        """Does it evaluate to the temporary folder that all users share?"""
        form = self.writing.temporary_folder
        return form is not None and form.fullmatch(self.source, *node.byte_range) is not None

    def _call(self, node: Node, depth: int, growing: str) -> str:
        if self._is_temporary_folder(node):
            return _TEMPORARY_FOLDER
        if self.writing.number_expressions.match(self.source, *node.byte_range):
            return "0"
        receiver, method = self.names.called(node)
        arguments = node.child_by_field_name("arguments")
        if arguments is not None and arguments.type in self.writing.literals:
            return ""  # a tagged template: its tag is handed the parts
        held = (
            ()
            if arguments is None
            else tuple(each for each in arguments.named_children[:50] if "comment" not in each.type)
        )
        plain = receiver is not None and receiver.type in {
            "identifier",
            "constant",
            "predefined_type",
            "scoped_identifier",
        }
        full = f"{self.names.text(receiver, 80)}.{method}" if receiver is not None and plain else method
        call = _CallParts(receiver, held, full, depth, growing)
        writing = self.writing
        for form, read in (
            (writing.writes, self._formatted_write),
            (writing.commands, self._command_line),
            (writing.format_calls, self._format_call),
            (writing.format_methods, self._format_method),
            (writing.paths, self._path_call),
            (writing.join_calls, self._joined),
            (writing.identity_calls, self._first_argument),
            (writing.list_calls, self._argument_list),
            (writing.same, self._receiver_text),
            (writing.adds, self._concatenated),
            (writing.append_methods, self._appended),
            (_NUMBER_CALL, _number_text),
            (_ESCAPING_CALL, _placeholder_text),
        ):
            if form.search(full):
                return read(call)
        if (
            receiver is not None
            and not held
            and receiver.type == "identifier"
            and self.fixed(self.names.text(receiver, MAX_NAME_LENGTH), node.start_byte)
        ):
            return "0"  # what one of a few things is asked for
        own = receiver is None or self.names.text(receiver, 8) in {"this", "$this", "self", "Self"}
        told = self._call_result(method.removeprefix("Self::"), depth) if own else DYNAMIC_MARK
        return told if told != DYNAMIC_MARK else self.unresolved_mark(f"{method}()", node.start_byte) or DYNAMIC_MARK

    def _call_result(self, name: str, depth: int) -> str:
        """The text that a called function of the file returns, taken from its last return."""
        if not (self.writing.returns or self.writing.lasts):
            return DYNAMIC_MARK
        function = self.defined(name)
        function = function or self._closure(name)
        body = None if function is None else function.child_by_field_name("body")
        if body is None:
            return DYNAMIC_MARK
        if (
            function is not None
            and function.type in self.writing.function_value_kinds
            and not body.type.endswith("block")
        ):
            return self._reads(body, depth)
        last = body.named_children[-1] if body.named_child_count else None
        if self.writing.lasts and last is not None and not last.type.endswith(("statement", "declaration", "item")):
            return self._reads(last, depth)
        found = list(self.names.within(self.writing.returns, *body.byte_range))
        return self._reads(next(iter(found[-1].named_children), None), depth) if found else DYNAMIC_MARK

    def _closure(self, name: str) -> Node | None:
        """The function that a name is given as a value, where it is given one alone."""
        if not self.writing.function_value_kinds:
            return None
        given, _ = self.names.local_assignments(name)
        value = given[0].value if len(given) == 1 else None
        return value if value is not None and value.type in self.writing.function_value_kinds else None

    def _formatted_write(self, call: _CallParts) -> str:
        return (
            self._fill_placeholders(self._reads(call.held[1], call.depth), call.held[2:], call.depth)
            if call.held[1:]
            else DYNAMIC_MARK
        )

    def _command_line(self, call: _CallParts) -> str:
        return (
            ITEM_SEPARATOR.join((call.full.partition(".")[0], self._argument_list(call)))
            if call.held
            else call.full.partition(".")[0]
        )

    def _format_call(self, call: _CallParts) -> str:
        return self._fill_placeholders(self._reads(next(iter(call.held), None), call.depth), call.held[1:], call.depth)

    def _format_method(self, call: _CallParts) -> str:
        return self._fill_placeholders(self._reads(call.receiver, call.depth), call.held, call.depth)

    def _path_call(self, call: _CallParts) -> str:
        """A path assembled of its parts. What only adds to a path adds to one that is known to be absolute."""
        form = self.writing.paths.search(call.full)
        parts = [self._reads(each, call.depth) for each in call.held]
        if form is not None and form.groupdict().get("on") is not None:
            parts.insert(0, self._reads(call.receiver, call.depth))
            if not parts[0].startswith("/"):
                return self._joined(call) if self.writing.join_calls.search(call.full) else DYNAMIC_MARK
        elif len(parts) < 2 and self.writing.join_calls.search(call.full):
            return self._joined(call)
        return "/".join(parts).replace("//", "/")

    def _first_argument(self, call: _CallParts) -> str:
        if call.held:
            return self._reads(call.held[0], call.depth, call.growing)
        of_unknown = call.receiver is not None and "." not in call.full  # `(await fetch(u)).text()`
        return DYNAMIC_MARK if of_unknown else ""

    def _argument_list(self, call: _CallParts) -> str:
        return ITEM_SEPARATOR.join(self._reads(each, call.depth, call.growing) for each in call.held)

    def _receiver_text(self, call: _CallParts) -> str:
        """The text that a method gives near enough; what it replaces by something else is filled in."""
        text = self._reads(call.receiver, call.depth, call.growing)
        if len(call.held) == 2 and _REPLACE_CALL.search(call.full):
            old, new = (self._reads(each, call.depth) for each in call.held)
            if old and DYNAMIC_MARK not in old and IDENTIFIER_MARK not in old:
                return text.replace(old, new, 3)
        return text

    def _concatenated(self, call: _CallParts) -> str:
        parts = (call.receiver, *call.held) if call.receiver is not None else call.held
        return "".join(self._reads(each, call.depth, call.growing) for each in parts)

    def _appended(self, call: _CallParts) -> str:
        parts = (call.receiver, *call.held) if call.receiver is not None else call.held
        return ITEM_SEPARATOR.join(filter(None, (self._reads(each, call.depth, call.growing) for each in parts)))

    def _joined(self, call: _CallParts) -> str:
        """The elements of a list that is joined: what `join` is called on, or an argument where it is a function."""
        receiver, held, depth = call.receiver, call.held, call.depth
        owner = self.names.text(receiver, 80) if receiver is not None else ""
        form = self.writing.join_calls.search(call.full)
        if form is not None and form.groupdict().get("last") is not None:
            receiver, held = None, held[-1:]
        elements: Sequence[Node] = {"strings": held[:1], "String": held[1:], "string": held[1:]}.get(
            owner, held[:1] if receiver is None else [receiver]
        )
        source = " ".join(self.names.text(each, 400) for each in elements)
        if _PLACEHOLDER_NAME.search(source) or _PLACEHOLDER_LITERAL.search(source):
            return "?"
        return (
            " ".join(self._reads(each, depth) for each in elements).replace(ITEM_SEPARATOR, " ")
            if elements
            else DYNAMIC_MARK
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
        if node.type in self.writing.members and _NUMBER_CALL.search(name):
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
                if _PLACEHOLDER_NAME.match(name)
                else DYNAMIC_MARK
            )
        if DYNAMIC_MARK in told and len(told) < _SHORT_TEXT_LENGTH and self.fixed(name, place):
            told = "0"
        self.known[key] = told = _truncate(told)
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
        events_here = [each for each in before[first:] if home is None or home[0] <= each.start < home[1]]
        told = DYNAMIC_MARK if before[first].grows else ""
        for each in events_here:
            if each.grows:
                added = self._reads(each.value, depth, name)
                told = f"{told}{ITEM_SEPARATOR}{added}" if each.listed and told else f"{told}{added}"
            elif each is before[first] or each.column <= before[first].column:
                told = "" if each.empty else self._assigned_value(each, depth)
                if each.default:
                    told = f"{told}\n{_unresolved_name_mark(name)}"
            else:
                told = f"{told}\n{self._assigned_value(each, depth)}"
            told = _truncate(told)
        return told

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


def _unresolved_name_mark(name: str) -> str:
    """The mark of a name that was not followed."""
    return IDENTIFIER_MARK if _IDENTIFIER_NAME.search(name) else DYNAMIC_MARK


def is_constant_or_unresolved(text: str) -> bool:
    """Is each variant of a text either a constant, or not resolved at all?"""
    return all(DYNAMIC_MARK not in each or each == DYNAMIC_MARK for each in text.split("\n"))


def _number_text(_call: _CallParts) -> str:
    return "0"


def _placeholder_text(_call: _CallParts) -> str:
    return "?"


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
            (_INDEX_KINDS, TextResolver._element),
            (
                writing.binding_kinds & _ASSIGNMENT_KINDS if writing.boolean_assignment is not None else (),
                TextResolver._boolean_assignment,
            ),
            (_SLICE_KINDS, TextResolver._rest),
            (writing.lists, TextResolver._list),
            (writing.choices, TextResolver._choice),
            (writing.around, TextResolver._inside),
            (writing.binary_kinds, TextResolver._binary_operation),
            (writing.members | writing.names, TextResolver._named),
            (writing.literals, TextResolver._literal),
            (_CONSTANT_KINDS, TextResolver._constant),
        )
        for kind in kinds
    }


def _truncate(text: str) -> str:
    return text[:MAX_TEXT]
