"""Shells of steps, and commands that cannot fail: rows of `shell_names.yaml`."""

from __future__ import annotations

from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, name_reader


class _Names(Frozen):
    shells: NameRows
    inert_shells: NameRows
    always_succeed: NameRows
    only_informing: NameRows


shell_names = name_reader(Path(__file__).with_name("shell_names.yaml"), _Names)
"""The names of a section."""
