"""How sensitive lines are shown: short, without a word of fault, and not at all where there are none."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from auditor.domain import AuditReport, SensitiveArea, SensitiveLines
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import MAX_BYTES, comment
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.sarif_report import sarif
from auditor.report.sensitive_summary import TITLE
from auditor.report.terminal_report import print_verdict
from auditor.synthesis import replay
from tests.reports import LINKS, line, typical


def printed(report: AuditReport) -> str:
    console = Console(file=io.StringIO(), width=100)
    print_verdict(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def surfaces(report: AuditReport) -> dict[str, str]:
    return {
        "comment": comment(report, LINKS),
        "check": check_output(report, LINKS).summary,
        "summary": summary(report, LINKS),
        "markdown": markdown(report),
        "html": html(report, LINKS),
        "terminal": printed(report),
    }


def with_areas(areas: int, places: int, path: str = "a.py", unread: int = 0) -> AuditReport:
    made = tuple(
        SensitiveArea(
            area=f"area_{each}",
            does=f"does thing {each}",
            places=tuple(line(path, number, "x()") for number in range(1, places + 1)),
        )
        for each in range(areas)
    )
    return typical().model_copy(update={"sensitive_lines": SensitiveLines(areas=made, unread_files=unread)})


def test_every_surface_lists_them_and_none_does_where_there_are_none() -> None:
    assert {name for name, text in surfaces(with_areas(1, 1)).items() if TITLE in text} == set(surfaces(typical()))
    assert not [name for name, text in surfaces(with_areas(0, 0)).items() if "ensitive line" in text]


def test_a_comment_has_six_areas_with_three_places_and_names_the_rest() -> None:
    text = comment(with_areas(8, 5), LINKS)
    assert text.count("- does thing") == 6
    assert text.count("a.py:1`") == 6
    assert text.count(" and 2 more") == 6
    assert "The change also does thing 6; does thing 7." in text


def test_files_that_were_not_searched_are_named_alone() -> None:
    for text in surfaces(with_areas(0, 0, unread=2)).values():
        assert "2 files were too large to search for sensitive lines." in " ".join(text.split())


def test_paths_without_end_leave_the_areas_in_the_comment() -> None:
    text = comment(with_areas(6, 3, "\u00e9/" * 2_000 + "a.py"), LINKS)
    assert len(text.encode()) <= MAX_BYTES
    assert text.count("- does thing") == 6


@pytest.mark.parametrize("areas", [0, 6])
def test_they_change_neither_verdict_nor_sarif(areas: int) -> None:
    report = with_areas(areas, 3)
    assert replay(report).same
    assert sarif(report) == sarif(typical())
