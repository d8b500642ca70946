"""Why a process ended without an answer."""

from __future__ import annotations

import signal

import pytest

from auditor.child_exit_reasons import exit_reason
from auditor.child_process import OUT_OF_MEMORY

SLOW = "reading it took longer than 3 seconds"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (-signal.SIGXCPU, SLOW),
        (-signal.SIGKILL, "reading it ended the process that read it (SIGKILL)"),
        (1, "reading it ended the process that read it (an error)"),
        (OUT_OF_MEMORY, "reading it took more memory than is allowed"),
        (None, "reading it ended the process that read it (an error)"),
        (-40, "reading it ended the process that read it (an unknown signal)"),
    ],
)
def test_every_exit_code_has_a_reason_in_words(code: int | None, told: str) -> None:
    assert exit_reason(code, SLOW) == told
