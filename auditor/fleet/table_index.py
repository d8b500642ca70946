"""The tables of a store as Parquet, partitioned by month. They are derived from the records and can be made again at any time.

    DIR/tables/index.json                            what the tables were made of, and the SHA-256 of each file
    DIR/tables/<table>/month=2026-11/data_0.parquet

The folder is made under another name and renamed, so it is whole or not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import Field, ValidationError

from auditor.domain import Frozen, UserError
from auditor.fleet.duckdb_library import glob_escaped, load_duckdb, quoted
from auditor.fleet.record_reading import read_records
from auditor.fleet.store import Store, StoredRecord
from auditor.fleet.table_rows import Row, table_rows
from auditor.fleet.table_schema import TABLES, TABLES_VERSION, Table
from auditor.report.report_json import from_json

_FOLDER = "tables"
_UNFINISHED = "tables-"
"""How the name of a folder begins that is being made; the number of the process follows."""
_MAX_INDEX_BYTES = 20_000_000


class IndexFile(Frozen):
    """`tables/index.json`."""

    version: int
    records: str = Field(description="SHA-256 over the keys of the records that were there.")
    rows: dict[str, int] = Field(description="Number of rows by table.")
    not_read: dict[str, str] = Field(default_factory=dict, description="Key of a record that was left out, and why.")
    files: dict[str, str] = Field(description="SHA-256 of each Parquet file, by its path below `tables/`.")


@dataclass(frozen=True)
class TableIndex:
    """The tables of a store, whole and of the records that are there now."""

    folder: Path
    content: IndexFile
    rebuilt_because: str = ""
    """Why they had to be made; empty when they were there."""

    def files(self, table: str) -> list[str]:
        """The Parquet files of a table."""
        return [str(self.folder / name) for name in sorted(self.content.files) if name.startswith(f"{table}/")]


def current_index(store: Store, processes: int | None = None) -> TableIndex:
    """The tables of a store; made first where they are missing, damaged, of another version or of other records."""
    content, reason = _read_index(store)
    if content is not None and not reason:
        return TableIndex(store.path / _FOLDER, content)
    return build_index(store, processes, reason)


def build_index(store: Store, processes: int | None = None, reason: str = "") -> TableIndex:
    """Make the tables from the records, and put them in place of those that were there. Raises UserError."""
    duckdb = load_duckdb()
    _sweep(store)
    folder = store.path / f"{_UNFINISHED}{os.getpid()}-{secrets.token_hex(4)}"
    try:
        keys = _keys_digest(store)
        with tempfile.TemporaryDirectory(prefix="auditor-tables-") as work:
            rows, not_read = _write_rows(store, Path(work), processes)
            folder.mkdir()
            _write_tables(duckdb, Path(work), folder)
        content = IndexFile(version=TABLES_VERSION, records=keys, rows=rows, not_read=not_read, files=_digests(folder))
        (folder / "index.json").write_text(json.dumps(content.model_dump(mode="json"), indent=2) + "\n")
        _replace(store.path / _FOLDER, folder)
    except OSError as error:
        raise UserError(f"the tables of {store.path} cannot be written ({error.strerror}): free some space.") from error
    except duckdb.Error as error:
        raise UserError(f"the tables of {store.path} cannot be written ({_first_line(error)}).") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return TableIndex(store.path / _FOLDER, content, reason or "they were asked for")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _read_index(store: Store) -> tuple[IndexFile | None, str]:
    """The index, and why the tables have to be made again; empty when they need not."""
    folder = store.path / _FOLDER
    file = folder / "index.json"
    try:
        if file.stat().st_size > _MAX_INDEX_BYTES:
            return None, "index.json of the tables is damaged"
        plain = json.loads(file.read_bytes())
        if isinstance(plain, dict) and plain.get("version") != TABLES_VERSION:
            return None, "the tables were made by another version"
        content = IndexFile.model_validate(plain)
    except FileNotFoundError:
        return None, "there are no tables yet"
    except (OSError, ValueError, ValidationError, RecursionError):
        return None, "index.json of the tables is damaged"
    return content, _staleness(store, folder, content)


def _staleness(store: Store, folder: Path, content: IndexFile) -> str:
    if content.records != _keys_digest(store):
        return "there are other records than in the tables"
    if any(not _is_plain(name) or _sha256(folder / name) != digest for name, digest in content.files.items()):
        return "a Parquet file is missing or damaged"
    return ""


def _is_plain(name: str) -> bool:
    """Is it a path of three parts below `tables/`, as the index writes them?"""
    parts = PurePosixPath(name).parts
    return len(parts) == 3 and parts[0] in {each.name for each in TABLES} and ".." not in parts


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return ""


def _keys_digest(store: Store) -> str:
    return hashlib.sha256("\n".join(sorted(store.keys())).encode()).hexdigest()


def _rows_as_json(record: StoredRecord, content: bytes) -> dict[str, tuple[int, str]]:
    """The rows of a record as lines of JSON, by table, with their number. Runs in other processes."""
    assert record.about is not None, "a record without a description is left out before"
    rows = table_rows(record.about, from_json(content, "it"))
    return {name: (len(found), _lines(found)) for name, found in rows.items()}


def _lines(rows: list[Row]) -> str:
    return "".join(json.dumps(each) + "\n" for each in rows)


def _write_rows(store: Store, work: Path, processes: int | None) -> tuple[dict[str, int], dict[str, str]]:
    """Write the rows of all records as one file of JSON lines a table; how many there are, and what was left out."""
    counts: Counter[str] = Counter()
    not_read: dict[str, str] = {}
    files = {each.name: (work / f"{each.name}.json").open("w", encoding="utf-8") for each in TABLES}
    try:
        for each in read_records(store, _rows_as_json, processes):
            if each.value is None:
                not_read[each.key] = each.problem
                continue
            for name, (count, lines) in each.value.items():
                counts[name] += count
                files[name].write(lines)
    finally:
        for file in files.values():
            file.close()
    return {each.name: counts[each.name] for each in TABLES}, not_read


def _write_tables(duckdb: Any, work: Path, folder: Path) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET preserve_insertion_order = true")
        for table in TABLES:
            columns = ", ".join(f"{quoted(each.name)}: {quoted(each.type)}" for each in table.columns)
            source = quoted(glob_escaped(str(work / f"{table.name}.json")))
            connection.execute(
                f"CREATE TABLE {table.name} AS SELECT * FROM read_json({source}, format = 'newline_delimited', columns = {{{columns}}})"  # noqa: S608 - names of ours
            )
            (folder / table.name).mkdir()
            for (month,) in connection.execute(f"SELECT DISTINCT month FROM {table.name} ORDER BY 1").fetchall():  # noqa: S608 - names of ours
                _write_month(connection, table, month, folder)
            connection.execute(f"DROP TABLE {table.name}")


def _write_month(connection: Any, table: Table, month: str, folder: Path) -> None:
    place = folder / table.name / f"month={month}"
    place.mkdir()
    connection.execute(
        f"COPY (SELECT * FROM {table.name} WHERE month = {quoted(month)}) TO {quoted(str(place / 'data_0.parquet'))} "  # noqa: S608 - names of ours
        "(FORMAT parquet, COMPRESSION zstd)"
    )


def _digests(folder: Path) -> dict[str, str]:
    return {each.relative_to(folder).as_posix(): _sha256(each) for each in sorted(folder.rglob("*.parquet"))}


def _replace(place: Path, folder: Path) -> None:
    """Put the new tables in place of the old ones."""
    if place.is_dir() and not place.is_symlink():
        old = place.with_name(f"{folder.name}-old")
        place.rename(old)
        folder.rename(place)
        shutil.rmtree(old, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)
        folder.rename(place)


def _sweep(store: Store) -> None:
    """Remove what was left behind by processes that were killed."""
    for each in _unfinished(store):
        process = each.name.removeprefix(_UNFINISHED).partition("-")[0]
        if not (process.isdecimal() and _is_running(int(process))):
            shutil.rmtree(each, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _unfinished(store: Store) -> Iterator[Path]:
    for each in store.path.glob(f"{_UNFINISHED}*"):
        if each.is_dir() and not each.is_symlink():
            yield each
