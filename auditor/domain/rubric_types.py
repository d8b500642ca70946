"""What is asked, of which evidence, and how strictly: the rubric's types. Reading YAML is `auditor.rubric_loader`'s work."""

from __future__ import annotations

import string
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from auditor.domain.frozen_model import Frozen
from auditor.domain.objection_consequence import Severity
from auditor.domain.objection_rules import ObjectionRules

IDENTIFIER = r"^[a-z][a-z0-9_]*$"
PROBE_ID = r"^[a-z_]+\.[a-z_]+$"


class Expect(StrEnum):
    """Is it good news that a probe finds something?"""

    FOUND = "found"
    NOT_FOUND = "not_found"


class Where(StrEnum):
    """Which code an expectation speaks of."""

    PRODUCT = "product"
    TESTS = "tests"
    ANYWHERE = "anywhere"


class Expectation(Frozen):
    """One probe that a criterion looks at, and what it should say."""

    probe: str = Field(pattern=PROBE_ID)
    expect: Expect
    weight: float = Field(default=1.0, gt=0, le=10)
    cap: float | None = Field(
        default=None,
        ge=1,
        le=5,
        description="Highest score while this is broken; what is broken in part, by `worst`, lies as much higher.",
    )
    severity: Severity = Severity.MEDIUM
    tolerance: float = Field(default=0.0, ge=0, le=1, description="A measure up to this still meets it.")
    worst: float | None = Field(
        default=None, gt=0, le=1, description="The measure that earns no credit; between it and tolerance: a part."
    )
    where: Where = Where.PRODUCT
    measured: bool = Field(
        default=False, description="What is found in part earns its measure against `worst`, not full credit."
    )

    @model_validator(mode="after")
    def _require_valid_measures(self) -> Self:
        if self.worst is not None and self.worst <= self.tolerance:
            raise ValueError("worst must lie above tolerance")
        if self.measured and (self.worst is None or self.expect is not Expect.FOUND):
            raise ValueError("measured needs `expect: found` and a worst to measure against")
        return self


class Criterion(Frozen):
    """One question of the rubric, scored 1 to 5."""

    id: str = Field(pattern=IDENTIFIER)
    title: str
    question: str
    weight: float = Field(default=1.0, gt=0, le=10)
    security: bool = False
    architecture: bool = False
    exhibits: bool = Field(
        default=False,
        description="May opinions rest on exhibits of the change? Then it needs a model, and may name no evidence.",
    )
    documents: bool = Field(
        default=False,
        description="May opinions cite the changed documents beside the evidence? Judges are shown them for such criteria alone.",
    )
    evidence: tuple[Expectation, ...] = ()
    levels: dict[int, str] = Field(description="What a score means, in words; 1, 3 and 5 at least.")

    @model_validator(mode="after")
    def _require_levels(self) -> Self:
        if not {1, 3, 5} <= set(self.levels) <= {1, 2, 3, 4, 5}:
            raise ValueError("levels must describe 1, 3 and 5, and nothing outside 1 to 5")
        return self

    @model_validator(mode="after")
    def _rests_on_something(self) -> Self:
        if not self.evidence and not self.exhibits:
            raise ValueError("evidence must name at least one probe, unless `exhibits: true` is set")
        return self


class Counts(StrEnum):
    """How a persona counts an expectation of which too little is known."""

    MET = "met"
    UNMET = "unmet"
    IGNORED = "ignored"
    AS_SEEN = "as_seen"
    AS_SURE = "as_sure"
    """For doubt alone: what should not be there costs as much as one is sure of it, and leaves no full score."""


class Rounding(StrEnum):
    """How a persona turns its share of credit into a whole score."""

    DOWN = "down"
    NEAREST = "nearest"
    UP = "up"


class Credit(StrEnum):
    """What a persona gives for an expectation that is broken in part."""

    NONE = "none"
    MEASURED = "measured"
    GENEROUS = "generous"


