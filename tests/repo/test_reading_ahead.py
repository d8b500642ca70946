"""What a process prints is read before anybody asks, as far as memory allows, and all of it in the end."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest

from auditor.repo.git_process import ReadAhead

LINES = b"".join(b"%06d\n" % number for number in range(400_000))
"""2.8 MB, more than any pipe holds."""
PRINTING = [sys.executable, "-c", "for number in range(400_000): print(f'{number:06}')"]


def _all(ahead: ReadAhead) -> bytes:
    return b"".join(iter(lambda: ahead.read(1 << 16), b""))


def test_a_process_comes_to_its_end_though_nobody_has_asked_for_what_it_prints() -> None:
    with subprocess.Popen(PRINTING, stdout=subprocess.PIPE) as printing:
        assert printing.stdout is not None
        ahead = ReadAhead(printing.stdout, max_bytes=4_000_000)
        assert printing.wait(timeout=20) == 0
        assert _all(ahead) == LINES


def test_what_lies_beyond_the_bound_stays_in_the_pipe_and_is_read_when_it_is_asked_for() -> None:
    with subprocess.Popen(PRINTING, stdout=subprocess.PIPE) as printing:
        assert printing.stdout is not None
        ahead = ReadAhead(printing.stdout, max_bytes=100_000)
        with pytest.raises(subprocess.TimeoutExpired):  # a pipe holds a megabyte at most, so the process waits
            printing.wait(timeout=0.5)
        assert _all(ahead) == LINES
        assert printing.wait(timeout=20) == 0


def test_a_stream_that_ends_at_once_has_nothing() -> None:
    assert ReadAhead(BytesIO(b""), max_bytes=10).read(5) == b""
