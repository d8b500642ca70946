"""What the callers of a private function give it: where all of them stand in its file, a parameter may stand for constants alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.function_metrics import function_name
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_syntax import FILLED
from auditor.forensics.source_text.syntax_trees import START_BYTE

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_AROUND = 3
"""Functions around a use that are asked for the name among their parameters."""
_MOST_BEFORE = 60
_MOST_PARAMETERS, _MOST_CALLS, _MOST_ASKED = 20, 40, 60
_HEADER, _ABOVE = 200, 40
_PRIVATE: dict[str, re.Pattern[str]] = {
    "go": re.compile(r"func\s+(?:\([^)]{0,80}\)\s*)?[a-z_]"),
    "java": re.compile(r"[^({]{0,160}\bprivate\b"),
    "javascript": re.compile(r"(?:async\s+)?(?:function\b|(?:static\s+|async\s+){0,2}[#_]\w)"),
    "typescript": re.compile(r"(?:async\s+)?(?:function\b|(?:static\s+|async\s+){0,2}[#_]\w|private\b)"),
    "rust": re.compile(r"(?!pub\b)(?:const\s+|async\s+|unsafe\s+){0,3}fn\b"),
    "ruby": re.compile(r"def\s+_\w"),
}
"""How the header of a function begins that nobody outside of its file calls."""
_OFFERED = re.compile(r"\bexport\s+(?:default\s+)?\Z")
_GIVEN_NAME = re.compile(rb"(?<![\w.$])(?P<name>\w{1,80})\s{0,20}:?=\s{0,20}(?:async\s{1,20})?\Z")
_DECLARED = re.compile(rb"(?<!\w)(?:const|let|var)\s{1,20}\w{1,80}\s{0,20}=\s{0,20}(?:async\s{1,20})?\Z")
_EXPRESSED = frozenset({"function_expression", "arrow_function", "function", "generator_function"})
"""Functions that are values: they go wherever they are written, unless all that is done is to name them."""
_OF_OBJECTS = frozenset(
    {"method_definition", "method_declaration", "method", "singleton_method", "constructor_declaration"}
)
"""Functions that whoever has the object may call, wherever its class stands."""
_PRIVATE_HERE = re.compile(rb"\bprivate\s+\Z")
_VISIBILITY = re.compile(rb"^[ \t]*(?P<word>private|public|protected|class|module)\b(?P<more>[^\n]*)", re.MULTILINE)
_FAR_ABOVE = 20_000
"""Bytes above a method of Ruby in which it is looked for how visible it is."""
_REGISTERED = re.compile(
    r"(?:@|#\s{0,3}\[\s{0,3})(?!(?:allow|expect|inline|cfg|must_use|instrument|doc|SuppressWarnings|Nullable|NotNull|NonNull|Nonnull|Deprecated|VisibleForTesting|Transactional)\b)[A-Za-z]"
)
"""What is written at a function by which others than its callers may call it."""
_LONGEST_FUNCTION = 30_000
_AGAIN = (
    rb"%(name)b\s{0,20}(?:,\s{0,20}[\w$.@]{1,40}\s{0,20}){0,4}(?:[-+*/|&^%%?:]{0,2}|<<|>>)=(?![=>~])"
    rb"|(?<![$#]\{)%(name)b[^;\n(){}=]{0,80}[\]})]{1,2}\s{0,20}=(?![=>~])"
    rb"|%(name)b\s{0,20}(?:<<|\.(?:push\w{0,9}|append|concat|insert\w{0,9}|prepend|unshift|\w{1,20}!)\s{0,3}\()|%(name)b\s{1,20}(?:of|in)\b"
    rb"|\bmut\s{1,5}%(name)b|(?<![&\w)])&%(name)b|\bfor\s{0,5}\([^()\n]{0,80}\s%(name)b\s{0,5}:|\|[^|\n]{0,60}%(name)b[^|\n]{0,60}\||\barguments\b"
)
"""Where a name may be given something else, or added to."""
_MOST_AGAIN = 40
_IN_A_TEXT = re.compile(r"string|content|fragment|template_string|comment")
_ESCAPED = re.compile(rb"\\u[{0-9A-Fa-f]")
_MOST_ESCAPES = 50


def is_given_constants(file: ParsedFile, name: str, place: int) -> bool:
    """Is a name, used at a place, a parameter of a private function that all its callers give a constant of the file?

    Asked of what would be told otherwise, so that it costs nothing where there is nothing to tell.
    """
    file.caller_lookups += 1
    if file.caller_lookups > _MOST_ASKED:
        return False
    for depth, function in enumerate(_around(file, place)):
        at = _parameter(file, function, name)
        if at is not None:
            return _all_give_constants(file, function, at)
        if depth >= _MOST_AROUND:
            break
    return False


def _around(file: ParsedFile, place: int) -> Iterator[Node]:
    """The functions around a place, the innermost first."""
    before = file.functions[: bisect_right(file.functions, place, key=START_BYTE)]
    return (each for each in reversed(before[-_MOST_BEFORE:]) if place < each.end_byte)


def _parameter(file: ParsedFile, function: Node, name: str) -> int | None:
    """The place of a parameter among those of its function; several may be declared with one type."""
    form = re.compile(rf"(?:mut\s+)?{re.escape(name)}(?![\w$])")
    return next((number for number, each in enumerate(_declared(function)) if form.match(file.text(each, 100))), None)


def _declared(function: Node) -> list[Node]:
    held = function.child_by_field_name("parameters")
    declared = [] if held is None else held.named_children[:_MOST_PARAMETERS]
    return [
        each
        for one in declared
        if one.type != "self_parameter"
        for each in (one.children_by_field_name("name") or one.children_by_field_name("pattern") or [one])
    ]


def _all_give_constants(file: ParsedFile, function: Node, at: int) -> bool:
    named = _name(file, function)
    if (
        named is None
        or not _is_private(file, function)
        or _is_given_again(file, function, at)
        or _is_spelt_otherwise(file)
    ):
        return False
    callees = file.called.get(named, ())
    if not callees or len(callees) > _MOST_CALLS or _mentions(file, named) != len(callees) + 1:
        return False
    for call in file.calls_of(callees):
        given = file.arguments_of(call)
        if len(given) <= at or any(map(_is_spread, (file.text(each, 200) for each in given[: at + 1]))):
            return False
        if FILLED in file.texts.reads(given[at]):
            return False
    return True


def _name(file: ParsedFile, function: Node) -> str | None:
    """What a function is called, or the name that it is given to."""
    given = _GIVEN_NAME.search(file.before(function))
    return given["name"].decode() if given is not None else function_name(file, function, function.start_byte)


def _is_spread(argument: str) -> bool:
    """Does it stand for as many arguments as it holds?"""
    return argument.startswith(("...", "*", "&")) or argument.endswith("...")


def _is_given_again(file: ParsedFile, function: Node, at: int) -> bool:
    """May the parameter stand for something else than what the caller gave, or for several of them? A function that is too long may do so anywhere."""
    name = re.split(r"[^\w$]", file.text(_declared(function)[at], 100).removeprefix("mut ").lstrip(), maxsplit=1)[0]
    start, end = function.byte_range
    if end - start > _LONGEST_FUNCTION or "..." in _header(file, function):
        return True
    again = re.compile(_AGAIN % {b"name": rb"(?<![\w$.@])%b(?![\w$])" % re.escape(name.encode())})
    for count, found in enumerate(again.finditer(file.uncommented_source, start, end)):
        node = file.root.descendant_for_byte_range(found.start(), found.start() + 1)
        if count >= _MOST_AGAIN or node is None or not _IN_A_TEXT.search(node.type):
            return True
    return False


def _header(file: ParsedFile, function: Node) -> str:
    body = function.child_by_field_name("body")
    end = function.end_byte if body is None else body.start_byte
    return file.source[function.start_byte : min(end, function.start_byte + 2_000)].decode("utf-8", errors="replace")


def _is_spelt_otherwise(file: ParsedFile) -> bool:
    """May a name be written in other letters, by the numbers of some of them?"""
    if file.language.name not in {"javascript", "typescript", "java"}:
        return False
    for count, found in enumerate(_ESCAPED.finditer(file.uncommented_source)):
        node = file.root.descendant_for_byte_range(found.start(), found.start() + 1)
        if count >= _MOST_ESCAPES or node is None or "identifier" in node.type or node.type == "ERROR":
            return True
    return False


def _is_private(file: ParsedFile, function: Node) -> bool:
    """Does it stand inside another function, or say that it is for this file?"""
    start, end = function.byte_range
    if _is_handed_on(file, function) or _is_registered(file, function):
        return False
    around = file.outermost_function(start)
    if around is not None and around[0] < start and end <= around[1]:
        return function.type not in _OF_OBJECTS and not _is_of_a_trait(function)
    above = file.source[max(0, start - _ABOVE) : start].decode("utf-8", errors="replace")
    form = _PRIVATE.get(file.language.name)
    header = file.uncommented_source[start : start + _HEADER].decode("utf-8", errors="replace")
    if form is not None and form.match(header) and not _OFFERED.search(above):
        return not _is_of_a_trait(function)
    return file.language.name == "ruby" and _is_below_private(file, start)


def _is_handed_on(file: ParsedFile, function: Node) -> bool:
    """Is it a value that may be called by whoever gets it, and not only named?"""
    if function.type not in _EXPRESSED:
        return False
    before = file.before(function)
    declared = _DECLARED.search(before)
    return declared is None or before[: declared.start()].rstrip().endswith(b"export")


def _is_registered(file: ParsedFile, function: Node) -> bool:
    """Is something written at it, other than what tells compilers and readers?"""
    named = function.child_by_field_name("name")
    start, end = function.start_byte, function.start_byte if named is None else named.start_byte
    beside = function.prev_named_sibling
    for _ in range(_MOST_AROUND):
        if beside is None or beside.type not in {"attribute_item", "decorator", "line_comment", "comment"}:
            break
        start, beside = beside.start_byte, beside.prev_named_sibling
    return _REGISTERED.search(file.uncommented_source[start:end].decode("utf-8", errors="replace")) is not None


def _is_of_a_trait(function: Node) -> bool:
    """Does it do what a trait asks for, so that all who know the trait call it?"""
    within = function.parent.parent if function.parent is not None else None
    return within is not None and (within.type == "trait_item" or within.child_by_field_name("trait") is not None)


def _is_below_private(file: ParsedFile, start: int) -> bool:
    """Is it private by the word right before it, or by the last word of that kind in its class?"""
    if _PRIVATE_HERE.search(file.source, max(0, start - _ABOVE), start) is not None:
        return True
    above = max(0, start - _FAR_ABOVE)
    said = None
    for found in _VISIBILITY.finditer(file.uncommented_source, above, start):
        node = file.root.descendant_for_byte_range(found.start("word"), found.end("word"))
        if node is not None and node.type in {"identifier", "class", "module"}:
            said = found if found["word"] in (b"class", b"module") or not found["more"].strip() else said
    return said is not None and said["word"] == b"private"


def _mentions(file: ParsedFile, name: str) -> int:
    """How often a name stands in the file."""
    return sum(1 for _ in re.finditer(rb"(?<!\w)%b(?!\w)" % re.escape(name.encode()), file.uncommented_source))
