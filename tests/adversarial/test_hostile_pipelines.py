"""Workflows written to look harmless, and pipelines so full of folders, steps and names that reading them takes long."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.description.change_contents import _LONG_STRING, _STRING
from auditor.forensics.probes.workflow_security import _USES
from auditor.forensics.workflows.checking_pipelines import _NAME_KEY, CalledScripts
from auditor.forensics.workflows.outsider_triggers import is_safe_for_outsiders
from auditor.forensics.workflows.script_injection import has_only_trusted_expressions
from auditor.forensics.workflows.unused_permissions import find_unused_permissions

MANY = 3_000
TOP = "on: pull_request_target\npermissions:\n  contents: read\njobs:\n"
STEPS = "    steps:\n      - run: make release\n        env:\n          KEY: ${{ secrets.KEY }}\n"
MEMBERS = "github.event.pull_request.author_association == 'MEMBER'"


@pytest.mark.parametrize(
    "said", [MEMBERS, f"${{{{ {MEMBERS} && github.ref }}}}", "'!github.event.pull_request.head.repo.fork'"]
)
def test_jobs_left_to_people_of_the_repository_are_harmless(said: str) -> None:
    assert is_safe_for_outsiders(f"{TOP}  a:\n    if: {said}\n{STEPS}")


@pytest.mark.parametrize(
    "said",
    [
        "github.event.pull_request.author_association != 'MEMBER'",
        "${{ !(github.actor == 'anna') }}",
        "${{ !contains(fromJSON('[\"OWNER\"]'), github.event.pull_request.author_association == 'OWNER') }}",
        f"${{{{ {MEMBERS} }}}} == true",
        f"|\n      ${{{{ {MEMBERS} }}}}",
        f"true\t# {MEMBERS}",
    ],
)
def test_conditions_that_let_outsiders_in_make_nothing_harmless(said: str) -> None:
    assert not is_safe_for_outsiders(f"{TOP}  a:\n    if: {said}\n{STEPS}")


@pytest.mark.parametrize(
    "job",
    [
        f"  a:\n    if: {MEMBERS}\n    steps:\n      - run: make\n  b:\n    needs: a\n    if: '!cancelled()'\n{STEPS}",
        "  a: {permissions: write-all, steps: [{run: make}]}\n",
        "  a:\n    permissions: *all\n    steps:\n      - run: make\n",
        "  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request['head']['sha'] }}\n",
        "  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          repository: ${{ github.event.pull_request.head.repo.full_name }}\n",
    ],
)  # fmt: skip
def test_rights_and_foreign_code_behind_other_spellings_are_not_harmless(job: str) -> None:
    assert not is_safe_for_outsiders(TOP + job)


def test_a_variable_that_a_script_sets_later_is_not_ours() -> None:
    steps = "jobs:\n  a:\n    steps:\n      - run: echo ${{ env.TITLE }}\n"
    assert has_only_trusted_expressions(f"env:\n  TITLE: none\n{steps}", 6)
    assert not has_only_trusted_expressions(
        f'env:\n  TITLE: none\n{steps}      - run: echo "TITLE=$T" >> $GITHUB_ENV\n', 6
    )


def test_pipelines_with_thousands_of_folders_and_recipes_are_asked_in_time() -> None:
    rows = "".join(
        f"      - run: make t{at} && bash s{at}.sh\n        working-directory: d{at}\n" for at in range(MANY)
    )
    started = time.process_time()
    called = CalledScripts([("ci.yml", f"on: pull_request\njobs:\n  a:\n    steps:\n{rows}")])
    assert all(called.changes_meaning(f"d{at}/Makefile", f"t{at}:\n\ta\n", f"t{at}:\n\tb\n") for at in range(MANY))
    assert all(called.changes_meaning(f"d{at}/s{at}.sh", "a\n", "b\n") for at in range(MANY))
    assert not called.changes_meaning("elsewhere/s1.sh", "a\n", "b\n")
    assert time.process_time() - started < 2


def test_thousands_of_variables_in_a_workflow_are_looked_up_in_time() -> None:
    names = "".join(f"  E{at}: 1\n" for at in range(MANY))
    rows = "".join(f"      - run: echo ${{{{ env.E{at} }}}}\n" for at in range(MANY))
    text = f"env:\n{names}jobs:\n  a:\n    steps:\n{rows}"
    started = time.process_time()
    assert all(has_only_trusted_expressions(text, MANY + 5 + at) for at in range(MANY))
    assert time.process_time() - started < 2


@pytest.mark.parametrize("rows", ['r#"a"', '\\"', "\\'", '"""', 'r##"a"#'])
def test_strings_that_never_end_are_looked_through_once(rows: str) -> None:
    started = time.process_time()
    for form in (_STRING, _LONG_STRING):
        form.sub("", f'"{rows * 20_000}')
        form.sub("", f"'{rows * 20_000}")
    assert time.process_time() - started < 1


