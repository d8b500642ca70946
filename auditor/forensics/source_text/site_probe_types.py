"""What site and text probes answer with, and the text that text probes are shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from auditor.forensics.source_text.keyword_index import find_keywords, keyword_count, normalize_identifiers

FILE_NAME = "file name"
"""The language of a text that is the path of a file."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place where a probe saw what it looks for.

    Sites with the same statement become one fact with several locations, so a statement says what is wrong and leaves
    names out. Where it holds `{call}`, the fact names there what `call` says at its sites, as code.
    """

    line: int
    end: int
    statement: str
    call: str = ""
    confidence: float = 1.0
    reason: str = ""
    related: tuple[int, ...] = ()
    """Other lines of the file that belong to it: where a value comes from, and what it passes through."""


def call_with_argument(name: str, position: int, argument: str) -> str:
    """What `Site.call` says of a call whose argument a reader needs: `hashlib.new("md5")`, `hmac.new(..., "md5")`."""
    return f"{name}({'..., ' if position else ''}{argument})"


class Text:
    """The text of one file, or its path. `language` is `python`, `FILE_NAME` or the file's suffix without its dot, lower case."""

    def __init__(self, content: str, language: str) -> None:
        self.content = content
        self.language = language
        self._found_keywords: frozenset[str] = frozenset()
        self._looked_for = 0

    @cached_property
    def lines(self) -> list[str]:
        """Lines without their ends, cut at line feeds only, as git counts them."""
        return self.content.split("\n")

    @cached_property
    def plain(self) -> str:
        """The content, of Python with the names as they are compared: there `\uff45val` is `eval`."""
        return normalize_identifiers(self.content) if self.language == "python" else self.content

    def said(self, keywords: frozenset[str]) -> frozenset[str]:
        """Those of some registered words that occur in the text."""
        if self._looked_for != keyword_count():
            self._found_keywords, self._looked_for = find_keywords(self.plain), keyword_count()
        return self._found_keywords & keywords

    def says(self, keywords: frozenset[str]) -> bool:
        """Does any of some registered words occur in the text?"""
        return bool(self.said(keywords))
