"""One line about work that is not committed, and therefore not audited.

Compared under our own settings and with a copy of the index: filters and monitors that the audited
repository configures have no say.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable

from auditor.domain import UserError
from auditor.repo.git_process import Git, GitFailed
from auditor.repo.local_repository import LocalRepository

_TIMEOUT_SECONDS = 15.0
"""Timeout after which the notice says less instead of delaying the audit."""
_REPORT_FOLDER = "auditor-report/"


NoticeReader = Callable[[], tuple[str, ...]]


def start_check(git: Git, found: LocalRepository, *, named_head: bool) -> NoticeReader:
    """Start `git status`; the returned function waits for the answer.

    That is the line, or nothing when all work is committed or another commit than the checked-out one is audited.
    """
    if found.work_tree is None or named_head:
        return tuple
    index = git.home / "index"
    try:
        shutil.copy2(found.git_dir / "index", index)  # with its time: git needs it to notice quick edits
    except OSError:
        return tuple  # no index: nothing was ever staged here
    excludes = found.common_dir / "info" / "exclude"
    if excludes.is_file() and not excludes.is_symlink():
        (git.git_dir / "info").mkdir(exist_ok=True)
        shutil.copyfile(excludes, git.git_dir / "info" / "exclude")
    printed = git.begin(
        f"--work-tree={found.work_tree}",
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        "--ignore-submodules=all",
        variables={"GIT_INDEX_FILE": str(index)},
        timeout=_TIMEOUT_SECONDS,
        limit=1 << 24,
    )
    return lambda: _read_notice(printed)


def _read_notice(printed: Callable[[], bytes]) -> tuple[str, ...]:
    try:
        output = printed()
    except (GitFailed, UserError):
        return ("Uncommitted work could not be detected; only committed files are audited.",)
    count = sum(1 for entry in output.split(b"\0") if entry and entry[3:] != _REPORT_FOLDER.encode())
    if not count:
        return ()
    return (
        f"{count} {'file has' if count == 1 else 'files have'} uncommitted changes; they are not part of this audit.",
    )
