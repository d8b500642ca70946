"""The whole way over a real socket: the command, the SDK, a stand-in server on loopback, and the record heard again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Fail, Match, Reply, StreamFault

from auditor.cli import INCONCLUSIVE, MISTAKE, PASSED, run
from auditor.judges.bench_factory import BenchSettings, make_bench
from tests.judges.cases import ADVICE, SEEN, SMALL
from tests.repos import Drawing

MODEL = "claude-sonnet-5-5"
BY_JUDGE = {"prosecutor": "claude-opus-5-5", "defense": "claude-haiku-5-5", "tech_lead": MODEL}


def answer(score: int = 4, criteria: tuple[str, ...] = ("safety", "errors")) -> str:
    cited = [{"evidence": each.id, "quote": each.statement, "path": "", "line": None} for each in SEEN]
    return json.dumps(
        {
            "opinions": [
                {"criterion": each, "argument": "It is so.", "citations": cited, "remediation": [], "score": score}
                for each in criteria
            ]
        }
    )


def settings(llmock: LLMock, **more: Any) -> BenchSettings:
    return BenchSettings(**{"judges": "claude", "base_url": llmock.base_url("anthropic"), "seconds": 4.0, **more})


def hear(llmock: LLMock, **more: Any) -> Any:
    from auditor.domain import Scope

    judges = make_bench(settings(llmock, **more), {"ANTHROPIC_API_KEY": "test-key"})
    return judges.hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)


def test_three_judges_are_heard_over_a_socket(llmock: LLMock) -> None:
    llmock.reply(answer(), times=None)
    hearing = hear(llmock)
    assert len(hearing.opinions) == 6
    asked = [each for each in llmock.requests if each.path.endswith("/messages")]
    assert len(asked) == 3
    assert asked[0].body["output_config"]["format"]["type"] == "json_schema"
    llmock.assert_resilient()


def test_limits_and_cut_streams_are_survived_as_a_good_client_does(llmock: LLMock) -> None:
    match = Match(path="*/messages")
    llmock.add(Fail(429, retry_after=0.3, times=1, match=match), StreamFault("truncate", after_chunks=3))
    llmock.reply(answer(), times=None)
    hearing = hear(llmock)
    assert len(hearing.opinions) == 6
    assert [each.outcome for each in hearing.cost.attempts].count("unavailable") == 1
    llmock.assert_resilient()


@pytest.mark.parametrize("fault", ["disconnect", "truncate"])
def test_a_broken_stream_is_asked_for_again_and_then_given_up(llmock: LLMock, fault: Any) -> None:
    llmock.reply(answer(), times=None)
    llmock.add(StreamFault(fault, after_chunks=2, times=None, match=Match(stream=True, model=BY_JUDGE["defense"])))
    hearing = hear(llmock, models=BY_JUDGE)
    assert {each.judge for each in hearing.opinions} == {"prosecutor", "tech_lead"}
    assert {each.cause.value for each in hearing.abstentions} <= {"unavailable", "invalid"}
    assert len([each for each in hearing.cost.attempts if each.judge == "defense"]) == 2


def test_nobody_waits_for_an_hour(llmock: LLMock) -> None:
    llmock.add(Fail(429, retry_after=3600, times=None, match=Match(path="*/messages")))
    started = time.monotonic()
    hearing = hear(llmock, seconds=60.0)
    assert time.monotonic() - started < 30.0
    assert {each.cause.value for each in hearing.abstentions} == {"unavailable"}
    assert "asks to wait for longer than 60 seconds" in hearing.abstentions[0].reason


def test_a_wait_that_is_bearable_ends_with_the_deadline(llmock: LLMock) -> None:
    llmock.add(Fail(429, retry_after=50, times=None, match=Match(path="*/messages")))
    hearing = hear(llmock, seconds=1.0)
    assert {each.cause.value for each in hearing.abstentions} == {"timed_out"}


def test_different_judges_may_have_different_models(llmock: LLMock) -> None:
    for score, model in enumerate(BY_JUDGE.values(), 2):
        llmock.add(Reply(text=answer(score), times=None, match=Match(model=model)))
    hearing = hear(llmock, models=BY_JUDGE)
    assert {each.judge: each.score for each in hearing.opinions} == {"prosecutor": 2, "defense": 3, "tech_lead": 4}
    assert {each.judge: each.answered for each in hearing.cost.attempts} == BY_JUDGE


RUBRIC = """
id: tiny
title: Tiny
about: For a test.
personas: {personas}
criteria:
  - id: safety
    title: Safety
    question: Is it safe?
    evidence: [{{probe: code.dynamic_code, expect: not_found}}, {{probe: code.shell_execution, expect: not_found}}]
    levels: {{1: bad, 3: fair, 5: good}}
