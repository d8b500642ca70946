"""One commit of a repository, and the change that leads to it, read by object id.

Everything happens in a bare repository of our own in a temporary directory that is gone afterwards. There
is never a checkout. Objects of a repository on this machine are borrowed, those of a remote one fetched
in three small steps.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from types import FrameType

from auditor.domain import Commit, EntryKind, FileChange, History, Side, TreeEntry, UserError
from auditor.lazy_regex import lazy_compile
from auditor.repo import changed_files, commit_log, local_repository, remote_fetch, uncommitted_notice
from auditor.repo.audited_folder import is_unchanged
from auditor.repo.git_objects import BlobReader, Listing, SkippedBlob, open_blob_reader, read_listing
from auditor.repo.git_process import Git, GitFailed, GitProcess, GitTimedOut, ReadAhead
from auditor.user_error import did_you_mean

_MAX_FILE_BYTES = 1 << 24
_MAX_REVISION_LENGTH = 1024


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
        self._begun: Callable[[], Listing] | None = None
        self._remote = bool(git.protocols)
        self._fetched: set[str] = set()

    @property
    def git_processes(self) -> int:
        """How many git processes were started so far."""
        return self._git.processes

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Lines for whoever asked, on what was taken for the base and on work that is not committed."""
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
        """Every file that differs between merge base and head. Empty without a base."""
        if self.merge_base is None:
            return ()
        where = ["--", f"{self.folder}/"] if self.folder else []
        self._fetch_changed_blobs()
        with self._start_git(*changed_files.ARGUMENTS, self.merge_base, self.head, *where) as running:
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

    def read_base(self, path: str, *, limit: int = _MAX_FILE_BYTES) -> bytes | None:
        """One file at the tip of the base, whose say counts in matters of configuration; None without it."""
        return None if self.base is None else self.read_commit(self.base, path, limit=limit)

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
            raise UserError(
                f"{path!r} at the {side} is no regular file of at most {limit:,} bytes: make it one, or take it out."
            )
        return content

    @contextmanager
    def _start_git(self, *arguments: str) -> Iterator[GitProcess]:
        try:
            with self._git.start(*arguments) as running:
                yield running
        except GitFailed as failed:
            raise UserError(_error_message(failed)) from failed


def _read_start_commit(read_output: Callable[[], bytes]) -> Commit | None:
    """The commit that a change starts from; None where git cannot list it."""
    try:
        return next(iter(commit_log.read_history(BytesIO(read_output())).commits), None)
    except (GitFailed, GitTimedOut, ValueError):
        return None


_MISSING_OBJECT_ERRORS = ("unable to read", "missing", "bad object", "not a tree object", "could not fetch")
_CORRUPTION_ERRORS = ("is corrupt", "inflate:", "bad packed object", "garbage at end")


def _error_message(failure: GitFailed) -> str:
    if any(sign in failure.errors for sign in _MISSING_OBJECT_ERRORS):
        return "some objects are missing from this clone: run `git fetch --refetch --no-filter` in it (in a shallow one `git fetch --unshallow`), or give `auditor audit` its URL in place of the folder."
    if any(sign in failure.errors for sign in _CORRUPTION_ERRORS):
        return "this repository is damaged: run `git fsck` in it, or audit a fresh clone."
    if "No space left" in failure.errors:
        return "the disk is full: free some space in the temporary directory."
    return f"git {failure.verb} could not read this repository: {failure.errors.strip().rpartition(chr(10))[2]!r}."


@contextmanager
def open_repository(
    target: str | Path,
    *,
    base: str | None = None,
    head: str | None = None,
    timeout: float = 300.0,
    token: str | None = None,
) -> Iterator[Repo]:
    """Open a repository: a path inside one, a bare one, or an https, ssh or file URL.

    `timeout` is in seconds for each git process. The temporary directory is removed on leaving, whatever
    the cause. Raises UserError with one sentence when there is nothing to audit.
    """
    with _temporary_directory() as home:
        git = Git(home=home, git_dir=home / "audit.git", timeout=timeout)
        assert git.version, "asking it refuses a git that is missing or too old"
        where = remote_fetch.parse_address(str(target))
        try:
            if where is None:
                yield _open_local(git, Path(target), base, head)
            else:
                yield _open_remote(git, where, base, head, token)
        finally:
            git.end()


