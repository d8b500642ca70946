"""Units on a real Dask cluster behind TLS: who may talk to it, and what becomes of a run that loses a part of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import __version__
from auditor.fleet.store import Store
from tests.fleet.commands import audits_of, draw_changes, run, start, wait_for, write_targets
from tests.repos import Drawing

pytest.importorskip("distributed")
from tests.fleet.dask_cluster import Cluster, running

pytestmark = pytest.mark.slow

SECONDS = 300.0
HIDES = ("unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$0" && exec "$@"')
"""Begins a command that does not see the files of a folder."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    with running(folder) as found:
        yield found


def heads(store: Path) -> list[str]:
    return sorted(json.loads(each.path.read_bytes())["subject"]["head"] for each in Store.open(store).records())


def test_a_cluster_is_used_by_whom_its_keys_are_given_and_a_killed_worker_costs_no_unit(
    cluster: Cluster, drawing: Drawing, tmp_path: Path
) -> None:
    changes, store = draw_changes(drawing, 2), tmp_path / "store"
    targets = write_targets(tmp_path / "t.yaml", drawing.path, changes)
    arguments = ("fleet", "run", targets, "--store", store, "--scheduler")
    assert cluster.address.startswith("tls://127.0.0.1:")
    for address in (cluster.address, cluster.address.replace("tls://", "tcp://")):
        code, printed = run(*arguments, address)
        assert code == 2, printed
        assert f"the scheduler {address} cannot be reached" in printed
        assert "for tls:// the keys of `distributed.comm.tls` in Dask's configuration" in printed
        assert "Traceback" not in printed
    code, printed = run(*arguments, cluster.address, env=cluster.environment)
    assert (code, "the scheduler has no workers: start some, then run again" in printed) == (2, True), printed

    first = cluster.add_worker()
    client = start(*arguments, cluster.address, env=cluster.environment)
    wait_for(lambda: audits_of(store))
    first.kill()
    wait_for(lambda: not audits_of(store))  # the unit ends with its worker
    cluster.add_worker()
    _, errors = client.communicate(timeout=SECONDS)
    assert client.returncode == 0, errors
    assert "2 units: 0 already in the store, 2 done now, 0 failed, 0 left." in errors
    assert heads(store) == sorted(each.partition("..")[2] for each in changes)


def test_a_killed_scheduler_ends_the_run_and_what_is_left_is_audited_elsewhere(
    cluster: Cluster, drawing: Drawing, tmp_path: Path
) -> None:
    changes, store = draw_changes(drawing, 2), tmp_path / "store"
    targets = write_targets(tmp_path / "t.yaml", drawing.path, changes)
    arguments = ("fleet", "run", targets, "--store", store)
    cluster.add_worker()
    client = start(*arguments, "--scheduler", cluster.address, env=cluster.environment)
    wait_for(lambda: audits_of(store))
    cluster.scheduler.kill()
    _, errors = client.communicate(timeout=SECONDS)
    assert client.returncode == 4, errors
    assert "The run stopped early: the scheduler is gone; start it and run again." in errors
    assert Store.open(store).keys("failures") == frozenset()
    wait_for(lambda: not audits_of(store))
    code, printed = run(*arguments, "--workers", 1)
    assert (code, heads(store)) == (0, sorted(each.partition("..")[2] for each in changes)), printed


def can_hide(folder: Path) -> bool:
    """May this process make a folder look empty to a child?"""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*HIDES, str(folder), "true"], capture_output=True, check=False).returncode == 0


def test_a_worker_that_does_not_see_the_store_or_has_another_version_is_refused(
    cluster: Cluster, drawing: Drawing, tmp_path: Path
) -> None:
    store, shared = tmp_path / "elsewhere" / "store", tmp_path / "shared"
    store.parent.mkdir()
    targets = write_targets(tmp_path / "t.yaml", drawing.path, draw_changes(drawing, 1))
    code = tmp_path / "old.py"
    code.write_text("import auditor\n\nauditor.__version__ = '0.0.1'\n")
    cluster.add_worker(more=("--preload", str(code)))
    found, printed = run("fleet", "run", targets, "--store", shared, "--scheduler", cluster.address, env=cluster.environment)  # fmt: skip
    assert found == 2, printed
    assert f"runs version 0.0.1, this is {__version__}: install the same on both." in printed
    if not can_hide(store.parent):
        pytest.skip("no mount namespace may be made here")
    cluster.workers[0].kill()
    cluster.add_worker(before=(*HIDES, str(store.parent)))
    found, printed = run("fleet", "run", targets, "--store", store, "--scheduler", cluster.address, env=cluster.environment)  # fmt: skip
    assert found == 2, printed
    assert f"does not see {store}: give a folder with --store that all machines share." in printed
    assert not Store.open(store).keys()
