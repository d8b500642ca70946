"""The commits between which a change lies, from the names that a user or an event gave."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from auditor.domain import UserError
from auditor.lazy_regex import lazy_compile
from auditor.repo import local_repository
from auditor.repo.git_error_messages import git_error_message
from auditor.repo.git_process import Git, GitFailed
from auditor.user_error import did_you_mean

_MAX_REVISION_LENGTH = 1024


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


def resolve_range(
    git: Git, head: str, base: str | None, notices: list[str], list_ref_names: RefNameSource = tuple
) -> CommitRange:
    """The commits that the names of a head and a base lead to.

    What a user should know of the choice is added to `notices`. Raises `UserError` where a name leads to no commit, or
    the two have none in common.
    """
    names = [head] if base is None else [head, base, f"refs/remotes/origin/{base}"]
    for name in names:
        if "\n" in name or "\0" in name or name.startswith("-") or not 0 < len(name) <= _MAX_REVISION_LENGTH:
            raise UserError(f"{name[:60]!r} is not a commit: give a branch, a tag or a commit ID.")
    ids = resolve_commits(git, names)
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
    merge_bases = merge_bases_of(git, ids[0], base_id)
    if not merge_bases:
        cut = f" ({_UNSHALLOW_HINT.removesuffix('.')})" if local_repository.is_shallow(git.git_dir) else ""
        raise UserError(f"{base!r} and {head!r} have no common commit, so there is no change to audit{cut}.")
    if ids[0] in merge_bases:
        notices.append("Nothing to audit: the base already contains every commit of the head.")
    return CommitRange(ids[0], base_id, merge_bases)


_UNSHALLOW_HINT = "the clone is shallow: run `git fetch --unshallow` first."
_RELATIVE_REVISION = lazy_compile(r"[~^]|^[0-9a-f]{7,64}$")
"""A commit by its distance from another or by its id: in a shallow clone it may only be missing."""


def _missing_commit_hint(git: Git, name: str, list_ref_names: RefNameSource, option: str) -> str:
    if _RELATIVE_REVISION.search(name) and local_repository.is_shallow(git.git_dir):
        return _UNSHALLOW_HINT
    return did_you_mean(name, list_ref_names(), f"check {option}, or fetch it first.")


def resolve_commits(git: Git, names: Sequence[str]) -> list[str | None]:
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


def merge_bases_of(git: Git, head: str, base: str) -> tuple[str, ...]:
    """The commits that a merge would start from, the one that git prefers first; more than one after crossing merges."""
    try:
        return tuple(git.run("merge-base", "--all", "--end-of-options", base, head).decode("ascii").split())
    except GitFailed as failed:
        if failed.code == 1:
            return ()
        raise UserError(git_error_message(failed)) from failed
