"""Expressions that are the same in every run."""

from __future__ import annotations

import pytest

from auditor.forensics.workflows.constant_conditions import constant_truth

KNOWN = {"github.event_name": "pull_request", "matrix.os": "linux"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("false", False),
        ("${{ false }}", False),
        ("!true", False),
        ("1 == 2", False),
        ("github.event_name == 'push'", False),
        ("github.event_name == 'push' && github.actor == 'me'", False),
        ("matrix.os == 'windows'", False),
        ("failure()", False),
        ("always()", True),
        ("!cancelled()", True),
        ("github.event_name != 'push' || github.actor == 'me'", True),
        ("'a'", True),
        ("github.actor == 'me'", None),
        ("contains(github.event.head_commit.message, 'ci')", None),
        ("github.event_name == 'push' || github.actor == 'me'", None),
        ("${{ false }} && x", None),
        ("steps['a'].outcome == 'failure'", None),
        ("false &&", None),
        ("", None),
        ("(" * 3_000, None),
        ("!" * 300 + "true", None),
    ],
)
def test_only_what_cannot_be_otherwise_is_constant(written: str, expected: bool | None) -> None:
    assert constant_truth(written, KNOWN, condition=True) is expected
