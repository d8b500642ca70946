"""Markdown, reStructuredText and plain text, each line counted."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import Any

from auditor.forensics.documents.passages import Document, Image, Kind, Paragraphs, Passage, line_kind, under_headings

MAX_TEXT = 2_000_000
MAX_TANGLE = 20_000
"""Brackets and backquotes beyond which Markdown is read as plain text: they cost the parser the most."""
_MAX_DEPTH = 40
_LONG_LINE = 20_000


def markdown(name: str, text: str) -> Document:
    """Blocks by CommonMark, tables included. What is too tangled to parse is read as plain text, which is said."""
    if (
        len(text) > MAX_TEXT
        or text.count("[") + text.count("`") > MAX_TANGLE
        or any(len(line) > _LONG_LINE for line in text.split("\n"))
    ):
        plain_text = plain(name, text[:MAX_TEXT])
        return Document(
            name, plain_text.passages, (), partial="it was read as plain text: too large or tangled to be parsed"
        )
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).enable("table").parse(text)
    passages: list[Passage] = []
    images: list[Image] = []
    kinds: list[Kind] = []
    for token in tokens:
        opens = _OPENS.get(token.type)
        if opens is not None:
            kinds.append(opens)
        elif token.type.replace("_close", "_open") in _OPENS and kinds:
            kinds.pop()
        line = token.map[0] + 1 if token.map else None
        if token.type == "inline":
            words, marked, pictures, breaks = _spoken(token)
            images += [Image(each, line=line) for each in pictures]
            if words.strip():
                kind = kinds[-1] if kinds else Kind.PARAGRAPH
                passages.append(Passage(_refined(kind, words), words, line=line, marked=marked, breaks=breaks))
        elif token.type in {"fence", "code_block"}:
            told = token.info.strip().split(" ")[0].lower()
            fence = (0,) if token.type == "fence" else ()
            passages.append(Passage(Kind.CODE, token.content, line=line, language=told, breaks=fence))
    return _document(name, passages, images)


_OPENS = {
    "heading_open": Kind.HEADING,
    "list_item_open": Kind.ITEM,
    "table_open": Kind.TABLE,
    "blockquote_open": Kind.PARAGRAPH,
}


def _spoken(token: Any) -> tuple[str, tuple[str, ...], list[str], tuple[int, ...]]:
    """Words, those of them that are code, pictures of an inline token, and where in the words its further lines begin."""
    words: list[str] = []
    breaks: list[int] = []
    length = 0
    marked: list[str] = []
    pictures: list[str] = []
    for child in token.children or ():
        if child.type == "text":
            words.append(child.content)
        elif child.type == "code_inline":
            words.append(child.content)
            marked.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            words.append(" ")
            breaks.append(length + 1)
        elif child.type == "image":
            pictures.append(str(child.attrGet("src") or ""))
        length = length + len(words[-1]) if child.type in _WORDED else length
    return "".join(words), tuple(marked), pictures, tuple(breaks)


_WORDED = frozenset({"text", "code_inline", "softbreak", "hardbreak"})


def _refined(kind: Kind, words: str) -> Kind:
    return Kind.CONTENTS if kind in (Kind.PARAGRAPH, Kind.ITEM) and line_kind(words) is Kind.CONTENTS else kind


def plain(name: str, text: str) -> Document:
    """Paragraphs by their form."""
    joined = Paragraphs()
    for number, line in enumerate(text[:MAX_TEXT].split("\n"), start=1):
        joined.add(number, line[:_LONG_LINE])
    joined.close()
    partial = f"only the first {MAX_TEXT:,} characters were read" if len(text) > MAX_TEXT else ""
    return _document(name, joined.found, [], partial)


_ADORNMENT = re.compile(r"^([=\-~^\"'#*+.:_`])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"^\.\. (?:code-block|code|mermaid|sourcecode)::\s*(\S*)")
_PICTURE = re.compile(r"^\s*\.\. (?:image|figure)::\s*(\S+)")
_ROLE = re.compile(r":[\w:]+:`([^`]{1,300})`|``([^`]{1,300})``")


def restructured(name: str, text: str) -> Document:
    """Sections by their underlines, literal blocks and directives by their indentation."""
    lines = [line[:_LONG_LINE] for line in text[:MAX_TEXT].split("\n")]
    passages: list[Passage] = []
    images: list[Image] = []
    joined = Paragraphs()
    number = 0
    while number < len(lines):
        line = lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else ""
        directive = _DIRECTIVE.match(line)
        if directive is not None or line.rstrip().endswith("::"):
            joined.close()
            block, end = _indented(lines, number + 1)
            language = "mermaid" if "mermaid::" in line else directive[1].lower() if directive else ""
            if block:
                joined.found.append(Passage(Kind.CODE, block, line=number + 1, language=language))
            if directive is None and line.strip() != "::" and not line.lstrip().startswith(".."):
                joined.found.append(Passage(Kind.PARAGRAPH, line.strip(), line=number + 1))
            number = max(end, number + 1)
        elif (
            line.strip()
            and _ADORNMENT.match(after)
            and not line.startswith(" ")
            and len(after.strip()) >= min(3, len(line.strip()))
        ):
            joined.close()
            joined.found.append(Passage(Kind.HEADING, line.strip(), line=number + 1))
            number += 2
        elif _ADORNMENT.match(line):
            joined.close()
            number += 1
        else:
            picture = _PICTURE.match(line)
            if picture is not None:
                images.append(Image(picture[1], line=number + 1))
            elif not line.lstrip().startswith(".. "):
                joined.add(number + 1, line)
            number += 1
    joined.close()
    passages = [_with_marks(each) for each in joined.found]
    return _document(name, passages, images)


def _indented(lines: list[str], start: int) -> tuple[str, int]:
    """The indented block from a line on, and the line after it."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith((" ", "\t"))):
        end += 1
    block = [line for line in lines[start:end] if not re.match(r"^\s+:\w[\w-]*:", line)]
    indent = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    return "\n".join(line[indent:] for line in block).strip("\n"), end


def _with_marks(passage: Passage) -> Passage:
    marked = tuple(one or other for one, other in _ROLE.findall(passage.text))
    ends = [each.end() for each in re.finditer("``", passage.text)]
    breaks = tuple(each - bisect_right(ends, each) * 2 for each in passage.breaks)
    return replace(passage, text=passage.text.replace("``", ""), marked=marked, breaks=breaks)


def _document(name: str, passages: list[Passage], images: list[Image], partial: str = "") -> Document:
    problem = "" if passages else "it holds images and no text" if images else "it holds no text"
    return Document(name, tuple(under_headings(passages)), tuple(images), problem=problem, partial=partial)
