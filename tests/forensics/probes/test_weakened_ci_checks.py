"""Checks that are weakened fail the default gate; ordinary work on workflows that looks alike passes it."""

from __future__ import annotations

import time

import pytest

from auditor.domain import AuditReport, Conclusion, Evidence, Outcome
from tests.auditing import Answers, asked, audited, found
from tests.repos import Content, Drawing

CI = ".github/workflows/ci.yml"
PROBE = "governance.weakened_checks"
SURE = 0.8
GATE = "governance.gate_changed"
CHECKOUT = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683"
WORKFLOW = f"""\
on:
  pull_request:
  push:
    branches: [main]
permissions: {{}}
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: {CHECKOUT}
        with:
          persist-credentials: false
      - run: ruff check .
      - run: uv run mypy src
  test:
    needs: lint
    runs-on: ${{{{ matrix.os }}}}
    strategy:
      matrix:
        os: [ubuntu-latest, macos-latest]
        python: ["3.8", "3.9"]
    steps:
      - uses: {CHECKOUT}
        with:
          persist-credentials: false
      - name: Tests
        run: |
          pip install .
          pytest -q
"""
TESTS = "          pip install .\n          pytest -q\n"
NAMED = "      - name: Tests\n"
ON = "on:\n  pull_request:\n  push:\n    branches: [main]\n"


def changed(old: str, new: str, workflow: str = WORKFLOW) -> str:
    """The workflow with one place written anew."""
    assert old in workflow
    return workflow.replace(old, new, 1)


def reported(drawing: Drawing, before: dict[str, Content], after: dict[str, Content]) -> AuditReport:
    """The audit, with the default rubric, of a branch that writes those files."""
    return audited(written(drawing, before, after).path, "main")


def answered(drawing: Drawing, before: dict[str, Content], after: dict[str, Content], probe: str = PROBE) -> Answers:
    """What one rule says of such a branch: enough where nobody reads the verdict."""
    return asked(written(drawing, before, after).path, "main", probe)


def written(drawing: Drawing, before: dict[str, Content], after: dict[str, Content]) -> Drawing:
    """The repository, on that branch."""
    drawing.commit({"src/app.py": '"""The app."""\n', "README.md": "# App\n", **before})
    drawing.branch("work")
    drawing.commit(after)
    return drawing


def told(answers: Answers) -> list[Evidence]:
    """What was found about weakened checks."""
    return found(answers, PROBE)


def sure(answers: Answers) -> str:
    """The sentences that are sure about weakened checks: the default gate fails by any of them."""
    found = [each.statement for each in told(answers) if each.confidence >= SURE]
    assert found
    return " ".join(found)


def confirmed(report: AuditReport) -> str:
    """The sentences that are sure, for a gate that fails by the criterion on workflows."""
    [ruling] = [each for each in report.verdict.rulings if each.criterion == "governance"]
    assert report.verdict.conclusion is Conclusion.FAILED
    assert ruling.score is not None
    assert ruling.score < 3.5
    return sure(report)


