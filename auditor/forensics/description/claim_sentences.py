"""The sentences of a description, without code, quotes and text that others wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile
from typing import NamedTuple

from auditor.domain import Description
from auditor.lazy_regex import lazy_compile

MAX_DESCRIPTION = 70_000
"""Characters that are read; GitHub takes 65,536 in a body."""
_MAX_TITLE = 1_000
"""Characters of a title that are read."""


class Sentence(NamedTuple):
    """Line 0 is the title, others count in the body from 1."""

    line: int
    text: str


_FENCE = lazy_compile(r"^\s{0,3}(?:```|~~~)")
_HIDDEN_COMMENT = lazy_compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CHECKBOX = lazy_compile(r"^\s*[-*+]\s*\[(?P<mark>.?)\]\s*")
_SENTENCE_END = lazy_compile(r"(?<=[.!?;])\s+")
_REVERT_TITLE = lazy_compile(r"^(?P<deed>revert|reapply|back out|undo)\b.*", re.IGNORECASE | re.DOTALL)
"""A title that quotes the title of another change."""
_BLANKS = lazy_compile(r"\s{2,}")
"""Made into one: patterns that allow blanks in several places would take time with the square of their number."""
_MIN_WRAPPED = 45
"""Characters of a line from which the next one may continue its sentence."""
_TODO = lazy_compile(r"\s{0,40}(?:[-*+]\s{1,4})?(?:TODO|FIXME)\b")
_LIST_ITEM = lazy_compile(r"\s{0,40}(?:[-*+\u2022]|\w{1,3}[.)])\s")
_OPEN_END = lazy_compile(
    r"(?:,|\b(?:a|an|the|this|that|these|of|in|on|at|to|for|from|by|with|and|or|but|as|is|are|was|were|be|its|their|which|when|into|than|no|not))$",
    re.IGNORECASE,
)
"""The end of a line after which the sentence must continue."""


def sentences(description: Description) -> Iterator[Sentence]:
    """The title, then the body without code, quotes, hidden comments and unchecked boxes; a checked box gives `[x] ...`."""
    title = _BLANKS.sub(" ", _plain(description.title[:_MAX_TITLE].strip()))
    yield Sentence(0, _REVERT_TITLE.sub(r"\g<deed>", title))
    body = _plain(description.body[:MAX_DESCRIPTION].replace("\r\n", "\n"))
    shown = _HIDDEN_COMMENT.sub(lambda hidden: "\n" * hidden.group().count("\n"), body)
    if _UPDATE_TITLE.search(title):
        shown = "\n".join(takewhile(lambda line: not _RELEASE_NOTES.match(line), shown.split("\n")))
    for number, line in _join_wrapped_lines(_own_lines(shown)):
        box = _CHECKBOX.match(line)
        text = line[box.end() :] if box else line
        for sentence in _SENTENCE_END.split(text):
            if sentence.strip():
                plain = _BLANKS.sub(" ", sentence.strip())
                yield Sentence(number, f"[x] {plain}" if box else plain)


_MIN_SQUASHED = 3
"""Items from which a list of commit messages is what GitHub writes for a squashed branch."""


def without_squashed_commits(said: list[Sentence]) -> list[Sentence]:
    """The sentences before the messages of squashed commits, of which later ones may have undone earlier ones."""
    starred = [number for number, each in enumerate(said) if each.text.startswith("* ") and each.line]
    apart = all(said[one].line + 1 < said[other].line for one, other in pairwise(starred))
    return said[: starred[0]] if len(starred) >= _MIN_SQUASHED and apart else said


_UPDATE_TITLE = lazy_compile(
    r"\b(?:bump|update|upgrade)\w{0,2}\b.{0,200}(?:\bto v?\d|\bupdates?\b|\bv\d)|\(deps|^deps\b", re.IGNORECASE
)
"""The title of a dependency update, whose body quotes the release notes of the package."""
_RELEASE_NOTES = lazy_compile(
    r"^\s*(?:<(?:details|summary|blockquote|h\d)\b|#{1,6}\s*(?:release notes|changelog|commits)\b|(?:release notes|changelog|commits)\s*$)",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")


def _own_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that the author says, with their numbers; a line that is left out is empty."""
    inside = False
    indented = _IndentedBlocks()
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            inside = not inside
            yield number, ""
            continue
        box = _CHECKBOX.match(line)
        open_task = _TODO.match(line) or (box and not box["mark"].strip())
        silent = indented.takes(line) or inside or line.lstrip().startswith(">") or open_task
        yield number, "" if silent else line


