"""Mutable default values, which all calls share."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.mutable_values import mutable_values
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scoped_nodes import walk_nodes
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_ROWS = mutable_values()
_MUTABLE = names_of(_ROWS.types)
_MUTATING_METHODS = names_of(_ROWS.changing_methods)
_READ_ONLY = "the function does not seem to change the value"


@site_probe(
    "code.mutable_default",
    none_statement="No mutable default value was found.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    second_look=("B006",),
    node_filter=lambda shown, _module: [each for each in shown if (own := each[0].args).defaults or own.kw_defaults],
)
def mutable_default(match: Match) -> Iterator[Site]:
    """Is a mutable default value shared between calls?

    A list, dict, set or other mutable object as the default of a parameter is reported, and so is a default such as `datetime.now()`, which is computed only once. Tuples, frozen sets and `field(default_factory=...)` are not.

    Use `None` as the default and create the value inside the function.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    changing: set[str] | None = None
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    for parameter, default in pairs:
        if default is not None and _is_varying_default(match, default):
            yield match.site(
                "Default value is computed once, so every call gets the same value",
                at=default,
                confidence=0.9,
                because=_LOAD_TIME_REASON,
            )
        elif default is not None and (_is_mutable(match, default) or _refers_to_mutable(match, default)):
            changing = _mutated_names(node) if changing is None else changing
            changed = parameter.arg in changing
            if not changed and isinstance(default, ast.Name):
                continue
            yield match.site(
                "Mutable default value is changed by its function and shared by all calls"
                if changed
                else "Mutable default value is shared by all calls of its function",
                at=default,
                confidence=1.0 if changed else 0.6,
                because="" if changed else _READ_ONLY,
            )


_VARYING_CALLS = names_of(_ROWS.varying_calls)
"""Calls that return something else each time."""
_COMPOSITE_NODES = (ast.Call, ast.Attribute, ast.BinOp, ast.JoinedStr, ast.Subscript, ast.IfExp)
"""Kinds of defaults that may contain such a call: `str(uuid4())`, `now().isoformat()`."""


def _is_varying_default(match: Match, default: ast.expr) -> bool:
    if not isinstance(default, _COMPOSITE_NODES) or (
        isinstance(default, ast.Attribute) and isinstance(default.value, ast.Name)
    ):
        return False
    parts = list(walk_nodes(default))
    return not any(isinstance(each, ast.Lambda) for each in parts) and any(
        isinstance(each, ast.Call) and match.resolve(each.func) in _VARYING_CALLS for each in parts
    )


_LOAD_TIME_REASON = "the time of import may be intended"


def _is_mutable(match: Match, default: ast.expr) -> bool:
    if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
        return True
    return isinstance(default, ast.Call) and (
        match.resolve(default.func) in _MUTABLE or _has_mutable_state(match, default.func)
    )


def _has_mutable_state(match: Match, made: ast.expr) -> bool:
    """Is it a class of the file whose instances start with an empty list, dictionary or set of their own?"""
    return isinstance(made, ast.Name) and made.id in _stateful_classes(match.module)


@remembered
def _stateful_classes(module: Module) -> frozenset[str]:
    return frozenset(
        scope.parent.node.name
        for scope in module.scopes
        if scope.parent is not None
        and isinstance(scope.parent.node, ast.ClassDef)
        and isinstance(scope.node, ast.FunctionDef)
        and scope.node.name == "__init__"
        and any(isinstance(each, (ast.Assign, ast.AnnAssign)) and _is_empty(each.value) for each in scope.node.body)
    )


def _is_empty(value: ast.expr | None) -> bool:
    """An empty container, which waits to be filled."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in {"list", "dict", "set"} and not value.args
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)


def _refers_to_mutable(match: Match, default: ast.expr) -> bool:
    """Does a name refer to something mutable?"""
    if not isinstance(default, ast.Name):
        return False
    found = match.module.lookup(default.id, match.scope)
    return found is not None and found[0].value is not None and _is_mutable(match, found[0].value)


def _mutated_names(function: ast.AST) -> set[str]:
    """Names whose value the function mutates, by a method or by assigning into it."""
    return {
        owner.id for each in walk_nodes(function) for owner in _mutated_expressions(each) if isinstance(owner, ast.Name)
    }


def _mutated_expressions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call):
        return [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING_METHODS else []
    if isinstance(node, ast.AugAssign):
        return [node.target.value if isinstance(node.target, ast.Subscript) else node.target]
    if isinstance(node, (ast.Assign, ast.Delete)):
        return [each.value for each in node.targets if isinstance(each, ast.Subscript)]
    return []
