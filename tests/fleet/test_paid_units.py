"""Units that a model judges: the real command and SDK against a server on this machine, one budget, and nothing paid twice."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from auditor.fleet.store import LastRun, Store
from tests.fleet.commands import audits_of, draw_changes, run, start, wait_for, write_targets
from tests.judges.model_server import served
from tests.judges.model_stand_in import Body, Says, Standin, good
from tests.repos import Drawing

pytestmark = pytest.mark.slow

KEY = "key-that-nobody-may-write-down-0123456789"
PER_UNIT = 2.0
AGAIN = "it may have cost up to 2.00 US dollars: add --retry-failed to pay for it again"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A key, and a cache of its own: answers that are known are not asked for again."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()


def command(targets: Path, store: Path, url: str, budget: float) -> tuple[object, ...]:
    paid = ("--judges", "claude", "--base-url", url, "--max-usd", PER_UNIT, "--budget", budget)
    return "fleet", "run", targets, "--store", store, "--workers", 2, *paid


def last_run(store: Path) -> LastRun:
    found = Store.open(store).last_run()
    assert found is not None
    return found


def test_one_budget_is_reserved_before_a_unit_starts_and_used_up_unit_by_unit(drawing: Drawing, tmp_path: Path) -> None:
    changes, store, at_once = draw_changes(drawing, 4), tmp_path / "store", []

    def answer(body: Body) -> Says:
        at_once.append(len(audits_of(store)))
        return Says(good(body))

    with served(Standin(answer)) as url:
        first = write_targets(tmp_path / "first.yaml", drawing.path, changes[:1])
        code, printed = run(*command(first, store, url, 3))
        assert code == 0, printed
        (record,) = Store.open(store).records()
        assert record.about is not None
        assert record.about.unit.bench == "claude claude-sonnet-5-5 2"
        cost = record.about.usd
        assert cost is not None
        assert 0 < cost < PER_UNIT / 3

        targets = write_targets(tmp_path / "t.yaml", drawing.path, changes)
        code, printed = run(*command(targets, store, url, PER_UNIT + 1.5 * cost))
    assert code == 4, printed
    assert "4 units: 1 already in the store, 2 done now, 0 failed, 1 left." in printed
    assert "The run stopped early: the budget does not pay another unit: raise --budget and run again." in printed
    assert max(at_once) == 1, "there are two workers, and the budget pays for one audit at a time"
    assert last_run(store).usd == pytest.approx(2 * cost, rel=0.1)
    assert list(Store.open(store).failures()) == []
    assert not [each for each in store.rglob("*") if each.is_file() and KEY.encode() in each.read_bytes()]


def test_a_paid_unit_that_is_killed_or_whose_run_is_killed_is_on_record_and_paid_again_only_when_asked(
    drawing: Drawing, tmp_path: Path
) -> None:
    targets, store = write_targets(tmp_path / "t.yaml", drawing.path, draw_changes(drawing, 1)), tmp_path / "store"
    hangs = [True]
    model = Standin(lambda body: Says(good(body), before=300.0 if hangs[0] else 0.0))
    with served(model) as url:
        paid = command(targets, store, url, 3)

        client = start(*paid)
        wait_for(lambda: model.asked)
        for each in audits_of(store):
            os.kill(each, signal.SIGKILL)
        printed, errors = client.communicate(timeout=120)
        assert client.returncode == 1, printed + errors
        assert f"it was ended by signal 9, and {AGAIN}" in errors
        assert "1 unit: 0 already in the store, 0 done now, 1 failed, 0 left." in errors
        assert last_run(store).usd == PER_UNIT
        asked = len(model.asked)

        client = start(*paid, "--retry-failed")
        wait_for(lambda: len(model.asked) > asked)
        client.send_signal(signal.SIGKILL)
        client.communicate()
        wait_for(lambda: not audits_of(store))
        assert [each.reason for each in Store.open(store).failures()] == [AGAIN]
        asked = len(model.asked)

        code, printed = run(*paid)
        assert (code, len(model.asked)) == (1, asked), printed
        assert re.search(r"1 unit: 0 already in the store, 0 done now, 1 failed", printed)

        hangs[0] = False
        code, printed = run(*paid, "--retry-failed")
    assert code == 0, printed
    assert (len(Store.open(store).keys()), list(Store.open(store).failures())) == (1, [])