"""


def command(drawing: Drawing, llmock: LLMock, tmp_path: Path, out: str, *more: str) -> int:
    import yaml

    from auditor.rubric_loader import source

    personas = json.dumps(yaml.safe_load(source("pull-request"))["personas"])
    (tmp_path / "tiny.yaml").write_text(RUBRIC.format(personas=personas))
    return run(
        ["audit", str(drawing.path), "--rubric", str(tmp_path / "tiny.yaml"), "--out", str(tmp_path / out), "--no-cache", "--jobs", "1",
         "--judges", "claude", "--base-url", llmock.base_url("anthropic"), *more]
    )  # fmt: skip


def lasting(tmp_path: Path, out: str) -> str:
    return (tmp_path / out / "report.json").read_text(encoding="utf-8").split('\n  "cost": ')[0]


def test_the_command_asks_a_model_and_hears_the_record_again_without_one(
    drawing: Drawing,
    llmock: LLMock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawing.commit({"app.py": "import os\n\n\ndef run(name):\n    os.system(name)\n"})
    cited = [{"evidence": "code.shell_execution#1", "quote": "os.system(name)", "path": "app.py", "line": 5}]
    said = {
        "criterion": "safety",
        "argument": "A name is passed to a shell.",
        "citations": cited,
        "remediation": [],
        "score": 2,
    }
    llmock.reply(json.dumps({"opinions": [said]}), times=None)
    assert command(drawing, llmock, tmp_path, "first") == PASSED
    shown = capsys.readouterr().out
    assert "Judged by the claude bench: 3 requests" in shown
    assert "by claude-sonnet-5-5" in shown
    asked = len(llmock.requests)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert command(drawing, llmock, tmp_path, "second", "--replay", str(tmp_path / "first" / "report.json")) == PASSED
    assert len(llmock.requests) == asked
    assert lasting(tmp_path, "first") == lasting(tmp_path, "second")
    assert run(["replay", str(tmp_path / "second" / "report.json")]) == PASSED
    capsys.readouterr()
    assert run(["cost", str(tmp_path / "first" / "report.json")]) == PASSED
    assert capsys.readouterr().out.count("claude-sonnet-5-5") == 4


def test_the_commands_exit_code_tells_when_no_judge_could_be_heard(
    drawing: Drawing, llmock: LLMock, tmp_path: Path
) -> None:
    drawing.commit({"app.py": "x = 1\n"})
    llmock.add(Fail(401, times=None))
    assert command(drawing, llmock, tmp_path, "out") == INCONCLUSIVE


def test_without_a_key_the_command_says_what_to_set(
    drawing: Drawing,
    llmock: LLMock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawing.commit({"app.py": "x = 1\n"})
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert command(drawing, llmock, tmp_path, "out") == MISTAKE
    assert "set ANTHROPIC_API_KEY" in capsys.readouterr().err
    assert llmock.requests == []


def test_foundry_is_asked_through_the_sdks_own_client(llmock: LLMock) -> None:
    from auditor.domain import Scope

    llmock.reply(answer(), times=None)
    judges = make_bench(settings(llmock, provider="foundry"), {"ANTHROPIC_FOUNDRY_API_KEY": "test-key"})
    hearing = judges.hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)
    assert len(hearing.opinions) == 6
    assert hearing.cost.usd is None
