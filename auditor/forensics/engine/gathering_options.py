"""How evidence is to be gathered, and what was gathered: all that the steps before and after it need to know."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from auditor.domain import Coverage, Description, Evidence, Frozen, Papers

if TYPE_CHECKING:
    from auditor.forensics.documents.report_selection import ReportFile


def _say_nothing(_what: str, _done: int, _all: int) -> None:
    """Progress that nobody asked for; a function of the module, so that options can be sent to another process."""


@dataclass(frozen=True)
class Options:
    """How to gather. `jobs` are worker processes; `cache` a folder to keep records in, or none.

    `description` is what the author says of the change, for probes that compare it with facts. `reports` are
    documents handed over beside the repository, `papers` says what else is read and what is looked for in them.
    `check_name` is the name of the check run that the verdict goes to, or nothing where none is written; `workflow_path` the
    workflow of the repository that runs the audit, where it is known.
    """

    jobs: int = field(default_factory=lambda: min(os.cpu_count() or 1, 8))
    cache: Path | None = None
    whole_tree: bool = False
    exclude: tuple[str, ...] = ()
    description: Description | None = None
    reports: tuple[ReportFile, ...] = ()
    papers: Papers = field(default_factory=Papers)
    check_name: str = ""
    workflow_path: str = ""
    progress: Callable[[str, int, int], None] = _say_nothing


class GatheredEvidence(Frozen):
    """What was gathered: the evidence in its order, what became of every file, and what each probe asked advises."""

    evidence: tuple[Evidence, ...]
    coverage: Coverage
    advice: dict[str, str] = Field(default_factory=dict)
    cached_files: int = 0
    overran: bool = False
    """Was a question given up for the time it took, or the secret detector lost? Another run may answer it."""
