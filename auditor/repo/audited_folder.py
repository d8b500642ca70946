"""What is audited at both ends of a change: whether the folder is there, and whether anything in it differs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from auditor.domain import UserError
from auditor.repo.git_process import Git, GitFailed
from auditor.user_error import fold_name

_MAX_DEPTH = 64
"""Folders inside one another, as deep as a name in another spelling is looked for."""
_MAX_LISTING_BYTES = 1 << 22
"""Bytes of one folder's listing, for the same."""


def is_unchanged(git: Git, head: str, merge_bases: Sequence[str], folder: str) -> bool:
    """Has what is audited the same tree at the head and at every merge base?

    A history with several merge bases has no one start: a head that equals the first may take back what the others
    brought. Raises UserError for a folder that is neither in the head nor in the merge base.
    """
    if not folder:
        return bool(merge_bases) and len(set(_root_trees(git, [head, *merge_bases]))) == 1
    trees = [_tree(git, commit, folder) for commit in (head, *merge_bases)]
    if not any(trees[:2]):
        raise UserError(_missing_folder_message(git, head, folder))
    return len(trees) > 1 and len(set(trees)) == 1


def _root_trees(git: Git, commits: Sequence[str]) -> list[str]:
    """The commits name their trees, which a partial clone need not have."""
    return git.run("log", "--no-walk=unsorted", "--format=%T", *dict.fromkeys(commits), "--").decode("ascii").split()


def _tree(git: Git, commit: str, folder: str) -> str | None:
    """The tree of a folder in a commit; None where there is none of that name, or something else has it."""
    listed = git.run("ls-tree", "-d", "-z", "--full-tree", commit, "--", folder, limit=_MAX_LISTING_BYTES)
    about = listed.partition(b"\t")[0].split()  # mode, kind, id
    return about[2].decode("ascii") if about[1:2] == [b"tree"] else None


def _missing_folder_message(git: Git, head: str, folder: str) -> str:
    near = _similar_folder(git, head, folder)
    if near is None:
        return f"{folder!r} is not part of the audited commit: commit it first, or give another folder."
    spelt = "" if near.isascii() else f", {near!a} in ASCII"
    return f"{folder!r} is not part of the audited commit: did you mean {near!r}{spelt}?"


def _similar_folder(git: Git, head: str, folder: str) -> str | None:
    """The folder of the head whose name differs in nothing but case or Unicode form; one folder is listed for each step."""
    steps = _to_git_path(folder).split("/")
    if len(steps) > _MAX_DEPTH:
        return None
    found: list[str] = []
    for step in steps:
        names = _list_folders(git, head, found)
        near = step if step in names else next((each for each in names if fold_name(each) == fold_name(step)), None)
        if near is None:
            return None
        found.append(near)
    return "/".join(found)


def _list_folders(git: Git, head: str, within: Sequence[str]) -> list[str]:
    """The names of the folders in a folder of the head; none where there are too many to be listed."""
    path = os.fsdecode("/".join([*within, ""]).encode("utf-8", errors="surrogateescape"))
    where = ["--", path] if within else []
    try:
        listed = git.run("ls-tree", "-d", "-z", "--name-only", "--full-tree", head, *where, limit=_MAX_LISTING_BYTES)
    except GitFailed:
        return []
    return [_to_git_path(os.fsdecode(each)).rpartition("/")[2] for each in listed.split(b"\0") if each]


def _to_git_path(path: str) -> str:
    """A path of this system as the UTF-8 that git stores."""
    return os.fsencode(path).decode("utf-8", errors="surrogateescape")
