"""Code in files that are not named like it: scripts recognized by their first line, cells of notebooks, import lines of `.pth`.

What comes out has the lines of the file it came from, so that a place in it is a place in the file; what is no Python
is left blank.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import language as language_by_name

_PYTHON_SHEBANG = re.compile(r"#![^\n]{0,200}?\b(?:python|pypy)[\d.]*\b|#![^\n]{0,200}\buv\s+run\b")
_OTHER_SHEBANG = re.compile(
    r"#!\s{0,10}/(?:[\w.-]{1,30}/){0,8}(?:env\s{1,10}(?:-\S{1,20}\s{1,10}|\w{1,30}=\S{0,60}\s{1,10}){0,3})?(?:(?P<shell>(?:ba|da|k|a)?sh)|(?P<csharp>dotnet-script)|(?P<php>php)|(?P<ruby>ruby|jruby)|(?P<javascript>node|nodejs|bun)|(?P<typescript>deno|tsx|ts-node))(?=\s|$)"
)
_STRING_LINE = re.compile(r'^\s*(?P<text>"(?:[^"\\]|\\.)*"),?\s*$')
_CELL_TYPE_LINE = re.compile(r'^\s*"cell_type":\s*"(?P<kind>\w+)",?\s*$')
_SOURCE_START_LINE = re.compile(r'^\s*"(?:source|input)":\s*\[\s*$')
_MAGIC_PREFIXES = ("%", "!", "?")


@dataclass(frozen=True, slots=True)
class EmbeddedPython:
    """Python code embedded in a file, or why it could not be extracted."""

    source: str = ""
    unread: str = ""


def extract_python(text: str, language: str) -> EmbeddedPython | None:
    """The Python that a file holds, line by line where it is; None when it holds none.

    `language` is the file's language by its name, or the suffix where it is in none that we know: what runs a script is
    its first line, whatever it is called.
    """
    if language == "ipynb":
        return _notebook_python(text)
    if language == "pth":
        imports = [line if line.startswith(("import ", "import\t")) else "" for line in text.split("\n")]
        return EmbeddedPython("\n".join(imports)) if any(imports) else None
    if _PYTHON_SHEBANG.match(text):
        return EmbeddedPython(text)
    return None


def shebang_language(text: str) -> str:
    """The language of a script whose first line runs a shell, C#, PHP, Ruby, Node or Deno; empty for anything else."""
    found = _OTHER_SHEBANG.match(text)
    return (found.lastgroup or "") if found is not None else ""


def script_language(path: str, text: str) -> str:
    """The language of a file by its name, or by its first line where the name says nothing."""
    return language_by_name(path) or shebang_language(text)


def sniffed_language(text: str, suffix: str) -> str:
    """The language that the first lines of a file look like, where its suffix says nothing; a guess, to be confirmed by parsing."""
    if suffix in file_suffixes(FileKind.PLAIN):  # `require("./notes.txt")` runs it
        start = _COMMENTS.match(text[:_SNIFFED_CHARACTERS])
        found = _CODE_LINE.match(text, start.end()) if start is not None else None
        return "javascript" if found is not None and found.lastgroup == "javascript" else ""
    if suffix in file_suffixes(FileKind.QUOTING):
        return ""
    found = _CODE_LINE.search(text[:_SNIFFED_CHARACTERS])
    return (found.lastgroup or "") if found is not None else ""


_SNIFFED_CHARACTERS = 100_000
_COMMENTS = re.compile(r"(?>(?:\s++|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)")
_CODE_LINE = re.compile(
    r"^(?:(?P<javascript>(?:(?:const|let|var)\s[\w${}, \t]{1,200}=[ \t]*require\([ \t]*['\"]|module\.exports\b|exports\.\w{1,80}[ \t]*=|import\s[^\n;'\"]{0,200}\bfrom[ \t]*['\"]|['\"]use strict['\"]))"
    r"|\A(?P<php><\?php\s)"
    r"|(?P<python>import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*(?:#[^\n]*)?$|from[ \t]+[\w.]+[ \t]+import[ \t]+[\w(*]))",
    re.MULTILINE,
)


def _notebook_python(text: str) -> EmbeddedPython | None:
    """The code cells of a notebook, one line of code on one line of the file, as notebooks are usually laid out."""
    try:
        book = json.loads(text)
    except (ValueError, RecursionError):
        return None  # nothing runs it either
    code = [line for cell in _code_cells(book) for line in cell.split("\n") if not _is_blank_or_magic(line)]
    if not code:
        return None
    laid_out = _cell_source_by_line(text.split("\n"))
    if [line.rstrip("\r") for line in laid_out if line] != [line.rstrip("\r") for line in code]:
        return EmbeddedPython(unread="a notebook whose code is not laid out line by line")
    return EmbeddedPython("\n".join(laid_out))


def _code_cells(book: object) -> Iterator[str]:
    sheets = book.get("worksheets", [book]) if isinstance(book, dict) else []
    for sheet in sheets if isinstance(sheets, list) else []:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        for cell in cells if isinstance(cells, list) else []:
            if isinstance(cell, dict) and cell.get("cell_type") == "code":
                source = cell.get("source", cell.get("input", ""))
                yield "".join(map(str, source)) if isinstance(source, list) else str(source)


def _cell_source_by_line(lines: list[str]) -> list[str]:
    """What is between the brackets of each code cell's source; blank elsewhere."""
    kept = [""] * len(lines)
    kind, inside = "", False
    for number, line in enumerate(lines):
        if inside:
            found = _STRING_LINE.match(line)
            inside = found is not None
            if found is not None and kind == "code":
                kept[number] = _decode_string_line(found["text"])
            continue
        named = _CELL_TYPE_LINE.match(line)
        kind = named["kind"] if named else kind
        inside = _SOURCE_START_LINE.match(line) is not None
    return kept


def _decode_string_line(quoted: str) -> str:
    try:
        line = str(json.loads(quoted)).removesuffix("\n")
    except ValueError:
        return ""
    return "" if "\n" in line or _is_blank_or_magic(line) else line


def _is_blank_or_magic(line: str) -> bool:
    """A blank line, or a command to the notebook itself."""
    return not line.strip() or line.lstrip().startswith(_MAGIC_PREFIXES)
