"""The gate and the instructions of agents are not changed without being told, by whatever way they are reached."""

from __future__ import annotations

import time

import pytest

from auditor.domain import Outcome
from auditor.forensics.probe_kit.probe_inputs import Documents
from auditor.forensics.workflows.checking_pipelines import CalledScripts, find_check_pipelines
from auditor.forensics.workflows.governance_files import (
    is_agent_instruction,
    is_gate,
    references_pipeline,
    resolve_link,
)
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from tests.auditing import asked
from tests.forensics.probes.asking import added, ask, change, deleted, modified, renamed
from tests.repos import Content, Drawing

GATE = """\
on: pull_request
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
      - run: ./ci/build.sh
  judge:
    name: Audit of the change
    runs-on: ubuntu-latest
    steps:
      - uses: ./ci/gate
      - uses: OWNER/automaton-auditor@v1
        with:
          rubric: quality/mine.yaml
"""
BASE: dict[str, Content] = {
    ".github/workflows/gate.yml": GATE,
    ".github/workflows/all.yml": "on: pull_request\njobs:\n  all:\n    uses: ./.github/workflows/gate.yml\n",
    ".github/workflows/docs.yml": "on: push\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make docs\n",
    "ci/gate/action.yml": "runs:\n  using: composite\n  steps:\n    - run: ./judge.sh\n",
    "ci/build.sh": "make all\n",
    "scripts/judge.sh": "auditor audit . --base main\n",
    "quality/mine.yaml": "criteria: []\n",
    "settings.yaml": "a: 1\n",
    "src/app.py": "x = 1\n",
    "docs/guide.md": "Be kind.\n",
    "docs/other.md": "Nothing.\n",
    "rules/a.md": "Be brief.\n",
    "CLAUDE.md": "See @rules/a.md for more.\n",
}


def told(drawing: Drawing, probe: str, files: dict[str, Content]) -> Outcome:
    """How the probe answers when a branch writes those files."""
    drawing.branch("work")
    drawing.commit(files)
    report = asked(drawing.path, "main", probe)
    outcomes = {each.outcome for each in report.evidence if each.probe == probe}
    return Outcome.FOUND if Outcome.FOUND in outcomes else Outcome.NOT_FOUND


@pytest.mark.parametrize(
    "files",
    [
        {".github/workflows/gate.yml": GATE.replace("on: pull_request", "on: push")},
        {".github/workflows/gate.yml": None},
        {".github/workflows/gate.yml": None, ".github/workflows/other.yml": GATE.replace("automaton-auditor", "nothing")},
        {".github/workflows/all.yml": "on: push\n"},
        {"ci/gate/action.yml": "runs:\n  using: composite\n  steps: []\n"},
        {"scripts/judge.sh": "true\n"},
        {"ci/build.sh": "make some\n"},
        {"quality/mine.yaml": "criteria: [none]\n"},
        {".github/workflows/docs.yml": "on: push\njobs:\n  judge:\n    name: Audit of the change\n    runs-on: ubuntu-latest\n    steps:\n      - run: 'true'\n"},
        {
            ".github/workflows/new.yml": "on: pull_request\njobs:\n  x:\n    name: Audit of the change\n    steps:\n      - run: 'true'\n"
        },
        {"src/sitecustomize.py": "import os\n"},
        {".github/mergify.yml": "pull_request_rules: []\n"},
    ],
    ids=str,
)  # fmt: skip
def test_no_way_around_the_gate_goes_untold(drawing: Drawing, files: dict[str, Content]) -> None:
    drawing.commit(dict(BASE))
    assert told(drawing, "governance.gate_changed", files) is Outcome.FOUND


