"""What every document results in: passages in their order, each with its page or line and the heading it is under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate

from auditor.domain import CodeLocation, DocumentLocation, Location
from auditor.lazy_regex import lazy_compile


class PassageKind(StrEnum):
    """What a passage is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"
    CONTENTS = "contents"


DRAWING_PREFIX = "a drawing of "
"""How the name of a diagram that a page draws with lines begins: it is no image and has no bytes."""
SENTENCE_BREAK = lazy_compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])")
"""Between sentences, in scripts that set them apart by a blank or by their full stop."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text. `page` is set for paged documents, `line` (from 1) for the others; `language` for code."""

    kind: PassageKind
    text: str
    page: int | None = None
    line: int | None = None
    heading: str = ""
    language: str = ""
    marked: tuple[str, ...] = ()
    """Words of the passage that are set as code."""
    line_starts: tuple[int, ...] = ()
    """Where in the text its second and further lines begin; of code, 0 stands for the line of its fence."""

    def moved_to_line_of(self, place: int) -> Passage:
        """The passage as if it began at the line on which a place of its text is."""
        if self.line is None:
            return self
        further = self.text.count("\n", 0, max(0, place)) if self.kind is PassageKind.CODE else 0
        return replace(self, line=self.line + further + sum(each <= max(0, place) for each in self.line_starts))


@dataclass(frozen=True, slots=True)
class Image:
    """An image in a document: where it is, what it is called there, and its size in pixels as far as it says."""

    name: str
    page: int | None = None
    line: int | None = None
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Document:
    """A document that was read, or `problem`: why it could not be."""

    name: str
    passages: tuple[Passage, ...] = ()
    images: tuple[Image, ...] = ()
    pages: int = 0
    problem: str = ""
    partial: str = ""
    """What of it could not be read, although the rest was."""
    given: bool = False
    """Was it passed with `--report`, rather than found in the repository?"""

    def at(self, passage: Passage, quote: str = "") -> Location:
        """The location of a passage."""
        words = " ".join((quote or passage.text).split())[:600]
        if passage.page is not None:
            return DocumentLocation(path=self.name, page=passage.page, quote=words)
        return CodeLocation(path=self.name, start=passage.line, end=passage.line, quote=words)

    def place_of(self, passage: Passage) -> str:
        """Where a passage is, as text: the name of the document, and the page or the line."""
        return f"{self.name}:{passage.page or passage.line or 1}"


def assign_headings(passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages, each with the last heading before it."""
    heading = ""
    for passage in passages:
        if passage.kind is PassageKind.HEADING:
            heading = passage.text
        yield replace(passage, heading=heading)


@dataclass
class ParagraphJoiner:
    """Joins wrapped lines of plain text into passages."""

    page: int | None = None
    found: list[Passage] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _start: int = 1
    _kind: PassageKind = PassageKind.PARAGRAPH

    def add(self, number: int, raw: str) -> None:
        """The next line, with its number from 1."""
        line = " ".join(raw.split()) if "  " not in raw.strip() or not _CONTENTS_LINE.search(raw) else raw.strip()
        if not line:
            self.close()
            return
        kind = line_kind(line)
        if kind is PassageKind.PARAGRAPH and self._lines:
            self._lines.append(line)
            return
        if kind is PassageKind.HEADING and self._lines and not _SENTENCE_END.search(self._lines[-1]):
            self._lines.append(line)  # the middle of a sentence that happens to be short
            return
        self.close()
        self._kind, self._start = kind, number
        self._lines.append(line)
        if kind in (PassageKind.HEADING, PassageKind.CONTENTS):
            self.close()

    def close(self) -> None:
        """End the passage under way."""
        if self._lines:
            plain = " ".join(self._lines)
            text = _HYPHENATED_WORD.sub(r"\1\2", plain)
            ends = tuple(accumulate(len(each) + 1 for each in self._lines[:-1])) if text == plain else ()
            line = None if self.page else self._start
            self.found.append(Passage(self._kind, text, page=self.page, line=line, line_starts=ends))
        self._lines, self._kind = [], PassageKind.PARAGRAPH


_SENTENCE_END = lazy_compile(r"[.!?:;\u3002\uff01\uff1f]['\")\]]*$")
_CONTENTS_LINE = lazy_compile(r"(?:\.\s?){4,}\s*\d{1,4}$|(?:\.\s?){6,}|(?<!\s)\s{3,}\d{1,4}$")
_LIST_ITEM = lazy_compile(
    r"^(?:[-*\u2022\u25cf\u25aa\u25e6\u2023\u2013\u2014\ue000-\uf8ff]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+\S"
)
_NUMBERED_HEADING = lazy_compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\S")
_MARKDOWN_HEADING = lazy_compile(r"^#{1,6}\s+\S")
_HYPHENATED_WORD = lazy_compile(r"([a-z])- ([a-z])")
"""A word divided at the end of a line. Compounds lose their hyphen too, which no search here minds."""
_MAX_HEADING_LENGTH = 80


def line_kind(line: str) -> PassageKind:
    """What a line of plain text is by its form."""
    if _CONTENTS_LINE.search(line):
        return PassageKind.CONTENTS
    if _MARKDOWN_HEADING.match(line):
        return PassageKind.HEADING
    short = len(line) <= _MAX_HEADING_LENGTH and not _SENTENCE_END.search(line)
    words = line.split()
    if short and _NUMBERED_HEADING.match(line) and len(words) <= 12 and not line.endswith(","):
        return PassageKind.HEADING
    if _LIST_ITEM.match(line):
        return PassageKind.ITEM
    capital = sum(word[:1].isupper() or not word[:1].isalpha() for word in words)
    if (
        short
        and 1 <= len(words) <= 9
        and capital * 3 >= len(words) * 2
        and line[:1].isupper()
        and not line.endswith((",", "-"))
    ):
        return PassageKind.HEADING
    return PassageKind.PARAGRAPH
