"""Places that a probe of the whole subject saw in single files, and the facts made of them: the change's own apart from old ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.domain import Fact
from auditor.forensics.probe_kit.fact_outcomes import code_location, found
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.probe_kit.site_aggregation import SiteData, Sites


@dataclass(frozen=True, slots=True)
class LocatedSite:
    """One place. Those with the same statement, confidence and class of file become one fact."""

    path: str
    line: int
    quote: str
    statement: str
    what: str
    confidence: float = 1.0
    because: str = ""
    measure: float | None = None
    in_tests: bool = False
    fingerprint: str = ""
    """What identifies it among places of its kind before and after a change; if empty, the quote."""


def located_facts(head: Iterable[LocatedSite], base: Iterable[LocatedSite], change: Change | None) -> Iterator[Fact]:
    """The facts. With a change, a place is new when the base side has fewer with the same statement and words."""
    places = sorted(dict.fromkeys(head), key=lambda each: (each.path, each.line, each.statement, each.what))
    new = None if change is None else _introduced_sites(places, base, change)
    groups: dict[tuple[object, ...], list[LocatedSite]] = defaultdict(list)
    for place in places:
        introduced = None if new is None else place in new
        groups[-place.confidence, place.statement, place.because, introduced, place.in_tests].append(place)
    for key in sorted(groups, key=lambda each: tuple(map(str, each))):
        members = groups[key]
        first = members[0]
        measures = [each.measure for each in members if each.measure is not None]
        yield found(
            first.statement,
            at=[code_location(each.path, each.line, each.line, quote=each.quote[:300]) for each in members],
            confidence=first.confidence,
            because=first.because,
            measure=max(measures) if measures else None,
            introduced=None if new is None else first in new,
            in_tests=first.in_tests,
            data=Sites(
                sites=tuple(
                    SiteData(path=each.path, line=each.line, call=each.what, in_tests=each.in_tests) for each in members
                )
            ),
        )


def _introduced_sites(places: list[LocatedSite], base: Iterable[LocatedSite], change: Change) -> frozenset[LocatedSite]:
    """Which places the change brought in. Of several equal ones, those on lines that it wrote count first."""
    before = Counter((each.statement, each.fingerprint or each.quote, each.what) for each in base)
    alike: dict[tuple[str, str, str], list[tuple[bool, int]]] = defaultdict(list)
    for number, place in enumerate(places):
        file = change.by_path.get(place.path)
        if file is not None:
            alike[place.statement, place.fingerprint or place.quote, place.what].append(
                (place.line not in file.added_lines, number)
            )
    chosen: set[LocatedSite] = set()
    for key, found_places in alike.items():
        surplus = max(0, len(found_places) - before[key])
        chosen.update(places[number] for _, number in sorted(found_places)[:surplus])
    return frozenset(chosen)
