"""Inputs as a workflow gives them: typed, checked, and every mistake one sentence."""

from __future__ import annotations

import pytest

from auditor.action import action_inputs
from auditor.action.action_inputs import INPUTS, CheckPolicy, FailStep, Inputs
from auditor.domain import Scope, Severity, UserError
from auditor.settings import SettingsSource


def given(**values: str) -> Inputs:
    return action_inputs.read({f"INPUT_{name.upper().replace('_', '-')}": value for name, value in values.items()})[0]


def test_nothing_given_means_what_action_yml_promises() -> None:
    found = given()
    assert found == Inputs()
    assert (found.check_conclusion, found.fail_step) == (CheckPolicy.GATE, FailStep.GATE)
    for each in INPUTS:
        if each.default and not each.secret:
            assert getattr(found, each.attribute) == each.read(each.default), each.name


def test_the_defaults_of_action_yml_given_by_the_runner_change_nothing() -> None:
    assert action_inputs.read({each.variable: each.default for each in INPUTS})[0] == Inputs()


def test_values_are_read_by_their_types() -> None:
    found = given(
        rubric="pull-request", min_overall=" 3.5 ", min_scores="security: 4\n\n  tests: 3\n", no_new="high",
        scope="whole_tree", timeout="60", annotations="0", check_conclusion="report", fail_step="never", label="audit me",
    )  # fmt: skip
    assert (found.min_overall, found.min_scores) == (3.5, {"security": 4, "tests": 3})
    assert (found.no_new, found.scope, found.timeout, found.annotations) == (Severity.HIGH, Scope.WHOLE_TREE, 60, 0)
    wishes = found.requested_settings()
    assert (wishes.fail_under, wishes.minimum, wishes.scope) == (3.5, {"security": 4, "tests": 3}, Scope.WHOLE_TREE)
    assert wishes.requested_by is SettingsSource.INPUT


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("min-overall", "6", "must be a number from 1 to 5, not '6'"),
        ("min-overall", "nan", "must be a number from 1 to 5"),
        ("min-overall", "1e999", "must be a number from 1 to 5"),
        ("min-scores", "security", "must have lines such as `security: 4`, not 'security'"),
        ("min-scores", "security: high", "has for security what must be a number from 1 to 5, not 'high'"),
        ("min-scores", "tests: 3\ntests: 4", "names tests twice"),
        ("min-scores", "::warning::x: 3", "must have lines such as"),
        ("no-new", "hihg", "did you mean 'high'?"),
        ("scope", "all", "must be introduced or whole_tree, not 'all'"),
        ("judges", "gpt", "must be auto, embedded or claude"),
        ("timeout", "1.5", "must be a whole number from 30 to 21600"),
        ("timeout", "\uff19\uff10", "must be a whole number"),
        ("annotations", "-1", "must be a whole number from 0 to 500"),
        ("report-directory", "../out", "must be a folder inside the workspace"),
        ("report-directory", "/etc", "must be a folder inside the workspace"),
        ("report-directory", ".github/x", "must be a folder inside the workspace"),
        ("report-directory", ".", "must be a folder inside the workspace"),
        ("check-name", "a\nb", "must be a single line without control characters"),
        ("answers-key", "short", "must have 32 characters at least"),
        ("label", "\x1b[31m", "must be a single line without control characters"),
        ("rubric", "r" * 30_000, "is longer than 20,000 characters"),
    ],
)
def test_a_wrong_value_is_one_sentence_that_names_the_input(name: str, value: str, said: str) -> None:
    with pytest.raises(UserError) as raised:
        given(**{name: value})
    (line,) = str(raised.value).splitlines()
    assert line.startswith(f"the input {name} ")
    assert said in line
    assert len(line) < 200


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(UserError) as raised:
        given(min_overall="9", timeout="0")
    assert len(str(raised.value).splitlines()) == 2


def test_a_misspelt_threshold_stops_the_run_and_a_strange_variable_is_told() -> None:
    with pytest.raises(UserError, match="no input 'min-overal': did you mean 'min-overall'"):
        given(min_overal="4")
    _, notices = action_inputs.read({"INPUT_QUUX": "1", "OTHER": "2"})
    assert notices == ("The variable INPUT_QUUX is not an input of this action and has no effect.",)


@pytest.mark.parametrize("name", ["token", "anthropic-api-key", "answers-key"])
def test_secrets_are_hidden_from_every_representation_and_message(name: str) -> None:
    found = given(**{name: "s3cret-value" * 3})
    assert "s3cret-value" not in repr(found) + str(found)
    assert "s3cret-value" not in repr(
        found.bench_settings(trusted=True, seconds=1, repository="https://github.com/o/r")
    )
    with pytest.raises(UserError) as raised:
        given(**{name: "s3cret-value\nmore"})
    assert "s3cret-value" not in str(raised.value)
