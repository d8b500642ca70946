"""Fixtures of all adversarial tests."""

from __future__ import annotations

import os
import signal

import pytest

from auditor.forensics.python import source_parsing


@pytest.fixture
def deadly_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever parses a source with the word `deadly` is killed at once, as by a fault of the parser."""
    real = source_parsing.parse_source

    def killed(text: str) -> object:
        if "deadly" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(text)

    monkeypatch.setattr("auditor.forensics.agent_systems.parsed_unit.parse_source", killed)
