"""When a model is asked by the Action, when it never is, and what its failure makes of the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock

from tests.action.stage import BETTER, Stage, staged
from tests.fake_github.state import READ_ONLY_TOKEN
from tests.judges.model_server import served
from tests.judges.model_stand_in import Body, Says, Standin, good, judge


@pytest.fixture
def stage(tmp_path: Path, llmock: LLMock) -> Iterator[Stage]:
    """With a key, and a model that says nothing of use."""
    llmock.reply("no opinion", times=None)
    with staged(tmp_path) as found:
        found.inputs |= {"anthropic-api-key": "test-key", "base-url": llmock.base_url("anthropic")}
        yield found


def asked(llmock: LLMock) -> int:
    return len([each for each in llmock.requests if each.path.endswith("/messages")])


def test_a_model_that_fails_makes_no_pass_of_a_good_change(stage: Stage, llmock: LLMock) -> None:
    head = stage.pull(BETTER)
    done = stage.run()
    assert asked(llmock) >= 3
    assert (done.code, done.outputs["verdict"]) == (4, "inconclusive")
    assert "security" in done.outputs["inconclusive-criteria"].split(",")
    assert stage.check(head).conclusion == "action_required"
    assert "test-key" not in done.log + done.summary + "".join(stage.github.world.bodies(7))


def test_a_token_that_cannot_write_is_found_out_before_a_model_is_paid(stage: Stage, llmock: LLMock) -> None:
    stage.pull(BETTER)
    stage.git.token = None
    done = stage.run(INPUT_TOKEN=READ_ONLY_TOKEN)
    assert asked(llmock) == 0
    assert "No model is asked" in done.log
    assert done.code == 0


@pytest.mark.parametrize(("labels", "times"), [((), 0), (("other",), 0), (("audit",), 3)])
def test_a_forks_change_costs_money_only_where_a_maintainer_says_so(
    stage: Stage, llmock: LLMock, labels: tuple[str, ...], times: int
) -> None:
    stage.pull(BETTER, head_repository="stranger/shop", labels=labels)
    stage.inputs["label"] = "audit"
    stage.run("pull_request_target.opened")
    assert (asked(llmock) >= times) if times else (asked(llmock) == 0)


def test_a_merge_group_asks_no_model(stage: Stage, llmock: LLMock) -> None:
    stage.pull(BETTER)
    group = stage.work.git("rev-parse", "HEAD")
    stage.work.git("push", "--quiet", str(stage.hosted), "HEAD:refs/heads/gh-readonly-queue/main/pr-7-x")
    event = stage.event("merge_group.checks_requested")
    event["merge_group"] |= {"head_sha": group, "base_sha": stage.work.git("rev-parse", "main")}
    done = stage.run("merge_group.checks_requested", event)
    assert asked(llmock) == 0
    assert done.outputs["verdict"] == "passed"


def test_judges_that_cannot_be_asked_are_a_mistake_told_in_the_words_of_a_workflow(stage: Stage) -> None:
    stage.pull(BETTER)
    stage.inputs |= {"judges": "claude", "anthropic-api-key": ""}
    done = stage.run()
    assert done.code == 2
    assert "give the input anthropic-api-key" in done.log
    assert "--" not in done.log


def test_a_platform_is_asked_with_the_credentials_of_the_steps_environment(stage: Stage, llmock: LLMock) -> None:
    stage.pull(BETTER)
    stage.inputs |= {"anthropic-api-key": "", "provider": "foundry"}
    assert "ANTHROPIC_FOUNDRY_API_KEY is not set" in stage.run().summary.replace("\\_", "_")
    assert asked(llmock) == 0
    stage.run(ANTHROPIC_FOUNDRY_API_KEY="platform-key", GITHUB_RUN_ATTEMPT="2")
    assert asked(llmock) >= 3


# The label of a fork's change is for what a maintainer has looked at


@pytest.fixture
def labelled(stage: Stage) -> Stage:
    """A fork's change that a maintainer has labelled, and that a model was asked about."""
    stage.inputs["label"] = "audit"
    stage.pull(BETTER, head_repository="stranger/shop", labels=("audit",))
    return stage


def again(stage: Stage, llmock: LLMock, name: str, event: dict[str, Any] | None = None, **more: str) -> int:
    """How often a model is asked in one more run."""
    before = asked(llmock)
    done = stage.run(name, event, **more)
    assert done.outputs["verdict"] in ("passed", "inconclusive"), done.log
    told = "the label 'audit' does not seem to have been set on this commit and base" in done.log
    assert told == (asked(llmock) == before)
    assert ("Remove it and set it again" in "".join(stage.github.world.bodies(7))) == told
    return asked(llmock) - before


def event(stage: Stage, name: str, **more: Any) -> dict[str, Any]:
    return stage.event(f"pull_request.{name}", **more)