@pytest.mark.parametrize(
    "files",
    [
        {"src/app.py": "x = 2\n"},
        {"ci/release.sh": "make dist\n"},
        {"ci/build.sh": "make all # of it\n"},
        {"settings.yaml": "a: 2\n"},
        {".github/workflows/docs.yml": "on: push\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make all\n"},
        {".github/workflows/docs.yml": "on: push\njobs:\n  judge:\n    runs-on: ubuntu-latest\n    steps:\n      - run: 'true'\n"},
        {"gate/notes.md": "ci/gate\n", "src/ci/gate.py": "x = 1\n"},
    ],
    ids=str,
)  # fmt: skip
def test_what_stands_beside_the_gate_is_not_the_gate(drawing: Drawing, files: dict[str, Content]) -> None:
    drawing.commit(dict(BASE))
    assert told(drawing, "governance.gate_changed", files) is Outcome.NOT_FOUND


def test_a_submodule_in_the_place_of_an_action_of_the_gate_is_told(drawing: Drawing) -> None:
    drawing.commit(dict(BASE))
    drawing.branch("work")
    drawing.commit({"ci/gate/action.yml": None})
    drawing.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},ci/gate")
    drawing.git("commit", "--quiet", "--message", "Move the action out")
    report = asked(drawing.path, "main", "governance.gate_changed")
    places = [
        place.path
        for each in report.evidence
        if each.probe == "governance.gate_changed" and each.outcome is Outcome.FOUND
        for place in each.locations
        if place.kind == "code"
    ]
    assert "ci/gate" in places


@pytest.mark.parametrize("changed", ["docs/guide.md", "rules/a.md", "shared/more/b.md", ".vscode/settings.json"])
def test_what_instructions_link_to_or_take_in_is_instruction_too(drawing: Drawing, changed: str) -> None:
    drawing.write(BASE)
    (drawing.path / "AGENTS.md").symlink_to("docs/guide.md")
    (drawing.path / ".cursor").mkdir()
    (drawing.path / ".cursor" / "rules").symlink_to("../shared")
    drawing.commit({"shared/a.md": "a\n"})
    files: dict[str, Content] = {changed: '{"chat.tools.autoApprove": true}\n'}
    assert told(drawing, "agents.instructions_changed", files) is Outcome.FOUND


@pytest.mark.parametrize("changed", ["docs/other.md", "src/app.py", ".vscode/launch.json"])
def test_other_documents_are_no_instructions(drawing: Drawing, changed: str) -> None:
    drawing.commit(dict(BASE))
    assert told(drawing, "agents.instructions_changed", {changed: "else = 1\n"}) is Outcome.NOT_FOUND


def test_code_that_holds_zero_bytes_does_not_pass_for_a_picture(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.branch("work")
    script = "Invoke-Expression $input\n".encode("utf-16")
    drawing.commit({"run.ps1": script, "run.sh": b"rm -r ~\n\0", "logo.raw": b"\0\1\2", "a.py": "x = 2\n"})
    report = asked(drawing.path, "main", "coverage.analysed")
    [fact] = [each for each in report.evidence if each.probe == "coverage.analysed"]
    assert fact.outcome is Outcome.NOT_FOUND
    assert {place.path for place in fact.locations if place.kind == "code"} == {"run.ps1", "run.sh"}


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.override.md", "agents.md", "pkg/Claude.local.md", ".github/instructions/py.instructions.md", ".windsurfrules", ".roorules-code", ".vscode/mcp.json",
        "skills/pdf/SKILL.md", ".agents/skills/x/run.py", ".amazonq/rules/a.md", "opencode.json", ".github/copilot-instructions.md", ".coderabbit.yaml", ".claude/settings.json",
        ".cursor/BUGBOT.md", ".openhands/microagents/repo.md", ".github/skills/a/SKILL.md",
    ],
)  # fmt: skip
def test_instructions_go_by_many_names(path: str) -> None:
    assert is_agent_instruction(path)


@pytest.mark.parametrize(
    "path",
    ["src/skill.py", "docs/claude.html", "mcp/server.json", "agents/base.py", "rules.md", "docs/agents.md", "docs/models/gemini.md", "wiki/Conventions.md", "kitchen/skill.md"],
)  # fmt: skip
def test_names_that_only_sound_like_it_are_none(path: str) -> None:
    assert not is_agent_instruction(path)


def test_the_gate_goes_by_any_case_and_models_are_not_part_of_it() -> None:
    assert is_gate(".github/codeowners")
    assert is_gate(".GitHub/Auditor.yml")
    assert not is_gate("weights/model.pth")


