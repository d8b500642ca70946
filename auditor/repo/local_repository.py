"""Borrowing from a repository on this machine without letting git read its configuration.

Our own bare repository names the other's object store as an alternate and gets a copy of its refs, so
that `main~3` or a tag resolves by git's rules under our settings only. Nothing the other repository
configures (hooks, filters, monitors, aliases) is ever looked at.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from auditor.domain import UserError
from auditor.lazy_regex import lazy_compile
from auditor.user_error import fold_name

_OBJECT_ID = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")
_REF_NAME = re.compile(r"^refs/[^\x00-\x20\x7f~^:?*\[\\]+\Z")
"""What `git check-ref-format` lets pass, near enough: a name with a line break could pose as another ref."""
_MAX_REF_BYTES = 4096
_MAX_PACKED_REFS_BYTES = 1 << 28


@dataclass(frozen=True)
class LocalRepository:
    """Where a repository's parts lie on disk."""

    git_dir: Path
    """Holds HEAD and the index; of a linked worktree, its own."""
    common_dir: Path
    """Holds objects and refs."""
    work_tree: Path | None
    folder: str
    """Where in the work tree the given path lies; empty for its root."""


_URL_WITHOUT_SCHEME = lazy_compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/[^/]+/[^/]")
"""A host and a path, as of a URL without its scheme."""


def find_repository(target: Path) -> LocalRepository:
    """The repository that a path lies in. Raises UserError when there is none."""
    if not target.exists():
        written = target.as_posix()
        hint = (
            f"did you mean https://{written}?"
            if _URL_WITHOUT_SCHEME.match(written)
            else "give a path to a git repository, or a URL."
        )
        raise UserError(f"{target} does not exist: {hint}")
    start = target.resolve()
    if not start.is_dir():
        raise UserError(f"{target} is a file: give its folder.")
    for place in (start, *start.parents):
        git_dir = _git_dir(place / ".git")
        if git_dir is not None:
            folder = start.relative_to(place).as_posix()
            return LocalRepository(git_dir, _common_dir(git_dir), place, "" if folder == "." else folder)
        if _is_git_dir(place):
            if place != start:
                break
            return LocalRepository(place, _common_dir(place), None, "")
    raise UserError(f"{target} is not in a git repository: run `git init` and commit there, or give another path.")


def _git_dir(dot_git: Path) -> Path | None:
    if dot_git.is_dir():
        return dot_git if _is_git_dir(dot_git) else None
    content = _small_file(dot_git)
    if content is None or not content.startswith("gitdir: "):
        return None
    linked = (dot_git.parent / content.removeprefix("gitdir: ").strip()).resolve()
    return linked if (linked / "HEAD").exists() else None


def _is_git_dir(place: Path) -> bool:
    return (place / "HEAD").is_file() and ((place / "objects").is_dir() or (place / "commondir").is_file())


def _common_dir(git_dir: Path) -> Path:
    content = _small_file(git_dir / "commondir")
    return git_dir if content is None else (git_dir / content.strip()).resolve()


def head_id_length(repository: LocalRepository) -> int:
    """40 for SHA-1 repositories, 64 for SHA-256 ones, by the ids its refs hold."""
    for _, value in _refs(repository):
        return len(value)
    head = _small_file(repository.git_dir / "HEAD") or ""
    return len(head.strip()) if _OBJECT_ID.match(head.strip()) else 40


def borrow(repository: LocalRepository, git_dir: Path, *, needs_head: bool) -> None:
    """Make the objects and refs of a repository visible in our own.

    Raises UserError for a HEAD without commit when it `needs_head`, and for refs in a format not read here.
    """
    if (repository.common_dir / "reftable").is_dir():
        raise UserError(
            "the reftable format of this repository is not supported: "
            "run `git refs migrate --ref-format=files` in a copy, or audit it by its file:// URL."
        )
    info = git_dir / "objects" / "info"
    info.mkdir(parents=True, exist_ok=True)
    objects = repository.common_dir / "objects"
    (info / "alternates").write_bytes(_quote_alternate(objects) + b"\n")
    refs = dict(_refs(repository))
    lines = [f"{value} {name}\n" for name, value in refs.items()]  # without a header, git sorts them itself
    (git_dir / "packed-refs").write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
    shallow = repository.common_dir / "shallow"
    if shallow.is_file():
        shutil.copyfile(shallow, git_dir / "shallow")
    head = _head_commit(repository, refs)
    if head is not None:
        (git_dir / "HEAD").write_text(head + "\n", encoding="ascii")
    elif needs_head:
        if near := _similar_branch(repository, refs):
            branch = near.removeprefix("refs/heads/")
            raise UserError(
                f"HEAD names the branch {branch!r} in another spelling: run `git switch {branch}`, or give a commit with --head."
            )
        raise UserError("HEAD has no commit yet: make a commit, or give one with --head.")