WEAKENED: list[tuple[str, str]] = [
    (changed(NAMED, f"{NAMED}        continue-on-error: true\n"), "`continue-on-error: true`"),
    (changed(NAMED, f"{NAMED}        Continue-On-Error: true\n"), "`continue-on-error: true`"),
    (changed(NAMED, f"{NAMED}        continue-on-error: ${{{{ always() }}}}\n"), "`continue-on-error: true`"),
    (changed(NAMED, f"{NAMED}        continue-on-error: ${{{{ 'a' != 'b' }}}}\n"), "`continue-on-error: true`"),
    (changed("    needs: lint\n", "    needs: lint\n    continue-on-error: true\n"), "the job has"),
    (changed("pytest -q", "pytest -q || true"), "`|| true` follows it"),
    (changed("pytest -q", "pytest -q || :"), "`|| :` follows it"),
    (changed("pytest -q", 'pytest -q || echo "some tests failed"'), "`|| echo"),
    (changed("pytest -q", "pytest -q || exit 0"), "`|| exit 0` follows it"),
    (changed("pytest -q", "pytest -q; exit 0"), "`exit 0` follows it"),
    (changed("pytest -q", "set +e\n          pytest -q\n          exit 0"), "`exit 0` follows it"),
    (changed("          pip install .\n", "          exit 0\n"), "no longer runs"),
    (changed(TESTS, f"          set +e\n{TESTS}          echo done\n"), "does not stop at errors"),
    (changed("pytest -q", "pytest -q | tee log.txt"), "lost in the pipe"),
    (changed("pytest -q", "if pytest -q; then echo good; fi"), "only a condition"),
    (changed(TESTS, f"          trap 'exit 0' EXIT\n{TESTS}"), "`trap 'exit 0'` makes the script succeed"),
    (changed(TESTS, f"          pytest() {{ true; }}\n{TESTS}"), "a function named `pytest` replaces it"),
    (changed("          persist-credentials: false\n      - name", "          ref: main\n      - name"), "it checks out `main`, not the change"),
    (changed("pytest -q", "pytest -q --collect-only"), "`--collect-only` makes it succeed"),
    (changed("ruff check .", "ruff check --exit-zero ."), "`--exit-zero` makes it succeed"),
    (changed("ruff check .", "flake8 --exit-zero ."), "now `flake8 --exit-zero .`"),
    (changed("      - run: ruff check .\n", ""), "`ruff check .` in job `lint` was removed"),
    (changed("      - run: uv run mypy src\n", "      - run: echo mypy src\n"), "`mypy src` in job `lint` was removed"),
    (changed("      - run: uv run mypy src\n", "      - run: uv run mypy src\n        shell: 'true {0}'\n"), "does not run the script"),
    (WORKFLOW[: WORKFLOW.index("  test:\n")], "`pytest -q` in job `test` was removed"),
    (changed(NAMED, f"{NAMED}        if: false\n"), "`if: false` is never true"),
    (changed(NAMED, f"{NAMED}        if: github.event_name == 'schedule'\n"), "is never true"),
    (changed("    needs: lint\n", "    needs: lint\n    if: ${{ !true }}\n"), "is never true"),
    (changed("  lint:\n", "  lint:\n    if: false\n"), "needs the job `lint`, which never runs"),
    (changed(ON, "on: workflow_dispatch\n"), "only starts on `workflow_dispatch`"),
    (changed(ON, "on:\n  push:\n    branches: [main]\n"), "only starts after the merge"),
    (changed(ON, "on:\n  pull_request:\n    branches: [nowhere]\n"), "no known branch is named `nowhere`"),
    (changed(ON, "on:\n  pull_request:\n    paths: ['nothing/**']\n"), "no file matches `paths: nothing/**`"),
    (changed(ON, "on:\n  pull_request:\n    types: [closed]\n"), "starts it for `closed` only"),
]  # fmt: skip


@pytest.mark.parametrize(("after", "sentence"), WEAKENED, ids=lambda each: each[-60:])
def test_a_check_that_can_no_longer_fail_or_run_is_confirmed(drawing: Drawing, after: str, sentence: str) -> None:
    assert sentence in sure(answered(drawing, {CI: WORKFLOW}, {CI: after}))


@pytest.mark.parametrize(("after", "sentence"), WEAKENED[::7], ids=lambda each: each[-60:])
def test_a_confirmed_weakening_fails_the_gate(drawing: Drawing, after: str, sentence: str) -> None:
    assert sentence in confirmed(reported(drawing, {CI: WORKFLOW}, {CI: after}))


def test_a_workflow_with_checks_that_is_deleted_or_moved_to_where_nothing_runs_it_fails_the_gate(
    drawing: Drawing,
) -> None:
    report = reported(drawing, {CI: WORKFLOW}, {CI: None, ".github/off/ci.yml": WORKFLOW})
    assert "`pytest -q` in job `test` was removed" in confirmed(report)


