"""Which rules tell bugs from other changes: exact figures, and real audits of drawn changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.rubric_loader import built_in
from tests.judging.audited_cases import AuditedCase, audit, read, rubric_without
from tests.judging.cases import Kind, Repository, draw
from tests.judging.separation import Separation, Share, rule_separation, summary
from tests.repos import Drawing

HEADER = '"""Rates."""\n\n\n'
RIGHT = f'{HEADER}def rate(text: str) -> int:\n    """The rate."""\n    return int(text)\n'
WRONG = f'{HEADER}def rate(text: str) -> int:\n    """The rate."""\n    try:\n        return int(text)\n    except Exception:\n        pass\n    return 0\n'
TEST = "import pytest\n\nfrom shop.rates import rate\n\n\ndef test_a_bad_rate_is_an_error():\n    with pytest.raises(ValueError):\n        rate('x')\n"
VAT = '"""VAT."""\n\n\ndef vat(price: float) -> float:\n    """A fifth of the price."""\n    return price * 0.2\n'
VAT_TEST = "from shop.vat import vat\n\n\ndef test_a_fifth():\n    assert vat(10.0) == 2.0\n"


def case(kind: Kind, score: float, *broken: str) -> AuditedCase:
    """A case with a score and the rules it breaks."""
    return AuditedCase(kind, False, score, frozenset(broken), frozenset())


def row(text: str, name: str) -> str:
    """The row of a table."""
    (found,) = (each for each in text.splitlines() if each.startswith(f"| {name} |"))
    return found


def test_fishers_p_value_is_that_of_the_lady_who_tastes_tea() -> None:
    assert Separation(Share(3, 4), Share(1, 4)).p == pytest.approx(34 / 70)
    assert Separation(Share(4, 4), Share(0, 4)).p == pytest.approx(2 / 70)


def test_the_interval_of_a_difference_is_the_one_that_newcombe_published() -> None:
    low, high = Separation(Share(56, 70), Share(48, 80)).interval

    assert (low, high) == pytest.approx((0.0524, 0.3339), abs=1e-4)


def test_a_difference_of_equal_shares_has_an_interval_around_zero_and_no_evidence() -> None:
    found = Separation(Share(5, 20), Share(5, 20))

    assert found.difference == 0
    assert found.interval[0] == pytest.approx(-found.interval[1])
    assert found.p == pytest.approx(1)


def test_nothing_of_nothing_has_an_interval_of_everything() -> None:
    assert Separation(Share(0, 0), Share(0, 0)).interval == pytest.approx((-1, 1))


def test_a_rule_is_counted_among_bugs_and_among_all_other_changes() -> None:
    cases = [
        case(Kind.FIX_TAKEN_BACK, 4.0, "code.broad_except"),
        case(Kind.FIX_TAKEN_BACK, 5.0),
        case(Kind.ORDINARY, 5.0),
        case(Kind.REFACTORING_TAKEN_BACK, 4.0, "code.broad_except"),
        case(Kind.REFACTORING_TAKEN_BACK, 4.8),
    ]

    assert rule_separation(cases, "code.broad_except") == Separation(Share(1, 2), Share(1, 3))
    printed = summary("All", cases)
    assert "| 50% (1 of 2) | 33% (1 of 3) | 50% (1 of 2) |" in row(printed, "`code.broad_except`")
    assert "| 50% (1 of 2) | 33% (1 of 3) | 0% (0 of 2) |" in row(printed, "Overall exactly 5.0")


def test_the_rule_that_separates_best_is_first_in_the_table() -> None:
    cases = [
        *(case(Kind.FIX_TAKEN_BACK, 4.0, "a.never_else", "b.everywhere") for _ in range(5)),
        *(case(Kind.ORDINARY, 5.0, "b.everywhere") for _ in range(5)),
    ]
    printed = summary("All", cases)

    assert printed.index("a.never_else") < printed.index("b.everywhere")
    assert "AUC of the overall score: 1.00" in printed


def test_without_changes_of_both_kinds_nothing_is_compared() -> None:
    assert "not both" in summary("Open half", [case(Kind.ORDINARY, 5.0)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("separation")


def test_a_rubric_without_rules_loses_them_and_the_criteria_that_ask_nothing_else() -> None:
    rubric = built_in("pull-request")
    found = rubric_without(rubric, ["claims.description_matches", "code.complexity"])

    assert rubric.probes() - found.probes() == {"claims.description_matches", "code.complexity"}
    assert {each.id for each in rubric.criteria} - {each.id for each in found.criteria} == {"claims"}


def test_a_rule_that_the_rubric_does_not_ask_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match=r"has no rule code\.nonsense"):
        rubric_without(built_in("pull-request"), ["code.nonsense"])


def test_audits_of_drawn_changes_say_what_a_rubric_sees_of_a_bug_that_came_back(folder: Path) -> None:
    drawing = Drawing(folder / "shop")
    drawing.commit({"shop/rates.py": WRONG}, "Add rates")
    drawing.commit({"shop/rates.py": RIGHT, "tests/test_rates.py": TEST}, "Fix a rate that cannot be read")
    drawing.commit({"shop/vat.py": VAT, "tests/test_vat.py": VAT_TEST}, "Add VAT of a fifth to prices")
    cases = draw([Repository("example/shop", drawing.path, drawing.head)], 5)

    assert audit(cases, folder, workers=1) == 0
    bug, other = read(cases, folder, built_in("pull-request"))

    assert (bug.kind, other.kind) == (Kind.FIX_TAKEN_BACK, Kind.ORDINARY)
    assert "code.swallowed_exception" in bug.broken
    assert "code.swallowed_exception" not in other.broken
    assert bug.score < other.score
    blind, _ = read(
        cases, folder, rubric_without(built_in("pull-request"), ["code.swallowed_exception", "code.broad_except"])
    )
    assert "code.swallowed_exception" not in blind.broken
    assert blind.score != bug.score
    assert read([], folder, built_in("pull-request")) == []
