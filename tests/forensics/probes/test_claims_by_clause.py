"""What a sentence says the change does, in whatever words: names and files of it must be those of the change."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from auditor.domain import Outcome
from auditor.forensics.description.change_clauses import MAX_CLAUSES, own_clauses
from tests.forensics.probes.test_description_claims import (
    CONTRADICTS,
    DISCOUNT,
    ONE_TEST,
    PRICES,
    SHOP,
    SLOWER,
    said_of,
)

RENAMED = PRICES.replace("def gross", "def with_tax")
WITHOUT_SHIPPING = PRICES.partition("\n\ndef shipping")[0] + "\n"
CHANGED = {"shop/prices.py": DISCOUNT}


def told(said: str, files: Mapping[str, str | None]) -> Outcome:
    return said_of(f"Next step\n\n{said}", files)


@pytest.mark.parametrize(
    "words",
    [
        "A new `{}` function does the sum.",
        "Extracts the sum into `{}`.",
        "Pull the sum out into a `{}` helper.",
        "Move the sum into a new `{}` function.",
        "- New `{}` helper",
        "- **`{}`** — new helper",
        "- `{}`: new helper",
        "There is now a `{}` function.",
        "Both callers now go through `{}`.",
        "The sum is now done by `{}`.",
        "Reuse `{}` in both places.",
        "Wraps the sum and delegates to `{}`.",
        "Guard the sum with `{}`.",
        "This adds a cap and calls `{}` at the end.",
        "- `shipping` → `{}`",
        "`shipping` was renamed `{}`.",
        "`shipping` is superseded by `{}`.",
        "`{}` (formerly `shipping`) does the sum.",
        "Callers can now pass `{}` to the client.",
        "Set `{}` to keep the old sum.",
        "The cap is configurable via the `{}` variable.",
    ],
)
def test_a_name_that_the_change_is_said_to_work_with_stands_in_what_it_touches(words: str) -> None:
    assert told(words.format("discount_of_day"), CHANGED) is CONTRADICTS
    holds = {"shop/prices.py": DISCOUNT.replace("discount", "discount_of_day")}
    assert told(words.format("discount_of_day"), holds) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Fixes a crash in `load_all_goods` of the framework.",
        "Use the same rounding as `round_half_even`.",
        "Returns early because `load_all_goods` is slow.",
        "Adds support for `load_all_goods` of the framework.",
        "Should call `load_all_goods` later.",
        "`load_all_goods` calls this from time to time.",
        "It does not use `load_all_goods`.",
        "Adds a link to `load_all_goods` of the framework.",
        "Change the branch to `release`.",
        "This now works with `load_all_goods`.",
        "Add a discount so that `load_all_goods` gets a better price.",
        "Run `load_all_goods` to see it.",
        "Set it up by hand: `LOAD_ALL=yes please`.",
        "Without `--load-all`, nothing is different.",
    ],
)
def test_names_in_asides_reasons_and_of_others_need_not_stand_there(said: str) -> None:
    assert told(said, CHANGED) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "Remove unnecessary `{}`.",
        "Retire `{}`.",
        "Inline `{}` into its only caller.",
        "The `{}` function is removed in favour of a table.",
        "`{}` is no longer needed and was removed.",
        "`{}` was unused, so it is removed.",
        "`{}` no longer exists.",
        "- `{}`: removed",
    ],
)
def test_a_name_that_is_said_to_go_in_other_words_goes(words: str) -> None:
    assert told(words.format("shipping"), CHANGED) is CONTRADICTS
    assert told(words.format("shipping"), {"shop/prices.py": WITHOUT_SHIPPING}) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("- `gross` → `with_tax`", False),
        ("- `with_tax` → `gross`", True),
        ("`with_tax` has been renamed to `gross`.", True),
        ("Change the name of `with_tax` to `gross`.", True),
        ("Change the name of `gross` to `with_tax`.", False),
        ("Prefer `gross` over `with_tax`.", True),
    ],
)
def test_a_renaming_is_told_the_way_it_went(said: str, expected: bool) -> None:
    assert (told(said, {"shop/prices.py": RENAMED}) is CONTRADICTS) is expected


@pytest.mark.parametrize(
    "words",
    ["- `{}`: takes percent", "Covered by `{}`.", "`{}` reproduces it.", "Regression test: `{}`", "New test `{}`."],
)
def test_a_test_that_is_named_comes_with_the_change(words: str) -> None:
    files = {**CHANGED, "tests/test_prices.py": ONE_TEST}
    assert told(words.format("test_coupon_takes_percent"), files) is CONTRADICTS
    assert told(words.format("test_discount_takes_percent"), files) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "Simplify `{}`.",
        "Clean up {}.",
        "Wire it up in `{}`.",
        "Handle empty answers in `{}`.",
        "In `{}`, handle empty answers.",
        "- **{}**: add a guard",
        "1. `{}` — add a guard",
        "Adds a guard at the top of `{}`.",
        "Move `net` into `{}`.",
    ],
)
def test_a_file_that_the_change_is_said_to_work_on_is_touched(words: str) -> None:
    assert told(words.format("shop/client.py"), CHANGED) is CONTRADICTS
    files = {**CHANGED, "shop/client.py": f"{SLOWER}\n\ndef net() -> None:\n    pass\n"}
    assert told(words.format("shop/client.py"), files) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Use `shop/client.py` for it.",
        "Adds a link to `shop/client.py`.",
        "Copies the pattern of `shop/client.py`.",
        "Read the stock through `shop/client.py`.",
        "- `shop/client.py`: unchanged",
        "- `shop/client.py`: the one that asks the stock",
        "The helper now copies `shop/client.py` to the folder.",
        "The release script updates `shop/client.py` by itself.",
        "All added names have entries in `shop/client.py`.",
        "In #12 shop/client.py was changed to ask twice.",
        "Should simplify `shop/client.py` next.",
        "gcc -o build/shop.o -c -Wall -lshop build/lib.o",
        "See [packaging/shop.python.org#12](https://shop.example/12).",
        "The state moves to .shop/state.json (gitignored).",
        "A guard in the server's `src/api/prices.ts` keeps it out.",
    ],
)
def test_files_that_are_used_linked_or_those_of_others_need_not_be_touched(said: str) -> None:
    assert told(said, CHANGED) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Adds three new modules.", True),
        ("Adds one new file\n\nIt adds 2 new files.", True),
        ("Brings 1 new modules.", False),
        ("The change spans 4 files.", True),
        ("The change spans 2 files.", False),
    ],
)
def test_new_files_and_touched_ones_are_counted(said: str, expected: bool) -> None:
    files = {**CHANGED, "shop/sums.py": "X = 1\n"}
    assert (told(said, files) is CONTRADICTS) is expected


@pytest.mark.parametrize(
    "said",
    [
        "It is tricky to write tests for this.",
        "- [x] Test on Windows with long names",
        "Takes back the backwards compatible accessor.",
    ],
)
def test_what_only_sounds_like_a_promise_is_none(said: str) -> None:
    assert told(said, {"shop/prices.py": WITHOUT_SHIPPING}) is not CONTRADICTS


@pytest.mark.parametrize(
    "piece", ["add ", "and use ", "now go ", ", move ", "this pr ", "in ", "\ue0000\ue001, ", "; "]
)
def test_a_sentence_of_one_clause_after_another_is_read_in_time(piece: str) -> None:
    assert len(list(own_clauses(f"Add {piece * 20_000}"))) <= MAX_CLAUSES


def test_the_shop_is_the_one_that_the_cases_speak_of() -> None:
    assert "def shipping" in SHOP["shop/prices.py"]


@pytest.mark.parametrize(
    ("said", "files"),
    [
        ("Fix a fault with removed `shipping`.", CHANGED),
        ("chore: bump the `night_boats` group with 2 updates", CHANGED),
        ("Without it tests fail:\n\n    $ pytest tests/test_boats.py\n    shop/boats.py:14: Late\n", CHANGED),
        ("The table is still laid out with manual widths.", CHANGED),
        ("Adds test artifacts to what git ignores", CHANGED),
        ("TODO: move the sum to `shop/client.py`", CHANGED),
        ("- Skip `shop/client.py` parts of old orders.", CHANGED),
        ("dependencies: update boats, 1.15.6 -> 1.16.1", {"setup.cfg": "boats==1.16.1\n"}),
        ("Note: web/dist/boats.min.js will need to be regenerated too.", CHANGED),
        ("CI: added a test stage with a database", CHANGED),
        ("Update night boats.py", {"night boats.py": "SEATS = 4\n"}),
    ],
)
def test_names_of_what_is_spoken_of_shown_or_brought_up_to_date_need_not_be_touched(
    said: str, files: Mapping[str, str | None]
) -> None:
    assert told(said, files) is not CONTRADICTS


def test_what_others_deprecate_is_only_left_and_a_package_is_no_file_of_its_name() -> None:
    before = {**SHOP, "shop/near.py": "import tides\n\nNEAR = tides.low_water()\n", "tools/client": "boats\n"}
    left = {"shop/near.py": "import tides\n\nNEAR = tides.ebb()\n"}
    assert said_of("Next step\n\n`low_water` is deprecated, so do without.", left, before) is not CONTRADICTS
    assert said_of("Next step\n\n`low_water` is deprecated.", CHANGED, before) is CONTRADICTS
    locked = {"uv.lock": 'name = "client"\nversion = "7.13.4"\n'}
    assert said_of("Next step\n\nUpdates `client` from 7.13.2 to 7.13.4", locked, before) is not CONTRADICTS
    assert said_of("Next step\n\nUpdates `client`", locked, before) is CONTRADICTS


def test_what_is_set_off_below_an_entry_of_a_list_is_said() -> None:
    assert told("- Works on it:\n\n    Handle empty answers in `shop/client.py`.", CHANGED) is CONTRADICTS


def test_a_version_comes_where_its_parts_come_one_by_one() -> None:
    said = "runtime: lower the version of boats from 6.4 to 5.2"
    files = {"install.sh": "BOATS_MAJOR=5\nBOATS_MINOR={}\n"}
    for minor, contradicts in (("2", False), ("3", True)):
        script = {path: text.format(minor) for path, text in files.items()}
        before = {**SHOP, "install.sh": "BOATS_MAJOR=6\nBOATS_MINOR=4\n"}
        assert (said_of(said, script, before) is CONTRADICTS) is contradicts


def test_a_part_that_is_taken_out_of_a_file_leaves_the_file() -> None:
    before = {**SHOP, "Makefile": "all:\n\ttrue\nlate:\n\tfalse\n"}
    files = {"Makefile": "all:\n\ttrue\n"}
    assert said_of("Next step\n\nRemove the Makefile `late` target.", files, before) is not CONTRADICTS
    assert said_of("Next step\n\nRemove the Makefile.", files, before) is CONTRADICTS
