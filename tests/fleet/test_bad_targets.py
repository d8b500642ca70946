"""Targets that lead to trouble: each ends in one clear sentence, and the others are audited."""

from __future__ import annotations

import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from auditor.fleet.store import Store
from auditor.fleet.targets import MAX_TARGETS, Target
from auditor.fleet.unit_preparation import FetchPolicy, Preparation, UnitPolicy
from auditor.fleet.unit_process import UnitOrder
from auditor.repo.mirror import FetchFailed, open_mirror
from auditor.repo.remote_fetch import parse_address
from tests.action.git_server import serve
from tests.fleet.test_mirror import _Moved
from tests.repos import Drawing


def prepare(store: Path, targets: list[Target]) -> tuple[Preparation, list[UnitOrder]]:
    """All orders of targets, and what was said of the others."""
    found = Preparation(Store.open(store, create=True), targets, UnitPolicy(), FetchPolicy(timeout=30))
    orders = []
    found.start()
    try:
        while not found.is_finished:
            order = found.take(0.1)
            orders += [order] if order is not None else []
    finally:
        found.stop()
    return found, orders


def test_a_target_that_redirects_is_audited_and_its_new_url_is_told(drawing: Drawing, tmp_path: Path) -> None:
    drawing.git("config", "uploadpack.allowFilter", "true")
    head = drawing.commit({"a.py": "x = 0\n"})
    with serve(drawing.path.parent) as server:
        moved = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Moved,), {"site": server.url}))
        threading.Thread(target=moved.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{moved.server_port}/old/.git"
        try:
            found, orders = prepare(tmp_path / "store", [Target(repository=url)])
        finally:
            moved.shutdown()
            moved.server_close()
    assert found.counts.problems == []
    assert [each.unit.head for each in orders] == [head]
    assert found.counts.notices == [f"{url} redirects to {server.url}/drawn/.git: use that URL."]


def test_ten_thousand_targets_that_do_not_exist_are_ten_thousand_sentences(drawing: Drawing, tmp_path: Path) -> None:
    head = drawing.commit({"a.py": "x = 0\n"})
    missing = [Target(repository=f"{tmp_path}/missing-{number}") for number in range(MAX_TARGETS - 1)]
    started = time.process_time()
    found, orders = prepare(tmp_path / "store", [*missing, Target(repository=str(drawing.path))])
    assert [each.unit.head for each in orders] == [head]
    assert len(found.counts.problems) == MAX_TARGETS - 1
    assert all("does not exist" in each.sentence for each in found.counts.problems)
    assert time.process_time() - started < 60


def test_a_repository_too_large_for_the_time_given_is_one_sentence(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 0\n"})
    with serve(drawing.path.parent) as server:
        server.delay = 30.0
        address = parse_address(f"{server.url}/drawn/.git")
        assert address is not None
        with open_mirror(tmp_path / "m.git", address, timeout=1) as mirror, pytest.raises(FetchFailed) as failed:
            mirror.update()
    assert "longer than 1 second" in str(failed.value)
    assert "\n" not in str(failed.value)
