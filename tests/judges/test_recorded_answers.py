"""Answers heard again: from a record, byte for byte and without a network; from a folder, without being asked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from auditor.domain import AuditReport, UserError
from auditor.judges.bench_factory import BenchSettings, make_bench
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.judges.judge_panel import ClientFactory
from auditor.judges.recorded_answers import FolderAnswerStore, RecordAnswerStore, today
from auditor.report.markdown_report import markdown
from auditor.report.report_json import from_json, to_json
from auditor.synthesis import replay
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.judges.test_rehearing import APART, audit, disputing, second

MODEL = "claude-sonnet-5-5"


def no_network() -> Any:
    raise AssertionError("somebody was asked")


def recorded(model: Standin | None = None) -> AuditReport:
    return audit(ClaudeBench(Options(model=MODEL), (model or disputing(APART, {"prosecutor": 4})).connect()))


def again(report: AuditReport, **options: Any) -> AuditReport:
    memory = RecordAnswerStore(from_json(to_json(report)), "report.json")
    return audit(ClaudeBench(Options(**{"model": MODEL, **options}), no_network, memory))


def lasting(report: AuditReport) -> str:
    """The record without what may differ from run to run."""
    return to_json(
        report.model_copy(update={"cost": report.cost.model_copy(update={"attempts": ()}), "timings": report.timings})
    ).split('"cost"')[0]


def refusing(body: Body) -> Says:
    if judge(body) == "defense":
        return Says(stop="refusal")
    return Says(good(body, 1 if judge(body) == "prosecutor" and not second(body) else 5))


@pytest.mark.parametrize(
    "model",
    [
        lambda: disputing(APART, {"prosecutor": 4}),
        lambda: disputing(APART, {"prosecutor": 1}),
        lambda: Standin(refusing),
        lambda: Standin(lambda _body: Says(stop="refusal")),
        lambda: Standin(lambda body: Says(stop="refusal") if second(body) else disputing(APART, {}).answers(body)),
    ],
    ids=["agreed", "stayed apart", "one refused", "all refused", "the second round failed"],
)
def test_a_recorded_run_is_heard_again_byte_for_byte_with_the_network_off(model: Callable[[], Standin]) -> None:
    first = recorded(model())
    second_run = again(first)
    assert lasting(second_run) == lasting(first)
    assert second_run.cost.replayed
    assert second_run.cost.model_calls == 0
    assert "come from a record" in markdown(second_run)
    assert replay(second_run).same


def edited(report: AuditReport, change: Callable[[dict[str, Any]], None]) -> AuditReport:
    plain = json.loads(to_json(report))
    change(plain)
    return from_json(json.dumps(plain))


def better(plain: dict[str, Any]) -> None:
    plain["opinions"][0]["score"] = 5


def milder(plain: dict[str, Any]) -> None:
    plain["hearing"]["superseded"][0]["score"] = 3


def dropped(plain: dict[str, Any]) -> None:
    plain["opinions"] = plain["opinions"][1:]


def renamed(plain: dict[str, Any]) -> None:
    for each in plain["hearing"]["answers"]:
        each["judge"] = "tech_lead"


def test_a_record_whose_judges_were_exchanged_is_refused() -> None:
    """[T36]"""
    with pytest.raises(UserError, match="record of another audit"):
        again(edited(recorded(), renamed))


def added(plain: dict[str, Any]) -> None:
    plain["opinions"].append({**plain["opinions"][0], "question": "0" * 64})


@pytest.mark.parametrize("change", [better, milder, dropped, added])
def test_a_record_that_was_changed_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    """[T36]"""
    with pytest.raises(UserError, match=r"report\.json was edited"):
        again(edited(recorded(), change))


def test_an_abstention_cannot_be_made_an_answer() -> None:
    """[T36]"""
    with pytest.raises(UserError, match=r"report\.json was edited"):
        again(edited(recorded(Standin(refusing)), lambda plain: excused_of(plain, "defense")))


def excused_of(plain: dict[str, Any], who: str) -> None:
    for each in plain["hearing"]["answers"]:
        if each["judge"] == who:
            each["cause"], each["reason"] = None, ""


@pytest.mark.parametrize("options", [{"model": "claude-opus-5-5"}, {"effort": "high"}, {"instructions": "Be kind."}])
def test_a_record_of_other_questions_is_refused(options: dict[str, Any]) -> None:
    """[T36]"""
    with pytest.raises(UserError, match="record of another audit"):
        again(recorded(), **options)


def test_a_record_without_a_model_has_nothing_to_be_heard() -> None:
    with pytest.raises(UserError, match="no answers of a model"):
        RecordAnswerStore(audit(EmbeddedBench()), "report.json")
    with pytest.raises(UserError, match="remove --judges embedded"):
        make_bench(BenchSettings(judges="embedded", record=(recorded(), "report.json")), {})


def kept(folder: Path, connect: ClientFactory) -> AuditReport:
    return audit(ClaudeBench(Options(model=MODEL), connect, FolderAnswerStore(folder)))


def test_the_same_evidence_is_judged_once_however_often_it_is_pushed(tmp_path: Path) -> None:
    """[T37]"""
    model = disputing(APART, {"prosecutor": 4})
    first = kept(tmp_path, model.connect())
    for _ in range(50):
        report = kept(tmp_path, no_network)
    assert len(model.asked) == 4
    assert report.cost.model_calls == 0
    assert report.cost.reused == 4
    assert report.verdict == first.verdict
    assert lasting(report) == lasting(first)


def test_only_what_is_missing_is_asked_for(tmp_path: Path) -> None:
    flaky = Standin(lambda body: Says(stop="refusal") if judge(body) == "defense" else Says(good(body)))
    kept(tmp_path, flaky.connect())
    model = Standin(lambda body: Says(good(body)))
    report = kept(tmp_path, model.connect())
    assert [judge(each) for each in model.asked] == ["defense"]
    assert (report.cost.reused, report.cost.model_calls) == (2, 1)
    assert "Besides, 2 answers that were given to the same evidence before, for 0." in markdown(report)


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", b"[" * 100_000])
def test_a_damaged_answer_is_asked_for_again(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path, Standin(lambda body: Says(good(body))).connect())
    for file in tmp_path.glob("*.json"):
        file.write_bytes(damage)
    model = Standin(lambda body: Says(good(body)))
    kept(tmp_path, model.connect())
    assert len(model.asked) == 3


def test_a_pipe_or_a_device_in_the_place_of_an_answer_is_not_waited_for(tmp_path: Path) -> None:
    kept(tmp_path, Standin(lambda body: Says(good(body))).connect())
    for number, file in enumerate(sorted(tmp_path.glob("*.json"))):
        file.unlink()
        os.mkfifo(file) if number else file.symlink_to("/dev/zero")
    model = Standin(lambda body: Says(good(body)))
    kept(tmp_path, model.connect())
    assert len(model.asked) == 3


def test_an_edited_or_exchanged_answer_is_asked_for_again(tmp_path: Path) -> None:
    """[T36]"""
    kept(tmp_path, Standin(lambda body: Says(good(body, 2))).connect())
    one, other, third = sorted(tmp_path.glob("*.json"))
    one.write_text(one.read_text().replace('"score":2', '"score":5'))
    other.write_bytes(third.read_bytes())
    model = Standin(lambda body: Says(good(body, 2)))
    report = kept(tmp_path, model.connect())
    assert len(model.asked) == 2
    assert {each.score for each in report.opinions} == {2}


def test_an_old_answer_is_asked_for_again(tmp_path: Path) -> None:
    kept(tmp_path, Standin(lambda body: Says(good(body))).connect())
    model, later = Standin(lambda body: Says(good(body))), today() + timedelta(days=31)
    audit(ClaudeBench(Options(model=MODEL), model.connect(), FolderAnswerStore(tmp_path, later)))
    assert len(model.asked) == 3


def test_the_folder_is_private_and_may_be_impossible(tmp_path: Path) -> None:
    kept(tmp_path / "answers", Standin(lambda body: Says(good(body))).connect())
    assert (tmp_path / "answers").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    report = kept(tmp_path / "file" / "answers", Standin(lambda body: Says(good(body))).connect())
    assert report.cost.model_calls == 3
