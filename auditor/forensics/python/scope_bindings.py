"""Which names a scope binds, and to what: imports, assignments, parameters, everything else."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Binding(NamedTuple):
    """What a name was bound to: a qualified name (an import), an expression, an instance of a type, or something opaque."""

    qualified: str | None = None
    value: ast.expr | None = None
    type: ast.expr | None = None


OPAQUE = Binding()
_MOST_DOTS = 8
Found = tuple[str, Binding]


def bound_names(node: ScopeNode, binders: Iterable[ast.AST]) -> dict[str, list[Binding]]:
    """Every name that a scope binds: its parameters, and what the given nodes of it bind."""
    bound: dict[str, list[Binding]] = {}
    for name, annotation in _parameters(node):
        bound.setdefault(name, []).append(Binding(type=annotation) if annotation else OPAQUE)
    for each in binders:
        for name, binding in _READERS[type(each)](each):
            bound.setdefault(name, []).append(binding)
    return bound


def own_children(node: ScopeNode) -> list[ast.AST]:
    """What runs inside the scope: its body, not its decorators, defaults or annotations."""
    body = node.body
    return [*body] if isinstance(body, list) else [body]


def _parameters(node: ScopeNode) -> Iterator[tuple[str, ast.expr | None]]:
    """Names of parameters and, where one value is passed, the type they are annotated with."""
    if isinstance(node, (ast.Module, ast.ClassDef)):
        return
    own = node.args
    for each in (*own.posonlyargs, *own.args, *own.kwonlyargs):
        yield each.arg, one_type(each.annotation)
    for several in (own.vararg, own.kwarg):
        if several is not None:
            yield several.arg, None


def one_type(annotation: ast.expr | None) -> ast.expr | None:
    """The class in an annotation: `C`, `"C"`, `C | None`, `Optional[C]`; None for anything else."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _named_type(annotation.value)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [each for each in (annotation.left, annotation.right) if not is_none(each)]
        annotation = sides[0] if len(sides) == 1 else None
    elif isinstance(annotation, ast.Subscript):
        outer = annotation.value
        name = outer.attr if isinstance(outer, ast.Attribute) else outer.id if isinstance(outer, ast.Name) else ""
        annotation = annotation.slice if name == "Optional" else None
    return annotation if isinstance(annotation, (ast.Name, ast.Attribute)) else None


def _named_type(text: str) -> ast.expr | None:
    names = text.strip().split(".")
    if len(names) > _MOST_DOTS or not all(name.isidentifier() for name in names):
        return None
    named: ast.expr = ast.Name(names[0], ast.Load())
    for name in names[1:]:
        named = ast.Attribute(named, name, ast.Load())
    return named


DOTTED = frozenset({ast.Name, ast.Attribute})
"""Kinds of expressions that are names, with or without dots."""


def first_name(expression: ast.expr) -> str:
    """The name that a chain of attributes hangs on; empty for anything else."""
    while isinstance(expression, ast.Attribute):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def last_name(expression: ast.AST | None) -> str:
    """The name, or the attribute, that an expression ends in; empty for any other kind."""
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """What a call is given under a name; None where it is given nothing."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def is_none(expression: ast.expr | None) -> bool:
    """Is it written out as None?"""
    return isinstance(expression, ast.Constant) and expression.value is None


def _targets(*targets: ast.expr | None) -> Iterator[Found]:
    """The names in targets of which nothing more is known; attributes and subscripts bind no name."""
    waiting = [each for each in targets if each is not None]
    while waiting:
        target = waiting.pop()
        if isinstance(target, ast.Name):
            yield target.id, OPAQUE
        elif isinstance(target, (ast.Tuple, ast.List)):
            waiting += target.elts
        elif isinstance(target, ast.Starred):
            waiting.append(target.value)


def _import(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Import)
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        yield name, Binding(qualified=known_as(alias.name) if alias.asname else name)


def _import_from(node: ast.AST) -> list[Found]:
    assert isinstance(node, ast.ImportFrom)
    start = origin(node)
    return [(alias.asname or alias.name, Binding(known_as(start + alias.name))) for alias in node.names]


_STAND_INS = ("six.moves.", "future.moves.", "django.utils.six.moves.", "eventlet.green.", "gevent.")
"""Packages that give what the standard library has, under the same names."""
_FIRST = frozenset(each.partition(".")[0] for each in _STAND_INS)
_RENAMED = {"cPickle": "pickle", "http_client": "http.client", "xmlrpc_client": "xmlrpc.client", "shlex_quote": "shlex.quote",
            "getoutput": "subprocess.getoutput", "urllib_request": "urllib.request"}  # fmt: skip
"""What `six` calls otherwise."""
_OF_GEVENT = frozenset({"subprocess", "socket", "ssl", "os", "select", "builtins"})


def stands_in(module: str | None) -> bool:
    """Does a module stand in for one of the standard library?"""
    return module is not None and module.partition(".")[0] in _FIRST


def known_as(name: str) -> str:
    """The name in the standard library of what a stand-in gives: `six.moves.urllib.request.urlopen`, `gevent.subprocess`."""
    if name.partition(".")[0] not in _FIRST:
        return name
    for stand_in in _STAND_INS:
        if name.startswith(stand_in):
            first, dot, rest = name.removeprefix(stand_in).partition(".")
            if stand_in == "gevent." and first not in _OF_GEVENT:
                return name
            return _RENAMED.get(first, first) + dot + rest
    return name


def origin(node: ast.ImportFrom) -> str:
    """What the qualified names begin with that a statement imports: `a.b.` for `from a.b import c`, `..` for `from .. import c`."""
    written = "." * node.level + (node.module or "")
    return written if written[-1:] == "." else f"{written}."


def _assign(node: ast.AST) -> Iterable[Found]:
    assert isinstance(node, ast.Assign)
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return ((node.targets[0].id, Binding(None, node.value)),)
    return _targets(*node.targets)


def _annotated(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.AnnAssign)
    if isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, Binding(value=node.value)


def _with(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.withitem)
    if isinstance(node.optional_vars, ast.Name):
        yield node.optional_vars.id, Binding(value=node.context_expr)
    else:
        yield from _targets(node.optional_vars)


def _targeted(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension))
    yield from _targets(node.target)


def _walrus(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.NamedExpr)
    yield node.target.id, Binding(value=node.value)


def _deleted(node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Delete)
    yield from _targets(*node.targets)


def _named(node: ast.AST) -> tuple[Found, ...]:
    name = getattr(node, "name", None)
    return ((name, OPAQUE),) if name else ()


_READERS: dict[type[ast.AST], Callable[[ast.AST], Iterable[Found]]] = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.withitem: _with,
    ast.AugAssign: _targeted,
    ast.For: _targeted,
    ast.AsyncFor: _targeted,
    ast.NamedExpr: _walrus,
    ast.comprehension: _targeted,
    ast.Delete: _deleted,
    ast.FunctionDef: _named,
    ast.AsyncFunctionDef: _named,
    ast.ClassDef: _named,
    ast.ExceptHandler: _named,
    ast.MatchAs: _named,
    ast.MatchStar: _named,
}
BINDERS = frozenset(_READERS)
"""Kinds of nodes that bind names in the scope they stand in."""
