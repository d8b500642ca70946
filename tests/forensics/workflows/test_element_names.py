"""Statements about workflows name the code elements that their lines hold."""

from __future__ import annotations

import pytest

from auditor.forensics.probe_kit.fact_outcomes import code_location, found
from auditor.forensics.workflows.element_names import with_element_names


def named(statement: str, *quotes: str) -> str:
    places = [code_location(".github/workflows/ci.yml", 3, quote=each) for each in quotes]
    return with_element_names(found(statement, at=places)).statement


@pytest.mark.parametrize(
    ("statement", "line", "expected"),
    [
        ("{expressions}", "run: echo ${{ github.event.issue.title }}", "`${{ github.event.issue.title }}`"),
        ("{expressions}", "run: ${{ runner.os }} ${{ github.head_ref }}", "`${{ github.head_ref }}`"),
        ("{expressions}", "run: ${{ matrix.x }}", "`${{ matrix.x }}`"),
        ("{expressions}", "run: |", "an expression"),
        ("{actions}", "- uses: 'a/b@v1'  # pinned later", "`a/b@v1`"),
        ("{actions}", "uses: docker://alpine:3", "`docker://alpine:3`"),
        ("{actions}", "image: alpine", "an action"),
        ("{permissions}", "contents: write", "`contents: write`"),
        ("{permissions}", "permissions: write-all", "`permissions: write-all`"),
        ("{permissions}", "contents: read", "a permission"),
        ("{secrets}", "TOKEN: ${{ secrets.TOKEN }}", "`TOKEN`"),
        ("{secrets}", "TOKEN: abc", "a secret"),
        ("{workflows}", "on: push", "`ci.yml`"),
        ("Nothing to name.", "uses: a/b@v1", "Nothing to name."),
    ],
)
def test_the_elements_of_a_line_are_named_where_the_statement_asks_for_them(
    statement: str, line: str, expected: str
) -> None:
    assert named(statement, line) == expected


def test_equal_names_are_listed_once_and_many_are_counted() -> None:
    lines = [f"uses: a/{name}@v1" for name in "bbcdef"]
    assert named("{actions}", *lines) == "`a/b@v1`, `a/c@v1`, `a/d@v1` and 2 more"


def test_a_hostile_line_neither_ends_the_code_marks_nor_makes_a_name_long() -> None:
    assert named("{expressions}", "${{ `x` }}") == "`${{ 'x' }}`"
    assert len(named("{actions}", f"uses: {'a' * 400}@v1")) < 70
