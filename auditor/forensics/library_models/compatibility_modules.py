"""Packages that replace the standard library: rows of `compatibility_modules.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRow, NameRows


class StandInRow(NameRow):
    """Names, and what they are in the standard library."""

    stands_for: str


class CompatibilityModules(Frozen):
    """Packages, modules and names."""

    equivalent_modules: tuple[StandInRow, ...]
    gevent_modules: NameRows
    packages: NameRows
    six_names: tuple[StandInRow, ...]


compatibility_modules = python_reader("compatibility_modules", CompatibilityModules)
