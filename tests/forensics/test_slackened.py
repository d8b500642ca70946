"""What checks call for, made to ask for less."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.slackened import demands_less

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
        ("script:\n  - npm test\n", "script:\n  - npm run build\n", True),
        ("language: go\nscript: go test ./...\n", "language: go\nscript: go test -race ./...\n", False),
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
    assert demands_less(before, after, {}) is expected


def test_a_script_that_is_new_checks_as_often_as_its_own_commands_do() -> None:
    moved = "test:\n\tsh ci/all.sh\n"
    assert not demands_less("test:\n\tpytest\n", moved, {"ci/all.sh": "cd src\npytest\n"})
    assert demands_less("test:\n\tpytest\n", moved, {"ci/all.sh": "echo pytest\n"})


def test_a_new_script_that_is_called_thousands_of_times_is_read_once() -> None:
    began = time.process_time()
    assert not demands_less("pytest\n", "./new.sh\n" * 4_000, {"new.sh": "pytest\n" * 10_000})
    assert time.process_time() - began < 3


@pytest.mark.parametrize("piece", ["a", "-", "if ", "x=1 ", "$(", "/", "\t-", "a/", "& ", "pytest ", "uv\n"])
def test_commands_without_end_are_read_in_time(piece: str) -> None:
    began = time.process_time()
    demands_less(piece * 20_000, "\n".join([(piece * 990)[:990]] * 200), {})
    assert time.process_time() - began < 3
