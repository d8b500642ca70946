"""Texts that stand for any version: rows of `unpinned_versions.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class UnpinnedVersions(Frozen):
    """Version texts and tags."""

    any_version: NameRows
    moving_tags: NameRows


unpinned_versions = python_reader("unpinned_versions", UnpinnedVersions)