def _open_local(git: Git, target: Path, base: str | None, head: str | None) -> Repo:
    found = local_repository.find_repository(target)
    git.id_length = local_repository.head_id_length(found)
    _init_bare_repository(git)
    local_repository.borrow(found, git.git_dir, needs_head=head is None)
    notices: list[str] = []
    ends = _resolve_range(git, head or "HEAD", base, notices, lambda: local_repository.ref_names(git.git_dir))
    unchanged = _is_unchanged(git, ends, found.folder)
    name = (found.work_tree or found.git_dir).name
    noticed = uncommitted_notice.start_check(git, found, named_head=head is not None)
    return Repo(git, name, found.folder, ends, lambda: (*notices, *noticed()), unchanged=unchanged)


def _open_remote(git: Git, where: remote_fetch.Address, base: str | None, head: str | None, token: str | None) -> Repo:
    _init_bare_repository(git)
    remote_fetch.configure(git, where, token)
    names = [head or "HEAD", *([base] if base else [])]
    refs = [f"refs/audit/{number}{remote_fetch.revision_suffix(name)}" for number, name in enumerate(names)]

    def joined() -> bool:
        return len(refs) == 1 or bool(_merge_bases(git, refs[0], refs[1]))

    remote_fetch.fetch_graph(git, names, with_trees=base is None, has_merge_base=joined)
    notices: list[str] = []
    ends = _resolve_range(git, refs[0], refs[1] if base else None, notices)
    if ends.base is not None:
        _fetch_trees(git, ends.head, ends.base, ends.merge_base)
    unchanged = _is_unchanged(git, ends, "")
    return Repo(git, _repository_name(where.url), "", ends, lambda: tuple(notices), unchanged=unchanged)


def _fetch_trees(git: Git, head: str, base: str, merge_base: str | None) -> None:
    """The trees of the change's commits and of both its ends."""
    span = [head, f"^{merge_base}"] if merge_base else [head]
    listed = git.run("log", "--boundary", "--format=%T", f"--max-count={commit_log.MAX_COMMITS}", *span)
    ends = b""
    cut = listed.count(b"\n") >= commit_log.MAX_COMMITS
    if base != merge_base or head == merge_base or cut:  # else the boundary is the base
        ends = git.run("log", "--no-walk", "--format=%T", *dict.fromkeys(filter(None, (head, base, merge_base))))
    remote_fetch.fetch_objects(git, (ends + listed).decode("ascii").split())


def _repository_name(url: str) -> str:
    return url.rstrip("/").removesuffix(".git")


def _init_bare_repository(git: Git) -> None:
    """Write an empty bare repository by hand: six small files, and no template is ever copied."""
    for folder in ("objects/info", "objects/pack", "refs/heads"):
        (git.git_dir / folder).mkdir(parents=True)
    (git.home / "gitconfig").touch(mode=0o600)
    (git.git_dir / "HEAD").write_text("ref: refs/heads/nothing\n", encoding="ascii")
    version, extension = (0, "") if git.id_length == 40 else (1, "[extensions]\n\tobjectFormat = sha256\n")
    (git.git_dir / "config").write_text(
        f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = true\n{extension}", encoding="ascii"
    )


RefNameSource = Callable[[], Collection[str]]


@dataclass(frozen=True)
class CommitRange:
    """The commits between which a change lies; without a base there is only the head."""

    head: str
    base: str | None = None
    merge_bases: tuple[str, ...] = ()

    @property
    def merge_base(self) -> str | None:
        """The commit that the change starts from: the first one, as git chooses it."""
        return next(iter(self.merge_bases), None)