LINT = "      - run: ruff check .\n      - run: uv run mypy src\n"
CALLED = changed(ON, "on: workflow_call\n")
CALLING = "on: pull_request\npermissions: {}\njobs:\n  all:\n    uses: ./.github/workflows/parts.yml\n"
MATRIX = changed('["3.8", "3.9"]', '["3.9", "3.10", "3.11", "3.12", "3.13"]')
LINT_ONLY = WORKFLOW[: WORKFLOW.index("  test:\n")]
TEST_ONLY = changed(WORKFLOW[WORKFLOW.index("  lint:\n") : WORKFLOW.index("  test:\n")], "")
BENIGN: list[dict[str, Content]] = [
    {CI: changed("  test:\n", "  tests-of-all:\n    name: All tests\n")},
    {CI: changed(NAMED, "      - name: Run the tests\n")},
    {CI: None, ".github/workflows/checks.yaml": WORKFLOW},
    {CI: changed("    needs: lint\n", "", LINT_ONLY + TEST_ONLY[TEST_ONLY.index("  test:\n") :])},
    {CI: LINT_ONLY, ".github/workflows/test.yml": TEST_ONLY.replace("    needs: lint\n", "")},
    {CI: CALLING, ".github/workflows/parts.yml": CALLED},
    {CI: MATRIX},
    {CI: changed(CHECKOUT, "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8")},
    {CI: changed("ruff check .", "flake8 src")},
    {CI: changed("ruff check .", "ruff check --output-format=github .")},
    {CI: changed("uv run mypy src", "uvx pyright")},
    {CI: changed(TESTS, "          pipx run nox -s tests\n")},
    {CI: changed(TESTS, "          pip install tox\n          tox -e py\n")},
    {CI: changed("pytest -q", "python -m pytest -x -n auto")},
    {CI: changed("pytest -q", "timeout 600 coverage run -m pytest -q")},
    {CI: changed("pytest -q", "set +e\n          pytest -q\n          status=$?\n          exit $status")},
    {CI: changed("pytest -q", "pytest -q || { echo 'tests failed'; exit 1; }")},
    {CI: changed("pytest -q", "pytest -q\n          exit 0")},
    {CI: changed("pytest -q", "pytest -q || FAILED=1\n          exit ${FAILED:-0}")},
    {CI: changed(NAMED, f"{NAMED}        continue-on-error: ${{{{ matrix.experimental }}}}\n")},
    {CI: changed(NAMED, f"{NAMED}        if: github.event_name != 'schedule'\n")},
    {CI: changed(NAMED, f"{NAMED}        id: tests\n        continue-on-error: true\n") + "      - if: steps.tests.outcome == 'failure'\n        run: exit 1\n"},
    {CI: changed(ON, "on:\n  pull_request:\n    paths: ['src/**', 'tests/**']\n  push:\n    branches: [main]\n")},
    {CI: changed(ON, "on: [push, pull_request]\n")},
    {CI: changed(ON, "on:\n  pull_request:\n  merge_group:\n")},
    {CI: changed(ON, "on:\n  pull_request:\n  push:\n    branches: [main, 2.x]\n  schedule:\n    - cron: '1 1 * * 1'\n")},
    {CI: f"{WORKFLOW}      - uses: codecov/codecov-action@ab904c41d6ece82784817410c45d8b8c02684457\n        continue-on-error: true\n"},
    {CI: f"{WORKFLOW}      - run: ./notify.sh || true\n"},
    {CI: f"{WORKFLOW}  nightly:\n    runs-on: ubuntu-latest\n    continue-on-error: true\n    steps:\n      - run: pytest -q\n"},
    {CI: changed("pytest -q", "# pytest -q || true was here once\n          pytest -q")},
    {CI: changed("pytest -q", "echo 'pytest || true'\n          pytest -q")},
]  # fmt: skip


@pytest.mark.parametrize("after", BENIGN, ids=lambda each: "+".join(each)[-60:])
def test_moved_renamed_replaced_and_reorganised_checks_are_no_weakened_ones(
    drawing: Drawing, after: dict[str, Content]
) -> None:
    assert told(answered(drawing, {CI: WORKFLOW}, after)) == []


@pytest.mark.parametrize("after", BENIGN[::4], ids=lambda each: "+".join(each)[-60:])
def test_such_work_on_workflows_passes_the_gate(drawing: Drawing, after: dict[str, Content]) -> None:
    assert reported(drawing, {CI: WORKFLOW}, after).verdict.conclusion is Conclusion.PASSED


