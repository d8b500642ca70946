"""Changes that brought a bug are found from the lines that fixes remove."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging.cases import Kind, Repository, git
from tests.judging.introduced_bugs import draw_introduced, introducing
from tests.repos import Content, Drawing

WRONG = "def total(prices):\n    return sum(prices[1:])\n"
RIGHT = "def total(prices):\n    return sum(prices)\n"
TEST = "from shop.cart import total\n\n\ndef test_a_total():\n    assert total([1, 2]) == 3\n"


def shop(
    folder: Path, repaired: dict[str, Content], *, fix: str = "Fix the total of a cart", added: str = "Add a cart"
) -> tuple[Drawing, str, str, str]:
    """A repository, the commit that brings a wrong total, another one, and the commit that repairs the total."""
    drawing = Drawing(folder)
    drawing.commit({"README.md": "# Shop\n"}, "Begin")
    bug = drawing.commit({"shop/cart.py": WRONG}, added)
    other = drawing.commit({"shop/vat.py": "def vat(price):\n    return price * 0.2\n"}, "Add VAT")
    return drawing, bug, other, drawing.commit(repaired, fix)


def drawn(drawing: Drawing) -> list[tuple[Kind, str]]:
    """Kinds and heads of the cases of one repository."""
    cases = draw_introduced([Repository("example/shop", drawing.path, drawing.head)], 5)
    assert all(
        git(each.path, "rev-parse", each.base) == git(each.path, "rev-parse", f"{each.head}~1") for each in cases
    )
    return [(each.kind, each.head) for each in cases]


def test_the_change_whose_line_a_fix_repairs_is_paired_with_another_as_both_were_made(tmp_path: Path) -> None:
    drawing, bug, other, _ = shop(tmp_path / "r", {"shop/cart.py": RIGHT, "tests/test_cart.py": TEST})

    assert drawn(drawing) == [(Kind.BUG_INTRODUCED, bug), (Kind.ORDINARY, other)]
    assert Kind.BUG_INTRODUCED.brings_bug


@pytest.mark.parametrize(
    ("repaired", "fix", "added"),
    [
        ({"shop/cart.py": RIGHT}, "Fix the total of a cart", "Add a cart"),
        ({"shop/cart.py": RIGHT, "tests/test_cart.py": TEST}, "Change the total of a cart", "Add a cart"),
        ({"shop/cart.py": RIGHT, "tests/test_cart.py": TEST}, "Fix the total of a cart", "Fix the build of a cart"),
        (
            {"shop/cart.py": f"{WRONG}\n\ndef count(p):\n    return len(p)\n", "tests/test_cart.py": TEST},
            "Fix the count of a cart",
            "Add a cart",
        ),
    ],
    ids=["a fix without tests", "a change that is no fix", "a bug brought by a fix", "a fix that only adds lines"],
)
def test_no_change_is_said_to_bring_a_bug_by(
    tmp_path: Path, repaired: dict[str, Content], fix: str, added: str
) -> None:
    drawing, *_ = shop(tmp_path / "r", repaired, fix=fix, added=added)

    assert drawn(drawing) == []


def test_the_commit_that_touched_most_of_the_repaired_lines_is_named(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "r")
    first = drawing.commit({"a b/caf\u00e9.py": "x = 1\ny = 2\nz = 3\n"}, "Add values")
    drawing.commit({"a b/caf\u00e9.py": "x = 1\ny = 2\nz = 4\n"}, "Change a value")
    fix = drawing.commit({"a b/caf\u00e9.py": "x = 10\ny = 20\nz = 40\n"}, "Fix values")

    assert introducing(drawing.path, fix) == first


def test_repaired_tests_and_documents_name_nobody(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "r")
    drawing.commit({"tests/test_a.py": "x = 1\n", "README.md": "a\n"}, "Add a test")
    fix = drawing.commit({"tests/test_a.py": "x = 2\n", "README.md": "b\n"}, "Fix a test")

    assert introducing(drawing.path, fix) is None
