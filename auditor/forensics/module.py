"""One parsed Python file: its scopes, its nodes by kind, and what names in it stand for.

The tree is walked once, scope by scope, with explicit stacks: hostile nesting cannot exhaust the
interpreter's. Within a scope the walk keeps only the nodes of the kinds somebody asked for and counts
branches; names are resolved later, and only for the few expressions a probe asks about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from auditor.forensics.sites import UNKNOWN

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_BRANCHES = frozenset(
    {
        ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension,
        ast.Assert, ast.match_case,
    }
)  # fmt: skip
_LEAVES = frozenset({ast.Constant, ast.Name, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.alias})
_MAX_HOPS = 20


@dataclass(slots=True, eq=False)
class Scope:
    """The module, a class, a function or a lambda."""

    node: ScopeNode
    parent: Scope | None
    qualname: str
    branches: int = 0
    _bindings: dict[str, list[Binding]] | None = field(default=None, repr=False)

    @property
    def is_function(self) -> bool:
        """Is it a function or a lambda?"""
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))

    def bindings(self) -> dict[str, list[Binding]]:
        """Every name this scope binds, with all that is bound to it; worked out when first asked."""
        if self._bindings is None:
            self._bindings = _bound_names(self.node)
        return self._bindings


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name was bound to: a qualified name (an import), an expression, or something opaque."""

    qualified: str | None = None
    value: ast.expr | None = None
    definition: bool = False


class Module:
    """A parsed file. `kinds` are the node types to keep."""

    def __init__(self, source: str, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> None:
        self.source = source
        self.tree = tree
        self._lines: list[str] | None = None
        self.nodes: dict[type[ast.AST], list[tuple[ast.AST, Scope]]] = {kind: [] for kind in kinds}
        self.scopes: list[Scope] = []
        self._walk()

    @property
    def lines(self) -> list[str]:
        """Source lines without their ends."""
        if self._lines is None:
            self._lines = self.source.split("\n")
        return self._lines

    def _walk(self) -> None:
        nodes = self.nodes
        waiting = [Scope(self.tree, None, "")]
        while waiting:
            scope = waiting.pop()
            self.scopes.append(scope)
            branches = 0
            stack: list[ast.AST] = _own_children(scope.node)
            while stack:
                node = stack.pop()
                kind = type(node)
                if kind in nodes:
                    nodes[kind].append((node, scope))
                if kind in _LEAVES:
                    continue
                if kind in _DEFINITIONS:
                    name = getattr(node, "name", "<lambda>")
                    qualname = f"{scope.qualname}.{name}" if scope.qualname else name
                    waiting.append(Scope(node, scope, qualname))  # type: ignore[arg-type]
                    stack.extend(_outer_children(node))
                    continue
                if kind in _BRANCHES:
                    branches += 1
                elif kind is ast.BoolOp:
                    branches += len(node.values) - 1  # type: ignore[attr-defined]
                for name in node._fields:
                    value = getattr(node, name, None)
                    if type(value) is list:
                        stack.extend([each for each in value if isinstance(each, ast.AST)])
                    elif isinstance(value, ast.AST):
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
                    return (bound[0] if _same(bound) else Binding(), place)
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


def _same(bound: list[Binding]) -> bool:
    """Do all bindings of a name agree? `try: import a except ImportError: a = None` counts as the import."""
    named = {each.qualified for each in bound if each.qualified is not None}
    opaque = [each for each in bound if each.qualified is None]
    if named:
        return len(named) == 1 and all(_is_none(each.value) for each in opaque)
    return len(bound) == 1


def _is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _own_children(node: ScopeNode) -> list[ast.AST]:
    """What runs inside the scope: its body, not its decorators, defaults or annotations."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    return list(node.body)


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


def _bound_names(node: ScopeNode) -> dict[str, list[Binding]]:
    bound: dict[str, list[Binding]] = {}

    def bind(name: str, binding: Binding) -> None:
        bound.setdefault(name, []).append(binding)

    arguments = getattr(node, "args", None)
    if isinstance(arguments, ast.arguments):
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if each is not None:
                bind(each.arg, Binding())
    stack = _own_children(node)
    while stack:
        each = stack.pop()
        kind = type(each)
        if kind in _DEFINITIONS:
            if kind is not ast.Lambda:
                bind(each.name, Binding(definition=True))  # type: ignore[attr-defined]
            continue
        if isinstance(each, ast.Import):
            for alias in each.names:
                if alias.asname:
                    bind(alias.asname, Binding(qualified=alias.name))
                else:
                    first = alias.name.partition(".")[0]
                    bind(first, Binding(qualified=first))
            continue
        if isinstance(each, ast.ImportFrom):
            origin = "." * each.level + (each.module or "")
            for alias in each.names:
                dot = "" if origin.endswith(".") else "."
                bind(alias.asname or alias.name, Binding(qualified=f"{origin}{dot}{alias.name}"))
            continue
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            bind(each.targets[0].id, Binding(value=each.value))
            continue
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            if each.value is not None:
                bind(each.target.id, Binding(value=each.value))
            continue
        if isinstance(each, (ast.With, ast.AsyncWith)):
            for item in each.items:
                if isinstance(item.optional_vars, ast.Name):
                    bind(item.optional_vars.id, Binding(value=item.context_expr))
                elif item.optional_vars is not None:
                    stack.append(item.optional_vars)
            stack.extend(each.body)
            continue
        if isinstance(each, ast.Name):
            if not isinstance(each.ctx, ast.Load):
                bind(each.id, Binding())
            continue
        if (isinstance(each, ast.ExceptHandler) and each.name) or (
            isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name
        ):
            bind(each.name, Binding())
        stack.extend(ast.iter_child_nodes(each))
    return bound
