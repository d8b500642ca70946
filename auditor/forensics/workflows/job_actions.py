"""Steps of a workflow that give outsiders a say or show a secret: rows of `job_actions.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.workflows.outsider_triggers import excludes_outsiders, jobs_for_insiders
from auditor.forensics.workflows.proposed_code import plain_row, proposed_reader
from auditor.forensics.workflows.workflow_job_lines import KEY, Job, WorkflowRows, read_rows
from auditor.row_tables import Row, Source, read_table

_DATA = Path(__file__).with_name("job_actions.yaml")
_MAX_LINE = 1_000
_MAX_NAMES = 20
_CONTINUED = "\v"
"""Stands for the end of a row that goes on in the next one."""


class JobAction(Row):
    """What a step does; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    rule: Literal["outsider-action", "stored-checkout"]
    says: str = Field(min_length=10, max_length=160)
    step: str
    place: str = ""
    beside: str = ""
    unless: str = ""
    by_outsiders: bool = False
    confidence: Literal["high", "medium", "low"]
    source: Source


class _Table(Frozen):
    actions: tuple[JobAction, ...]


class FoundAction(NamedTuple):
    """A row that fits a step: the line from 1, the statement, its rule and how sure it is."""

    line: int
    says: str
    rule: str
    confidence: str


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def job_actions(workflow: str, *, by_outsiders: bool) -> Iterator[FoundAction]:
    """What steps of a workflow do; `by_outsiders` says whether outsiders can start it."""
    read = read_rows(workflow)
    kept = jobs_for_insiders(read)
    for job in read.jobs:
        said = read.text(job.begin, job.end)
        fitting = [
            (row, expression)
            for row in read_table(_DATA, _Table).actions
            if (not row.by_outsiders or (by_outsiders and job.name not in kept))
            and (not row.beside or _pattern(row.beside).search(said))
            and (not row.unless or not _pattern(row.unless).search(said))
            and (expression := _filled(row, said, workflow))
        ]
        for begin, end in _steps(read, job) if fitting else ():
            found = list(_in_step(read, range(begin, end), fitting))
            yield from {(each.line, each.rule): each for each in reversed(found)}.values()


def publishes_checks(job: str) -> bool:
    """Does a step of a job write a check or a status of a commit?"""
    rows = (each for each in read_table(_DATA, _Table).actions if each.id == "reported_as_passed")
    return any(_pattern(each.beside).search(job) is not None for each in rows)


def _filled(row: JobAction, job: str, workflow: str) -> str:
    """The expression of a row for a job; empty where there is nothing that it could find."""
    expression = row.step
    if "{proposed}" in expression:
        expression = expression.replace("{proposed}", proposed_reader(workflow))
    if not row.place:
        return expression
    names = sorted({found["name"] for found in _pattern(row.place).finditer(job)})[:_MAX_NAMES]
    return expression.replace("{place}", f"(?:{'|'.join(map(re.escape, names))})") if names else ""


def _steps(read: WorkflowRows, job: Job) -> Iterator[tuple[int, int]]:
    """The rows of each step, its first one and the one behind it."""
    begins = [number for number in range(job.begin, job.end) if read.above.get(number) == job.keys.get("steps", -2)]
    yield from pairwise([*begins, job.end])


def _in_step(read: WorkflowRows, rows: range, fitting: list[tuple[JobAction, str]]) -> Iterator[FoundAction]:
    numbers = [number for number in rows if number in read.above]
    text = "\n".join(plain_row(read.rows[number][:_MAX_LINE]) for number in numbers).replace("\\\n", f" {_CONTINUED}")
    conditions = (KEY.match(read.rows[number].replace("- ", "  ", 1)) for number in numbers)
    guarded = any(each["key"] == "if" and excludes_outsiders(each["value"]) for each in conditions if each)
    for row, expression in fitting:
        found = None if row.by_outsiders and guarded else re.search(expression, text)
        if found is None:
            continue
        at = next((name for name, value in found.groupdict().items() if value), 0)
        before = text[: found.start(at)] + found[at][: len(found[at]) - len(found[at].lstrip())]
        line = numbers[min(before.count("\n") + before.count(_CONTINUED), len(numbers) - 1)] + 1
        seen = code_excerpt(" ".join(found[at].split()))
        yield FoundAction(line, row.says.replace("{seen}", seen), row.rule, row.confidence)
