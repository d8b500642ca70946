"""The pages of a site about a store: an overview, a page a repository, a page a rule. Every text is escaped by the template engine."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.report.html_templates import render_page


@dataclass(frozen=True)
class Bar:
    """A figure with its name, as a bar and as text."""

    name: str
    value: float
    text: str
    kind: str = ""
    """Class that colours it."""
    url: str = ""


@dataclass(frozen=True)
class CriterionLine:
    """How a criterion was scored."""

    title: str
    mean: str
    lowest: str
    low: int
    judged: int
    inconclusive: int


@dataclass(frozen=True)
class RepositoryLine:
    """A repository in the overview."""

    name: str
    url: str
    audits: int
    passed: int
    blocked: int
    inconclusive: int
    mean: str


@dataclass(frozen=True)
class AuditLine:
    """An audit of a repository."""

    name: str
    url: str
    overall: str
    conclusion: str
    kind: str
    unmet: str
    when: str


@dataclass(frozen=True)
class AuditsContent:
    """What the overview and the page of a repository show."""

    conclusions: tuple[Bar, ...]
    scores: tuple[Bar, ...]
    demands: tuple[Bar, ...]
    criteria: tuple[CriterionLine, ...]
    months: tuple[Bar, ...]
    rules: tuple[Bar, ...]
    repositories: tuple[RepositoryLine, ...] = ()
    audits: tuple[AuditLine, ...] = ()
    more_audits: int = 0


@dataclass(frozen=True)
class RuleFinding:
    """A finding of a rule in a change."""

    place: str
    name: str
    url: str
    statement: str
    note: str


@dataclass(frozen=True)
class RuleContent:
    """What the page of a rule shows."""

    rule: str
    question: str
    advice: str
    severity: str
    count: str
    findings: tuple[RuleFinding, ...]
    more: int


def overview_page(headline: str, content: AuditsContent, notes: tuple[str, ...] = ()) -> str:
    """The first page."""
    return render_page("fleet_overview.html.j2", headline=headline, content=content, notes=notes, back=False)


def repository_page(repository: str, content: AuditsContent) -> str:
    """The page of a repository."""
    return render_page("fleet_overview.html.j2", headline=repository, content=content, notes=(), back=True)


def rule_page(content: RuleContent) -> str:
    """The page of a rule."""
    return render_page("fleet_rule.html.j2", content=content)
