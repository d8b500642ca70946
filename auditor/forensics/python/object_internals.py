"""Calls of functions that are taken out of the interpreter by way of the classes of an object."""

from __future__ import annotations

import ast

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.source_text.keyword_index import register_keywords

_SUBCLASSES = register_keywords("__subclasses__")
_CLASS_ATTRIBUTES = frozenset({"__base__", "__bases__", "__class__", "__mro__"})
_MAX_LINKS = 60


def calls_by_internals(module: Module) -> list[ScopedNode]:
    """Calls of what was picked from all classes, or taken from the globals of one of their methods."""
    if not module.says(_SUBCLASSES):
        return []
    return [each for calls in list(module.calls.values()) for each in calls if _is_taken_from_internals(each[0].func)]


def _is_taken_from_internals(func: ast.expr) -> bool:
    """`object.__subclasses__()[140](...)`, `picked.__init__.__globals__["system"](...)`."""
    link: ast.expr = func
    for _ in range(_MAX_LINKS):
        if isinstance(link, ast.Call):
            link = link.func
        elif isinstance(link, ast.Subscript):
            if _is_all_classes(link.value) and link is func:
                return True
            link = link.value
        elif isinstance(link, ast.Attribute):
            if link.attr == "__globals__":
                return True
            link = link.value
        else:
            return False
    return False


def _is_all_classes(listed: ast.expr) -> bool:
    """Is it the list of the subclasses of `object`, however that was reached?"""
    func = listed.func if isinstance(listed, ast.Call) else None
    if not isinstance(func, ast.Attribute) or func.attr != "__subclasses__":
        return False
    of = func.value.value if isinstance(func.value, ast.Subscript) else func.value
    return (isinstance(of, ast.Name) and of.id == "object") or (
        isinstance(of, ast.Attribute) and of.attr in _CLASS_ATTRIBUTES
    )
