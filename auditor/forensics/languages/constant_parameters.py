"""What the callers of a private function give it: where all of them are in its file, a parameter may stand for constants alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.function_metrics import function_name
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK
from auditor.forensics.source_text.syntax_trees import START_BYTE

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_ANCESTORS = 3
"""Functions around a use that are asked for the name among their parameters."""
_MAX_PRECEDING_FUNCTIONS = 60
_MAX_PARAMETERS, _MAX_CALLS, MAX_LOOKUPS, _MAX_MENTIONS = 20, 40, 60, 200
_HEADER_BYTES, _ABOVE_BYTES = 200, 40
_EXPORT_PREFIX = re.compile(r"\bexport\s+(?:default\s+)?\Z")
_ASSIGNED_NAME = re.compile(rb"(?<![\w.$])(?P<name>\w{1,80})\s{0,20}:?=\s{0,20}(?:async\s{1,20})?\Z")
_VARIABLE_DECLARATION = re.compile(rb"(?<!\w)(?:const|let|var)\s{1,20}\w{1,80}\s{0,20}=\s{0,20}(?:async\s{1,20})?\Z")
_FUNCTION_EXPRESSION_KINDS = frozenset({"function_expression", "arrow_function", "function", "generator_function"})
"""Functions that are values: they go wherever they are written, unless all that is done is to name them."""
_METHOD_KINDS = frozenset(
    {"method_definition", "method_declaration", "method", "singleton_method", "constructor_declaration"}
)
"""Functions that any holder of the object may call, wherever its class is defined."""
_PRIVATE_PREFIX = re.compile(rb"\bprivate\s+\Z")
_VISIBILITY = re.compile(rb"^[ \t]*(?P<word>private|public|protected|class|module)\b(?P<more>[^\n]*)", re.MULTILINE)
_VISIBILITY_BYTES = 20_000
"""Bytes above a method of Ruby in which it is looked for how visible it is."""
_REGISTERING_ATTRIBUTE = re.compile(
    r"(?:@|#\s{0,3}\[\s{0,3})(?!(?:allow|expect|inline|cfg|must_use|instrument|doc|SuppressWarnings|Nullable|NotNull|NonNull|Nonnull|Deprecated|VisibleForTesting|Transactional)\b)[A-Za-z]"
)
"""What is written at a function by which others than its callers may call it."""
_MAX_FUNCTION_BYTES = 30_000
_REASSIGNMENT = (
    rb"%(name)b\s{0,20}(?:,\s{0,20}[\w$.@]{1,40}\s{0,20}){0,4}(?:[-+*/|&^%%?:]{0,2}|<<|>>)=(?![=>~])"
    rb"|(?<![$#]\{)%(name)b[^;\n(){}=]{0,80}[\]})]{1,2}\s{0,20}=(?![=>~])"
    rb"|%(name)b\s{0,20}(?:<<|\.(?:push\w{0,9}|append|concat|insert\w{0,9}|prepend|unshift|\w{1,20}!)\s{0,3}\()|%(name)b\s{1,20}(?:of|in)\b"
    rb"|\bmut\s{1,5}%(name)b|(?<![&\w)])&%(name)b|\bfor\s{0,5}\([^()\n]{0,80}\s%(name)b\s{0,5}:|\|[^|\n]{0,60}%(name)b[^|\n]{0,60}\||\barguments\b"
)
"""Where a name may be given something else, or added to."""
_MAX_REASSIGNMENTS = 40
_TEXT_NODE_KIND = re.compile(r"string|content|fragment|template_string|comment")
_UNICODE_ESCAPE = re.compile(rb"\\u[{0-9A-Fa-f]")
_MAX_ESCAPES = 50


def receives_only_constants(file: ParsedFile, name: str, place: int) -> bool:
    """Is a name, used at a place, a parameter of a private function that all its callers give a constant of the file?

    Asked only about what would otherwise be reported, so it costs nothing where nothing is.
    """
    file.caller_lookups += 1
    if file.caller_lookups > MAX_LOOKUPS:
        return False
    for depth, function in enumerate(_enclosing_functions(file, place)):
        at = _parameter_index(file, function, name)
        if at is not None:
            return _all_callers_pass_constants(file, function, at)
        if depth >= _MAX_ANCESTORS:
            break
    return False


def _enclosing_functions(file: ParsedFile, place: int) -> Iterator[Node]:
    """The functions around an offset, the innermost first."""
    before = file.functions[: bisect_right(file.functions, place, key=START_BYTE)]
    return (each for each in reversed(before[-_MAX_PRECEDING_FUNCTIONS:]) if place < each.end_byte)


def _parameter_index(file: ParsedFile, function: Node, name: str) -> int | None:
    """The position of a parameter in its function; several may be declared with one type."""
    form = re.compile(rf"(?:mut\s+)?{re.escape(name)}(?![\w$])")
    return next(
        (number for number, each in enumerate(_parameter_nodes(function)) if form.match(file.text(each, 100))), None
    )


def _parameter_nodes(function: Node) -> list[Node]:
    held, only = function.child_by_field_name("parameters"), function.child_by_field_name("parameter")
    declared = ([] if only is None else [only]) if held is None else held.named_children[:_MAX_PARAMETERS]
    return [
        each
        for one in declared
        if one.type != "self_parameter"
        for each in (one.children_by_field_name("name") or one.children_by_field_name("pattern") or [one])
    ]


def _all_callers_pass_constants(file: ParsedFile, function: Node, at: int) -> bool:
    named = _function_name(file, function)
    if (
        named is None
        or not _is_private(file, function)
        or _may_be_reassigned(file, function, at)
        or _may_hold_escaped_names(file)
    ):
        return False
    callees = file.called.get(named, ())
    if not callees or len(callees) > _MAX_CALLS or _count_mentions(file, named) != len(callees) + 1:
        return False
    for call in file.calls_of(callees):
        given = file.arguments_of(call)
        if len(given) <= at or any(map(_is_spread, (file.text(each, 200) for each in given[: at + 1]))):
            return False
        if DYNAMIC_MARK in file.texts.reads(given[at]):
            return False
    return True


def _function_name(file: ParsedFile, function: Node) -> str | None:
    """The name of a function, or the name that it is assigned to."""
    given = _ASSIGNED_NAME.search(file.before(function))
    return given["name"].decode() if given is not None else function_name(file, function, function.start_byte)


def _is_spread(argument: str) -> bool:
    """Does it stand for as many arguments as it holds?"""
    return argument.startswith(("...", "*", "&")) or argument.endswith("...")


def _may_be_reassigned(file: ParsedFile, function: Node, at: int) -> bool:
    """May the parameter hold something other than the caller's argument? Always so in a function that is too long."""
    name = re.split(
        r"[^\w$]", file.text(_parameter_nodes(function)[at], 100).removeprefix("mut ").lstrip(), maxsplit=1
    )[0]
    start, end = function.byte_range
    if end - start > _MAX_FUNCTION_BYTES or "..." in _header(file, function):
        return True
    again = re.compile(_REASSIGNMENT % {b"name": rb"(?<![\w$.@])%b(?![\w$])" % re.escape(name.encode())})
    for count, found in enumerate(again.finditer(file.uncommented_source, start, end)):
        node = file.root.descendant_for_byte_range(found.start(), found.start() + 1)
        if count >= _MAX_REASSIGNMENTS or node is None or not _TEXT_NODE_KIND.search(node.type):
            return True
    return False


