"""The fake as a fixture: whatever is asked of it is held against GitHub's own description afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fake_github import official
from tests.fake_github.server import FakeGitHub


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    """A running GitHub with a pull request, number 7, whose head is `aaaa...`."""
    with FakeGitHub() as server:
        server.world.pull()
        yield server
        # Where the description cannot be had, one test skips and says so; the others go on without it.
        try:
            known = official.description()
        except official.Missing:
            return
        complaints = [complaint for seen in server.log if not seen.odd for complaint in known.complaints(seen)]
        assert complaints == []
