"""A dispute: the outliers are asked once more, with the source of what they cited, and never a third time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NoReturn

import pytest

from auditor import pipeline
from auditor.domain import AuditReport, Conclusion, Coverage, GatePolicy, Rule, Scope, Side, Subject
from auditor.forensics.engine.evidence_gathering import GatheredEvidence
from auditor.judges import prompt
from auditor.judges.bench_interface import Bench, SourceReader
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.judges.model_budget import Budget
from auditor.judges.recorded_answers import RecordAnswerStore
from auditor.report.bench_description import judged_by
from auditor.report.secret_redaction import redact_evidence
from auditor.synthesis import find_disputes
from auditor.synthesis.verdict_replay import replay
from tests.judges.cases import ADVICE, SEEN, SMALL, place
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.verdicts import criterion, evidence, expectation, opinions, rubric

FILES = {"src/run.py": "import subprocess\n\nKEY = 'ghp_" + "a1B2" * 9 + "'\nsubprocess.run(command, shell=True)\n"}


LENIENT = GatePolicy(overall=1)


def source(path: str, side: Side) -> str | None:
    assert side is Side.HEAD
    return FILES.get(path)


def audit(bench: Bench, open_file: SourceReader = source, gate: GatePolicy = LENIENT) -> AuditReport:
    ground = SimpleNamespace(git_version="2.50.0", git_processes=0)
    subject = Subject(repository="drawn", head="a" * 40, scope=Scope.WHOLE_TREE)
    charge = pipeline.AppliedRubric(
        rubric=SMALL, rubric_origin="built-in", rubric_digest="d", gate=gate, gate_origin={}
    )
    steps = pipeline.Steps(
        gather=lambda _subject, _probes: GatheredEvidence(evidence=SEEN, coverage=Coverage(), advice=ADVICE),
        redact=redact_evidence,
        bench=bench,
        source=open_file,
    )
    return pipeline.audit(ground, subject, charge, steps)


def second(body: Body) -> bool:
    return "# Second look" in body["messages"][0]["content"][1]["text"]


def disputing(first: dict[str, int], then: dict[str, int]) -> Standin:
    """Judges that lie apart on safety, and what they say when they are heard again."""

    def answers(body: Body) -> Says:
        who = judge(body)
        return Says(good(body, {"safety": then[who] if second(body) else first[who], "errors": 4}))

    return Standin(answers)


def claude(model: Standin, **options: object) -> ClaudeBench:
    return ClaudeBench(Options(model="claude-sonnet-5-5", **options), model.connect())  # type: ignore[arg-type]


APART = {"prosecutor": 1, "defense": 5, "tech_lead": 5}


def test_the_outlier_alone_is_asked_again_on_the_dispute_alone() -> None:
    model = disputing(APART, {"prosecutor": 4})
    report = audit(claude(model))
    assert [(judge(each), second(each)) for each in model.asked] == [
        ("prosecutor", False), ("defense", False), ("tech_lead", False), ("prosecutor", True),
    ]  # fmt: skip
    assert report.cost.model_calls == 4
    assert [(each.judge, each.score) for each in report.opinions if each.criterion == "safety"] == [
        ("prosecutor", 4), ("defense", 5), ("tech_lead", 5),
    ]  # fmt: skip
    assert [(each.judge, each.score) for each in report.hearing.superseded] == [("prosecutor", 1)]
    assert report.verdict.rulings[0].rule is Rule.WEIGHTED_AVERAGE


def test_a_line_in_which_a_probe_saw_a_secret_of_any_form_is_not_shown() -> None:
    """What is taken out of texts by their form may know fewer forms than the probe that looks for secrets."""
    content = "first = 1\ncode = 'Xk9-vault-Qm3-eleven'\nsubprocess.run(command, shell=True)\n"
    secret = evidence("secrets.committed", locations=(place("src/run.py", 2, "code = '[generic not shown]'"),))
    model = disputing(APART, {"prosecutor": 1})
    bench = claude(model)
    seen = (*SEEN, secret)
    hearing = bench.hear(SMALL, seen, Scope.WHOLE_TREE, ADVICE)
    bench.rehear(
        hearing, find_disputes(SMALL, seen, hearing.opinions), lambda path, _side: {"src/run.py": content}.get(path)
    )
    turn = model.asked[-1]["messages"][0]["content"][1]["text"]
    assert "1| first = 1\n2| ⟨a line with a secret, not shown⟩\n3| subprocess.run(command, shell=True)" in turn
    assert "vault" not in str(model.asked)


def test_it_sees_the_whole_source_of_what_it_cited_without_secrets_and_nobodys_opinion() -> None:
    model = disputing(APART, {"prosecutor": 1})
    audit(claude(model))
    turn = model.asked[-1]["messages"][0]["content"][1]["text"]
    assert "P| src/run.py\n1| import subprocess\n2| \n3| KEY = '[redacted GitHub token" in turn
    assert "4| subprocess.run(command, shell=True)" in turn
    assert "ghp_" not in turn
    assert "Seen by" not in turn
    assert model.asked[-1]["messages"][0]["content"][0] == model.asked[0]["messages"][0]["content"][0]
    assert model.asked[-1]["output_config"] == model.asked[0]["output_config"]


def test_there_is_no_third_round() -> None:
    model = disputing({"prosecutor": 1, "defense": 5, "tech_lead": 3}, {"prosecutor": 1, "defense": 5})
    report = audit(claude(model))
    assert len(model.asked) == 5
    assert report.verdict.rulings[0].rule is Rule.VARIANCE_RE_EVALUATION
    assert report.verdict.rulings[0].dissent


def test_a_second_hearing_that_fails_leaves_the_first_opinion_and_says_so() -> None:
    first = disputing(APART, {})
    model = Standin(lambda body: Says(stop="refusal") if second(body) else first.answers(body))
    report = audit(claude(model))
    assert [each.score for each in report.opinions if each.judge == "prosecutor"] == [1, 4]
    assert report.abstentions == ()
    assert [each.cause for each in report.hearing.answers if each.round == 2] == ["refused"]


def test_both_rounds_are_paid_from_one_budget() -> None:
    def wordy(body: Body) -> Says:
        return Says(good(body, {"safety": APART[judge(body)], "errors": 4}, argument="So it is. " * 160))

    whole = audit(claude(Standin(wordy), answer_tokens=1_000))
    assert whole.cost.model_calls == 4
    bound = sum(
        each.input_tokens + each.cache_write_tokens + each.cache_read_tokens + 1_000 for each in whole.cost.attempts[:3]
    )
    tight = audit(claude(Standin(wordy), answer_tokens=1_000, budget=Budget(tokens=bound + 100)))
    assert tight.cost.model_calls == 3
    assert [each.cause for each in tight.hearing.answers if each.round == 2] == ["over_budget"]


def test_files_that_cannot_be_read_or_do_not_fit_are_counted() -> None:
    model = disputing(APART, {"prosecutor": 4})
    audit(claude(model), lambda _path, _side: None)
    assert "cannot be read: 2 of the cited files" in model.asked[-1]["messages"][0]["content"][1]["text"]


def test_the_embedded_bench_says_what_it_said() -> None:
    bench = EmbeddedBench()
    hearing = bench.hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)
    assert bench.rehear(hearing, (), source) == hearing


@pytest.mark.parametrize(
    ("scores", "outliers"),
    [
        ((1, 3, 5), ("prosecutor", "defense", "tech_lead")),
        ((1, 4, 5), ("prosecutor",)),
        ((2, 5, 5), ("prosecutor",)),
        ((1, 1, 5), ("tech_lead",)),
        ((1, 5, None), ("prosecutor", "defense")),
        ((2, 4, 4), None),
        ((1, None, None), None),
    ],
)
def test_outliers_are_those_far_from_the_middle(
    scores: tuple[int | None, ...], outliers: tuple[str, ...] | None
) -> None:
    seen = (SEEN[0].model_copy(update={"statement": "X was seen."}),)
    found = find_disputes(rubric(criterion(expectation())), seen, opinions(*scores))
    if outliers is None:
        assert found == ()
    else:
        expected = tuple(each for each in outliers if not (scores == (1, 3, 5) and each == "defense"))
        assert found[0].outliers == expected


def test_an_opinion_without_a_standing_citation_makes_no_dispute() -> None:
    apart = opinions(None, 5, 5) + opinions(1, quote="not to be found")
    assert find_disputes(rubric(criterion(expectation())), SEEN[:1], apart) == ()


def test_who_falters_in_the_second_round_does_not_take_the_first_opinion_back() -> None:
    """Else the sternest judge, once talked into words that stand nowhere, would leave the others' praise alone."""

    def answers(body: Body) -> Says:
        scores = {"safety": {"prosecutor": 1, "defense": 5, "tech_lead": 4}[judge(body)], "errors": 4}
        return Says(good(body, scores, citations=INVENTED) if second(body) else good(body, scores))

    report = audit(claude(Standin(answers)))
    ruling = report.verdict.rulings[0]
    assert [(each.judge, each.score) for each in report.opinions if each.criterion == "safety"] == [
        ("prosecutor", 1), ("defense", 5), ("tech_lead", 4),
    ]  # fmt: skip
    assert (ruling.rule, ruling.score) == (Rule.VARIANCE_RE_EVALUATION, 4.0)
    assert [each.citations[0].quote for each in report.hearing.superseded] == ["all is well here"]
    again = ClaudeBench(Options(model="claude-sonnet-5-5"), nobody, RecordAnswerStore(report, "report.json"))
    assert audit(again).verdict == report.verdict


