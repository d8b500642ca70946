"""What functions give back, for files that import them: untrusted input, or what they are given.

The outline of a file tells it under the name of the function with `()` behind it, so that it is asked for only where
a call of the function stands before a dangerous one.
"""

from __future__ import annotations

import ast

from auditor.forensics.code_facts.input_flows import CALL_MARK, FunctionFlow, Grade
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import own_parameters
from auditor.forensics.python.stored_values import stored_values_by_reader
from auditor.forensics.python.taint_models import source_words
from auditor.forensics.python.taint_walk import TaintWalk
from auditor.forensics.python.text_assignments import returns

_MAX_FUNCTIONS = 300
_MAX_RETURNS = 5
_MAX_WRITTEN = 60


def function_flows(module: Module) -> dict[str, object]:
    """What the functions and methods of a module give back, by qualified name."""
    found: dict[str, object] = {}
    if not module.reads_flows and not module.says(source_words()):
        return found
    for scope in module.scopes:
        node = scope.node
        if len(found) >= _MAX_FUNCTIONS:
            break
        if scope.is_nested or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        given = [each for each in returns(module, node)[:_MAX_RETURNS] if not isinstance(each, ast.Constant)]
        if not given:
            continue
        walk = TaintWalk(Match(node, scope, module), "", follows_callers=False)
        flows = [flow for each in given if (flow := walk.flow(each, scope)) is not None]
        sources = [each.source.written for each in flows if each.source.grade is Grade.REQUEST]
        names = [name for name, place in walk.parameters if place.node is node]
        own = own_parameters(node)
        held = {own.index(each): each for each in names if each in own}
        if told := FunctionFlow("".join(sources[:1])[:_MAX_WRITTEN], held).packed():
            found[f"{scope.qualname}{CALL_MARK}"] = told
    for name, put in stored_values_by_reader(module):
        match = Match(put.value, put.scope, module) if put.value is not None else None
        flow = TaintWalk(match, "", follows_callers=False).flow(put.value, put.scope) if match is not None else None
        if flow is not None and flow.source.grade is Grade.REQUEST and len(found) < _MAX_FUNCTIONS:
            found[f"{name}{CALL_MARK}"] = FunctionFlow(flow.source.written[:_MAX_WRITTEN]).packed()
    return found