def test_a_path_is_named_by_its_own_name_alone() -> None:
    line = "  - uses: ./ci/gate"
    assert references_pipeline(line, "ci/gate/action.yml")
    assert not references_pipeline(line, "i/gate")
    assert not references_pipeline(line, "ci/gat")
    assert not references_pipeline("  - uses: ./other/ci/gate", "ci/gate")
    assert not references_pipeline(f"#{line}", "ci/gate/action.yml")


def test_a_link_out_of_the_tree_leads_nowhere() -> None:
    assert resolve_link("AGENTS.md", "../elsewhere.md") == ""
    assert resolve_link("AGENTS.md", "/etc/passwd") == ""
    assert resolve_link("a/b/AGENTS.md", "../../c.md") == "c.md"


CHECKED = "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ruff check .\n      - run: pytest -q\n"


@pytest.mark.parametrize(
    ("path", "before"),
    [
        (".github/workflows/test.yml", CHECKED),
        (".circleci/config.yml", "jobs:\n  build:\n    steps:\n      - checkout\n      - run: npm test\n"),
        (".github/auditor.yml", "gate:\n  overall: 4\n"),
    ],
)
def test_what_checked_changes_and_is_deleted_is_said_to_be_taken_away_and_not_to_be_changed(
    path: str, before: str
) -> None:
    for file, head, gone in ((deleted(path), {}, True), (modified(path), {path: "on: pull_request\n"}, False)):
        governing = GovernanceFiles({path: before})
        facts = ask("governance.gate_changed", change(file), Documents(head, {path: before}), governing)
        assert [each.outcome for each in facts] == [Outcome.FOUND]
        assert ("The change removes" in facts[0].statement) is gone


@pytest.mark.parametrize(
    ("new", "gone"),
    [(".github/workflows/unit.yml", False), (".github/off/test.yml", True), (".github/workflows/test.yml.off", True)],
)
def test_a_workflow_that_is_moved_is_taken_away_only_where_nothing_runs_it(new: str, gone: bool) -> None:
    old = ".github/workflows/test.yml"
    facts = ask(
        "governance.gate_changed",
        change(renamed(old, new)),
        Documents({new: CHECKED}, {old: CHECKED}),
        GovernanceFiles({old: CHECKED}),
    )
    assert ("The change removes" in facts[0].statement) is gone


PYTEST = "    steps:\n      - run: |\n          pip install .\n          pytest -q\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".github/workflows/a.yml", f"on: [push, pull_request]\njobs:\n  a:\n{PYTEST}", True),
        (".github/workflows/a.yml", f"on:\n  push:\n    branches: [main]\njobs:\n  a:\n{PYTEST}", True),
        (".github/workflows/a.yml", "on: merge_group\njobs:\n  a:\n    steps:\n      - uses: golangci/golangci-lint-action@v6\n", True),
        (".circleci/config.yml", "jobs:\n  build:\n    steps:\n      - checkout\n      - run: npm test\n", True),
        (".github/workflows/a.yml", f"on:\n  schedule:\n    - cron: '1 1 * * *'\njobs:\n  a:\n{PYTEST}", False),
        (".github/workflows/a.yml", f"on:\n  push:\n    tags: ['v*']\njobs:\n  a:\n{PYTEST}", False),
        (".github/workflows/a.yml", f"on: push\njobs:\n  a:\n{PYTEST}      - run: npm publish\n", False),
        (".github/workflows/a.yml", "on: pull_request_target\njobs:\n  test:\n    steps:\n      - uses: actions/labeler@v5\n", False),
    ],
)  # fmt: skip
def test_workflows_that_check_what_is_proposed_are_known_by_what_starts_them_and_what_they_do(
    path: str, text: str, expected: bool
) -> None:
    assert (path in find_check_pipelines({path: text})) is expected


