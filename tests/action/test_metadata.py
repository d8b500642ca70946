"""action.yml, the README and the code say the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.action import inputs
from auditor.action.events import EVENTS
from auditor.action.inputs import INPUTS, Inputs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def metadata() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_action_yml_has_every_input_as_the_code_reads_it(metadata: dict[str, Any]) -> None:
    told = {name: (each["description"], each["default"]) for name, each in metadata["inputs"].items()}
    assert told == {each.name: (each.description, each.default) for each in INPUTS}
    assert {each.attribute for each in INPUTS} == set(Inputs.model_fields)
    assert all(each.name == each.name.lower() for each in INPUTS)


def test_every_choice_is_named_in_its_description() -> None:
    for each in INPUTS:
        assert all(value in each.description for value in each.values), each.name


def test_the_readme_has_the_table_of_inputs_as_the_code_makes_it() -> None:
    assert inputs.table() in readme()


def test_the_readme_tells_every_output_and_every_event(metadata: dict[str, Any]) -> None:
    for output in metadata["outputs"]:
        assert f"`{output}`" in readme(), output
    for event in set(EVENTS) - {"repository_dispatch"}:
        assert f"`{event}`" in readme(), event


def test_the_workflows_of_the_readme_use_inputs_that_there_are_and_ask_for_no_more_rights_than_needed() -> None:
    examples = [yaml.safe_load(each) for each in re.findall(r"```yaml\n(.*?)```", readme(), re.DOTALL)]
    workflows = [each for each in examples if "jobs" in each]
    assert len(workflows) >= 2
    for workflow in workflows:
        assert workflow["permissions"] == {}
        job = workflow["jobs"]["audit"]
        assert job["permissions"] == {"contents": "read", "checks": "write", "pull-requests": "write"}
        (step,) = job["steps"]
        inputs.read({f"INPUT_{name.upper()}": str(value) for name, value in step["with"].items()})
        assert set(workflow[True]) <= set(EVENTS)  # YAML reads `on` as true
