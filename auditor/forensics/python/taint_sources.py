"""Where untrusted input enters a file: requests of web frameworks, the command line, the environment."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.code_facts.input_flows import FoundSource, shown_source
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.parameter_values import function_of_parameter
from auditor.forensics.python.scope_bindings import (
    SELF_NAMES,
    FunctionNode,
    callee_name,
    last_name,
    own_parameters,
    parameter_defaults,
)
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.taint_models import (
    Source,
    SourceKind,
    harmless_members,
    source_words_by_kind,
    sources_for,
)

"""Characters of an expression that a statement shows."""


def find_source(module: Module, expression: ast.expr, scope: Scope, probe: str = "") -> FoundSource | None:
    """The untrusted input that an expression is by itself where a probe looks; None for all else."""
    row = _row(module, expression, scope, sources_for(probe))
    if row is None:
        return None
    if isinstance(expression, ast.Attribute) and expression.attr in harmless_members(probe):
        return None
    line = expression.lineno
    if row.kind is SourceKind.ROUTE and isinstance(expression, ast.Name):
        line = _parameter_line(expression, scope)
    return FoundSource(written_expression(module, expression), line, row.grade)


def _parameter_line(name: ast.Name, scope: Scope) -> int:
    function = function_of_parameter(name.id, scope)
    own = function.args if function is not None else None
    every = (*own.posonlyargs, *own.args, *own.kwonlyargs) if own is not None else ()
    return next((each.lineno for each in every if each.arg == name.id), name.lineno)


def written_expression(module: Module, expression: ast.expr) -> str:
    """An expression as it is in the file, cut to what a statement can hold, without the marks of code."""
    if expression.end_lineno == expression.lineno and 0 < expression.lineno <= len(module.lines):
        line = module.lines[expression.lineno - 1].encode("utf-8", "surrogatepass")
        text = line[expression.col_offset : expression.end_col_offset].decode("utf-8", "replace")
    else:
        text = callee_name(expression)
    return shown_source(text)


Rows = tuple[Source, ...]


def _of_kind(rows: Rows, kind: SourceKind) -> Iterator[Source]:
    return (each for each in rows if each.kind is kind)


def _row(module: Module, expression: ast.expr, scope: Scope, rows: Rows) -> Source | None:
    words = source_words_by_kind()
    if isinstance(expression, ast.Attribute) and expression.attr in words[True]:
        return _attribute_row(module, expression, scope, rows)
    if isinstance(expression, ast.Name):
        return _name_row(module, expression, scope, rows)
    if isinstance(expression, ast.Call) and last_name(expression.func) in words[False]:
        name = module.resolve(expression.func, scope)
        return next((each for each in _of_kind(rows, SourceKind.CALL) if name in each.names), None)
    return None


def _attribute_row(module: Module, taken: ast.Attribute, scope: Scope, rows: Rows) -> Source | None:
    owner = taken.value
    of_self = isinstance(owner, ast.Name) and owner.id in SELF_NAMES
    name = module.resolve(owner, scope)
    is_request = name is None and _is_request(owner, scope)
    for each in rows:
        if each.kind is SourceKind.METHOD:
            named = of_self and taken.attr in each.names and imports_one_of(module, each.requires)
            found = named and (not each.bases or _has_base(scope.enclosing_class, each.bases))
        elif each.kind in _HELD_BY_MEMBERS:
            found = name in each.names and taken.attr in each.members
        elif each.kind is SourceKind.VALUE:
            found = name is not None and f"{name}.{taken.attr}" in each.names
        else:
            is_named = is_request and last_name(owner) in each.names
            found = is_named and taken.attr in each.members and imports_one_of(module, each.requires)
        if found:
            return each
    return None


_HELD_BY_MEMBERS = frozenset({SourceKind.OBJECT, SourceKind.CLASS})


def _is_request(owner: ast.expr, scope: Scope) -> bool:
    """Is it a parameter, or an attribute of `self`, that frameworks fill with a request?"""
    if isinstance(owner, ast.Attribute):
        return isinstance(owner.value, ast.Name) and owner.value.id in SELF_NAMES
    return isinstance(owner, ast.Name) and function_of_parameter(owner.id, scope) is not None


def _name_row(module: Module, name: ast.Name, scope: Scope, rows: Rows) -> Source | None:
    function = function_of_parameter(name.id, scope)
    if function is None:
        resolved = module.resolve(name, scope)
        return next((each for each in _of_kind(rows, SourceKind.VALUE) if resolved in each.names), None)
    for each in _of_kind(rows, SourceKind.HANDLER):
        if name.id in each.names and imports_one_of(module, each.requires) and _is_handler(function, name, scope, each):
            return each
    if not function.decorator_list or name.id in {*SELF_NAMES, "request"}:
        return None
    for each in _of_kind(rows, SourceKind.ROUTE):
        if imports_one_of(module, each.requires) and _is_route_parameter(module, function, name.id, each):
            return each
    return None


def _is_handler(function: FunctionNode, name: ast.Name, scope: Scope, row: Source) -> bool:
    """Does a platform call the function with input: by the class that it is in, or by its two parameters?"""
    place = enclosing_function(scope, function)
    if place is None or place.is_nested:
        return False
    if row.bases:
        return _has_base(place.enclosing_class, row.bases)
    own = own_parameters(function)
    return place.enclosing_class is None and own[:1] == [name.id] and len(own) == 2 and own[1] in row.beside


def _has_base(owner: Scope | None, ends: frozenset[str]) -> bool:
    """Has a class a base whose name ends in one of some ways?"""
    made = owner.node if owner is not None else None
    return isinstance(made, ast.ClassDef) and any(last_name(each).endswith(tuple(ends)) for each in made.bases)


def imports_one_of(module: Module, packages: frozenset[str]) -> bool:
    """Does the file import one of the packages that a row requires? True where it requires none."""
    return not packages or not packages.isdisjoint(_imported_packages(module))


@remembered
def _imported_packages(module: Module) -> frozenset[str]:
    plain = {alias.name.partition(".")[0] for node, _ in module.nodes[ast.Import] for alias in node.names}
    origins = {(node.module or "").partition(".")[0] for node, _ in module.nodes[ast.ImportFrom] if not node.level}
    return frozenset(plain | origins)


_CONVERTED = re.compile(r"<(?:int|float|uuid)(?:\([^>]{0,60}\))?:(\w{1,60})>|<(\w{1,60}):(?:int|float)>")
"""Parameters that a route makes a number of: `<int:key>` of Flask, `<key:int>` of Bottle."""


def _is_route_parameter(module: Module, function: FunctionNode, name: str, row: Source) -> bool:
    """Is a parameter filled with text of a request, by a decorator of its function?"""
    routes = [each for each in function.decorator_list if _is_route(module, each, row)]
    if not routes:
        return False
    converted = {
        found
        for each in routes
        if isinstance(each, ast.Call)
        for given in each.args[:1]
        if isinstance(given, ast.Constant) and isinstance(given.value, str)
        for groups in _CONVERTED.findall(given.value[:2000])
        for found in groups
    }
    return name not in converted and _takes_text(module, function, name)


def _is_route(module: Module, decorator: ast.expr, row: Source) -> bool:
    """Is it a decorator of an object that the file has, `@app.get("/")`, or one that comes from a package of the row?"""
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    if last_name(named) not in row.names or isinstance(named, ast.Attribute):
        return isinstance(named, ast.Attribute) and named.attr in row.names
    known = next((found for scope in module.scopes[:1] if (found := module.resolve(named, scope))), "")
    return known.partition(".")[0] in row.requires


_INJECTED = frozenset({"Depends", "Security"})


def _takes_text(module: Module, function: FunctionNode, name: str) -> bool:
    """May a parameter hold text, by its annotation and its default? A class of the file with fields is taken for a body."""
    own = function.args
    default = parameter_defaults(own).get(name)
    if isinstance(default, ast.Call) and last_name(default.func) in _INJECTED:
        return False
    annotation = next(
        (each.annotation for each in (*own.posonlyargs, *own.args, *own.kwonlyargs) if each.arg == name), None
    )
    if annotation is None:
        return default is None or isinstance(default, ast.Constant)
    named = [each for each in ast.walk(annotation) if isinstance(each, (ast.Name, ast.Attribute))]
    words = {last_name(each) for each in named}
    if not _INJECTED.isdisjoint(words):
        return False
    text = words & {"str", "bytes", "Any", "dict", "Dict", "UploadFile"}
    return bool(text) or any(_is_body_class(module, each) for each in words)


def _is_body_class(module: Module, name: str) -> bool:
    """Is it a class of the file whose fields are read from the body of a request?"""
    for scope in module.scopes:
        node = scope.node
        if isinstance(node, ast.ClassDef) and node.name == name and scope.parent is not None:
            return any(module.resolve(base, scope.parent) in _BODY_BASES for base in node.bases)
    return False


_BODY_BASES = frozenset({"pydantic.BaseModel", "sqlmodel.SQLModel", "typing.TypedDict", "msgspec.Struct"})


def enclosing_function(scope: Scope, function: FunctionNode | None = None) -> Scope | None:
    """The nearest function around a place, or the one asked for."""
    place: Scope | None = scope
    while place is not None:
        if place.node is function or (function is None and place.is_function):
            return place
        place = place.parent
    return None
