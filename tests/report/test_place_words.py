"""Places in words: the lines of a file together, other files by name, and the side of the change once."""

from __future__ import annotations

import pytest

from auditor.domain import CodeLocation, CommitLocation, DocumentLocation, Location, Side
from auditor.report.place_words import describe_place, further_places, side_note


def line(path: str, start: int | None, side: Side = Side.HEAD) -> CodeLocation:
    return CodeLocation(path=path, start=start, end=start, side=side)


def commits(count: int) -> list[CommitLocation]:
    return [CommitLocation(sha=f"{number:x}" * 40) for number in range(count)]


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([], ""),
        ([line("a.py", 3)], ""),
        ([line("a.py", 3), line("a.py", 3)], ""),
        ([line("a.py", 3), line("a.py", 9)], ", also line 9"),
        ([line("a.py", each) for each in (3, 9, 12)], ", also lines 9 and 12"),
        ([line("a.py", each) for each in (3, 9, 12, 14, 20, 31)], ", also lines 9, 12, 14 and 2 more, all listed in the report"),
        ([line("a.py", 3), line("b.py", 9)], ", also <b.py:9>"),
        ([line("a.py", 3), line("a.py", 9), line("b.py", 1)], ", also <a.py:9> and <b.py:1>"),
        ([line(f"{each}.py", None) for each in "abcdef"], ", also <b.py>, <c.py> and 3 more files, all listed in the report"),
        ([line(f"{each}.py", 1) for each in "abcdef"], ", also <b.py:1>, <c.py:1> and 3 more places, all listed in the report"),
        ([line("a.py", 3, Side.BASE)], " (before the change)"),
        ([line("a.py", each, Side.BASE) for each in (3, 9)], ", also line 9 (before the change)"),
        ([line("a.py", 3, Side.BASE), line("b.py", 9)], " (before the change), also <b.py:9>"),
        ([line("a.py", 3), line("a.py", 9, Side.BASE)], ", also <a.py:9> (before the change)"),
        (commits(2), ", also <commit 1111111111>"),
        ([DocumentLocation(path="a.pdf", page=each) for each in range(1, 7)], ", also <a.pdf, page 2>, <a.pdf, page 3> and 3 more pages, all listed in the report"),
    ],
)  # fmt: skip
def test_what_follows_the_first_place_names_a_few_more_and_counts_the_rest(places: list[Location], words: str) -> None:
    assert further_places(places, lambda each: f"<{describe_place(each)}>") == words


def test_only_a_place_that_the_change_removes_says_so() -> None:
    assert side_note(line("a.py", 3, Side.BASE)) == " (before the change)"
    assert side_note(line("a.py", 3)) == side_note(commits(1)[0]) == ""
