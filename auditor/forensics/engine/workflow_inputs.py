"""Workflows of both sides, and what zizmor says of them: its process runs beside other work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditor.domain import EntryKind, FileStatus, Side, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.engine.gathering_context import GatheringContext, read_texts
from auditor.forensics.workflows import zizmor_scan
from auditor.forensics.workflows.called_code import called_code, called_files
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
    called: Mapping[Side, Mapping[str, str]]
    """Recipes and shell scripts that workflows call."""

    @classmethod
    def of(cls, order: GatheringContext, reader: BlobReader) -> WorkflowReading:
        """The workflows of both sides of a change. The reader must be free."""
        selection = order.selection
        unread = {
            each.path: WorkflowFile("", unread=each.reason, is_action=_is_action(each.path))
            for each in selection.known_coverage
            if each.status is FileStatus.UNAVAILABLE and matches_any(each.path, WORKFLOW_PATTERNS)
        }
        head, base = (_workflow_texts(side, reader) for side in (selection.head, selection.base))
        readable = [(path, text) for side in (head, base) for path, text in sorted(side.items()) if text is not None]
        called = {
            side: _called_texts(texts, order.repo.files(side).entries, reader)
            for side, texts in ((Side.HEAD, head), (Side.BASE, base))
            if texts
        }
        return cls(unread, head, base, zizmor_scan.WorkflowScan(readable), called)

    def result(self) -> WorkflowFiles:
        """What came of it, as soon as there is something."""
        outcomes = self.scan.wait_for_outcomes()
        head = _read_workflows(self.head, outcomes, self.called.get(Side.HEAD, {}))
        base = _read_workflows(self.base, outcomes, self.called.get(Side.BASE, {}))
        return WorkflowFiles({**self.unread, **head}, base)


def _workflow_texts(entries: Mapping[str, TreeEntry], reader: BlobReader) -> dict[str, str | None]:
    fitting = {path: each for path, each in entries.items() if matches_any(path, WORKFLOW_PATTERNS)}
    return read_texts(fitting, reader, zizmor_scan.MAX_WORKFLOW_LENGTH * 4)


def _called_texts(workflows: Mapping[str, str | None], tree: Iterable[TreeEntry], reader: BlobReader) -> dict[str, str]:
    """What the workflows call of those that outsiders may start."""
    started = [text for text in workflows.values() if text and any(each in text for each in _OUTSIDER_TRIGGERS)]
    entries = {each.path: each for each in tree if each.kind is EntryKind.FILE} if started else {}
    named = sorted(called_files(started, entries.keys()))[:_MAX_CALLED]
    said = read_texts({path: entries[path] for path in named}, reader, _MAX_CALLED_BYTES)
    return {path: text for path, text in said.items() if text}


_OUTSIDER_TRIGGERS = ("pull_request_target", "workflow_run", "issue_comment", "issues", "discussion")
_MAX_CALLED, _MAX_CALLED_BYTES = 60, 256 * 1024


def _is_action(path: str) -> bool:
    return path.rpartition("/")[2].startswith("action.")


def _read_workflows(
    texts: Mapping[str, str | None],
    outcomes: Mapping[zizmor_scan.Workflow, zizmor_scan.Outcome],
    called: Mapping[str, str],
) -> dict[str, WorkflowFile]:
    too_large = zizmor_scan.UnreadableWorkflow("larger than the limit for workflows")
    read: dict[str, WorkflowFile] = {}
    for path, text in texts.items():
        is_action = _is_action(path)
        outcome = too_large if text is None else outcomes[path, text]
        if isinstance(outcome, zizmor_scan.UnreadableWorkflow):
            read[path] = WorkflowFile(text or "", unread=outcome.reason, is_action=is_action)
        else:
            calls = called_code(text or "", called) if called else ""
            read[path] = WorkflowFile(text or "", outcome, is_action=is_action, called=calls)
    return read
