"""What is kept from one audit to the next answers only while whatever gave the answer is the same."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator

import pytest

from auditor.forensics.cache import probe_set_version


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    probe_set_version.cache_clear()
    yield
    probe_set_version.cache_clear()


@pytest.mark.parametrize("engine", ["zizmor", "kingfisher-secret-scanner", "tree-sitter-typescript"])
def test_another_version_of_a_kept_engine_sees_everything_afresh(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    before = probe_set_version()
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "999" if name == engine else real(name))
    probe_set_version.cache_clear()
    assert probe_set_version() != before
