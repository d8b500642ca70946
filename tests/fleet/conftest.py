"""What tests over a store share."""

from __future__ import annotations

import pytest

from tests.fleet.recorded_store import RecordedStore, record_store


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> RecordedStore:
    """A store of twenty real records. Tests that change it copy it first."""
    return record_store(tmp_path_factory.mktemp("recorded"))
