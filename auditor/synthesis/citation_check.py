"""Does an opinion lean on something that is there? Quote first, line second, exact path."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from auditor.domain import (
    Citation,
    CodeLocation,
    CommitLocation,
    Criterion,
    DroppedCitation,
    Evidence,
    Exhibit,
    ExhibitKind,
    Opinion,
)

MIN_QUOTE_LENGTH = 5
"""The fewest characters of a quote that is less than a whole line; shorter ones occur everywhere."""
MIN_WORD_QUOTE_LENGTH = 12
"""The same for a quote that is a single word or part of one."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Sources:
    """What opinions on one criterion may cite."""

    evidence: Mapping[str, Evidence]
    """All evidence by id; only that of `probes` may be cited."""
    probes: Collection[str]
    exhibits: Mapping[str, Exhibit]
    """By id; only those that the criterion may rest on."""


def sources_for(criterion: Criterion, evidence: Mapping[str, Evidence], exhibits: Mapping[str, Exhibit]) -> Sources:
    """What opinions on a criterion may cite: what another criterion rests on proves nothing here."""
    kinds = {True: criterion.documents, False: criterion.exhibits}
    shown = {name: each for name, each in exhibits.items() if kinds[each.kind is ExhibitKind.DOCUMENT]}
    return Sources(evidence, {each.probe for each in criterion.evidence}, shown)


@dataclass(frozen=True)
class CitationCheck:
    """The result of checking an opinion's citations."""

    dropped: tuple[DroppedCitation, ...]
    """Those that do not stand."""
    reason: str
    """Why the opinion does not count; empty when at least one citation stands."""


def check_citations(opinion: Opinion, sources: Sources) -> CitationCheck:
    """Look up every citation. A bad one is dropped; an opinion with none left does not count."""
    if not opinion.citations:
        return CitationCheck((), "it cites no evidence")
    faults = [find_fault(citation, sources) for citation in opinion.citations]
    dropped = tuple(
        DroppedCitation(judge=opinion.judge, evidence=citation.evidence, reason=reason)
        for citation, reason in zip(opinion.citations, faults, strict=True)
        if reason
    )
    return CitationCheck(dropped, "" if "" in faults else f"none of its citations was found: {faults[0]}")


def find_fault(citation: Citation, sources: Sources) -> str:
    """What is wrong with a citation, or an empty text.

    The id must exist and belong to the criterion, and the quote must stand in the statement or at one of the places. A path
    beside a quote from the statement is ignored; a quote from a file must stand at a place in exactly that path, where one
    is given. A line that is off does not drop a citation whose quote stands. Of an exhibit the quote must stand in its lines.
    """
    shown = sources.exhibits.get(citation.evidence)
    if shown is not None:
        return "" if quoted_lines(citation.quote, shown) else f"its quote was not found in {citation.evidence}"
    cited = sources.evidence.get(citation.evidence)
    return (
        f"there is no evidence {citation.evidence}"
        if cited is None
        else _evidence_fault(citation, cited, sources.probes)
    )


def _evidence_fault(citation: Citation, cited: Evidence, probes: Collection[str]) -> str:
    if cited.probe not in probes:
        return f"{citation.evidence} is no evidence of this criterion"
    if not normalize_spaces(citation.quote):
        return f"it quotes nothing from {citation.evidence}"
    if any(is_quoted(citation.quote, source) for source in quotable_texts(cited, citation.path)):
        return ""
    if citation.path and citation.path not in _paths(cited):
        return f"{citation.path} is no place of {citation.evidence}"
    return f"its quote was not found in {citation.evidence}"


def quotable_texts(evidence: Evidence, path: str = "") -> tuple[str, ...]:
    """The texts that may be quoted: the statement, and what is at its places (those in `path`, when given)."""
    places = (each for each in evidence.locations if not path or _location_path(each) == path)
    return (evidence.statement, *(each.quote for each in places))


def is_quoted(quote: str, source: str) -> bool:
    """Does the quote occur in the source, whitespace aside? A few characters must be all of it."""
    wanted, there = normalize_spaces(quote), normalize_spaces(source)
    return bool(wanted) and (wanted == there or (_is_specific(wanted) and wanted in there))


def quoted_lines(quote: str, exhibit: Exhibit, line: int | None = None) -> tuple[int, int] | None:
    """Positions in the exhibit's lines, from 0, of the first and last line of a quote; None where it is not there.

    The quote may run over several lines. Of several places the one nearest to the line number claimed is meant.
    """
    rows = [normalize_spaces(each.text) for each in exhibit.lines]
    wanted = [normalize_spaces(each) for each in quote.split("\n") if each.strip()]
    if not wanted or (len(wanted) == 1 and not _is_specific(wanted[0]) and wanted[0] not in rows):
        return None
    found = [start for start in range(len(rows) - len(wanted) + 1) if _stands_at(rows, start, wanted)]
    if not found:
        return None
    start = min(found, key=lambda each: abs(exhibit.lines[each].number - (line or 0)) if line else each)
    return start, start + len(wanted) - 1


def _stands_at(rows: Sequence[str], start: int, wanted: Sequence[str]) -> bool:
    """Inner lines of a quote must be whole; the first may begin, and the last end, within a line."""
    if len(wanted) == 1:
        return wanted[0] in rows[start]
    inner = all(rows[start + number] == row for number, row in enumerate(wanted[1:-1], 1))
    return inner and rows[start].endswith(wanted[0]) and rows[start + len(wanted) - 1].startswith(wanted[-1])


@lru_cache(maxsize=40_000)
def _is_specific(quote: str) -> bool:
    """Is the quote long enough not to occur in any text?"""
    return len(quote) >= (MIN_QUOTE_LENGTH if len(_WORD.findall(quote)) > 1 else MIN_WORD_QUOTE_LENGTH)


@lru_cache(maxsize=40_000)  # every citation is held against the same places
def normalize_spaces(text: str) -> str:
    """The text with every run of whitespace as one space."""
    return " ".join(text.split())


def _paths(evidence: Evidence) -> frozenset[str]:
    return frozenset(_location_path(each) for each in evidence.locations) - {""}


def _location_path(place: object) -> str:
    return "" if isinstance(place, CommitLocation) else getattr(place, "path", "")


def find_line(citation: Citation, evidence: Evidence) -> int | None:
    """The line the quote starts on: of several places that hold the same words, the one nearest to the line claimed."""
    lines = [
        each.start
        for each in evidence.locations
        if isinstance(each, CodeLocation)
        and each.start is not None
        and (not citation.path or each.path == citation.path)
        and is_quoted(citation.quote, each.quote)
    ]
    wanted = citation.line
    return min(lines, key=lambda each: abs(each - (wanted or 0)), default=None) if lines else None
