"""What is known of libraries stands in rows: no table of names in the Python of these rooms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FORENSICS = Path(__file__).parents[3] / "auditor/forensics"
ROOMS = ("probes", "python", "tls_verification", "library_models")
MODULES = sorted(path for room in ROOMS for path in (FORENSICS / room).glob("*.py"))
MAX_NAMES = 6
NAME = re.compile(r"\.?[A-Za-z_][\w-]*(?:\.[\w*-]+)*\.?")
"""A call, method, argument, module, option or file."""

LEFT = {
    "probes/atomic_commits.py: _STOP_WORDS": "words of English, which no library adds to",
    "python/scoped_nodes.py: _LEAF_FIELDS": "fields of nodes of `ast`",
    "python/scoped_nodes.py: _NON_NODE_FIELDS": "fields of nodes of `ast`",
    "python/syntax_translation.py: _REWRITERS": "the function that rewrites each capture of the query beside it",
    "python/taint_walk.py: _NUMBER_FORMATS": "letters of Python's format language",
}
"""Tables that stay, and why."""


def tables(source: str) -> Iterator[str]:
    """Names of the module-level values that hold a literal of more than a few names, at any depth."""
    for statement in ast.parse(source).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            held, name = list(statement.decorator_list), statement.name
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            held, name = [statement.value], ast.unparse(target)
        else:
            continue
        if name != "__all__" and any(names_in(each) > MAX_NAMES for value in held for each in ast.walk(value)):
            yield name


def names_in(node: ast.AST) -> int:
    """How many texts that look like names a literal holds."""
    items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", []) if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []  # fmt: skip
    texts = [each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return sum(NAME.fullmatch(each) is not None for each in texts)


def test_no_table_of_names_stays_in_python() -> None:
    found = {f"{path.parent.name}/{path.name}: {name}" for path in MODULES for name in tables(path.read_text())}
    assert sorted(found - LEFT.keys()) == [], "move these names into rows of auditor/forensics/library_models/*.yaml"
    assert sorted(LEFT.keys() - found) == [], "no longer there: take them from the list"


@pytest.mark.parametrize(
    "source",
    [
        'CALLS = ("os.a", "os.b", "os.c", "os.d", "os.e", "os.f", "os.g")',
        'CALLS = frozenset({"a", "b", "c", "d", "e", "f", "g"})',
        'CALLS: dict[str, int] = {**OTHERS, "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}',
        'CALLS = frozenset(f"os.{name}" for name in ("a", "b", "c", "d", "e", "f", "g"))',
        '@probe(calls=(*CALLS, "os.a", "os.b", "os.c", "os.d", "os.e", "os.f", "os.g"))\ndef ask(): ...',
    ],
)
def test_a_table_is_seen_however_it_is_written(source: str) -> None:
    assert len(list(tables(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        'MARKS = ("<", ">", "=", "+", "-", "*", "/", "%")',
        'STATES = ("a", "b", "c")',
        '__all__ = ["a", "b", "c", "d", "e", "f", "g"]',
        "LIMITS = (1, 2, 3, 4, 5, 6, 7, 8)",
    ],
)
def test_marks_numbers_and_a_few_words_are_no_table(source: str) -> None:
    assert list(tables(source)) == []