@pytest.mark.parametrize("after", [*BENIGN[:3], BENIGN[4]], ids=lambda each: "+".join(each)[-60:])
def test_what_is_only_moved_or_renamed_does_not_touch_the_gate(drawing: Drawing, after: dict[str, Content]) -> None:
    before = WORKFLOW.replace("    needs: lint\n", "") if len(after) > 1 and after[CI] else WORKFLOW
    assert found(answered(drawing, {CI: before}, after, GATE), GATE) == []


@pytest.mark.parametrize(
    "after",
    [
        {CI: changed("runs-on: ubuntu-latest", "runs-on: mine")},
        {CI: None, ".github/workflows/checks.yml": changed(ON, "on: push\n")},
        {CI: changed("permissions: {}\n", "permissions: {}\nenv:\n  PYTHONPATH: other\n")},
        {CI: changed("persist-credentials: false", "ref: main")},
    ],
    ids=range(4),
)
def test_what_is_moved_under_other_terms_still_touches_the_gate(drawing: Drawing, after: dict[str, Content]) -> None:
    assert len(found(answered(drawing, {CI: WORKFLOW}, after, GATE), GATE)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("nosetests", "pytest"),
        ("python setup.py test", "python -m pytest"),
        ("tox", "nox"),
        ("black --check .", "ruff format --check ."),
        ("npm test", "pnpm test"),
        ("npx eslint .", "npx biome check ."),
        ("golint ./...", "golangci-lint run"),
        ("black --check .", "black . && git diff --exit-code"),
        ("mypy src", "make types"),
    ],
)
def test_a_tool_may_be_replaced_by_its_successor(drawing: Drawing, before: str, after: str) -> None:
    old = changed("pytest -q", before)
    report = reported(drawing, {CI: old}, {CI: changed(before, after, old)})
    assert all(each.confidence < 0.7 for each in told(report))
    assert report.verdict.conclusion is Conclusion.PASSED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("black --check .", "black ."),
        ("ruff format --check", "ruff format"),
        ("bandit -r src", "bandit -r src --exit-zero"),
        ("pylint src", "pylint --exit-zero src"),
        ("golangci-lint run", "golangci-lint run --issues-exit-code=0"),
        ("mvn verify", "mvn verify -DskipTests"),
        ("npm audit", "npm audit --audit-level=none"),
        ("make test", "make -i test"),
        ("npm test", "npm test || true"),
        ("./ci/check.sh", "./ci/check.sh || true"),
        ("bash -c 'pytest'", "bash -c 'pytest || true'"),
        ("docker run --rm image pytest", "docker run --rm image pytest || true"),
    ],
)
def test_tools_of_all_kinds_are_known_with_the_ways_in_which_they_never_fail(
    drawing: Drawing, before: str, after: str
) -> None:
    old = changed("pytest -q", before)
    assert "can no longer fail" in sure(answered(drawing, {CI: old}, {CI: changed(before, after, old)}))


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("pytest -q", "pytest -q -k nothing", "`-k` was added"),
        ("pytest -q", "pytest -q --ignore=tests/slow", "`--ignore` was added"),
        ("pytest -k fast --cov-fail-under=90", "pytest -k fast", "`--cov-fail-under` was removed"),
        ("cargo clippy -- -D warnings", "cargo clippy", "`-D warnings` was removed"),
    ],
)
def test_options_by_which_a_check_asks_for_less_are_a_doubtful_weakening(
    drawing: Drawing, before: str, after: str, why: str
) -> None:
    old = changed("pytest -q", before)
    answers = answered(drawing, {CI: old}, {CI: changed(before, after, old)})
    assert [(each.statement, each.confidence) for each in told(answers)] == [
        (f"Check `{before}` in job `test` is less strict: {why}.", 0.6)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pytest -k slow", "pytest -k fast"),
        ("pytest -q --ignore=tests/slow", "pytest -q"),
        ("pytest -q", "pytest -k slow && pytest -k 'not slow'"),
        ("cargo clippy -- -D warnings", "cargo clippy -- -Dwarnings"),
        ("eslint . --max-warnings 5", "eslint . --max-warnings=0"),
    ],
)
def test_other_options_or_work_that_is_shared_are_no_weakening(drawing: Drawing, before: str, after: str) -> None:
    old = changed("pytest -q", before)
    assert told(answered(drawing, {CI: old}, {CI: changed(before, after, old)})) == []


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("aquasecurity/trivy-action@v0", "exit-code: '1'", "exit-code: '0'"),
        ("actions/dependency-review-action@v4", "comment-summary-in-pr: never", "warn-only: true"),
        ("lycheeverse/lychee-action@v2", "fail: true", "fail: false"),
    ],
)
def test_inputs_with_which_an_action_never_fails_are_known(
    drawing: Drawing, action: str, before: str, after: str
) -> None:
    old = f"{WORKFLOW}      - uses: {action}\n        with:\n          {before}\n"
    assert "can no longer fail" in sure(answered(drawing, {CI: old}, {CI: changed(before, after, old)}))


