"""What checks call for, made to ask for less."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.workflows.text_comparison import is_weakened_program, is_weakened_script

SHELL = "#!/bin/sh\nset -e\nif [ -d tests ]; then echo run tests; fi\nruff check .\nuv run pytest -q\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (SHELL, SHELL.replace("if [ -d tests ]; then echo run tests; fi\n", ""), False),
        (SHELL, SHELL.replace("uv run pytest -q", "poetry run python -m pytest -x"), False),
        (SHELL, SHELL.replace("ruff check .\n", ""), True),
        (SHELL, SHELL.replace("uv run pytest", ": pytest"), True),
        (SHELL, SHELL.replace("uv run pytest -q", "# uv run pytest -q"), True),
        (SHELL, SHELL.replace("-q", "-q || true"), True),
        ("ruff check .\npytest\n", "ruff check . && pytest\n", False),
        ("[testenv]\ncommands = pytest\n", "[testenv]\ncommands = python -c pass\n", True),
        ("[testenv]\ncommands = pytest\n", "[testenv]\ndeps = coverage\ncommands = coverage run -m pytest\n", False),
        ("cmds:\n  - npm test\n", "cmds:\n  - npm run build\n", True),
        ("cmds:\n  - npm test\n", "ignore_error: true\ncmds:\n  - npm test\n", True),
        ("cmds: [go test ./...]\n", "cmds: [go test -race ./...]\n", False),
        ("test:\n\tgo test ./...\n", "test:\n\t@-go test ./...\n", True),
        ("test:\n\t-rm -r build\n\tgo test ./...\n", "test:\n\t-rm -rf build\n\tgo test ./...\n", False),
        ("check:\n\t./scripts/all.sh\n", "check:\n\t@true\n", True),
        ("check:\n\tpytest\n", "check:\n\t./scripts/all.sh\n", False),
        ("", "true\n", False),
    ],
)
def test_what_starts_fewer_checks_or_lets_more_of_them_fail_demands_less(
    before: str, after: str, expected: bool
) -> None:
    assert is_weakened_script(before, after, {}) is expected


MORE = "#!/bin/sh\nset -e\nruff check --strict .\nmypy src\npytest tests\n"


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
    assert is_weakened_script(MORE, after, {})


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
    assert not is_weakened_script(MORE, after, {})


def test_a_script_that_is_new_checks_as_often_as_its_own_commands_do() -> None:
    moved = "test:\n\tsh ci/all.sh\n"
    assert not is_weakened_script("test:\n\tpytest\n", moved, {"ci/all.sh": "cd src\npytest\n"})
    assert is_weakened_script("test:\n\tpytest\n", moved, {"ci/all.sh": "echo pytest\n"})
    assert is_weakened_script("test:\n\tpytest\n", moved, {"ci/all.sh": "exit 0\npytest\n"})


def test_a_new_script_that_is_called_thousands_of_times_is_read_once() -> None:
    began = time.process_time()
    assert not is_weakened_script("pytest\n", "./new.sh\n" * 4_000, {"new.sh": "pytest\n" * 10_000})
    assert time.process_time() - began < 3


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
    assert is_weakened_program(PROGRAM, after) is expected


def test_a_step_of_a_build_server_that_only_says_what_it_ran_demands_less() -> None:
    assert is_weakened_script("steps {\n  sh 'pytest'\n}\n", "steps {\n  echo 'pytest'\n}\n", {})


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
    is_weakened_program(piece * 20_000, "")
    is_weakened_script(piece * 20_000, "\n".join([(piece * 990)[:990]] * 200), {})
    assert time.process_time() - began < 3
