"""Runs of the real command over real repositories: killed, filled up, interrupted, and finished with every unit once."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from auditor import cli
from auditor.domain import UserError
from auditor.fleet.store import Store
from auditor.fleet.unit import Unit
from auditor.fleet.unit_executor import DaskExecutor, require_safe_address
from auditor.fleet.unit_process import Ending, UnitLimits, UnitOrder, run_unit
from tests.action.git_server import serve
from tests.fleet.commands import ROOT, audits_of, draw_changes, run, start, wait_for, write_targets
from tests.repos import Drawing

TOKEN = "token-that-nobody-may-write-down-0123456789"


def run_here(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Run the command in this process: exit code and all that was printed."""
    code = cli.run([*map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def heads(store: Path) -> list[str]:
    """The heads that there are records of."""
    return sorted(json.loads(each.path.read_bytes())["subject"]["head"] for each in Store.open(store).records())


def wanted(changes: list[str]) -> list[str]:
    return sorted(each.partition("..")[2] for each in changes)


def test_a_killed_client_and_a_killed_unit_leave_every_unit_there_once(drawing: Drawing, tmp_path: Path) -> None:
    changes = draw_changes(drawing, 2)
    targets, store = write_targets(tmp_path / "t.yaml", drawing.path, changes), tmp_path / "store"
    arguments = ("fleet", "run", targets, "--store", store, "--workers", 1)

    client = start(*arguments)
    wait_for(lambda: len(Store(store).keys()) == 1 and audits_of(store))
    client.send_signal(signal.SIGKILL)
    client.communicate()
    wait_for(lambda: not audits_of(store))  # the unit ends with its client
    done = Store.open(store).keys()

    again = start(*arguments)
    wait_for(lambda: audits_of(store))
    code, printed = run(*arguments)  # a second run on the same store
    assert code == 2
    assert f"in use by another run (process {again.pid} on " in printed
    for each in audits_of(store):
        os.kill(each, signal.SIGKILL)
    _, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    assert f"2 units: {len(done)} already in the store, {2 - len(done)} done now, 0 failed, 0 left." in errors
    assert heads(store) == wanted(changes)
    assert {each for each in store.rglob("*") if each.is_file()} == {
        store / name for name in ("store.json", "lock", "last-run.json")
    } | {path for each in Store.open(store).records() for path in (each.path, Store.open(store).unit_path(each.key))}


def test_what_fails_by_itself_twice_is_recorded_with_the_reason_and_not_tried_again_until_asked(
    drawing: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing.commit({"a.py": "x = 0\n", ".github/auditor.yml": "rubrik: x\n"})
    drawing.commit({"a.py": "x = 1\n"})
    targets, store = (
        write_targets(tmp_path / "t.yaml", "drawn", ["main^..main", "main~1..main", "nowhere..main"]),
        tmp_path / "store",
    )
    arguments = ("fleet", "run", targets, "--store", store, "--workers", 1)
    code, printed = run_here(capsys, *arguments)
    reason = "base:.github/auditor.yml:1: unknown key 'rubrik'; did you mean 'rubric'?"
    assert code == 1
    assert reason in printed
    assert "Listed more than once, audited once: 1 unit." in printed
    assert "there is no commit 'nowhere' in it" in printed
    assert "1 unit: 0 already in the store, 0 done now, 1 failed, 0 left." in printed
    (failure,) = Store.open(store).failures()
    assert (failure.reason, failure.attempts) == (reason, 2)
    assert run_here(capsys, *arguments)[0] == 1
    (same,) = Store.open(store).failures()
    assert same.failed_at == failure.failed_at


def test_a_full_disk_stops_the_run_and_a_later_one_finishes_it(drawing: Drawing, tmp_path: Path) -> None:
    changes = draw_changes(drawing, 1)
    targets, store = write_targets(tmp_path / "t.yaml", drawing.path, changes), tmp_path / "store"
    arguments = ("fleet", "run", targets, "--store", store, "--workers", 1)

    def fill_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    code, printed = run(*arguments, preexec_fn=fill_disk)
    assert code == 4, printed
    assert "The run stopped early: the disk of the store is full: free some space and run again." in printed
    assert "1 unit: 0 already in the store, 0 done now, 0 failed, 1 left." in printed
    assert not Store.open(store).keys("failures")
    code, printed = run(*arguments)
    assert (code, heads(store)) == (0, wanted(changes)), printed


SMALL_MOUNT = """
mount -t tmpfs -o size=60k tmpfs "$0" && "$@"; echo "code $?"
mount -o remount,size=100m "$0" && "$@"; echo "code $?"
find "$0/store/records" -name '*.json' | wc -l
"""
"""Runs a command on a disk that is too small, then again on the same disk when it is large enough."""


def test_a_small_mount_that_is_full_stops_the_run_and_a_later_one_finishes_it(drawing: Drawing, tmp_path: Path) -> None:
    changes = draw_changes(drawing, 1)
    targets, mount = write_targets(tmp_path / "t.yaml", drawing.path, changes), tmp_path / "mount"
    mount.mkdir()
    alone = ("unshare", "--map-root-user", "--mount", "sh", "-c")
    if shutil.which("unshare") is None or subprocess.run([*alone, "mount -t tmpfs tmpfs /mnt"], check=False).returncode:
        pytest.skip("no mount namespace may be made here")
    run_all = ("fleet", "run", str(targets), "--store", str(mount / "store"), "--workers", "1")
    command = [sys.executable, "-m", "auditor", *run_all]
    done = subprocess.run(
        [*alone, SMALL_MOUNT, str(mount), *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split("\n")[:3] == ["code 4", "code 0", "1"], done.stdout + done.stderr
    assert "the disk of the store is full: free some space and run again." in done.stderr
    assert "1 unit: 0 already in the store, 1 done now, 0 failed, 0 left." in done.stderr


def test_ctrl_c_finishes_what_runs_and_a_second_one_ends_it(drawing: Drawing, tmp_path: Path) -> None:
    changes = draw_changes(drawing, 3)
    targets = write_targets(tmp_path / "t.yaml", drawing.path, changes)
    first, second = tmp_path / "first", tmp_path / "second"
    running = {each: start("fleet", "run", targets, "--store", each, "--workers", 1) for each in (first, second)}
    for store, process in running.items():
        wait_for(partial(audits_of, store))
        process.send_signal(signal.SIGINT)
    told = running[second].stderr
    assert told is not None
    assert told.readline() == "Finishing the audits that run. Press Ctrl-C again to end them.\n"
    running[second].send_signal(signal.SIGINT)
    for store, done in ((second, 0), (first, 1)):
        _, errors = running[store].communicate(timeout=120)
        assert running[store].returncode == 130
        assert f"{done} done now, 0 failed, {3 - done} left." in errors
        assert len(Store.open(store).keys()) == done
        assert audits_of(store) == []


def test_a_private_repository_is_audited_from_its_mirror_and_the_token_is_nowhere(
    drawing: Drawing, tmp_path: Path
) -> None:
    drawing.git("config", "uploadpack.allowFilter", "true")
    (change,) = draw_changes(drawing, 1)
    base, _, head = change.partition("..")
    store = tmp_path / "store"
    with serve(drawing.path.parent) as server:
        server.token = TOKEN
        url = f"{server.url}/drawn/.git"
        targets = write_targets(tmp_path / "t.yaml", url, [f"{head}^..{head}"])
        arguments = ("fleet", "run", targets, "--store", store, "--workers", 1)
        code, printed = run(*arguments)
        assert (code, "asks for a login" in printed) == (1, True), printed
        environment = {**os.environ, "GIT_TOKEN": TOKEN}
        code, printed = run(*arguments, "--token-env", "GIT_TOKEN", env=environment)
        assert code == 0, printed
        asked = len(server.requests)
        assert run(*arguments)[0] == 0
        assert len(server.requests) == asked, "commits that are known are not asked for again"
        plain = (
            "audit",
            url,
            "--base",
            base,
            "--head",
            head,
            "--token-env",
            "GIT_TOKEN",
            "--format",
            "json",
            "--quiet",
        )
        assert run(*plain, "--out", tmp_path / "plain", env=environment)[0] in (0, 1)
    assert not [each for each in store.rglob("*") if each.is_file() and TOKEN.encode() in each.read_bytes()]
    (stored,) = Store.open(store).records()
    one, other = (json.loads(each.read_bytes()) for each in (stored.path, tmp_path / "plain" / "report.json"))
    assert one["subject"].pop("repository") == url.removesuffix(".git")
    assert other["subject"].pop("repository") == url.removesuffix(".git")
    for record in (one, other):
        del record["timings"]
    assert one == other, "the same answer as of an audit that fetches for itself"


def test_a_run_frees_what_its_units_leave_though_short_commands_free_nothing(tmp_path: Path) -> None:
    targets = tmp_path / "t.txt"
    targets.write_text(f"{tmp_path}/nowhere\n")
    code = "import gc, sys; gc.disable(); from auditor.cli import run; run(sys.argv[1:]); print(gc.isenabled())"
    command = [sys.executable, "-c", code, "fleet", "run", str(targets), "--store", str(tmp_path / "s"), "--quiet"]

    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout == "True\n"


def test_targets_that_cannot_be_read_are_named_and_the_others_are_audited(
    drawing: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_changes(drawing, 0)
    Drawing(tmp_path / "empty")
    (tmp_path / "plain").mkdir()
    draw_changes(Drawing(tmp_path / "damaged"), 0)
    (tmp_path / "damaged/.git/shallow").write_text("garbage\n")
    monkeypatch.setitem(sys.modules, "distributed", None)  # without Dask they are audited one after the other
    listed = f"{tmp_path}/drawn\n{tmp_path}/empty\n{tmp_path}/plain\n{tmp_path}/nowhere\n{tmp_path}/damaged\nfile://{tmp_path}/gone\n"
    store = tmp_path / "store"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(listed.encode())))
    code, errors = run_here(capsys, "fleet", "run", "-", "--store", store, "--workers", 1, "--shard", "1/1")
    assert code == 1, errors
    for name, sentence in {
        "empty": "the repository is empty, or has no default branch",
        "plain": "is not in a git repository",
        "nowhere": "does not exist",
        "damaged": "git cat-file could not read this repository",
    }.items():
        assert f"{tmp_path}/{name}" in errors
        assert sentence in errors
    assert f"file://{tmp_path}/gone: Nothing was fetched: there is no repository at this URL" in errors
    assert "1 unit: 0 already in the store, 1 done now, 0 failed, 0 left." in errors
    assert heads(store) == [drawing.head]
    code, errors = run_here(capsys, "fleet", "run", tmp_path / "drawn/a.py", "--store", store, "--workers", 2)
    assert (code, "run `pip install '.[fleet]'` in a checkout of Automaton Auditor, or give --workers 1" in errors) == (
        2,
        True,
    )


def test_paid_units_need_a_budget_that_pays_for_one(
    drawing: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    targets, store = write_targets(tmp_path / "t.yaml", drawing.path, draw_changes(drawing, 1)), tmp_path / "store"
    paid = ("fleet", "run", targets, "--store", store, "--judges", "claude")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-0123456789")
    assert run_here(capsys, *paid) == (
        2,
        "auditor: --judges claude costs money: give --budget, the most that the whole run may cost in US dollars.\n",
    )
    code, printed = run_here(capsys, *paid, "--budget", 1)
    assert (code, "--budget 1 does not pay one audit: give at least 2" in printed) == (2, True)
    assert not store.exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://dask.example.org:8786", "not TLS"),
        ("dask.example.org:8786", "not TLS"),
        ("tcp://127.0.0.1.example.org:8786", "not TLS"),
        ("http://localhost:8786", "no address"),
        ("tls://", "no address"),
        ("tcp://[::1", "no address"),
    ],
)
def test_a_scheduler_beyond_this_machine_is_reached_by_tls_or_refused(address: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        require_safe_address(address)
    require_safe_address("tls://dask.example.org:8786")
    require_safe_address("127.0.0.1:8786")


def test_workers_listen_to_nobody() -> None:
    """Dask opens an HTTP server for each worker on all interfaces, unless it is told otherwise."""
    pytest.importorskip("distributed")
    before = listening()
    executor = DaskExecutor.local(2)
    try:
        assert (executor.slots, listening() - before) == (2, set())
    finally:
        executor.close()


def listening() -> set[str]:
    """Sockets of this process that wait for connections."""
    own = set()
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            own.add(str(each.readlink()))
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()[1:]]
    return {row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own}


def test_an_attempt_is_made_once_even_if_a_scheduler_starts_it_again(drawing: Drawing, tmp_path: Path) -> None:
    """Dask starts what a lost worker ran again by itself, and a unit that costs money must not be."""
    store = Store.open(tmp_path / "store", create=True)
    unit = Unit(repository="x", head=drawing.commit({"a.py": "x = 0\n"}), rubric="r", bench="b", version="1")
    order = UnitOrder(unit, str(drawing.path), str(store.path), "x")
    first, second = run_unit(order), run_unit(order)
    assert (first.ending, first.conclusion) == (Ending.DONE, "passed"), first
    assert (second.ending, second.reason) == (Ending.LOST, "the worker that ran it was lost")
    assert (
        run_unit(replace(order, attempt=2, limits=UnitLimits(seconds=0.05))).reason
        == "it took longer than 0.05 seconds"
    )
    assert run_unit(replace(order, attempt=3, limits=UnitLimits(memory_kb=60_000))).ending is Ending.FAILED
