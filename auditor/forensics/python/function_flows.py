"""What functions give back, for files that import them: untrusted input, or what they are given.

The outline of a file tells it under the name of the function with `()` behind it, so that it is asked for only where
a call of the function stands before a dangerous one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from typing import NamedTuple

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.private_function_arguments import is_method
from auditor.forensics.python.scope_bindings import FunctionNode
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.taint_models import Grade, source_words
from auditor.forensics.python.text_assignments import returns

CALL_MARK = "()"
_MAX_FUNCTIONS = 300
_MAX_RETURNS = 5
_MAX_WRITTEN = 60


class FunctionFlow(NamedTuple):
    """What a function of another module gives back."""

    source: str
    """The untrusted input that it returns, as it is written there; empty where it returns none."""
    parameters: tuple[int, ...]
    """Positions of the parameters that its result holds."""
    names: tuple[str, ...]
    """The names of these."""


def function_flows(module: Module) -> dict[str, object]:
    """What the functions and methods of a module give back, by qualified name."""
    from auditor.forensics.python.taint_walk import TaintWalk  # which asks here about other modules

    found: dict[str, object] = {}
    for scope in module.scopes:
        node = scope.node
        if len(found) >= _MAX_FUNCTIONS:
            break
        if scope.is_nested or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        given = [each for each in returns(module, node)[:_MAX_RETURNS] if not isinstance(each, ast.Constant)]
        if not given or not (node.args.args or module.says(source_words())):
            continue
        walk = TaintWalk(Match(node, scope, module), "", follows_callers=False)
        flows = [flow for each in given if (flow := walk.flow(each, scope)) is not None]
        sources = [each.source.written for each in flows if each.source.grade is Grade.REQUEST]
        names = [name for name, place in walk.parameters if place.node is node]
        told = _entry(node, sources, names)
        if told:
            found[f"{scope.qualname}{CALL_MARK}"] = told
    return found


def _entry(node: FunctionNode, sources: list[str], names: list[str]) -> dict[str, object]:
    own = [each.arg for each in (*node.args.posonlyargs, *node.args.args)][is_method(node) :]
    held = sorted({own.index(each) for each in names if each in own})
    told: dict[str, object] = {"source": sources[0][:_MAX_WRITTEN]} if sources else {}
    return {**told, "holds": [[number, own[number]] for number in held]} if held else told


def imported_flow(module: Module, func: ast.expr, scope: Scope) -> FunctionFlow | None:
    """What a function of another module gives back; None where that is not known, or not known yet."""
    name = module.resolve(func, scope)
    if name is None or ("." not in name.lstrip(".") and not name.startswith(".")):
        return None
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    module.asked.add(f"{name}{CALL_MARK}")
    told = module.told.get(f"{name}{CALL_MARK}")
    if not isinstance(told, dict):
        return None
    held = [(int(number), str(word)) for number, word in told.get("holds", ())]
    return FunctionFlow(str(told.get("source", "")), tuple(n for n, _ in held), tuple(w for _, w in held))


def matters_without_input(told: Mapping[str, object]) -> bool:
    """Does something in it change what is seen in a file that takes in no untrusted input itself?"""
    return any(
        not name.endswith(CALL_MARK) or (isinstance(value, dict) and "source" in value) for name, value in told.items()
    )
