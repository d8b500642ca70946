"""Descriptions of languages and their rows are closed, sorted and complete; every mistake is named with its line."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from auditor import strict_yaml
from auditor.domain import UserError
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.languages.described_languages import DESCRIPTIONS, described_languages
from auditor.forensics.languages.language_loader import load_language
from auditor.forensics.languages.named_values import Definitions, Scope
from auditor.forensics.languages.rule_loader import SHARED_FILE, rules_of_rows
from auditor.forensics.languages.rule_rows import QuestionFile
from auditor.forensics.library_models.file_sections import python_section, question_files, rows_of_language
from auditor.forensics.library_models.named_patterns import UnknownName
from tests.forensics.languages.description_checks import description_mistakes, names_used, row_mistakes

FILES = {path.stem: path for path in question_files()}
ROWS = """\
python:
  some: []
other_languages:
  question: code.weak_hash
  sources:
    go: https://pkg.go.dev/crypto/md5
    java: https://docs.oracle.com/
  patterns:
    digest: 'md5|{digit}'
    digit: '\\d{1,3}'
  lists:
    makers: [one, two]
  forms:
    named:
      - when: [{argument: given, matches: '{digest}'}]
        statement: Weak hash
        confidence: 0.5
        reason: not followed
  calls:
    - languages: [go]
      names: ['{makers}', three]
      form: named
      argument: 2
    - languages: [java]
      names: [four]
      when: [{argument: receiver, reads: '^{dynamic}$'}]
      statement: Weak hash of {call}
      confidence: 0.7
      reason: not followed
  nodes:
    - languages: [go]
      kinds: [selector_expression]
      statement: Weak hash
      confidence: 0.9
      reason: not followed
