"""What judges answered is kept, sealed, on the check run: the same evidence is paid for once, and nobody can slip an answer in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.action.stage import BETTER, Stage, staged
from tests.fake_github.state import StoredRun
from tests.judges.model_server import served
from tests.judges.model_stand_in import Standin

KEY = "sk-ant-" + "k" * 40
KEPT = re.compile(r"<!-- automaton-auditor:answers (\S+) -->\s*\Z")


@pytest.fixture
def stage(tmp_path: Path, model: Standin) -> Iterator[Stage]:
    with staged(tmp_path) as found, served(model) as url:
        found.inputs |= {"anthropic-api-key": KEY, "base-url": url, "max-usd": "100"}
        yield found


def report(stage: Stage) -> dict[str, object]:
    found: dict[str, object] = json.loads((stage.workspace / "auditor-report" / "report.json").read_text())
    return found


def text(run: StoredRun) -> str:
    return run.output.get("text") or ""


def kept(run: StoredRun) -> str:
    found = KEPT.search(text(run))
    return found[1] if found else ""


def pushed_again(stage: Stage, before: str) -> dict[str, object]:
    """An empty commit on top, and its event."""
    stage.work.switch("change-7")
    head = stage.work.commit({})
    stage.work.git("push", "--quiet", "--force", str(stage.hosted), "HEAD:refs/pull/7/head")
    stage.github.world.push(7, head)
    return stage.event("pull_request.synchronize", before=before, after=head)


def test_the_same_commit_is_paid_for_once_and_a_forged_answer_is_never_heard(stage: Stage, model: Standin) -> None:
    """[T36, T37] A run in a process that is gone when the second begins, and a third on what somebody has written into the check run."""
    head = stage.pull(BETTER)
    first = stage.step()
    assert (first.code, first.outputs["verdict"]) == (0, "passed"), first.log
    assert "auditor: Judged by the claude bench: 3 requests" in first.log
    asked, counted = len(model.asked), len(model.counted)
    assert asked >= 3
    paid = report(stage)["cost"]["usd"]  # type: ignore[index]
    assert paid > 0

    second = stage.run(GITHUB_RUN_ATTEMPT="2")
    assert (len(model.asked), len(model.counted)) == (asked, counted)
    assert (second.code, second.outputs["score"]) == (first.code, first.outputs["score"])
    cost = report(stage)["cost"]
    assert (cost["model_calls"], cost["usd"], cost["reused"], cost["reused_usd"]) == (0, 0.0, asked, paid)  # type: ignore[index]
    (body,) = stage.github.world.bodies(7)
    assert f"{asked} answers that were given to the same evidence before, for {paid:.2f} USD, 0.00 USD now" in body

    run = stage.check(head)
    tag, _, _ = kept(run).partition(".")
    run.output["text"] = text(run).replace(tag, "0" * 64)
    third = stage.run(GITHUB_RUN_ATTEMPT="3")
    assert len(model.asked) == 2 * asked
    assert "not sealed with this key" in third.log
    assert "not sealed with this key" in third.summary
    assert "Traceback" not in third.log
    assert kept(run).partition(".")[0] not in ("", "0" * 64)
    stage.run(GITHUB_RUN_ATTEMPT="4")
    assert len(model.asked) == 2 * asked


def test_a_commit_that_leaves_the_evidence_as_it_is_asks_nobody(stage: Stage, model: Standin) -> None:
    """[T37] Fifty pushes of the same tree are one paid run, and so they are when a run between them was cancelled."""
    head = stage.pull(BETTER)
    stage.run()
    asked = len(model.asked)
    event = pushed_again(stage, head)
    second = str(event["after"])
    done = stage.run("pull_request.synchronize", event)
    assert len(model.asked) == asked
    assert done.outputs["verdict"] == "passed"

    event = pushed_again(stage, second)
    third = str(event["after"])
    stage.git.status = 500
    assert stage.run("pull_request.synchronize", event).outputs["verdict"] == "error"
    stage.git.status = 200
    event = pushed_again(stage, third)
    stage.run("pull_request.synchronize", event)
    assert len(model.asked) == asked


def test_the_title_and_the_text_may_change_for_nothing(stage: Stage, model: Standin) -> None:
    """[T37]"""
    stage.pull(BETTER)
    stage.run()
    asked = len(model.asked)
    stage.github.world.pulls[7].body = "No breaking changes. Tests are added."
    stage.run("pull_request.edited")
    assert len(model.asked) == asked


def test_another_change_is_judged_anew(stage: Stage, model: Standin) -> None:
    head = stage.pull(BETTER)
    stage.run()
    asked = len(model.asked)
    stage.pull({"pkg/c.py": "import os\n\n\ndef run(x):\n    os.system(x)\n"})
    stage.run("pull_request.synchronize", stage.event("pull_request.synchronize", before=head))
    assert len(model.asked) > asked


@pytest.mark.parametrize(
    "changed",
    [
        {"anthropic-api-key": "sk-ant-" + "r" * 40},
        {"keep-answers": "never"},
    ],
    ids=["the key was changed", "nothing is to be kept"],
)
def test_a_memory_that_is_not_for_this_run_is_cold(stage: Stage, model: Standin, changed: dict[str, str]) -> None:
    stage.pull(BETTER)
    stage.run()
    asked = len(model.asked)
    stage.inputs |= changed
    done = stage.run(GITHUB_RUN_ATTEMPT="2")
    assert done.outputs["verdict"] == "passed"
    assert len(model.asked) == 2 * asked


def test_answers_of_another_pull_request_or_app_are_no_use(stage: Stage, model: Standin) -> None:
    """[T36] A sealed record is true, but its question is another one; and other apps' check runs are not looked at."""
    head = stage.pull(BETTER)
    stage.run()
    asked = len(model.asked)
    sealed = text(stage.check(head))
    other = stage.pull({"pkg/c.py": "import os\n\n\ndef run(x):\n    os.system(x)\n"}, number=8)
    forged = stage.github.world.run("Automaton Auditor (pull-request)", other, external_id="automaton-auditor/pull-request/8")  # fmt: skip
    forged.output["text"] = sealed
    stage.run("pull_request.opened", stage.event("pull_request.opened", 8))
    assert len(model.asked) > asked


