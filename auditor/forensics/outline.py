"""The shape of a Python file without its bodies: what it defines, imports and exports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.forensics.bindings import FunctionNode
    from auditor.forensics.module import Module, Scope


class ParameterKind(StrEnum):
    """How an argument can be passed."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL = "positional"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function."""

    name: str
    kind: ParameterKind
    has_default: bool
    annotated: bool


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method. `line` is that of its `def`, decorators above it not counted."""

    qualname: str
    line: int
    end: int
    public: bool
    documented: bool
    annotated_return: bool
    parameters: tuple[Parameter, ...]
    decorators: tuple[str, ...]
    complexity: int
    is_async: bool = False
    in_class: str = ""
    nested: bool = False

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Class:
    """One class."""

    qualname: str
    line: int
    end: int
    public: bool
    documented: bool
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds at module level, and what it stands for (`*` for all of a module)."""

    name: str
    qualified: str
    line: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module defines and offers. `names` are its other module-level names, functions and classes left out."""

    documented: bool
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    names: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
    dynamic: bool = False
    """Does it define `__getattr__`, so that names may come from nowhere?"""

    def packed(self) -> list[Any]:
        """Plain lists for a record on disk."""
        return [
            self.documented,
            [
                [f.qualname, f.line, f.end, f.public, f.documented, f.annotated_return,
                 [[p.name, _KINDS.index(p.kind), p.has_default, p.annotated] for p in f.parameters],
                 list(f.decorators), f.complexity, f.is_async, f.in_class, f.nested]
                for f in self.functions
            ],
            [
                [c.qualname, c.line, c.end, c.public, c.documented, list(c.bases), list(c.decorators),
                 list(c.attributes), c.nested]
                for c in self.classes
            ],
            [[i.name, i.qualified, i.line] for i in self.imports],
            list(self.names),
            None if self.exports is None else list(self.exports),
            self.dynamic,
        ]  # fmt: skip

    @classmethod
    def unpacked(cls, packed: list[Any]) -> Outline:
        """The outline again. Raises ValueError, TypeError or IndexError when the lists have another shape."""
        documented, functions, classes, imports, names, exports, dynamic = packed
        return cls(
            documented,
            tuple(_function(*each) for each in functions),
            tuple(
                Class(q, line, end, public, doc, tuple(bases), tuple(decorators), tuple(attributes), nested)
                for q, line, end, public, doc, bases, decorators, attributes, nested in classes
            ),
            tuple(Import(*each) for each in imports),
            tuple(names),
            None if exports is None else tuple(exports),
            dynamic,
        )


_KINDS = list(ParameterKind)


def _function(*packed: Any) -> Function:
    q, line, end, public, doc, annotated, parameters, decorators, complexity, is_async, in_class, nested = packed
    return Function(
        q, line, end, public, doc, annotated,
        tuple(Parameter(name, _KINDS[kind], default, typed) for name, kind, default, typed in parameters),
        tuple(decorators), complexity, is_async, in_class, nested,
    )  # fmt: skip


def outline(module: Module) -> Outline:
    """The shape of a parsed file."""
    imports = tuple(_imports(module.tree))
    known = {each.name: each.qualified for each in imports}
    exports = _exports(module.tree)
    functions: list[Function] = []
    classes: list[Class] = []
    for scope in module.scopes:
        node = scope.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append(_outlined_function(node, scope, known, exports))
        elif isinstance(node, ast.ClassDef):
            classes.append(_outlined_class(node, scope, known, exports))
    functions.sort(key=lambda each: each.line)
    classes.sort(key=lambda each: each.line)
    return Outline(
        documented=_documented(module.tree),
        functions=tuple(functions),
        classes=tuple(classes),
        imports=imports,
        names=tuple(dict.fromkeys(_assigned(module.tree))),
        exports=exports,
        dynamic=any(each.qualname == "__getattr__" for each in functions),
    )


def _outlined_function(
    node: FunctionNode, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None
) -> Function:
    parent = scope.parent
    in_class = parent.qualname if parent is not None and isinstance(parent.node, ast.ClassDef) else ""
    return Function(
        qualname=scope.qualname,
        line=node.lineno,
        end=node.end_lineno or node.lineno,
        public=_public(scope.qualname, exports),
        documented=_documented(node),
        annotated_return=node.returns is not None,
        parameters=tuple(_parameters(node.args)),
        decorators=tuple(_dotted(each, known) for each in node.decorator_list),
        complexity=1 + scope.branches,
        is_async=isinstance(node, ast.AsyncFunctionDef),
        in_class=in_class,
        nested=_inside_function(scope),
    )


def _outlined_class(node: ast.ClassDef, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None) -> Class:
    return Class(
        qualname=scope.qualname,
        line=node.lineno,
        end=node.end_lineno or node.lineno,
        public=_public(scope.qualname, exports),
        documented=_documented(node),
        bases=tuple(_dotted(each, known) for each in node.bases),
        decorators=tuple(_dotted(each, known) for each in node.decorator_list),
        attributes=tuple(dict.fromkeys(_assigned(node))),
        nested=_inside_function(scope),
    )


def _inside_function(scope: Scope) -> bool:
    place = scope.parent
    while place is not None:
        if place.is_function:
            return True
        place = place.parent
    return False


def _public(qualname: str, exports: tuple[str, ...] | None) -> bool:
    parts = qualname.split(".")
    if any(part.startswith("_") and not (part.startswith("__") and part.endswith("__")) for part in parts):
        return exports is not None and parts[0] in exports and len(parts) == 1
    return exports is None or parts[0] in exports


def _documented(node: ast.Module | FunctionNode | ast.ClassDef) -> bool:
    first = node.body[0] if node.body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
        and bool(first.value.value.strip())
    )


def _parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    without_default = len(positional) - len(arguments.defaults)
    for number, each in enumerate(positional):
        kind = ParameterKind.POSITIONAL_ONLY if number < len(arguments.posonlyargs) else ParameterKind.POSITIONAL
        yield Parameter(each.arg, kind, number >= without_default, each.annotation is not None)
    if arguments.vararg:
        each = arguments.vararg
        yield Parameter(each.arg, ParameterKind.VAR_POSITIONAL, has_default=True, annotated=each.annotation is not None)
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Parameter(each.arg, ParameterKind.KEYWORD_ONLY, default is not None, each.annotation is not None)
    if arguments.kwarg:
        each = arguments.kwarg
        yield Parameter(each.arg, ParameterKind.VAR_KEYWORD, has_default=True, annotated=each.annotation is not None)


def _dotted(expression: ast.expr, known: dict[str, str]) -> str:
    """A dotted name with its first part looked up among the imports; empty for anything that is no name."""
    parts: list[str] = []
    node: ast.AST = expression
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            break
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([known.get(node.id, node.id), *reversed(parts)])


def _top_level(node: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """Statements of a body, and those inside its `if` and `try` blocks."""
    waiting: list[ast.stmt] = list(reversed(node.body))
    while waiting:
        statement = waiting.pop()
        yield statement
        if isinstance(statement, ast.If):
            waiting += reversed([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handled = [each for handler in statement.handlers for each in handler.body]
            waiting += reversed([*statement.body, *handled, *statement.orelse, *statement.finalbody])


def _imports(tree: ast.Module) -> Iterator[Import]:
    for statement in _top_level(tree):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield Import(name, alias.name if alias.asname else name, statement.lineno)
        elif isinstance(statement, ast.ImportFrom):
            origin = "." * statement.level + (statement.module or "")
            dot = "" if origin.endswith(".") else "."
            for alias in statement.names:
                yield Import(alias.asname or alias.name, f"{origin}{dot}{alias.name}", statement.lineno)


def _assigned(node: ast.Module | ast.ClassDef) -> Iterator[str]:
    for statement in _top_level(node):
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            for each in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(each, ast.Name):
                    yield each.id


def _exports(tree: ast.Module) -> tuple[str, ...] | None:
    """The literal names in `__all__`, or None when the module has none."""
    found: list[str] | None = None
    for statement in _top_level(tree):
        value = None
        if (isinstance(statement, ast.Assign) and any(_is_all(each) for each in statement.targets)) or (
            isinstance(statement, (ast.AnnAssign, ast.AugAssign)) and _is_all(statement.target)
        ):
            value = statement.value
        if isinstance(value, (ast.List, ast.Tuple)):
            names = [
                each.value for each in value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            found = [*(found or []), *names]
    return None if found is None else tuple(found)


def _is_all(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "__all__"
