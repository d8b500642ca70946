"""Does an opinion lean on something that is there? Quote first, line second, exact path."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from auditor.domain import Citation, CodeLocation, CommitLocation, DroppedCitation, Evidence, Opinion

SHORTEST_QUOTE = 5
"""Characters of a quote that is less than a whole line; fewer stand everywhere."""
LONE_WORD = 12
"""Characters of such a quote when it is a single word or part of one, which by itself says nothing."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Checked:
    """What became of an opinion's citations."""

    dropped: tuple[DroppedCitation, ...]
    """Those that do not stand."""
    reason: str
    """Why the opinion does not count; empty when at least one citation stands."""


def checked(opinion: Opinion, evidence: Mapping[str, Evidence], probes: Collection[str]) -> Checked:
    """Look up every citation. A bad one is dropped; an opinion with none left does not count.

    `probes` are those its criterion looks at: what another criterion rests on proves nothing here.
    """
    if not opinion.citations:
        return Checked((), "it cites no evidence")
    faults = [fault(citation, evidence, probes) for citation in opinion.citations]
    dropped = tuple(
        DroppedCitation(judge=opinion.judge, evidence=citation.evidence, reason=reason)
        for citation, reason in zip(opinion.citations, faults, strict=True)
        if reason
    )
    return Checked(dropped, "" if "" in faults else f"none of its citations stands: {faults[0]}")


def fault(citation: Citation, evidence: Mapping[str, Evidence], probes: Collection[str]) -> str:
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
    if not spaced(citation.quote):
        return f"it quotes nothing from {citation.evidence}"
    if citation.path and citation.path not in _paths(cited) and not stands(citation.quote, cited.statement):
        return f"{citation.path} is no place of {citation.evidence}"
    if not any(stands(citation.quote, source) for source in sources(cited, citation.path)):
        return f"its quote does not stand in {citation.evidence}"
    return ""


def sources(evidence: Evidence, path: str = "") -> tuple[str, ...]:
    """The texts that may be quoted: the statement, and what stands at its places (those in `path`, when given)."""
    places = (each for each in evidence.locations if not path or _path(each) == path)
    return (evidence.statement, *(each.quote for each in places))


def stands(quote: str, source: str) -> bool:
    """Does the quote stand in the source, blanks aside? A few characters must be all of it."""
    wanted, there = spaced(quote), spaced(source)
    return bool(wanted) and (wanted == there or (_tells(wanted) and wanted in there))


@lru_cache(maxsize=40_000)
def _tells(quote: str) -> bool:
    """Is it more than a word that stands in any text?"""
    return len(quote) >= (SHORTEST_QUOTE if len(_WORDS.findall(quote)) > 1 else LONE_WORD)


@lru_cache(maxsize=40_000)  # every citation is held against the same places
def spaced(text: str) -> str:
    """The text with every run of blanks as one."""
    return " ".join(text.split())


def _paths(evidence: Evidence) -> frozenset[str]:
    return frozenset(_path(each) for each in evidence.locations) - {""}


def _path(place: object) -> str:
    return "" if isinstance(place, CommitLocation) else getattr(place, "path", "")


def line_of(citation: Citation, evidence: Evidence) -> int | None:
    """The line the quote starts on: of several places that hold the same words, the one nearest to the line claimed."""
    lines = [
        each.start
        for each in evidence.locations
        if isinstance(each, CodeLocation)
        and each.start is not None
        and (not citation.path or each.path == citation.path)
        and stands(citation.quote, each.quote)
    ]
    wanted = citation.line
    return min(lines, key=lambda each: abs(each - (wanted or 0)), default=None) if lines else None
