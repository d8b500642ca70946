"""Fixtures that every test may use."""

from pathlib import Path

import pytest

from tests.repos import Drawing


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    """An empty real repository to draw in."""
    return Drawing(tmp_path / "drawn")
