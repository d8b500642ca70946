"""The quoted line beside a finding says more than its statement, or there is none."""

from __future__ import annotations

import pytest

from auditor.domain import CodeLocation, Excerpt, ExhibitLine, LineMark, Side
from auditor.report.code_lines import CodeFinder
from auditor.report.telling_line import telling_line
from tests.reports import typical

CODE = ["@Test", '@DisplayName("mocks")', "void mocks_a_singleton() throws Exception {", "    run();"]


def told(statement: str, quote: str, lines: list[str], side: Side = Side.HEAD) -> str:
    mark = LineMark.REMOVED if side is Side.BASE else LineMark.KEPT
    rows = tuple(ExhibitLine(number=number, text=text, mark=mark) for number, text in enumerate(lines, start=5))
    excerpts = (Excerpt(path="a.java", side=side, lines=rows),) if rows else ()
    place = CodeLocation(path="a.java", start=5, end=5 + max(0, len(lines) - 1), quote=quote, side=side)
    return telling_line(statement, place, CodeFinder(typical().model_copy(update={"excerpts": excerpts})))


@pytest.mark.parametrize(
    ("statement", "quote", "line"),
    [
        ("Exit status of `subprocess.call` is never checked", "subprocess.call([path])", "subprocess.call([path])"),
        ("`except Exception` catches everything", "except  Exception as error:", "except Exception as error:"),
        ("Public class `LazyFile` was removed.", "LazyFile", ""),
        ("Test removed: `test_a`.", "def test_a", ""),
        ("Broken link (no such file): `b/c.md#d`.", "b/c.md#d", ""),
        ("No assertions in a test", "@Test", ""),
    ],
)
def test_without_code_in_the_record_the_quote_is_shown_unless_it_only_repeats_the_statement(
    statement: str, quote: str, line: str
) -> None:
    assert told(statement, quote, []) == line


def test_of_a_test_the_signature_is_shown_and_not_its_annotation() -> None:
    assert told("No assertions in a test", "@Test", ["@Test", "public void mocks() {"]) == "public void mocks() {"
    assert (
        told("No assertions in a test", "#[tokio::test]", ["#[tokio::test]", "async fn mocks() {"])
        == "async fn mocks() {"
    )
    assert told("No assertions in a test", "@Test", CODE) == "void mocks_a_singleton() throws Exception {"
    assert told("Test is now skipped", '@pytest.mark.skip("flaky")', CODE) == '@pytest.mark.skip("flaky")'


@pytest.mark.parametrize("side", list(Side))
def test_in_place_of_a_bare_name_the_line_of_code_is_shown(side: Side) -> None:
    said = "New function `parse` has 20 branches (limit 15)."
    assert told(said, "parse", ["fn parse(text: &str) -> Node {"], side) == "fn parse(text: &str) -> Node {"
    assert told(said, "parse", ["fn parse("], side) == ""


def test_a_finding_without_a_place_has_no_line() -> None:
    assert telling_line("No tests for 9 new lines.", None, CodeFinder(typical())) == ""
    assert telling_line("No tests.", CodeLocation(path="a.py"), CodeFinder(typical())) == ""
