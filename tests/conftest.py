"""Fixtures that every test may use."""

import os
import tempfile
from pathlib import Path

import pytest

from auditor.forensics import detector
from tests.fake_github.fixture import fake
from tests.repos import Drawing

__all__ = ["drawing", "fake"]


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    """An empty real repository to draw in."""
    return Drawing(tmp_path / "drawn")


@pytest.fixture(autouse=True, scope="session")
def _rules_of_the_secret_detector() -> None:
    """Compile the detector's rules once for all runs, and load them once for all audits of this process."""
    place = Path(tempfile.gettempdir()) / f"auditor-tests-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("KF_RULE_CACHE_DIR", str(place))
    detector.scanner()
