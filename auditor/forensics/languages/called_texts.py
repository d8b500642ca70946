"""What calls make of texts: formats, joins, paths, replacements, and what functions of the same file give back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.constant_folding.format_fields import NUMBER_VERBS
from auditor.forensics.languages.assigned_texts import NUMBER_CALL, PLACEHOLDER_NAME, AssignedTexts, one_of
from auditor.forensics.languages.assignments import MAX_NAME_LENGTH
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK, ITEM_SEPARATOR

if TYPE_CHECKING:
    from tree_sitter import Node

TEMPORARY_FOLDER = "/tmp"  # noqa: S108  what it is called on most systems
_REPLACE_CALL = re.compile(r"(?:^|\.)(?:replace|replaceAll|gsub|sub)$")
_ESCAPING_CALL = re.compile(
    r"(?i)(?:^|[.:_])(?:escape\w*|quote\w*|sanitize\w*|\w*identifier|shellescape|shelljoin|shellwords\.\w+|shlex\w*|placeholders?|marks|binds?|lit(?:eral)?_?quoted)$"
)
"""Calls that make a value harmless where it is put in, or that make marks for parameters."""
_PLACEHOLDER_LITERAL = re.compile(
    r"[\"'`](?:\{\w+\}\s?=\s?@\{\w+\}|\s?=\s?[@:]|\(?\?\)?|:\w*|%s|\$%d|\$#\{[^}]*\}|@p?\$?\{[^}]*\})[\"'`]|`\$\$?\{[^}]*\}`"
)
"""Source of a list whose elements are marks."""
_MAX_RETURNS = 10
_STRING_CONVERSION = re.compile(rb"\s*\.(?:to_string|to_owned|into|clone|as_str)\(\)")


@dataclass(frozen=True, slots=True)
class _CallParts:
    """The parts of a call: its receiver, its arguments and its name."""

    receiver: Node | None
    held: tuple[Node, ...]
    full: str
    depth: int
    growing: str


@dataclass
class CalledTexts(AssignedTexts):
    """The calls of one file."""

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
            if letter and letter in NUMBER_VERBS:
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
            return TEMPORARY_FOLDER
        if self.writing.number_expressions.match(self.source, *node.byte_range):
            return "0"
        receiver, method = self.names.called(node)
        arguments = node.child_by_field_name("arguments")
        if arguments is not None and arguments.type in self.writing.literals:
            return ""  # a tagged template: its tag receives the parts
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
            (writing.concatenating_calls, self._all_arguments),
            (writing.same, self._receiver_text),
            (writing.adds, self._concatenated),
            (writing.append_methods, self._appended),
            (NUMBER_CALL, _number_text),
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
        name = method.removeprefix("Self::")
        told = self.call_result(name, depth) if own else DYNAMIC_MARK
        if own and DYNAMIC_MARK in told:
            told = self.result_of_constants(self, name, held) or told
        return told if told != DYNAMIC_MARK else self.unresolved_mark(f"{method}()", node.start_byte) or DYNAMIC_MARK

    def call_result(self, name: str, depth: int = 0) -> str:
        """The texts of which a called function of the file returns one."""
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
        start = function.start_byte if function is not None else 0
        own = [each for each in found if (self._function(each.start_byte) or (start,))[0] == start][-_MAX_RETURNS:]
        values = [next(iter(each.named_children), None) for each in own or found[-1:]]
        return one_of(self._reads(each, depth) for each in values) if values else DYNAMIC_MARK

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
        program = call.full.partition(".")[0]
        return ITEM_SEPARATOR.join((program, self._argument_list(call))) if call.held else program

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

    def _all_arguments(self, call: _CallParts) -> str:
        return "".join(self._reads(each, call.depth, call.growing) for each in call.held)

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
        if PLACEHOLDER_NAME.search(source) or _PLACEHOLDER_LITERAL.search(source):
            return "?"
        return (
            " ".join(self._reads(each, depth) for each in elements).replace(ITEM_SEPARATOR, " ")
            if elements
            else DYNAMIC_MARK
        )


def _number_text(_call: _CallParts) -> str:
    return "0"


def _placeholder_text(_call: _CallParts) -> str:
    return "?"
