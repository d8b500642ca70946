"""What differs between two records of one audit. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

APART = frozenset({"timings", "cost", "tool"})
"""Top-level keys that may differ between two runs on the same input, and the version of the tool."""
Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place of the record that differs. `answer` says whether it is more than words: an outcome, a score, a conclusion."""

    place: str
    old: object
    new: object
    answer: bool


def differences(old: Record, new: Record, added: frozenset[str] = frozenset()) -> list[Difference]:
    """Every place in which the records differ, answers first. Fields named in `added` are left out on both sides."""
    return [*_answers(old, new), *_leaves("", _kept(old), _kept(new), added)]


def _kept(record: Record) -> dict[str, object]:
    return {key: value for key, value in record.items() if key not in APART}


def _answers(old: Record, new: Record) -> Iterator[Difference]:
    before, after = _flat(old), _flat(new)
    for place in sorted(before.keys() | after.keys()):
        if before.get(place) != after.get(place):
            yield Difference(place, before.get(place), after.get(place), answer=True)


def _flat(record: Record) -> dict[str, object]:
    """What the record answers: the conclusion, scores with the decision rules, outcomes of each probe with their places."""
    verdict = _mapping(record.get("verdict"))
    said: dict[str, object] = {"conclusion": verdict.get("conclusion"), "overall": verdict.get("overall")}
    for each in map(_mapping, _sequence(verdict.get("rulings"))):
        said[f"score of {each.get('criterion')}"] = (each.get("score"), each.get("status"), each.get("rule"))
    outcomes: dict[str, list[tuple[object, ...]]] = {}
    for each in map(_mapping, _sequence(record.get("evidence"))):
        places = tuple(_place(_mapping(place)) for place in _sequence(each.get("locations")))
        told = (each.get("outcome"), each.get("confidence"), each.get("introduced"), places)
        outcomes.setdefault(str(each.get("probe")), []).append(told)
    return said | {f"answer of {probe}": tuple(told) for probe, told in outcomes.items()}


def _place(location: Mapping[str, object]) -> tuple[object, ...]:
    return tuple(location.get(key) for key in ("path", "start", "end", "commit", "page", "side"))


def _leaves(place: str, old: object, new: object, added: frozenset[str]) -> Iterator[Difference]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in added:
                yield from _leaves(f"{place}.{key}", old.get(key), new.get(key), added)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _leaves(f"{place}[{number}]", before, after, added)
    elif old != new:
        yield Difference(place.removeprefix("."), old, new, answer=False)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _sequence(value: object) -> list[object]:
    return value if isinstance(value, list) else []
