"""Markdown, reStructuredText and plain text, each line counted."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import Any

from auditor.forensics.documents.passages import (
    Document,
    Image,
    ParagraphJoiner,
    Passage,
    PassageKind,
    assign_headings,
    line_kind,
)

MAX_TEXT_LENGTH = 2_000_000
MAX_MARKUP_SIGNS = 20_000
"""Brackets and backquotes beyond which Markdown is read as plain text: they cost the parser the most."""
_MAX_DEPTH = 40
_MAX_LINE_LENGTH = 20_000


def markdown(name: str, text: str) -> Document:
    """Blocks by CommonMark, tables included. What is too tangled to parse is read as plain text, which is said."""
    if (
        len(text) > MAX_TEXT_LENGTH
        or text.count("[") + text.count("`") > MAX_MARKUP_SIGNS
        or any(len(line) > _MAX_LINE_LENGTH for line in text.split("\n"))
    ):
        plain_text = plain(name, text[:MAX_TEXT_LENGTH])
        return Document(
            name, plain_text.passages, (), partial="it is too large or complex to parse and was read as plain text"
        )
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).enable("table").parse(text)
    passages: list[Passage] = []
    images: list[Image] = []
    kinds: list[PassageKind] = []
    for token in tokens:
        opens = _KIND_BY_OPENING_TOKEN.get(token.type)
        if opens is not None:
            kinds.append(opens)
        elif token.type.replace("_close", "_open") in _KIND_BY_OPENING_TOKEN and kinds:
            kinds.pop()
        line = token.map[0] + 1 if token.map else None
        if token.type == "inline":
            words, marked, pictures, breaks = _inline_content(token)
            images += [Image(each, line=line) for each in pictures]
            if words.strip():
                kind = kinds[-1] if kinds else PassageKind.PARAGRAPH
                passages.append(Passage(_refine_kind(kind, words), words, line=line, marked=marked, line_starts=breaks))
        elif token.type in {"fence", "code_block"}:
            told = token.info.strip().split(" ")[0].lower()
            fence = (0,) if token.type == "fence" else ()
            passages.append(Passage(PassageKind.CODE, token.content, line=line, language=told, line_starts=fence))
    return _document(name, passages, images)


_KIND_BY_OPENING_TOKEN = {
    "heading_open": PassageKind.HEADING,
    "list_item_open": PassageKind.ITEM,
    "table_open": PassageKind.TABLE,
    "blockquote_open": PassageKind.PARAGRAPH,
}


def _inline_content(token: Any) -> tuple[str, tuple[str, ...], list[str], tuple[int, ...]]:
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
        length = length + len(words[-1]) if child.type in _TEXT_TOKENS else length
    return "".join(words), tuple(marked), pictures, tuple(breaks)


_TEXT_TOKENS = frozenset({"text", "code_inline", "softbreak", "hardbreak"})


def _refine_kind(kind: PassageKind, words: str) -> PassageKind:
    return (
        PassageKind.CONTENTS
        if kind in (PassageKind.PARAGRAPH, PassageKind.ITEM) and line_kind(words) is PassageKind.CONTENTS
        else kind
    )


def plain(name: str, text: str) -> Document:
    """Paragraphs by their form."""
    joined = ParagraphJoiner()
    for number, line in enumerate(text[:MAX_TEXT_LENGTH].split("\n"), start=1):
        joined.add(number, line[:_MAX_LINE_LENGTH])
    joined.close()
    partial = f"only the first {MAX_TEXT_LENGTH:,} characters were read" if len(text) > MAX_TEXT_LENGTH else ""
    return _document(name, joined.found, [], partial)


_ADORNMENT = re.compile(r"^([=\-~^\"'#*+.:_`])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"^\.\. (?:code-block|code|mermaid|sourcecode)::\s*(\S*)")
_PICTURE = re.compile(r"^\s*\.\. (?:image|figure)::\s*(\S+)")
_ROLE = re.compile(r":[\w:]+:`([^`]{1,300})`|``([^`]{1,300})``")


def restructured(name: str, text: str) -> Document:
    """Sections by their underlines, literal blocks and directives by their indentation."""
    lines = [line[:_MAX_LINE_LENGTH] for line in text[:MAX_TEXT_LENGTH].split("\n")]
    passages: list[Passage] = []
    images: list[Image] = []
    joined = ParagraphJoiner()
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
                joined.found.append(Passage(PassageKind.CODE, block, line=number + 1, language=language))
            if directive is None and line.strip() != "::" and not line.lstrip().startswith(".."):
                joined.found.append(Passage(PassageKind.PARAGRAPH, line.strip(), line=number + 1))
            number = max(end, number + 1)
        elif (
            line.strip()
            and _ADORNMENT.match(after)
            and not line.startswith(" ")
            and len(after.strip()) >= min(3, len(line.strip()))
        ):
            joined.close()
            joined.found.append(Passage(PassageKind.HEADING, line.strip(), line=number + 1))
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
    passages = [_extract_code_words(each) for each in joined.found]
    return _document(name, passages, images)


def _indented(lines: list[str], start: int) -> tuple[str, int]:
    """The indented block from a line on, and the line after it."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith((" ", "\t"))):
        end += 1
    block = [line for line in lines[start:end] if not re.match(r"^\s+:\w[\w-]*:", line)]
    indent = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    return "\n".join(line[indent:] for line in block).strip("\n"), end


def _extract_code_words(passage: Passage) -> Passage:
    marked = tuple(one or other for one, other in _ROLE.findall(passage.text))
    ends = [each.end() for each in re.finditer("``", passage.text)]
    breaks = tuple(each - bisect_right(ends, each) * 2 for each in passage.line_starts)
    return replace(passage, text=passage.text.replace("``", ""), marked=marked, line_starts=breaks)


def _document(name: str, passages: list[Passage], images: list[Image], partial: str = "") -> Document:
    problem = "" if passages else "it has images and no text" if images else "it has no text"
    return Document(name, tuple(assign_headings(passages)), tuple(images), problem=problem, partial=partial)
