"""Waivers of single files: what was found in them is marked, before anybody judges, as not counting for a criterion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from auditor.domain import CommitLocation, Evidence, Location, Outcome, Waiver
from auditor.domain.glob_patterns import matches

_WAIVABLE = (Outcome.FOUND, Outcome.UNAVAILABLE)


def apply_waivers(evidence: Iterable[Evidence], waivers: Iterable[Waiver]) -> tuple[Evidence, ...]:
    """The evidence, with what is in waived files marked by the criteria for which it does not count.

    Evidence with places in waived files and in others is parted; the part that is waived gets a new id behind
    the probe's others. Evidence without a place in a file cannot be waived so.
    """
    record = tuple(evidence)
    by_path = [each for each in waivers if each.path is not None]
    if not by_path:
        return record
    last: dict[str, int] = defaultdict(int)
    for each in record:
        last[each.probe] = max(last[each.probe], int(each.id.rpartition("#")[2]))
    found: list[Evidence] = []
    for each in record:
        parts = _split_by_waiver(each, by_path) if each.outcome in _WAIVABLE else []
        for number, part in enumerate(parts or [each]):
            if number:
                last[part.probe] += 1
                found.append(part.model_copy(update={"id": f"{part.probe}#{last[part.probe]}", "data": None}))
            else:
                found.append(part)
    order = {probe: index for index, probe in enumerate(dict.fromkeys(each.probe for each in record))}
    return tuple(sorted(found, key=lambda each: (order[each.probe], int(each.id.rpartition("#")[2]))))


def _split_by_waiver(evidence: Evidence, waivers: Sequence[Waiver]) -> list[Evidence]:
    """The evidence by what its places are waived for: what counts for most criteria first."""
    groups: dict[tuple[str, ...], list[Location]] = defaultdict(list)
    for place in evidence.locations:
        groups[_waiving_criteria(place, waivers)].append(place)
    share = len(evidence.locations)
    return [
        evidence.model_copy(
            update={
                "locations": tuple(places),
                "waived": criteria,
                "measure": None if evidence.measure is None else round(evidence.measure * len(places) / share, 4),
            }
        )
        for criteria, places in sorted(groups.items(), key=lambda group: (len(group[0]), group[0]))
    ]


def _waiving_criteria(place: Location, waivers: Sequence[Waiver]) -> tuple[str, ...]:
    if isinstance(place, CommitLocation):
        return ()
    return tuple(
        sorted({each.criterion for each in waivers if each.path is not None and matches(place.path, each.path)})
    )
