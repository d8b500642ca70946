"""What excuses a rule by standing anywhere in a file: found whichever way it is written, and never by a comment."""

from __future__ import annotations

import random
import re

import pytest

from auditor.forensics.languages.file_content_conditions import alternatives, requires_absence
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages


def _is_met(form: re.Pattern[bytes], source: bytes) -> bool:
    text = source.decode("latin-1")
    return any((each.search.found(text) is None) is each.lacks for each in alternatives(form))


@pytest.mark.parametrize(
    ("pattern", "how_many", "lacking"),
    [
        (rb"one|two\|three|[|(]four|(?:five|six)", 4, False),
        (rb"\A(?!.*(?:one|two))|three", 2, True),
        (rb"\A(?!.*one|two)", 1, False),
        (rb"\A(?!.*one)two(?!three)", 1, False),
        (rb"(a|b)\1|c", 1, False),
    ],
)
def test_a_form_is_taken_apart_at_its_outermost_bars_only(pattern: bytes, how_many: int, lacking: bool) -> None:
    form = re.compile(pattern, re.DOTALL)
    assert len(alternatives(form)) == how_many
    assert requires_absence(form) is lacking
    for source in (b"", b"one", b"two", b"three", b"two|three", b"|four(five", b"aa", b"ab", b"twothree", b"\nsix"):
        assert _is_met(form, source) is (form.search(source) is not None), (pattern, source)


def test_every_form_that_excuses_a_rule_is_met_in_one_of_its_ways_or_not_at_all() -> None:
    forms = {
        form
        for language in covered_languages().values()
        for rule in language.rules
        for form in (getattr(rule, "unless_in_file", None), getattr(rule, "unless_nearby", None))
        if form is not None
    }
    words = sorted({word for form in forms for word in re.findall(rb"[\w$]{2,}|[^\w\s]", form.pattern)})
    chance = random.Random(11)  # noqa: S311 - which words come together is no secret
    sources = [b"".join(chance.choices([*words, b" ", b"\n", b"\xc3\xa4"], k=60)) for _ in range(25)]
    for form in forms:
        for source in sources:
            assert _is_met(form, source) is (form.search(source) is not None), (form.pattern, source)


@pytest.mark.parametrize(
    ("language", "source", "told"),
    [
        ("javascript", 'fetch("https://a.example/")\n%s', "code.no_timeout"),
        ("go", 'package a\nimport "net/http"\nfunc b() {\n\thttp.ListenAndServe("a", nil)\n}\n%s', "code.no_timeout"),
    ],
)
def test_a_comment_excuses_nothing_and_the_same_words_in_code_do(language: str, source: str, told: str) -> None:
    page = covered_languages()[language]
    commented = [
        source % f"{begin}{'x' * long} signal timeout http.TimeoutHandler( {end}\n"
        for begin, end in (("//", ""), ("/*", "*/"))
        for long in (0, 3_000)
    ]
    for each in (source % "", *commented, source % ("// http://\n" * 1_200 + "/* timeout http.TimeoutHandler( */\n")):
        assert scan_file(each.encode(), page, page.probes).sites[told], each[:200]
    code = "const timeout = 1\n" if language == "javascript" else "var c = http.TimeoutHandler(d, e, f)\n"
    assert not scan_file((source % code).encode(), page, page.probes).sites[told]
