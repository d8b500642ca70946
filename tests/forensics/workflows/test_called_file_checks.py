"""What checks call for, made to ask for less."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.workflows.called_file_checks import CalledFiles, ChangedFile, program_weakening


def weakened(path: str, before: str, after: str, call: str = "", new: dict[str, str] | None = None) -> list[str]:
    """What is said of the checks in a file that a pipeline calls."""
    pipelines = {".github/workflows/a.yml": f"on: pull_request\njobs:\n  a:\n    steps:\n      - run: {call}\n"}
    if not call:
        pipelines = {path: before}
    changed = [ChangedFile(path, path, before, after)]
    return [each.says for each in CalledFiles(pipelines, changed).weakenings({}, new or {})]


SHELL = "#!/bin/sh\nset -e\nif [ -d tests ]; then echo run tests; fi\nruff check .\nuv run pytest -q\n"


@pytest.mark.parametrize(
    ("path", "call", "before", "after", "expected"),
    [
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("if [ -d tests ]; then echo run tests; fi\n", ""), False),
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("uv run pytest -q", "poetry run python -m pytest -x"), False),
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("ruff check .\n", ""), True),
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("uv run pytest", ": pytest"), True),
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("uv run pytest -q", "# uv run pytest -q"), True),
        ("ci/all.sh", "sh ci/all.sh", SHELL, SHELL.replace("-q", "-q || true"), True),
        ("bin/check", "bin/check", "ruff check .\npytest\n", "ruff check . && pytest\n", False),
        ("bin/check", "bin/check", "#!/bin/sh -e\nruff check .\npytest\n", "#!/bin/sh -e\npytest\n", True),
        ("web/tox.ini", "cd web && tox", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = python -c pass\n", True),
        ("web/tox.ini", "cd web && tox", "[testenv]\ncommands = pytest\n", "[testenv]\ndeps = coverage\ncommands = coverage run -m pytest\n", False),
        ("web/Makefile", "make -C web test", "test:\n\tgo test ./...\n", "test:\n\t@-go test ./...\n", True),
        ("web/Makefile", "make -C web test", "test:\n\t-rm -r build\n\tgo test ./...\n", "test:\n\t-rm -rf build\n\tgo test ./...\n", False),
        ("web/Makefile", "make -C web test", "test:\n\tpytest\nother:\n\tmypy src\n", "test:\n\tpytest\nother:\n\ttrue\n", False),
        ("web/Makefile", "make -C web check", "check:\n\t./scripts/all.sh\n", "check:\n\t@true\n", True),
        ("web/package.json", "cd web && npm run lint", '{"scripts": {"lint": "eslint .", "dev": "vite"}}', '{"scripts": {"lint": "eslint . || true", "dev": "vite"}}', True),
        ("web/package.json", "cd web && npm run lint", '{"scripts": {"lint": "eslint .", "fix": "eslint --fix ."}}', '{"scripts": {"lint": "eslint .", "fix": "true"}}', False),
        ("pyproject.toml", "poe lint", '[tool.poe.tasks]\nlint = "ruff check"\n', '[tool.poe.tasks]\nlint = "ruff check --exit-zero"\n', True),
        ("Taskfile.yml", "task lint", "tasks:\n  lint:\n    cmds: [npm test]\n", "tasks:\n  lint:\n    cmds: [echo npm test]\n", True),
        ("Taskfile.yml", "task lint", "tasks:\n  lint:\n    cmds: [go test ./...]\n", "tasks:\n  lint:\n    cmds: [go test -race ./...]\n", False),
        ("Jenkinsfile", "", "node {\n  sh 'pytest'\n}\n", "node {\n  echo 'pytest'\n}\n", True),
        ("Jenkinsfile", "", "node {\n  sh 'pytest'\n}\n", "node {\n  sh(script: 'pytest', returnStatus: true)\n}\n", True),
        ("Jenkinsfile", "", "node {\n  sh 'pytest'\n}\n", "node {\n  sh 'pytest -x'\n}\n", False),
        ("ci/none.sh", "sh ci/none.sh", "", "true\n", False),
    ],
)  # fmt: skip
def test_what_starts_fewer_checks_or_lets_more_of_them_fail_is_weakened(
    path: str, call: str, before: str, after: str, expected: bool
) -> None:
    assert bool(weakened(path, before, after, call)) is expected


MORE = "#!/bin/sh\nset -e\nruff check .\nmypy --strict src\npytest tests\n"


@pytest.mark.parametrize(
    "after",
    [
        MORE.replace("set -e\n", "set -e\nexit 0\n"),
        MORE.replace("set -e\n", ""),
        MORE.replace("set -e\n", "set -e\ntrap 'exit 0' EXIT\n"),
        MORE.replace("set -e\n", "set -e\npytest() { :; }\n"),
        MORE.replace("set -e\n", "set -e\nalias mypy=true\n"),
        MORE.replace("set -e\n", "set -e\ncat > /dev/null <<'END'\n") + "END\n",
        MORE.replace("set -e\n", "set -e\nif false; then\n") + "fi\n",
        MORE.replace("pytest tests", "pytest tests --collect-only"),
        MORE.replace("pytest tests", "pytest --version"),
        MORE.replace("pytest tests", "pytest tests; true"),
        MORE.replace("pytest tests", "pytest tests &"),
        MORE.replace("pytest tests", "true || pytest tests"),
        MORE.replace("pytest tests", "false && pytest tests"),
        MORE.replace("pytest tests", "pytest tests -k nothing"),
        MORE.replace(" --strict", ""),
    ],
)
def test_checks_that_stand_there_as_before_and_are_not_run_or_not_heard_demand_less(after: str) -> None:
    assert weakened("ci/all.sh", MORE, after, "sh ci/all.sh")


@pytest.mark.parametrize(
    "after",
    [
        MORE.replace("set -e\n", "set -euo pipefail\n"),
        MORE.replace("pytest tests", "pytest tests -x && echo done"),
        MORE.replace("mypy src", 'if [ "$1" = fast ]; then\n  exit 0\nfi\nmypy src'),
        MORE.replace("mypy src", 'if [ "$1" = fast ]; then\nexit 0\nfi\nmypy src'),
        MORE.replace("set -e\n", "set -e\nusage() {\n  echo checks all\n}\n"),
        MORE.replace("set -e\n", "set -e\ncat <<END\nall checks\nEND\n"),
        MORE + "exit 0\n",
        MORE.replace("set -e\n", "set -e\ncd src && ls 2>&1\n"),
    ],
)
def test_what_is_said_or_left_to_a_condition_demands_no_less(after: str) -> None:
    assert weakened("ci/all.sh", MORE, after, "sh ci/all.sh") == []


def test_a_script_that_is_new_is_read_where_a_recipe_calls_it() -> None:
    before, after = "test:\n\tpytest\n", "test:\n\tsh ci/all.sh\n"
    said = {
        script: weakened("web/Makefile", before, after, "make -C web test", {"ci/all.sh": script})
        for script in ("cd src\npytest\n", "echo pytest\n", "exit 0\npytest\n")
    }
    assert {script: bool(each) for script, each in said.items()} == {
        "cd src\npytest\n": False,
        "echo pytest\n": True,
        "exit 0\npytest\n": True,
    }


PROGRAM = "import subprocess\nimport sys\n\nfor each in ('ruff', 'pytest'):\n    subprocess.run([each], check=True)\nsys.exit(done())\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (PROGRAM.replace("import sys\n", "import sys\nsys.exit(0)\n"), True),
        ("print('all is well')\n", True),
        (PROGRAM.replace("'ruff', ", "'ruff', 'mypy', "), False),
        (PROGRAM.replace("sys.exit(done())", "raise SystemExit(done())"), False),
        (PROGRAM.replace("subprocess.run([each], check=True)", "subprocess.check_call([each])"), False),
    ],
)
def test_a_program_that_checks_and_loses_its_ways_to_fail_demands_less(after: str, *, expected: bool) -> None:
    assert bool(program_weakening(PROGRAM, after)) is expected


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "-",
        "if ",
        "x=1 ",
        "$(",
        "/",
        "\t-",
        "a/",
        "& ",
        "pytest ",
        "uv\n",
        "if \n",
        "exit 0 ",
        "cat <<a\n",
        "set -",
        "trap ",
        "pytest -k ",
        "ignore_error: ",
        "; true",
    ],
)
def test_commands_without_end_are_read_in_time(piece: str) -> None:
    began = time.process_time()
    program_weakening(piece * 20_000, "")
    weakened("Jenkinsfile", f"sh '''{piece * 20_000}'''", "\n".join([(piece * 990)[:990]] * 200))
    weakened("ci/all.sh", piece * 20_000, "\n".join([(piece * 990)[:990]] * 200), "sh ci/all.sh")
    assert time.process_time() - began < 3
