"""Lines of code in pieces to colour: comments, strings, keywords. A reading aid for one line at a time, not a grammar."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

MAX_LINE = 600
"""Characters of a line that are read; the rest is plain."""


class Piece(NamedTuple):
    """A part of a line. `kind` is comment, string, keyword or empty."""

    kind: str
    text: str


_STRING = r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_WORD = r"(?P<word>[^\W\d]\w*)"
_HASH = re.compile(rf"(?P<comment>#.*)|{_STRING}|{_WORD}")
_SLASHES = re.compile(rf"(?P<comment>//.*|/\*.*|^\s*\*(?:\s.*|/)?$)|{_STRING}|{_WORD}")
_HASH_SUFFIXES = frozenset(
    {".py", ".pyi", ".rb", ".sh", ".bash", ".yml", ".yaml", ".toml", ".cfg", ".ini", ".pl", ".r", ".ex", ".exs"}
)
_SLASH_SUFFIXES = frozenset(
    {".c", ".cc", ".cpp", ".cs", ".dart", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt", ".kts", ".mjs", ".php"}
    | {".rs", ".scala", ".swift", ".ts", ".tsx", ".vue"}
)
_KEYWORD_LIST = (
    "abstract and as assert async await begin bool break case catch char class const continue def default defer del do "
    "elif else elsif end ensure enum except export extends false final finally fn for from func function global go if "
    "impl implements import in int interface is lambda let match mod module mut new nil none nonlocal not null or "
    "package pass private protected pub public raise rescue return self static struct super switch this throw throws "
    "trait true try type typeof union unless until use using var void when where while with yield False None True"
)
_KEYWORDS = frozenset(_KEYWORD_LIST.split())


def highlight(line: str, path: str) -> tuple[Piece, ...]:
    """The line in pieces that make the whole line again. A file of no known language is one piece."""
    suffix = PurePosixPath(path).suffix.lower()
    tokens = _HASH if suffix in _HASH_SUFFIXES else _SLASHES if suffix in _SLASH_SUFFIXES else None
    if tokens is None or len(line) > MAX_LINE:
        return (Piece("", line),)
    pieces: list[Piece] = []
    at = 0
    for found in tokens.finditer(line):
        kind = found.lastgroup or ""
        if kind == "word":
            kind = "keyword" if found.group() in _KEYWORDS else ""
        if kind:
            if found.start() > at:
                pieces.append(Piece("", line[at : found.start()]))
            pieces.append(Piece(kind, found.group()))
            at = found.end()
    return (*pieces, Piece("", line[at:])) if at < len(line) or not pieces else tuple(pieces)
