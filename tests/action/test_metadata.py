"""action.yml, the documentation and the code say the same."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from auditor.action import action_inputs
from auditor.action.action_inputs import INPUTS, Inputs, Mode
from auditor.action.event_plans import EVENTS
from auditor.action.run_conclusions import Outcome
from auditor.action.workflow_examples import PERMISSIONS
from tests.documentation import ROOT, page, section, workflow_texts


@pytest.fixture(scope="module")
def metadata() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def test_action_yml_has_every_input_as_the_code_reads_it(metadata: dict[str, Any]) -> None:
    told = {name: (each["description"], each["default"]) for name, each in metadata["inputs"].items()}
    assert told == {each.name: (each.description, each.default) for each in INPUTS}
    assert {each.attribute for each in INPUTS} == set(Inputs.model_fields)
    assert all(each.name == each.name.lower() for each in INPUTS)


def test_every_choice_is_named_in_its_description() -> None:
    for each in INPUTS:
        assert all(value in each.description for value in each.values), each.name


def test_the_page_on_the_action_has_the_table_of_inputs_as_the_code_makes_it() -> None:
    assert action_inputs.inputs_table() in page("action.md")


def test_the_page_on_the_action_has_every_output_event_permission_and_result(metadata: dict[str, Any]) -> None:
    text = page("action.md")
    for output in metadata["outputs"]:
        assert f"\n| `{output}` |" in text, output
    events = section(text, "Events")
    for event in EVENTS:
        assert f"`{event}`" in events, event
    permissions = section(text, "Permissions")
    for name, level in PERMISSIONS.items():
        assert f"\n| `{name}: {level}` |" in permissions, name
    for outcome in Outcome:
        assert f"`{outcome.value}`" in section(text, "Outputs"), outcome
        assert outcome.value in metadata["outputs"]["verdict"]["description"], outcome


def test_documented_workflows_use_inputs_that_exist_and_request_no_more_permissions_than_needed() -> None:
    workflows = [yaml.safe_load(each) for each in workflow_texts()]
    assert len(workflows) == 2
    for workflow in workflows:
        assert workflow["permissions"] == {}
        job = workflow["jobs"]["audit"]
        assert job["permissions"] == PERMISSIONS
        (step,) = job["steps"]
        action_inputs.read({f"INPUT_{name.upper()}": str(value) for name, value in step["with"].items()})
        assert set(workflow[True]) <= set(EVENTS)  # YAML reads `on` as true


def steps_of(found: Any) -> Iterator[dict[str, Any]]:
    """The steps in a piece of YAML that use the Action."""
    if isinstance(found, dict):
        if str(found.get("uses", "")).startswith("OWNER/automaton-auditor@"):
            yield found
        found = list(found.values())
    for each in found if isinstance(found, list) else ():
        yield from steps_of(each)


def test_every_step_on_the_page_on_the_action_uses_inputs_that_exist() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", page("action.md"), re.DOTALL)
    steps = [step for each in blocks for step in steps_of(yaml.safe_load(textwrap.dedent(each)))]
    read = [
        action_inputs.read({f"INPUT_{name.upper()}": str(value) for name, value in step["with"].items()})
        for step in steps
    ]
    assert [strangers for _, strangers in read if strangers] == []
    providers = {inputs.provider.value for inputs, _ in read}
    assert providers == {"anthropic", "bedrock", "vertex", "foundry"}
    assert {inputs.mode for inputs, _ in read} == set(Mode)
    assert any(inputs.federation_rule for inputs, _ in read)


INPUT_OF = {
    "rubric": "rubric",
    "judges": "judges",
    "model": "model",
    "persona-model": "persona-models",
    "max-usd": "max-usd",
    "max-tokens": "max-tokens",
    "evidence-tokens": "evidence-tokens",
    "exhibits": "exhibits",
    "prompt-tokens": "prompt-tokens",
    "answer-tokens": "answer-tokens",
    "effort": "effort",
    "judge-seconds": "judge-seconds",
    "provider": "provider",
    "base-url": "base-url",
    "key-env": "anthropic-api-key",
    "out": "report-directory",
    "fail-under": "min-overall",
    "min": "min-scores",
    "whole-tree": "scope",
    "token-env": "token",
    "timeout": "timeout",
}
"""Options of `auditor audit`, and the inputs that ask for the same."""
NO_INPUT = {
    "base": "the event names it",
    "head": "the event names it",
    "config": "the base's own counts, and no other",
    "description": "it comes with the pull request",
    "report": "those that the repository holds are found",
    "repository": "only for the command line: the event names it",
    "pull-request": "only for the command line: the event names it",
    "replay": "a record is heard where the network is off",
    "format": "all reports are written",
    "cache": "a cache between runs can be written by others",
    "no-cache": "there is none",
    "jobs": "one for each processor of the runner",
    "quiet": "a log is not in the way",
}
"""Options that have no input, and why."""


def test_every_option_of_an_audit_has_an_input_or_a_reason_to_have_none() -> None:
    from auditor.cli.audit_command import audit

    options = {name.removeprefix("--") for each in audit.params for name in each.opts if name.startswith("--")}
    assert options == set(INPUT_OF) | set(NO_INPUT)
    assert not set(INPUT_OF) & set(NO_INPUT)
    assert set(INPUT_OF.values()) <= {each.name for each in INPUTS}


def test_every_setting_of_the_bench_that_an_option_reaches_is_reached_by_its_input() -> None:
    from auditor.cli.judge_options import take_bench_settings

    given = {
        "judges": "claude", "model": "m", "persona-models": "tech_lead: n", "max-usd": "2", "max-tokens": "5000",
        "evidence-tokens": "2000", "answer-tokens": "3000", "effort": "low", "judge-seconds": "7", "provider": "foundry",
        "base-url": "https://example.org", "exhibits": "hunks", "prompt-tokens": "50000",
    }  # fmt: skip
    wanted, _ = action_inputs.read({f"INPUT_{name.upper()}": value for name, value in given.items()})
    options = {
        "judges": "claude", "model": "m", "persona_model": {"tech_lead": "n"}, "max_usd": 2.0, "max_tokens": 5000,
        "evidence_tokens": 2000, "answer_tokens": 3000, "effort": "low", "judge_seconds": 7.0, "provider": "foundry",
        "base_url": "https://example.org", "exhibits": "hunks", "prompt_tokens": 50000, "key_env": None, "replay": None,
    }  # fmt: skip
    assert {INPUT_OF.get(name.replace("_", "-")) for name in options} - {"anthropic-api-key", None} == set(given)
    assert wanted.bench_settings(trusted=True, seconds=200) == take_bench_settings(options)


def test_a_rounds_deadline_ends_before_the_audits_time_does() -> None:
    wanted, _ = action_inputs.read({"INPUT_JUDGE-SECONDS": "500"})
    assert wanted.bench_settings(trusted=True, seconds=200).seconds == 200
