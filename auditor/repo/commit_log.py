"""Commits with the paths they touched, from one `log --raw`.

Fields end with NUL and are counted: a message, a name or a path may hold any other byte.
"""

from __future__ import annotations

from functools import lru_cache

from auditor.domain import Commit, CommitFile, History, Signature, Status
from auditor.repo.git_output_parser import Readable, Tokens, kind, path

MAX_COMMITS = 5_000
"""Newest commits that are read; a longer history is judged by these, and says so."""
MAX_FILES = 1_000_000
"""File changes that are read: a tree that unfolds without end must not keep anybody waiting."""
MAX_MESSAGE = 20_000
"""Bytes of a message that are kept: a merge that repeats what it merges has a few thousand."""
MAX_WRITER = 1_000
"""Bytes of a name or an address that are kept."""
MAX_KEPT = 128_000_000
"""Bytes of messages and paths that are kept; five thousand commits of a large project have ten million."""
_FIELDS = ("%H", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%B")
ARGUMENTS = (
    "log", "--raw", "-c", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color",
    "--no-show-signature", "--no-notes", "--no-mailmap", "--date=raw", "--no-decorate",
    f"--max-count={MAX_COMMITS + 1}", f"--format=tformat:{'%x00'.join(_FIELDS)}%x00",
)  # fmt: skip
START_ARGUMENTS = ("log", "--no-walk", *(each for each in ARGUMENTS[1:] if each not in {"--raw", "-c"}))
"""The same of one commit, without its files."""
_STATUS = {b"A": Status.ADDED, b"D": Status.DELETED}
_LATEST = 1 << 40
"""Seconds since 1970 past which a date is not one: about the year 36,800."""


def read_history(stream: Readable) -> History:
    """The commits of the output of ARGUMENTS, newest first. Raises ValueError when it makes no sense."""
    tokens = Tokens(stream)
    commits: list[Commit] = []
    sha = tokens.next()
    touched = kept = 0
    while sha is not None:
        fields = tokens.several(len(_FIELDS) - 1)
        if fields is None:
            raise ValueError("git's log ends in the middle of a commit")
        tokens.next()  # what ends the formatted part
        files, length, following = _files(tokens, MAX_FILES - touched, MAX_KEPT - kept)
        touched += len(files)
        kept += length + len(fields[-1][:MAX_MESSAGE])
        commits.append(_commit(sha.lstrip(b"\n"), fields, files))
        sha = following
        if touched >= MAX_FILES:
            return History(
                tuple(commits), complete=False, limit_reason=f"only the newest {MAX_FILES:,} file changes were read"
            )
        if kept >= MAX_KEPT:
            return History(
                tuple(commits),
                complete=False,
                limit_reason=f"only the newest {MAX_KEPT:,} bytes of messages and paths were read",
            )
    if len(commits) > MAX_COMMITS:
        return History(
            tuple(commits[:MAX_COMMITS]),
            complete=False,
            limit_reason=f"only the newest {MAX_COMMITS:,} commits were read",
        )
    return History(tuple(commits))


def _files(tokens: Tokens, limit: int, room: int) -> tuple[tuple[CommitFile, ...], int, bytes | None]:
    """The raw entries of one commit, at most `limit` and with paths of about `room` bytes; those bytes, and the token after them."""
    files: list[CommitFile] = []
    length = 0
    following = tokens.next
    token = following()
    while token == b"":  # stands before the entries of a merge
        token = following()
    while (
        token is not None and (entry := token.lstrip(b"\n")).startswith(b":") and len(files) < limit and length < room
    ):
        name = following()
        if name is None:
            raise ValueError("git's log ends in the middle of a file")
        files.append(_file(entry, name))
        length += len(name)
        token = following()
    return tuple(files), length, token


def _file(entry: bytes, name: bytes) -> CommitFile:
    """A raw entry: a colon, a mode, an id and a letter for each parent, and mode and id of the result."""
    parts = entry.split(b" ")
    if len(parts) == 5 and not entry.startswith(b"::"):
        _, mode, _, blob, letter = parts
        status = _STATUS.get(letter, Status.MODIFIED)
        return CommitFile(status, path(name), None if status is Status.DELETED else blob.decode("ascii"), kind(mode))
    parents = len(entry) - len(entry.lstrip(b":"))
    if len(parts) != 2 * parents + 3:
        raise ValueError("git's log lists a file in an unknown form")
    mode, blob, letters = parts[parents], parts[2 * parents + 1], parts[-1]
    status = _status(letters)
    return CommitFile(status, path(name), None if status is Status.DELETED else blob.decode("ascii"), kind(mode))


def _status(letters: bytes) -> Status:
    """What a commit did to a file; a merge has a letter for each parent, and only their agreement adds or deletes."""
    return _STATUS.get(letters[:1], Status.MODIFIED) if len(set(letters)) == 1 else Status.MODIFIED


def _commit(sha: bytes, fields: list[bytes], files: tuple[CommitFile, ...]) -> Commit:
    parents, author, author_mail, authored, committer, committer_mail, committed, message = fields
    return Commit(
        sha=sha.decode("ascii"),
        parents=tuple(parents.decode("ascii").split()),
        author=_signature(author, author_mail, authored),
        committer=_signature(committer, committer_mail, committed),
        message=_text(message[:MAX_MESSAGE]),
        files=files,
    )


def _signature(name: bytes, mail: bytes, date: bytes) -> Signature:
    seconds, _, zone = date.partition(b" ")
    try:
        time: int | None = int(seconds)
    except ValueError:
        time = None
    if time is not None and not 0 < time <= _LATEST:  # git prints 0 for what it cannot read
        time = None
    return Signature(_written(name[:MAX_WRITER]), _written(mail[:MAX_WRITER]), time, _minutes(zone[:10]))


@lru_cache(maxsize=128)
def _minutes(zone: bytes) -> int:
    digits = zone.lstrip(b"+-")
    if not digits.isdigit() or len(digits) != 4:
        return 0
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return -minutes if zone.startswith(b"-") else minutes


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="backslashreplace")


_written = lru_cache(maxsize=1024)(_text)
"""The same for names and addresses: few people write many commits."""
