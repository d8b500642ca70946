"""Keys of units: the same wherever they are made, another one for whatever changes the answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.fleet.targets import TargetGate
from auditor.fleet.unit import Unit, in_shard

UNIT = Unit(
    repository="https://example.org/x", head="a" * 40, base="b" * 40, rubric="digest", bench="embedded", version="1.0"
)


def test_equal_units_have_one_key_of_64_digits() -> None:
    again = Unit.model_validate_json(UNIT.model_dump_json())
    assert again.key == UNIT.key
    assert len(UNIT.key) == 64
    assert set(UNIT.key) <= set("0123456789abcdef")


def test_whatever_changes_the_answer_changes_the_key() -> None:
    others: list[dict[str, Any]] = [
        {"repository": "https://example.org/y"},
        {"head": "c" * 40},
        {"base": None},
        {"rubric": "another"},
        {"gate": TargetGate(overall=3)},
        {"gate": TargetGate(criteria={"security": 3})},
        {"bench": "claude"},
        {"reports": ("digest",)},
        {"version": "1.1"},
    ]
    keys = {UNIT.key, *(UNIT.model_copy(update=each).key for each in others)}
    assert len(keys) == 1 + len(others)


@given(st.integers(1, 12), st.sets(st.text("0123456789abcdef", min_size=64, max_size=64), max_size=30))
def test_shards_are_a_partition(count: int, keys: set[str]) -> None:
    parts = [{each for each in keys if in_shard(each, (number, count))} for number in range(1, count + 1)]
    assert sum(map(len, parts)) == len(keys)
    assert set().union(*parts) == keys
