"""How votes settle objections, and what a standing one costs: the part of a rubric that is about them."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from auditor.domain.frozen_model import Frozen
from auditor.domain.objection_consequence import ConsequenceKind, Reach, Severity


def _severities() -> dict[ConsequenceKind, dict[Reach, Severity]]:
    low, medium, high, critical = Severity
    by_reach = {
        ConsequenceKind.CRASH: (high, high, medium),
        ConsequenceKind.WRONG_RESULT: (high, high, medium),
        ConsequenceKind.DATA_LOSS: (critical, critical, high),
        ConsequenceKind.SECURITY: (critical, critical, high),
        ConsequenceKind.LEAK: (high, medium, low),
        ConsequenceKind.SLOW: (medium, medium, low),
        ConsequenceKind.COSMETIC: (low, low, low),
    }
    return {kind: dict(zip(Reach, row, strict=True)) for kind, row in by_reach.items()}


class ObjectionRules(Frozen):
    """The numbers by which votes settle objections, and what a standing one costs."""

    voices: int = Field(
        default=2, ge=1, description="Judges that must raise or sustain an objection before it is standing."
    )
    overruled_at_most: int = Field(
        default=1, ge=0, description="Judges that may overrule it with a correct quote while it is still standing."
    )
    dismissed_by: int = Field(
        default=2, ge=1, description="Judges that must overrule it with a quote that holds to dismiss it."
    )
    severities: dict[ConsequenceKind, dict[Reach, Severity]] = Field(
        default_factory=_severities, description="Severity by kind of consequence and reach; all of both are named."
    )
    caps: dict[Severity, float] = Field(
        default_factory=lambda: {Severity.CRITICAL: 2.0, Severity.HIGH: 3.0, Severity.MEDIUM: 4.0},
        description="Highest score of a criterion that may rest on exhibits while an objection of that severity is standing.",
    )
    omitted_share: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="A larger share of changed product lines that judges were not shown leaves such a criterion inconclusive.",
    )

    voided_by: str = Field(
        default="",
        description="A probe: where it confirms that the change speaks to its judges, criteria that may rest on exhibits are inconclusive.",
    )

    @model_validator(mode="after")
    def _every_consequence_has_a_severity(self) -> Self:
        for kind in ConsequenceKind:
            missing = [reach.value for reach in Reach if reach not in self.severities.get(kind, {})]
            if missing:
                raise ValueError(f"severities: {kind.value} does not say {missing[0]}")
        return self
