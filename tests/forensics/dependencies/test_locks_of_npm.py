"""Entries of a lock of npm that unpack the archive of another package."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from auditor.forensics.dependencies.npm import package_lock

REGISTRY = "https://registry.npmjs.org"


def swapped(folder: str, entry: Mapping[str, str]) -> list[str]:
    """The lines of a lock with one entry that are of another package."""
    text = json.dumps({"packages": {"": {}, folder: {"version": "1.0.0", **entry}}}, indent=2)
    return [line for _, line in package_lock(text).swapped]


def test_an_entry_that_unpacks_another_package_is_seen() -> None:
    address = f"{REGISTRY}/query-strings/-/query-strings-1.0.0.tgz"
    assert swapped("node_modules/qs", {"resolved": address}) == [f'"resolved": "{address}"']


@pytest.mark.parametrize(
    ("folder", "entry"),
    [
        ("node_modules/qs", {"resolved": f"{REGISTRY}/qs/-/qs-1.0.0.tgz"}),
        ("node_modules/@acme/shop", {"resolved": f"{REGISTRY}/@acme/shop/-/shop-1.0.0.tgz"}),
        ("node_modules/@acme/shop", {"resolved": "https://npm.acme.example/@acme%2fshop/-/shop-1.0.0.tgz"}),
        ("node_modules/old", {"name": "qs", "resolved": f"{REGISTRY}/qs/-/qs-1.0.0.tgz"}),
        ("node_modules/a/node_modules/qs", {"resolved": "https://a.example/api/npm/npm/qs/-/qs-1.0.0.tgz"}),
        ("node_modules/qs", {"resolved": "https://codeload.github.com/ljharb/qs/tar.gz/0123abc"}),
    ],
)
def test_an_entry_of_the_package_itself_or_under_an_alias_is_not(folder: str, entry: Mapping[str, str]) -> None:
    assert swapped(folder, entry) == []
