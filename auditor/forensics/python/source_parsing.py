"""Python source as text and as a syntax tree, or why there is neither."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.forensics.python.parsed_module import Module
from auditor.forensics.source_text.site_types import Text

MAX_PYTHON = 1_000_000
"""Bytes. Twice the largest file of the code bases measured; worst-case source needs 900 MB a megabyte to parse."""
_CODINGS = {
    "utf-8": "utf-8", "utf8": "utf-8", "utf-8-sig": "utf-8", "u8": "utf-8", "ascii": "ascii", "us-ascii": "ascii",
    "latin-1": "latin-1", "latin1": "latin-1", "iso-8859-1": "latin-1", "iso-latin-1": "latin-1",
    "iso-8859-15": "iso-8859-15", "latin-9": "iso-8859-15", "cp1252": "cp1252", "windows-1252": "cp1252",
    "cp1251": "cp1251", "koi8-r": "koi8-r", "euc-jp": "euc-jp", "shift_jis": "shift_jis", "gbk": "gbk", "big5": "big5",
}  # fmt: skip
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True)
class Undecodable:
    """Why bytes are not text that Python would accept."""

    reason: str


@dataclass(frozen=True)
class Unparsed:
    """Why a source has no syntax tree; `broken` when it is the source's fault rather than our limits'."""

    reason: str
    broken: bool


def decoded(content: bytes) -> str | Undecodable:
    """The text of a Python file, by its declared coding when that is on our list.

    The parser is never given bytes: some codecs take quadratic time on hostile input.
    """
    coding = "utf-8"
    for line in content.split(b"\n", 2)[:2]:
        declared = _CODING.match(line)
        if declared:
            coding = declared[1].decode("ascii", errors="replace").lower().replace("_", "-")
            break
    known = _CODINGS.get(coding) or _CODINGS.get(coding.replace("-", "_"))
    if known is None:
        return Undecodable(f"its declared coding {coding[:40]!r} is not read")
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode(known)
    except UnicodeDecodeError:
        return Undecodable(f"not valid {known}")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def parsed_module(text: Text, kinds: Iterable[type[ast.AST]]) -> Module | Unparsed:
    """The parsed and walked file, or why there is none."""
    tree = parsed_tree(text.content)
    return tree if isinstance(tree, Unparsed) else walked(text, tree, kinds)


def walked(text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> Module | Unparsed:
    """The walked module of a tree, or why it cannot be walked."""
    try:
        return Module(text, tree, kinds)
    except RecursionError:
        return Unparsed("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return Unparsed("too complex to be parsed within the memory limit", broken=False)


def parsed_tree(source: str) -> ast.Module | Unparsed:
    """The syntax tree of a Python source, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        return Unparsed(f"not valid Python for this interpreter (line {error.lineno})", broken=True)
    except ValueError:
        return Unparsed("holds characters that no Python source may hold", broken=True)
    except RecursionError:
        return Unparsed("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return Unparsed("too complex to be parsed within the memory limit", broken=False)
