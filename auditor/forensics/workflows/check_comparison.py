"""Checks that could refuse a change at the base and cannot any more at the head.

A check of the base is compared with its old self wherever that is now: the same command in any job or file, the same tool
with other arguments, a tool of the same kind that replaces it. What is left is weakened or lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.forensics.workflows.check_inventory import Check, Strength
from auditor.forensics.workflows.check_tools import Kind
from auditor.lazy_regex import lazy_compile

CONFIRMED = 0.9
DOUBTFUL = 0.6
_SHOWN = 60
_DELIVERS = lazy_compile(r"deploy|publish|release|upload|pages|docs|label|comment|notif|artifact|registry")
_NAMED_KINDS = frozenset({Kind.TESTS, Kind.STYLE, Kind.TYPES, Kind.SECURITY})
"""Kinds whose loss is one; a build or a script that is gone may have been no check."""


@dataclass(frozen=True)
class Weakening:
    """A check that was weakened: at the head where it still is there, else at the base."""

    before: Check
    after: Check | None
    says: str
    confidence: float
    because: str = ""


class _Sides(NamedTuple):
    before: Sequence[Check]
    after: Sequence[Check]
    were: frozenset[str]
    """Commands of the base."""


def weakened(before: Sequence[Check], after: Sequence[Check]) -> Iterator[Weakening]:
    """Every check of the base that guarded changes and that nothing at the head keeps up."""
    sides = _Sides(before, after, frozenset(each.known.command for each in before))
    enough = _kept_by_count(sides)
    for each in before:
        if each.guards and not _delivers(each) and (found := _weakening(each, sides, enough)) is not None:
            yield found


def _delivers(check: Check) -> bool:
    """Does a build or a script belong to a release or a deployment?"""
    named = f"{check.path} {check.job} {check.step} {check.known.command}".lower()
    return check.known.kind in {Kind.BUILD, Kind.OTHER} and _DELIVERS.search(named) is not None


def _kept_by_count(sides: _Sides) -> frozenset[str]:
    """Commands that guard at least as often as before."""
    old = Counter(each.known.command for each in sides.before if each.guards)
    new = Counter(each.known.command for each in sides.after if each.guards)
    return frozenset(each for each in old if new[each] >= old[each])


def _weakening(old: Check, sides: _Sides, enough: frozenset[str]) -> Weakening | None:
    same = [each for each in sides.after if each.known.command == old.known.command]
    holding = [each for each in same if _holds(each, old)]
    here = [each for each in same if _is_place_of(each, old)]
    if holding and (old.known.command in enough or any(each in holding for each in here) or not here):
        return None
    if here:
        return _worse(old, here[0])
    related = [each for each in sides.after if each.known.tool == old.known.tool]
    near = [each for each in related if _is_place_of(each, old)]
    new = [each for each in related if each.known.command not in sides.were]
    for each in (*near, *new):
        if _holds(each, old):
            return None  # the same tool with other arguments
    if same or near or new:
        return _worse(old, (*same, *near, *new)[0])
    return _replaced_or_lost(old, sides, related)


def _replaced_or_lost(old: Check, sides: _Sides, related: Sequence[Check]) -> Weakening | None:
    """What becomes of a check whose tool is no longer run in its place."""
    fresh = [each for each in sides.after if each.known.command not in sides.were]
    successors = [each for each in fresh if each.known.kind is old.known.kind or each.known.opaque]
    if any(_holds(each, old) for each in successors):
        return None
    weak = [each for each in successors if each.known.kind is old.known.kind and not each.guards]
    if weak:
        return _worse(old, weak[0], replaced=True)
    left = [each for each in related if _holds(each, old)]
    if left:
        return Weakening(old, None, f"{_named(old)} was removed.", DOUBTFUL, "the same tool still runs elsewhere")
    alike = [each for each in sides.after if each.known.kind is old.known.kind and _holds(each, old)]
    if alike:
        reason = f"`{_short(alike[0].known.tool)}` still runs and may cover it"
        return Weakening(old, None, f"{_named(old)} was removed.", DOUBTFUL, reason)
    if old.known.kind not in _NAMED_KINDS:
        return Weakening(old, None, f"{_named(old)} was removed.", DOUBTFUL, "it may have been no check")
    return Weakening(old, None, f"{_named(old)} was removed: nothing checks changes in its place.", CONFIRMED)


def _worse(old: Check, new: Check, *, replaced: bool = False) -> Weakening | None:
    """The sentence about a check that is still there and no longer guards as it did."""
    if _holds(new, old):
        return None
    name = f"{_named(old)}, now `{_short(new.known.command)}`," if replaced else _named(old)
    says = {
        Strength.NOT_RUN: f"{name} no longer runs for changes: {new.why}.",
        Strength.PASSES: f"{name} can no longer fail: {new.why}.",
    }.get(new.strength, f"{name} no longer runs before the merge: {new.why}.")
    if new.known.kind is Kind.OTHER:
        return Weakening(old, new, says, DOUBTFUL, "by its name it may be no check")
    return Weakening(old, new, says, CONFIRMED)


def _holds(new: Check, old: Check) -> bool:
    """Does it guard as the old one did? Pull requests and pushes to all branches are as good as each other."""
    if not new.guards:
        return False
    return new.strength >= Strength.PUSHED or new.strength >= old.strength or old.strength is Strength.PUSHED


def _is_place_of(new: Check, old: Check) -> bool:
    """Is it in the job, or in the step of that name, where the old one was?"""
    return new.path == old.path and (new.job == old.job or (new.step == old.step != ""))


def _named(check: Check) -> str:
    job = f" in job `{_short(check.job)}`" if check.job else ""
    return f"Check `{_short(check.known.command)}`{job}"


def _short(text: str) -> str:
    plain = " ".join(text.replace("`", "'").split())
    return plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1]}…"