SCRIPT = "#!/bin/sh\nset -e\nruff check .\npytest -q\n"
MAKE = "test: lint\n\tpytest -q\n\nlint:\n\truff check .\n\nrun:\n\tpython -m app\n"
PACKAGE = '{\n  "scripts": {\n    "test": "vitest run",\n    "dev": "vite"\n  }\n}\n'
TOX = "[testenv]\ncommands =\n    pytest -q\n"


@pytest.mark.parametrize(
    ("step", "path", "before", "after"),
    [
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, SCRIPT.replace("pytest -q", "pytest -q || true")),
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, SCRIPT.replace("set -e\n", "set -e\nexit 0\n")),
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, SCRIPT.replace("set -e\n", "")),
        ("make test", "Makefile", MAKE, MAKE.replace("\tpytest", "\t-pytest")),
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, "#!/bin/sh\nset -e\necho done\n"),
        ("make test", "Makefile", MAKE, ".IGNORE:\n" + MAKE),
        ("make test", "Makefile", MAKE, ".IGNORE: test\n" + MAKE),
        ("make test", "Makefile", MAKE, "MAKEFLAGS += -i\n" + MAKE),
        ("make test", "Makefile", MAKE, "SHELL := /bin/true\n" + MAKE),
        ("make ci", "Makefile", "ci: test\n" + MAKE, "ci: lint\n" + MAKE),
        ("make test", "Makefile", MAKE, MAKE.replace("check .", "check . || true")),
        ("make test", "Makefile", MAKE, MAKE.replace("test: lint", "test:")),
        ("npm test", "package.json", PACKAGE, PACKAGE.replace("vitest run", "vitest run || true")),
        ("tox", "tox.ini", TOX, TOX.replace("    pytest", "    - pytest")),
        ("tox", "tox.ini", TOX, TOX + "ignore_outcome = true\n"),
    ],
)
def test_checks_in_scripts_and_recipes_that_workflows_call_are_followed(
    drawing: Drawing, step: str, path: str, before: str, after: str
) -> None:
    workflow = changed("pytest -q", step, changed(LINT, "      - run: mypy src\n"))
    answers = answered(drawing, {CI: workflow, path: before}, {path: after})
    assert sure(answers)
    assert {place.path for each in told(answers) for place in each.locations if place.kind == "code"} <= {path, CI}


@pytest.mark.parametrize(
    ("step", "path", "before", "after"),
    [
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, SCRIPT.replace("set -e", "set -euo pipefail\ncd src || exit 1")),
        ("make test", "Makefile", MAKE, MAKE.replace("run:\n\tpython", "run:\n\t-python")),
        ("npm test", "package.json", PACKAGE, PACKAGE.replace("vite\"", 'vite || true"')),
        ("make test", "Makefile", MAKE, "MAKEFLAGS += --no-print-directory --silent\nSHELL := /bin/bash\n" + MAKE),
        ("make test", "Makefile", MAKE, ".IGNORE: run\n" + MAKE),
        ("sh ci/all.sh", "ci/all.sh", SCRIPT, SCRIPT.replace("set -e", "set -e\ntrap 'rm -rf tmp' EXIT\nlog() { echo \"$1\"; }")),
        ("tox", "tox.ini", TOX, TOX + "[testenv:docs]\nignore_outcome = true\ncommands = sphinx-build docs out\n"),
        ("tox", "tox.ini", TOX, TOX.replace("pytest -q", "coverage run -m pytest")),
        ("sh other.sh", "ci/all.sh", SCRIPT, "true\n"),
    ],
)  # fmt: skip
def test_other_recipes_and_scripts_may_change(drawing: Drawing, step: str, path: str, before: str, after: str) -> None:
    workflow = changed("pytest -q", step, changed(LINT, "      - run: mypy src\n"))
    assert told(answered(drawing, {CI: workflow, path: before}, {path: after})) == []


