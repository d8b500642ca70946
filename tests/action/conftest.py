"""Fixtures of all tests of the step."""

from __future__ import annotations

import pytest

from tests.judges.model_stand_in import Says, Standin, good


@pytest.fixture
def model() -> Standin:
    """A model that gives every criterion the best score, with citations that stand."""
    return Standin(lambda body: Says(good(body, 5)))
