"""Escapes stand for the characters that the language of a text says, and what stands for none stays."""

from __future__ import annotations

import time

import pytest

from auditor.constant_folding.escape_sequences import (
    NAME_ESCAPES,
    NUMBER_ESCAPES,
    decode_escapes,
    decode_with_numbers,
    string_escapes,
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"a\nb\tc", "a\nb\tc"),
        (r"\x41\u0042\u{43}\U00000044\105\0", "ABCDE\0"),
        (r"\uuu0041", "A"),
        (r"\ud83d\ude00", "\U0001f600"),
        ("a\\\nb\\\r\nc", "abc"),
        (r"\\n\"\q", r"\n" + '"q'),
        (r"\\u0041", r"\u0041"),
        ("no escape", "no escape"),
    ],
)
def test_an_escape_of_a_string_is_the_character_it_stands_for(written: str, meant: str) -> None:
    assert decode_escapes(written, string_escapes()) == meant


@pytest.mark.parametrize(("letters", "meant"), [("bfnrtv", "a-e-s"), ("abefnrstv", "\a-\x1b- "), ("", "a-e-s")])
def test_a_letter_is_a_control_character_where_the_language_has_it(letters: str, meant: str) -> None:
    assert decode_escapes(r"\a-\e-\s", string_escapes(letters)) == meant


@pytest.mark.parametrize(
    ("written", "meant"), [(r"f\u0061b", "fab"), (r"\u{61}", "a"), (r"A\x61\n\App", r"A\x61\n\App")]
)
def test_a_name_has_escapes_of_four_digits_and_more(written: str, meant: str) -> None:
    assert decode_escapes(written, NAME_ESCAPES) == meant


def test_of_a_line_with_strings_only_numbers_are_replaced() -> None:
    assert decode_escapes(r"a: \"p\x75ll\u005fx\" \n \d", NUMBER_ESCAPES) == r"a: \"pull_x\" \n \d"


@pytest.mark.parametrize("written", [r"\ud83d", r"\ude00\ud83d", r"\u{110000}", r"\UFFFFFFFF"])
@pytest.mark.parametrize("syntax", [string_escapes(), NAME_ESCAPES, NUMBER_ESCAPES])
def test_a_number_of_no_character_stays_as_it_is_written(written: str, syntax: object) -> None:
    decoded = decode_escapes(written, syntax)  # type: ignore[arg-type]
    assert decoded == written
    assert decoded.encode()


@pytest.mark.parametrize("written", ["\\", "\\x4", "\\u12", "\\u{", "\\u{1234567}", "\\U0001", "x\\"])
def test_a_broken_escape_does_no_harm(written: str) -> None:
    assert decode_escapes(written, string_escapes()).encode()
    assert decode_escapes(written, NAME_ESCAPES) == written
    assert decode_escapes(written, NUMBER_ESCAPES) == written


@pytest.mark.parametrize("piece", ["\\", "\\u", "\\ud83d", "\\u{1", "\\u" + "u" * 50, "\\x41", "\\U", "u" * 9])
def test_a_megabyte_of_escapes_takes_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    for syntax in (string_escapes(), NAME_ESCAPES, NUMBER_ESCAPES):
        decode_escapes(text, syntax)
    assert time.process_time() - started < 5


def test_what_was_written_by_its_number_is_told_from_the_rest() -> None:
    assert decode_with_numbers(r"e\x76al\n\x20", string_escapes()) == ("eval\n ", "v ")