def _resolve_range(
    git: Git, head: str, base: str | None, notices: list[str], list_ref_names: RefNameSource = tuple
) -> CommitRange:
    names = [head] if base is None else [head, base, f"refs/remotes/origin/{base}"]
    for name in names:
        if "\n" in name or "\0" in name or name.startswith("-") or not 0 < len(name) <= _MAX_REVISION_LENGTH:
            raise UserError(f"{name[:60]!r} is no name of a commit: name a branch, a tag or a commit id.")
    ids = _resolve_commits(git, names)
    if ids[0] is None:
        raise UserError(
            f"there is no commit {head!r} in this repository: {_missing_commit_hint(git, head, list_ref_names, '--head')}"
        )
    if base is None:
        return CommitRange(ids[0])
    base_id = ids[1]
    if base_id is None and ids[2] is not None:
        notices.append(f"There is no {base!r} here; its remote copy 'origin/{base}' is the base.")
        base_id = ids[2]
    if base_id is None:
        raise UserError(
            f"there is no commit {base!r} in this repository: {_missing_commit_hint(git, base, list_ref_names, '--base')}"
        )
    merge_bases = _merge_bases(git, ids[0], base_id)
    if not merge_bases:
        cut = f" ({_UNSHALLOW_HINT.removesuffix('.')})" if local_repository.is_shallow(git.git_dir) else ""
        raise UserError(f"{base!r} and {head!r} have no commit in common, so there is no change to audit{cut}.")
    if ids[0] in merge_bases:
        notices.append("There is no change to look at: the base holds every commit of the head.")
    return CommitRange(ids[0], base_id, merge_bases)


_UNSHALLOW_HINT = "the clone is shallow: run `git fetch --unshallow` first."
_RELATIVE_REVISION = lazy_compile(r"[~^]|^[0-9a-f]{7,64}$")
"""A commit by its distance from another or by its id: in a shallow clone it may only be missing."""


def _missing_commit_hint(git: Git, name: str, list_ref_names: RefNameSource, option: str) -> str:
    if _RELATIVE_REVISION.search(name) and local_repository.is_shallow(git.git_dir):
        return _UNSHALLOW_HINT
    return did_you_mean(name, list_ref_names(), f"check {option}, or fetch it first.")


def _resolve_commits(git: Git, names: list[str]) -> list[str | None]:
    """The commit that each name leads to, or None; all asked in one process."""
    asked = _encode_argument("".join(f"{name}^{{commit}}\n" for name in names))
    answers = git.run("cat-file", "--batch-check", stdin=asked).decode("utf-8", errors="replace").splitlines()
    return [parts[0] if len(parts := answer.split()) == 3 and parts[1] == "commit" else None for answer in answers]


def _encode_argument(text: str) -> bytes:
    """A command line argument in the bytes that were typed, whatever the locale made of them."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:  # it was not typed here: an event says its names in UTF-8
        return text.encode("utf-8", errors="surrogateescape")


def _is_unchanged(git: Git, ends: CommitRange, folder: str) -> bool:
    try:
        return is_unchanged(git, ends.head, ends.merge_bases, folder)
    except GitFailed as failed:
        raise UserError(_error_message(failed)) from failed


def _merge_bases(git: Git, head: str, base: str) -> tuple[str, ...]:
    """The commits that a merge would start from, the one that git prefers first; more than one after crossing merges."""
    try:
        return tuple(git.run("merge-base", "--all", "--end-of-options", base, head).decode("ascii").split())
    except GitFailed as failed:
        if failed.code == 1:
            return ()
        raise UserError(_error_message(failed)) from failed


@contextmanager
def _temporary_directory() -> Iterator[Path]:
    """A directory that only we may read, gone afterwards; SIGTERM counts as leaving."""
    try:
        home = Path(tempfile.mkdtemp(prefix="auditor-"))
    except OSError as error:
        raise UserError(
            f"no temporary directory can be made ({error.strerror}): set TMPDIR to one with space."
        ) from error
    with _raise_on_termination():
        try:
            yield home
        except OSError as error:
            if error.errno == 28:
                raise UserError("the disk is full: free some space in the temporary directory.") from error
            raise
        finally:
            shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _raise_on_termination() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind the stack as Ctrl-C does, so that every `finally` runs.

    The exit code is 128 and the signal's number, as shells expect. A signal that is ignored (`nohup`) stays ignored.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))  # Windows has no SIGHUP
    before = {each: signal.getsignal(each) for each in known if each}
    before = {each: handler for each, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for each in before:
        signal.signal(each, leave)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
