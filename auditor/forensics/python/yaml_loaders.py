"""What a loader of YAML may build, through the names, classes and functions that stand for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.deserialization import deserialization
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import Binding, last_name
from auditor.forensics.python.scoped_nodes import Scope, walk_nodes
from auditor.forensics.source_text.file_outline import ALIASED_NAMES_KEY
from auditor.row_tables import names_of

_ROWS = deserialization()
_SAFE_LOADERS = names_of(_ROWS.yaml_safe_loaders)
UNSAFE_LOADERS = names_of(_ROWS.yaml_unsafe_loaders)
"""Loaders that build any object, or may be brought to, and the parts of them that build."""


@remembered
def named_scopes(module: Module) -> dict[str, Scope]:
    """The functions and classes of a file by name, the first of each."""
    named = (each for each in reversed(module.scopes) if isinstance(each.node, (ast.FunctionDef, ast.ClassDef)))
    return {each.node.name: each for each in named if isinstance(each.node, (ast.FunctionDef, ast.ClassDef))}


_MAX_STEPS = 5
"""Classes, names and functions through which a loader is followed."""


def loader_kinds(  # noqa: PLR0911 - a table of the ways in which a loader is named
    module: Module, loader: ast.expr, scope: Scope, left: int = _MAX_STEPS
) -> list[str]:
    """What a loader may be: `safe`, `free` to build anything, `own` of another module, or unknown.

    A name can be bound to the fast one or, where that is missing, to the plain one; a class is what it stands on,
    and a function what it gives back.
    """
    if left <= 0:
        return [""]
    if isinstance(loader, ast.IfExp):
        return [kind for way in (loader.body, loader.orelse) for kind in loader_kinds(module, way, scope, left - 1)]
    if isinstance(loader, ast.Call) and (named := _getattr_alternatives(loader)) is not None:
        return [kind for way in named for kind in loader_kinds(module, way, scope, left - 1)]
    resolved = module.resolve(loader, scope) or ""
    known = module.imported_value(loader, scope) if "." in resolved else None
    if isinstance(known, dict) and isinstance(names := known.get(ALIASED_NAMES_KEY), list):
        resolved = str(names[0])
    last = resolved.rpartition(".")[2]
    if isinstance(loader, ast.Call):
        return _kinds_of_result(module, loader, left)
    if last in _SAFE_LOADERS or last in UNSAFE_LOADERS or "safe" in last.lower().replace("unsafe", ""):
        return ["free" if last in UNSAFE_LOADERS else "safe"]
    if "." in resolved or not isinstance(loader, ast.Name):
        return ["own" if resolved else ""]
    return _kinds_of_name(module, loader, scope, left)


def _getattr_alternatives(call: ast.Call) -> list[ast.expr] | None:
    """The alternatives of `getattr(yaml, "CSafeLoader", yaml.SafeLoader)`; None for other calls."""
    if not isinstance(call.func, ast.Name) or call.func.id != "getattr" or len(call.args) not in {2, 3}:
        return None
    owner, name = call.args[:2]
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return None
    return [ast.Attribute(owner, name.value, ast.Load()), *call.args[2:]]


def _kinds_of_name(module: Module, loader: ast.Name, scope: Scope, left: int) -> list[str]:
    own = named_scopes(module).get(loader.id)
    if own is not None and isinstance(own.node, ast.ClassDef):
        place, bases = own.parent or own, own.node.bases
        return _cached_kinds(
            module, own, left, lambda: (loader_kinds(module, base, place, left - 1) for base in bases)
        ) or ["own"]
    bound: list[Binding] = []

    def keep(several: list[Binding]) -> Binding:
        bound.extend(several)
        return several[0]

    found = module.lookup(loader.id, scope, keep)
    place = found[1] if found is not None else scope
    told = (_kinds_of_binding(module, each, place, left) for each in bound)
    return _cached_kinds(module, (id(place), loader.id), left, lambda: told) or [""]


def _cached_kinds(module: Module, what: object, left: int, kinds: Callable[[], Iterable[list[str]]]) -> list[str]:
    """The kinds of a value, cached for each number of remaining steps, so that no file can make it slow."""
    key = ("loading.kinds", what if isinstance(what, tuple) else id(what), left)
    known = module.memory.get(key)
    if not isinstance(known, list):
        known = module.memory[key] = sorted({kind for several in kinds() for kind in several})
    return known


def _kinds_of_binding(module: Module, bound: Binding, place: Scope, left: int) -> list[str]:
    if bound.qualified_name is not None:
        last = bound.qualified_name.rpartition(".")[2]
        return ["free" if last in UNSAFE_LOADERS else "safe" if last in _SAFE_LOADERS else "own"]
    return loader_kinds(module, bound.value, place, left - 1) if bound.value is not None else [""]


def _kinds_of_result(module: Module, call: ast.Call, left: int) -> list[str]:
    """The kinds of what a function of the file returns."""
    own = named_scopes(module).get(last_name(call.func))
    if own is None or not isinstance(own.node, ast.FunctionDef):
        return [""]
    ends = _return_values(module, own)
    return _cached_kinds(module, own, left, lambda: (loader_kinds(module, end, own, left - 1) for end in ends)) or [""]


@remembered
def _return_values(_module: Module, own: Scope) -> list[ast.expr]:
    """The expressions that a function returns."""
    return (
        [each.value for each in walk_nodes(*own.node.body) if isinstance(each, ast.Return) and each.value]
        if isinstance(own.node, ast.FunctionDef)
        else []
    )