def test_what_a_checking_workflow_calls_checks_too() -> None:
    called = {f"ci/{name}/action.yml": "runs:\n  using: composite\n" for name in ("setup", "other")}
    calling = f"on: pull_request\njobs:\n  a:\n{PYTEST}      - uses: ./ci/setup\n"
    assert find_check_pipelines({".github/workflows/a.yml": calling, **called}) == {
        ".github/workflows/a.yml",
        "ci/setup/action.yml",
    }


def test_a_checking_workflow_may_be_described_anew_but_not_changed(drawing: Drawing) -> None:
    checks = f"on: pull_request\njobs:\n  a:\n{PYTEST}"
    drawing.commit({".github/workflows/a.yml": checks})
    same: dict[str, Content] = {".github/workflows/a.yml": f"# Runs on every change.\n\n{checks}"}
    assert told(drawing, "governance.gate_changed", same) is Outcome.NOT_FOUND
    weaker: dict[str, Content] = {".github/workflows/a.yml": checks.replace("pytest -q", "true")}
    drawing.git("checkout", "--quiet", "main")
    drawing.git("branch", "--quiet", "--delete", "--force", "work")
    assert told(drawing, "governance.gate_changed", weaker) is Outcome.FOUND


RUNS = 'on: pull_request\njobs:\n  test:\n    steps:\n      - run: make -C web check\n        working-directory: ci\n      - run: python lint.py && npm run lint && tox\n      - run: ./deploy/publish.sh\n      - run: shellcheck -s sh tool.sh\n      - run: . ./tool.sh && . ci/tests.sh; . ./unit-test.sh\n      - run: sudo -E ./install.sh\n      - run: uv run pytest ./tests/test_agent.py && python tests/run_all.py\n      - run: make test ONLY="tests/test_b.py tests/c_test.py"\n      - run: ruby test/test_lines.rb && node web/lines.test.js && ruby test/runner.rb\n'
MAKE = "check: lint\n\tpytest\n\nlint: src\n\truff check\n\ndocs:\n\tmkdocs build\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"),
    [
        ("web/Makefile", MAKE, MAKE.replace("pytest", "pytest -x"), True),
        ("web/Makefile", MAKE, MAKE.replace("ruff check", "true"), True),
        ("web/Makefile", MAKE, MAKE.replace("mkdocs build", "mkdocs serve"), False),
        ("other/Makefile", MAKE, "check:\n\ttrue\n", False),
        ("ci/lint.py", None, None, True),
        ("lint.py", None, None, True),
        ("other/lint.py", None, None, False),
        ("deploy/publish.sh", "a\n", "b\n", False),
        ("tool.sh", "a\n", "b\n", False),
        ("ci/tests.sh", "a\n", "b\n", True),
        ("unit-test.sh", "a\n", "b\n", True),
        ("install.sh", "a\n", "b\n", True),
        ("tests/test_agent.py", "def test_a():\n    a\n", "def test_a():\n    b\n", False),
        ("tests/test_b.py", "def test_a():\n    a\n", "def test_a():\n    b\n", False),
        ("tests/c_test.py", "class TestC:\n    a\n", "class TestC:\n    b\n", False),
        ("tests/run_all.py", "a\n", "b\n", True),
        ("test/test_lines.rb", "def test_a\n  a\n", "def test_a\n  b\n", False),
        ("web/lines.test.js", "it('is', () => a\n", "it('is', () => b\n", False),
        ("test/runner.rb", "a\n", "b\n", True),
        ("package.json", '{"scripts": {"lint": "npm run style", "style": "eslint", "dev": "vite"}}', '{"scripts": {"lint": "npm run style", "style": "true", "dev": "vite"}}', True),
        ("package.json", '{"scripts": {"lint": "eslint", "dev": "vite"}}', '{"scripts": {"lint": "eslint", "dev": "vite --host"}, "version": "2"}', False),
        ("package.json", "{", "[" * 5_000, True),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\n# faster\ncommands = pytest\n", False),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = true\n", True),
        ("noxfile.py", "a\n", "b\n", False),
    ],
)  # fmt: skip
def test_scripts_and_recipes_count_where_a_pipeline_calls_for_them(
    path: str, before: str | None, after: str | None, expected: bool
) -> None:
    assert CalledScripts([("ci.yml", RUNS)]).changes_meaning(path, before, after) is expected


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        ("python ci/gate_test.py", "ci/gate_test.py", True),
        ("node scripts/run-test.js", "scripts/run-test.js", True),
        ("npx -p jest node ci/gate.js", "ci/gate.js", True),
        ("npx jest ci/gate.js", "ci/gate.js", False),
        ("python -m pytest ci/gate.py", "ci/gate.py", False),
    ],
)
def test_a_script_that_goes_by_the_name_of_a_test_and_holds_none_is_part_of_what_checks(
    line: str, path: str, expected: bool
) -> None:
    called = CalledScripts([("ci.yml", f"on: pull_request\njobs:\n  a:\n    steps:\n      - run: {line}\n")])
    assert called.changes_meaning(path, "check()\n", "pass\n") is expected


