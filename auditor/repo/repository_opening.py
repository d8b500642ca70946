"""A repository opened for one audit: a bare copy in a temporary directory that is gone afterwards."""

from __future__ import annotations

import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from auditor.domain import UserError
from auditor.repo import commit_log, local_repository, remote_fetch, uncommitted_notice
from auditor.repo.audited_folder import is_unchanged
from auditor.repo.bare_repository import init_bare_repository
from auditor.repo.commit_range import CommitRange, merge_bases_of, resolve_range
from auditor.repo.git_error_messages import git_error_message
from auditor.repo.git_process import Git, GitFailed
from auditor.repo.repository import Repo


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
    init_bare_repository(git)
    local_repository.borrow(found, git.git_dir, needs_head=head is None)
    notices: list[str] = []
    ends = resolve_range(git, head or "HEAD", base, notices, lambda: local_repository.ref_names(git.git_dir))
    unchanged = _is_unchanged(git, ends, found.folder)
    name = (found.work_tree or found.git_dir).name
    noticed = uncommitted_notice.start_check(git, found, named_head=head is not None)
    return Repo(git, name, found.folder, ends, lambda: (*notices, *noticed()), unchanged=unchanged)


def _open_remote(git: Git, where: remote_fetch.Address, base: str | None, head: str | None, token: str | None) -> Repo:
    init_bare_repository(git)
    remote_fetch.configure(git, where, token)
    names = [head or "HEAD", *([base] if base else [])]
    refs = [f"refs/audit/{number}{remote_fetch.revision_suffix(name)}" for number, name in enumerate(names)]

    def joined() -> bool:
        return len(refs) == 1 or bool(merge_bases_of(git, refs[0], refs[1]))

    remote_fetch.fetch_graph(git, names, with_trees=base is None, has_merge_base=joined)
    notices: list[str] = []
    ends = resolve_range(git, refs[0], refs[1] if base else None, notices)
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


def _is_unchanged(git: Git, ends: CommitRange, folder: str) -> bool:
    try:
        return is_unchanged(git, ends.head, ends.merge_bases, folder)
    except GitFailed as failed:
        raise UserError(git_error_message(failed)) from failed


@contextmanager
def _temporary_directory() -> Iterator[Path]:
    """A directory that only we may read, gone afterwards; SIGTERM counts as leaving."""
    try:
        home = Path(tempfile.mkdtemp(prefix="auditor-"))
    except OSError as error:
        raise UserError(
            f"no temporary directory can be created ({error.strerror}): set TMPDIR to a directory with free space."
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