class _IndentedBlocks:
    """Finds code blocks of Markdown that are set off by four blanks after an empty line; below a list item it is no code."""

    def __init__(self) -> None:
        self._after_words = self._after_blank = self._inside = False

    def takes(self, line: str) -> bool:
        """Is the next line a part of such a block?"""
        if not line.strip():
            self._after_blank = True
            return self._inside
        deep = line.startswith(("    ", "\t"))
        self._inside = deep and (self._inside or (self._after_blank and self._after_words))
        if not deep:
            self._after_words = _LIST_ITEM.match(line) is None
        self._after_blank = False
        return self._inside


def _join_wrapped_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines, joined where one only continues the sentence before it, as in messages of 72 columns."""
    number, waiting, last = 0, "", ""
    for here, line in lines:
        text = line.strip()
        if text and len(last) >= _MIN_WRAPPED and last[-1] not in ".!?:;" and _continues(last, text):
            waiting, last = f"{waiting} {text}", text
            continue
        if waiting:
            yield number, waiting
        number, waiting, last = here, line if text else "", text
    if waiting:
        yield number, waiting


def _continues(last: str, text: str) -> bool:
    return text[0].islower() or text[0] in "`(" or (_OPEN_END.search(last) is not None and not _LIST_ITEM.match(text))


_DENIAL = lazy_compile(
    r"\b(?:no|not|without|never|cannot|lacks?|missing|todo|will|shall|should|would|could|can|may|might|must|needs?|already|previous(?:ly)?|going to|happy to|glad to|plan to|like to|want to|try to|later|follow[- ]?up|planned|future|if|unless|please|instead of|skip(?:s|ped)?|tricky|hard|difficult|impossible|unable|remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing))\b|n't\b|'ll\b",
    re.IGNORECASE,
)
"""Words before a claim by which it is denied or postponed."""
_CLAUSE = lazy_compile(r"[,;:()]|\bbut\b|\band\b|\b(?:is|are)\s+now\b", re.IGNORECASE)
_POSTPONED = lazy_compile(
    r"^[^.;:!?]{0,80}?\b(?:later|soon|follow[- ]?ups?|separate(?:ly)?|next (?:pr|release|step|week|sprint|version)|(?:an)?other (?:pr|pull request|commit|branch|change)|(?:different|subsequent|upcoming|own) (?:pr|pull request|commit|change)|in (?:the )?future|once|already|todo|before (?:the )?merg\w+|if (?:needed|wanted|you|necessary)|as needed)\b",
    re.IGNORECASE,
)


def is_denied(text: str, start: int) -> bool:
    """Does a word before the claim, in the same clause, deny or postpone it?"""
    clause = _CLAUSE.split(text[max(0, start - 200) : start])[-1]
    return _DENIAL.search(clause) is not None


def is_postponed(text: str, end: int) -> bool:
    """Do words after a claim say that it is done at another time or in another change?"""
    return _POSTPONED.match(text[end : end + 200]) is not None


def states(form: re.Pattern[str], text: str) -> bool:
    """Does a sentence claim something in one of these wordings, neither denied nor postponed?"""
    return any(not (is_denied(text, claim.start()) or is_postponed(text, claim.end())) for claim in form.finditer(text))
