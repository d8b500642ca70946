"""Names of a module that are given what is imported, or taken from another module, by its name."""

from __future__ import annotations

import ast

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import callee_name
from auditor.forensics.source_text.file_outline import Import

_NAMESPACES = frozenset({"__dict__", "vars"})
_TAKING_CALLS = frozenset({"__import__", "getattr", "import_module"})


def taken_by_name(module: Module, value: ast.expr | None, names: list[str]) -> list[Import]:
    """What a name stands for that is given what is imported or taken by its name: `import_module("a")`, `vars(a)["b"]`."""
    if isinstance(value, ast.Subscript):
        found = callee_name(value.value) in _NAMESPACES
    else:
        found = isinstance(value, ast.Call) and callee_name(value) in _TAKING_CALLS
    made = module.resolve(value, module.scopes[0]) if found and value is not None else None
    return [Import(name, made, value.lineno) for name in names if made and value is not None]