def test_a_forks_change_gets_neither_the_model_nor_its_memory_without_the_label(stage: Stage, model: Standin) -> None:
    head = stage.pull(BETTER, head_repository="stranger/shop", labels=("audit",))
    stage.inputs["label"] = "audit"
    stage.run("pull_request_target.opened")
    asked = len(model.asked)
    assert asked >= 3
    sealed = kept(stage.check(head))
    assert sealed
    stage.github.world.pulls[7].labels = ()
    stage.run("pull_request_target.opened", GITHUB_RUN_ATTEMPT="2")
    assert report(stage)["tool"]["bench"] == "embedded"  # type: ignore[index]
    assert len(model.asked) == asked
    assert kept(stage.check(head)) == sealed
    stage.github.world.pulls[7].labels = ("audit",)
    stage.run("pull_request_target.labeled", stage.event("pull_request.labeled", label={"name": "audit"}))
    assert report(stage)["cost"]["reused"] == asked  # type: ignore[index]
    assert len(model.asked) == asked


def test_a_key_that_could_be_guessed_seals_nothing_and_the_log_says_what_to_give(stage: Stage, model: Standin) -> None:
    head = stage.pull(BETTER)
    stage.inputs["anthropic-api-key"] = "short"
    done = stage.run()
    assert "give one by the input answers-key" in done.log
    assert kept(stage.check(head)) == ""
    stage.inputs["answers-key"] = "0123456789abcdef" * 4
    stage.run(GITHUB_RUN_ATTEMPT="2")
    asked = len(model.asked)
    stage.run(GITHUB_RUN_ATTEMPT="3")
    assert len(model.asked) == asked


def test_neither_key_nor_secret_is_shown_anywhere(stage: Stage) -> None:
    head = stage.pull(BETTER)
    stage.inputs["answers-key"] = "s3cret-" * 6
    done = stage.run()
    shown = done.log + done.summary + text(stage.check(head)) + "".join(stage.github.world.bodies(7)) + json.dumps(report(stage))  # fmt: skip
    assert KEY not in shown
    assert "s3cret" not in shown
