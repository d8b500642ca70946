"""How long, how large and how many: an amount that is told is one of the change where another of its kind comes."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from auditor.forensics.description.quantity_claims import MAX_TEXT
from tests.forensics.probes.test_description_claims import CONTRADICTS, said_of


def told(said: str, code: str, path: str = "shop/work.py") -> Outcome:
    return said_of(f"Next step\n\n{said}", {path: code})


@pytest.mark.parametrize(
    "said",
    [
        "Entries are kept for 40 minutes.",
        "The cache forgets a place after forty minutes.",
        "Places stay for 40 min each.",
        "- `Cache` keeps a place for 40 minutes",
    ],
)
def test_a_time_is_one_that_the_changed_files_give_in_whatever_unit(said: str) -> None:
    assert told(said, "LIFETIME = 15 * 60\n") is CONTRADICTS
    for code in ("LIFETIME = 40 * 60\n", "LIFETIME = 2_400\n", "lifetime_ms = 2400000\n", "LIFETIME = timedelta(minutes=40)\n"):  # fmt: skip
        assert told(said, code) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Requests give up after 30 seconds.", "timeout = 30 * time.Minute", "timeout = 30 * time.Second"),
        ("Requests give up after 30 seconds.", "TIMEOUT_MS = 3_000", "TIMEOUT_MS = 30_000"),
        ("Requests give up after half a second.", 'timeout = "5s"', 'timeout = "500ms"'),
        ("Waits two hours between tries.", "RETRY_DELAY = 3_600", "RETRY_DELAY = 7_200"),
        ("Waits a minute and a half between tries.", "RETRY_DELAY = 60", "RETRY_DELAY = 90"),
        ("Waits for 2 days.", "wait_for(hours=24)", "wait_for(hours=48)"),
    ],
)
def test_a_time_is_read_with_its_unit(said: str, wrong: str, right: str) -> None:
    assert told(said, f"{wrong}\n", "work/late.go") is CONTRADICTS
    assert told(said, f"{right}\n", "work/late.go") is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "It took 40 minutes before.",
        "The nightly run took about 40 minutes.",
        "Someone waited 40 minutes for an answer ago.",
        "Entries are not kept for 40 minutes.",
        "This could be 40 minutes later on.",
        "Users see a blank page for 40 minutes.",
        "At the deploy of 2026-03-01 pods were locked for 40 minutes.",
        "With one worker more it costs a third to make all pages anew in\n40 minutes.",
        "That mends 15 out of 40 minutes of it.",
        "The queue began at 07:15 and was locked for 40 minutes.",
        "This happened when two pods began at once, and the index of the other one sat in\nWaitForReaders for 40 minutes on the lock.",
        "Keeps a place for a minute.",
    ],
)
def test_a_time_that_tells_of_a_run_or_of_a_fault_is_not_held_against_the_change(said: str) -> None:
    assert told(said, "LIFETIME = 15 * 60\n") is not CONTRADICTS


def test_a_time_is_not_missed_where_no_other_comes() -> None:
    assert told("Entries are kept for 40 minutes.", "def keep(cache):\n    cache.keep()\n") is not CONTRADICTS


def test_a_size_is_one_that_the_changed_files_give() -> None:
    said = "Files of more than 20 MiB are refused."
    assert told(said, "MAX_BYTES = 8 * 1024 * 1024\n") is CONTRADICTS
    assert told(said, "MAX_BYTES = 20 * 1024 * 1024\n") is not CONTRADICTS
    assert told(said, "MAX_BYTES = 20_971_520\n") is not CONTRADICTS
    assert told("Now needs 20 MB of RAM.", "MAX_BYTES = 8 * 1024 * 1024\n") is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("A client gets 50 orders unless it says otherwise.", "ORDERS = 25\n"),
        ("Keeps up to 50 forecasts.", "FORECASTS = 25\n"),
    ],
)
def test_a_number_of_things_is_one_that_comes_where_a_line_gives_them_a_number(said: str, code: str) -> None:
    assert told(said, code) is CONTRADICTS
    assert told(said, code.replace("25", "50")) is not CONTRADICTS
    assert told(said, "LENGTH = 25\n") is not CONTRADICTS
    assert told("- 50 new tests of places and orders", code) is not CONTRADICTS


def test_lines_above_say_of_what_a_default_is() -> None:
    said = "Backups are kept for 14 days by default."
    code = 'variable "backup_days" {\n  type    = number\n  default = 7\n}\n'
    assert told(said, code, "infra/variables.tf") is CONTRADICTS
    assert told(said, code.replace("7", "14"), "infra/variables.tf") is not CONTRADICTS


def test_amounts_of_more_than_can_be_read_are_not_missed() -> None:
    code = "LIFETIME = 15 * 60\n" + "x = 'a'\n" * (MAX_TEXT // 8)
    assert told("Entries are kept for 40 minutes.", code) is not CONTRADICTS
