"""The store: its layout, what it refuses, and who holds it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from auditor import __version__, cli
from auditor.domain import UserError
from auditor.fleet import store_lock
from auditor.fleet.fleet_status import read_status
from auditor.fleet.store import FailureFile, LastRun, Store, UnitFile
from auditor.fleet.unit import Unit
from tests.fleet.commands import ROOT

UNIT = Unit(
    repository="https://example.org/x", head="a" * 40, base="b" * 40, rubric="r", bench="embedded", version=__version__
)


def put(store: Store, unit: Unit = UNIT, conclusion: str = "passed", content: bytes = b'{"a": 1}\n') -> None:
    store.put_record(
        UnitFile(
            key=unit.key,
            unit=unit,
            record_sha256=hashlib.sha256(content).hexdigest(),
            conclusion=conclusion,
            seconds=1.0,
            finished_at="2026-01-01T00:00:00+00:00",
        ),
        content,
    )


def failure(unit: Unit = UNIT, reason: str = "it took longer than 1 seconds") -> FailureFile:
    return FailureFile(key=unit.key, unit=unit, reason=reason, attempts=2, failed_at="2026-01-01T00:00:00+00:00")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store", create=True)


def test_a_record_is_where_its_key_says_and_nothing_temporary_is_left(store: Store) -> None:
    put(store)
    key = UNIT.key
    assert sorted(str(each.relative_to(store.path)) for each in store.path.rglob("*") if each.is_file()) == [
        f"records/{key[:2]}/{key}.json",
        "store.json",
        f"units/{key[:2]}/{key}.json",
    ]
    assert json.loads((store.path / "store.json").read_text()) == {
        "format": 1,
        "tool": "automaton-auditor",
        "version": __version__,
    }
    (record,) = store.records()
    assert record.path.read_bytes() == b'{"a": 1}\n'
    assert record.about is not None
    assert (record.about.unit, record.is_unchanged) == (UNIT, True)


def test_a_record_takes_the_place_of_a_failure(store: Store) -> None:
    store.put_failure(failure())
    assert [each.reason for each in store.failures()] == ["it took longer than 1 seconds"]
    put(store)
    assert list(store.failures()) == []


def test_a_record_edited_by_hand_is_named_and_not_counted(store: Store) -> None:
    put(store)
    other = UNIT.model_copy(update={"head": "c" * 40})
    put(store, other, "failed")
    store.record_path(other.key).write_bytes(b'{"a": 2}\n')
    found = read_status(store)
    assert (found.done, found.edited) == (1, (other.key,))


def test_files_that_are_no_records_count_for_nothing(store: Store) -> None:
    put(store)
    folder = store.record_path(UNIT.key).parent
    for name in (".hidden.json", f"{'f' * 64}.json", f"{UNIT.key}.json.tmp", f"{UNIT.key[:-1]}.json"):
        (folder / name).write_text("{}")
    assert store.keys() == {UNIT.key}


def test_a_record_without_its_description_is_named_and_not_counted(store: Store) -> None:
    put(store)
    store.unit_path(UNIT.key).write_text("[" * 100_000)
    assert read_status(store).edited == (UNIT.key,)


def test_status_counts_by_repository_and_shows_hostile_names_harmlessly(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    put(store)
    put(store, UNIT.model_copy(update={"head": "c" * 40}), "failed")
    put(store, UNIT.model_copy(update={"repository": "/x\x1b[31m [bold]\u202e", "version": "0.1"}), "inconclusive")
    store.put_failure(failure(UNIT.model_copy(update={"head": "d" * 40}), "boom \x1b[2J"))
    store.write("last-run.json", LastRun(started_at="2026-01-01T00:00:00+00:00"))
    assert cli.run(["fleet", "status", "--store", str(store.path)]) == 0
    printed = capsys.readouterr().out
    assert "3 done, 1 failed" in printed
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert "[bold]" in printed
    row = next(line for line in printed.splitlines() if line.lstrip().startswith("https://example.org/x "))
    assert row.split()[1:] == ["3", "1", "1", "0", "1"]
    assert "Failed: https://example.org/x bbbbbbbbbb..dddddddddd: boom" in printed
    assert "1 of the records are of another version of the tool" in printed
    assert "still running or ended before its end" in printed


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"format": 0, "version": "0.1"}', "is a store of format 0, made by version 0.1; this version reads format 1"),
        ("{", "store.json is damaged: restore it"),
        ("[]", "store.json is damaged: restore it"),
    ],
)
def test_a_store_of_another_form_is_refused_and_left_as_it_is(store: Store, content: str, sentence: str) -> None:
    (store.path / "store.json").write_text(content)
    with pytest.raises(UserError, match=sentence):
        Store.open(store.path, create=True)
    assert (store.path / "store.json").read_text() == content


def test_a_folder_with_other_files_does_not_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="neither empty nor a store"):
        Store.open(tmp_path, create=True)
    with pytest.raises(UserError, match="holds no store"):
        Store.open(tmp_path)
    with pytest.raises(UserError, match="is a file"):
        Store.open(tmp_path / "thesis.txt", create=True)


HOLDING = """
import sys, time
from pathlib import Path
from auditor.fleet import store_lock
with store_lock.hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_run_is_refused_with_who_holds_the_store_and_a_killed_one_is_taken_over(store: Store) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(store.path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with (
        pytest.raises(UserError, match=rf"process {holder.pid} on {socket.gethostname()}, since 20"),
        store_lock.hold(store.path),
    ):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    with store_lock.hold(store.path):
        assert json.loads((store.path / "lock").read_text())["pid"] == os.getpid()
    assert (store.path / "lock").read_text() == ""


def test_a_lock_of_another_machine_is_not_taken_over(store: Store) -> None:
    (store.path / "lock").write_text('{"host": "elsewhere", "pid": 1, "since": "2026-01-01"}')
    with (
        pytest.raises(UserError, match=r"process 1 on elsewhere, since 2026-01-01.*delete"),
        store_lock.hold(store.path),
    ):
        pass
    assert "elsewhere" in (store.path / "lock").read_text()


def test_a_damaged_lock_that_nobody_holds_is_taken_over(store: Store) -> None:
    (store.path / "lock").write_text("[" * 5_000)
    with store_lock.hold(store.path):
        pass


def test_sweeping_removes_what_a_killed_run_left_and_no_record(store: Store) -> None:
    put(store)
    (store.work / "abc" / "out").mkdir(parents=True)
    (store.work / "half.json").write_text("{")
    store.sweep()
    assert list(store.work.iterdir()) == []
    assert store.keys() == {UNIT.key}
