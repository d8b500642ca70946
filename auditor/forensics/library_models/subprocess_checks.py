"""Calls that start a child process, and how its exit status is known: rows of `subprocess_checks.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class SubprocessChecks(Frozen):
    """Calls by what they return, and attributes of a process."""

    attributes_without_status: NameRows
    failure_classes: NameRows
    output_only: NameRows
    returning_status: NameRows
    starting: NameRows


subprocess_checks = python_reader("subprocess_checks", SubprocessChecks)
