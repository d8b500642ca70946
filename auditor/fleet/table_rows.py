"""The rows of the tables that one record gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from auditor.domain import (
    Attempt,
    AuditReport,
    CodeLocation,
    Conclusion,
    Criterion,
    DocumentLocation,
    Evidence,
    Expect,
    Expectation,
    Objection,
    Outcome,
    Ruling,
)
from auditor.fleet.store import UnitFile
from auditor.fleet.table_schema import UNKNOWN_MONTH

Value = str | int | float | bool | None
Row = Mapping[str, Value]
_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])(?=-)")
_MAX_TEXT = 2_000
"""Characters of one text in a table; the record keeps them all."""


def table_rows(about: UnitFile, report: AuditReport) -> dict[str, list[Row]]:
    """The rows of a record, by table."""
    started = _moment(report.timings.started_at)
    shared: Row = {
        "key": about.key,
        "month": started[:7] if started else UNKNOWN_MONTH,
        "repository": about.unit.repository,
    }
    expected = _expectations(report.rubric.definition.criteria)
    titles = {each.id: each.title for each in report.rubric.definition.criteria}
    rows: dict[str, Iterator[Row]] = {
        "audits": iter([_audit(about, report, started)]),
        "rulings": (_ruling(each, titles.get(each.criterion, "")) for each in report.verdict.rulings),
        "facts": (_fact(each, expected.get(each.probe, ())) for each in report.evidence),
        "objections": (_objection(each) for each in report.objections),
        "costs": (_cost(each) for each in report.cost.attempts),
    }
    return {name: [{**shared, **_cut(each)} for each in found] for name, found in rows.items()}


def _audit(about: UnitFile, report: AuditReport, started: str | None) -> Row:
    subject, verdict = report.subject, report.verdict
    unmet = [
        each.demand for each in verdict.gate.reasons if each.conclusion in {Conclusion.FAILED, Conclusion.INCONCLUSIVE}
    ]
    return {
        "base": subject.base,
        "head": subject.head,
        "pull_request": subject.pull_request,
        "scope": subject.scope.value,
        "conclusion": verdict.conclusion.value,
        "overall": verdict.overall,
        "unmet": ", ".join(unmet),
        "rubric": report.rubric.id,
        "rubric_digest": report.rubric.digest,
        "bench": report.tool.bench,
        "version": report.tool.version,
        "files": len(report.coverage.files),
        "files_incomplete": sum(each.is_incomplete for each in report.coverage.files),
        "started_at": started,
        "seconds": about.seconds,
        "usd": report.cost.usd,
    }


def _ruling(ruling: Ruling, title: str) -> Row:
    return {
        "criterion": ruling.criterion,
        "title": title,
        "status": ruling.status.value,
        "score": ruling.score,
        "decision_rule": ruling.rule.value,
        "spread": ruling.spread,
        "lowered_by": ", ".join(each.probe or each.objection for each in ruling.caps if each.lowered),
    }


def _fact(fact: Evidence, expected: tuple[Expectation, ...]) -> Row:
    first = fact.locations[0] if fact.locations else None
    return {
        "id": fact.id,
        "rule": fact.probe,
        "outcome": fact.outcome.value,
        "unexpected": any(_is_broken(fact, each) for each in expected),
        "severity": max((each.severity for each in expected), key=lambda each: each.rank).value if expected else None,
        "statement": fact.statement,
        "confidence": fact.confidence,
        "introduced": fact.introduced,
        "in_tests": fact.in_tests,
        "places": len(fact.locations),
        "path": first.path if isinstance(first, (CodeLocation, DocumentLocation)) else None,
        "line": first.start if isinstance(first, CodeLocation) else None,
    }


def _is_broken(fact: Evidence, expectation: Expectation) -> bool:
    if expectation.expect is Expect.FOUND:
        return fact.outcome is Outcome.NOT_FOUND
    return fact.outcome is Outcome.FOUND and fact.introduced is not False


def _objection(objection: Objection) -> Row:
    return {
        "id": objection.id,
        "state": objection.state.value,
        "severity": objection.severity.value,
        "consequence": objection.consequence.value,
        "reach": objection.reach.value,
        "claim": objection.claim,
        "path": objection.path,
        "line": objection.start,
        "raised_by": ", ".join(objection.raised_by),
        "votes": len(objection.votes),
    }


def _cost(attempt: Attempt) -> Row:
    return {
        "judge": attempt.judge,
        "round": attempt.round,
        "model": attempt.answered or attempt.asked,
        "outcome": attempt.outcome,
        "input_tokens": attempt.input_tokens,
        "cache_write_tokens": attempt.cache_write_tokens,
        "cache_read_tokens": attempt.cache_read_tokens,
        "output_tokens": attempt.output_tokens,
        "usd": attempt.usd,
        "seconds": attempt.seconds,
    }


def _expectations(criteria: tuple[Criterion, ...]) -> dict[str, tuple[Expectation, ...]]:
    found: dict[str, tuple[Expectation, ...]] = {}
    for criterion in criteria:
        for each in criterion.evidence:
            found[each.probe] = (*found.get(each.probe, ()), each)
    return found


def _moment(started_at: str) -> str | None:
    """The start of an audit in UTC as DuckDB reads it; None for what is no moment of this century."""
    try:
        moment = datetime.fromisoformat(started_at)
    except ValueError:
        return None
    offset = moment.utcoffset()
    text = (moment.replace(tzinfo=None) - offset if offset else moment.replace(tzinfo=None)).isoformat(
        sep=" ", timespec="seconds"
    )
    return text if _MONTH.match(text) else None


def _cut(row: Row) -> Row:
    return {
        name: value[:_MAX_TEXT].encode(errors="backslashreplace").decode() if isinstance(value, str) else value
        for name, value in row.items()
    }
