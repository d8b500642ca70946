"""What a description says a definition is: wrong, right, and only looking like it."""

from __future__ import annotations

from time import process_time

import pytest

from tests.forensics.probes.test_claims_of_several import told
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP


@pytest.mark.parametrize(
    ("said", "path", "wrong", "right"),
    [
        ("`Money` is now a frozen dataclass.", "shop/money.py", "@dataclass\nclass Money:\n    cents: int\n", "@dataclass(frozen=True)\nclass Money:\n    cents: int\n"),
        ("Makes `Money` a dataclass.", "shop/money.py", "class Money:\n    cents = 0\n", "@dataclass\nclass Money:\n    cents: int\n"),
        ("`Colour` becomes an enum.", "web/colour.ts", "export const Red = 1;\nexport type Colour = number;\n", "export enum Colour { Red }\n"),
        ("Adds the interface `Store`.", "Store.java", "public class Store {\n}\n", "public interface Store {\n}\n"),
        ("`Gate.open` is now static.", "Gate.java", "public class Gate {\n  public void open() {}\n}\n", "public class Gate {\n  public static void open() {}\n}\n"),
        ("`Reader` is an abstract class.", "shop/reader.py", "class Reader:\n    def read(self): ...\n", "class Reader(ABC):\n    def read(self): ...\n"),
        ("`TooLate` extends `ShopError`.", "shop/errors.py", "class ShopError(Exception): ...\n\n\nclass Other(ShopError): ...\n\n\n\n\nclass TooLate(Exception):\n    code = 1\n", "class ShopError(Exception): ...\n\n\nclass TooLate(ShopError):\n    code = 1\n"),
        ("`Cart.total` is now private.", "Cart.java", "class Cart {\n  public int total() { return 1; }\n}\n", "class Cart {\n  private int total() { return 1; }\n}\n"),
    ],
)  # fmt: skip
def test_a_definition_is_what_it_is_said_to_be(said: str, path: str, wrong: str, right: str) -> None:
    assert told(said, {path: wrong}) is CONTRADICTS
    assert told(said, {path: right}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "`Money` was a frozen dataclass before.",
        "`Money` is no longer an enum.",
        "`Money` is an enum of another package.",
        "If `Money` is final, nothing can go wrong.",
        "The seller extends `Money` by hand.",
    ],
)
def test_what_a_definition_was_or_is_elsewhere_proves_nothing(said: str) -> None:
    path = "shop/prices.py" if "package" in said else "shop/money.py"
    text = f"{SHOP['shop/prices.py']}\n\ndef more(): ...\n" if "package" in said else "class Money:\n    cents = 0\n"
    assert told(said, {path: text}) is not CONTRADICTS


@pytest.mark.parametrize("piece", ["`Money` is now ", "makes `Money` an ", "`A` extends `B` ", "new enum "])
def test_definitions_that_are_told_to_take_long_take_no_time(piece: str) -> None:
    started = process_time()
    told((piece * 2_000)[:15_000], {"Money.java": "class Money {}\n" * 2_000 + "public " * 5_000})
    assert process_time() - started < 6