INVENTED = [{"evidence": "code.x#1", "quote": "all is well here", "path": "", "line": None}]


def nobody() -> NoReturn:
    raise AssertionError("a record is heard, nobody is asked")


def test_the_second_look_shows_what_belongs_to_what() -> None:
    text = prompt.render_rehearing({"a.py": "if safe:\n    run()\n\telse_()\n \t \n"}, 1_000)
    assert "\n1| if safe:\n2|     run()\n3|     else_()\n4| \n" in text


def test_every_surface_says_who_gave_no_answer_and_why() -> None:
    def down(judges: tuple[str, ...]) -> AuditReport:
        refused = Says(status=401, error={"type": "error", "error": {"type": "authentication_error", "message": "no"}})
        return audit(claude(Standin(lambda body: refused if judge(body) in judges else Says(good(body)))))

    one, all_ = judged_by(down(("prosecutor",))), judged_by(down(("prosecutor", "defense", "tech_lead")))
    why = "The service refused the request (authentication_error, HTTP 401): it does not accept the key."
    assert one.startswith("Judged by the claude bench: 3 requests")
    assert f"Prosecutor gave no usable answer (unavailable). {why}" in one
    assert all_.startswith("No opinion came from the claude bench: 3 requests")
    assert all_.endswith(f"No judge gave a usable answer (unavailable). {why}")


