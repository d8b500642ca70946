"""One commit of a repository, and the change that leads to it, read by object id.

Everything happens in a bare repository of our own in a temporary directory that is gone afterwards. There
is never a checkout. Objects of a repository on this machine are borrowed, those of a remote one fetched
in three small steps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from io import BytesIO

from auditor.domain import Commit, EntryKind, FileChange, History, Side, TreeEntry, UserError
from auditor.repo import changed_files, commit_log, local_repository, remote_fetch, uncommitted_notice
from auditor.repo.commit_range import CommitRange
from auditor.repo.git_error_messages import git_error_message
from auditor.repo.git_objects import BlobReader, Listing, SkippedBlob, open_blob_reader, read_listing
from auditor.repo.git_process import Git, GitFailed, GitProcess, GitTimedOut, ReadAhead

_MAX_FILE_BYTES = 1 << 24


HISTORY_TIMEOUT_SECONDS = 60.0
"""Timeout of the listing of history; five thousand commits take a tenth of a second."""
HISTORY_BUFFER_BYTES = 32_000_000
"""Bytes of the listing buffered until it is read; SQLAlchemy's five thousand newest commits take 6 MB."""


def _now() -> int:
    """Seconds since 1970; what SOURCE_DATE_EPOCH says instead, for audits that are to say the same on every day.

    The variable is that of reproducible builds. What is no number is passed over.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(fixed) if fixed.isascii() and fixed.isdecimal() and len(fixed) <= 11 else int(time.time())


class Repo:
    """One commit, and with a base the change that leads to it."""

    def __init__(
        self,
        git: Git,
        name: str,
        folder: str,
        commit_range: CommitRange,
        notices: uncommitted_notice.NoticeReader = tuple,
        *,
        unchanged: bool = False,
    ) -> None:
        self.name = name
        self.folder = folder
        self.head = commit_range.head
        self.base = commit_range.base
        self.merge_base = commit_range.merge_base
        self.unchanged = unchanged
        """Has what is audited the same tree at the merge base and the head?"""
        self._notices = notices
        self._git = git
        self._listings: dict[Side, Listing] = {}
        self._changes: tuple[FileChange, ...] | None = None
        self._begun: Callable[[], Listing] | None = None
        self._remote = bool(git.protocols)
        self._fetched: set[str] = set()

    @property
    def git_processes(self) -> int:
        """How many git processes were started so far."""
        return self._git.processes

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Lines for the caller, on what was taken for the base and on work that is not committed."""
        return self._notices()

    @property
    def state(self) -> str:
        """What every result of this view depends on: its commits, its folder, and where its history is cut."""
        shallow = self._git.git_dir / "shallow"
        cut = shallow.read_text(encoding="ascii", errors="replace") if shallow.is_file() else ""
        return "\n".join((self.head, self.base or "", self.merge_base or "", self.folder, cut))

    @property
    def is_local(self) -> bool:
        """Is everything that can be read on this machine already?"""
        return not self._remote

    @property
    def git_version(self) -> str:
        """Version of git, as `2.39.5`."""
        return self._git.version

    def files(self, side: Side = Side.HEAD) -> Listing:
        """Every file of the head, or of the merge base; only those of the audited folder."""
        if side not in self._listings:
            begun = self._begun if side is Side.HEAD else None
            self._listings[side] = (begun or self._begin_listing(self._commit_of_side(side)))()
        return self._listings[side]

    def begin_files(self) -> None:
        """Start git on the files of the head now; `files` then reads what it lists."""
        self._begun = self._begin_listing(self.head)

    def _commit_of_side(self, side: Side) -> str:
        if side is Side.HEAD:
            return self.head
        if self.merge_base is None:
            raise ValueError("without a base there is no base side")
        return self.merge_base

    def _begin_listing(self, commit: str) -> Callable[[], Listing]:
        """Sizes are asked for where most files will be read: a change needs few of them, and a partial clone lacks them."""
        where = ["--", f"{self.folder}/"] if self.folder else []
        sized = [] if self._remote or self.merge_base else ["-l"]
        under_way = ExitStack()
        running = under_way.enter_context(self._start_git("ls-tree", "-r", "-z", *sized, "--full-tree", commit, *where))

        def read() -> Listing:
            with under_way:
                return read_listing(running.stdout)

        return read

    def changes(self) -> tuple[FileChange, ...]:
        """Every file that differs between merge base and head. Empty without a base. Git is asked once."""
        if self._changes is None:
            self._changes = () if self.merge_base is None else self._read_changes(self.merge_base)
        return self._changes

    def _read_changes(self, merge_base: str) -> tuple[FileChange, ...]:
        where = ["--", f"{self.folder}/"] if self.folder else []
        self._fetch_changed_blobs()
        with self._start_git(*changed_files.ARGUMENTS, merge_base, self.head, *where) as running:
            return changed_files.read_changes(running.stdout)

    def _fetch_changed_blobs(self) -> None:
        """The patch needs both sides of every changed file; a partial clone would lack them."""
        if not self._remote:
            return
        before = {entry.path: entry for entry in self.files(Side.BASE).entries}
        after = {entry.path: entry for entry in self.files(Side.HEAD).entries}
        differing = [
            entry.blob
            for one, other in ((before, after), (after, before))
            for name, entry in one.items()
            if entry.kind is not EntryKind.SUBMODULE and (name not in other or other[name].blob != entry.blob)
        ]
        self.prepare(differing)

    def log(self) -> History:
        """The commits from merge base to head, or all that lead to the head; newest first.

        A history that git cannot list within its limits is empty and not complete: the rest of the audit goes on.
        """
        return self.begin_log()()

    def begin_log(self) -> Callable[[], History]:
        """Start git on the history now; the history itself is read by calling what is returned, in any thread, once."""
        span = f"{self.merge_base}..{self.head}" if self.merge_base else self.head
        where = ["--", f"{self.folder}/"] if self.folder else []
        seconds = min(HISTORY_TIMEOUT_SECONDS, self._git.timeout)
        under_way = ExitStack()
        running = under_way.enter_context(self._git.start(*commit_log.ARGUMENTS, span, *where, timeout=seconds))
        printed = ReadAhead(running.stdout, HISTORY_BUFFER_BYTES)
        start = (
            self._git.begin(*commit_log.START_ARGUMENTS, self.merge_base, timeout=seconds) if self.merge_base else None
        )

        def read() -> History:
            before = _read_start_commit(start) if start else None
            try:
                with under_way:
                    found = commit_log.read_history(printed)
            except (GitFailed, GitTimedOut, ValueError):
                return History((), complete=False, limit_reason="git could not list the history within its limits")
            found = replace(found, read_at=_now(), start=before)
            if found.complete and self._is_truncated(found):
                return replace(found, complete=False, limit_reason="the clone is shallow: older commits are not there")
            return found

        return read

    def _is_truncated(self, found: History) -> bool:
        """Are commits missing that belong to a history? Where a clone is cut off, a commit has no parents.

        Of a change all may be there: its commits begin above the merge base. Of a folder some are left out anyway.
        """
        if not local_repository.is_shallow(self._git.git_dir):
            return False
        return not self.merge_base or bool(self.folder) or not all(each.parents for each in found.commits)

    def prepare(self, ids: Iterable[str]) -> None:
        """Fetch these blobs so that they can be read: one request to a remote, nothing for a local repository."""
        if not self._remote:
            return
        missing = [each for each in dict.fromkeys(ids) if each not in self._fetched]
        remote_fetch.fetch_objects(self._git, missing)
        self._fetched.update(missing)

    def blobs(self) -> AbstractContextManager[BlobReader]:
        """A reader of blobs with a git process of its own."""
        listed = self._listings.get(Side.HEAD)
        return open_blob_reader(self._git, listed.sizes if listed else {})

    def read(self, path: str, side: Side = Side.HEAD, *, limit: int = _MAX_FILE_BYTES) -> bytes | None:
        """One file's content; None when there is no such regular file, it is too large or missing."""
        entry = next((each for each in self.files(side).entries if each.path == path), None)
        return None if entry is None else self.read_entry(entry, limit=limit)

    def read_entry(self, entry: TreeEntry, *, limit: int = _MAX_FILE_BYTES) -> bytes | None:
        """The content of a tree entry; None for links, submodules and what cannot be read."""
        if entry.kind is not EntryKind.FILE:
            return None
        self.prepare([entry.blob])
        with self.blobs() as reader:
            for _, content in reader.read([entry.blob], limit=limit):
                return None if isinstance(content, SkippedBlob) else content
        return None

    def read_commit(self, commit: str, path: str, *, limit: int = _MAX_FILE_BYTES) -> bytes | None:
        """One file of the base or the head commit, whole or None when there is none of that name.

        Raises UserError when there is something of that name that cannot be read: it must not pass for absent.
        """
        with self._start_git("ls-tree", "-z", "--full-tree", commit, "--", path) as running:
            entries = read_listing(running.stdout, limit=2).entries
        if len(entries) != 1 or entries[0].path != path:
            return None
        content = self.read_entry(entries[0], limit=limit)
        if content is None:
            side = "base" if commit == self.base else "head"
            raise UserError(f"{path!r} at the {side} must be a regular file of at most {limit:,} bytes.")
        return content

    def list_commit(self, commit: str, folder: str, *, limit: int) -> tuple[str, ...]:
        """The paths of all entries below a folder of the base or the head commit, at most so many and one more."""
        with self._start_git("ls-tree", "-r", "-z", "--full-tree", commit, "--", f"{folder}/") as running:
            entries = read_listing(running.stdout, limit=limit + 1).entries
        return tuple(entry.path for entry in entries if entry.path.startswith(f"{folder}/"))

    @contextmanager
    def _start_git(self, *arguments: str) -> Iterator[GitProcess]:
        try:
            with self._git.start(*arguments) as running:
                yield running
        except GitFailed as failed:
            raise UserError(git_error_message(failed)) from failed


def _read_start_commit(read_output: Callable[[], bytes]) -> Commit | None:
    """The commit that a change starts from; None where git cannot list it."""
    try:
        return next(iter(commit_log.read_history(BytesIO(read_output())).commits), None)
    except (GitFailed, GitTimedOut, ValueError):
        return None
