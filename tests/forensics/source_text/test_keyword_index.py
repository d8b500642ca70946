"""Words that are looked for all at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from auditor.forensics.source_text import keyword_index
from auditor.forensics.source_text.site_probe_types import Text

PIECES = ("zab", "zabra", "abr", "cadabra", "Zab", "bcad", "é", "zabrazab")
WATCHED = keyword_index.register_keywords(*PIECES)


def test_a_word_is_found_by_itself_within_another_and_across_another() -> None:
    assert Text("zabracadabra", "python").said(WATCHED) == {"zab", "zabra", "abr", "cadabra"}


def test_a_word_in_other_letters_is_not_found() -> None:
    assert not Text("zaB ABR Cada", "python").says(WATCHED)


def test_of_the_words_that_stand_there_only_those_asked_for_are_told() -> None:
    assert Text("zab cadabra", "python").said(keyword_index.register_keywords("zab")) == {"zab"}


@given(st.lists(st.sampled_from((*PIECES, " ", "\n", "b", "z", "ü", "\udc80")), max_size=12).map("".join))
def test_what_is_told_is_what_a_search_for_each_word_finds(text: str) -> None:
    assert Text(text, "python").said(WATCHED) == {word for word in PIECES if word in text}


def test_a_word_that_is_told_later_is_found_in_a_text_that_was_asked_before() -> None:
    text = Text("hocus pocus zab", "python")
    text.says(WATCHED)
    assert text.says(keyword_index.register_keywords("pocus"))


def test_half_a_pair_of_utf_16_hides_no_word() -> None:
    assert Text("\ud83d zab", "python").says(WATCHED)


def test_words_that_are_told_later_are_looked_for_with_the_others_and_the_same_again_changes_nothing() -> None:
    search = keyword_index.KeywordSearch(["zab"])
    assert search.standing("zab abr") == {"zab"}
    search.add(["abr"])
    search.add(["abr", "zab"])
    assert search.standing("zab abr") == {"zab", "abr"}
    assert len(search) == 2


def test_more_than_a_hundred_words_are_found_and_none_stand_where_none_is_looked_for() -> None:
    many = [f"word{number};" for number in range(400)]
    assert keyword_index.KeywordSearch(many).standing("word7; word399; word40") == {"word7;", "word399;"}
    assert keyword_index.KeywordSearch().standing("word7;") == frozenset()


def test_names_in_letters_that_python_takes_for_plain_ones_are_found_and_only_in_python() -> None:
    assert Text("\uff5a\uff41b", "python").said(WATCHED) == {"zab"}
    assert Text("\U0001d4cf\u1d43b", "python").said(WATCHED) == {"zab"}
    assert not Text("\uff5a\uff41b", "javascript").says(WATCHED)
    assert not Text("z\u00e4b \u0437ab", "python").says(WATCHED)  # an umlaut, and a letter of Cyrillic, are others
