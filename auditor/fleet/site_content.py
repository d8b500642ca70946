"""What a site about a store shows, asked from its tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from auditor.english_counts import pluralize
from auditor.fleet.table_queries import TableConnection
from auditor.report.fleet_pages import (
    AuditLine,
    AuditsContent,
    Bar,
    CriterionLine,
    RepositoryLine,
    RuleContent,
    RuleFinding,
)

_CONCLUSIONS = (
    ("passed", "passed", "passed"),
    ("failed", "blocked", "failed"),
    ("inconclusive", "inconclusive", "inconclusive"),
    ("nothing_to_judge", "with nothing to judge", "nothing_to_judge"),
)
_DEMANDS = {
    "overall": "Overall score",
    "judged": "Criteria that could not be judged",
    "no_new": "Findings of a severity that blocks",
    "objections": "Defects that judges see",
    "approval": "Changes that nobody approved",
}
"""What a demand of the gate is about. That on the score of one criterion has the title of the criterion."""
_MAX_AUDITS = 500
_MAX_FINDINGS = 200
_MAX_RULES = 60
_RULE_NAME = re.compile(r"[a-z_]{1,60}\.[a-z_]{1,60}")
_LOW_SCORE = 3
RuleTexts = Callable[[str], tuple[str, str]]
"""Question and advice of a rule; empty for one that this version does not have."""


@dataclass(frozen=True)
class SiteContent:
    """Asks the tables for what the pages show. `has_records` says whether there is a page for each record."""

    tables: TableConnection
    has_records: bool = False

    def overview(self) -> AuditsContent:
        """All audits."""
        return self._audits_content(None)

    def repository(self, name: str) -> AuditsContent:
        """The audits of one repository."""
        return self._audits_content(name)

    def repositories(self) -> tuple[str, ...]:
        """All repositories, in the order of their names."""
        return tuple(name for (name,) in self._ask("SELECT DISTINCT repository FROM audits ORDER BY 1"))

    def rules(self) -> tuple[str, ...]:
        """All rules with findings."""
        return tuple(name for (name,) in self._ask("SELECT DISTINCT rule FROM facts WHERE unexpected ORDER BY 1"))

    def rule(self, name: str, texts: RuleTexts) -> RuleContent:
        """The findings of one rule, the surest first."""
        ((count, changes, severity),) = self._ask(
            "SELECT count(*), count(DISTINCT key), arg_max(severity, list_position(['low', 'medium', 'high', 'critical'], severity)) FROM facts WHERE unexpected AND rule = ?",
            name,
        )
        rows = self._ask(
            "SELECT f.path, f.line, f.places, f.statement, f.confidence, f.in_tests, f.key, a.repository, a.base, a.head, "
            "a.pull_request FROM facts f JOIN audits a USING (key) WHERE f.unexpected AND f.rule = ? "
            "ORDER BY f.confidence DESC, a.repository, f.key, f.id LIMIT ?",
            name,
            _MAX_FINDINGS,
        )
        question, advice = texts(name)
        return RuleContent(
            rule=name,
            question=question,
            advice=advice,
            severity=severity or "",
            count=f"{pluralize(count, 'finding')} in {pluralize(changes, 'audit')}.",
            findings=tuple(self._finding(row) for row in rows),
            more=max(0, count - len(rows)),
        )

    def _finding(self, row: tuple[Any, ...]) -> RuleFinding:
        path, line, places, statement, confidence, in_tests, key, repository, base, head, number = row
        place = "" if path is None else path if line is None else f"{path}:{line}"
        notes = [f"and {places - 1:,} more places"] if places > 1 else []
        notes += ["in tests"] if in_tests else []
        notes += [f"{confidence:.0%} sure"] if confidence < 1 else []
        return RuleFinding(
            place=place,
            name=f"{repository} {_change(base, head, number)}",
            url=self._record_url(key),
            statement=statement,
            note=", ".join(notes),
        )

    def _audits_content(self, repository: str | None) -> AuditsContent:
        where, values = ("WHERE repository = ?", (repository,)) if repository is not None else ("WHERE true", ())
        rows, more = self._audit_lines(repository) if repository is not None else ((), 0)
        return AuditsContent(
            conclusions=self._conclusions(where, values),
            scores=self._scores(where, values),
            demands=self._demands(where, values),
            criteria=self._criteria(where, values),
            months=self._months(where, values),
            rules=self._rules(where, values),
            repositories=self._repositories() if repository is None else (),
            audits=rows,
            more_audits=more,
        )

    def _conclusions(self, where: str, values: tuple[Any, ...]) -> tuple[Bar, ...]:
        found = dict(self._ask(f"SELECT conclusion, count(*) FROM audits {where} GROUP BY 1", *values))  # noqa: S608 - ours
        return tuple(
            Bar(word, found.get(name, 0), f"{found.get(name, 0):,}", kind) for name, word, kind in _CONCLUSIONS
        )

    def _scores(self, where: str, values: tuple[Any, ...]) -> tuple[Bar, ...]:
        rows = self._ask(
            f"SELECT least(floor(overall * 2) / 2, 4.5), count(*) FROM audits {where} AND overall IS NOT NULL GROUP BY 1",  # noqa: S608 - ours
            *values,
        )
        counts = {low: count for low, count in rows if low >= 1}
        steps = [number / 2 for number in range(2, 10)] if counts else []
        return tuple(
            Bar(
                f"{low:.1f} to {5.0 if low == 4.5 else low + 0.4:.1f}",
                counts.get(low, 0),
                f"{counts.get(low, 0):,}",
                _tone(low),
            )
            for low in steps
        )

    def _demands(self, where: str, values: tuple[Any, ...]) -> tuple[Bar, ...]:
        rows = self._ask(
            f"SELECT unnest(string_split(unmet, ', ')) AS demand, count(*) FROM audits {where} AND unmet <> '' "  # noqa: S608 - ours
            "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 40",
            *values,
        )
        titles = self._titles(where, values)
        return tuple(Bar(_demand_words(name, titles), count, f"{count:,}") for name, count in rows)

    def _titles(self, where: str, values: tuple[Any, ...]) -> dict[str, str]:
        """The title of each criterion in these audits; the first of several."""
        rows = self._ask(f"SELECT criterion, min(title) FROM rulings {where} GROUP BY 1", *values)  # noqa: S608 - ours
        return {name: title or "" for name, title in rows}

    def _criteria(self, where: str, values: tuple[Any, ...]) -> tuple[CriterionLine, ...]:
        rows = self._ask(
            f"SELECT any_value(title), avg(score), min(score), count(*) FILTER (score < {_LOW_SCORE}), count(score), "  # noqa: S608 - ours
            f"count(*) FILTER (status = 'inconclusive') FROM rulings {where} AND status IN ('judged', 'inconclusive') "
            "GROUP BY criterion ORDER BY 2 NULLS LAST, criterion LIMIT 100",
            *values,
        )
        return tuple(
            CriterionLine(title or "", _score(mean), _score(lowest), low, judged, inconclusive)
            for title, mean, lowest, low, judged, inconclusive in rows
        )

    def _months(self, where: str, values: tuple[Any, ...]) -> tuple[Bar, ...]:
        rows = self._ask(
            f"SELECT month, avg(overall), count(*) FROM audits {where} AND overall IS NOT NULL GROUP BY 1 ORDER BY 1",  # noqa: S608 - ours
            *values,
        )
        return tuple(Bar(month, mean, f"{mean:.2f} over {pluralize(count, 'audit')}") for month, mean, count in rows)

    def _rules(self, where: str, values: tuple[Any, ...]) -> tuple[Bar, ...]:
        rows = self._ask(
            f"SELECT rule, count(*) AS n, count(DISTINCT key) FROM facts {where} AND unexpected GROUP BY 1 "  # noqa: S608 - ours
            f"ORDER BY n DESC, 1 LIMIT {_MAX_RULES}",
            *values,
        )
        return tuple(
            Bar(rule, count, f"{pluralize(count, 'finding')} in {pluralize(audits, 'audit')}", url=rule_file(rule))
            for rule, count, audits in rows
        )

    def _repositories(self) -> tuple[RepositoryLine, ...]:
        rows = self._ask(
            "SELECT repository, count(*), count(*) FILTER (conclusion IN ('passed', 'nothing_to_judge')), "
            "count(*) FILTER (conclusion = 'failed'), count(*) FILTER (conclusion = 'inconclusive'), avg(overall) "
            "FROM audits GROUP BY 1 ORDER BY 6 NULLS LAST, 1"
        )
        return tuple(
            RepositoryLine(name, repository_file(name), audits, passed, blocked, inconclusive, _score(mean))
            for name, audits, passed, blocked, inconclusive, mean in rows
        )

    def _audit_lines(self, repository: str) -> tuple[tuple[AuditLine, ...], int]:
        rows = self._ask(
            "SELECT key, base, head, pull_request, overall, conclusion, unmet, strftime(started_at, '%Y-%m-%d') FROM audits "
            "WHERE repository = ? ORDER BY started_at DESC NULLS LAST, key",
            repository,
        )
        titles = self._titles("WHERE repository = ?", (repository,))
        return tuple(self._audit_line(row, titles) for row in rows[:_MAX_AUDITS]), max(0, len(rows) - _MAX_AUDITS)

    def _audit_line(self, row: tuple[Any, ...], titles: Mapping[str, str]) -> AuditLine:
        key, base, head, number, overall, conclusion, unmet, when = row
        words = {name: (word, kind) for name, word, kind in _CONCLUSIONS}
        word, kind = words[conclusion]
        return AuditLine(
            name=_change(base, head, number),
            url=self._record_url(key),
            overall=_score(overall),
            conclusion=word,
            kind=kind,
            unmet=", ".join(_demand_words(each, titles) for each in unmet.split(", ") if each),
            when=when or "",
        )

    def _record_url(self, key: str) -> str:
        return f"record-{key}.html" if self.has_records else ""

    def _ask(self, statement: str, *values: Any) -> tuple[tuple[Any, ...], ...]:
        return self.tables.ask(statement, values).rows


def _demand_words(name: str, titles: Mapping[str, str]) -> str:
    """A demand of the gate for people; its key where it is none that this version knows."""
    return _DEMANDS.get(name) or titles.get(name.removeprefix("criteria.")) or name


def repository_file(name: str) -> str:
    """The file of the page of a repository: no part of its name is in it."""
    return f"repository-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:20]}.html"


def rule_file(name: str) -> str:
    """The file of the page of a rule."""
    if _RULE_NAME.fullmatch(name):
        return f"rule-{name}.html"
    return f"rule-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:20]}.html"


def _change(base: str | None, head: str, number: int | None) -> str:
    commits = f"{base[:10]}..{head[:10]}" if base else head[:10]
    return f"#{number} {commits}" if number is not None else commits


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:.1f}"


def _tone(score: float) -> str:
    return "good" if score >= 4 else "fair" if score >= _LOW_SCORE else "bad"