AFTER = "on:\n  workflow_run:\n    workflows: [test]\npermissions:\n  pull-requests: write\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
SECRET = "        env:\n          KEY: ${{ secrets.KEY }}\n"


@pytest.mark.parametrize(
    "steps",
    [
        f"      - run: curl -d done https://chat.example.org\n{SECRET}",
        "      - uses: actions/download-artifact@v4\n      - run: cat result.txt\n",
    ],
)
def test_a_message_after_another_workflow_is_harmless(steps: str) -> None:
    assert is_safe_for_outsiders(AFTER + steps)


@pytest.mark.parametrize(
    "steps",
    [
        f"      - uses: actions/checkout@v4\n        with:\n          ref: ${{{{ github.event.workflow_run.head_commit.id }}}}\n      - run: make\n{SECRET}",
        f"      - run: git fetch ${{{{ github.event.workflow_run.head_repository.clone_url }}}} && make\n{SECRET}",
        f"      - run: git -C . fetch origin pull/7/head && make\n{SECRET}",
        f"      - run: gh api repos/a/b/actions/artifacts/1/zip > a.zip && unzip a.zip && bash a.sh\n{SECRET}",
        f"      - run: gh pr merge --auto\n{SECRET}",
        "      - uses: actions/github-script@v7\n        with:\n          script: await github.rest.actions.downloadArtifact(a)\n      - run: bash a.sh\n",
        "      - uses: actions/download-artifact@v4\n      - run: ${{ runner.temp }}/a\n",
        "      - uses: actions/download-artifact@v4\n      - run: cat a.sh | bash\n",
    ],
)
def test_a_job_that_takes_along_what_outsiders_made_is_no_message(steps: str) -> None:
    assert not is_safe_for_outsiders(AFTER + steps)


@pytest.mark.parametrize("trigger", ['  "pull_request_\\x74arget":\n', "  issue_comment:\n", "  commit_comment:\n"])
def test_secrets_in_a_job_that_outsiders_start_in_another_way_too_are_no_message(trigger: str) -> None:
    steps = f"      - run: curl -d done https://chat.example.org\n{SECRET}"
    assert not is_safe_for_outsiders(AFTER.replace("on:\n", f"on:\n{trigger}") + steps)


def test_secrets_for_all_jobs_count_in_one_that_takes_files_along() -> None:
    steps = "      - uses: actions/download-artifact@v4\n      - run: cat result.txt\n"
    assert not is_safe_for_outsiders(AFTER.replace("jobs:\n", "env:\n  KEY: ${{ secrets.KEY }}\njobs:\n") + steps)


def test_thousands_of_empty_lines_in_a_workflow_are_read_once() -> None:
    blank = (" " * 12 + "\n") * 2_500
    text = f"on: push\njobs:\n  a:\n    permissions:\n      contents: write\n    steps:\n      - uses: actions/checkout@v4\n{blank}      - run: make\n"
    started = time.process_time()
    list(find_unused_permissions(text, "a.yml"))
    list(_USES.finditer(text))
    list(_NAME_KEY.finditer(text))
    assert time.process_time() - started < 0.3
