"""How each criterion and the whole audit ended."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.frozen_model import Frozen


class RulingStatus(StrEnum):
    """Whether a criterion has a score, and if not, why not."""

    JUDGED = "judged"
    INCONCLUSIVE = "inconclusive"
    NOT_APPLICABLE = "not_applicable"
    WAIVED = "waived"


class Rule(StrEnum):
    """The synthesis rules, in the order in which they are tried."""

    NOT_APPLICABLE = "not_applicable"
    WAIVED = "waived"
    CHANGE_NOT_SHOWN = "change_not_shown"
    """Since version 1.2 of the record's schema."""
    REVIEWER_ADDRESSED = "reviewer_addressed"
    """Since version 1.2 of the record's schema."""
    QUORUM = "quorum"
    SECURITY_OVERRIDE = "security_override"
    FACT_SUPREMACY = "fact_supremacy"
    FUNCTIONALITY_WEIGHT = "functionality_weight"
    VARIANCE_RE_EVALUATION = "variance_re_evaluation"
    WEIGHTED_AVERAGE = "weighted_average"

    @property
    def spoken(self) -> str:
        """Its name for people; the record keeps the value."""
        return self.value.replace("_re_", "_re-").replace("_", " ")


class KeptOpinion(Frozen):
    """An opinion that counted, and how much."""

    judge: str
    score: int = Field(ge=1, le=5)
    weight: float = Field(ge=0, le=1, description="Its share of the score; shares sum to 1 unless one judge decides.")


class SetAside(Frozen):
    """An opinion that did not count, and why."""

    judge: str
    score: int = Field(ge=1, le=5)
    reason: str


class DroppedCitation(Frozen):
    """A citation that was not found, and why. Its opinion counts as long as another one was found."""

    judge: str
    evidence: str
    reason: str


class AppliedCap(Frozen):
    """A limit that the rubric puts on a score while an expectation is broken, or an objection is standing."""

    probe: str = Field(default="", description="Whose expectation is broken; empty for an objection.")
    objection: str = Field(default="", description="Id of the standing objection. Since schema version 1.2.")
    cap: float
    lowered: bool = Field(description="Was the score above the cap?")
    evidence: tuple[str, ...] = Field(default=(), description="Ids of what broke the expectation.")


class Ruling(Frozen):
    """How one criterion ended. `score` is there exactly when it was judged."""

    criterion: str
    status: RulingStatus
    score: float | None = Field(default=None, ge=1, le=5, description="One decimal.")
    rule: Rule
    sentence: str = Field(description="Why this rule applied and what it made of the opinions.")
    dissent: str = Field(default="", description="The other side and why it did not prevail.")
    spread: int | None = Field(default=None, ge=0, le=4, description="Highest less lowest opinion that counted.")
    kept: tuple[KeptOpinion, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    dropped: tuple[DroppedCitation, ...] = Field(default=(), description="Citations that were not found.")
    caps: tuple[AppliedCap, ...] = ()


class Conclusion(StrEnum):
    """How the gate, and with it the audit, ended. Failed outranks inconclusive outranks all others."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    NOTHING_TO_JUDGE = "nothing_to_judge"
    """The change is empty. Since version 1.1 of the record's schema."""

    @property
    def spoken(self) -> str:
        """Its name for people; the record keeps the value."""
        return self.value.replace("_", " ")


class GateReason(Frozen):
    """One demand of the gate and how it ended."""

    demand: str = Field(description="`overall`, `criteria.<id>`, `no_new`, `objections`, `approval` or `judged`.")
    conclusion: Conclusion
    threshold: float | str | None = None
    actual: float | str | None = None
    sentence: str
    evidence: tuple[str, ...] = ()
    close: str = Field(
        default="", description="Said when a score lies within the rubric's margin of the threshold: what it hangs on."
    )
    silent: tuple[str, ...] = Field(
        default=(),
        description="Judges whose missing opinions leave it open: some scores from them would have failed what is met without.",
    )


APPROVAL_DEMAND = "approval"
"""The demand that somebody who can write has approved the change of an author who cannot. Since version 1.7 of the record's schema."""


class Gate(Frozen):
    """What was asked and what came of it, every demand listed."""

    conclusion: Conclusion
    reasons: tuple[GateReason, ...] = ()


class Verdict(Frozen):
    """How the audit ended."""

    conclusion: Conclusion
    overall: float | None = Field(default=None, ge=1, le=5)
    gate: Gate
    rulings: tuple[Ruling, ...]
