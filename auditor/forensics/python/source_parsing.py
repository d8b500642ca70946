"""Python source as text and as a syntax tree, or why there is neither."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.forensics.library_models.source_encodings import source_encodings
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.source_text.site_probe_types import Text
from auditor.row_tables import by_name

MAX_PYTHON_BYTES = 1_000_000
"""Bytes. Twice the largest file of the code bases measured; worst-case source needs 900 MB a megabyte to parse."""
_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_ENCODINGS = {name: row.codec for name, row in by_name(source_encodings().encodings).items()}
_ENCODING_DECLARATION = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_ENDED_COMMENT = re.compile(
    r"(?<=\n)[^\r\n#]*#[^\r\n]*\r(?!\n)[^\S\n]*[^\s#]|\A[^\r\n#]*#[^\r\n]*\r(?!\n)[^\S\n]*[^\s#][^\n]*\n"
)
"""A comment behind which code follows on a line that only ends at a carriage return, in a file with line feeds."""


def _unparsed_reason(line: int | None) -> str:
    return f"the auditor runs on Python {_VERSION}, which rejects line {line} (a syntax error, or newer syntax)"


@dataclass(frozen=True)
class DecodeFailure:
    """Why bytes are not text that Python would accept."""

    reason: str


@dataclass(frozen=True)
class ParseFailure:
    """Why a source has no syntax tree; `broken` when its syntax is wrong rather than a limit reached."""

    reason: str
    broken: bool


def decode_source(content: bytes) -> str | DecodeFailure:
    """The text of a Python file, by its declared coding when that is on our list.

    The parser is never given bytes: some codecs take quadratic time on hostile input.
    """
    coding = "utf-8"
    for line in content.split(b"\n", 2)[:2]:
        declared = _ENCODING_DECLARATION.match(line)
        if declared:
            coding = declared[1].decode("ascii", errors="replace").lower().replace("_", "-")
            break
    known = _ENCODINGS.get(coding) or _ENCODINGS.get(coding.replace("-", "_"))
    if known is None:
        return DecodeFailure(f"its declared coding {coding[:40]!r} is not read")
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode(known)
    except UnicodeDecodeError:
        return DecodeFailure(f"not valid {known}")
    if "\r" not in text:
        return text
    if _ENDED_COMMENT.search(text):
        return DecodeFailure("a carriage return ends a comment, and editors show the code behind it as a part of it")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_module(text: Text, kinds: Iterable[type[ast.AST]]) -> Module | ParseFailure:
    """The parsed and walked file, or why there is none."""
    tree = parse_source(text.content)
    return tree if isinstance(tree, ParseFailure) else walk_module(text, tree, kinds)


def walk_module(text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> Module | ParseFailure:
    """The walked module of a tree, or why it cannot be walked."""
    try:
        return Module(text, tree, kinds)
    except RecursionError:
        return ParseFailure("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return ParseFailure("too complex to be parsed within the memory limit", broken=False)


def parse_source(source: str) -> ast.Module | ParseFailure:
    """The syntax tree of a Python source, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        return ParseFailure(_unparsed_reason(error.lineno), broken=True)
    except ValueError:
        return ParseFailure("contains characters that Python does not allow", broken=True)
    except RecursionError:
        return ParseFailure("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return ParseFailure("too complex to be parsed within the memory limit", broken=False)
