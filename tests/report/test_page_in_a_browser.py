"""Record and comparison pages in Chromium: no request, nothing too wide, nothing that axe-core finds serious."""

from __future__ import annotations

import pytest

from auditor.domain import AuditReport
from auditor.report import comparison_pages
from auditor.report.html_report import html
from tests.comparisons import hostile_pair
from tests.report.browser import Seen, browse, loaded, missing, serious, too_wide
from tests.report.test_page import with_graph
from tests.reports import LINKS, contested, typical

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing")

RECORDS: dict[str, AuditReport] = {"typical": typical(), "contested": contested(), "graph": with_graph()}


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


def test_axe_finds_nothing_serious(seen: Seen) -> None:
    assert serious(seen) == []


def test_axe_would_find_text_without_contrast(seen: Seen) -> None:
    """The rules ran: each page passed the one on contrast, which needs a browser that draws."""
    assert all("color-contrast" in each["passed"] for each in seen)
