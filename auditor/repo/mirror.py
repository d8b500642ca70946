"""A bare partial mirror of a remote repository: one writer fetches into it, many audits read from it.

It holds the commits of all branches and tags, and the trees and blobs that audits were prepared for. Audits open it like
any local repository, so they need neither the network nor a token. Nothing is ever pruned from it: refs of each unit
only say what was wanted.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from auditor.repo import commit_log, local_repository, remote_fetch
from auditor.repo.bare_repository import init_bare_repository
from auditor.repo.commit_range import resolve_commits
from auditor.repo.git_process import Git, GitFailed, GitTimedOut
from auditor.repo.remote_fetch import Address
from auditor.repo.token_pipe import token_pipe

_ALL_REFS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", "+HEAD:refs/remotes/origin/HEAD")
_COMMITS_ONLY = "--filter=tree:0"
"""Git checks every tree that it fetches, and old histories hold some that it refuses."""
_MAX_ROUNDS = 3
"""Requests for what is missing: trees first, which bring all trees below them, then blobs."""
_NEGOTIATED = ("fetch.negotiationAlgorithm=consecutive",)
"""For commits: the server leaves out what comes with those that are here. It would leave out single blobs, too."""
_MAX_MISSING_BYTES = 1 << 30
_TRACE = {"GIT_TRACE_CURL": "1", "GIT_TRACE_CURL_NO_DATA": "1"}
"""Makes git print the headers of answers, which alone say how long to wait; it leaves out credentials by itself."""
_TRACE_LINE = re.compile(r"^\d\d:\d\d:\d\d\.\d+ [^\n]*\n?", re.MULTILINE)
_RETRY_AFTER = re.compile(r"Recv header: retry-after: *(\d{1,6})\b", re.IGNORECASE)
_REDIRECTED = re.compile(r"Recv header: location: *(\S{1,500}?)(?:/info/refs\S*)?\s", re.IGNORECASE)
_BUSY = re.compile(r"returned error: (?:429|5\d\d)\b")
_UNREACHABLE = (
    "could not resolve host",
    "connection refused",
    "failed to connect",
    "network is unreachable",
    "could not connect",
    "connection timed out",
    "connection reset",
    "early eof",
    "the remote end hung up",
    "timed out",
    "operation too slow",
)
_NO_SPACE = "no space left"
_HEAD = re.compile(r"^(?:HEAD|@)(?=[~^]|$)")
_NO_REMOTE_HEAD = "couldn't find remote ref head"


class FetchFailed(Exception):
    """Nothing was fetched: one sentence, whether another try may succeed, and after how many seconds the host said so."""

    def __init__(self, sentence: str, *, passing: bool, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.passing = passing
        self.wait = wait


@dataclass(frozen=True)
class CommitSpan:
    """What one audit reads: the head, and for a change the base it is to be merged into."""

    name: str
    """Of the refs that keep it, below `refs/units/`."""
    head: str
    base: str | None = None


@dataclass(eq=False)
class Mirror:
    """A mirror that is open for writing. Made by `open_mirror`."""

    git: Git
    url: str
    token: str | None = field(default=None, repr=False)
    lock: int = -1
    """The open lock file. Git inherits it: a fetch that outlives us still keeps other writers out."""
    redirected: str = ""
    """Where the server redirects to, if it does."""

    @property
    def path(self) -> Path:
        """The bare repository."""
        return self.git.git_dir

    def update(self) -> None:
        """Fetch the commits of all branches and tags. Raises FetchFailed."""
        try:
            self._fetch(_COMMITS_ONLY, "--prune", "origin", *_ALL_REFS, settings=_NEGOTIATED)
        except FetchFailed as failed:
            if _NO_REMOTE_HEAD not in str(failed).lower():
                raise
            self._fetch(_COMMITS_ONLY, "--prune", "origin", *_ALL_REFS[:2], settings=_NEGOTIATED)

    def resolve(self, names: Sequence[str]) -> list[str | None]:
        """The commit that each name leads to; None where it leads to none. `HEAD` is that of the remote."""
        return resolve_commits(self.git, [_HEAD.sub("refs/remotes/origin/HEAD", name) for name in names])

    def fetch_commits(self, ids: Iterable[str]) -> None:
        """Fetch commits that no branch or tag leads to, by their full ids. Raises FetchFailed."""
        wanted = list(dict.fromkeys(ids))
        if wanted:
            specs = (f"+{each}:refs/units/{each}/head" for each in wanted)
            self._fetch(_COMMITS_ONLY, "origin", *specs, settings=_NEGOTIATED)

    def prepare(self, spans: Sequence[CommitSpan]) -> None:
        """Fetch every tree and blob that audits of these may read, in a request each, and set the refs that keep them.

        Raises FetchFailed, and UserError where a history cannot be read.
        """
        commits: dict[str, None] = {}
        for span in spans:
            commits.update(dict.fromkeys(self._commits(span)))
        for _ in range(_MAX_ROUNDS):
            missing = self._missing(commits)
            if not missing:
                break
            self._fetch("--filter=blob:none", "--stdin", "origin", stdin="".join(f"{each}\n" for each in missing))
        self._set_refs(spans)

    def _commits(self, span: CommitSpan) -> Iterator[str]:
        """The commits whose files an audit may read: both ends, where the change starts, and all between."""
        yield span.head
        limit = f"--max-count={commit_log.MAX_COMMITS}"
        if span.base is None:
            yield from self._list("rev-list", limit, span.head)
            return
        yield span.base
        try:
            starts = self._list("merge-base", "--all", "--end-of-options", span.base, span.head)
        except GitFailed:  # no commit in common: the audit itself says so
            return
        yield from starts
        yield from self._list("rev-list", limit, span.head, *(f"^{each}" for each in starts[:1]))

    def _missing(self, commits: Iterable[str]) -> list[str]:
        """The objects of these commits' trees that are not here yet."""
        asked = "".join(f"{each}\n" for each in commits).encode("ascii")
        listed = self.git.run(
            "rev-list",
            "--objects",
            "--no-walk=unsorted",
            "--no-object-names",
            "--missing=print",
            "--stdin",
            stdin=asked,
            limit=_MAX_MISSING_BYTES,
        )
        return [line[1:].decode("ascii") for line in listed.split(b"\n") if line.startswith(b"?")]

    def _list(self, *arguments: str) -> list[str]:
        return self.git.run(*arguments).decode("ascii").split()

    def _set_refs(self, spans: Iterable[CommitSpan]) -> None:
        ends = (
            (span.name, end, commit) for span in spans for end, commit in (("head", span.head), ("base", span.base))
        )
        lines = "".join(f"update refs/units/{name}/{end} {commit}\n" for name, end, commit in ends if commit)
        self.git.run("update-ref", "--stdin", stdin=lines.encode("ascii"))

    def _fetch(self, *arguments: str, stdin: str | None = None, settings: tuple[str, ...] = ()) -> None:
        with token_pipe(self.token, self.url) as (helper, descriptors):
            self.git.settings, self.git.pass_fds = (*helper, *settings), (*descriptors, self.lock)
            try:
                self._run_fetch(arguments, stdin)
            finally:
                self.git.settings, self.git.pass_fds = (), ()

    def _run_fetch(self, arguments: tuple[str, ...], stdin: str | None) -> None:
        try:
            with self.git.start(
                *remote_fetch.FETCH_COMMAND, *arguments, fed=stdin is not None, network=True, variables=_TRACE
            ) as running:
                if running.stdin is not None:
                    running.stdin.write((stdin or "").encode("ascii"))
                    running.stdin.close()
                running.stdout.read()
        except GitTimedOut as late:
            raise FetchFailed(f"{late}", passing=True) from late
        except BrokenPipeError as error:
            raise FetchFailed("git exited before it read the list of objects to fetch.", passing=True) from error
        except GitFailed as failed:
            raise _fetch_failed(failed, self.git) from failed
        found = _REDIRECTED.search(running.errors.decode(errors="replace"))
        self.redirected = found[1] if found else self.redirected