def test_a_script_that_another_script_calls_is_followed(drawing: Drawing) -> None:
    before: dict[str, Content] = {
        CI: changed("pytest -q", "sh ci/all.sh"),
        "ci/all.sh": "set -e\nsh ci/tests.sh\n",
        "ci/tests.sh": "set -e\npytest -q\n",
    }
    assert "`|| true` follows it" in sure(answered(drawing, before, {"ci/tests.sh": "pytest -q || true\n"}))


@pytest.mark.parametrize("emptied", ["set -e\ncat <<END\nruff check .\npytest -q\nEND\n", "set -e\npython -m app\n"])
def test_a_script_that_is_called_as_before_does_not_replace_its_own_checks(drawing: Drawing, emptied: str) -> None:
    workflow = changed("pytest -q", "sh ci/all.sh", changed(LINT, "      - run: mypy src\n"))
    answers = answered(drawing, {CI: workflow, "ci/all.sh": SCRIPT}, {"ci/all.sh": emptied})
    assert {(each.statement, each.confidence) for each in told(answers)} == {
        ("Check `ruff check .` in job `test` was removed.", 0.6),
        ("Check `pytest -q` in job `test` was removed.", 0.6),
    }


def test_a_script_does_not_cover_a_check_that_was_never_in_it(drawing: Drawing) -> None:
    workflow = changed("pytest -q", "sh ci/all.sh", changed("ruff check .", "bandit -r src"))
    before: dict[str, Content] = {CI: workflow, "ci/all.sh": SCRIPT}
    answers = answered(drawing, before, {CI: changed("      - run: bandit -r src\n", "", workflow)})
    assert [(each.statement, each.confidence) for each in told(answers)] == [
        ("Check `bandit -r src` in job `lint` was removed without a replacement.", 0.9)
    ]


PROGRAM = "import subprocess\n\nsubprocess.run(['pytest'], check=True)\n"
ONE_STEP = "on: pull_request\njobs:\n  all:\n    runs-on: ubuntu-latest\n    steps:\n      - run: {step}\n"
GROOVY = "pipeline {\n  stages {\n    stage('test') { steps { sh 'pytest' } }\n  }\n}\n"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ({CI: ONE_STEP.format(step="python scripts/all.py"), "scripts/all.py": PROGRAM}, {"scripts/all.py": PROGRAM.replace("True", "False")}, "CI was weakened: `scripts/all.py` has lost most of its statements that can fail."),
        ({CI: ONE_STEP.format(step="make -C web test"), "web/Makefile": MAKE}, {"web/Makefile": MAKE.replace("\tpytest", "\t-pytest")}, "Check `pytest -q` can no longer fail: `-` before it ignores its failure."),
        ({"Jenkinsfile": GROOVY}, {"Jenkinsfile": GROOVY.replace("sh 'pytest'", "sh(script: 'pytest', returnStatus: true)")}, "Check `pytest` can no longer fail: `returnStatus: true` passes over its status."),
    ],
    ids=["a program", "a recipe of a folder", "a pipeline of Jenkins"],
)  # fmt: skip
def test_what_is_called_in_a_way_that_is_not_resolved_is_a_likely_finding(
    drawing: Drawing, before: dict[str, Content], after: dict[str, Content], says: str
) -> None:
    answers = answered(drawing, before, after)
    assert [(each.statement, each.confidence) for each in told(answers)] == [(says, 0.65)]
    assert [each.path for one in told(answers) for each in one.locations if each.kind == "code"] == [*after]