_MAX_REF_NAMES = 2_000


def ref_names(git_dir: Path) -> tuple[str, ...]:
    """Branches, remote branches and tags of a borrowed repository, as one would type them; the first so many."""
    refs = (name for name, _ in islice(_packed_refs(git_dir / "packed-refs"), _MAX_REF_NAMES))
    return tuple(name.split("/", 2)[2] for name in refs if name.count("/") > 1)


def is_shallow(git_dir: Path) -> bool:
    """Is the history of our repository cut off somewhere?"""
    shallow = git_dir / "shallow"
    return shallow.is_file() and shallow.stat().st_size > 0


def _quote_alternate(objects: Path) -> bytes:
    """A path as `info/alternates` wants it: in C quotes when it could be mistaken for something else."""
    raw = os.fsencode(objects)
    if raw.startswith((b'"', b"#")) or b"\n" in raw:
        escaped = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        return b'"' + escaped + b'"'
    return raw


def _head_commit(repository: LocalRepository, refs: dict[str, str]) -> str | None:
    """The commit that HEAD leads to; None when its branch has none yet."""
    content = (_small_file(repository.git_dir / "HEAD") or "").strip()
    if _OBJECT_ID.match(content):
        return content
    name = content.removeprefix("ref: ").strip()
    return refs.get(name) or _read_ref_by_path(repository, name)


def _read_ref_by_path(repository: LocalRepository, name: str) -> str | None:
    """The commit of a branch whose file the system finds under this name, though no listing shows it.

    After `git switch Feature` on a disk that ignores case, HEAD says `Feature` and the file is `feature`; git opens
    it by the name in HEAD, and so do we.
    """
    if not _REF_NAME.match(name) or ".." in name or name.endswith(".lock"):
        return None
    raw = name.encode("utf-8", errors="surrogateescape")
    for root in dict.fromkeys((repository.common_dir, repository.git_dir)):
        value = (_small_file(Path(os.fsdecode(os.path.join(os.fsencode(root), raw)))) or "").strip()
        if _OBJECT_ID.match(value):
            return value
    return None


def _similar_branch(repository: LocalRepository, refs: Iterable[str]) -> str | None:
    """The branch that only differs in case or Unicode form from the one in HEAD, as when it was packed after a switch."""
    name = (_small_file(repository.git_dir / "HEAD") or "").strip().removeprefix("ref: ").strip()
    return next((each for each in refs if fold_name(each) == fold_name(name)), None)


def _refs(repository: LocalRepository) -> Iterator[tuple[str, str]]:
    """Name and object id of every ref; loose ones come last and so win in a dict."""
    yield from _packed_refs(repository.common_dir / "packed-refs")
    for root in dict.fromkeys((repository.common_dir, repository.git_dir)):
        yield from _loose_refs(root)


def _packed_refs(file: Path) -> Iterator[tuple[str, str]]:
    if not file.is_file() or file.stat().st_size > _MAX_PACKED_REFS_BYTES:
        return
    with file.open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for line in lines:
            value, _, name = line.rstrip("\n").partition(" ")
            if _OBJECT_ID.match(value) and _REF_NAME.match(name) and ".." not in name:
                yield name, value


def _loose_refs(root: Path) -> Iterator[tuple[str, str]]:
    waiting = [root / "refs"]
    while waiting:
        folder = waiting.pop()
        if folder.is_symlink() or not folder.is_dir():
            continue
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
                continue
            value = (_small_file(Path(entry.path)) or "").strip()
            name = os.fsencode(Path(entry.path).relative_to(root)).decode("utf-8", errors="surrogateescape")
            if _OBJECT_ID.match(value) and _REF_NAME.match(name) and not name.endswith(".lock"):
                yield name, value


def _small_file(file: Path) -> str | None:
    """The text of a small regular file; None for anything else, links included."""
    try:
        about = file.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MAX_REF_BYTES:
            return None
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
