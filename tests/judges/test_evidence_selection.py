"""Which places fit: the gravest first, one for every file, nothing cut, and the choice on the record."""

from __future__ import annotations

import pytest

from auditor.domain import Evidence, ProbeData, Scope
from auditor.judges import prompt
from tests.judges.cases import ADVICE, SEEN, SMALL, claude, place
from tests.judges.model_stand_in import Says, Standin, good
from tests.verdicts import evidence

GRAVE = evidence("code.x", locations=(place("small/evil.py", 3, "os.system(name)"),), introduced=True)
PADDING = evidence(
    "code.y", locations=tuple(place("big/benign.py", n + 1, f"pass  # {n} " + "x" * 60) for n in range(500))
)


def material(*seen: Evidence, budget: int) -> prompt.Material:
    return prompt.build_material(SMALL.criteria, seen, Scope.WHOLE_TREE, ADVICE, budget=budget)


def test_with_room_everything_is_shown() -> None:
    found = material(GRAVE, PADDING, budget=60_000)
    assert found.packing.whole
    assert found.packing.shown == found.packing.places == 501


def test_padding_does_not_push_the_grave_place_out() -> None:
    """[T20]"""
    found = material(GRAVE, PADDING, budget=1_000)
    assert "os.system(name)" in found.text
    assert "P line 1| big/benign.py" in found.text
    assert found.packing.tokens <= 1_000
    (left,) = found.packing.left_out
    assert left.evidence == "code.y#1"
    assert left.places == 501 - found.packing.shown
    assert f"{left.places} of 501 places were left out" in found.text


def test_data_that_lists_places_again_pushes_none_of_them_out() -> None:
    """A flood of one finding would otherwise fill half of the room with its own list."""
    places = tuple(place("flood.py", n + 1, "os.system(x)") for n in range(200))
    flood = evidence("code.x", locations=places).model_copy(update={"data": ProbeData(pairs=["flood.py"] * 400)})  # type: ignore[call-arg]
    other = evidence("code.y", locations=(place("flood.py", 900, "the other finding"),))
    alone = evidence("code.y", 2, locations=()).model_copy(update={"data": ProbeData(edges=["a to b"])})  # type: ignore[call-arg]
    whole = material(flood, other, alone, budget=60_000)
    tight = material(flood, other, alone, budget=whole.packing.tokens - 1)
    assert "pairs" in whole.text
    assert [each.evidence for each in tight.packing.left_out] == ["code.x#1"]
    assert "the other finding" in tight.text
    assert "a to b" in tight.text
    assert "pairs" not in tight.text


def test_places_are_shown_whole_or_not_at_all() -> None:
    long = evidence("code.x", locations=(place(quote="y" * 50_000), place("src/other.py", 1, "z = 1")))
    found = material(long, budget=60_000)
    assert f"Q| {'y' * 50_000}" in found.text
    assert "yyy" not in material(long, PADDING, budget=1_000).text or material(long, PADDING, budget=1_000).too_small


@pytest.mark.parametrize(
    ("graver", "other"),
    [
        (evidence("code.x", locations=(place("f.py", 1, "first"),)), evidence("code.y", locations=(place("f.py", 1, "second"),))),
        (
            evidence("code.x", introduced=True, locations=(place("f.py", 1, "first"),)),
            evidence("code.x", 2, introduced=False, locations=(place("f.py", 1, "second"),)),
        ),
        (
            evidence("code.x", 2, locations=(place("f.py", 1, "first"),)),
            evidence("code.x", 1, in_tests=True, locations=(place("f.py", 1, "second"),)),
        ),
        (
            evidence("code.x", 2, locations=(place("f.py", 1, "first"),)),
            evidence("code.x", 1, confidence=0.5, locations=(place("f.py", 1, "second"),)),
        ),
    ],
    ids=["severity", "introduced", "product code", "certainty"],
)  # fmt: skip
def test_of_one_file_the_gravest_place_is_kept(graver: Evidence, other: Evidence) -> None:
    for order in ((graver, other), (other, graver)):
        floor = material(*order, budget=1_000).packing.tokens
        text = material(*order, budget=floor - 1).text
        assert "first" in text
        assert "second" not in text


def test_when_not_even_one_place_a_file_fits_nobody_is_asked() -> None:
    many = evidence("code.x", locations=tuple(place(f"src/{n}.py", 1) for n in range(200)))
    model = Standin(lambda body: Says(good(body)))
    hearing = claude(model.connect(), evidence_tokens=1_000).hear(SMALL, (many, SEEN[1]), Scope.WHOLE_TREE, ADVICE)
    assert model.asked == []
    assert "most severe place of each of 200 files" in hearing.abstentions[0].reason
    assert {each.cause.value for each in hearing.abstentions} == {"over_budget"}


def test_the_choice_is_on_the_record() -> None:
    model = Standin(lambda body: Says(good(body)))
    hearing = claude(model.connect(), evidence_tokens=1_000).hear(SMALL, (GRAVE, PADDING), Scope.WHOLE_TREE, ADVICE)
    assert hearing.record.packing == material(GRAVE, PADDING, budget=1_000).packing
