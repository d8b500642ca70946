"""The statements of a module without the functions and classes that it defines, which take most of the time to parse."""

from __future__ import annotations

import ast
import re
import warnings

_PLACEHOLDER = "__definition_left_out__"
_DEFINITION = re.compile(
    r"^(?:@|(?:async[ \t]++)?def\b|class\b)[^\n]*+\n?(?>(?:(?>(?:[ \t#)\]}][^\n]*+)?)\n|[ \t#)\]}][^\n]*+\Z)*)",
    re.MULTILINE,
)
"""A decorator or the head of a definition at the left margin, and all below it that stands further right."""


def parse_module_level(source: str) -> ast.Module | None:
    """The syntax tree of a module without what it defines at its left margin; None when that cannot be determined by the margin.

    What is left out is marked, and every mark has to come out as a statement of the module: one that ended up in a string
    or in brackets tells that text was taken for a definition, or a definition for text.
    """
    cut, count = _DEFINITION.subn(f"{_PLACEHOLDER}\n", source)
    if not count or _PLACEHOLDER in source:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(cut)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if sum(_is_placeholder(each) for each in tree.body) == count else None


def _is_placeholder(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name) and statement.value.id == _PLACEHOLDER
    )
