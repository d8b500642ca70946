"""One parsed Python file: its scopes, its nodes by kind, and what names in it stand for.

The tree is walked once, scope by scope, with explicit stacks: hostile nesting cannot exhaust the
interpreter's. Within a scope the walk keeps only the nodes of the kinds somebody asked for and counts
branches; names are resolved later, and only for the few expressions a probe asks about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from auditor.forensics.bindings import BINDERS, DEFINITIONS, OPAQUE, Binding, ScopeNode, bound_names, own_children
from auditor.forensics.sites import UNKNOWN

_BRANCHES = frozenset(
    {
        ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension,
        ast.match_case,
    }
)  # fmt: skip
_DEFINITION_KINDS = frozenset(DEFINITIONS)
_WITHOUT_CHILDREN = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "name", "names", "module", "level", "asname", "type_comment", "conversion",
     "is_async", "simple", "kind", "tag", "type_ignores", "rest", "kwd_attrs", "type_params"}
)  # fmt: skip


def _child_fields() -> dict[type, tuple[str, ...]]:
    """For every node type, the fields that can hold nodes with something to see in them."""
    kinds = [each for each in vars(ast).values() if isinstance(each, type) and issubclass(each, ast.AST)]
    table: dict[type, tuple[str, ...]] = {
        kind: tuple(name for name in kind._fields if name not in _WITHOUT_CHILDREN) for kind in kinds
    }
    return table | {ast.Constant: (), ast.Name: (), type(None): ()}


_CHILD_FIELDS = _child_fields()
_MAX_HOPS = 20


@dataclass(slots=True, eq=False)
class Scope:
    """The module, a class, a function or a lambda."""

    node: ScopeNode
    parent: Scope | None
    qualname: str
    branches: int = 0
    binders: list[ast.AST] = field(default_factory=list, repr=False)
    _bindings: dict[str, list[Binding]] | None = field(default=None, repr=False)

    @property
    def is_function(self) -> bool:
        """Is it a function or a lambda?"""
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))

    def bindings(self) -> dict[str, list[Binding]]:
        """Every name this scope binds, with all that is bound to it; worked out when first asked."""
        if self._bindings is None:
            self._bindings = bound_names(self.node, self.binders)
        return self._bindings


class Module:
    """A parsed file. `kinds` are the node types to keep. In `memory` a probe may keep what it worked out for the file."""

    def __init__(self, source: str, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> None:
        self.source = source
        self.tree = tree
        self._lines: list[str] | None = None
        self.nodes: dict[type[ast.AST], list[tuple[ast.AST, Scope]]] = {kind: [] for kind in kinds}
        self.scopes: list[Scope] = []
        self.memory: dict[str, object] = {}
        self._walk()

    @property
    def lines(self) -> list[str]:
        """Source lines without their ends."""
        if self._lines is None:
            self._lines = self.source.split("\n")
        return self._lines

    def _walk(self) -> None:
        waiting = [Scope(self.tree, None, "")]
        while waiting:
            scope = waiting.pop()
            self.scopes.append(scope)
            self._walk_scope(scope, waiting)

    def _walk_scope(self, scope: Scope, waiting: list[Scope]) -> None:
        """Keep the wanted nodes of one scope, count its branches and put the scopes inside it in line.

        This loop sees every node of every file, so it is written for speed: one table look-up by type says
        which fields can hold children, and operators, names and contexts are never visited.
        """
        nodes, fields_of, binders = self.nodes, _CHILD_FIELDS, scope.binders
        branches = 0
        stack: list[ast.AST] = own_children(scope.node)
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind in nodes:
                nodes[kind].append((node, scope))
            if kind in BINDERS:
                binders.append(node)
            if kind in _DEFINITION_KINDS:
                waiting.append(Scope(node, scope, _qualname(scope, node)))  # type: ignore[arg-type]
                stack += _outer_children(node)
                continue
            if kind in _BRANCHES:
                branches += 1
            for name in fields_of[kind]:
                value = getattr(node, name, None)
                if type(value) is list:
                    stack += value
                elif value is not None:
                    stack.append(value)
        scope.branches = branches

    def resolve(self, expression: ast.AST | None, scope: Scope) -> str | None:
        """The qualified name that an expression stands for, or None.

        Follows imports, `import a as b`, `x = a.b` bound once, calls of classes (`x = Popen(...)` resolves
        `x.wait` to `subprocess.Popen.wait`), `functools.partial`, `getattr` with a constant name,
        `__import__` and `import_module`. A name bound in several ways, or a parameter, stands for nothing.
        """
        parts: list[str] = []
        for _ in range(_MAX_HOPS):
            while isinstance(expression, ast.Attribute):
                parts.append(expression.attr)
                expression = expression.value
            if isinstance(expression, ast.Call):
                expression, more = _through_call(expression)
                parts += more
                continue
            if isinstance(expression, ast.Constant) and isinstance(expression.value, _ModuleName):
                return ".".join([expression.value, *reversed(parts)])
            if not isinstance(expression, ast.Name):
                return None
            found = self.lookup(expression.id, scope)
            if found is None:
                name = ".".join([expression.id, *reversed(parts)])
                return name.removeprefix("builtins.")
            binding, scope = found
            if binding.qualified is not None:
                return ".".join([binding.qualified, *reversed(parts)]).removeprefix("builtins.")
            if binding.value is None:
                return None
            expression = binding.value
        return None

    def lookup(self, name: str, scope: Scope) -> tuple[Binding, Scope] | None:
        """What a name is bound to where it is used, and in which scope; None for a builtin or unknown name."""
        place: Scope | None = scope
        while place is not None:
            if place is scope or not isinstance(place.node, ast.ClassDef):
                bound = place.bindings().get(name)
                if bound:
                    return (_agreed(bound), place)
            place = place.parent
        return None

    def value(self, expression: ast.expr | None, scope: Scope) -> object:
        """The constant an expression stands for, through names bound once; UNKNOWN otherwise."""
        for _ in range(_MAX_HOPS):
            if isinstance(expression, ast.Constant):
                return expression.value
            if not isinstance(expression, ast.Name):
                return UNKNOWN
            found = self.lookup(expression.id, scope)
            if found is None or found[0].value is None:
                return UNKNOWN
            expression, scope = found[0].value, found[1]
        return UNKNOWN


class _ModuleName(str):
    """The name of a module that a call imports."""

    __slots__ = ()


def _through_call(call: ast.Call) -> tuple[ast.expr, list[str]]:
    """What the result of a call is an instance, a member or a wrapper of, and attributes to add."""
    name = (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )
    first = call.args[0] if call.args else None
    second = call.args[1] if len(call.args) > 1 else None
    if name == "getattr" and first is not None and isinstance(second, ast.Constant) and isinstance(second.value, str):
        return first, [second.value]
    if name == "partial" and first is not None:
        return first, []
    if name in {"__import__", "import_module"} and isinstance(first, ast.Constant) and isinstance(first.value, str):
        return ast.Constant(_ModuleName(first.value)), []
    return call.func, []


def _agreed(bound: list[Binding]) -> Binding:
    """What all bindings of a name agree on. An import wins over `name = None`, the usual stand-in for a missing module."""
    imported = {each.qualified for each in bound if each.qualified is not None}
    others = [each for each in bound if each.qualified is None]
    if not imported:
        return bound[0] if len(bound) == 1 else OPAQUE
    if len(imported) == 1 and all(_is_none(each.value) for each in others):
        return next(each for each in bound if each.qualified is not None)
    return OPAQUE


def _is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _qualname(scope: Scope, node: ast.AST) -> str:
    name = getattr(node, "name", "<lambda>")
    return f"{scope.qualname}.{name}" if scope.qualname else name


def _outer_children(node: ast.AST) -> list[ast.AST]:
    """What a definition evaluates in the scope around it."""
    children: list[ast.AST] = []
    if isinstance(node, ast.ClassDef):
        children += [*node.decorator_list, *node.bases, *node.keywords]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        children += [*node.decorator_list, node.args]
        if node.returns is not None:
            children.append(node.returns)
    elif isinstance(node, ast.Lambda):
        children.append(node.args)
    return children
