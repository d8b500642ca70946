"""Secrets of the history, looked for beside other work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.domain import Side
from auditor.forensics.engine.file_selection import BINARY_REASON
from auditor.forensics.engine.gathering_context import GatheringContext
from auditor.forensics.python.thread_calls import BackgroundTask
from auditor.repo.git_objects import BlobReader

if TYPE_CHECKING:
    from auditor.forensics.secrets import history_scan
    from auditor.forensics.secrets.secret_detector import Detector


class BackgroundSecretSearch:
    """Secrets of the history looked for beside other work, with a git process of its own."""

    def __init__(self, order: GatheringContext, detector: Detector) -> None:
        if order.changes is not None:
            order.repo.files(Side.BASE)  # starts a git process, which the thread must not
        self._closing = ExitStack()
        reader = self._closing.enter_context(order.repo.blobs())
        self._awaited = False
        quiet = replace(order, progress=self._told(order.progress))
        self._search = BackgroundTask(lambda: search_secrets(quiet, reader, detector), "secrets")
        self._search.begin()

    def result(self) -> history_scan.ScanResult:
        """What came of it, as soon as there is something."""
        self._awaited = True
        return self._search.result()

    def end(self) -> None:
        """Leave git. The detector must have ended, or the search come to its end."""
        self._search.wait()
        self._closing.close()

    def _told(self, progress: Callable[[str, int, int], None]) -> Callable[[str, int, int], None]:
        """Progress is shown once somebody waits for it; until then another step shows its own."""

        def tell(what: str, done: int, total: int) -> None:
            if self._awaited:
                progress(what, done, total)

        return tell


def search_secrets(order: GatheringContext, reader: BlobReader, detector: Detector) -> history_scan.ScanResult:
    """Look through everything that the history added. The reader must be free."""
    from auditor.forensics.secrets import history_scan

    ground = history_scan.ScanScope(
        history=order.history(),
        head_sha=order.subject.head,
        in_scope={
            **order.selection.head,
            **{
                each.path: order.head[each.path]
                for each in order.selection.known_coverage
                if each.reason == BINARY_REASON
            },
        },
        head=order.head,
        changes=order.changes,
        base=lambda: order.repo.files(Side.BASE).entries,
        exclude=order.exclude,
    )
    return history_scan.scan_history(
        ground,
        reader,
        detector,
        order.cache,
        order.repo.prepare,
        lambda done, total: order.progress("Looking for secrets", done, total),
    )
