"""Texts that stand for any version: rows of `unpinned_versions.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import read_python
from auditor.row_tables import NameRows


class UnpinnedVersions(Frozen):
    """Version texts and tags."""

    any_version: NameRows
    moving_tags: NameRows


def unpinned_versions() -> UnpinnedVersions:
    """The rows, read once."""
    return read_python("unpinned_versions", UnpinnedVersions)