def unchanged_parameters(file: ParsedFile, function: Node) -> frozenset[str] | None:
    """The names of the parameters of a function; None where one of them may hold something other than its argument."""
    nodes = _parameter_nodes(function)
    if any(_may_be_reassigned(file, function, at) for at in range(len(nodes))):
        return None
    words = (re.split(r"[^\w$]", file.text(each, 100).removeprefix("mut ").lstrip(), maxsplit=1) for each in nodes)
    return frozenset(word for each in words if (word := each[0]))


def _header(file: ParsedFile, function: Node) -> str:
    body = function.child_by_field_name("body")
    end = function.end_byte if body is None else body.start_byte
    return file.source[function.start_byte : min(end, function.start_byte + 2_000)].decode("utf-8", errors="replace")


def _may_hold_escaped_names(file: ParsedFile) -> bool:
    """May names be written with Unicode escapes?"""
    if not file.language.escaped_names:
        return False
    for count, found in enumerate(_UNICODE_ESCAPE.finditer(file.uncommented_source)):
        node = file.root.descendant_for_byte_range(found.start(), found.start() + 1)
        if count >= _MAX_ESCAPES or node is None or "identifier" in node.type or node.type == "ERROR":
            return True
    return False


def _is_private(file: ParsedFile, function: Node) -> bool:
    """Is it inside another function, or does it say that it is for this file?"""
    start, end = function.byte_range
    if _is_passed_on(file, function) or _has_registering_attribute(file, function):
        return False
    around = file.outermost_function(start)
    if around is not None and around[0] < start and end <= around[1]:
        return function.type not in _METHOD_KINDS and not _is_trait_method(function)
    above = file.source[max(0, start - _ABOVE_BYTES) : start].decode("utf-8", errors="replace")
    if function.type in _FUNCTION_EXPRESSION_KINDS:
        return True
    form = file.language.private_header
    header = file.uncommented_source[start : start + _HEADER_BYTES].decode("utf-8", errors="replace")
    if form is not None and form.match(header) and not _EXPORT_PREFIX.search(above):
        return not _is_trait_method(function)
    if _is_top_level_in_script(file, function):
        return True
    return file.language.name == "ruby" and _is_private_in_ruby(file, start)


