"""The gate that a configuration asks for, and the one in force: what is named first wins, demand by demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from auditor.domain import ApprovalFor, Frozen, GatePolicy, Rubric, Severity
from auditor.user_error import UserError, did_you_mean


class GateConfig(Frozen):
    """The gate as the configuration file sets it; what is left out keeps the rubric's value."""

    overall: float | None = Field(default=None, ge=1, le=5, description="Lowest overall score.")
    criteria: dict[str, Annotated[float, Field(ge=1, le=5)]] = Field(
        default_factory=dict, description="Lowest score by criterion."
    )
    no_new: Severity | None = Field(default=None, description="Fail on confirmed violations from this severity up.")
    objections: Severity | None = Field(default=None, description="Fail on standing objections from this severity up.")
    approval_for: ApprovalFor | None = Field(
        default=None,
        description="Whose pull requests need an approval of the audited commit: those of `outsiders`, who cannot write to the repository, of `everybody` or of `nobody`.",
    )


class Demands(NamedTuple):
    """What one source asks of the gate; nothing stands for no demand."""

    source: str
    overall: float | None = None
    criteria: Mapping[str, float] = {}
    no_new: Severity | None = None
    objections: Severity | None = None
    approval_for: ApprovalFor | None = None

    @classmethod
    def of(cls, source: str, gate: GateConfig | GatePolicy) -> Demands:
        """Those of a configuration or a rubric."""
        return cls(source, gate.overall, gate.criteria, gate.no_new, gate.objections, gate.approval_for)


def resolve_gate(asked: Sequence[Demands], chosen: Rubric) -> tuple[GatePolicy, dict[str, str]]:
    """The gate in force, and for every demand the source it comes from. The first source that names a demand wins.

    Raises UserError for a criterion that the rubric does not have, and for a score out of range.
    """
    came: dict[str, str] = {}
    criteria: dict[str, float] = {}
    single: dict[str, float | Severity | ApprovalFor | None] = {}
    for each in reversed(asked):
        for name, value in each._asdict().items():
            if name not in ("source", "criteria") and value is not None:
                single[name], came[name] = value, each.source
        for criterion, score in each.criteria.items():
            criteria[criterion], came[f"criteria.{criterion}"] = score, each.source
    _require_valid_scores(criteria, chosen)
    return GatePolicy.model_validate({**single, "criteria": criteria}), came


def _require_valid_scores(criteria: Mapping[str, float], chosen: Rubric) -> None:
    known = {criterion.id for criterion in chosen.criteria}
    for name, value in criteria.items():
        if name not in known:
            hint = did_you_mean(name, sorted(known), f"there are {', '.join(sorted(known))}.")
            raise UserError(f"{name!r} is not a criterion of the rubric {chosen.id}: {hint}")
        if not 1 <= value <= 5:
            raise UserError(f"the lowest score for {name} must be between 1 and 5, not {value:g}.")
