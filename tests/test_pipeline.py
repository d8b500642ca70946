"""The five steps with collaborators of our own: who is given what, and what ends up on the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

from auditor import pipeline
from auditor.domain import (
    NO_DOSSIER,
    Abstention,
    AuditReport,
    Cause,
    CodeLocation,
    Conclusion,
    Coverage,
    Dossier,
    Evidence,
    Excerpt,
    Exhibit,
    ExhibitLine,
    GatePolicy,
    Rubric,
    RulingStatus,
    Scope,
    Subject,
)
from auditor.forensics.engine.evidence_gathering import GatheredEvidence
from auditor.judges.bench_interface import Hearing, SourceReader
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.judges.image_classification import PictureFinder
from auditor.report.secret_redaction import redact_evidence
from auditor.synthesis import Dispute, MergedObjection
from tests.verdicts import criterion, evidence, expectation, rubric

SUBJECT = Subject(repository="drawn", head="a" * 40, scope=Scope.WHOLE_TREE)
GROUND = SimpleNamespace(git_version="2.50.0", git_processes=3)
SMALL = rubric(criterion(expectation("code.x"), expectation("code.y", "found")))


@dataclass
class Silent:
    """A bench on which every judge refuses; it remembers what it was shown."""

    name: str = "silent"
    shown: list[Evidence] = field(default_factory=list)

    def exhibit_tokens(self, rubric: Rubric) -> None:
        return None

    def hear(
        self,
        rubric: Rubric,
        evidence: tuple[Evidence, ...],
        scope: Scope,
        advice: Mapping[str, str],
        dossier: Dossier = NO_DOSSIER,
    ) -> Hearing:
        self.shown.extend(evidence)
        refusals = tuple(
            Abstention(criterion=each.id, judge=persona.id, cause=Cause.REFUSED, reason="It said no.")
            for each in rubric.criteria
            for persona in rubric.personas
        )
        return Hearing(opinions=(), abstentions=refusals)

    def look(self, evidence: tuple[Evidence, ...], pictures: PictureFinder) -> tuple[Evidence, ...]:
        return evidence

    def rehear(
        self,
        hearing: Hearing,
        disputes: tuple[Dispute, ...],
        source: SourceReader,
        objections: tuple[MergedObjection, ...] = (),
        served: tuple[Exhibit, ...] = (),
    ) -> Hearing:
        raise AssertionError("where nobody has an opinion there is nothing to hear again")


def audit(seen: Iterable[Evidence], bench: Silent | EmbeddedBench, asked: list[str] | None = None) -> AuditReport:
    def gather(_subject: Subject, probes: Iterable[str]) -> GatheredEvidence:
        (asked if asked is not None else []).extend(sorted(probes))
        return GatheredEvidence(evidence=tuple(seen), coverage=Coverage())

    charge = pipeline.AppliedRubric(
        rubric=SMALL, rubric_origin="built-in", rubric_digest="d", gate=GatePolicy(overall=3), gate_origin={}
    )
    steps = pipeline.Steps(gather=gather, redact=redact_evidence, bench=bench)
    return pipeline.audit(GROUND, SUBJECT, charge, steps)


def test_the_probes_of_the_rubric_are_asked_and_no_others() -> None:
    asked: list[str] = []
    audit([], EmbeddedBench(), asked)
    assert asked == ["code.x", "code.y"]


def test_a_judge_is_shown_no_secret() -> None:
    token = "ghp_" + "a1B2" * 9
    bench = Silent()
    place = CodeLocation(path="a.py", start=1, end=1, quote=f"TOKEN = {token!r}")
    report = audit([evidence(locations=(place,))], bench)
    assert token not in repr(bench.shown)
    assert token not in report.model_dump_json()


def test_judges_that_all_refuse_leave_evidence_on_the_record_and_the_gate_inconclusive() -> None:
    report = audit([evidence()], Silent())
    assert [each.id for each in report.evidence] == ["code.x#1"]
    assert len(report.abstentions) == 3
    assert [each.status for each in report.verdict.rulings] == [RulingStatus.INCONCLUSIVE]
    assert report.verdict.conclusion is Conclusion.INCONCLUSIVE


def test_no_evidence_at_all_is_no_pass() -> None:
    assert audit([], EmbeddedBench()).verdict.conclusion is Conclusion.INCONCLUSIVE


def test_the_record_tells_who_was_heard_and_how_long_each_step_took() -> None:
    report = audit([evidence()], EmbeddedBench())
    assert (report.tool.bench, report.tool.git, report.timings.git_processes) == ("embedded", "2.50.0", 3)
    assert list(report.timings.seconds) == ["evidence", "dossier", "opinions", "excerpts", "sensitive_lines", "verdict"]


def test_excerpts_are_asked_for_what_breaks_an_expectation_alone() -> None:
    asked: list[str] = []

    def show(findings: Sequence[Evidence], seen: Sequence[Evidence]) -> tuple[Excerpt, ...]:
        asked.extend(each.id for each in findings)
        return (Excerpt(path="a.py", lines=(ExhibitLine(number=1, text=f"{len(seen)} seen"),)),)

    found = (evidence("code.x"), evidence("code.y"))
    applied = pipeline.AppliedRubric(SMALL, "built-in", "d", GatePolicy(), {})
    steps = pipeline.Steps(
        gather=lambda _subject, _probes: GatheredEvidence(evidence=found, coverage=Coverage()),
        redact=redact_evidence,
        bench=EmbeddedBench(),
        excerpts=show,
    )
    report = pipeline.audit(GROUND, SUBJECT, applied, steps)
    assert asked == ["code.x#1"]
    assert report.excerpts[0].lines[0].text == "2 seen"


def test_only_a_base_makes_old_violations_not_count() -> None:
    assert pipeline.scope_of(None, whole_tree=False) is Scope.WHOLE_TREE
    assert pipeline.scope_of("a" * 40, whole_tree=False) is Scope.INTRODUCED
    assert pipeline.scope_of("a" * 40, whole_tree=True) is Scope.WHOLE_TREE
