"""Does an opinion lean on something that is there? Quote first, line second, exact path."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from auditor.domain import Citation, CodeLocation, CommitLocation, DroppedCitation, Evidence, Opinion

MIN_QUOTE_LENGTH = 5
"""The fewest characters of a quote that is less than a whole line; shorter ones occur everywhere."""
MIN_WORD_QUOTE_LENGTH = 12
"""The same for a quote that is a single word or part of one."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class CitationCheck:
    """The result of checking an opinion's citations."""

    dropped: tuple[DroppedCitation, ...]
    """Those that do not stand."""
    reason: str
    """Why the opinion does not count; empty when at least one citation stands."""


def check_citations(opinion: Opinion, evidence: Mapping[str, Evidence], probes: Collection[str]) -> CitationCheck:
    """Look up every citation. A bad one is dropped; an opinion with none left does not count.

    `probes` are those its criterion looks at: what another criterion rests on proves nothing here.
    """
    if not opinion.citations:
        return CitationCheck((), "it cites no evidence")
    faults = [find_fault(citation, evidence, probes) for citation in opinion.citations]
    dropped = tuple(
        DroppedCitation(judge=opinion.judge, evidence=citation.evidence, reason=reason)
        for citation, reason in zip(opinion.citations, faults, strict=True)
        if reason
    )
    return CitationCheck(dropped, "" if "" in faults else f"none of its citations stands: {faults[0]}")


def find_fault(citation: Citation, evidence: Mapping[str, Evidence], probes: Collection[str]) -> str:
    """What is wrong with a citation, or an empty text.

    The id must exist and belong to the criterion, and the quote must stand in the statement or at one of the places. A path
    beside a quote from the statement is ignored; a quote from a file must stand at a place in exactly that path, where one
    is given. A line that is off does not drop a citation whose quote stands.
    """
    cited = evidence.get(citation.evidence)
    if cited is None:
        return f"there is no evidence {citation.evidence}"
    if cited.probe not in probes:
        return f"{citation.evidence} is no evidence of this criterion"
    if not normalize_spaces(citation.quote):
        return f"it quotes nothing from {citation.evidence}"
    if citation.path and citation.path not in _paths(cited) and not is_quoted(citation.quote, cited.statement):
        return f"{citation.path} is no place of {citation.evidence}"
    if not any(is_quoted(citation.quote, source) for source in quotable_texts(cited, citation.path)):
        return f"its quote does not stand in {citation.evidence}"
    return ""


def quotable_texts(evidence: Evidence, path: str = "") -> tuple[str, ...]:
    """The texts that may be quoted: the statement, and what stands at its places (those in `path`, when given)."""
    places = (each for each in evidence.locations if not path or _location_path(each) == path)
    return (evidence.statement, *(each.quote for each in places))


def is_quoted(quote: str, source: str) -> bool:
    """Does the quote occur in the source, whitespace aside? A few characters must be all of it."""
    wanted, there = normalize_spaces(quote), normalize_spaces(source)
    return bool(wanted) and (wanted == there or (_is_specific(wanted) and wanted in there))


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