def _fetch_failed(failed: GitFailed, git: Git) -> FetchFailed:
    wait = _RETRY_AFTER.search(failed.errors)
    said = _TRACE_LINE.sub("", failed.errors)
    lowered = said.lower()
    passing = _BUSY.search(lowered) is not None or any(each in lowered for each in (*_UNREACHABLE, _NO_SPACE))
    if _NO_REMOTE_HEAD in lowered:
        return FetchFailed(said.strip(), passing=False)
    sentence = remote_fetch.explain(said, git)
    return FetchFailed(sentence, passing=passing, wait=float(wait[1]) if wait and passing else None)


@contextmanager
def open_mirror(path: Path, where: Address, *, token: str | None = None, timeout: float = 300.0) -> Iterator[Mirror]:
    """Open a mirror for writing, made where there is none. Waits for another writer of this machine to finish."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / f"{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _sweep(path)
        with tempfile.TemporaryDirectory(prefix="auditor-mirror-") as name:
            git = Git(home=Path(name), git_dir=path, timeout=timeout)
            assert git.version, "asking it refuses a git that is missing or too old"
            if not (path / "HEAD").is_file():
                shutil.rmtree(path, ignore_errors=True)
                init_bare_repository(git)
            remote_fetch.configure(git, where, None)
            try:
                yield Mirror(git, where.url, token, lock.fileno())
            finally:
                git.end()


def _sweep(path: Path) -> None:
    """Remove what a fetch that was killed left behind: locks that nobody holds, and halves of packs."""
    for folder, _, names in os.walk(path):
        for name in names:
            if name.endswith(".lock") or name.startswith(("tmp_pack_", "tmp_idx_", "tmp_obj_", "tmp_rev_")):
                Path(folder, name).unlink(missing_ok=True)


@contextmanager
def open_local_history(path: Path, timeout: float = 300.0) -> Iterator[Git]:
    """Git on the commits of a repository of this machine, which is left as it is. Raises UserError."""
    found = local_repository.find_repository(path)
    with tempfile.TemporaryDirectory(prefix="auditor-mirror-") as name:
        git = Git(home=Path(name), git_dir=Path(name, "audit.git"), timeout=timeout)
        git.id_length = local_repository.head_id_length(found)
        init_bare_repository(git)
        local_repository.borrow(found, git.git_dir, needs_head=False)
        try:
            yield git
        finally:
            git.end()


def mirror_name(url: str) -> str:
    """The name of a repository's mirror: readable, one per URL, and safe on every disk."""
    last = re.sub(r"[^A-Za-z0-9._-]", "_", url.rstrip("/").removesuffix(".git").rpartition("/")[2])[:40]
    return f"{hashlib.sha256(url.encode()).hexdigest()[:16]}-{last.lstrip('.') or 'repository'}.git"


def size_of(path: Path) -> int:
    """Bytes of all files of a mirror."""
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += Path(folder, name).lstat().st_size
            except OSError:
                continue  # removed while we look
    return total


def remove_least_recently_used(folder: Path, most_bytes: int) -> tuple[Path, ...]:
    """Remove mirrors, those first that were used longest ago, until the others fit."""
    mirrors = sorted(folder.glob("*.git"), key=lambda each: each.stat().st_mtime, reverse=True)
    sizes = {each: size_of(each) for each in mirrors}
    total = sum(sizes.values())
    removed: list[Path] = []
    for each in reversed(mirrors):
        if total <= most_bytes:
            break
        shutil.rmtree(each, ignore_errors=True)
        total -= sizes[each]
        removed.append(each)
    return tuple(removed)


def touch(path: Path) -> None:
    """Note that a mirror is used now."""
    os.utime(path)