def test_a_script_whose_call_is_resolved_is_reported_once(drawing: Drawing) -> None:
    before: dict[str, Content] = {CI: ONE_STEP.format(step="sh ci/all.sh"), "ci/all.sh": SCRIPT}
    answers = answered(drawing, before, {"ci/all.sh": SCRIPT.replace("pytest -q", "pytest -q || true")})
    assert [each.statement for each in told(answers)] == [
        "Check `pytest -q` in job `all` can no longer fail: `|| true` follows it."
    ]


def test_a_weakened_script_is_an_edit_to_the_gate_and_no_more(drawing: Drawing) -> None:
    before: dict[str, Content] = {CI: ONE_STEP.format(step="python scripts/all.py"), "scripts/all.py": PROGRAM}
    answers = answered(drawing, before, {"scripts/all.py": PROGRAM.replace("True", "False")}, GATE)
    assert [(each.statement, each.confidence) for each in found(answers, GATE)] == [
        ("The change edits a script or settings that CI checks use: `scripts/all.py`.", 0.55)
    ]


def test_a_recipe_may_move_to_another_file_that_the_same_command_reads(drawing: Drawing) -> None:
    after: dict[str, Content] = {
        "tox.ini": None,
        "pyproject.toml": '[tool.tox.env_run_base]\ncommands = [["pytest", "-q"]]\n',
    }
    before = {CI: changed("pytest -q", "tox"), "tox.ini": f"{TOX}    pyright\n"}
    report = reported(drawing, {**before}, after)
    assert told(report) == []
    assert report.verdict.conclusion is Conclusion.PASSED


def test_a_check_may_move_into_a_script_or_an_action_of_the_same_change(drawing: Drawing) -> None:
    action = "runs:\n  using: composite\n  steps:\n    - run: pytest -q\n      shell: bash\n"
    answers = answered(
        drawing,
        {CI: WORKFLOW},
        {
            CI: changed("      - run: ruff check .\n", "      - run: bash ci/lint.sh\n", changed(f"{NAMED}        run: |\n{TESTS}", "      - uses: ./.github/actions/test\n")),
            "ci/lint.sh": "set -e\nruff check .\n",
            ".github/actions/test/action.yml": action,
        },
    )  # fmt: skip
    assert told(answers) == []


def test_a_check_that_fails_less_in_the_action_that_it_moved_to_is_confirmed(drawing: Drawing) -> None:
    action = "runs:\n  using: composite\n  steps:\n    - run: pytest -q || true\n      shell: bash\n"
    after = changed(f"{NAMED}        run: |\n{TESTS}", "      - uses: ./.github/actions/test\n")
    answers = answered(drawing, {CI: WORKFLOW}, {CI: after, ".github/actions/test/action.yml": action})
    assert "can no longer fail" in sure(answers)


def test_what_could_not_fail_before_is_not_weakened(drawing: Drawing) -> None:
    before = changed("pytest -q", "pytest -q || true")
    answers = answered(drawing, {CI: before}, {CI: changed("pytest -q || true", "pytest -q || echo failed", before)})
    assert told(answers) == []


PART = ".github/workflows/parts.yml"


@pytest.mark.parametrize(
    "after",
    [
        {CI: CALLING, PART: CALLED.replace("pytest -q", "echo")},
        {CI: CALLING, ".github/workflows/other.yml": CALLED},
        {CI: CALLING.replace("pull_request", "workflow_dispatch"), PART: CALLED},
        {CI: CALLING.replace("    uses: ./", "    steps:\n      - run: echo\n# uses: ./"), PART: CALLED},
        {CI: CALLING.replace("    uses: ./", "    steps:\n      - run: echo\n        name: uses ./"), PART: CALLED},
    ],
    ids=range(5),
)
def test_a_check_that_moves_to_a_workflow_that_no_change_starts_is_lost(
    drawing: Drawing, after: dict[str, Content]
) -> None:
    assert "`pytest -q`" in sure(answered(drawing, {CI: WORKFLOW}, after))


def test_to_install_a_tool_is_no_check(drawing: Drawing) -> None:
    before = changed("pip install .", "python -m pip install -U pytest-cov mypy && uv sync")
    assert told(answered(drawing, {CI: before}, {CI: WORKFLOW})) == []