class Policy(Frozen):
    """How a persona of the embedded bench scores: a written rule, no chance in it."""

    unknown: Counts = Field(description="For expectations that nothing is known of.")
    doubt: Counts = Field(default=Counts.AS_SEEN, description="For evidence below `doubt_below`.")
    doubt_below: float = Field(default=0.7, ge=0, le=1)
    partial: Credit = Credit.MEASURED
    rounding: Rounding = Rounding.NEAREST
    severe_limit: int | None = Field(
        default=None, ge=1, le=5, description="Highest score while a severe expectation is broken."
    )
    slight_floor: int | None = Field(
        default=None,
        ge=1,
        le=5,
        description="Lowest score while nothing worse than a low-severity expectation is broken.",
    )
    spare_the_one: bool = Field(default=False, description="Give 1 only when not a single expectation earned credit.")

    @model_validator(mode="after")
    def _require_doubt_only(self) -> Self:
        if self.unknown is Counts.AS_SURE:
            raise ValueError("unknown: `as_sure` is for doubt alone, since of what is unknown nothing is sure")
        return self


_EVIDENCE_PLACEHOLDERS = frozenset({"seen", "where", "doubt"})
_PLACEHOLDERS = {
    "opening": frozenset({"met", "counted", "score"}),
    "broken": _EVIDENCE_PLACEHOLDERS,
    "credited": _EVIDENCE_PLACEHOLDERS,
    "unknown": frozenset({"question"}),
    "clean": frozenset({"seen"}),
    "more": frozenset({"count"}),
    "limit": frozenset({"limit"}),
}


class Voice(Frozen):
    """The sentences of a persona of the embedded bench. Words in braces are filled in from the evidence."""

    opening: str = Field(description="May use {met}, {counted} and {score}.")
    broken: str = Field(description="May use {seen}, {where} and {doubt}.")
    credited: str = Field(description="For what is broken and gets credit all the same; as `broken`.")
    unknown: str = Field(description="May use {question}.")
    clean: str = Field(description="Said when nothing is broken; may use {seen}.")
    more: str = Field(description="May use {count}: broken expectations beyond those listed.")
    limit: str = Field(default="", description="Said when a severe expectation limits the score; may use {limit}.")

    @model_validator(mode="after")
    def _require_known_placeholders(self) -> Self:
        for name, known in _PLACEHOLDERS.items():
            try:
                parsed = list(string.Formatter().parse(getattr(self, name)))
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error
            for _, field, form, conversion in parsed:
                if field is not None and (field not in known or form or conversion):
                    raise ValueError(f"{name}: {{{field}}} cannot be filled in; known: {', '.join(sorted(known))}")
        return self


class Persona(Frozen):
    """One judge: what it looks for and how much its opinion weighs."""

    id: str = Field(pattern=IDENTIFIER)
    title: str
    brief: str = Field(description="What this persona looks for, in one or two sentences.")
    weight: float = Field(gt=0, le=1)
    arbiter: bool = Field(default=False, description="Does its opinion decide where a rule needs an arbiter?")
    challenger: bool = Field(default=False, description="Does it argue against the change?")
    policy: Policy
    voice: Voice


class Rules(Frozen):
    """The numbers of the synthesis rules."""

    quorum: int = Field(
        default=2,
        ge=1,
        description="Opinions a criterion needs to have a score at all. A gate that passes by that score is still open while a missing opinion could fail it.",
    )
    confirmed: float = Field(default=0.8, ge=0, le=1, description="Confidence from which a violation is confirmed.")
    security_cap: float = Field(default=3.0, ge=1, le=5)
    praise_above: float = Field(default=3.0, ge=1, le=5, description="Opinions above it yield to contrary facts.")
    functional_from: float = Field(default=4.0, ge=1, le=5, description="Arbiter's score for functionality weight.")
    functional_share: float = Field(default=0.5, gt=0, lt=1, description="The arbiter's share then.")
    spread: float = Field(default=2.0, ge=0, le=4, description="A wider spread than this is a dispute.")
    open_cap: float = Field(
        default=4.9,
        ge=1,
        le=5,
        description="Highest score of a criterion while an expectation of medium severity or above is confirmed broken.",
    )
    margin: float = Field(
        default=0.2, ge=0, le=4, description="A score as near to its threshold as this is called close."
    )
    objections: ObjectionRules = ObjectionRules()


class ApprovalFor(StrEnum):
    """Whose changes need an approval."""

    NOBODY = "nobody"
    OUTSIDERS = "outsiders"
    """Authors who cannot write to the repository."""
    EVERYBODY = "everybody"


class GatePolicy(Frozen):
    """What the gate asks for. Nothing set means: report only, everything judged passes."""

    overall: float | None = Field(default=None, ge=1, le=5)
    criteria: dict[str, Annotated[float, Field(ge=1, le=5)]] = Field(
        default_factory=dict, description="Lowest score by criterion id."
    )
    no_new: Severity | None = Field(
        default=None, description="Fail on a confirmed violation of this severity or above inside the audited scope."
    )
    objections: Severity | None = Field(
        default=None,
        description="Fail on a standing objection of this severity or above; needs judges that read the change.",
    )
    approval_for: ApprovalFor | None = Field(
        default=None,
        description="Whose pull requests need an approval of the audited commit.",
    )


