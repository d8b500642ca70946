"""Where the text that a name holds was assigned: names, attributes of self, lists that grow, functions that return it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import SELF_NAMES, FunctionNode, receiver
from auditor.forensics.python.scoped_nodes import Scope, child_nodes, walk_nodes

ScopedExpression = tuple[ast.expr, Scope]


class Assignment(NamedTuple):
    """One assignment to a name: what is assigned, or None when that cannot be determined."""

    name: str
    value: ast.expr | None
    scope: Scope
    line: int
    column: int
    adds: bool = False


def reaching_assignments(
    assigned: list[Assignment], name: str, line: int, column: int
) -> tuple[list[Assignment], list[Assignment]]:
    """What a name may start from where it is used in `line` (0 for anywhere), and what is added to it before.

    Of what is assigned further up, a later one at no greater indentation than the use stands for all before it.
    """
    before = [each for each in assigned if not line or each.line <= line]
    starts: list[Assignment] = []
    added: list[Assignment] = []
    for each in sorted(before or assigned, key=lambda each: each.line):
        if each.adds or (each.value is not None and _mentions(each.value, name)):
            added.append(each)
            continue
        if line and each.column <= column:
            starts, added = [], []
        starts.append(each)
    return starts, added


def _mentions(value: ast.expr, name: str) -> bool:
    held = name.removeprefix("self.") if name.startswith("self.") else None
    waiting: list[ast.AST] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            if each.id == name:
                return True
        elif isinstance(each, ast.Attribute) and each.attr == held:
            return True
        else:
            waiting += child_nodes(each)
    return False


def assignments_in(node: ast.AST, scope: Scope) -> Iterator[Assignment]:
    """The assignments that one statement makes to names and to attributes of `self`."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpack_assignment(target, node.value, node, scope)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        if node.value is not None:
            yield from _unpack_assignment(node.target, node.value, node, scope)
    elif isinstance(node, ast.AugAssign):
        value = node.value if isinstance(node.op, (ast.Add, ast.Mod)) else None
        for name in _target_names(node.target):
            yield Assignment(name, value, scope, node.lineno, node.col_offset, adds=True)


def _unpack_assignment(
    target: ast.expr, value: ast.expr, node: ast.stmt | ast.expr, scope: Scope
) -> Iterator[Assignment]:
    if isinstance(target, (ast.Tuple, ast.List)):
        same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for number, each in enumerate(target.elts):
            for name in _target_names(each):
                given = value.elts[number] if same and isinstance(value, (ast.Tuple, ast.List)) else None
                yield Assignment(name, given, scope, node.lineno, node.col_offset)
        return
    for name in _target_names(target):
        yield Assignment(name, value, scope, node.lineno, node.col_offset)


def _target_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        yield f"self.{target.attr}"


ASSIGNMENT_NODES = frozenset({ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign})
"""Kinds of nodes that give text to names."""


@remembered
def assignments_by_name(_module: Module, holder: Scope) -> dict[str, list[Assignment]]:
    """The assignments in a scope, by name."""
    given: defaultdict[str, list[Assignment]] = defaultdict(list)
    for node in holder.binding_nodes:
        for each in assignments_in(node, holder) if type(node) in ASSIGNMENT_NODES else ():
            given[each.name].append(each)
    return dict(given)


@remembered
def self_assignments(module: Module) -> Mapping[tuple[int, str], list[Assignment]]:
    """Assignments of methods to attributes of `self`, by class and name."""
    held: defaultdict[tuple[int, str], list[Assignment]] = defaultdict(list)
    for scope in module.scopes:
        if not scope.is_function or (around := scope.enclosing_class) is None:
            continue
        for node in scope.binding_nodes:
            for each in assignments_in(node, scope):
                if each.name.startswith("self."):
                    held[id(around), each.name].append(each)
    return dict(held)


def spread(expression: ast.expr) -> ast.Starred:
    """An expression as the item of a list whose items it gives."""
    return ast.copy_location(ast.Starred(expression, ast.Load()), expression)


_APPEND_METHODS = {"append": 0, "extend": 0, "insert": 1, "add": 0}


@remembered
def appended_items(module: Module) -> Mapping[tuple[int, str], list[ScopedExpression]]:
    """The items that are appended to lists, by scope and name."""
    filled: defaultdict[tuple[int, str], list[ScopedExpression]] = defaultdict(list)
    for method, position in _APPEND_METHODS.items():
        for call, scope in module.calls.get(method, ()):
            owner = receiver(call)
            if len(call.args) <= position or owner is None:
                continue
            what = call.args[position]
            some = [what]
            if method == "extend":
                some = what.elts if isinstance(what, (ast.List, ast.Tuple)) else [spread(what)]
            if isinstance(owner, ast.Name) and (found := module.lookup(owner.id, scope)) is not None:
                filled[id(found[1]), owner.id] += [(each, scope) for each in some]
            elif isinstance(owner, ast.Attribute) and (around := scope.enclosing_class) is not None:
                filled[id(around), f"self.{owner.attr}"] += [(each, scope) for each in some]
    return dict(filled)


@remembered
def filled_tables(module: Module) -> Mapping[tuple[int, str], list[ScopedExpression]]:
    """The values assigned to keys of tables, by scope and name; computed once a file."""
    filled: defaultdict[tuple[int, str], list[ScopedExpression]] = defaultdict(list)
    for node, scope in module.nodes[ast.Assign]:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                found = module.lookup(target.value.id, scope)
                if found is not None and isinstance(node, ast.Assign):
                    filled[id(found[1]), target.value.id].append((node.value, scope))
    return dict(filled)


@remembered
def functions(module: Module) -> Mapping[tuple[int, str], Scope]:
    """The functions of a file by the node that they are in and their name; lambdas by themselves."""
    functions: dict[tuple[int, str], Scope] = {}
    for scope in module.scopes:
        node = scope.node
        if isinstance(node, ast.Lambda):
            functions[id(node), ""] = scope
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and scope.parent is not None:
            functions[id(scope.parent.node), node.name] = scope
    return functions


def called_function(module: Module, func: ast.expr, scope: Scope) -> Scope | None:
    """The function or lambda of the file that is called by its name, or as a method of `self` or `cls`."""
    known = functions(module)
    if isinstance(func, ast.Lambda):
        return known.get((id(func), ""))
    if isinstance(func, ast.Name):
        found = module.lookup(func.id, scope)
        if found is None:
            return None
        made = found[0].value
        return known.get((id(made), "") if isinstance(made, ast.Lambda) else (id(found[1].node), func.id))
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in SELF_NAMES:
        around = scope.enclosing_class
        return known.get((id(around.node), func.attr)) if around is not None else None
    return None


@remembered
def returns(_module: Module, node: FunctionNode) -> list[ast.expr]:
    """What a function gives back, worked out once; what functions inside it return is among it."""
    return [each.value for each in walk_nodes(*node.body) if isinstance(each, ast.Return) and each.value is not None]
