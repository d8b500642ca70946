"""Texts that stand for any version: rows of `unpinned_versions.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class UnpinnedVersions(NamedTuple):
    """Version texts and tags."""

    any_version: Names
    moving_tags: Names


def unpinned_versions() -> UnpinnedVersions:
    """The rows, read once."""
    return read_python("unpinned_versions", UnpinnedVersions)
