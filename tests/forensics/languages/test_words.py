"""Words that rules of a language cannot do without are looked for all at once, and hide nothing."""

from __future__ import annotations

import pytest

from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.javascript_imports import _MODULES
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.language_rule_types import CallRule, NodeRule
from auditor.forensics.languages.language_type import Language
from auditor.forensics.source_text.file_outline import RunCondition

EVAL = "code.dynamic_code"


def _asked(language: Language) -> set[str]:
    """All words that some rule asks for."""
    asked = set(language.value_keywords | language.imported)
    for each in language.rules:
        if isinstance(each, NodeRule):
            asked.update(*each.needs, map(bytes.decode, each.beside))
        elif isinstance(each, CallRule):
            asked.update(map(bytes.decode, each.beside))
            asked.update(*(words for wanted in each.followed for words, either in wanted.needs if not either))
    return asked


@pytest.mark.parametrize("name", covered_languages())
def test_every_word_that_a_rule_asks_for_is_looked_for(name: str) -> None:
    language = covered_languages()[name]
    asked = _asked(language)
    assert asked <= language.words.standing("\0".join(sorted(asked)))


@pytest.mark.parametrize("name", covered_languages())
def test_a_file_that_holds_no_word_is_asked_for_no_rare_piece_and_no_value(name: str) -> None:
    language = covered_languages()[name]
    said = language.words.standing("")
    assert not said
    assert not any(each.can_match(said) for rules in language.rare_node_rules.values() for each in rules)
    assert language.value_keywords.isdisjoint(said)


@pytest.mark.parametrize("name", covered_languages())
def test_a_file_with_what_a_rare_piece_cannot_do_without_is_asked_for_it(name: str) -> None:
    language = covered_languages()[name]
    for rules in language.rare_node_rules.values():
        for each in rules:
            said = language.words.standing("\0".join(max(words) for words in each.needs))
            assert each.can_match(said)
            assert not language.rare_node_keywords.isdisjoint(said)


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ("export const one = <b>two</b>\n", True),
        ("export const one = <b />\n", True),
        ("export const one = <T>(two: T) => <T>two\n", False),
    ],
)
def test_a_file_without_the_end_of_any_element_is_read_as_one_without_markup(source: str, marked: bool) -> None:
    language = covered_languages()["typescript"]
    said = language.words.standing(source)
    assert language.dialect_keywords.isdisjoint(said) is not marked
    assert scan_file(source.encode(), language, language.probes).reason == ""


@pytest.mark.parametrize("body", ["t.todo()", "pending('later')", "this.skip()", "await test.fixme(true)"])
def test_a_test_that_stops_at_its_beginning_is_known_by_a_word_that_its_file_holds(body: str) -> None:
    language = covered_languages()["typescript"]
    seen = scan_file(f"it('adds', () => {{ {body}; expect(1).toBe(one) }})\n".encode(), language, language.probes)
    assert seen.outline is not None
    assert [each.runs for each in seen.outline.tests] == [RunCondition.NEVER]


@pytest.mark.parametrize(
    "text", ["t.okay(one)", "t.equals(one, 1)", "t.trueish(one)", "expectType<One>(one)", "one.should.be"]
)
def test_what_counts_as_a_check_checks_something(text: str) -> None:
    testing = covered_languages()["typescript"].test_syntax
    assert testing is not None
    assert testing.is_counted_always_check
    assert testing.counting.occurs(text) <= testing.checks_search.occurs(text)


@pytest.mark.parametrize("module", _MODULES)
@pytest.mark.parametrize("form", ["from '{}'", 'from "{}"', "from 'node:{}'", 'from "node:{}"'])
def test_a_module_that_rules_speak_of_is_known_however_it_is_quoted(module: str, form: str) -> None:
    language = covered_languages()["typescript"]
    said = language.words.standing(f"import one {form.format(module)}")
    assert not language.imported.isdisjoint(said)


def test_another_name_for_what_runs_text_is_known_without_any_module_and_that_of_another_function_is_not() -> None:
    language = covered_languages()["typescript"]
    for source, lines in (
        ("const run = eval\nrun(text + other)\n", [2]),
        ("const run = globalThis.eval\nrun(text + other)\n", [2]),
        ("const run = evaluate\nrun(text + other)\n", []),
    ):
        assert [site.line for site in scan_file(source.encode(), language, language.probes).sites[EVAL]] == lines


def test_a_word_behind_what_is_no_utf_8_is_found() -> None:
    language = covered_languages()["typescript"]
    content = b"// \xff\xe2\nimport { exec } from 'child_process'\nexec(`rm ${name}`)\n"
    assert [site.line for site in scan_file(content, language, language.probes).sites["code.shell_execution"]] == [3]
