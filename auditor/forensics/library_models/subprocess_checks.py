"""Calls that start a child process, and how its exit status is known: rows of `subprocess_checks.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class SubprocessChecks(NamedTuple):
    """Calls by what they return, and attributes of a process."""

    attributes_without_status: Names
    failure_classes: Names
    output_only: Names
    raising: Names
    returning_status: Names
    starting: Names
    status_and_output: Names


def subprocess_checks() -> SubprocessChecks:
    """The rows, read once."""
    return read_python("subprocess_checks", SubprocessChecks)