@pytest.mark.parametrize(
    "line",
    ["a/" * 100_000, "a." * 100_000, "make " + "a " * 100_000, "- run: " + "cd x " * 40_000, "npm run " * 30_000],
)
def test_endless_pipelines_and_recipes_take_no_time(line: str) -> None:
    started = time.process_time()
    CalledScripts([("ci.yml", f"on: pull_request\njobs:\n  {line}")]).changes_meaning(
        "Makefile", f"{line}:\n {line}", line
    )
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        ("./bin/check", "bin/check", True), ("script/check --all", "script/check", True), ("cat ./bin/check", "bin/check", False), ("echo script/check", "script/check", False),
        ("php tools/check.php", "tools/check.php", True), ("python -m tools.check", "tools/check.py", True), ("python -m tools.check", "tools/check/__main__.py", True),
        ("python -m ferry.cli --help", "ferry/cli.py", False), ("go run ./tools/check", "tools/check/rules.go", True), ("go run ./cmd/ferry", "cmd/ferry/main.go", False),
        ("cargo xtask ci", "xtask/src/main.rs", True), ("bundle exec rake lint", "Rakefile", True), ("bundle exec rspec", "Rakefile", False), ("inv test", "tasks.py", True),
        ("mage lint", "magefile.go", True), ("earthly +test", "Earthfile", True), ("lefthook run pre-commit", "lefthook.yml", True),
    ],
)  # fmt: skip
def test_programs_modules_and_other_kinds_of_recipes_are_called_for_too(line: str, path: str, expected: bool) -> None:
    called = CalledScripts([("ci.yml", f"on: pull_request\njobs:\n  a:\n    steps:\n      - run: {line}\n")])
    assert called.changes_meaning(path, "check\n", "pass\n") is expected


@pytest.mark.parametrize(
    ("line", "path", "before"),
    [
        ("hatch run lint:all", "pyproject.toml", '[tool.hatch.envs.lint.scripts]\nall = "NOW"\nfix = "OTHER"\n'),
        ("pdm run lint", "pyproject.toml", '[tool.pdm.scripts]\nlint = "NOW"\nfix = "OTHER"\n'),
        ("poe lint", "pyproject.toml", '[tool.poe.tasks]\nlint = "NOW"\nfix = "OTHER"\n'),
        ("mise run lint", "mise.toml", '[tasks.lint]\nrun = "NOW"\n[tasks.fix]\nrun = "OTHER"\n'),
        ("composer run lint", "composer.json", '{"scripts": {"lint": "NOW", "fix": "OTHER"}}'),
        ("npx turbo lint", "web/package.json", '{"scripts": {"lint": "NOW", "fix": "OTHER"}}'),
        ("nx run-many -t lint", "web/package.json", '{"scripts": {"lint": "NOW", "fix": "OTHER"}}'),
    ],
)
def test_of_a_table_of_recipes_only_what_is_called_for_counts(line: str, path: str, before: str) -> None:
    into = "" if "/" not in path else "      - run: cd web\n"
    called = CalledScripts([("ci.yml", f"on: pull_request\njobs:\n  a:\n    steps:\n      - run: {line}\n{into}")])
    assert called.changes_meaning(path, before, before.replace("NOW", "LATER"))
    assert not called.changes_meaning(path, before, before.replace("OTHER", "ANOTHER"))
    assert not called.changes_meaning(path, "[", "[[") if path.endswith(".toml") else True