@pytest.mark.parametrize("faltering", ["refused", "invented"])
def test_praise_that_nobody_could_confirm_when_heard_again_buys_no_pass(faltering: str) -> None:
    """Whole files are shown only then, so text in them could make a judge falter that would have sunk."""
    first = {"prosecutor": 2, "defense": 2, "tech_lead": 5}

    def answers(body: Body) -> Says:
        if second(body) and judge(body) == "tech_lead":
            if faltering == "refused":
                return Says(stop="refusal")
            return Says(good(body, {"safety": 2, "errors": 4}, citations=INVENTED))
        return Says(good(body, {"safety": first[judge(body)], "errors": 4}))

    gate = GatePolicy(criteria={"safety": 4})
    report = audit(claude(Standin(answers)), gate=gate)
    (reason,) = (each for each in report.verdict.gate.reasons if each.demand == "criteria.safety")
    assert (report.verdict.rulings[0].score, report.verdict.conclusion) == (5.0, Conclusion.INCONCLUSIVE)
    assert reason.sentence == (
        "The Tech Lead gave no usable answer when heard again: with a 1 from them Safety would have 1.6 "
        "in place of 5.0, below 4.0."
    )
    assert replay(report).same
    heard = audit(claude(disputing(first, {"tech_lead": 2})), gate=gate)
    assert heard.verdict.conclusion is Conclusion.FAILED
    stays = audit(claude(disputing(first, {"tech_lead": 5})), gate=gate)
    assert stays.verdict.conclusion is Conclusion.PASSED
    assert stays.hearing.unconfirmed == ()


def test_every_surface_says_when_the_budget_kept_anybody_from_being_asked() -> None:
    told = judged_by(audit(claude(disputing(APART, APART), budget=Budget(tokens=20_000))))
    assert told.startswith("No opinion came from the claude bench. No judge gave a usable answer (over budget).")
    assert "Nobody was asked: it may take" in told
    small = judged_by(audit(claude(disputing(APART, APART), evidence_tokens=1)))
    assert "more than the 1 allowed for evidence" in small
    assert "The judges saw" not in small


def test_a_judge_that_falters_when_heard_again_is_named() -> None:
    model = Standin(
        lambda body: (
            Says(stop="refusal") if second(body) else Says(good(body, {"safety": APART[judge(body)], "errors": 4}))
        )
    )
    told = judged_by(audit(claude(model)))
    assert told.startswith("Judged by the claude bench: 4 requests")
    assert "Prosecutor gave no usable answer when heard again (refused). The model refused to answer." in told
