"""Questions to a syntax tree that need nothing but the tree: what lies below a node, which words and names it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import islice

from auditor.forensics.python.scoped_nodes import child_nodes

_MAX_WORD = 60
_MAX_ASSIGNMENTS = 200
_MAX_VOCABULARY_NODES = 1_000
"""Nodes whose words are read; conditions and blocks of hand-written code have fewer."""


def nested_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body and of the blocks inside it, definitions not entered."""
    waiting = list(body)[::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "finalbody"):
            waiting += reversed(getattr(statement, name, []))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            waiting += reversed(part.body)


def descendants(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes below it, nested functions included."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += child_nodes(each)


def vocabulary(node: ast.AST) -> list[str]:
    """The names, attributes and short texts that code is made of, up to a bound."""
    found: list[str] = []
    for each in islice(descendants(node), _MAX_VOCABULARY_NODES):
        if isinstance(each, ast.Name):
            found.append(each.id)
        elif isinstance(each, ast.Attribute):
            found.append(each.attr)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) < _MAX_WORD:
            found.append(each.value)
    return found


def assigned_names(node: ast.AST) -> str:
    """The names that a statement or keyword gives something to."""
    if isinstance(node, ast.keyword):
        return node.arg or ""
    given: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        given = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        given = [node.target]
    return " ".join(word for target in given for word in vocabulary(target))


def assignments(function: ast.AST) -> dict[str, ast.expr]:
    """What local names stand for where they are bound once, so that `if flag:` says what the flag says.

    Tables of hundreds of entries are left out: they say nothing of what a condition looks at.
    """
    found: dict[str, ast.expr] = {}
    for node in descendants(function):
        value: ast.expr | None = None
        target: ast.expr | None = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            target, value = node.target, node.value
        if isinstance(target, ast.Name) and value is not None and not _is_large_table(value):
            found.setdefault(target.id, value)
    return found


def _is_large_table(value: ast.expr) -> bool:
    held = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", ())
    return len(held) > _MAX_ASSIGNMENTS
