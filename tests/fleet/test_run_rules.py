"""The rules of a run, played with outcomes: budget, tries and losses. Whatever ran them, the rules are the same."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor import __version__
from auditor.fleet.fleet_run import DISK_FULL, OVER_BUDGET, FleetRun
from auditor.fleet.run_budget import RunBudget
from auditor.fleet.store import LastRun, Store
from auditor.fleet.unit import Unit
from auditor.fleet.unit_preparation import ListedCounts
from auditor.fleet.unit_process import Ending, Outcome, UnitOrder

Play = Callable[[UnitOrder], Outcome]


class PlayedExecutor:
    """Ends every unit at once, as it is told."""

    slots = 2
    trouble = ""

    def __init__(self, play: Play) -> None:
        self.started: Counter[str] = Counter()
        self._play = play
        self._ended: list[Outcome] = []
        self.most = 0

    def submit(self, order: UnitOrder) -> None:
        self.started[order.unit.head[:1]] += 1
        self._ended.append(self._play(order))
        self.most = max(self.most, len(self._ended))

    def next_outcome(self, seconds: float) -> Outcome | None:
        return self._ended.pop(0)

    def stop(self) -> None:
        return

    def close(self) -> None:
        return


class ListedOrders:
    """Hands out orders that are ready."""

    def __init__(self, orders: list[UnitOrder]) -> None:
        self.counts = ListedCounts(units=len(orders))
        self._orders = orders

    def start(self) -> None:
        return

    def take(self, seconds: float) -> UnitOrder | None:
        return self._orders.pop(0) if self._orders else None

    @property
    def is_finished(self) -> bool:
        return not self._orders

    def stop(self) -> None:
        return


def order(letter: str, store: Store) -> UnitOrder:
    unit = Unit(repository="/x", head=letter * 40, rubric="r", bench="b", version=__version__)
    return UnitOrder(unit, "/x", str(store.path), "x")


def play(
    store: Store, ends: Play, letters: str = "abc", budget: RunBudget | None = None
) -> tuple[LastRun, PlayedExecutor, RunBudget]:
    executor, paid = PlayedExecutor(ends), budget or RunBudget(0, 0)
    orders = ListedOrders([order(each, store) for each in letters])
    return FleetRun(store, orders, lambda: executor, paid).run(), executor, paid  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store", create=True)


def done(each: UnitOrder, usd: float = 0.0) -> Outcome:
    return Outcome(each.unit.key, Ending.DONE, each.attempt, conclusion="passed", usd=usd)


def test_a_unit_that_fails_once_is_tried_again_and_one_that_fails_twice_is_recorded(store: Store) -> None:
    def ends(each: UnitOrder) -> Outcome:
        fails = each.unit.head[0] == "a" or (each.unit.head[0] == "b" and each.attempt == 1)
        return Outcome(each.unit.key, Ending.FAILED, each.attempt, "boom") if fails else done(each)

    ended, executor, _ = play(store, ends)
    assert (ended.done, ended.failed, ended.left) == (2, 1, 0)
    assert executor.started == {"a": 2, "b": 2, "c": 1}
    assert [(each.reason, each.attempts) for each in store.failures()] == [("boom", 2)]


def test_a_unit_that_was_lost_is_tried_again_and_never_recorded_as_failed(store: Store) -> None:
    ended, executor, _ = play(store, lambda each: Outcome(each.unit.key, Ending.LOST, each.attempt), "a")
    assert (ended.done, ended.failed, ended.left) == (0, 0, 1)
    assert executor.started == {"a": 3}
    assert list(store.failures()) == []


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending.FAILED, "x"),
        (Ending.LOST, "x, and it may have cost up to 2.00 US dollars: add --retry-failed to pay for it again"),
        (Ending.DISK_FULL, "x, and it may have cost up to 2.00 US dollars: add --retry-failed to pay for it again"),
    ],
)
def test_a_paid_unit_is_never_retried_by_itself_and_counts_with_all_it_might_have_cost(
    store: Store, ending: Ending, reason: str
) -> None:
    ended, executor, budget = play(
        store, lambda each: Outcome(each.unit.key, ending, each.attempt, "x"), "a", RunBudget(10, 2)
    )
    assert (executor.started, ended.failed, ended.left) == ({"a": 1}, 1, 0)
    assert [each.reason for each in store.failures()] == [reason]
    assert (budget.spent, budget.reserved) == (2, 0)


def test_a_paid_unit_is_on_record_before_it_starts_and_does_not_start_where_that_cannot_be_written(
    store: Store,
) -> None:
    def ends(each: UnitOrder) -> Outcome:
        seen.extend(one.reason for one in store.failures())
        return done(each)

    seen: list[str] = []
    play(store, ends, "a", RunBudget(10, 2))
    assert seen == ["it may have cost up to 2.00 US dollars: add --retry-failed to pay for it again"]
    shutil.rmtree(store.path / "failures")
    (store.path / "failures").write_text("in the way")
    ended, executor, budget = play(store, ends, "b", RunBudget(10, 2))
    assert (executor.started, ended.left, bool(ended.stopped)) == ({}, 1, True)
    assert (budget.spent, budget.reserved) == (0, 0)


def test_the_budget_is_reserved_before_a_unit_starts_and_given_back_by_what_it_cost(store: Store) -> None:
    ended, executor, budget = play(store, lambda each: done(each, 0.5), "abcdef", RunBudget(3, 2))
    assert executor.most == 1, "two at a time might have cost four dollars"
    assert (ended.done, ended.left, ended.stopped) == (3, 3, OVER_BUDGET)
    assert (budget.spent, budget.reserved) == (1.5, 0)


def test_a_full_disk_starts_no_other_unit(store: Store) -> None:
    def ends(each: UnitOrder) -> Outcome:
        return Outcome(each.unit.key, Ending.DISK_FULL) if each.unit.head[0] == "a" else done(each)

    ended, executor, _ = play(store, ends, "abcd")
    assert (ended.stopped, ended.done, ended.left) == (DISK_FULL, 1, 3)
    assert executor.started == {"a": 1, "b": 1}


def test_a_scheduler_that_is_gone_ends_the_run_and_leaves_its_units(store: Store) -> None:
    def ends(each: UnitOrder) -> Outcome:
        executor.trouble = "the scheduler is gone"
        return Outcome(each.unit.key, Ending.LOST, each.attempt, "it was lost with the scheduler")

    executor = PlayedExecutor(ends)
    orders = ListedOrders([order(each, store) for each in "abcd"])
    ended = FleetRun(store, orders, lambda: executor, RunBudget(0, 0)).run()  # type: ignore[arg-type]
    assert (ended.stopped, ended.done, ended.failed, ended.left) == ("the scheduler is gone", 0, 0, 4)
    assert executor.started == {"a": 1, "b": 1}


def test_a_unit_that_failed_once_when_the_run_is_stopped_is_not_recorded(store: Store) -> None:
    def ends(each: UnitOrder) -> Outcome:
        run.stop_soon()
        return Outcome(each.unit.key, Ending.FAILED, each.attempt, "boom")

    executor = PlayedExecutor(ends)
    run = FleetRun(store, ListedOrders([order("a", store)]), lambda: executor, RunBudget(0, 0))  # type: ignore[arg-type]
    ended = run.run()
    assert (ended.failed, ended.left) == (0, 1)
    assert list(store.failures()) == []
