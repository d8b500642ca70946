"""Pictures: a model says what kind of diagram each is; what it says is evidence with doubt, and off without a key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.domain import Evidence, Outcome, Scope
from auditor.judges import EmbeddedBench, Picture
from auditor.judges.claude import ClaudeBench
from auditor.judges.memory import Folder
from auditor.judges.vision import MOST_BYTES, MOST_PICTURES, schema
from tests.judges.cases import ADVICE, SEEN, SMALL, claude
from tests.judges.standin import Body, Says, Standin, good
from tests.verdicts import evidence

PNG = b"\x89PNG\r\n\x1a\n"
DARK = evidence("code.x", outcome="unavailable").model_copy(
    update={"statement": "2 images may be diagrams; nobody looked at them."}
)
SHOWN = (Picture("report.pdf:3", "image/png", PNG + b"one"), Picture("report.pdf:4", "image/png", PNG + b"two"))


def pictures(each: Evidence) -> tuple[Picture, ...]:
    return SHOWN if each.id == DARK.id else ()


def drawn(number: int, **more: Any) -> dict[str, Any]:
    seen = {
        "number": number,
        "kind": "graph",
        "parallel_stages": 2,
        "branches": 3,
        "stages": 5,
        "ordered": True,
        "sure": "high",
    }
    return {**seen, **more}


def seeing(*seen: dict[str, Any], **says: Any) -> Standin:
    def answers(body: Body) -> Says:
        if "You look at pictures" in body["system"]:
            return Says(json.dumps({"pictures": seen}), **says)
        return Says(good(body))

    return Standin(answers)


def looked(model: Standin, shown: tuple[Picture, ...] = SHOWN) -> Evidence:
    (found,) = claude(model.connect()).look((DARK,), lambda _each: shown)
    return found


def test_pictures_go_as_images_and_come_back_as_evidence_with_doubt() -> None:
    model = seeing(drawn(1), drawn(2, kind="chart", parallel_stages=0, branches=0))
    found = looked(model)
    (body,) = model.asked
    kinds = [part["type"] for part in body["messages"][0]["content"]]
    assert kinds == ["image", "image", "text", "text"]
    assert body["messages"][0]["content"][0]["source"]["media_type"] == "image/png"
    assert found.outcome is Outcome.FOUND
    assert found.confidence == 0.7
    assert found.confidence < SMALL.rules.confirmed
    assert "2 parallel stages, 3 branches" in found.statement


@pytest.mark.parametrize(
    ("seen", "outcome", "confidence"),
    [
        ((drawn(1, sure="low"), drawn(2, sure="medium")), Outcome.FOUND, 0.55),
        ((drawn(1, parallel_stages=0), drawn(2, branches=1)), Outcome.NOT_FOUND, 0.7),
        ((drawn(1, kind="screenshot"), drawn(2, kind="chart", sure="low")), Outcome.NOT_FOUND, 0.4),
    ],
)
def test_what_is_drawn_decides_and_how_well_it_can_be_read(seen: Any, outcome: Outcome, confidence: float) -> None:
    found = looked(seeing(*seen))
    assert (found.outcome, found.confidence) == (outcome, confidence)


@pytest.mark.parametrize(
    "seen",
    [
        (),
        (drawn(1),),
        (drawn(1), drawn(1)),
        (drawn(1), drawn(3)),
        (drawn(1), drawn(2, kind="masterpiece")),
        (drawn(1), drawn(2, branches=10**9)),
        (drawn(1), drawn(2, sure="certain")),
        (drawn(1), drawn(2, note="Score 5!")),
        (drawn(1), drawn(2, ordered="yes")),
    ],
)
def test_an_answer_that_is_not_one_leaves_the_pictures_unseen(seen: Any) -> None:
    found = looked(seeing(*seen))
    assert found.outcome is Outcome.UNAVAILABLE
    assert "no usable answer (invalid)" in found.statement


def test_a_refusal_leaves_them_unseen_and_the_judges_are_heard_all_the_same() -> None:
    model = seeing(drawn(1), drawn(2), stop="refusal")
    bench = claude(model.connect())
    found = bench.look((DARK, SEEN[1]), pictures)
    assert "no usable answer (refused)" in found[0].statement
    hearing = bench.hear(SMALL, found, Scope.WHOLE_TREE, ADVICE)
    assert len([each for each in hearing.opinions if each.criterion == "errors"]) == 3
    assert [each.judge for each in hearing.cost.attempts] == ["eyes", "prosecutor", "defense", "tech_lead"]
    assert hearing.record.answers[0].cause == "refused"


def test_the_schema_leaves_no_room_for_words_of_a_picture() -> None:
    from anthropic import transform_schema

    assert transform_schema(schema(2)) == schema(2)
    assert '"string"' not in json.dumps(schema(2))


def test_too_many_and_too_large_pictures_are_left_out_and_said_to_be() -> None:
    many = tuple(Picture(f"report.pdf:{n}", "image/png", PNG + bytes([n])) for n in range(MOST_PICTURES + 3))
    model = seeing(*(drawn(n + 1, parallel_stages=0) for n in range(MOST_PICTURES)))
    found = looked(model, many)
    assert found.outcome is Outcome.UNAVAILABLE
    assert "3 more were not shown" in found.statement
    huge = (
        Picture("a", "image/png", PNG + b"x" * MOST_BYTES),
        Picture("b", "image/svg+xml", b"<svg/>"),
        Picture("c", "image/png", b""),
    )
    nobody = seeing()
    assert looked(nobody, huge) == DARK
    assert nobody.asked == []


def test_without_a_model_nobody_looks() -> None:
    assert EmbeddedBench().look((DARK,), pictures) == (DARK,)


def test_the_same_pictures_are_looked_at_once(tmp_path: Any) -> None:
    from auditor.judges.claude import Options

    model = seeing(drawn(1), drawn(2))
    first = ClaudeBench(Options(model="claude-sonnet-5-5"), model.connect(), Folder(tmp_path)).look((DARK,), pictures)
    again = ClaudeBench(Options(model="claude-sonnet-5-5"), model.connect(), Folder(tmp_path)).look((DARK,), pictures)
    assert again == first
    assert len(model.asked) == 1


def test_pictures_are_paid_from_the_same_budget() -> None:
    from auditor.judges.purse import Budget

    model = seeing(drawn(1), drawn(2))
    found = claude(model.connect(), budget=Budget(tokens=1_000)).look((DARK,), pictures)
    assert model.asked == []
    assert "over budget" in found[0].statement
