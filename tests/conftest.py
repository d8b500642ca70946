"""Fixtures that every test may use."""

from pathlib import Path

import pytest

from tests.fake_github.fixture import fake
from tests.repos import Drawing

__all__ = ["drawing", "fake"]


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    """An empty real repository to draw in."""
    return Drawing(tmp_path / "drawn")
