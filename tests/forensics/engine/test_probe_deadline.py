"""Questions that are answered in this process end in time, whatever they are shown."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.domain import Fact, Outcome
from auditor.forensics.engine import probe_deadline
from auditor.forensics.engine.probe_deadline import Overrun, TimeBudget, time_limit
from auditor.forensics.engine.probe_invocation import collect_facts
from auditor.forensics.probe_kit.fact_outcomes import not_found
from tests.auditing import audited
from tests.repos import Drawing


def hung_after_one_fact() -> Iterator[Fact]:
    yield not_found("The first file is fine.")
    re.match(r"(a+)+b", "a" * 64)  # 2 ** 64 steps


def test_a_question_that_hangs_in_a_pattern_keeps_its_facts_and_says_that_it_was_given_up() -> None:
    clock = TimeBudget(seconds=0.05)
    facts = collect_facts(hung_after_one_fact(), clock)
    assert [each.outcome for each in facts] == [Outcome.NOT_FOUND, Outcome.UNAVAILABLE]
    assert facts[1].statement == "The rule was stopped: it took longer than its time limit."
    assert clock.overran


def test_time_that_is_used_up_leaves_none_for_the_next_question() -> None:
    started = time.monotonic()
    clock = TimeBudget(seconds=-1.0)
    assert collect_facts(hung_after_one_fact(), clock)[-1].outcome is Outcome.UNAVAILABLE
    assert time.monotonic() - started < 5


def test_a_block_that_ends_in_time_leaves_no_alarm_and_the_handler_from_before() -> None:
    numbers, timers = (signal.SIGPROF, signal.SIGALRM), (signal.ITIMER_PROF, signal.ITIMER_REAL)
    before = [signal.getsignal(each) for each in numbers]
    with time_limit(60):
        assert all(signal.getitimer(each)[0] > 0 for each in timers)
    assert [signal.getitimer(each) for each in timers] == [(0.0, 0.0)] * 2
    assert [signal.getsignal(each) for each in numbers] == before


def test_who_has_to_wait_for_the_processor_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_deadline, "WALL_TIME_FACTOR", 20.0)
    with time_limit(0.05):
        time.sleep(0.2)


def test_what_waits_without_end_is_left_by_the_wall_clock() -> None:
    with pytest.raises(Overrun), time_limit(0.02):
        time.sleep(5)


def test_a_thread_that_no_signal_reaches_goes_on_without_a_limit() -> None:
    ended: list[str] = []

    def work() -> None:
        with time_limit(0.01):
            time.sleep(0.05)
            ended.append("well")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == ["well"]


def test_an_audit_that_ran_out_of_time_is_not_kept_for_the_next_one(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    with monkeypatch.context() as hurried:
        hurried.setattr(probe_deadline, "TOTAL_SECONDS", -1.0)
        short = audited(drawing.path, cache=tmp_path / "cache")
    assert any("took longer than its time limit" in each.statement for each in short.evidence)
    whole = audited(drawing.path, cache=tmp_path / "cache")
    assert not any("took longer than its time limit" in each.statement for each in whole.evidence)


def test_an_overrun_is_raised_in_the_middle_of_a_pattern() -> None:
    with pytest.raises(Overrun), time_limit(0.05):
        re.match(r"(a+)+b", "a" * 64)