class Waiver(Frozen):
    """A decision of the base side to leave a criterion unjudged, or what it says of some files, with its reason."""

    criterion: str = Field(pattern=IDENTIFIER)
    path: str | None = Field(
        default=None,
        min_length=1,
        max_length=1000,
        description="Glob: what was found in these files does not count for the criterion. Without it all of the criterion is waived.",
    )
    reason: str = Field(min_length=1)
    until: str | None = Field(
        default=None, pattern=r"^\d{4}-\d{2}-\d{2}$", description="Last day, UTC.", examples=["2027-01-31"]
    )

    @field_validator("until")
    @classmethod
    def _require_valid_date(cls, until: str | None) -> str | None:
        if until is not None:
            date.fromisoformat(until)  # a ValueError of its own says what is wrong with it
        return until


class Term(Frozen):
    """A term that reports should explain, with every form it is written in, in whatever language."""

    id: str = Field(pattern=IDENTIFIER)
    title: str
    variants: tuple[Annotated[str, Field(min_length=2, max_length=100)], ...] = Field(min_length=1, max_length=100)


ClaimKind = Literal[
    "parallel",
    "structured_output",
    "deterministic",
    "temporary_clone",
    "cloning",
    "reducers",
    "uses_reducers",
    "retry",
    "tested",
]
"""What a report may claim of an agent system and the code can contradict."""


class ClaimWords(Frozen):
    """How reports claim something of the code, in whatever language.

    In a form, a blank stands for blanks, hyphens or underscores; `a|b` for either word; a star at the end of a word for
    any further letters; three dots for up to eighty characters of the same sentence.
    """

    id: ClaimKind
    forms: tuple[Annotated[str, Field(min_length=2, max_length=300)], ...] = Field(min_length=1, max_length=100)


class Papers(Frozen):
    """What is read beside code, and what is looked for in it."""

    reports: tuple[str, ...] = Field(
        default=(), description="Globs of reports in the repository, beside those given with `--report`."
    )
    terms: tuple[Term, ...] = Field(default=(), max_length=100)
    summaries: tuple[Annotated[str, Field(min_length=2)], ...] = Field(
        default=("summary", "abstract", "table of contents", "glossary", "references", "bibliography"),
        description="Words of headings under which naming a term explains nothing.",
    )
    claims: tuple[ClaimWords, ...] = Field(
        default=(), max_length=20, description="How reports claim what the code may contradict."
    )
    denials: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(
        default=(),
        max_length=300,
        description="Forms of words by which a sentence denies, doubts or plans instead of claiming.",
    )
    negations: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(
        default=(),
        max_length=300,
        description="Forms of words that deny what is claimed in the same part of a sentence, and nothing in its other parts.",
    )


class Rubric(Frozen):
    """A whole rubric."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: str
    about: str
    personas: tuple[Persona, ...] = Field(min_length=1)
    rules: Rules = Rules()
    gate: GatePolicy = GatePolicy()
    papers: Papers = Papers()
    criteria: tuple[Criterion, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _require_consistent_names(self) -> Self:
        for what, ids in (
            ("persona", [persona.id for persona in self.personas]),
            ("criterion", [criterion.id for criterion in self.criteria]),
        ):
            twice = sorted({each for each in ids if ids.count(each) > 1})
            if twice:
                raise ValueError(f"{what} {twice[0]!r} appears twice")
        if sum(persona.arbiter for persona in self.personas) != 1:
            raise ValueError("exactly one persona must be the arbiter")
        strangers = sorted(set(self.gate.criteria) - {criterion.id for criterion in self.criteria})
        if strangers:
            raise ValueError(f"gate.criteria names {strangers[0]!r}, which is not a criterion of this rubric")
        return self

    @property
    def arbiter(self) -> Persona:
        """The persona that decides disputes."""
        return next(persona for persona in self.personas if persona.arbiter)

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion of that id; KeyError when there is none."""
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(criterion_id)

    def probes(self) -> frozenset[str]:
        """Ids of all probes that some criterion looks at."""
        return frozenset(each.probe for criterion in self.criteria for each in criterion.evidence)
