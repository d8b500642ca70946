"""Which changed lines are inside a definition or a condition about access: who is asked, what is signed, who may do what.

Blocks are known by indentation. That needs no grammar, holds for every language, and takes time in proportion to the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.domain import Side
from auditor.dossier.changed_file import ChangedFile
from auditor.forensics.sensitive_words.line_words import block_words
from auditor.forensics.source_text.file_roles import is_code

MAX_LINE = 400
"""Characters of a line that are looked at."""
_TAB = 4
_MAX_LEAD = 10
"""Decorators that are read as part of what follows them."""
_DECORATOR = re.compile(r"@\w|#\[|\[\w")
_CONTINUES = re.compile(r"[)\]}{]|(?:case|catch|default|elif|else|elsif|end|ensure|except|finally|rescue|when)\b")
"""A line at the indentation of a block's first line that belongs to the block."""
_SAYS_SOMETHING = re.compile(r"\w")


@dataclass
class _Open:
    """A line that further lines may be inside of."""

    indent: int
    number: int
    text: str
    outer: int
    """The innermost line about access that it is inside of itself; 0 for none."""
    lead: list[int] = field(default_factory=list)
    """Decorators above it."""
    lead_text: str = ""
    own: int | None = None


@dataclass(frozen=True)
class Blocks:
    """The lines of one side of a file that are inside a block about access."""

    header_of: Mapping[int, int]
    """The first line of the innermost such block, by line; decorators of a definition are inside it."""
    about: Mapping[int, str]
    """The words of access in a first line, by its number."""


def blocks(lines: Sequence[str], comments: Collection[int]) -> Blocks:
    """The blocks about access in some lines."""
    header_of: dict[int, int] = {}
    about: dict[int, str] = {}
    opened: list[_Open] = []
    for number, line in enumerate(lines, 1):
        text = line[:MAX_LINE].expandtabs(_TAB)
        stripped = text.strip()
        if not stripped or number in comments:
            continue
        indent = len(text) - len(text.lstrip())
        same = _closed(opened, indent)
        if same is not None and _CONTINUES.match(stripped):
            opened.append(same)
            _put(header_of, number, _header(same, header_of, about))
            continue
        outer = _header(opened[-1], header_of, about) if opened else 0
        _put(header_of, number, outer)
        opened.append(_with_lead(_Open(indent, number, stripped, outer), same))
    return Blocks(header_of, about)


def _closed(opened: list[_Open], indent: int) -> _Open | None:
    """Close what a line of this indentation ends; what was open at the same one."""
    while opened and opened[-1].indent > indent:
        opened.pop()
    return opened.pop() if opened and opened[-1].indent == indent else None


def _with_lead(line: _Open, above: _Open | None) -> _Open:
    """The line with the decorators above it."""
    if above is not None and _DECORATOR.match(above.text) and len(above.lead) < _MAX_LEAD:
        line.lead = [*above.lead, above.number]
        line.lead_text = f"{above.lead_text} {above.text}"
    return line


def _header(block: _Open, header_of: dict[int, int], about: dict[int, str]) -> int:
    """The first line of the innermost block about access that the lines in this one are inside of.

    Words of decorators count for the decorators: what every protected page does is not about access.
    """
    if block.own is None:
        own = block_words(block.text)
        block.own = block.number if own else block.outer
        words = own or block_words(block.lead_text)
        if words:
            about[block.number] = " ".join(words)
            header_of.update((each, block.number) for each in block.lead)
    return block.own


def _put(header_of: dict[int, int], number: int, header: int) -> None:
    if header:
        header_of[number] = header


def lines_about_access(file: ChangedFile, comments: Mapping[Side, Collection[int]]) -> Mapping[Side, Mapping[int, str]]:
    """The changed lines inside blocks about access that both sides of the change have, with the words of the block.

    A block that is new or removed as a whole is listed by its own words.
    """
    if not file.before or not file.after or not is_code(file.path):
        return {Side.HEAD: {}, Side.BASE: {}}
    found = {side: blocks(lines, comments[side]) for side, lines in ((Side.HEAD, file.after), (Side.BASE, file.before))}
    there = {side: set(each.about.values()) for side, each in found.items()}
    return {
        Side.HEAD: _inside(found[Side.HEAD], file.after, file.change.added_lines, there[Side.BASE]),
        Side.BASE: _inside(found[Side.BASE], file.before, file.change.deleted_lines, there[Side.HEAD]),
    }


def _inside(here: Blocks, lines: Sequence[str], changed: Collection[int], there: Collection[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for number in changed:
        header = here.header_of.get(number, 0)
        kept = header and (header not in changed or here.about[header] in there)
        if kept and number <= len(lines) and _SAYS_SOMETHING.search(lines[number - 1][:MAX_LINE]):
            found[number] = here.about[header]
    return found
