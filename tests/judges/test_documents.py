"""Changed prose is read for the criterion on documentation, and for nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.domain import AuditReport
from auditor.synthesis import replay
from tests.auditing import audited
from tests.judges.cases import claude
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.repos import Drawing

PROSE = "See [the code](shop.py): `total(None)` gives 0.\n"
CITED = {
    "evidence": "document#1",
    "quote": "See [the code](shop.py): `total(None)` gives 0.",
    "path": "README.md",
    "line": 1,
}


@pytest.fixture
def shop(drawing: Drawing) -> Drawing:
    drawing.commit({"shop.py": "def total(cart):\n    return sum(cart)\n", "README.md": "A shop.\n"})
    drawing.branch("change")
    drawing.commit({"shop.py": "def total(cart):\n    return sum(cart or ())\n", "README.md": PROSE})
    return drawing


def audit(drawing: Drawing, criterion: str, objections: tuple[dict[str, Any], ...] = ()) -> tuple[AuditReport, Standin]:
    """The audit by judges that score one criterion 2 and rest that on the document alone."""

    def answer(body: Body) -> Says:
        said = json.loads(good(body))
        for each in said["opinions"]:
            if each["criterion"] == criterion:
                each.update(citations=[CITED], score=2)
        return Says(json.dumps({**said, "objections": list(objections) if judge(body) == "prosecutor" else []}))

    model = Standin(answer)
    return audited(drawing.path, "main", bench=claude(model.connect())), model


def score(report: AuditReport, criterion: str) -> float | None:
    return next(each.score for each in report.verdict.rulings if each.criterion == criterion)


def test_an_opinion_on_documentation_may_rest_on_a_changed_document(shop: Drawing) -> None:
    report, model = audit(shop, "documentation")
    text = model.asked[0]["messages"][0]["content"][0]["text"]
    assert "`documentation` may rest on these" in text
    assert "[document#1] README.md" in text
    assert "+1| See [the code](shop.py): `total(None)` gives 0." in text
    assert score(report, "documentation") == 2.0
    assert [each.id for each in report.exhibits if each.path == "README.md"] == ["document#1"]
    assert replay(report).same


@pytest.mark.parametrize("criterion", ["correctness", "security", "tests"])
def test_no_other_criterion_may(shop: Drawing, criterion: str) -> None:
    report, _ = audit(shop, criterion)
    aside = [each for ruling in report.verdict.rulings for each in ruling.set_aside if ruling.criterion == criterion]
    assert len(aside) == 3


def test_nothing_in_a_document_can_be_objected_to(shop: Drawing) -> None:
    objection = {
        "exhibit": "document#1", "path": "README.md", "first_line": 1, "last_line": 1, "quote": CITED["quote"],
        "caused_by": {"exhibit": "document#1", "quote": CITED["quote"]}, "claim": "It is wrong.", "trigger": "Somebody reads it.",
        "consequence": "wrong_result", "effect": "They are misled.", "reach": "every_use", "fix": "Mend it.", "needs": "",
    }  # fmt: skip
    report, _ = audit(shop, "documentation", (objection,))
    assert report.objections == ()
    assert [each.fault for each in report.hearing.raised] == ["there is no exhibit document#1"]


def test_a_change_of_documents_alone_shows_no_code_and_judges_no_correctness(drawing: Drawing) -> None:
    drawing.commit({"shop.py": "def total(cart):\n    return sum(cart)\n", "README.md": "A shop.\n"})
    drawing.branch("change")
    drawing.commit({"README.md": "See [the code](shop.py).\n"})
    report, _ = audit(drawing, "none")
    assert score(report, "correctness") is None
