"""The units that targets lead to, with the commits that their names lead to now."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from auditor import __version__, rubric_loader
from auditor.domain import UserError
from auditor.fleet.pull_requests import PullChange
from auditor.fleet.targets import Target, TargetGate, split_range
from auditor.fleet.unit import Unit
from auditor.settings import DEFAULT_RUBRIC, named_rubric

_ID_WITH_STEPS = re.compile(r"^(?P<id>[0-9a-f]{40}(?:[0-9a-f]{24})?)(?:[~^][0-9]*)*$")
Resolve = Callable[[Sequence[str]], Sequence[str | None]]


@dataclass(frozen=True)
class NamedSubject:
    """What is audited, by the names of commits that somebody wrote."""

    head: str
    base: str | None = None
    pull: PullChange | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names to be resolved."""
        return (self.head,) if self.base is None else (self.head, self.base)


@dataclass(frozen=True)
class ListedUnit:
    """A unit, and what its audit is given beside it."""

    unit: Unit
    options: tuple[str, ...]
    """Of `auditor audit`, for rubric, gate and reports."""
    pull: PullChange | None = None


@dataclass(frozen=True)
class Listing:
    """The units of a target, and a sentence on each name that led to none."""

    units: tuple[ListedUnit, ...]
    mistakes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TargetPolicy:
    """How the units of a target are judged: what of it is in their key, and the options that say so."""

    rubric: str
    gate: TargetGate | None
    reports: tuple[str, ...]
    options: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, target: Target) -> TargetPolicy:
        """The policy of a target. Raises UserError for a rubric or report that cannot be read."""
        options: list[str] = []
        if target.rubric is not None:
            rubric = rubric_loader.digest(named_rubric(target.rubric)[0])
            options += ["--rubric", target.rubric]
        else:
            rubric = f"base:{rubric_loader.digest(rubric_loader.built_in(DEFAULT_RUBRIC))}"
        if target.gate is not None:
            overall, criteria = target.gate.overall, sorted(target.gate.criteria.items())
            options += ["--fail-under", f"{overall:g}"] if overall is not None else []
            options += [part for name, score in criteria for part in ("--min", f"{name}={score:g}")]
        options += [part for each in target.reports for part in ("--report", each)]
        return cls(rubric, target.gate, tuple(_file_digest(each) for each in target.reports), tuple(options))


def named_subjects(target: Target, pulls: Sequence[PullChange]) -> tuple[NamedSubject, ...]:
    """What a target audits, by name."""
    changes = [split_range(each) for each in target.changes]
    found = [NamedSubject(each[1], each[0]) for each in changes if each is not None]
    found += [NamedSubject(each.head, each.base, each) for each in pulls]
    if target.ref is not None or not (target.changes or target.pulls):
        found.append(NamedSubject(target.ref or "HEAD"))
    return tuple(found)


def commit_ids(subjects: Sequence[NamedSubject]) -> tuple[str, ...] | None:
    """The full commit ids that all names begin with; None when one is a branch, a tag or an abbreviated id."""
    found = [_ID_WITH_STEPS.match(name) for each in subjects for name in each.names]
    return tuple(dict.fromkeys(each["id"] for each in found if each)) if all(found) else None


def list_units(
    repository: str, subjects: Sequence[NamedSubject], policy: TargetPolicy, bench: str, resolve: Resolve
) -> Listing:
    """The units of subjects, in their order. All names are resolved in one question."""
    names = list(dict.fromkeys(name for each in subjects for name in each.names))
    ids = dict(zip(names, resolve(names), strict=True)) if names else {}
    units: list[ListedUnit] = []
    mistakes: list[str] = []
    for each in subjects:
        missing = [name for name in each.names if ids[name] is None]
        if missing:
            mistakes.append(_missing_sentence(missing[0], each))
            continue
        unit = Unit(
            repository=repository,
            head=ids[each.head] or "",
            base=ids[each.base] if each.base is not None else None,
            rubric=policy.rubric,
            gate=policy.gate,
            bench=bench,
            reports=policy.reports,
            version=__version__,
        )
        units.append(ListedUnit(unit, policy.options, each.pull))
    return Listing(tuple(units), tuple(mistakes))


def _missing_sentence(name: str, subject: NamedSubject) -> str:
    if subject.pull is not None:
        return f"pull request {subject.pull.number} is left out: its commit {name[:10]} is no longer there."
    if name == "HEAD" and subject.base is None:
        return "the repository is empty, or has no default branch: push a commit, or give `ref:`."
    return f"there is no commit {name[:60]!r} in it: name a branch, a tag or a commit id."


def _file_digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"the report {path} cannot be read ({error.strerror}): give the path of a document.") from error
