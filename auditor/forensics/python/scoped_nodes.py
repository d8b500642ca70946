"""The scopes of one parsed Python file, and its nodes by kind.

The tree is walked once, scope by scope, with explicit stacks: hostile nesting cannot exhaust the
interpreter's. Within a scope the walk keeps only the nodes of the kinds somebody asked for and counts
branches.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from auditor.forensics.python.scope_bindings import (
    BINDING_NODES,
    DEFINITIONS,
    Binding,
    ScopeNode,
    bound_names,
    scope_body,
)
from auditor.forensics.source_text.site_probe_types import Text

_BRANCH_NODES = frozenset(
    {
        ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension,
        ast.match_case,
    }
)  # fmt: skip
_LEAF_FIELDS = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "name", "names", "module", "level", "asname", "type_comment", "conversion",
     "is_async", "simple", "kind", "tag", "type_ignores", "rest", "kwd_attrs", "type_params"}
)  # fmt: skip
_NODE_TYPES = tuple(each for each in vars(ast).values() if isinstance(each, type) and issubclass(each, ast.AST))


_NON_NODE_FIELDS = frozenset(
    {"ctx", "id", "attr", "module", "level", "asname", "type_comment", "conversion", "is_async", "simple", "kind", "tag", "rest"}
)  # fmt: skip


_CHILD_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _LEAF_FIELDS) for kind in _NODE_TYPES
} | dict.fromkeys((ast.Constant, ast.Name, ast.MatchSingleton), ())
"""For every node type, the fields that can hold nodes with something to see in them."""
_NODE_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _NON_NODE_FIELDS) for kind in _NODE_TYPES
} | {ast.Constant: ()}
"""For every node type, the fields that can hold any nodes but contexts."""


_INDIRECT_CALLEES = frozenset({ast.Call, ast.Subscript, ast.NamedExpr})
"""Kinds of callees that have to be resolved before their name is known."""
_FUNCTION_NODES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})
_UNKEPT_NODES = frozenset({ast.Attribute, ast.Call, ast.keyword, ast.arguments, ast.arg})
"""Kinds that the walk does not stop at: they are many, and only what is inside them is of interest. Calls are kept by name."""
_KEEP_NODE, _NOTE_BINDING, _COUNT_BRANCH, _OPEN_SCOPE = 1, 2, 4, 8
"""What the walk does with a node, as bits: keep it, note that it binds names, count a branch, open a scope."""


@lru_cache(maxsize=64)
def _walk_plan(kinds: frozenset[type[ast.AST]]) -> tuple[dict[type, int | None], frozenset[type]]:
    """What to do with nodes of each type when those of `kinds` are wanted, and the types that need no visit at all: there it is None."""
    if missed := kinds & _UNKEPT_NODES:
        raise TypeError(f"the walk does not stop at {sorted(each.__name__ for each in missed)}")
    tasks = {
        kind: _KEEP_NODE * (kind in kinds)
        | _NOTE_BINDING * (kind in BINDING_NODES)
        | _COUNT_BRANCH * (kind in _BRANCH_NODES)
        | _OPEN_SCOPE * (kind in DEFINITIONS)
        for kind in _NODE_TYPES
    }
    idle = {kind for kind, task in tasks.items() if not task and not _CHILD_FIELDS[kind]} | {type(None)}
    return {**tasks, **dict.fromkeys(idle)}, frozenset(idle)


@dataclass(slots=True, eq=False)
class Scope:
    """The module, a class, a function or a lambda."""

    node: ScopeNode
    parent: Scope | None
    qualname: str
    is_nested: bool = False
    """Is it inside a function, however deep?"""
    branches: int = 0
    binding_nodes: list[ast.AST] = field(default_factory=list, repr=False)
    _bindings: dict[str, list[Binding]] | None = field(default=None, repr=False)

    @property
    def is_function(self) -> bool:
        """Is it a function or a lambda?"""
        return type(self.node) in _FUNCTION_NODES

    @property
    def enclosing_class(self) -> Scope | None:
        """The nearest class, which may be the scope itself."""
        place: Scope | None = self
        while place is not None and type(place.node) is not ast.ClassDef:
            place = place.parent
        return place

    def inner(self, node: Any) -> Scope:
        """The scope that a definition in this one opens."""
        name = "<lambda>" if type(node) is ast.Lambda else node.name
        nested = self.is_nested or type(self.node) in _FUNCTION_NODES
        return Scope(node, self, f"{self.qualname}.{name}" if self.qualname else name, nested)

    def bindings(self) -> dict[str, list[Binding]]:
        """Every name this scope binds, with all that is bound to it; worked out when first asked."""
        if self._bindings is None:
            self._bindings = bound_names(self.node, self.binding_nodes)
        return self._bindings


ScopedNode = tuple[Any, Scope]
"""A node of a wanted kind, and its scope."""


class ScopedNodes:
    """The scopes of a parsed file, and its nodes of the wanted kinds. `kinds` are the node types to keep."""

    def __init__(self, text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> None:
        self.source = text.content
        self.says, self.said = text.says, text.said
        """Which of the watched words are in the file."""
        self.tree = tree
        self._text = text
        wanted = frozenset(kinds)
        self.nodes: dict[type[ast.AST], list[ScopedNode]] = {kind: [] for kind in wanted}
        self.calls: defaultdict[str, list[tuple[ast.Call, Scope]]] = defaultdict(list)
        """Calls by the last part of the name they call; under an empty one those that have to be resolved to be told."""
        self.scopes: list[Scope] = []
        self.typed: list[ast.arg] = []
        """All parameters with an annotation."""
        self._walk(*_walk_plan(wanted))

    @property
    def plain(self) -> str:
        """The source with names as they are compared."""
        return self._text.plain

    @property
    def lines(self) -> list[str]:
        """Source lines without their ends."""
        return self._text.lines

    def _walk(  # noqa: C901, PLR0912, PLR0915 - one loop, for every call saved counts a million times
        self, tasks_by_type: dict[type, int | None], leaf_types: frozenset[type]
    ) -> None:
        """Scope by scope, keep the wanted nodes, count branches and put the scopes inside in line.

        This loop sees every node of every file, so it is written for speed: one table says by type what to do,
        another which fields can hold children. What is passed over, and most leaves, are never put on the stack.
        """
        nodes, calls, fields_of = self.nodes, self.calls, _CHILD_FIELDS
        attribute, call, name_, assign, statement = ast.Attribute, ast.Call, ast.Name, ast.Assign, ast.Expr
        waiting = [Scope(self.tree, None, "")]
        while waiting:
            scope = waiting.pop()
            self.scopes.append(scope)
            binders = scope.binding_nodes
            branches = 0
            stack: list[Any] = scope_body(scope.node)
            push, pop = stack.append, stack.pop
            while stack:
                node = pop()
                kind = type(node)
                while True:
                    if kind is call:
                        func = node.func
                        of = type(func)
                        if of is attribute:
                            calls[func.attr].append((node, scope))
                            func = func.value
                            of = type(func)
                        elif of is name_:
                            calls[func.id].append((node, scope))
                        elif of in _INDIRECT_CALLEES:
                            calls[""].append((node, scope))
                        if of not in leaf_types:
                            push(func)
                        for each in node.args:
                            if type(each) not in leaf_types:
                                push(each)
                        for each in node.keywords:
                            if type(each.value) not in leaf_types:
                                push(each.value)
                        break
                    if kind is attribute:
                        node = node.value
                        kind = type(node)
                        continue
                    task = tasks_by_type[kind]
                    if task is None:
                        break
                    if task:
                        if task & _KEEP_NODE:
                            nodes[kind].append((node, scope))
                        if task & _NOTE_BINDING:
                            binders.append(node)
                        if task & _COUNT_BRANCH:
                            branches += 1
                        elif task & _OPEN_SCOPE:
                            waiting.append(scope.inner(node))
                            self._visit_definition(node, stack)
                            break
                    if kind is assign or kind is statement:
                        if kind is assign:
                            for each in node.targets:
                                if type(each) not in leaf_types:
                                    push(each)
                        node = node.value
                        kind = type(node)
                        continue
                    for name in fields_of[kind]:
                        value = getattr(node, name)
                        if type(value) is list:
                            for each in value:
                                if type(each) not in leaf_types:
                                    push(each)
                        elif type(value) not in leaf_types:
                            push(value)
                    break
            scope.branches = branches

    def _visit_definition(self, node: Any, stack: list[Any]) -> None:
        """What of a definition runs in the scope around it, and its annotations, go on the stack; parameters that have one are noted."""
        kind = type(node)
        if kind is ast.ClassDef:
            stack += evaluated_in_outer_scope(node)
            return
        own = node.args
        if kind is not ast.Lambda and node.decorator_list:
            stack += node.decorator_list
        if own.defaults:
            stack += own.defaults
        every = own.args
        if own.posonlyargs or own.kwonlyargs or own.vararg or own.kwarg:
            stack += [each for each in own.kw_defaults if each is not None]
            several = [each for each in (own.vararg, own.kwarg) if each is not None]
            every = [*own.posonlyargs, *every, *own.kwonlyargs, *several]
        for each in every:
            if each.annotation is not None:
                self.typed.append(each)
                stack.append(each.annotation)
        if kind is not ast.Lambda and node.returns is not None:
            stack.append(node.returns)


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node: what `ast.iter_child_nodes` yields, contexts left out, in a third of the time."""
    found: list[ast.AST] = []
    for name in _NODE_FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def own_statements(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function in any order, without those of functions and classes inside it."""
    waiting: list[Any] = [function]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            for each in getattr(node, name, None) or ():
                if isinstance(each, ast.stmt):
                    yield each
                if not isinstance(each, DEFINITIONS):
                    waiting.append(each)


def walk_nodes(*nodes: ast.AST) -> Iterator[ast.AST]:
    """The nodes and all below them, whatever scope they are in; plain names, constants and operators are left out."""
    _, idle = _walk_plan(frozenset())
    stack: list[Any] = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        for name in _CHILD_FIELDS[type(node)]:
            value = getattr(node, name)
            if type(value) is list:
                stack += [each for each in value if type(each) not in idle]
            elif type(value) not in idle:
                stack.append(value)


def evaluated_in_outer_scope(node: ast.AST) -> list[ast.expr]:
    """The expressions of a definition that run in the scope around it: decorators, bases, default values."""
    if isinstance(node, ast.ClassDef):
        around = [*node.decorator_list, *node.bases]
        return [*around, *(each.value for each in node.keywords)] if node.keywords else around
    if isinstance(node, ast.Lambda):
        return _default_expressions(node.args)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return (
            [*node.decorator_list, *_default_expressions(node.args)]
            if node.decorator_list
            else _default_expressions(node.args)
        )
    return []


def _default_expressions(own: ast.arguments) -> list[ast.expr]:
    return [*own.defaults, *(each for each in own.kw_defaults if each is not None)] if own.kw_defaults else own.defaults
