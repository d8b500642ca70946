"""Whether anybody looks at what a call gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import UncheckedResult
from auditor.forensics.languages.parsed_file import ParsedFile, enclosing_function

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_RESULT_LOOKUPS = 200
"""Calls of a file whose surroundings are looked up: that costs a walk from the root."""
_RESULT_ASSIGNMENT = re.compile(
    rb"(?P<declared>[\w>\]]\s+)?(?<![\w$.@])(?P<name>[A-Za-z_$][\w$]*)(?:\s*:\s*[\w.<>\[\]& ]{1,80})?\s*(?P<sign>:?=)\s*(?:await\s+)?\Z"
)
"""What precedes a call whose result is assigned to a name."""
_FIELD_LABEL = re.compile(rb"[{,(]@\s*:(?!:)")
"""Form of a name that is a field being assigned, and so no use of another thing of that name; `@` is the name."""
_MAX_USE_BYTES = 20_000
"""Bytes behind a call in which the uses of that name are looked at."""


def is_result_unused(file: ParsedFile, node: Node) -> bool:
    """Is the result of a call unused?"""
    file.dropped += 1
    if file.dropped > _MAX_RESULT_LOOKUPS:
        return False
    unwanted, given_back = file.language.discarded_result_prefix, file.language.implicit_return_prefix
    before = file.source[max(0, node.start_byte - 200) : node.start_byte]
    if given_back is not None and given_back.search(before):
        return False
    if unwanted is not None and unwanted.search(before):
        return True
    around = file.around(node)
    while around is not None and around.type in file.language.passing:
        around = file.around(around)
    return around is not None and (around.type in file.language.statements or is_modified_statement(file, node, around))


def is_modified_statement(file: ParsedFile, node: Node, around: Node) -> bool:
    """Is it what a condition behind it, on the same line, lets be done: a statement like any other?"""
    return around.type in file.language.modifiers and around.child_by_field_name("body") == node


def is_result_unchecked(file: ParsedFile, node: Node, signs: UncheckedResult) -> bool:
    """Does the source around a call, or do all uses of its result, show that nobody checks how it ended?"""
    if signs.dropped and is_result_unused(file, node):
        return True
    start, end = node.byte_range
    before = file.source[max(0, start - 200) : start]
    if signs.before is not None and signs.before.search(before):
        return True
    if signs.behind is not None and signs.behind.match(file.source, end):
        return True
    named = _RESULT_ASSIGNMENT.search(before) if signs.uses is not None else None
    around = enclosing_function(file, node) if named is not None else None
    if named is None or around is None or signs.uses is None:
        return False
    if file.language.declared and not named["declared"] and named["sign"] != b":=":
        return False  # others may see what it is given
    rest = file.source[end : min(around.end_byte, end + _MAX_USE_BYTES)]
    uses = re.finditer(rb"(?<![\w$.])" + re.escape(named["name"]) + rb"(?![\w$])", rest)
    shown = (
        rest[max(0, each.start() - 200) : each.start()].rstrip()[-1:] + b"@" + rest[each.end() : each.end() + 200]
        for each in uses
    )
    return all(_FIELD_LABEL.match(each) or signs.uses.match(each) for each in shown)