NEW = """\
on:
  push:
    branches: [main]
permissions: {}
jobs:
  publish:
    runs-on: ubuntu-latest
    permissions:
      contents: write
      id-token: write
    steps:
      - uses: USES
      - run: gh release create v1
        env:
          GH_TOKEN: ${{ github.token }}
      - uses: pypa/gh-action-pypi-publish@76f52bc884231f62b9a034ebfe128415bbaabdfc
"""


def test_a_new_workflow_with_permissions_narrowed_to_what_it_uses_is_no_finding(drawing: Drawing) -> None:
    report = reported(drawing, {CI: WORKFLOW}, {".github/workflows/publish.yml": NEW.replace("USES", CHECKOUT)})
    assert [each.statement for each in found(report, GATE)] == []
    assert report.verdict.conclusion is Conclusion.PASSED


def test_an_unpinned_action_in_a_new_workflow_does_not_fail_the_gate(drawing: Drawing) -> None:
    new = NEW.replace("USES", "someone/build@v1")
    report = reported(drawing, {CI: WORKFLOW}, {".github/workflows/publish.yml": new})
    assert len(found(report, "workflows.unpinned_actions")) == 1
    assert report.verdict.conclusion is Conclusion.PASSED


@pytest.mark.parametrize("rights", ["permissions: write-all", "permissions:\n  contents: write\n  packages: write"])
def test_a_new_workflow_that_takes_more_than_it_uses_fails_the_gate(drawing: Drawing, rights: str) -> None:
    new = f"on: push\n{rights}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ls\n"
    report = reported(drawing, {CI: WORKFLOW}, {".github/workflows/new.yml": new})
    assert [each.confidence for each in found(report, GATE)] == [0.9]
    assert report.verdict.conclusion is Conclusion.FAILED


@pytest.mark.parametrize(
    "broken", ["on: pull_request\njobs: [", "on: pull_request\njobs:\n  a: {}\njobs: {}\n", "a: " * 70]
)
def test_a_workflow_that_cannot_be_read_is_no_silent_pass(drawing: Drawing, broken: str) -> None:
    drawing.commit({CI: WORKFLOW})
    drawing.branch("work")
    drawing.commit({CI: broken})
    answers = [each for each in asked(drawing.path, "main", PROBE).evidence if each.probe == PROBE]
    assert Outcome.UNAVAILABLE in {each.outcome for each in answers}
    assert Outcome.NOT_FOUND not in {each.outcome for each in answers}


HOSTILE = {
    "steps that are many": WORKFLOW + "      - run: pytest\n" * 900,
    "a script without an end": changed("pytest -q", "pytest " + "$(" * 5_000 + "'" * 5_000 + "${{" * 5_000),
    "conditions in brackets": changed(NAMED, f"{NAMED}        if: {'(' * 500}true{')' * 500}\n"),
    "many patterns": changed(ON, "on:\n  pull_request:\n    paths:\n" + "      - '" + "*a" * 90 + "b'\n" + "      - 'src/**/**/**x'\n" * 200),
    "heredocs": changed("pytest -q", "cat <<A <<B\n          " * 2_000 + "pytest"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_workflows_made_to_take_long_take_no_time(drawing: Drawing, name: str) -> None:
    drawing.commit({CI: WORKFLOW, "a" * 200: "a\n"})
    drawing.branch("work")
    drawing.commit({CI: HOSTILE[name]})
    started = time.process_time()
    asked(drawing.path, "main", PROBE)
    assert time.process_time() - started < 5


def test_scripts_that_call_each_other_without_end_are_not_followed_without_end(drawing: Drawing) -> None:
    workflow = changed("pytest -q", "sh a.sh")
    drawing.commit({CI: workflow, "a.sh": "sh b.sh\n", "b.sh": "sh a.sh\n"})
    drawing.branch("work")
    drawing.commit({"a.sh": "sh b.sh\n" * 400, "b.sh": "sh a.sh\n" * 400})
    started = time.process_time()
    answers = [each for each in asked(drawing.path, "main", PROBE).evidence if each.probe == PROBE]
    assert time.process_time() - started < 12
    assert {each.outcome for each in answers} == {Outcome.UNAVAILABLE}
