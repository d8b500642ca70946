"""Forms that are found by words: what they cannot do without, and that looking for it hides nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch, shared_substrings
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.language_rule_types import HandlerRule, NodeRule


@pytest.mark.parametrize(
    ("form", "starts"),
    [
        (r"\bexpect\(\s*true\)", ("expect(",)),
        (r"\b(?:expect|assert)\w*\(|\.should\b", ("expect", "assert", ".should")),
        (r"[xf]?it\(", ("it(", "fit(", "xit(")),
        (r"(?:await\s+)?this\.skip", ("await", "this.skip")),
        (r"(?:ab)+c", ("ab",)),
        (r"a{0,2}b", ("a", "b")),
        (r"(?i:Assert)\.", ("assert.",)),
        (r"(?<!\w)a(?=b)c", ("ac",)),
        (r"\w+\.Error\(", ()),
        (r"x?", ()),
        (r"a|", ()),
    ],
)
def test_what_fits_a_form_begins_with_one_of_its_words(form: str, starts: tuple[str, ...]) -> None:
    assert set(PatternSearch(re.compile(form)).prefixes) == set(starts)


@pytest.mark.parametrize(
    ("form", "needs"),
    [
        (r"\w+\.(?:Error|Fatal)\(", (".Error(", ".Fatal(")),
        (r"^\s*(?:curl|wget)\b", ("curl", "wget")),
        (r"\w+(?:one|two)|\d+three", ("one", "two", "three")),
        (r"(?:\w+one)+", ("one",)),
    ],
)
def test_what_fits_a_form_holds_one_of_its_words(form: str, needs: tuple[str, ...]) -> None:
    assert set(PatternSearch(re.compile(form)).needs[0]) == set(needs)


@pytest.mark.parametrize("form", [r"\w+", r"(?:one)?", r"one|\d", r"[abc]{0,3}", r"one|"])
def test_a_form_that_can_do_without_any_word_needs_none(form: str) -> None:
    assert PatternSearch(re.compile(form)).needs == ()


def test_words_are_looked_for_by_pieces_that_they_share_each_by_one_of_them() -> None:
    words = ["verifyCertificate", "checkCertificate", "rejectUnauthorized", "verify", "ssl_verify"]
    told = dict(shared_substrings(words))
    assert sorted(told.values()) == [("checkCertificate",), ("rejectUnauthorized",), ("verify",)]
    assert all(piece in word for piece, those in told.items() for word in those)
    certificates = dict(shared_substrings(["validateCerts", "checkCertificate", "acceptInsecureCerts"]))
    assert certificates == {"Cert": ("acceptInsecureCerts", "checkCertificate", "validateCerts")}


def test_no_form_of_any_language_is_hidden_by_its_words() -> None:
    texts = list(_texts())
    for form in _forms():
        sought = PatternSearch(form)
        for text in texts:
            assert sought.occurs(text) is (form.search(text) is not None), (form.pattern, text)
            assert sought.lines(text) == _lines(form, text), (form.pattern, text)
            assert sought.lines(text, sought.places(text)) == sought.lines(text), (form.pattern, text)


def test_what_is_always_true_is_told_at_the_places_of_what_is_counted() -> None:
    testing = covered_languages()["typescript"].test_syntax
    assert testing is not None
    for text in ("{ t.is(a, b); expect(true).toBe(true) }", "{ expect(a); }", "{ assert(true, 'so') }"):
        assert testing.has_trivial_check(text, testing.counting.places(text))
        assert testing.has_trivial_check(text, None)
    for text in ("{ expect(a).toBe(true) }", "{ assert(ready) }", "{}"):
        assert not testing.has_trivial_check(text, testing.counting.places(text))
        assert not testing.has_trivial_check(text, None)


def _forms() -> Iterator[re.Pattern[str]]:
    for language in covered_languages().values():
        if language.name == "javascript":
            continue  # the same page as TypeScript's
        held = [
            rule.form for rule in language.rules if isinstance(rule, NodeRule | HandlerRule) and rule.form is not None
        ]
        told = language.test_syntax
        assert told is not None
        yield from held
        yield from (
            each
            for each in (told.functions, told.checks, told.counted, told.trivial, told.skipped, told.conditional)
            if each is not None
        )
        yield from (each for each in (told.alone, told.stops) if each is not None)


def _texts() -> Iterator[str]:
    """Pieces of code in all languages: those that stand in the tests beside this one, and such with their words mixed."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    yield from re.findall(r"(?s)\"\"\".*?\"\"\"", code)
    words = sorted(set(re.findall(r"[\w.@#]+|[^\w\s]|\s+", code)))
    chance = random.Random(7)  # noqa: S311 - which words come together is no secret
    for _ in range(40):
        yield "".join(chance.choices(words, k=120))
    yield "EXPECT(1)\nASSERT x\n\u00c4ssert \u0130s_expected \u017fhould"


def _lines(form: re.Pattern[str], text: str) -> int:
    count, end = 0, -1
    for found in form.finditer(text):
        if found.start() > end:
            count += 1
            end = text.find("\n", found.end())
            if end < 0:
                break
    return count
