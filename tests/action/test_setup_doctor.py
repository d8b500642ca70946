"""The doctor: what is wrong with a set-up is found, told with its remedy, and mended by what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import rubric_loader
from auditor.action import setup_doctor, workflow_examples
from auditor.action.workflow_usage import FindingLevel, check_step, find_action_steps
from auditor.cli import run as auditor
from auditor.domain import UserError
from tests.action.stage import NAME, WORSE, Stage, staged
from tests.documentation import README, page
from tests.fake_github.faults import Fault
from tests.fake_github.state import READ_ONLY_TOKEN

ROOT = Path(__file__).resolve().parents[2]
SHA = "0123456789abcdef0123456789abcdef01234567"
PINNED = workflow_examples.pull_request_workflow(f"octo/automaton-auditor@{SHA}", {})


def said(workflow: str, weight: FindingLevel = FindingLevel.WRONG) -> list[str]:
    (use,) = find_action_steps("audit.yml", workflow.encode())
    return [each.says for each in check_step(use) if each.weight is weight]


@pytest.mark.parametrize(
    "recipe", [workflow_examples.pull_request_workflow, workflow_examples.pull_request_target_workflow]
)
def test_the_recipes_have_nothing_wrong_and_are_documented(recipe: object) -> None:
    assert callable(recipe)
    assert said(recipe()) == []
    assert said(recipe(f"octo/automaton-auditor@{SHA}"), FindingLevel.NOTE) == []
    shown_in = README if recipe is workflow_examples.pull_request_workflow else page("forks.md")
    assert f"```yaml\n{recipe()}```" in shown_in


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (", ready_for_review", "", "does not start on ready_for_review"),
        ("    types: [opened, synchronize, reopened, ready_for_review, edited]\n", "", "ready_for_review"),
        (", edited]", "]", "keeps the verdict on the first one"),
        ("    types:", "    paths: ['src/**']\n    types:", "a required check waits forever"),
        ("      checks: write           # the check run\n", "", "The job lacks checks: write."),
        ("pull-requests: write", "pull-requests: read", "The job lacks pull-requests: write."),
        (re.search(r"    permissions:\n(      .*\n)+", PINNED)[0], "    permissions: write-all\n", "has every write permission"),  # type: ignore[index]
        (re.search(r"    permissions:\n(      .*\n)+", PINNED)[0], "", "The job lacks contents: read."),  # type: ignore[index]
        ("      - uses: octo", "      - with: {min-overal: 3}\n        uses: octo", "did you mean 'min-overall'?"),
        ("      - uses: octo", "      - with: {min-overall: 9}\n        uses: octo", "from 1 to 5, not '9'"),
        ("      - uses: octo", "      - with: {judges: claude}\n        uses: octo", "no key is given"),
        ("      - uses: octo", "      - with: {check-name: audit}\n        uses: octo", "is also the name of a job"),
        ("      - uses: octo", "      - with: {rubric: pull-request, min-scores: 'safety: 4'}\n        uses: octo", "names safety, which is not a criterion"),
        ("      - uses: octo", "      - with: {label: audit}\n        uses: octo", "when a label is set"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_workflow_is_found(old: str, new: str, told: str) -> None:
    assert old in PINNED
    assert said(PINNED) == []
    assert any(told in each for each in said(PINNED.replace(old, new, 1)))


@pytest.mark.parametrize(
    "step",
    [
        "- {uses: actions/checkout@v4, with: {ref: '${{ github.event.pull_request.head.sha }}'}}",
        "- {uses: actions/checkout@v4, with: {ref: 'refs/pull/${{ github.event.number }}/merge'}}",
        "- run: git fetch origin ${{ github.head_ref }}",
    ],
)
def test_a_trusted_job_that_takes_the_head_in_is_found(step: str) -> None:
    workflow = workflow_examples.pull_request_target_workflow().replace("    steps:\n", f"    steps:\n      {step}\n")
    assert any("checks out the head of a pull request" in each for each in said(workflow))
    assert said(workflow_examples.pull_request_workflow().replace("    steps:\n", f"    steps:\n      {step}\n")) == []


def test_a_label_that_decides_nothing_must_not_cancel_the_audit_under_way() -> None:
    apart = "${{ github.event.label.name != 'audit' && github.event.label.name || '' }}"
    assert apart in workflow_examples.pull_request_target_workflow()
    assert said(workflow_examples.pull_request_target_workflow()) == []
    cancelling = workflow_examples.pull_request_target_workflow().replace(apart, "")
    assert said(cancelling) == ["Any label cancels the running audit, but only one label starts another."]
    assert said(cancelling.replace("  cancel-in-progress: true\n", "")) == []
    assert "!= 'it''s fine' &&" in workflow_examples.pull_request_target_workflow(inputs={"label": "it's fine"})


def test_files_that_are_no_workflow_are_no_trouble() -> None:
    for text in ("", "jobs: []", "[1, 2]", "on: push\njobs: {a: {steps: [1, {uses: x/y@v1}]}}", "a: &b [*b]"):
        assert find_action_steps("x.yml", text.encode()) == ()
    with pytest.raises(UserError, match="not valid YAML"):
        find_action_steps("x.yml", b"a: [")


def test_lists_that_repeat_each_other_without_end_cost_nothing() -> None:
    levels = "\n".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 12))
    bomb = f"x0: &x0 [a]\n{levels}\n{PINNED.replace('      - uses: octo', '      - with: {rubric: *x11}' + chr(10) + '        uses: octo')}"
    assert said(bomb) == []


def test_a_checkout_without_a_workflow_gets_one_that_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert auditor(["doctor", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "WRONG No workflow uses the Action." in printed
    offered = "".join(f"{line[2:]}\n" for line in printed.partition("fixes it:\n")[2].splitlines())
    assert offered == workflow_examples.pull_request_workflow()
    assert "secrets.ANTHROPIC_API_KEY" in offered
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "audit.yml").write_text(offered)
    assert auditor(["doctor", str(tmp_path)]) == 0
    assert f"the check to require is {NAME!r}" in capsys.readouterr().out


def test_a_wrong_configuration_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "auditor.yml").write_text("gate: {overal: 3}\n")
    assert auditor(["doctor", str(tmp_path)]) == 1
    assert "WRONG .github/auditor.yml:1: unknown key 'overal'" in capsys.readouterr().out


def test_a_workflow_is_offered_for_a_wrong_workflow_and_not_for_a_wrong_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "audit.yml").write_text(PINNED)
    (tmp_path / ".github" / "auditor.yml").write_text("rows: [.github/rows]\n")
    assert auditor(["doctor", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "rows.0: must look like .github/auditor/rows (got '.github/rows')." in printed
    assert "fixes it" not in printed


def test_a_placeholder_of_the_documentation_is_noticed() -> None:
    assert any(
        "OWNER/automaton-auditor" in each for each in said(workflow_examples.pull_request_workflow(), FindingLevel.NOTE)
    )


def test_the_check_to_require_is_named_by_the_rubric_that_the_configuration_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "audit.yml").write_text(workflow_examples.pull_request_workflow())
    (tmp_path / ".github" / "auditor.yml").write_text("rubric: mine.yaml\n")
    assert auditor(["doctor", str(tmp_path)]) == 1
    assert "mine.yaml cannot be read" in capsys.readouterr().out
    mine = rubric_loader.source("pull-request").replace("id: pull-request", "id: mine", 1)
    (tmp_path / "mine.yaml").write_text(mine)
    assert auditor(["doctor", str(tmp_path)]) == 0
    assert "'Automaton Auditor (mine)'" in capsys.readouterr().out


def test_this_project_has_nothing_wrong() -> None:
    assert not setup_doctor.diagnose_folder(ROOT).wrong


# Inside a workflow


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path) as found:
        found.inputs["mode"] = "doctor"
        yield found


def test_a_run_that_can_do_all_is_told_so_and_nothing_is_audited_or_made(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.github.world.required_checks = (NAME,)
    done = stage.run()
    assert done.code == 0, done.log
    for told in ("pull request 7 is audited", "can write the check run", "can write the comment", f"requires the check {NAME!r}", "There is no key"):  # fmt: skip
        assert told in done.log
    assert (stage.github.world.runs, stage.github.world.comments, stage.git.requests) == ([], [], [])
    assert "can write the check run" in done.summary


def test_a_read_only_token_is_told_with_the_right_that_is_missing_and_the_yaml(stage: Stage) -> None:
    stage.pull(WORSE)
    done = stage.run(INPUT_TOKEN=READ_ONLY_TOKEN)
    assert done.code == 1
    assert "Give the job the permission checks: write." in done.log
    assert "Give the job the permission pull-requests: write." in done.log
    assert "auditor:   name: Audit" in done.log
    assert f"does not seem to require the check {NAME!r}" in done.log


def test_a_forks_run_is_told_what_it_cannot_do_and_what_to_choose(stage: Stage) -> None:
    stage.pull(WORSE, head_repository="stranger/shop")
    done = stage.run("pull_request.fork", INPUT_TOKEN=READ_ONLY_TOKEN)
    assert done.code == 0
    assert "from a fork: GitHub gives this run a read-only token" in done.log
    assert "Require the job, whose exit code is the verdict, or use pull_request_target" in done.log


def test_a_run_of_dependabot_is_told_that_it_can_write_and_where_its_key_belongs(stage: Stage) -> None:
    stage.pull(WORSE)
    done = stage.run(GITHUB_ACTOR="dependabot[bot]")
    assert done.code == 0
    assert "from Dependabot: GitHub gives this run no secrets of Actions" in done.log
    assert "store its key as a Dependabot secret" in done.log
    assert "can write the check run" in done.log


def test_a_key_that_is_asked_for_and_missing_is_wrong(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.inputs["judges"] = "claude"
    done = stage.run()
    assert done.code == 1
    assert "There is no key for a model, but judges: claude needs one." in done.log


def test_a_platform_is_told_what_the_step_lacks(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.inputs |= {"judges": "claude", "provider": "foundry"}
    assert "Set ANTHROPIC_FOUNDRY_API_KEY for the step" in stage.run().log
    done = stage.run(ANTHROPIC_FOUNDRY_API_KEY="k")
    assert "There is a key: judges on Claude score the change." in done.log
    assert "Set answers-key from a secret" in done.log
    stage.inputs |= {"provider": "anthropic", "federation-rule": "fdrl_1", "federation-organization": "o"}
    assert "Give the job the permission id-token: write." in stage.run().log


def test_github_that_is_down_is_one_sentence(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.github.fail(Fault.server_error(503, times=100))
    done = stage.run()
    assert done.code == 1
    assert "WRONG GitHub could not be reached" in done.log


def test_names_of_foreign_files_reach_no_terminal_unescaped(tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "a\x1b[31m\u202e.yml").write_text(
        workflow_examples.pull_request_workflow().replace("checks: write", "checks: read")
    )
    printed: list[str] = []
    assert setup_doctor.run({}, tmp_path, printed.append) == 1
    assert "\x1b" not in "".join(printed)
    assert "\u202e" not in "".join(printed)
