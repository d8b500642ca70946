"""Packages that replace the standard library: rows of `compatibility_modules.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import NameRow, Names, read_python


class StandInRow(NameRow):
    """Names, and what they are in the standard library."""

    stands_for: str


class CompatibilityModules(NamedTuple):
    """Packages, modules and names."""

    equivalent_modules: tuple[StandInRow, ...]
    gevent_modules: Names
    packages: Names
    six_names: tuple[StandInRow, ...]


def compatibility_modules() -> CompatibilityModules:
    """The rows, read once."""
    return read_python("compatibility_modules", CompatibilityModules)