def test_what_an_action_runs_out_of_its_own_folder_is_called_for() -> None:
    text = "name: c\nruns:\n  using: node20\n  main: 'dist/index.js'\n"
    steps = "name: c\nruns:\n  steps:\n    - run: ${{ github.action_path }}/run.sh\n"
    called = CalledScripts([("ci/check/action.yml", text), ("ci/lint/action.yml", steps), ("other.yml", text)])
    assert called.changes_meaning("ci/check/dist/index.js", None, None)
    assert called.changes_meaning("ci/lint/run.sh", "a\n", "b\n")
    assert not called.changes_meaning("ci/lint/other.sh", "a\n", "b\n")
    assert not called.changes_meaning("dist/index.js", None, None)


@pytest.mark.parametrize(
    "piece",
    ["./a/", "tools/", "python -m tools.", "go run -a ./", "  main: a/", "$GITHUB_ACTION_PATH/a/", "hatch run a:"],
)
def test_endless_rows_of_actions_take_no_time(piece: str) -> None:
    started = time.process_time()
    CalledScripts([("ci/a/action.yml", f"jobs:\n  - run: {piece * 20_000}\n{piece * 20_000}")]).changes_meaning(
        "Makefile", "", "a"
    )
    assert time.process_time() - started < 1


def test_endless_kinds_of_a_trigger_take_no_time() -> None:
    started = time.process_time()
    find_check_pipelines(
        {".github/workflows/a.yml": f"on: pull_request\n{'types: ' * 20_000}\njobs:\n  a:\n    - run: node a.mjs\n"}
    )
    assert time.process_time() - started < 1


FIRST = ".github/workflows/audit.yml"
FIRST_TEXT = """\
on: pull_request
permissions: {}
jobs:
  audit:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      checks: write
      pull-requests: write
    steps:
      - uses: OWNER/automaton-auditor@v1
"""


def test_the_first_workflow_that_audits_changes_edits_no_gate(drawing: Drawing) -> None:
    drawing.commit({"src/app.py": "x = 1\n", ".github/workflows/docs.yml": BASE[".github/workflows/docs.yml"]})
    assert told(drawing, "governance.gate_changed", {FIRST: FIRST_TEXT}) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("other", "governing", "outcome"),
    [
        ((), GovernanceFiles(), Outcome.NOT_FOUND),
        ((), GovernanceFiles(check_name="The gate", workflow_path=FIRST), Outcome.NOT_FOUND),
        ((".github/auditor.yml",), GovernanceFiles(check_name="The gate", workflow_path=FIRST), Outcome.NOT_FOUND),
        ((), GovernanceFiles(check_name="The gate"), Outcome.FOUND),
        ((), GovernanceFiles(check_name="The gate", workflow_path=".github/workflows/gate.yml"), Outcome.FOUND),
        ((), GovernanceFiles({".gitlab-ci.yml": "judge:\n  script: auditor audit . --base main\n"}), Outcome.FOUND),
        ((".github/auditor.yml",), GovernanceFiles(), Outcome.FOUND),
        ((".github/CODEOWNERS",), GovernanceFiles(check_name="The gate", workflow_path=FIRST), Outcome.FOUND),
    ],
    ids=[
        "by the command",
        "by that workflow",
        "with its configuration",
        "by a workflow of an organization",
        "by another workflow",
        "beside another pipeline",
        "with a configuration by the command",
        "with owners",
    ],
)
def test_a_first_audit_is_only_one_where_no_other_gate_is_known(
    other: tuple[str, ...], governing: GovernanceFiles, outcome: Outcome
) -> None:
    files = {FIRST: FIRST_TEXT, **dict.fromkeys(other, "a: b\n")}
    facts = ask("governance.gate_changed", change(*map(added, files)), Documents(files), governing)
    assert {each.outcome for each in facts} == {outcome}
