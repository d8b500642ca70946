"""Which names a scope binds, and to what: imports, assignments, parameters, everything else."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name was bound to: a qualified name (an import), an expression, or something opaque."""

    qualified: str | None = None
    value: ast.expr | None = None


OPAQUE = Binding()
Found = tuple[str, Binding]


def bound_names(node: ScopeNode) -> dict[str, list[Binding]]:
    """Every name that a scope binds, nested definitions left out."""
    bound: dict[str, list[Binding]] = {}
    for name in _parameters(node):
        bound.setdefault(name, []).append(OPAQUE)
    stack = own_children(node)
    while stack:
        each = stack.pop()
        reader = _READERS.get(type(each))
        if reader is not None:
            for name, binding in reader(each):
                bound.setdefault(name, []).append(binding)
        if not isinstance(each, DEFINITIONS):
            stack.extend(_inner(each))
    return bound


def own_children(node: ScopeNode) -> list[ast.AST]:
    """What runs inside the scope: its body, not its decorators, defaults or annotations."""
    return [node.body] if isinstance(node, ast.Lambda) else list(node.body)


def _parameters(node: ScopeNode) -> Iterator[str]:
    if isinstance(node, (ast.Module, ast.ClassDef)):
        return
    own = node.args
    for each in (*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg):
        if each is not None:
            yield each.arg


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """Children to look into; targets that a reader has dealt with are left out."""
    for child in ast.iter_child_nodes(node):
        if _read_already(node, child):
            continue
        yield child


def _read_already(node: ast.AST, child: ast.AST) -> bool:
    """Is the child a plain target that was bound together with its value?"""
    if not isinstance(child, ast.Name):
        return False
    if isinstance(node, ast.Assign):
        return len(node.targets) == 1 and child is node.targets[0]
    if isinstance(node, ast.AnnAssign):
        return child is node.target
    return isinstance(node, ast.withitem) and child is node.optional_vars


def _import(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Import)
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        yield name, Binding(qualified=alias.name if alias.asname else name)


def _import_from(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.ImportFrom)
    origin = "." * node.level + (node.module or "")
    dot = "" if origin.endswith(".") else "."
    for alias in node.names:
        yield alias.asname or alias.name, Binding(qualified=f"{origin}{dot}{alias.name}")


def _assign(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Assign)
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        yield node.targets[0].id, Binding(value=node.value)


def _annotated(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.AnnAssign)
    if isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, Binding(value=node.value)


def _with(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.withitem)
    if isinstance(node.optional_vars, ast.Name):
        yield node.optional_vars.id, Binding(value=node.context_expr)


def _named(node: ast.AST) -> Iterator[Found]:
    name = getattr(node, "name", None)
    if name:
        yield name, OPAQUE


def _name(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Name)
    if not isinstance(node.ctx, ast.Load):
        yield node.id, OPAQUE


_READERS: dict[type[ast.AST], Callable[[ast.AST], Iterator[Found]]] = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.withitem: _with,
    ast.Name: _name,
    ast.FunctionDef: _named,
    ast.AsyncFunctionDef: _named,
    ast.ClassDef: _named,
    ast.ExceptHandler: _named,
    ast.MatchAs: _named,
    ast.MatchStar: _named,
}
