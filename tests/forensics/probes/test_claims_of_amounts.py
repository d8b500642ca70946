"""Amounts, versions and what comes along, in words of everyday: wrong, right, and only looking like it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from auditor.domain import Outcome
from tests.forensics.probes.test_description_claims import CONTRADICTS, DISCOUNT, PRICES, SHOP, SLOWER, said_of

MANIFEST = SHOP["pyproject.toml"]
WAITS = "WAIT_SECONDS = 300\nLIMIT = 5 * 1024\nCAP = 1 << 16\nSLICE = 10_000\n"
CHANGED = {"shop/limits.py": WAITS}


def told(said: str, files: Mapping[str, str | None]) -> Outcome:
    return said_of(f"Next step\n\n{said}", files)


@pytest.mark.parametrize(
    "words",
    [
        "Raises the timeout from 10 to {} seconds.",
        "The limit is now {}.",
        "The limit is raised to {}.",
        "Adds a cap (default: {}).",
        "Defaults to {}.",
        "The default changes from 20 to {}.",
        "Caps the list at {} entries.",
        "Waits for {} seconds.",
        "`WAIT_SECONDS` = {}",
        "`WAIT_SECONDS` is now {}.",
        "Uses a batch size of {}.",
        "Adds a {} second debounce.",
        "Now listens on port {}.",
        "Returns {} instead of 500.",
        "timeout 30s → {}s",
    ],
)
def test_an_amount_that_is_said_to_be_set_stands_in_what_changes(words: str) -> None:
    assert told(words.format(777), CHANGED) is CONTRADICTS
    assert told(words.format(300), CHANGED) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Raises the timeout to 5 minutes.",
        "Limits the body to 5120 bytes.",
        "Limits the body to 5 KiB.",
        "The cap is now 65536.",
        "The limit is now 10,000.",
        "The default limit was 777 before.",
        "It could default to 777.",
        "Loading takes 777 ms now, the timeout is now 777.",
        "The default size of 777x300 is what the browser has.",
        "The default covers 777 tests.",
        "Fixed in #777, the limit is set to 777 there.",
        "The version is now 7.77.",
        "Limits it to 777 % of the price.",
        "The default is 777.example.",
    ],
)
def test_amounts_in_other_units_of_runs_and_of_other_times_are_held_against_nobody(said: str) -> None:
    assert told(said, CHANGED) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Bump version to 93.4.1.", True),
        ("Release 93.4.1", True),
        ("- requests 2.31.0 -> 2.33.1", True),
        ("Pins `requests==2.33.1`.", True),
        ("Bump requests to 2.32.3.", False),
        ("Update the action from v7.1.6 to v2.32", False),
        ("Upgrade to the version that fixes 93.4.1.", False),
        ("It fails since 93.4.1.", False),
    ],
)
def test_a_version_that_is_said_to_be_set_stands_in_what_changes(said: str, expected: bool) -> None:
    files = {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}
    assert (told(said, files) is CONTRADICTS) is expected


@pytest.mark.parametrize(
    "said",
    [
        "A migration adds the column.",
        "Adds an Alembic migration for the column.",
        "Adds a column via a migration.",
        "Add migration to drop the column.",
        "CI now runs the linter.",
        "Run the tests on Python 3.13 in CI.",
        "Extend the CI matrix.",
        "Updated existing tests.",
        "Tests: added cases for empty lists.",
        "Adds regression coverage.",
        "Added a snapshot test.",
        "More tests.",
        "New dependency: `httpy`.",
        "It now depends on `httpy`.",
        "Marks `shipping` as deprecated.",
        "Adds a deprecation warning to `shipping`.",
    ],
)
def test_what_is_said_to_come_along_in_words_of_everyday_comes_along(said: str) -> None:
    assert told(said, {"shop/prices.py": DISCOUNT}) is CONTRADICTS


@pytest.mark.parametrize(
    ("said", "files"),
    [
        ("A migration adds the column.", {"db/migrations/0002.sql": "ALTER TABLE t ADD c int;\n"}),
        ("CI now runs the linter.", {".github/workflows/ci.yml": "on: push\n"}),
        ("Updated existing tests.", {"tests/test_prices.py": SHOP["tests/test_prices.py"] + "\n\nX = 1\n"}),
        ("New dependency: `httpy`.", {"pyproject.toml": MANIFEST.replace("requests", "httpy")}),
        ("Marks `shipping` as deprecated.", {"shop/prices.py": PRICES.replace("Cost in", "Deprecated. Cost in")}),
        ("The migration guide tells how to add the column.", {"shop/prices.py": DISCOUNT}),
        ("Covered by existing tests.", {"shop/prices.py": DISCOUNT}),
        ("It fails in CI now and then.", {"shop/prices.py": DISCOUNT}),
    ],
)
def test_what_does_come_along_or_is_not_said_to_is_right(said: str, files: Mapping[str, str]) -> None:
    assert told(said, files) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    ["Leaves `{}` in place.", "`{}` is still exported.", "Preserves `{}` for old callers.", "Does not remove `{}`."],
)
def test_a_name_that_is_said_to_stay_in_other_words_stays(words: str) -> None:
    gone = {"shop/prices.py": PRICES.partition("\n\ndef shipping")[0] + "\n"}
    assert told(words.format("shipping"), gone) is CONTRADICTS
    assert told(words.format("shipping"), {"shop/prices.py": DISCOUNT}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["Removes unused imports.", "- Remove the dead code", "The old implementation is gone."]
)
def test_code_that_is_said_to_be_taken_away_takes_a_line_with_it(said: str) -> None:
    assert told(said, {"shop/prices.py": DISCOUNT}) is CONTRADICTS
    assert told(said, {"shop/client.py": SLOWER}) is not CONTRADICTS


def test_what_a_program_takes_away_when_it_runs_is_another_thing() -> None:
    assert told("Remove stale entries at start-up.", {"shop/prices.py": DISCOUNT}) is not CONTRADICTS
