"""Programs that run beside us: waited for in the end, bounded, and gone when we are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from auditor.forensics.probe_kit.external_tool import run_tool


def test_nobody_need_read_what_a_program_prints_while_it_runs(tmp_path: Path) -> None:
    with run_tool(["sh", "-c", "head -c 3000000 /dev/zero; echo late >&2"], tmp_path, {}, 20) as tool:
        assert tool.process is not None
        tool.process.wait(20)
        printed = tool.wait_for_output()
    assert printed is not None
    assert (len(printed.output), printed.errors) == (3_000_000, b"late\n")


@pytest.mark.parametrize("command", [["no-such-program-anywhere"], ["sh", "-c", "echo half; exit 3"], ["sleep", "60"]])
def test_a_program_that_is_not_there_or_fails_or_hangs_has_printed_nothing(tmp_path: Path, command: list[str]) -> None:
    with run_tool(command, tmp_path, {}, 0.2) as tool:
        assert tool.wait_for_output() is None


def test_a_program_that_nobody_waited_for_is_ended(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), run_tool(["sleep", "60"], tmp_path, {}, 60) as tool:  # noqa: PT012 - broken off
        assert tool.process is not None
        number = tool.process.pid
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_program_sees_the_variables_it_is_given_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    with run_tool(["sh", "-c", 'echo "$GIVEN-$TOKEN-$PWD"'], tmp_path, {"GIVEN": "yes"}, 20) as tool:
        printed = tool.wait_for_output()
    assert printed is not None
    assert printed.output.decode() == f"yes--{tmp_path}\n"
