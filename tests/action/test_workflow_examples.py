"""The documented workflows, followed to the letter: what the runner would do with them ends as the documentation says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.action.stage import BETTER, WORSE, Stage, staged
from tests.documentation import workflow_texts
from tests.judges.model_server import served
from tests.judges.model_stand_in import Standin

TEXTS = {next(iter(yaml.safe_load(each)[True])): each for each in workflow_texts()}
"""Documented workflows by their first event. YAML reads `on` as true."""
RECIPES = {first: yaml.safe_load(each) for first, each in TEXTS.items()}
SECRET = "${{ secrets.ANTHROPIC_API_KEY }}"


def given(recipe: dict[str, Any], secret: str) -> dict[str, str]:
    """The inputs of its only step, with the secret filled in."""
    (step,) = recipe["jobs"]["audit"]["steps"]
    assert SECRET in step["with"].values()
    return {name: str(value).replace(SECRET, secret) for name, value in step["with"].items()}


@pytest.fixture
def stage(tmp_path: Path, model: Standin) -> Iterator[Stage]:
    with staged(tmp_path) as found, served(model) as url:
        found.inputs["base-url"] = url
        yield found


def event(name: str) -> str:
    return f"pull_request.{name}"


def test_one_secret_is_all_it_takes_to_have_a_model_judge(stage: Stage, model: Standin) -> None:
    head = stage.pull(BETTER)
    stage.inputs |= given(RECIPES["pull_request"], "")
    first = stage.run()
    assert first.outputs["verdict"] == "passed", first.log
    assert "No model was asked" in first.summary
    stage.inputs |= given(RECIPES["pull_request"], "sk-ant-" + "k" * 40)
    second = stage.step(GITHUB_RUN_ATTEMPT="2")
    assert second.outputs["verdict"] == "passed", second.log
    assert len(model.asked) == 3
    assert "Judged by the claude bench" in second.summary
    assert "Judged by the claude bench" in stage.github.world.bodies(7)[0]
    assert stage.check(head).conclusion == "success"


@pytest.mark.parametrize("first", RECIPES)
def test_everything_a_recipe_starts_on_ends_with_a_verdict_and_the_bill_is_paid_once(
    stage: Stage, model: Standin, first: str
) -> None:
    head = stage.pull(BETTER)
    stage.inputs |= given(RECIPES[first], "sk-ant-" + "k" * 40)
    for name in RECIPES[first][True][first]["types"]:
        done = stage.run(f"{first}.{name}", {**stage.event(event(name)), "label": {"name": "audit"}})
        assert done.outputs["verdict"] == "passed", (name, done.log)
    assert len(model.asked) == 3
    assert len(stage.github.world.bodies(7)) == 1
    assert len(stage.checks(head)) == 1


def test_the_trusted_recipe_has_a_model_judge_a_fork_when_a_maintainer_says_so(stage: Stage, model: Standin) -> None:
    head = stage.pull(WORSE, head_repository="stranger/shop")
    stage.inputs |= given(RECIPES["pull_request_target"], "sk-ant-" + "k" * 40)
    assert stage.run("pull_request_target.opened").outputs["verdict"] == "failed"
    assert model.asked == []
    stage.github.world.pulls[7].labels = ("audit",)
    stage.run("pull_request_target.labeled", stage.event(event("labeled"), label={"name": "audit"}))
    assert len(model.asked) >= 3
    assert stage.check(head).conclusion == "failure"


@pytest.mark.parametrize("first", RECIPES)
def test_linters_of_workflows_find_nothing_but_the_trigger_that_the_documentation_names(
    first: str, tmp_path: Path
) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    file = folder / "audit.yml"
    file.write_text(TEXTS[first].replace("OWNER/automaton-auditor@v1", f"octo/automaton-auditor@{'0123456789' * 4}"))
    beside = Path(sys.executable).parent
    for tool in (
        ["actionlint", str(file)],
        ["zizmor", "--offline", "--no-exit-codes", "--color", "never", "--format", "plain", str(file)],
    ):
        program = shutil.which(tool[0], path=str(beside))
        if program is None:
            pytest.skip(f"{tool[0]} is not installed beside this Python")
        done = subprocess.run([program, *tool[1:]], capture_output=True, text=True, check=False, cwd=tmp_path)
        found = set(re.findall(r"^(?:error|warning)\[([a-z-]+)\]", done.stdout, re.MULTILINE))
        assert done.returncode == 0, done.stdout
        assert found == ({"dangerous-triggers"} if tool[0] == "zizmor" and first == "pull_request_target" else set())
