"""When a model is asked by the Action, when it never is, and what its failure makes of the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from tests.action.stage import BETTER, Stage, staged
from tests.fake_github.state import READ_ONLY_TOKEN


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
