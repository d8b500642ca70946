"""Workflows of both sides, and what zizmor says of them: its process runs beside other work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.domain import FileStatus, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.engine.gathering_context import read_texts
from auditor.forensics.workflows import zizmor_scan
from auditor.forensics.workflows.workflow_files import WorkflowFile, WorkflowFiles
from auditor.repo.git_objects import BlobReader

WORKFLOW_PATTERNS = (".github/workflows/*.yml", ".github/workflows/*.yaml", "**/action.yml", "**/action.yaml")


@dataclass(frozen=True)
class WorkflowReading:
    """The texts of workflows by path, None where there is none to read, and what looks at them, once it is entered."""

    unread: Mapping[str, WorkflowFile]
    """Of the head, those that are not even fetched."""
    head: Mapping[str, str | None]
    base: Mapping[str, str | None]
    scan: zizmor_scan.WorkflowScan

    @classmethod
    def of(cls, selection: Selection, reader: BlobReader) -> WorkflowReading:
        """The workflows of both sides of a change. The reader must be free."""
        unread = {
            each.path: WorkflowFile("", unread=each.reason, is_action=_is_action(each.path))
            for each in selection.known_coverage
            if each.status is FileStatus.UNAVAILABLE and matches_any(each.path, WORKFLOW_PATTERNS)
        }
        head, base = (_workflow_texts(side, reader) for side in (selection.head, selection.base))
        readable = [(path, text) for side in (head, base) for path, text in sorted(side.items()) if text is not None]
        return cls(unread, head, base, zizmor_scan.WorkflowScan(readable))

    def result(self) -> WorkflowFiles:
        """What came of it, as soon as there is something."""
        outcomes = self.scan.wait_for_outcomes()
        head, base = (_read_workflows(texts, outcomes) for texts in (self.head, self.base))
        return WorkflowFiles({**self.unread, **head}, base)


def _workflow_texts(entries: Mapping[str, TreeEntry], reader: BlobReader) -> dict[str, str | None]:
    fitting = {path: each for path, each in entries.items() if matches_any(path, WORKFLOW_PATTERNS)}
    return read_texts(fitting, reader, zizmor_scan.MAX_WORKFLOW_LENGTH * 4)


def _is_action(path: str) -> bool:
    return path.rpartition("/")[2].startswith("action.")


def _read_workflows(
    texts: Mapping[str, str | None], outcomes: Mapping[zizmor_scan.Workflow, zizmor_scan.Outcome]
) -> dict[str, WorkflowFile]:
    too_large = zizmor_scan.UnreadableWorkflow("larger than the limit for workflows")
    read: dict[str, WorkflowFile] = {}
    for path, text in texts.items():
        is_action = _is_action(path)
        outcome = too_large if text is None else outcomes[path, text]
        if isinstance(outcome, zizmor_scan.UnreadableWorkflow):
            read[path] = WorkflowFile(text or "", unread=outcome.reason, is_action=is_action)
        else:
            read[path] = WorkflowFile(text or "", outcome, is_action=is_action)
    return read
