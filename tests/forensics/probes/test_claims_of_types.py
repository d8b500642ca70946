"""Of which type a description says something is: wrong, right, and only looking like it."""

from __future__ import annotations

from time import process_time

import pytest

from tests.forensics.probes.test_claims_of_several import told
from tests.forensics.probes.test_description_claims import CONTRADICTS


@pytest.mark.parametrize(
    ("path", "wrong", "right"),
    [
        ("db/migrations/1.sql", "ALTER TABLE goods ADD COLUMN price real;\n", "ALTER TABLE goods ADD COLUMN price numeric(10, 2);\n"),
        ("db/migrate/1_price.rb", "add_column :goods, :price, :float\n", "add_column :goods, :price, :decimal\n"),
        ("shop/models.py", "class Good(Model):\n    price = models.FloatField()\n", "class Good(Model):\n    price = models.DecimalField(max_digits=9)\n"),
        ("shop/good.py", "class Good:\n    price: float\n", "class Good:\n    price: Decimal\n"),
        ("Good.java", "class Good {\n  double price;\n}\n", "class Good {\n  BigDecimal price;\n}\n"),
        ("web/good.ts", "export interface Good {\n  price: string;\n}\n", "export interface Good {\n  price: Decimal;\n}\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "said", ["`price` is a decimal.", "Adds `price` (decimal).", "`price` is now stored as numeric."]
)
def test_a_type_that_is_told_is_the_one_that_is_declared(said: str, path: str, wrong: str, right: str) -> None:
    assert told(said, {path: wrong}) is CONTRADICTS
    assert told(said, {path: right}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    ["`price` was a decimal before.", "`price` is not a decimal.", "`cost` is a decimal.", "`price` is a decimal point away."],
)  # fmt: skip
def test_types_of_other_times_and_other_things_prove_nothing(said: str) -> None:
    assert told(said, {"shop/good.py": "class Good:\n    price: float\n"}) is not CONTRADICTS


def test_a_list_is_told_by_its_brackets_too() -> None:
    said = "`names` is a list."
    assert told(said, {"web/a.ts": "export interface A {\n  names: string[];\n}\n"}) is not CONTRADICTS
    assert told(said, {"web/a.ts": "export interface A {\n  names: boolean;\n}\n"}) is CONTRADICTS


@pytest.mark.parametrize("piece", ["`a` is an ", "`price` (int) ", "`price` is a decimal, "])
def test_types_that_are_told_to_take_long_take_no_time(piece: str) -> None:
    started = process_time()
    told((piece * 2_000)[:15_000], {"shop/good.py": "price: float\n" * 3_000})
    assert process_time() - started < 6