def _is_top_level_in_script(file: ParsedFile, function: Node) -> bool:
    """Is it in no class or module of a file that is run, and that no other file takes functions from?"""
    form, around = file.language.script_signs, function.parent
    if form is None or not form.search(file.source[:_MAX_FUNCTION_BYTES].decode("utf-8", errors="replace")):
        return False
    while around is not None and around.child_by_field_name("name") is None:
        around = around.parent
    return around is None


def _is_passed_on(file: ParsedFile, function: Node) -> bool:
    """Is it a function value that may be called by others, rather than only named?"""
    if function.type not in _FUNCTION_EXPRESSION_KINDS:
        return False
    before = file.before(function)
    declared = _VARIABLE_DECLARATION.search(before)
    return declared is None or before[: declared.start()].rstrip().endswith(b"export")


def _has_registering_attribute(file: ParsedFile, function: Node) -> bool:
    """Does it have a decorator or attribute other than those for compilers and readers?"""
    named = function.child_by_field_name("name")
    start, end = function.start_byte, function.start_byte if named is None else named.start_byte
    beside = function.prev_named_sibling
    for _ in range(_MAX_ANCESTORS):
        if beside is None or beside.type not in {"attribute_item", "decorator", "line_comment", "comment"}:
            break
        start, beside = beside.start_byte, beside.prev_named_sibling
    return (
        _REGISTERING_ATTRIBUTE.search(file.uncommented_source[start:end].decode("utf-8", errors="replace")) is not None
    )


def _is_trait_method(function: Node) -> bool:
    """Does it implement a method of a trait, so that callers of the trait reach it?"""
    within = function.parent.parent if function.parent is not None else None
    return within is not None and (within.type == "trait_item" or within.child_by_field_name("trait") is not None)


def _is_private_in_ruby(file: ParsedFile, start: int) -> bool:
    """Is it private by the word right before it, or by the last word of that kind in its class?"""
    if _PRIVATE_PREFIX.search(file.source, max(0, start - _ABOVE_BYTES), start) is not None:
        return True
    above = max(0, start - _VISIBILITY_BYTES)
    said = None
    for found in _VISIBILITY.finditer(file.uncommented_source, above, start):
        node = file.root.descendant_for_byte_range(found.start("word"), found.end("word"))
        if node is not None and node.type in {"identifier", "class", "module"}:
            said = found if found["word"] in (b"class", b"module") or not found["more"].strip() else said
    return said is not None and said["word"] == b"private"


def _count_mentions(file: ParsedFile, name: str) -> int:
    """How often a name is in the file, but for texts that hold more than the name."""
    found = re.finditer(rb"(?<!\w)%b(?!\w)" % re.escape(name.encode()), file.uncommented_source)
    nodes = (file.root.descendant_for_byte_range(*each.span()) for each in islice(found, _MAX_MENTIONS))
    return sum(
        1
        for each in nodes
        if each is None or not _TEXT_NODE_KIND.search(each.type) or file.text(each, 200).strip("\"'`") == name
    )
