"""Records kept on disk from one audit to the next, by what the file held and what looked at it.

A key is the blob id, the language, and a digest of the forensic code, its lists and rules, the interpreter and the
kept engines: a new probe, Python or engine sees every file afresh. Values are JSON that is checked when read, so a cache that somebody
tampered with can at worst be ignored. Where caches are shared with untrusted runs, do not use one.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from auditor.forensics.installed import version_of

_MAX_ROWS = 500_000
_MAX_BYTES = 1 << 30
_PATIENCE = 5.0
"""Seconds to wait for another audit that writes to the same cache."""
_ENGINES = (
    "zizmor",
    "kingfisher-secret-scanner",
    "pypdf",
    "tree-sitter",
    "tree-sitter-typescript",
    "tree-sitter-python",
)
"""Packages whose answers are kept; ruff's version stands in the keys that it matters to."""
_TABLE = "CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


@cache
def probe_set_version() -> str:
    """Digest of all forensic code with its lists and rules, and of the versions of interpreter and engines."""
    digest = hashlib.sha256(repr((sys.version, [version_of(each) for each in _ENGINES])).encode())
    folder = Path(__file__).parent
    for file in sorted(each for each in folder.rglob("*") if each.is_file() and each.suffix != ".pyc"):
        digest.update(file.relative_to(folder).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def trouble_with(folder: Path) -> str:
    """Why nothing can be kept in a folder, in a sentence; empty when it can. Makes the folder where there is none."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return f"Nothing is kept for the next audit: the cache folder {folder} cannot be used ({error.strerror})."
    return ""


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
        if self._file is None or not self._file.exists():
            return {}
        wanted = list(keys)
        found: dict[str, bytes] = {}
        try:
            with closing(sqlite3.connect(self._file, timeout=_PATIENCE)) as connection:
                for start in range(0, len(wanted), 500):
                    some = wanted[start : start + 500]
                    marks = ",".join("?" * len(some))
                    found.update(connection.execute(f"SELECT key, value FROM records WHERE key IN ({marks})", some))  # noqa: S608 - only question marks
        except sqlite3.Error:
            return {}
        return found

    def put(self, records: Mapping[str, bytes]) -> None:
        """Keep packed records. The file starts anew when it has grown too large or is no database."""
        if self._file is None or not records:
            return
        with suppress(OSError):  # a folder that cannot be written keeps what it has
            if self._file.exists() and self._file.stat().st_size > _MAX_BYTES:
                self._file.unlink()
            try:
                self._write(self._file, records)
            except sqlite3.OperationalError:
                return  # locked, read-only or a full disk: the file itself may be in use and fine
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)

    @staticmethod
    def _write(file: Path, records: Mapping[str, bytes]) -> None:
        with closing(sqlite3.connect(file, timeout=_PATIENCE)) as connection, connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(_TABLE)
            (rows,) = connection.execute("SELECT COUNT(*) FROM records").fetchone()
            if rows + len(records) > _MAX_ROWS:
                connection.execute("DELETE FROM records")
            connection.executemany("INSERT OR REPLACE INTO records VALUES (?, ?)", records.items())
