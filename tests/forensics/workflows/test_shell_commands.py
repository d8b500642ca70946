"""Which commands of a script run, and whose failure is heard."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.workflows.shell_commands import parse_commands


def heard(script: str, *, errexit: bool = True) -> dict[str, bool]:
    """Whether the failure of each command counts, by its first word."""
    return {each.words[0]: not (each.unheard or each.skipped) for each in parse_commands(script, errexit=errexit)}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("pytest", True),
        ("pytest || exit 1", True),
        ("pytest || { echo no; exit 1; }", True),
        ("pytest || bad=1\nexit $bad", True),
        ("if ! pytest; then\n  exit 1\nfi", True),
        ("pytest &\nwait", True),
        ("set -o pipefail\npytest | tee log", True),
        ("cat list | pytest", True),
        ("pytest > log 2>&1", True),
        ("pytest\nexit 0", True),
        ("alias pytest='pytest -x'\npytest", True),
        ("pytest || true", False),
        ("pytest && echo good || true", False),
        ("pytest || (echo bad)", False),
        ("pytest || bad=1", False),
        ("pytest; exit 0", False),
        ("pytest | tee log", False),
        ("pytest &", False),
        ("set +e\npytest\necho", False),
        ("set +e\npytest\nexit 0", False),
        ("pytest && echo good\nexit 0", False),
        ("alias pytest=true\npytest", False),
        ("false && pytest", False),
        ("if false; then\n  pytest\nfi", False),
        ("exit 0\npytest", False),
    ],
)
def test_a_failure_counts_where_the_shell_would_end_with_it(script: str, expected: bool) -> None:
    assert heard(script)["pytest"] is expected


@pytest.mark.parametrize(
    "script", ["# pytest", "cat <<END\npytest\nEND\n", "echo 'x\npytest'", 'echo "$(pytest)"', "echo \\\n  pytest"]
)
def test_what_is_only_spoken_of_is_no_command(script: str) -> None:
    assert "pytest" not in heard(script)


def test_without_errexit_the_last_command_alone_counts() -> None:
    assert heard("ruff check\npytest", errexit=False) == {"ruff": False, "pytest": True}


@pytest.mark.parametrize(
    "piece", ["$(", "'", '"', "${", "${{ ", "`", "a || ", "if a; then ", "<<A ", "(", "\\\n", "x | ", "alias a="]
)
def test_scripts_made_to_take_long_take_no_time(piece: str) -> None:
    started = time.process_time()
    parse_commands(piece * 30_000)
    assert time.process_time() - started < 2


def test_a_failure_at_the_start_of_a_chain_is_the_end_of_a_script_that_ends_with_the_chain() -> None:
    first, second = parse_commands("pytest && ruff check", errexit=False)
    assert (first.unheard, second.unheard) == ("", "")


def test_a_failure_in_a_chain_is_lost_where_other_commands_follow_the_chain() -> None:
    first, *_ = parse_commands("pytest && ruff check\necho done", errexit=False)
    assert "other commands follow" in first.unheard
