"""The findings of a record, each with a fingerprint that holds while its lines move."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from auditor.domain import CodeLocation, CommitLocation, DocumentLocation, Evidence, Location, Side
from auditor.domain.comparison import Finding

_VERSION = "v1"
"""Changes whenever the parts of a fingerprint do, so that old and new ones are never mistaken for each other."""
_DIGITS = 32


class Identity(NamedTuple):
    """What stays the same about a finding while its lines, its indentation or its file move.

    Several findings of one record may share it: their order tells them apart.
    """

    probe: str
    around: str
    """`definition:NAME`, `path:PATH` where there is no definition, `commit:SHA` or `document:PATH`; of a fact without a
    place, `tests` or `product`."""
    text: str
    """The quoted text without blanks."""
    side: str
    """`base` or `head`; a test removed from the base is not the same as a test of the same name at the head."""


def identity(probe: str, place: Location | None, *, in_tests: bool = False) -> Identity:
    """The identity of a place. A path belongs to it only where no definition encloses the place.

    A place in tests is known by its definition or path like any other; a fact without a place says which code it is about.
    """
    if place is None:
        return Identity(probe, "tests" if in_tests else "product", "", Side.HEAD)
    text = "".join(place.quote.split())
    if isinstance(place, CommitLocation):
        return Identity(probe, f"commit:{place.sha}", text, Side.HEAD)
    if isinstance(place, DocumentLocation):
        page = "" if text else f":{place.page}"
        return Identity(probe, f"document:{place.path}{page}", text, Side.HEAD)
    around = f"definition:{place.definition}" if place.definition else f"path:{place.path}"
    return Identity(probe, around, text, place.side)


def fingerprint(of: Identity, ordinal: int) -> str:
    """`v1:` and 128 bits of SHA-256 over the identity and which of equal ones it is, counted from 1."""
    parts = json.dumps([*of, ordinal], ensure_ascii=True)
    return f"{_VERSION}:{hashlib.sha256(parts.encode('ascii')).hexdigest()[:_DIGITS]}"


def findings(evidence: Iterable[Evidence]) -> tuple[Finding, ...]:
    """Every place of every fact, and every fact without a place, in the order of path and line.

    Equal ones are counted in that order, so the same tree always gives the same fingerprints.
    """
    places = sorted(_places(evidence), key=lambda each: (each[0].probe, *position(each[1]), each[0].id))
    seen: Counter[Identity] = Counter()
    found = []
    for fact, place in places:
        own = identity(fact.probe, place, in_tests=fact.in_tests)
        seen[own] += 1
        found.append(_finding(fact, place, fingerprint(own, seen[own])))
    return tuple(found)


def position(place: Location | None) -> tuple[str, int, int]:
    """Path (or commit), first and last line (or page), for sorting; 0 where there is none."""
    if isinstance(place, CodeLocation):
        return place.path, place.start or 0, place.end or 0
    if isinstance(place, DocumentLocation):
        return place.path, place.page, place.page
    return (place.sha if place is not None else "", 0, 0)


def _places(evidence: Iterable[Evidence]) -> Iterator[tuple[Evidence, Location | None]]:
    for fact in evidence:
        for place in fact.locations or (None,):
            yield fact, place


def _finding(fact: Evidence, place: Location | None, mark: str) -> Finding:
    return Finding(
        fingerprint=mark,
        probe=fact.probe,
        evidence=fact.id,
        outcome=fact.outcome,
        statement=fact.statement,
        place=place,
        confidence=fact.confidence,
        introduced=fact.introduced,
        in_tests=fact.in_tests,
        waived=fact.waived,
        measure=fact.measure,
    )
