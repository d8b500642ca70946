"""Cases are drawn by a rule: fixes with tests, taken back, each with another change of like size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging.cases import FIX, Case, Kind, Repository, digest, draw, git
from tests.repos import Drawing

WRONG = "def total(prices):\n    return sum(prices[1:])\n"
RIGHT = "def total(prices):\n    return sum(prices)\n"
TEST = "from shop.cart import total\n\n\ndef test_a_total():\n    assert total([1, 2]) == 3\n"
OTHER = "def vat(price):\n    return price * 0.2\n"


def shop(folder: Path, *, fix: str = "Fix the total of a cart", tests: bool = True) -> Drawing:
    """A repository with a commit that repairs `total`, and after it one that adds `vat`."""
    drawing = Drawing(folder)
    drawing.commit({"shop/cart.py": WRONG}, "Add a cart")
    drawing.commit({"shop/cart.py": RIGHT, **({"tests/test_cart.py": TEST} if tests else {})}, fix)
    drawing.commit({"shop/vat.py": OTHER}, "Add VAT")
    return drawing


def drawn(drawing: Drawing, count: int = 5) -> list[Case]:
    """The cases of one repository."""
    return draw([Repository("example/shop", drawing.path, drawing.head)], count)


def text(case: Case, commit: str, path: str) -> str:
    """A file of a commit."""
    return git(case.path, "show", f"{commit}:{path}")


def test_a_fix_is_taken_back_on_top_of_itself_with_its_tests(tmp_path: Path) -> None:
    bug, _ = drawn(shop(tmp_path / "r"))

    assert bug.kind is Kind.FIX_TAKEN_BACK
    assert text(bug, bug.base, "shop/cart.py") == RIGHT
    assert text(bug, bug.head, "shop/cart.py") == WRONG
    assert git(bug.path, "diff", "--name-only", bug.base, bug.head).split() == ["shop/cart.py", "tests/test_cart.py"]


def test_an_ordinary_change_is_judged_as_it_was_made(tmp_path: Path) -> None:
    _, other = drawn(shop(tmp_path / "r"))

    assert other.kind is Kind.ORDINARY
    assert git(other.path, "diff", "--name-only", other.base, other.head).split() == ["shop/vat.py"]


@pytest.mark.parametrize("subject", ["Fix a typo in cart", "Add totals", "Fixes #12: add totals", "Fix the docs"])
def test_a_commit_whose_subject_speaks_of_no_fix_of_code_is_not_taken_back(tmp_path: Path, subject: str) -> None:
    assert drawn(shop(tmp_path / "r", fix=subject)) == []


def test_a_fix_without_a_test_is_not_taken_back(tmp_path: Path) -> None:
    assert drawn(shop(tmp_path / "r", tests=False)) == []


def test_a_fix_without_another_change_to_compare_with_is_not_drawn(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "r")
    drawing.commit({"shop/cart.py": WRONG}, "Revert the cart")
    drawing.commit({"shop/cart.py": RIGHT, "tests/test_cart.py": TEST}, "Fix the total of a cart")

    assert drawn(drawing) == []


def test_the_same_repository_gives_the_same_cases(tmp_path: Path) -> None:
    drawing = shop(tmp_path / "r")

    assert drawn(drawing) == drawn(drawing)


def test_a_name_and_a_head_do_not_tell_the_kind(tmp_path: Path) -> None:
    bug, other = drawn(shop(tmp_path / "r"))

    assert bug.name == f"shop-{digest(bug.source)[:10]}"
    assert other.name == f"shop-{digest(other.source)[:10]}"
    assert git(bug.path, "log", "-1", "--format=%s%an%ad", "--date=unix", bug.head).strip() == "ChangeA1700000000"


def test_about_half_of_all_sources_are_held_out() -> None:
    halves = [int(digest(str(number))[:8], 16) % 2 for number in range(1_000)]

    assert 450 < sum(halves) < 550


@pytest.mark.parametrize(
    ("subject", "is_fix"),
    [
        ("Fix crash on empty input", True),
        ("fix: read the last line", True),
        ("[3.x] Fixed a leak", True),
        ("pager: fix scrolling", True),
        ("Fixes #7: add colours", False),
        ("Prefix all names", False),
    ],
)
def test_subjects_of_fixes_are_told_from_others(subject: str, is_fix: bool) -> None:
    assert bool(FIX.search(subject)) is is_fix
