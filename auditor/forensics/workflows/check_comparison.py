"""Checks that could refuse a change at the base and cannot any more at the head, or not as well.

A check of the base is compared with its old self wherever that is now: the same command in any job or file, the same tool
with other arguments, a tool of the same kind that replaces it. What is left is weakened or lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.domain import Side
from auditor.forensics.workflows.check_inventory import Check, CollectedChecks, Strength
from auditor.forensics.workflows.check_tools import Kind, less_strict_reason
from auditor.forensics.workflows.ci_systems import ci_system
from auditor.lazy_regex import lazy_compile

CONFIRMED = 0.9
DOUBTFUL = 0.6
_INVALID = 0.8
_MAX_SHOWN_LENGTH = 60
_DELIVERY_WORDS = lazy_compile(r"deploy|publish|release|upload|pages|docs|label|comment|notif|artifact|registry")
_RELIABLE_KINDS = frozenset({Kind.TESTS, Kind.STYLE, Kind.TYPES, Kind.SECURITY})
"""Kinds of checks whose removal surely matters; a removed build or script may have been no check."""


@dataclass(frozen=True)
class Weakening:
    """A check that no longer runs, can no longer fail or is less strict: where it is at the head, or else was at the base."""

    says: str
    confidence: float
    because: str
    path: str
    line: int = 0
    """0 for the whole file."""
    side: Side = Side.HEAD


class _Sides(NamedTuple):
    before: Sequence[Check]
    after: Sequence[Check]
    base_commands: frozenset[str]
    """Commands of the base."""
    followed: Mapping[str, frozenset[str]]
    """Those of them that call scripts or recipes which were read on both sides, with the files of these."""
    unread: Mapping[str, str]
    """Pipelines of the head that could not be read, and why."""


def find_weakenings(before: CollectedChecks, after: CollectedChecks) -> Iterator[Weakening]:
    """Every check of the base that guarded changes and that nothing at the head replaces."""
    followed = {command: files for command, files in before.followed.items() if command in after.followed}
    commands = frozenset(followed).union(each.known.command for each in before.checks)
    sides = _Sides(before.checks, after.checks, commands, followed, after.unread)
    enough = _still_as_frequent(sides)
    for each in before.checks:
        asked = each.can_block and each.path not in after.cut and not _is_delivery(each)
        if asked and (found := _weakening(each, sides, enough)) is not None:
            yield found


def _at(check: Check, side: Side, says: str, confidence: float, because: str = "") -> Weakening:
    """A weakening at the place of a check."""
    return Weakening(says, confidence, because, check.file, check.line, side)


def _removed(old: Check, sides: _Sides, confidence: float, because: str = "") -> Weakening:
    """The weakening of a check that is not there any more, or whose workflow GitHub refuses to run."""
    reason = sides.unread.get(old.path)
    if reason is not None:
        says = f"Check `{old.known.tool}` no longer runs: `{old.path}` is not a valid workflow ({reason})."
        return _at(old, Side.BASE, says, _INVALID, "GitHub may accept what this audit could not read")
    end = "" if because else " without a replacement"
    return _at(old, Side.BASE, f"{_check_label(old)} was removed{end}.", confidence, because)


def _is_delivery(check: Check) -> bool:
    """Does a build or a script belong to a release or a deployment?"""
    named = f"{check.path} {check.job} {check.step} {check.known.command}".lower()
    return check.known.kind in {Kind.BUILD, Kind.OTHER} and _DELIVERY_WORDS.search(named) is not None


def _still_as_frequent(sides: _Sides) -> frozenset[str]:
    """The commands that can block a change at least as often as before."""
    old = Counter(each.known.command for each in sides.before if each.can_block)
    new = Counter(each.known.command for each in sides.after if each.can_block)
    return frozenset(each for each in old if new[each] >= old[each])


def _weakening(old: Check, sides: _Sides, still_as_frequent: frozenset[str]) -> Weakening | None:
    same = [each for each in sides.after if each.known.command == old.known.command]
    holding = [each for each in same if _guards_as_well(each, old)]
    here = [each for each in same if _is_same_place(each, old)]
    if holding and (old.known.command in still_as_frequent or any(each in holding for each in here) or not here):
        return None
    if here:
        return _degraded(old, here[0])
    related = [each for each in sides.after if each.known.tool == old.known.tool]
    near = [each for each in related if _is_same_place(each, old)]
    new = [each for each in related if each.known.command not in sides.base_commands]
    guarding = [each for each in (*near, *new) if _guards_as_well(each, old)]
    if guarding:
        return _less_strict(old, guarding)
    if same or near or new:
        return _degraded(old, (*same, *near, *new)[0])
    return _replacement_weakening(old, sides, related)


def _less_strict(old: Check, guarding: Sequence[Check]) -> Weakening | None:
    """The weakening of a check whose tool runs with other arguments; several commands may share what one did."""
    if len({each.known.command for each in guarding}) > 1 or not (
        why := less_strict_reason(old.known, guarding[0].known)
    ):
        return None
    says = f"{_check_label(old)} is less strict: {why}."
    return _at(guarding[0], Side.HEAD, says, DOUBTFUL, "what it leaves out may be checked elsewhere")


def _replacement_weakening(old: Check, sides: _Sides, related: Sequence[Check]) -> Weakening | None:
    """The weakening of a check whose tool is no longer run in its place."""
    fresh = [each for each in sides.after if each.known.command not in sides.base_commands]
    successors = [each for each in fresh if each.known.kind is old.known.kind or each.known.opaque]
    if any(_guards_as_well(each, old) for each in successors):
        return None
    weak = [each for each in successors if each.known.kind is old.known.kind and not each.can_block]
    if weak:
        return _degraded(old, weak[0], is_replacement=True)
    if any(_guards_as_well(each, old) for each in related):
        return _removed(old, sides, DOUBTFUL, "the same tool still runs elsewhere")
    covering = [each for each in sides.after if _may_cover(each, old, sides) and _guards_as_well(each, old)]
    if covering:
        return _removed(old, sides, DOUBTFUL, f"`{_shorten(covering[0].known.tool)}` still runs and may cover it")
    if old.known.kind not in _RELIABLE_KINDS:
        return _removed(old, sides, DOUBTFUL, "it may not have been a check")
    return _removed(old, sides, CONFIRMED)


def _may_cover(each: Check, old: Check, sides: _Sides) -> bool:
    """Is it of the same kind, or a call of the file in which the check was?"""
    return each.known.kind is old.known.kind or old.file in sides.followed.get(each.known.command, ())


def _degraded(old: Check, new: Check, *, is_replacement: bool = False) -> Weakening | None:
    """The weakening of a check that is still there and no longer guards as it did."""
    if _guards_as_well(new, old):
        return None
    name = f"{_check_label(old)}, now `{_shorten(new.known.command)}`," if is_replacement else _check_label(old)
    says = {
        Strength.NOT_RUN: f"{name} no longer runs for changes: {new.why}.",
        Strength.CANNOT_FAIL: f"{name} can no longer fail: {new.why}.",
    }.get(new.strength, f"{name} no longer runs before the merge: {new.why}.")
    if new.known.kind is Kind.OTHER:
        return _at(new, Side.HEAD, says, DOUBTFUL, "its name does not say that it is a check")
    return _at(new, Side.HEAD, says, CONFIRMED)


def _guards_as_well(new: Check, old: Check) -> bool:
    """Does it guard as well as the old one? Pull requests and pushes to all branches count as equal.

    A pipeline of another service does not: whether it still runs, and may refuse a change, is not in the repository. Checks that move to
    workflows of GitHub may.
    """
    service = ci_system(new.path)
    if not new.can_block or (service is not None and service != ci_system(old.path)):
        return False
    return new.strength >= Strength.EVERY_PUSH or new.strength >= old.strength or old.strength is Strength.EVERY_PUSH


def _is_same_place(new: Check, old: Check) -> bool:
    """Is it in the job, or in the step of the same name, where the old one was?"""
    return new.path == old.path and (new.job == old.job or (new.step == old.step != ""))


def _check_label(check: Check) -> str:
    job = f" in job `{_shorten(check.job)}`" if check.job else ""
    return f"Check `{_shorten(check.known.command)}`{job}"


def _shorten(text: str) -> str:
    plain = " ".join(text.replace("`", "'").split())
    return plain if len(plain) <= _MAX_SHOWN_LENGTH else f"{plain[: _MAX_SHOWN_LENGTH - 1]}…"
