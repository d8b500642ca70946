"""Record and comparison pages in Chromium: no request, nothing too wide, nothing that axe-core finds serious."""

from __future__ import annotations

import pytest

from auditor.domain import AuditReport
from auditor.report import comparison_pages
from auditor.report.html_report import html
from tests.comparisons import hostile_pair
from tests.report.browser import Seen, broken, browse, loaded, missing, serious, too_wide
from tests.report.test_page import with_graph
from tests.reports import LINKS, contested, typical

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing")


def many_criteria() -> AuditReport:
    """The typical record with a finding in each of eleven more criteria, so that its tables are wider than a phone."""
    report = typical()
    criterion = next(each for each in report.rubric.definition.criteria if each.id == "documentation")
    ruling = next(each for each in report.verdict.rulings if each.criterion == criterion.id)
    finding = next(each for each in report.evidence if each.id == "docs.paths_exist#1")
    asked = next(each for each in criterion.evidence if each.probe == finding.probe)
    criteria, rulings, evidence = [], [], []
    for number in range(11):
        name, probe = f"{criterion.id}_{number}", f"{finding.probe}_{number}"
        expectation = asked.model_copy(update={"probe": probe})
        criteria.append(criterion.model_copy(update={"id": name, "evidence": (expectation,)}))
        rulings.append(ruling.model_copy(update={"criterion": name}))
        evidence.append(finding.model_copy(update={"id": f"{probe}#1", "probe": probe}))
    definition = report.rubric.definition
    definition = definition.model_copy(update={"criteria": (*definition.criteria, *criteria)})
    return report.model_copy(
        update={
            "rubric": report.rubric.model_copy(update={"definition": definition}),
            "verdict": report.verdict.model_copy(update={"rulings": (*report.verdict.rulings, *rulings)}),
            "evidence": (*report.evidence, *evidence),
        }
    )


RECORDS: dict[str, AuditReport] = {
    "typical": typical(),
    "contested": contested(),
    "graph": with_graph(),
    "many": many_criteria(),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("pages")
    pages = {name: html(record, LINKS) for name, record in RECORDS.items()}
    pages["comparison"] = comparison_pages.html(hostile_pair("plain words"))
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return browse([folder / f"{name}.html" for name in pages])


def test_a_page_asks_for_nothing_and_breaks_no_policy(seen: Seen) -> None:
    assert loaded(seen) == []


def test_a_page_is_no_wider_than_the_window(seen: Seen) -> None:
    assert too_wide(seen) == []


def test_no_word_in_a_table_is_cut_in_two(seen: Seen) -> None:
    assert broken(seen) == []


def test_axe_finds_nothing_serious(seen: Seen) -> None:
    assert serious(seen) == []


def test_axe_would_find_text_without_contrast(seen: Seen) -> None:
    """The rules ran: each page passed the one on contrast, which needs a browser that draws."""
    assert all("color-contrast" in each["passed"] for each in seen)