def test_a_label_counts_for_the_commit_it_was_set_on_and_for_no_later_push(labelled: Stage, llmock: LLMock) -> None:
    first = labelled.github.world.pulls[7].head_sha
    setting = event(labelled, "labeled", label={"name": "audit"})
    assert again(labelled, llmock, "pull_request_target.labeled", setting) > 0
    assert again(labelled, llmock, "pull_request_target.edited", event(labelled, "edited")) > 0
    second = labelled.pull({"pkg/c.py": '"""C."""\n'})
    pushed = event(labelled, "synchronize", before=first, after=second)
    assert again(labelled, llmock, "pull_request_target.synchronize", pushed) == 0
    for name in ("edited", "reopened", "ready_for_review"):
        assert again(labelled, llmock, f"pull_request_target.{name}", event(labelled, name)) == 0
    assert again(labelled, llmock, "pull_request_target.labeled", setting, GITHUB_RUN_ATTEMPT="2") == 0
    setting = event(labelled, "labeled", label={"name": "audit"})
    assert again(labelled, llmock, "pull_request_target.labeled", setting) > 0


def test_a_commit_that_was_there_before_the_one_that_was_looked_at_is_not_paid_for(
    labelled: Stage, llmock: LLMock
) -> None:
    """Pushed, taken back before the label is set, and pushed again."""
    labelled.github.world.pulls[7].labels = ()
    unseen = labelled.github.world.pulls[7].head_sha
    labelled.run("pull_request_target.opened")
    seen = labelled.pull({"pkg/c.py": '"""C."""\n'})
    labelled.github.world.pulls[7].labels = ("audit",)
    setting = event(labelled, "labeled", label={"name": "audit"})
    assert again(labelled, llmock, "pull_request_target.labeled", setting) > 0
    labelled.work.git("push", "--quiet", "--force", str(labelled.hosted), f"{unseen}:refs/pull/7/head")
    labelled.github.world.push(7, unseen)
    pushed = event(labelled, "synchronize", before=seen, after=unseen)
    assert again(labelled, llmock, "pull_request_target.synchronize", pushed) == 0
    assert again(labelled, llmock, "pull_request_target.edited", event(labelled, "edited")) == 0


def test_a_label_does_not_pay_for_each_base_that_the_author_leads_the_pull_request_to(
    labelled: Stage, llmock: LLMock
) -> None:
    setting = event(labelled, "labeled", label={"name": "audit"})
    assert again(labelled, llmock, "pull_request_target.labeled", setting) > 0
    labelled.work.switch("main")
    labelled.github.world.pulls[7].base_sha = labelled.work.commit({"pkg/d.py": '"""D."""\n'})
    labelled.work.git("push", "--quiet", str(labelled.hosted), "main")
    for _ in range(2):
        assert again(labelled, llmock, "pull_request_target.edited", event(labelled, "edited")) == 0
    setting = event(labelled, "labeled", label={"name": "audit"})
    assert again(labelled, llmock, "pull_request_target.labeled", setting) > 0


def test_another_label_is_no_leave(labelled: Stage, llmock: LLMock) -> None:
    done = labelled.run("pull_request_target.labeled", event(labelled, "labeled", label={"name": "size/S"}))
    assert done.outputs["verdict"] == "skipped"
    assert asked(llmock) == 0


@pytest.mark.parametrize(
    ("said", "code", "verdict", "check"),
    [
        ({"prosecutor": 2, "defense": 4, "tech_lead": 4}, 1, "failed", "failure"),
        ({"prosecutor": None, "defense": 4, "tech_lead": 4}, 4, "inconclusive", "action_required"),
        ({"prosecutor": None, "defense": 5, "tech_lead": 5}, 0, "passed", "success"),
    ],
    ids=["heard", "silenced", "silenced where nothing hangs on it"],
)
def test_an_author_who_makes_one_judge_refuse_buys_no_green_check(
    tmp_path: Path, said: dict[str, int | None], code: int, verdict: str, check: str
) -> None:
    def answers(body: Body) -> Says:
        score = said[judge(body)]
        return Says(stop="refusal") if score is None else Says(good(body, score))

    with staged(tmp_path) as stage, served(Standin(answers)) as url:
        stage.inputs |= {"anthropic-api-key": "test-key", "base-url": url}
        head = stage.pull(BETTER)
        done = stage.run()
        assert (done.code, done.outputs["verdict"]) == (code, verdict), done.log
        assert stage.check(head).conclusion == check
        told = "with a 2 from them Workflow and supply-chain integrity would have 3.4 in place of 4.0, below 3.5"
        assert (told in done.log) is (verdict == "inconclusive")
        assert ("governance" in done.outputs["inconclusive-criteria"].split(",")) is (verdict == "inconclusive")
        page = "".join(stage.github.world.bodies(7))
        assert (told in page.replace("\u2060", "")) is (verdict == "inconclusive")
