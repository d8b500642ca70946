"""Pictures: a model says what kind of diagram each is; what it says is evidence with doubt, and off without a key."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Match, Reply

from auditor.domain import Evidence, Outcome, Scope
from auditor.judges.claude_bench import ClaudeBench
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.judges.image_classification import MAX_PICTURE_BYTES, MAX_PICTURES, Picture, schema
from auditor.judges.recorded_answers import FolderAnswerStore
from tests.judges.cases import ADVICE, SEEN, SMALL, claude
from tests.judges.model_stand_in import Body, Says, Standin, good
from tests.papers import pdf
from tests.repos import Drawing
from tests.verdicts import evidence

PNG = b"\x89PNG\r\n\x1a\n"
DARK = evidence("code.x", outcome="unavailable").model_copy(
    update={"statement": "2 images may be diagrams and were not viewed."}
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
    many = tuple(Picture(f"report.pdf:{n}", "image/png", PNG + bytes([n])) for n in range(MAX_PICTURES + 3))
    model = seeing(*(drawn(n + 1, parallel_stages=0) for n in range(MAX_PICTURES)))
    found = looked(model, many)
    assert found.outcome is Outcome.UNAVAILABLE
    assert "3 more were not shown" in found.statement
    huge = (
        Picture("a", "image/png", PNG + b"x" * MAX_PICTURE_BYTES),
        Picture("b", "image/svg+xml", b"<svg/>"),
        Picture("c", "image/png", b""),
    )
    nobody = seeing()
    assert looked(nobody, huge) == DARK
    assert nobody.asked == []


def test_without_a_model_nobody_looks() -> None:
    assert EmbeddedBench().look((DARK,), pictures) == (DARK,)


def test_the_same_pictures_are_looked_at_once(tmp_path: Any) -> None:
    from auditor.judges.claude_bench import Options

    model = seeing(drawn(1), drawn(2))
    first = ClaudeBench(Options(model="claude-sonnet-5-5"), model.connect(), FolderAnswerStore(tmp_path)).look(
        (DARK,), pictures
    )
    again = ClaudeBench(Options(model="claude-sonnet-5-5"), model.connect(), FolderAnswerStore(tmp_path)).look(
        (DARK,), pictures
    )
    assert again == first
    assert len(model.asked) == 1


def test_pictures_are_paid_from_the_same_budget() -> None:
    from auditor.judges.model_budget import Budget

    model = seeing(drawn(1), drawn(2))
    found = claude(model.connect(), budget=Budget(tokens=1_000)).look((DARK,), pictures)
    assert model.asked == []
    assert "over budget" in found[0].statement


RUBRIC = """
id: drawn
title: Drawn
about: For a test.
personas: {personas}
papers: {{reports: ["docs/*"]}}
criteria:
  - id: visual
    title: Diagrams
    question: Do the diagrams show what there is?
    evidence: [{{probe: diagrams.parallel, expect: found}}]
    levels: {{1: bad, 3: fair, 5: good}}
"""


def test_images_of_a_report_and_of_the_repository_reach_the_model(
    drawing: Drawing, llmock: LLMock, tmp_path: Path
) -> None:
    import yaml

    from auditor.audit_builder import AuditRequest, run_audit
    from auditor.judges.bench_factory import BenchSettings
    from auditor.rubric_loader import source
    from auditor.settings import RequestedSettings

    picture = base64.b64decode(_PIXEL)
    drawing.commit(
        {
            "docs/report.pdf": pdf("The system", images=1),
            "docs/system.md": "# System\n\n![the graph](../img/graph.png)\n\n![far](https://example.org/x.png)\n\n![up](../../secret.png)\n",
            "img/graph.png": picture,
        }
    )
    rubric = tmp_path / "drawn.yaml"
    rubric.write_text(RUBRIC.format(personas=json.dumps(yaml.safe_load(source("pull-request"))["personas"])))
    said = "Of 2 pictures that a model looked at, 1 shows parallel branches: 2 parallel stages, 3 branches at the widest, in an order that can be followed."
    cited = [{"evidence": "diagrams.parallel#1", "quote": said, "path": "", "line": None}]
    opinion = {"criterion": "visual", "argument": "It is drawn.", "citations": cited, "remediation": [], "score": 5}
    seen = json.dumps({"pictures": [drawn(1), drawn(2, kind="other", parallel_stages=0, branches=0)]})
    llmock.add(Reply(text=seen, match=Match(path="*/messages")))
    llmock.reply(json.dumps({"opinions": [opinion]}), times=None)
    order = AuditRequest(
        target=str(drawing.path),
        requested_settings=RequestedSettings(rubric=str(rubric)),
        bench_settings=BenchSettings(judges="claude", base_url=llmock.base_url("anthropic"), seconds=10.0),
        environment={"ANTHROPIC_API_KEY": "test-key"},
        jobs=1,
    )
    report = run_audit(order, lambda *_: None).report
    sent = [
        part["source"]["data"]
        for each in llmock.requests
        if each.path.endswith("/messages")
        for part in each.body["messages"][0]["content"]
        if part["type"] == "image"
    ]
    assert base64.b64encode(picture).decode() in sent
    assert len(sent) == 2
    assert report.verdict.rulings[0].score == 5
    assert [each.source for each in report.hearing.answers[0].seen] == ["img/graph.png", "docs/report.pdf:1"]
    assert report.cost.model_calls == 4


_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