"""


def rules(text: str, language: str = "go") -> list[Any]:
    """The rules of a language in a text."""
    file, lines = strict_yaml.parse_with_lines(QuestionFile, rows_of_language(text, language), "t.yaml")
    return list(rules_of_rows(file.other_languages, lines, language, Definitions())[0])


@pytest.mark.parametrize("language", described_languages())
def test_a_description_names_only_what_its_grammar_has(language: str) -> None:
    path = DESCRIPTIONS / f"{language}.yaml"
    assert description_mistakes(path.read_text(encoding="utf-8"), path.name) == []


@pytest.mark.parametrize("topic", FILES)
def test_rows_are_sorted_sourced_and_use_what_they_name(topic: str) -> None:
    assert row_mistakes(FILES[topic].read_text(encoding="utf-8"), FILES[topic].name) == []


def test_each_question_is_a_rule_and_has_one_file() -> None:
    asked = [yaml.safe_load(path.read_text(encoding="utf-8"))["other_languages"]["question"] for path in FILES.values()]
    assert len(asked) == len(set(asked))
    assert set(asked) <= discover_probes().keys()


def test_what_is_shared_is_used_and_every_own_definition_of_a_language_is() -> None:
    texts = [
        yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in (*FILES.values(), *DESCRIPTIONS.glob("*.yaml"), SHARED_FILE)
    ]
    used = set().union(*map(names_used, texts))
    defined = {name for text in texts for table in ("patterns", "lists", "conditions") for name in text.get(table, ())}
    assert defined <= used


@pytest.mark.parametrize("language", described_languages())
def test_every_pattern_of_a_language_compiles(language: str) -> None:
    found = list(_patterns(load_language(language)))
    assert found
    assert all(each.groups >= 0 for each in found)


def _patterns(value: Any) -> Iterator[Any]:
    if hasattr(value, "finditer"):
        yield value
    elif dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from _patterns(getattr(value, each.name))
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _patterns(each)


def test_a_row_becomes_a_rule_with_its_names_looked_up() -> None:
    (call, node) = rules(ROWS)
    assert call.names == ("one", "two", "three")
    assert (call.when[0].place, call.when[0].form.pattern) == (2, r"md5|\d{1,3}")
    assert call.when[0].form.search("\nmd5")
    assert (node.kind, node.confidence) == ("selector_expression", 0.9)
    (other,) = rules(ROWS, "java")
    assert other.when[0].reads.pattern == "^\0$"
    assert row_mistakes(ROWS, "t.yaml") == []


def test_rows_of_other_languages_are_not_read_and_lines_keep_their_numbers() -> None:
    broken = ROWS.replace("names: [four]", "nmes: [four]")
    assert len(rules(broken)) == 2
    with pytest.raises(UserError, match=r"^t\.yaml:25: unknown key 'nmes'"):
        rules(broken, "java")
    for cut in (rows_of_language(ROWS, "go"), python_section(ROWS)):
        assert cut.count("\n") == ROWS.count("\n")
    assert "other_languages" not in python_section(ROWS)
    assert yaml.safe_load(python_section(ROWS)) == {"python": {"some": []}}


@pytest.mark.parametrize(
    ("written", "wrong", "mistake"),
    [
        ("'md5|{digit}'", "'md5|{digits}'", "t.yaml:20: no pattern is called 'digits'; did you mean 'digit'?"),
        (r"'\d{1,3}'", "'{digest}'", "t.yaml:20: patterns refer to each other in a circle."),
        ("'{makers}'", "'{maker}'", "t.yaml:20: no list is called 'maker'; did you mean 'makers'?"),
        ("form: named", "form: nmed", "t.yaml:20: no form is called 'nmed'."),
        ("      argument: 2\n", "\n", "t.yaml:20: a row of this form names its `argument`."),
        ("      argument: 2", "      argument: nowhere", "t.yaml:20: 'nowhere' is no argument."),
        (
            "      argument: 2",
            "      confidence: 0.5",
            "t.yaml:20: other_languages.calls.0: beside `form`, a row may only have",
        ),
        ("question: ", "qestion: ", "t.yaml:4: unknown key 'qestion'; did you mean 'question'?"),
    ],
)
def test_a_mistake_in_a_row_is_named_with_its_line(written: str, wrong: str, mistake: str) -> None:
    with pytest.raises(UserError) as caught:
        rules(ROWS.replace(written, wrong))
    assert any(line.startswith(mistake) for line in str(caught.value).splitlines()), str(caught.value)


@pytest.mark.parametrize(
    ("written", "wrong", "mistake"),
    [
        ("    java: https://docs.oracle.com/\n", "", "t.yaml:5: no source for 'java'."),
        ("    go: https", "    c: https://example.org/\n    go: https", "t.yaml:6: no row is for 'c'."),
        (
            "selector_expression",
            "selector_expresion",
            "t.yaml:31: the grammar of go has no node kind 'selector_expresion'.",
        ),
        (
            "[four]",
            "[four]\n      unless: [{argument: 0, kinds: [strng]}]",
            "t.yaml:24: the grammar of java has no node kind 'strng'.",
        ),
        ("'{makers}', ", "", "t.yaml:12: nothing uses 'makers'."),
        (
            "    digest: ",
            "    zigest: 'a'\n    digest: ",
            "t.yaml:10: names are sorted: 'digest' belongs before 'zigest'.",
        ),
        (
            "    - languages: [java]\n",
            "    -\n      languages: [java]\n",
            "t.yaml:3: each row begins with `- languages: [...]`",
        ),
    ],
)
def test_what_no_schema_knows_is_named_with_its_line(written: str, wrong: str, mistake: str) -> None:
    found = row_mistakes(ROWS.replace(written, wrong), "t.yaml")
    assert any(each.startswith(mistake) for each in found), found


def test_rows_out_of_order_are_named_with_their_line() -> None:
    turned = ROWS.replace("languages: [go]\n      names", "languages: [rust]\n      names")
    assert any(each.startswith("t.yaml:24: rows are sorted by language") for each in row_mistakes(turned, "t.yaml"))


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("functions: [function_declaraton]", "t.yaml:2: the grammar has no node kind 'function_declaraton'."),
        ("calls: {call_expression: functon}", "t.yaml:2: the grammar has no field 'functon'."),
        ("arguments: argument_lists", "t.yaml:2: the grammar has no field 'argument_lists'."),
        ("strings: {assignments: {var_spec: [name, valeu]}}", "t.yaml:2: the grammar has no field 'valeu'."),
        (
            "strings: {transparent: {parenthesised_expression: ''}}",
            "t.yaml:2: the grammar has no node kind 'parenthesised_expression'.",
        ),
        ("tests: {function_kinds: [func_literals]}", "t.yaml:2: the grammar has no node kind 'func_literals'."),
        ("lists: {b: [one], a: [two]}", "t.yaml:2: names are sorted: 'a' belongs before 'b'."),
    ],
)
def test_a_mistake_in_a_description_is_named_with_its_line(line: str, mistake: str) -> None:
    assert description_mistakes(f"grammar: {{package: tree_sitter_go}}\n{line}\n", "t.yaml") == [mistake]


def test_arguments_may_be_named_by_their_kind_where_they_are_in_no_field() -> None:
    assert description_mistakes("grammar: {package: tree_sitter_go}\narguments: argument_list\n", "t.yaml") == []


def test_an_unknown_key_of_a_description_is_named_with_what_was_meant() -> None:
    with pytest.raises(
        UserError, match=r"^t\.yaml:2: unknown key 'identity_method'; did you mean 'identity_methods'\?"
    ):
        description_mistakes("grammar: {package: tree_sitter_go}\nstrings: {identity_method: x}\n", "t.yaml")


def test_a_brace_that_is_escaped_or_counts_is_no_name() -> None:
    scope = Scope((Definitions(patterns={"word": "one"}),))
    assert scope.expand(r"\{word}{word}x{2,3}[{]\\{word}") == r"\{word}onex{2,3}[{]\\one"
    with pytest.raises(UnknownName):
        scope.expand("{wrd}")


def test_a_pattern_that_grows_without_end_is_refused() -> None:
    doubling = {f"p{n}": f"{{p{n - 1}}}" * 2 for n in range(1, 18)} | {"p0": "ab"}
    with pytest.raises(UnknownName, match="longer than"):
        Scope((Definitions(patterns=doubling),)).expand("{p17}")
