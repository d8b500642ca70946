"""Which names a scope binds, and to what: imports, assignments, parameters, everything else."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from auditor.forensics.library_models.compatibility_modules import compatibility_modules
from auditor.forensics.library_models.function_values import function_values
from auditor.row_tables import by_name, names_of

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Binding(NamedTuple):
    """What a name was bound to: a qualified name (an import), an expression, an instance of a type, or something opaque."""

    qualified_name: str | None = None
    value: ast.expr | None = None
    type: ast.expr | None = None


SELF_NAMES = frozenset({"self", "cls"})
"""What methods call their instance and their class."""
OPAQUE = Binding()
REFLECTING_ATTRIBUTES = frozenset({"__self__", "builtins", "__builtins__"})
"""Attributes that may lead to a module that the name in front of them does not tell."""
_MAX_NAME_PARTS = 8
BoundName = tuple[str, Binding]


def bound_names(node: ScopeNode, binders: Iterable[ast.AST]) -> dict[str, list[Binding]]:
    """Every name that a scope binds: its parameters, and what the given nodes of it bind."""
    bound: dict[str, list[Binding]] = {}
    for name, annotation in _parameters(node):
        bound.setdefault(name, []).append(Binding(type=annotation) if annotation else OPAQUE)
    for each in binders:
        for name, binding in _BINDING_READERS[type(each)](each):
            bound.setdefault(name, []).append(binding)
    return bound


def scope_body(node: ScopeNode) -> list[ast.AST]:
    """The nodes that run inside a scope: its body, not its decorators, defaults or annotations."""
    body = node.body
    return [*body] if isinstance(body, list) else [body]


def own_parameters(node: FunctionNode | ast.Lambda) -> list[str]:
    """The parameters that a call fills by position: without the instance or the class that a method takes first."""
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def parameter_defaults(own: ast.arguments) -> dict[str, ast.expr]:
    """What parameters stand for where a call gives nothing."""
    plain = dict(
        zip((each.arg for each in reversed((*own.posonlyargs, *own.args))), reversed(own.defaults), strict=False)
    )
    named = zip(own.kwonlyargs, own.kw_defaults, strict=True)
    return plain | {each.arg: default for each, default in named if default is not None}


def arguments_by_name(node: FunctionNode | ast.Lambda, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by the names of the parameters that they fill; starred arguments are taken for one each."""
    given = dict(zip(own_parameters(node), call.args, strict=False))
    return given | {each.arg: each.value for each in call.keywords if each.arg is not None}


def _parameters(node: ScopeNode) -> Iterator[tuple[str, ast.expr | None]]:
    """Names of parameters and, where one value is passed, the type they are annotated with."""
    if isinstance(node, (ast.Module, ast.ClassDef)):
        return
    own = node.args
    for each in (*own.posonlyargs, *own.args, *own.kwonlyargs):
        yield each.arg, annotated_class(each.annotation)
    for several in (own.vararg, own.kwarg):
        if several is not None:
            yield several.arg, None


def annotated_class(annotation: ast.expr | None) -> ast.expr | None:
    """The class in an annotation: `C`, `"C"`, `C | None`, `Optional[C]`; None for anything else."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _parse_type_name(annotation.value)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [each for each in (annotation.left, annotation.right) if not is_none(each)]
        annotation = sides[0] if len(sides) == 1 else None
    elif isinstance(annotation, ast.Subscript):
        annotation = annotation.slice if last_name(annotation.value) == "Optional" else None
    return annotation if isinstance(annotation, (ast.Name, ast.Attribute)) else None


def _parse_type_name(text: str) -> ast.expr | None:
    names = text.strip().split(".")
    if len(names) > _MAX_NAME_PARTS or not all(name.isidentifier() for name in names):
        return None
    named: ast.expr = ast.Name(names[0], ast.Load())
    for name in names[1:]:
        named = ast.Attribute(named, name, ast.Load())
    return named


NAME_NODES = frozenset({ast.Name, ast.Attribute})
"""Kinds of expressions that are names, with or without dots."""


ARGUMENT_RETURNERS = names_of(function_values().argument_returners)
"""Calls that return their first argument, or something that is called or used like it: of functools, contextlib and the builtins."""


def root_name(expression: ast.expr) -> str:
    """The first name of a chain of attributes; empty for any other expression."""
    while isinstance(expression, ast.Attribute):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def last_name(expression: ast.AST | None) -> str:
    """The name, or the attribute, that an expression ends in; empty for any other kind."""
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def callee_name(expression: ast.AST | None) -> str:
    """The name that an expression ends in; of a call the name of what it calls."""
    return last_name(expression.func if isinstance(expression, ast.Call) else expression)


def dotted_name(expression: ast.expr) -> str:
    """`a.b.c` as it is written; empty for any other expression."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute):
        parts.append(expression.attr)
        expression = expression.value
    return ".".join([expression.id, *reversed(parts)]) if isinstance(expression, ast.Name) else ""


