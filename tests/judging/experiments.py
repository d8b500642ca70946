"""Experiments: what judges said of each case, in a file that holds no line of the code they read.

Quotes are cut to a digest, since the code belongs to others; everything that merges and settles an objection is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from auditor.domain import AuditReport, ExhibitKind, LineMark, ObjectionState, Quote, RaisedObjection, Side, Vote
from auditor.forensics.source_text.file_roles import Role, role
from tests.judging.cases import Case, Kind


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ChangedLines(_Kept):
    """Changed lines of product code, and the definition around them: where the bug of a fix taken back must be."""

    path: str
    side: Side
    start: int
    end: int
    definition: str | None


class HeardOpinion(_Kept):
    """The score that one judge gave for `correctness`."""

    judge: str
    score: int


class HeardCase(_Kept):
    """One case: what it is, what was said of it, and the scores that the audit made of it."""

    name: str
    repository: str
    source: str
    date: str
    kind: Kind
    held_out: bool
    changed: tuple[ChangedLines, ...]
    raised: tuple[RaisedObjection, ...]
    votes: tuple[Vote, ...]
    states: tuple[ObjectionState, ...] = ()
    """How each merged objection ended when it was heard, in their order."""
    opinions: tuple[HeardOpinion, ...]
    overall: float | None
    correctness: float | None


class Experiment(_Kept):
    """Cases that one model answered. `arm` says what was special about the prompts; empty for nothing."""

    model: str
    arm: str = ""
    cases: tuple[HeardCase, ...]


def heard_case(case: Case, report: AuditReport) -> HeardCase:
    """What is kept of the audit of a case."""
    correctness = next((each.score for each in report.verdict.rulings if each.criterion == "correctness"), None)
    said = [*report.hearing.superseded, *report.opinions]
    first = {each.judge: each.score for each in reversed(said) if each.criterion == "correctness"}
    return HeardCase(
        name=case.name,
        repository=case.repository,
        source=case.source,
        date=case.date,
        kind=case.kind,
        held_out=case.held_out,
        changed=tuple(_changed(report)),
        raised=tuple(_without_code(each) for each in report.hearing.raised),
        votes=tuple(
            each.model_copy(update={"quote": each.quote and _digested(each.quote)})
            for objection in report.objections
            for each in objection.votes
        ),
        states=tuple(each.state for each in report.objections),
        opinions=tuple(HeardOpinion(judge=judge, score=score) for judge, score in sorted(first.items())),
        overall=report.verdict.overall,
        correctness=correctness,
    )


def _changed(report: AuditReport) -> Iterable[ChangedLines]:
    for exhibit in report.exhibits:
        if exhibit.kind is not ExhibitKind.HUNK or role(exhibit.path) is not Role.PRODUCT:
            continue
        for side, mark in ((Side.HEAD, LineMark.ADDED), (Side.BASE, LineMark.REMOVED)):
            numbers = [each.number for each in exhibit.lines if each.mark is mark]
            for start, end in _runs(numbers):
                yield ChangedLines(
                    path=exhibit.path, side=side, start=start, end=end, definition=exhibit.definition
                )  # fmt: skip
        # Lines that are only removed have a place at the head as well: between the lines that stay.
        kept = 0
        for line in exhibit.lines:
            if line.mark is LineMark.REMOVED and kept:
                yield ChangedLines(
                    path=exhibit.path, side=Side.HEAD, start=kept, end=kept, definition=exhibit.definition
                )  # fmt: skip
            elif line.mark is not LineMark.REMOVED:
                kept = line.number


def _runs(numbers: Sequence[int]) -> Iterable[tuple[int, int]]:
    start = previous = 0
    for number in numbers:
        if number != previous + 1:
            if start:
                yield start, previous
            start = number
        previous = number
    if start:
        yield start, previous


def _without_code(raised: RaisedObjection) -> RaisedObjection:
    return raised.model_copy(update={"quote": _digest(raised.quote), "caused_by": _digested(raised.caused_by)})


def _digested(quote: Quote) -> Quote:
    return quote.model_copy(update={"quote": _digest(quote.quote)})


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def read(path: Path) -> Experiment:
    """An experiment from its file."""
    return Experiment.model_validate_json(path.read_text(encoding="utf-8"))


def write(path: Path, experiment: Experiment) -> None:
    """Keep an experiment, a line for each case so that a difference can be read."""
    cases = ",\n".join(each.model_dump_json() for each in experiment.cases)
    rest = experiment.model_copy(update={"cases": ()}).model_dump_json().removesuffix("[]}")
    path.write_text(f"{rest}[\n{cases}\n]}}\n", encoding="utf-8")
