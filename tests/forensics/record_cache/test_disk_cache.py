"""What is kept from one audit to the next answers only while whatever gave the answer is the same."""

from __future__ import annotations

import importlib.metadata
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from auditor.forensics.record_cache import disk_cache as caches
from auditor.forensics.record_cache.disk_cache import RecordCache, folder_problem, probe_set_version


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    probe_set_version.cache_clear()
    yield
    probe_set_version.cache_clear()


@pytest.mark.parametrize("engine", ["zizmor", "kingfisher-secret-scanner", "tree-sitter-typescript"])
def test_another_version_of_a_kept_engine_sees_everything_afresh(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    before = probe_set_version()
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "999" if name == engine else real(name))
    probe_set_version.cache_clear()
    assert probe_set_version() != before


@pytest.mark.parametrize("module", ["disk_cache.py", "text_calls.py", "taint_models.yaml"])
def test_another_version_of_the_code_or_its_rows_sees_everything_afresh(
    monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    before = probe_set_version()
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda file: b"" if file.name == module else real(file))
    probe_set_version.cache_clear()
    assert probe_set_version() != before


_ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'k' || i AS key, x'00' AS value FROM n"
)
TABLE = "CREATE TABLE records (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


def drawn(*statements: str) -> Callable[[Path], None]:
    """A database of those statements."""

    def draw(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            for each in statements:
                connection.execute(each)

    return draw


OTHERS: dict[str, Callable[[Path], object]] = {
    "a view without end": drawn(f"CREATE VIEW records AS {_ENDLESS}"),
    "a trigger without end": drawn(TABLE, f"CREATE TRIGGER t AFTER INSERT ON records BEGIN INSERT OR REPLACE INTO records {_ENDLESS}; END"),
    "a table of another form": drawn("CREATE TABLE records (key TEXT, value TEXT DEFAULT 'x')"),
    "no database": lambda file: file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000),
    "a link to another file": lambda file: file.symlink_to(file.with_name("another.sqlite")),
    "a device": lambda file: file.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
}  # fmt: skip


@pytest.mark.parametrize("draw", OTHERS.values(), ids=list(OTHERS))
def test_a_file_that_is_no_cache_of_ours_is_neither_read_nor_waited_for(
    tmp_path: Path, draw: Callable[[Path], object]
) -> None:
    RecordCache(tmp_path).put({"k1": b"mine"})
    (tmp_path / "records.sqlite").rename(tmp_path / "another.sqlite")
    draw(tmp_path / "records.sqlite")
    cache = RecordCache(tmp_path)
    started = time.monotonic()
    assert cache.get(["k1"]) == {}
    for _ in range(2):  # the first may only have taken the stranger away
        cache.put({"k2": b"kept"})
    assert cache.get(["k1", "k2"]) == {"k2": b"kept"}
    assert time.monotonic() - started < 5


def test_values_of_other_types_are_nothing(tmp_path: Path) -> None:
    cache = RecordCache(tmp_path)
    cache.put({"good": b"value"})
    with closing(sqlite3.connect(tmp_path / "records.sqlite")) as connection, connection:
        connection.executemany("INSERT INTO records VALUES (?, ?)", [("text", "x"), ("number", 10**12), ("part", 0.5)])
    assert cache.get(["good", "text", "number", "part"]) == {"good": b"value"}


def test_a_record_that_is_too_large_is_neither_kept_nor_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = RecordCache(tmp_path)
    cache.put({"large": b"x" * 10_000, "small": b"x"})
    monkeypatch.setattr(caches, "_MAX_RECORD_BYTES", 5_000)
    assert cache.get(["small"]) == {"small": b"x"}
    assert cache.get(["large"]) == {}
    cache.put({"another": b"x" * 10_000, "third": b"x"})
    assert cache.get(["another"]) == {}
    assert cache.get(["third"]) == {"third": b"x"}


def test_what_asks_too_long_of_the_file_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    RecordCache(tmp_path).put({"k": b"value"})
    monkeypatch.setattr(caches, "_MAX_SECONDS", 0.05)
    with closing(caches._connect(tmp_path / "records.sqlite")) as connection, pytest.raises(sqlite3.Error):
        connection.execute(_ENDLESS).fetchall()


def test_a_folder_of_somebody_else_or_of_everybody_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder_problem(tmp_path / "mine") == ""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert "can be written by every user" in folder_problem(shared)
    shared.chmod(0o775)
    assert folder_problem(shared) == ""
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert "belongs to another user" in folder_problem(tmp_path / "mine")
