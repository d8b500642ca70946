"""What a user reads when git cannot read a repository."""

from __future__ import annotations

from auditor.repo.git_process import GitFailed

_MISSING_OBJECT_ERRORS = ("unable to read", "missing", "bad object", "not a tree object", "could not fetch")
_CORRUPTION_ERRORS = ("is corrupt", "inflate:", "bad packed object", "garbage at end")


def git_error_message(failure: GitFailed) -> str:
    """What went wrong, with the way out where one is known."""
    if any(sign in failure.errors for sign in _MISSING_OBJECT_ERRORS):
        return "some objects are missing from this clone: run `git fetch --refetch --no-filter` in it (in a shallow one `git fetch --unshallow`), or give `auditor audit` its URL in place of the folder."
    if any(sign in failure.errors for sign in _CORRUPTION_ERRORS):
        return "this repository is damaged: run `git fsck` in it, or audit a fresh clone."
    if "No space left" in failure.errors:
        return "the disk is full: free some space in the temporary directory."
    return f"git {failure.verb} could not read this repository: {failure.errors.strip().rpartition(chr(10))[2]!r}."
