"""Records kept on disk from one audit to the next, by what the file held and what looked at it.

A key is the blob id, the language, and a digest of the forensic code, its lists and rules, the interpreter and the
kept engines: a new probe, Python or engine sees every file afresh. Values are JSON that is checked when read, so a cache that
holds anything else is ignored. What somebody wrote who knows the form is believed, though: a folder of somebody else's, or one
that everybody may write to, is not used. Where caches are shared with untrusted runs, do not use one.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from auditor.forensics.record_cache.installed_engines import installed_version

_MAX_ROWS = 500_000
_MAX_BYTES = 1 << 29
"""Bytes of the file. SQLite takes as much memory as the largest record has, be it one that nobody asks for."""
_MAX_RECORD_BYTES = 1 << 26
"""Bytes of one record: the evidence of a whole audit has a few millions."""
_LOCK_TIMEOUT = 5.0
"""Seconds to wait for another audit that writes to the same cache."""
_MAX_SECONDS = 60.0
"""Seconds for all queries to the file; half a million records are written in ten."""
_STEPS_PER_CLOCK_CHECK = 100_000
"""Steps of SQLite between two looks at the clock."""
_VERSIONED_PACKAGES = (
    "zizmor",
    "kingfisher-secret-scanner",
    "pypdf",
    "tree-sitter",
    "tree-sitter-typescript",
    "tree-sitter-python",
)
"""Packages whose answers are kept; ruff's version stands in the keys that it matters to."""
_CODE_FOLDERS = ("constant_folding", "forensics")
_CREATE_TABLE = "CREATE TABLE records (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


@cache
def probe_set_version() -> str:
    """Digest of all code that reads files with its lists and rules, and of the versions of interpreter and engines."""
    digest = hashlib.sha256(repr((sys.version, [installed_version(each) for each in _VERSIONED_PACKAGES])).encode())
    package = Path(__file__).parents[2]
    files = (each for folder in _CODE_FOLDERS for each in (package / folder).rglob("*"))
    for file in sorted(each for each in files if each.is_file() and each.suffix != ".pyc"):
        digest.update(file.relative_to(package).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def folder_problem(folder: Path) -> str:
    """Why a folder cannot be used for the cache, as a sentence; empty when it can. Creates a missing folder."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = _ownership_problem(folder)
        if not reason:
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        reason = f"cannot be used ({error.strerror})"
    return f"Nothing is kept for the next audit: the cache folder {folder} {reason}." if reason else ""


def _ownership_problem(folder: Path) -> str:
    """Why others may have written to a folder; empty when only we or our group can."""
    seen = folder.stat()
    if seen.st_uid != os.geteuid():
        return "belongs to another user, who could change what the next audit reads from it"
    return "can be written by every user of this machine" if seen.st_mode & stat.S_IWOTH else ""


class RecordCache:
    """A SQLite file of packed records. Any trouble with it means that nothing is found, never an error."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / "records.sqlite"
        if folder is not None:
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds lines of private code

    @property
    def keeps(self) -> bool:
        """Is there a folder to keep records in?"""
        return self._file is not None

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Packed records of those keys that are there."""
        if self._file is None or not _is_file(self._file) or self._file.stat().st_size > _MAX_BYTES:
            return {}
        wanted = list(keys)
        found: dict[str, bytes] = {}
        try:
            with closing(_connect(self._file)) as connection:
                if not _has_expected_schema(connection):
                    return {}
                for start in range(0, len(wanted), 500):
                    some = wanted[start : start + 500]
                    marks = ",".join("?" * len(some))
                    found.update(
                        connection.execute(
                            f"SELECT key, value FROM records WHERE typeof(value) = 'blob' AND key IN ({marks})",  # noqa: S608 - only question marks
                            some,
                        )
                    )
        except (sqlite3.Error, MemoryError):
            return {}
        return found

    def put(self, records: Mapping[str, bytes]) -> None:
        """Keep packed records. The file starts again when it has grown too large or is no database of ours."""
        if self._file is None or not records:
            return
        with suppress(OSError):  # a folder that cannot be written keeps what it has
            if os.path.lexists(self._file) and (not _is_file(self._file) or self._file.stat().st_size > _MAX_BYTES):
                self._file.unlink()
            try:
                self._write(self._file, {key: each for key, each in records.items() if len(each) < _MAX_RECORD_BYTES})
            except sqlite3.OperationalError:
                return  # locked, read-only or a full disk: the file itself may be in use and fine
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)

    @staticmethod
    def _write(file: Path, records: Mapping[str, bytes]) -> None:
        with closing(_connect(file)) as connection, connection:
            if not _has_expected_schema(connection):
                raise sqlite3.DatabaseError("not a database of the auditor")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(_CREATE_TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
            (rows,) = connection.execute("SELECT COUNT(*) FROM records").fetchone()
            if rows + len(records) > _MAX_ROWS:
                connection.execute("DELETE FROM records")
            connection.executemany("INSERT OR REPLACE INTO records VALUES (?, ?)", records.items())


def _is_file(file: Path) -> bool:
    """Is it a file, and neither a link to one nor anything else that can be opened?"""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def _connect(file: Path) -> sqlite3.Connection:
    """A connection that aborts slow queries and reads no oversized record: the file may hold more than our table."""
    connection = sqlite3.connect(file, timeout=_LOCK_TIMEOUT)
    ends = time.monotonic() + _MAX_SECONDS
    connection.set_progress_handler(lambda: int(time.monotonic() > ends), _STEPS_PER_CLOCK_CHECK)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_RECORD_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _has_expected_schema(connection: sqlite3.Connection) -> bool:
    """Does a database hold only our table, if anything: no view, no trigger?"""
    made = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master LIMIT 3")]
    return made in ([], [_CREATE_TABLE])
