"""What one page of results is made of, as a template sees it."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.report.escaped_templates import SafeText


@dataclass(frozen=True)
class ScoreRow:
    """One row of the score table."""

    title: str
    given: tuple[SafeText, ...]
    final: SafeText
    asked: SafeText


@dataclass(frozen=True)
class Fix:
    """One thing to fix."""

    number: int
    indent: SafeText
    """Blanks that keep a paragraph inside the numbered item."""
    place: SafeText
    more: SafeText
    """What follows the place: others like it, and the side of the change."""
    seen: str
    quote: SafeText
    about: str
    weight: SafeText
    """Severity and certainty with what they mean, and that the check fails because of it."""
    harm: str
    advice: str
    fine_if: str
    rule: SafeText


@dataclass(frozen=True)
class ObjectionItem:
    """One defect that judges see in the change."""

    number: int
    indent: SafeText
    place: SafeText
    claim: str
    trigger: str
    effect: str
    fix: str
    severity: SafeText
    raised: str


@dataclass(frozen=True)
class SensitiveItem:
    """One sensitive thing that the change does."""

    does: str
    places: SafeText


@dataclass(frozen=True)
class OpinionRow:
    """One judge's opinion on a criterion, or why there is none, or why it does not count."""

    who: str
    score: SafeText
    words: str
    aside: str = ""


@dataclass(frozen=True)
class EvidenceRow:
    """One row of an evidence table."""

    mark: SafeText
    id: SafeText
    answer: SafeText
    seen: str
    """What was seen, with how sure that is."""
    where: SafeText


@dataclass(frozen=True)
class CriterionDetail:
    """One criterion in full."""

    title: str
    final: SafeText
    question: str
    sentence: str
    caps: tuple[SafeText, ...]
    dissent: str
    said: tuple[OpinionRow, ...]
    evidence: tuple[EvidenceRow, ...]
    left: int
    """Rows of the same kind that there is no room for."""
    hidden: int
    """Pieces that have nothing against the criterion."""


@dataclass(frozen=True)
class RequestRow:
    """One request to a model and what it took."""

    judge: str
    model: str
    outcome: str
    read: SafeText
    written: SafeText
    price: SafeText
    seconds: SafeText


@dataclass(frozen=True)
class Page:
    """All that a template prints. Texts that are not `Own` are foreign and get escaped."""

    mark: SafeText
    verdict: str
    subject: SafeText
    audited: SafeText
    """The commit that was audited, linked; empty where it has no plain id."""
    reasons: tuple[str, ...]
    also: tuple[str, ...]
    lead: SafeText
    """The first finding in one line, for readers who stop there."""
    idle: str
    """The criteria that do not apply."""
    legend: SafeText
    personas: tuple[str, ...]
    scores: tuple[ScoreRow, ...]
    scores_left: int
    changes: SafeText
    objections: tuple[ObjectionItem, ...]
    objections_rest: str
    first: tuple[Fix, ...]
    further: tuple[Fix, ...]
    nothing: SafeText
    """What is said where no finding comes first."""
    further_title: SafeText
    """How many follow folded, and how many of them are only possible or of low severity."""
    left: int
    sensitive_title: SafeText
    sensitive_note: SafeText
    sensitive: tuple[SensitiveItem, ...]
    sensitive_rest: str
    parts: tuple[CriterionDetail, ...]
    gate: tuple[tuple[SafeText, str], ...]
    waivers: tuple[tuple[str, str, str], ...]
    notices: tuple[str, ...]
    dark: tuple[tuple[SafeText, str], ...]
    dark_left: int
    coverage: str
    judged_by: str
    requests: tuple[RequestRow, ...]
    record: SafeText
    where: SafeText
    shortened: bool