def receiver(call: ast.Call) -> ast.expr | None:
    """What a method is called on; None where something else is called."""
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def text_constant(node: ast.AST | None) -> str | None:
    """The text that is written out; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def text_constants(nodes: Iterable[ast.AST]) -> list[str]:
    """The texts that are written out among some nodes."""
    return [each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def keyword_argument(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument; None where it is not passed."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def is_none(expression: ast.expr | None) -> bool:
    """Is it written out as None?"""
    return isinstance(expression, ast.Constant) and expression.value is None


def _target_names(*targets: ast.expr | None) -> Iterator[BoundName]:
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


def _import(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, ast.Import)
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        yield name, Binding(qualified_name=standard_library_name(alias.name) if alias.asname else name)


def _import_from(node: ast.AST) -> list[BoundName]:
    assert isinstance(node, ast.ImportFrom)
    start = import_prefix(node)
    return [(alias.asname or alias.name, Binding(standard_library_name(start + alias.name))) for alias in node.names]


_ROWS = compatibility_modules()
_COMPATIBILITY_PREFIXES = sorted(f"{package}." for package in names_of(_ROWS.packages))
"""Packages that give what the standard library has, under the same names."""
_COMPATIBILITY_PACKAGES = frozenset(each.partition(".")[0] for each in _COMPATIBILITY_PREFIXES)
_SIX_NAMES = {name: row.stands_for for name, row in by_name(_ROWS.six_names).items()}
"""What `six` calls otherwise."""
_GEVENT_MODULES = names_of(_ROWS.gevent_modules)


def is_compatibility_package(module: str | None) -> bool:
    """Is a module part of a package that mirrors the standard library?"""
    return module is not None and module.partition(".")[0] in _COMPATIBILITY_PACKAGES


def standard_library_name(name: str) -> str:
    """The standard library's name for what a compatibility package gives: `six.moves.urllib.request.urlopen`."""
    if name.partition(".")[0] not in _COMPATIBILITY_PACKAGES:
        return name
    for stand_in in _COMPATIBILITY_PREFIXES:
        if name.startswith(stand_in):
            first, dot, rest = name.removeprefix(stand_in).partition(".")
            if stand_in == "gevent." and first not in _GEVENT_MODULES:
                return name
            return _SIX_NAMES.get(first, first) + dot + rest
    return name


def import_prefix(node: ast.ImportFrom) -> str:
    """The prefix of the names that a statement imports: `a.b.` for `from a.b import c`, `..` for `from .. import c`."""
    written = "." * node.level + (node.module or "")
    return written if written[-1:] == "." else f"{written}."


def _assign(node: ast.AST) -> Iterable[BoundName]:
    assert isinstance(node, ast.Assign)
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return ((node.targets[0].id, Binding(None, node.value)),)
    return _target_names(*node.targets)


def _annotated_assignment(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, ast.AnnAssign)
    if isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, Binding(value=node.value)


def _with(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, ast.withitem)
    if isinstance(node.optional_vars, ast.Name):
        yield node.optional_vars.id, Binding(value=node.context_expr)
    else:
        yield from _target_names(node.optional_vars)


def _bound_by_target(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension))
    yield from _target_names(node.target)


def _walrus(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, ast.NamedExpr)
    yield node.target.id, Binding(value=node.value)


def _deleted_names(node: ast.AST) -> Iterator[BoundName]:
    assert isinstance(node, ast.Delete)
    yield from _target_names(*node.targets)


def _defined_name(node: ast.AST) -> tuple[BoundName, ...]:
    name = getattr(node, "name", None)
    return ((name, OPAQUE),) if name else ()


_BINDING_READERS: dict[type[ast.AST], Callable[[ast.AST], Iterable[BoundName]]] = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated_assignment,
    ast.withitem: _with,
    ast.AugAssign: _bound_by_target,
    ast.For: _bound_by_target,
    ast.AsyncFor: _bound_by_target,
    ast.NamedExpr: _walrus,
    ast.comprehension: _bound_by_target,
    ast.Delete: _deleted_names,
    ast.FunctionDef: _defined_name,
    ast.AsyncFunctionDef: _defined_name,
    ast.ClassDef: _defined_name,
    ast.ExceptHandler: _defined_name,
    ast.MatchAs: _defined_name,
    ast.MatchStar: _defined_name,
}
BINDING_NODES = frozenset(_BINDING_READERS)
"""Kinds of nodes that bind names in the scope they are in."""
