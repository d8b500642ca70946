"""The whole record of an audit, as it is in `report.json`."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.approval_status import ApprovalStatus
from auditor.domain.evidence import Evidence
from auditor.domain.exhibit import Excerpt, Exhibit
from auditor.domain.frozen_model import Frozen
from auditor.domain.hearing_record import HearingRecord
from auditor.domain.objection import Objection
from auditor.domain.opinion import Abstention, Opinion
from auditor.domain.rubric_types import GatePolicy, Rubric, Waiver
from auditor.domain.sensitive_lines import SensitiveLines
from auditor.domain.verdict import Verdict

SCHEMA_VERSION = "1.7"


class Scope(StrEnum):
    """Which violations count: those the change brought in, or all of them."""

    INTRODUCED = "introduced"
    WHOLE_TREE = "whole_tree"


class Subject(Frozen):
    """What is audited. With no base, the whole tree is."""

    repository: str = Field(description="Name or address as the user gave it, without credentials.")
    head: str = Field(description="Commit SHA.")
    base: str | None = Field(default=None, description="Commit SHA the change is to be merged into.")
    merge_base: str | None = Field(default=None, description="Commit SHA the change started from.")
    scope: Scope
    folder: str = Field(default="", description="Sub-folder that the audit is limited to; empty for all.")
    unchanged: bool = Field(
        default=False,
        description="Has what is audited the same tree at the head as at every merge base? Since schema version 1.1.",
    )
    pull_request: int | None = None
    fork: bool | None = None
    approval_status: ApprovalStatus = Field(default=ApprovalStatus(), description="Since schema version 1.7.")


class Tool(Frozen):
    """What made the record."""

    name: str = "automaton-auditor"
    version: str
    python: str
    git: str
    bench: str = Field(description="Which bench was heard: `embedded` means that no model was asked.")
    libraries: dict[str, str] = Field(default_factory=dict)


class TeamRowsRecord(Frozen):
    """Rows that the trusted commit adds to the tables of what is known of libraries and tools."""

    digest: str = Field(description="SHA-256 of the topics and contents of the files.")
    files: tuple[str, ...] = Field(description="Where each file was read, as `base:<path>`.")
    rows: int
    harmless_calls: tuple[str, ...] = Field(
        default=(), description="Functions whose result counts as harmless for some rules, which then report less."
    )
    generated_notices: tuple[str, ...] = Field(
        default=(),
        description="Texts by which a file counts as generated, so that it is not counted as written by hand.",
    )


class RubricRecord(Frozen):
    """The rubric as it was applied, whole, so that a replay needs nothing else."""

    id: str
    origin: str = Field(description="`built-in`, a path, or `base:<path>` when read from the base commit.")
    digest: str = Field(description="SHA-256 of the definition.")
    definition: Rubric
    gate: GatePolicy = Field(description="The gate in force after configuration and options.")
    gate_origin: dict[str, str] = Field(default_factory=dict, description="Where each demand comes from.")
    waivers: tuple[Waiver, ...] = Field(default=(), description="Those in force when the audit ran.")
    config_digest: str | None = Field(default=None, description="SHA-256 of the base-side configuration, if any.")
    team_rows: TeamRowsRecord | None = Field(
        default=None, description="The team's own rows that were in force, if any. Since schema version 1.5."
    )


class FileStatus(StrEnum):
    """How far a file was looked into."""

    ANALYSED = "analysed"
    """A grammar read it, and every question about its language was asked."""
    PARTIAL = "partial"
    TEXT = "text"
    """It was read as text: questions about text were asked, those about code were not. Since schema version 1.4."""
    UNAVAILABLE = "unavailable"
    NOT_APPLICABLE = "not_applicable"
    EXCLUDED = "excluded"


_INCOMPLETE = frozenset({FileStatus.UNAVAILABLE, FileStatus.PARTIAL, FileStatus.EXCLUDED})


class FileCoverage(Frozen):
    """One file and what became of it. `reason` is empty only for `analysed`."""

    path: str
    status: FileStatus
    reason: str = ""
    unparsed_language: str = Field(
        default="", description="Title of the programming language of a file read as text. Since schema version 1.4."
    )

    @property
    def is_incomplete(self) -> bool:
        """Was less than its code looked into: not read, read in part, excluded, or code read as text?"""
        return bool(self.unparsed_language) or self.status in _INCOMPLETE


class Coverage(Frozen):
    """Every file in scope: all of the tree, or all that the change touches."""

    files: tuple[FileCoverage, ...] = ()
    complete: bool = Field(default=True, description="False when a limit kept files off the list.")
    limit_reason: str = ""

    def count(self, status: FileStatus) -> int:
        """How many files ended so."""
        return sum(file.status is status for file in self.files)


class Attempt(Frozen):
    """One request to a model: what came back, what it took. Failed ones are counted too."""

    judge: str
    round: int = Field(ge=1, le=2, description="1 for the hearing, 2 for the re-hearing.")
    number: int = Field(ge=1)
    asked: str = Field(description="Model that was asked for.")
    answered: str = Field(default="", description="Model that answered, by its own account.")
    request_id: str = ""
    outcome: str = Field(description="`ok`, or why there is no usable answer.")
    stop_reason: str = ""
    input_tokens: int = Field(default=0, description="Neither read from the cache nor written to it.")
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = Field(default=0, description="Thinking included.")
    thinking_tokens: int = 0
    usd: float | None = Field(default=None, description="Null when the model's price is not known.")
    seconds: float = 0.0


class Cost(Frozen):
    """What the judges used up. All zero for the embedded bench."""

    model_calls: int = 0
    input_tokens: int = Field(default=0, description="All of them, cached or not.")
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    usd: float | None = Field(default=0.0, description="Null when a model's price is not known.")
    reused: int = Field(default=0, description="Answers taken from the store instead of asking again.")
    reused_usd: float | None = Field(
        default=0.0, description="What those answers cost when they were given; null when a price is not known."
    )
    replayed: bool = Field(default=False, description="Were the answers taken from a record?")
    attempts: tuple[Attempt, ...] = ()


class Timings(Frozen):
    """When it ran and how long each step took; differs between runs."""

    started_at: str = ""
    seconds: dict[str, float] = Field(default_factory=dict)
    git_processes: int = 0
    cached_files: int = 0


class AuditReport(Frozen):
    """The whole record. All that may differ between two runs is in `cost` and `timings`."""

    schema_version: str = SCHEMA_VERSION
    tool: Tool
    subject: Subject
    rubric: RubricRecord
    coverage: Coverage
    evidence: tuple[Evidence, ...]
    exhibits: tuple[Exhibit, ...] = Field(
        default=(), description="What the judges read of the change. Since schema version 1.2."
    )
    excerpts: tuple[Excerpt, ...] = Field(
        default=(), description="Code around findings, for readers of the report. Since schema version 1.5."
    )
    sensitive_lines: SensitiveLines = Field(
        default=SensitiveLines(),
        description="Lines that the change adds or removes and a reader looks at first, those of findings left out. They are no findings. Since schema version 1.6.",
    )
    opinions: tuple[Opinion, ...]
    objections: tuple[Objection, ...] = Field(
        default=(),
        description="Defects that judges saw in the change, with the votes on them. Since schema version 1.2.",
    )
    abstentions: tuple[Abstention, ...]
    hearing: HearingRecord = HearingRecord()
    verdict: Verdict
    cost: Cost = Cost()
    timings: Timings = Timings()
