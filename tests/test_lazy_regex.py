"""Expressions that are compiled when they are first asked."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import auditor
from auditor.lazy_regex import lazy_compile


def test_a_late_expression_answers_like_the_compiled_one() -> None:
    expression = lazy_compile(r"(?P<word>[a-z]+)", re.IGNORECASE)

    assert expression.search("1 Word")["word"] == "Word"  # type: ignore[index]
    assert [each[0] for each in expression.finditer("one Two")] == ["one", "Two"]
    assert expression.sub("-", "a1b") == "-1-"
    assert (expression.pattern, expression.groups) == (r"(?P<word>[a-z]+)", 1)


def test_a_faulty_expression_is_told_at_its_first_question() -> None:
    faulty = lazy_compile("(")

    with pytest.raises(re.error):
        faulty.match("")


def test_every_late_expression_of_the_modules_can_be_compiled() -> None:
    names = [each.name for each in pkgutil.walk_packages(auditor.__path__, "auditor.") if "__main__" not in each.name]
    held = [
        (name, key, value)
        for name in names
        for key, value in vars(import_module(name)).items()
        if type(value) is type(lazy_compile(""))
    ]

    assert len(held) > 200
    assert [(name, key) for name, key, value in held if not value.flags & re.UNICODE] == []


def test_no_expression_holds_a_group_possessively_which_python_3_11_before_3_11_5_matches_wrongly() -> None:
    # https://github.com/python/cpython/issues/106052: `(?>(?:...)*)` says the same, and is matched right by all
    possessive = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")
    sources = {path: path.read_text() for path in Path(next(iter(auditor.__path__))).rglob("*.py")}

    assert len(sources) > 300
    assert [f"{path}: {found[0]}" for path, text in sources.items() for found in possessive.finditer(text)] == []


_COUNT = """
from auditor.forensics.dependencies import manifest_formats
from auditor.forensics.description import change_kind_claims, claim_sentences, path_claims, test_claims, version_claims
from auditor.forensics.documents import path_mentions
modules = (change_kind_claims, claim_sentences, path_claims, test_claims, version_claims, path_mentions, manifest_formats)
held = [each for module in modules for each in vars(module).values() if type(each).__name__ == "_LazyPattern"]
print(len(held), sum("search" in vars(each) for each in held))
"""


def test_what_descriptions_and_manifests_are_asked_for_is_not_compiled_before_there_are_some() -> None:
    told = subprocess.run([sys.executable, "-c", _COUNT], capture_output=True, text=True, check=True).stdout

    held, compiled = map(int, told.split())
    assert held > 40
    assert compiled == 0
