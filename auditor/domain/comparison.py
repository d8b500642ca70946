"""What differs between two records, or between two folders of records."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, computed_field

from auditor.domain.audit_report import Subject
from auditor.domain.evidence import Location, Outcome
from auditor.domain.frozen_model import Frozen
from auditor.domain.objection import Objection
from auditor.domain.verdict import Conclusion, GateReason, Ruling

COMPARISON_VERSION = "1.0"
"""Schema version of a comparison as JSON."""


class Finding(Frozen):
    """One place of a piece of evidence, or a piece of evidence that names no place."""

    fingerprint: str = Field(description="`v1:` and 32 hexadecimal digits; each occurs once in a record.")
    probe: str
    evidence: str = Field(description="Id of the evidence it belongs to.")
    outcome: Outcome
    statement: str
    place: Location | None = None
    confidence: float = Field(ge=0, le=1)
    introduced: bool | None = None
    in_tests: bool = False
    waived: tuple[str, ...] = Field(default=(), description="Criteria for which it does not count.")
    measure: float | None = Field(default=None, description="Measure of its evidence, 0 to 1.")


class FindingField(StrEnum):
    """A property of a finding that can change while the finding stays."""

    OUTCOME = "outcome"
    CONFIDENCE = "confidence"
    INTRODUCED = "introduced"
    WAIVED = "waived"
    MEASURE = "measure"
    """Compared only where no place is named: of several places, those added and removed say more."""


class FindingChange(Frozen):
    """A finding of both records, and what about it changed."""

    before: Finding
    after: Finding
    changed: tuple[FindingField, ...] = Field(min_length=1)


class ProbeComparison(Frozen):
    """What one probe answered in the two records, about product code or about tests."""

    probe: str
    in_tests: bool
    before: tuple[Outcome, ...] = Field(description="Its outcomes, each once; empty when it gave no answer.")
    after: tuple[Outcome, ...]
    added: tuple[Finding, ...] = ()
    removed: tuple[Finding, ...] = ()
    changed: tuple[FindingChange, ...] = ()
    unchanged: int = Field(
        default=0, ge=0, description="Findings that are the same in both; an answer that nothing was seen is none."
    )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does an outcome or a finding differ?"""
        return bool(self.before != self.after or self.added or self.removed or self.changed)


class OpinionChange(Frozen):
    """The score of one judge for one criterion, where it changed. None is no opinion."""

    judge: str = Field(description="Persona id.")
    title: str
    before: int | None
    after: int | None


class CriterionComparison(Frozen):
    """How one criterion ended in the two records. None where the rubric of that record does not have it."""

    criterion: str
    title: str
    before: Ruling | None
    after: Ruling | None
    opinions: tuple[OpinionChange, ...] = ()

    @property
    def difference(self) -> float | None:
        """Score after less score before; None unless both were judged."""
        if self.before is None or self.after is None or self.before.score is None or self.after.score is None:
            return None
        return round(self.after.score - self.before.score, 1)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does the score, the status, the decision rule, a cap that lowered it, or an opinion differ?"""
        return _decision(self.before) != _decision(self.after) or bool(self.opinions)


def _decision(ruling: Ruling | None) -> tuple[object, ...] | None:
    if ruling is None:
        return None
    caps = sorted({each.cap for each in ruling.caps if each.lowered})
    return ruling.score, ruling.status, ruling.rule, caps


class DemandComparison(Frozen):
    """One demand of the gate in the two records. None where that gate does not ask for it."""

    demand: str
    before: GateReason | None
    after: GateReason | None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does its conclusion or its threshold differ?"""
        if self.before is None or self.after is None:
            return True
        return (self.before.conclusion, self.before.threshold) != (self.after.conclusion, self.after.threshold)


class ObjectionChange(Frozen):
    """An objection of both records whose state or severity changed."""

    before: Objection
    after: Objection


class ObjectionComparison(Frozen):
    """The objections of the two records, matched by their fingerprints."""

    added: tuple[Objection, ...] = ()
    removed: tuple[Objection, ...] = ()
    changed: tuple[ObjectionChange, ...] = ()
    unchanged: int = Field(default=0, ge=0)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does an objection differ?"""
        return bool(self.added or self.removed or self.changed)


class ComparedRecord(Frozen):
    """One of the two records: where it was read from, what it is about, how the audit ended."""

    name: str = Field(description="Path of the record as it was given.")
    subject: Subject
    schema_version: str
    rubric: str = Field(description="Id of the rubric.")
    rubric_digest: str
    bench: str
    tool_version: str
    conclusion: Conclusion
    overall: float | None


class Mismatch(StrEnum):
    """Something other than the audited code in which the records differ: results may differ because of it."""

    RUBRIC = "rubric"
    RUBRIC_TEXT = "rubric_text"
    """The same rubric id with another definition."""
    TEAM_ROWS = "team_rows"
    REPOSITORY = "repository"
    FOLDER = "folder"
    SCOPE = "scope"
    BENCH = "bench"
    TOOL_VERSION = "tool_version"


class RecordComparison(Frozen):
    """What differs between two records. Sentences, times and costs are not compared."""

    before: ComparedRecord
    after: ComparedRecord
    mismatches: tuple[Mismatch, ...] = ()
    criteria: tuple[CriterionComparison, ...]
    gate: tuple[DemandComparison, ...]
    probes: tuple[ProbeComparison, ...] = Field(description="Probes that both rubrics ask, changed or not.")
    only_before: tuple[str, ...] = Field(default=(), description="Probes that only the first record's rubric asks.")
    only_after: tuple[str, ...] = Field(default=(), description="Probes that only the second record's rubric asks.")
    objections: ObjectionComparison = ObjectionComparison()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def verdict_different(self) -> bool:
        """Does the conclusion, the overall score, a criterion or a demand of the gate differ?"""
        return (
            (self.before.conclusion, self.before.overall) != (self.after.conclusion, self.after.overall)
            or any(each.different for each in self.criteria)
            or any(each.different for each in self.gate)
        )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does the verdict, a finding or an objection differ?"""
        return self.verdict_different or any(each.different for each in self.probes) or self.objections.different


class RecordSetComparison(Frozen):
    """Pairs of records and what differs in each. Two single records are one pair."""

    schema_version: str = COMPARISON_VERSION
    pairs: tuple[RecordComparison, ...]
    only_before: tuple[str, ...] = Field(default=(), description="Records of the first folder without a partner.")
    only_after: tuple[str, ...] = Field(default=(), description="Records of the second folder without a partner.")
    not_read: tuple[str, ...] = Field(
        default=(), description="Why a JSON file of a folder was left out, one sentence each."
    )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def different(self) -> bool:
        """Does a pair differ, or has a record no partner?"""
        return any(each.different for each in self.pairs) or bool(self.only_before or self.only_after)
