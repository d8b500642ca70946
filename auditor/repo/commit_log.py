"""Commits with the paths they touched, from one `log --raw`.

Fields end with NUL and are counted: a message, a name or a path may hold any other byte.
"""

from __future__ import annotations

from functools import lru_cache

from auditor.domain import Commit, CommitFile, History, Signature, Status
from auditor.repo.git_output_parser import ByteSource, TokenReader, decode_path, entry_kind

MAX_COMMITS = 5_000
"""Newest commits that are read; a longer history is judged by these, and says so."""
MAX_FILE_CHANGES = 1_000_000
"""The most file changes that are read: a tree that unfolds without end must not delay the audit."""
MAX_MESSAGE_BYTES = 20_000
"""Bytes of a message that are kept: a merge that repeats what it merges has a few thousand."""
MAX_SIGNATURE_BYTES = 1_000
"""Bytes of a name or an e-mail address that are kept."""
MAX_HISTORY_BYTES = 128_000_000
"""Bytes of messages and paths that are kept; five thousand commits of a large project have ten million."""
_FIELDS = ("%H", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%B")
ARGUMENTS = (
    "log", "--raw", "-c", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color",
    "--no-show-signature", "--no-notes", "--no-mailmap", "--date=raw", "--no-decorate",
    f"--max-count={MAX_COMMITS + 1}", f"--format=tformat:{'%x00'.join(_FIELDS)}%x00",
)  # fmt: skip
START_ARGUMENTS = ("log", "--no-walk", *(each for each in ARGUMENTS[1:] if each not in {"--raw", "-c"}))
"""The same of one commit, without its files."""
_STATUS_BY_LETTER = {b"A": Status.ADDED, b"D": Status.DELETED}
_MAX_TIMESTAMP = 1 << 40
"""The highest time taken for a date, in seconds since 1970: about the year 36,800."""


def read_history(stream: ByteSource) -> History:
    """The commits of the output of ARGUMENTS, newest first. Raises ValueError when it makes no sense."""
    tokens = TokenReader(stream)
    commits: list[Commit] = []
    sha = tokens.next()
    touched = kept = 0
    while sha is not None:
        fields = tokens.take(len(_FIELDS) - 1)
        if fields is None:
            raise ValueError("git's log ends in the middle of a commit")
        tokens.next()  # what ends the formatted part
        files, length, following = _read_files(tokens, MAX_FILE_CHANGES - touched, MAX_HISTORY_BYTES - kept)
        touched += len(files)
        kept += length + len(fields[-1][:MAX_MESSAGE_BYTES])
        commits.append(_make_commit(sha.lstrip(b"\n"), fields, files))
        sha = following
        if touched >= MAX_FILE_CHANGES:
            return History(
                tuple(commits),
                complete=False,
                limit_reason=f"only the newest {MAX_FILE_CHANGES:,} file changes were read",
            )
        if kept >= MAX_HISTORY_BYTES:
            return History(
                tuple(commits),
                complete=False,
                limit_reason=f"only the newest {MAX_HISTORY_BYTES:,} bytes of messages and paths were read",
            )
    if len(commits) > MAX_COMMITS:
        return History(
            tuple(commits[:MAX_COMMITS]),
            complete=False,
            limit_reason=f"only the newest {MAX_COMMITS:,} commits were read",
        )
    return History(tuple(commits))


def _read_files(tokens: TokenReader, limit: int, max_bytes: int) -> tuple[tuple[CommitFile, ...], int, bytes | None]:
    """The raw entries of one commit, at most `limit` and with paths of about `max_bytes` bytes; those bytes, and the token after them."""
    files: list[CommitFile] = []
    length = 0
    following = tokens.next
    token = following()
    while token == b"":  # stands before the entries of a merge
        token = following()
    while (
        token is not None
        and (entry := token.lstrip(b"\n")).startswith(b":")
        and len(files) < limit
        and length < max_bytes
    ):
        name = following()
        if name is None:
            raise ValueError("git's log ends in the middle of a file")
        files.append(_parse_file(entry, name))
        length += len(name)
        token = following()
    return tuple(files), length, token


def _parse_file(entry: bytes, name: bytes) -> CommitFile:
    """A raw entry: a colon, a mode, an id and a letter for each parent, and mode and id of the result."""
    parts = entry.split(b" ")
    if len(parts) == 5 and not entry.startswith(b"::"):
        _, mode, _, blob, letter = parts
        status = _STATUS_BY_LETTER.get(letter, Status.MODIFIED)
        return CommitFile(
            status, decode_path(name), None if status is Status.DELETED else blob.decode("ascii"), entry_kind(mode)
        )
    parents = len(entry) - len(entry.lstrip(b":"))
    if len(parts) != 2 * parents + 3:
        raise ValueError("git's log lists a file in an unknown form")
    mode, blob, letters = parts[parents], parts[2 * parents + 1], parts[-1]
    status = _status(letters)
    return CommitFile(
        status, decode_path(name), None if status is Status.DELETED else blob.decode("ascii"), entry_kind(mode)
    )


def _status(letters: bytes) -> Status:
    """What a commit did to a file; a merge has a letter for each parent, and only their agreement adds or deletes."""
    return _STATUS_BY_LETTER.get(letters[:1], Status.MODIFIED) if len(set(letters)) == 1 else Status.MODIFIED


def _make_commit(sha: bytes, fields: list[bytes], files: tuple[CommitFile, ...]) -> Commit:
    parents, author, author_mail, authored, committer, committer_mail, committed, message = fields
    return Commit(
        sha=sha.decode("ascii"),
        parents=tuple(parents.decode("ascii").split()),
        author=_make_signature(author, author_mail, authored),
        committer=_make_signature(committer, committer_mail, committed),
        message=_decode(message[:MAX_MESSAGE_BYTES]),
        files=files,
    )


def _make_signature(name: bytes, mail: bytes, date: bytes) -> Signature:
    seconds, _, zone = date.partition(b" ")
    try:
        time: int | None = int(seconds)
    except ValueError:
        time = None
    if time is not None and not 0 < time <= _MAX_TIMESTAMP:  # git prints 0 for what it cannot read
        time = None
    return Signature(
        _decode_cached(name[:MAX_SIGNATURE_BYTES]),
        _decode_cached(mail[:MAX_SIGNATURE_BYTES]),
        time,
        _offset_minutes(zone[:10]),
    )


@lru_cache(maxsize=128)
def _offset_minutes(zone: bytes) -> int:
    digits = zone.lstrip(b"+-")
    if not digits.isdigit() or len(digits) != 4:
        return 0
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return -minutes if zone.startswith(b"-") else minutes


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="backslashreplace")


_decode_cached = lru_cache(maxsize=1024)(_decode)
"""`_decode` with a cache, for names and addresses: few people write many commits."""
