"""What rules, reports and errors say is written in plain words, and the list of it is complete enough to be read."""

from __future__ import annotations

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from tests.plain_words import ruled_out
from tests.statements import LONGEST, docstring_lines, faults, main, package_texts, page_texts, sentences, statements

MAX_LENGTH = 110


def test_no_statement_and_no_page_of_a_rule_contains_a_ruled_out_word() -> None:
    assert faults([*statements(), *page_texts()]) == {}


def test_no_other_text_of_the_package_contains_a_ruled_out_word() -> None:
    assert faults(package_texts()) == {}


def test_no_statement_is_longer_than_a_line() -> None:
    assert [each for each in statements() if len(each.text) > MAX_LENGTH] == []


def test_the_list_has_statements_of_nearly_every_rule_and_names_the_rules() -> None:
    named = {rule for each in statements() for rule in each.where.split(", ")}
    missing = set(discover_probes()) - named
    assert len(missing) < len(discover_probes()) / 4, "their statements are in the rooms that they ask"
    assert {each.where for each in page_texts()} == set(discover_probes())


def test_sentences_are_read_with_gaps_and_without_docstrings_patterns_and_single_words() -> None:
    source = '''def f(name):
    """This is a docstring."""
    return f"The call of {name} is never checked", "one two", r"\\bthis is a pattern", "No call stands here"
'''
    assert list(sentences(source)) == ["The call of {...} is never checked", "No call stands here"]
    assert list(docstring_lines(source)) == ["", "This is a docstring."]


def test_ruled_out_words_are_seen_outside_of_code_and_quotations() -> None:
    assert ruled_out("It stands there, and whoever mends it tells nobody.") == ["stands", "whoever", "mends", "tells"]
    assert ruled_out('A name stands for a value that comes from `whoever`, or "stands" somewhere.') == []


def test_the_command_prints_statements_the_longest_and_ruled_out_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    printed = capsys.readouterr().out
    assert "\ncode.no_timeout\n" in printed
    assert f" statements. The longest {LONGEST}:\n" in printed
    assert printed.endswith("\nRuled-out words: 0\n")
