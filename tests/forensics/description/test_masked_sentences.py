"""Sentences whose names and files are masked."""

from __future__ import annotations

from auditor.forensics.description.change_contents import Sentence
from auditor.forensics.description.code_name_claims import MAX_NAMES, Parsed
from auditor.forensics.description.masked_sentences import CLOSE, OPEN, numbers


def test_what_is_masked_is_told_by_the_piece_of_text_that_it_stands_in() -> None:
    read = Parsed(Sentence(1, "`load` calls `save`"))

    first, second = read.text.split(" calls ")
    assert [each.text for each in read.of(first)] == ["load"]
    assert [each.text for each in read.of(second)] == ["save"]
    assert read.of(" calls ") == []


def test_a_text_that_holds_the_marks_itself_masks_nothing_by_them() -> None:
    read = Parsed(Sentence(1, f"{OPEN}0{CLOSE} calls `save`"))

    assert [each.text for each in read.of(read.text)] == ["save"]


def test_behind_the_first_so_many_names_stay_as_they_are_written() -> None:
    read = Parsed(Sentence(1, " ".join(f"`name_{number}`" for number in range(MAX_NAMES + 1))))

    assert numbers(read.text) == list(range(MAX_NAMES))
    assert read.text.endswith(f"`name_{MAX_NAMES}`")
