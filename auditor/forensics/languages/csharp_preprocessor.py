"""C# without its preprocessor lines: one branch of each `#if` is kept, byte for byte in its place.

The grammar knows branches that are whole statements or members. One that holds half of something, such as the header of a
method whose body is behind `#endif`, may cost it the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from auditor.forensics.source_text.tree_sitter_grammars import grammar

_DIRECTIVE = re.compile(rb"[ \t]{0,200}#[ \t]{0,20}(?P<word>[a-z]+|:)")
_ALL_BUT_LINE_ENDS = re.compile(rb"[^\r\n]")
_MAX_DEPTH = 50


def branch_alternatives(content: bytes) -> Iterator[tuple[Any, bytes]]:
    """The content with the first branch of each condition alone, and with the last one alone."""
    if b"#" not in content:
        return
    known = grammar("tree_sitter_c_sharp", "language")
    yield known, _one_branch(content, keeps_first=True)
    yield known, _one_branch(content, keeps_first=False)


def _one_branch(content: bytes, *, keeps_first: bool) -> bytes:
    """The content with blanks for directives and for all branches but the first, or but those behind `#else`."""
    lines = content.splitlines(keepends=True)
    has_else = _conditions_with_else(lines)
    kept: list[bytes] = []
    branches: list[bool] = []
    for number, line in enumerate(lines):
        found = _DIRECTIVE.match(line)
        word = b"" if found is None else found["word"]
        if word == b"if":
            branches = [*branches[:_MAX_DEPTH], keeps_first or number not in has_else]
        elif word in {b"elif", b"else"} and branches:
            branches[-1] = word == b"else" and not keeps_first
        elif word == b"endif" and branches:
            branches.pop()
        shown = found is None and all(branches)
        kept.append(line if shown else _ALL_BUT_LINE_ENDS.sub(b" ", line))
    return b"".join(kept)


def _conditions_with_else(lines: list[bytes]) -> set[int]:
    """The lines of `#if` that an `#else` belongs to."""
    opened: list[int] = []
    found: set[int] = set()
    for number, line in enumerate(lines):
        directive = _DIRECTIVE.match(line)
        word = b"" if directive is None else directive["word"]
        if word == b"if":
            opened = [*opened[:_MAX_DEPTH], number]
        elif word == b"else" and opened:
            found.add(opened[-1])
        elif word == b"endif" and opened:
            opened.pop()
    return found
