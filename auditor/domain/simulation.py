"""What another policy would have made of the records of a store."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.domain.objection_consequence import Severity
from auditor.domain.verdict import Conclusion

SIMULATION_VERSION = "1.0"
"""Schema version of a simulation as JSON."""


class AskedPolicy(Frozen):
    """What was asked for. What is not given stays as it is in each record."""

    rubric: str = Field(default="", description="Id of the other rubric; empty for that of each record.")
    rubric_digest: str = ""
    overall: float | None = None
    criteria: dict[str, float] = Field(default_factory=dict)
    no_new: Severity | None = None


class Effect(StrEnum):
    """What the other policy changes for a record."""

    BLOCKED = "newly_blocked"
    """It passed and would fail."""
    PASSING = "newly_passing"
    """It failed or was inconclusive and would pass."""
    INCONCLUSIVE = "newly_inconclusive"
    """It passed or failed and could not be decided."""
    STILL_BLOCKED = "inconclusive_to_blocked"
    """It was inconclusive and would fail."""
    NONE = "unchanged"


class Demand(Frozen):
    """A demand of the gate that would not be met."""

    name: str = Field(description="`overall`, `criteria.<id>`, `no_new`, `objections`, `approval` or `judged`.")
    sentence: str


class SimulatedAudit(Frozen):
    """A record under the other policy."""

    key: str
    repository: str
    head: str
    base: str | None = None
    pull_request: int | None = None
    before: Conclusion
    after: Conclusion
    overall_before: float | None = None
    overall_after: float | None = None
    unmet: tuple[Demand, ...] = Field(default=(), description="Demands that would not be met.")
    unmet_before: tuple[Demand, ...] = Field(default=(), description="Demands that were not met.")
    counterfactual: bool = Field(
        default=False, description="Do the opinions come from a model that was asked under another rubric?"
    )
    other_version: bool = Field(default=False, description="Was the record made by another version of the tool?")

    @property
    def effect(self) -> Effect:
        """What the other policy changes."""
        passed, passes = self.before in PASSING, self.after in PASSING
        if passes or self.before is self.after:
            return Effect.PASSING if passes and not passed else Effect.NONE
        if self.after is Conclusion.INCONCLUSIVE:
            return Effect.INCONCLUSIVE
        return Effect.BLOCKED if passed else Effect.STILL_BLOCKED


PASSING = frozenset({Conclusion.PASSED, Conclusion.NOTHING_TO_JUDGE})


class UnansweredAudit(Frozen):
    """A record that lacks what the policy asks."""

    key: str
    repository: str
    head: str
    lacks: tuple[str, ...] = Field(min_length=1, description="What is not in the record, each in a few words.")


class Simulation(Frozen):
    """All records of a store under another policy."""

    version: str = SIMULATION_VERSION
    policy: AskedPolicy
    audits: tuple[SimulatedAudit, ...] = ()
    unanswered: tuple[UnansweredAudit, ...] = ()
    not_read: dict[str, str] = Field(default_factory=dict, description="Key of a record that was left out, and why.")

    def count(self, effect: Effect) -> int:
        """How many records it affects so."""
        return sum(each.effect is effect for each in self.audits)

    def with_effect(self, effect: Effect) -> tuple[SimulatedAudit, ...]:
        """The records that it affects so."""
        return tuple(each for each in self.audits if each.effect is effect)

    def unmet_demands(self) -> tuple[tuple[str, int], ...]:
        """The demands that would not be met, the most frequent first, each with its number of records."""
        found = Counter(demand.name for each in self.audits for demand in each.unmet)
        return tuple(sorted(found.items(), key=lambda each: (-each[1], each[0])))
