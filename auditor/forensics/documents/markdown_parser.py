"""Documents in Markdown, parsed within bounds: pieces of text, code and HTML, and the lines on which they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from auditor.lazy_regex import lazy_compile

MARKDOWN_PATTERNS = ("*.md", "**/*.md", "*.markdown", "**/*.markdown")
MAX_DEPTH = 40
MAX_MARKDOWN_LENGTH = 300_000
"""Characters of a document that is parsed; the largest among the code bases looked at has half of that."""
MAX_BRACKETS = 8_000
MAX_LINE_LENGTH = 20_000
"""Characters of a line that are searched."""
THIRD_PARTY_DOCUMENT = lazy_compile(r"(?:^|/)(?:node_modules|vendor|third_party|archive)/", re.IGNORECASE)
"""Documents that came with what others wrote, or are kept for the record."""


def find_line(source: list[str], start: int, words: str) -> int:
    """The line (from 1) on which words are, in the paragraph that starts at `start` (from 0)."""
    for offset, line in enumerate(source[start : start + 50]):
        if words in line[:MAX_LINE_LENGTH]:
            return start + offset + 1
    return start + 1


def is_too_complex(text: str) -> bool:
    """Would parsing take longer than any honest document asks for? Brackets cost the parser the most."""
    return len(text) > MAX_MARKDOWN_LENGTH or text.count("[") > MAX_BRACKETS or text.count("`") > MAX_BRACKETS


def tokens(text: str, *, with_link_text: bool = False) -> Iterator[tuple[Any, int]]:
    """Every token of text, code and HTML and where (line from 0) its block starts; nothing for text too tangled to parse.

    The words of links are left out unless they are asked for: where they lead is another question.
    """
    from markdown_it import MarkdownIt

    if is_too_complex(text):
        return
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_DEPTH}).enable("table")
    for block in parser.parse(text):
        line = block.map[0] if block.map else 0
        if block.type in {"fence", "code_block", "html_block"}:
            yield block, line
        depth = 0
        for child in (block.children or ()) if block.type == "inline" else ():
            depth += (child.type == "link_open") - (child.type == "link_close")
            if with_link_text or not depth or child.type == "code_inline":
                yield child, line
