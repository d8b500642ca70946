"""One parsed Python file: its scopes, its nodes by kind, and what names in it stand for.

The tree is walked once, scope by scope, with explicit stacks: hostile nesting cannot exhaust the
interpreter's. Within a scope the walk keeps only the nodes of the kinds somebody asked for and counts
branches; names are resolved later, and only for the few expressions a probe asks about.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from auditor.forensics.python.scope_bindings import (
    BINDING_NODES,
    DEFINITIONS,
    NAME_NODES,
    OPAQUE,
    Binding,
    ScopeNode,
    annotated_class,
    bound_names,
    is_none,
    last_name,
    root_name,
    scope_body,
)
from auditor.forensics.python.unknown_value import UNKNOWN
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
_CHILD_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _LEAF_FIELDS) for kind in _NODE_TYPES
} | dict.fromkeys((ast.Constant, ast.Name, ast.MatchSingleton), ())
"""For every node type, the fields that can hold nodes with something to see in them."""
_NON_NODE_FIELDS = frozenset(
    {"ctx", "id", "attr", "module", "level", "asname", "type_comment", "conversion", "is_async", "simple", "kind", "tag", "rest"}
)  # fmt: skip
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


_MAX_HOPS = 20
ANY_MEMBER = "*"
"""Stands in a qualified name for a member whose name is made at run time."""
BindingChooser = Callable[[list[Binding]], Binding]


@dataclass(slots=True, eq=False)
class Scope:
    """The module, a class, a function or a lambda."""

    node: ScopeNode
    parent: Scope | None
    qualname: str
    is_nested: bool = False
    """Does it stand inside a function, however deep?"""
    branches: int = 0
    binding_nodes: list[ast.AST] = field(default_factory=list, repr=False)
    _bindings: dict[str, list[Binding]] | None = field(default=None, repr=False)

    @property
    def is_function(self) -> bool:
        """Is it a function or a lambda?"""
        return type(self.node) in _FUNCTION_NODES

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
"""A node of a wanted kind, and the scope it stands in."""


class Module:
    """A parsed file. `kinds` are the node types to keep. In `memory` a probe may keep what it worked out for the file."""

    def __init__(self, text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> None:
        self.source = text.content
        self.says, self.said = text.says, text.said
        """Which of the words that were told to be watched stand in the file."""
        self.tree = tree
        self._text = text
        wanted = frozenset(kinds)
        self.nodes: dict[type[ast.AST], list[ScopedNode]] = {kind: [] for kind in wanted}
        self.calls: defaultdict[str, list[tuple[ast.Call, Scope]]] = defaultdict(list)
        """Calls by the last part of the name they call; under an empty one those that have to be resolved to be told."""
        self.scopes: list[Scope] = []
        self.typed: list[ast.arg] = []
        """All parameters with an annotation."""
        self.memory: dict[object, object] = {}
        self._is_resolving_modules = False
        """Is it being found out whether something is `sys.modules`?"""
        self.renamed: Mapping[str, str] = {}
        """Names that other modules of the repository pass on, and what they stand for."""
        self.told: Mapping[str, object] = {}
        """What is known of names that other modules of the repository bind, as their outlines tell it."""
        self.asked: set[str] = set()
        """Qualified names of imported things of which somebody wanted to know such a thing."""
        self.running: dict[str, str] = {}
        """Functions and methods of the module that run what they are given, and the name under which that is looked for elsewhere."""
        self.passing: dict[str, set[str]] = {}
        """Functions of the module, and the parameters that they pass on to where a probe looks for them."""
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

    def resolve(self, expression: ast.AST | None, scope: Scope, choose: BindingChooser | None = None) -> str | None:
        """The qualified name that an expression stands for, or None.

        Follows imports, `import a as b`, `x = a.b` bound once, calls of classes (`x = Popen(...)` resolves
        `x.wait` to `subprocess.Popen.wait`), parameters and attributes of `self` with a known class,
        `functools.partial`, `getattr` with a name that can be worked out (`*` stands for one that cannot),
        `vars(a)["b"]`, `__import__` and `import_module`. A name bound in several ways stands for nothing,
        unless `choose` says which binding to take.
        """
        parts: list[str] = []
        for _ in range(_MAX_HOPS):
            expression, scope = self._owner(expression, scope, parts)
            if isinstance(expression, ast.Await):
                expression = expression.value
                continue
            if (
                isinstance(expression, ast.Call)
                and parts
                and (given := self._call_result(expression, scope)) is not None
            ):
                expression, scope = given
                continue
            if isinstance(expression, (ast.BoolOp, ast.IfExp)):
                expression = self._fallback_choice(expression, scope) if choose is not None else None
                continue
            if isinstance(expression, (ast.NamedExpr, ast.Call, ast.Subscript)):
                expression, more = self._unwrap(expression, scope)
                parts += more
                continue
            if isinstance(expression, ast.Constant) and isinstance(expression.value, _ModuleName):
                return self._follow_reexport(".".join([expression.value, *reversed(parts)]).removeprefix("builtins."))
            if not isinstance(expression, ast.Name):
                return None
            found = self.lookup(expression.id, scope, choose)
            if found is None:
                return self._follow_reexport(self._unbound_name(expression.id, parts))
            binding, scope = found
            if binding.qualified_name is not None:
                return self._follow_reexport(
                    ".".join([binding.qualified_name, *reversed(parts)]).removeprefix("builtins.")
                )
            expression = binding.value or binding.type
        return None

    def _follow_reexport(self, name: str) -> str:
        """What a name stands for that another module of the repository passes on, or a member of it; else the name."""
        if not self.renamed:
            return name
        owner, rest = name, ""
        while owner:
            if owner in self.renamed:
                return self.renamed[owner] + rest
            owner, dot, last = owner.rpartition(".")
            rest = f"{dot}{last}{rest}"
        return name

    def _owner(self, expression: ast.AST | None, scope: Scope, parts: list[str]) -> tuple[ast.AST | None, Scope]:
        """What a chain of attributes hangs on, and where; their names are added to `parts`, last one first."""
        hops = 0
        while isinstance(expression, ast.Attribute):
            of = expression.value
            if hops < _MAX_HOPS and type(of) is ast.Name and of.id in SELF_NAMES:
                held = self._self_attribute(expression, scope) or (self._field(expression, scope) if parts else None)
                if held is not None:
                    expression, scope = held
                    hops += 1
                    continue
            if expression.attr != "__call__":  # calling it by that name is calling it
                parts.append(expression.attr)
            expression = expression.value
        return expression, scope

    def _unwrap(
        self, expression: ast.NamedExpr | ast.Call | ast.Subscript, scope: Scope
    ) -> tuple[ast.expr | None, list[str]]:
        """What is inside a wrapper, and attributes to add."""
        if isinstance(expression, ast.NamedExpr):
            return expression.value, []
        if isinstance(expression, ast.Call):
            return self._through_call(expression, scope)
        return self._through_subscript(expression, scope)

    def resolve_likeliest(self, expression: ast.AST | None, scope: Scope) -> str | None:
        """The name that an expression may stand for when names in it are bound in several ways; imports first."""
        return self.resolve(expression, scope, _likeliest_binding)

    def _unbound_name(self, name: str, parts: list[str]) -> str:
        """A builtin, or what a `from module import *` brought in."""
        if name == "__builtins__":
            return ".".join(reversed(parts)) or name
        if self.stars and not hasattr(builtins, name):
            name = f"{self.stars[-1]}.{name}"
        return ".".join([name, *reversed(parts)]).removeprefix("builtins.")

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """Modules of which all names are imported, in order."""
        found = [
            (node.lineno, node.module)
            for node, _ in self.nodes.get(ast.ImportFrom, ())
            if isinstance(node, ast.ImportFrom) and node.module and not node.level and node.names[0].name == "*"
        ]
        return tuple(module for _, module in sorted(found))

    def _self_attribute(self, expression: ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that `self.name` or `cls.name` is set to, once, in the class or by its methods, and where."""
        if not isinstance(expression.value, ast.Name) or expression.value.id not in SELF_NAMES:
            return None
        held = self._attributes_by_class.get(_enclosing_class_name(scope), {}).get(expression.attr, [])
        if not held and expression.attr in self._defined:
            return self._property_value(expression.attr, scope)
        return held[0] if len(held) == 1 else None

    def _field(self, expression: ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The class that `self.name` is an instance of, by the annotation of a field, and where that stands."""
        return self._fields.get(_enclosing_class_name(scope), {}).get(expression.attr)

    @cached_property
    def _fields(self) -> dict[str, dict[str, tuple[ast.expr, Scope]]]:
        """For each class the fields that it annotates with one class."""
        table: dict[str, dict[str, tuple[ast.expr, Scope]]] = {}
        for node, scope in self.nodes.get(ast.AnnAssign, ()):
            if type(scope.node) is ast.ClassDef and type(node.target) is ast.Name:
                kind = annotated_class(node.annotation)
                if kind is not None:
                    table.setdefault(_enclosing_class_name(scope), {}).setdefault(node.target.id, (kind, scope))
        return table

    def _property_value(self, name: str, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that a property of the enclosing class returns."""
        around: Scope | None = scope
        while around is not None and type(around.node) is not ast.ClassDef:
            around = around.parent
        made = self._defined[name].get(id(around.node)) if around is not None else None
        if made is None or not isinstance(made.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        decorators = {last_name(each) for each in made.node.decorator_list}
        return self._function_result(made) if not decorators.isdisjoint(_PROPERTY_DECORATORS) else None

    @cached_property
    def _attributes_by_class(self) -> dict[str, dict[str, list[tuple[ast.expr, Scope]]]]:
        """For each class, the attributes that it or its methods set, with all values.

        A name with an annotation in the class itself is left out: it may be a field that each instance is given.
        """
        table: dict[str, dict[str, list[tuple[ast.expr, Scope]]]] = {}
        assigned, name_, in_class = ast.Assign, ast.Name, ast.ClassDef
        for node, scope in [each for kind in _ASSIGNMENT_NODES for each in self.nodes.get(kind, ())]:
            if type(node) is assigned and type(node.targets[0]) is name_ and type(scope.node) is not in_class:
                continue  # as most do, and a name is set along with an attribute by nobody
            for target, value in _assigned_pairs(node):
                name = _assigned_attribute(target, scope)
                if name and not (type(target) is ast.Name and type(node) is ast.AnnAssign):
                    table.setdefault(_enclosing_class_name(scope), {}).setdefault(name, []).append((value, scope))
        return table

    def _through_call(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, list[str]]:
        """What the result of a call is an instance, a member or a wrapper of, and attributes to add."""
        func = call.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        first = call.args[0] if call.args else None
        if name == "getattr" and first is not None and len(call.args) > 1:
            member = self.value(call.args[1], scope)
            return first, [member if isinstance(member, str) else ANY_MEMBER]
        if name == "partial" and first is not None:
            return first, []
        table = func.value if isinstance(func, ast.Attribute) and name == "get" else None
        if table is not None and first is not None and (taken := self._dict_entry(table, first, scope)) is not None:
            return taken, []
        if name in {"__import__", "import_module"} and first is not None:
            module = self.value(first, scope)
            if isinstance(module, str):
                return ast.Constant(_ModuleName(module)), []
        return func, []

    def _through_subscript(self, subscript: ast.Subscript, scope: Scope) -> tuple[ast.expr | None, list[str]]:
        """What is taken by its name out of `vars(a)`, `a.__dict__`, `__builtins__` or `sys.modules`; None for other things."""
        owner = subscript.value
        if (taken := self._dict_entry(owner, subscript.slice, scope)) is not None:
            return taken, []
        key = self.value(subscript.slice, scope)
        if isinstance(owner, ast.Attribute) and owner.attr == "modules" and isinstance(key, str):
            return (ast.Constant(_ModuleName(key)), []) if self._is_sys_modules(owner, scope) else (None, [])
        member = [key if isinstance(key, str) else ANY_MEMBER]
        if isinstance(owner, ast.Attribute) and owner.attr == "__dict__":
            return owner.value, member
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "vars" and owner.args:
            return owner.args[0], member
        if isinstance(owner, ast.Name) and owner.id == "__builtins__":
            return owner, member
        return None, []

    def _dict_entry(self, table: ast.expr, key: ast.expr, scope: Scope) -> ast.expr | None:
        """What is taken by a key out of a dictionary of functions: the one that the key names, else one of them if all hang on the same name."""
        if not isinstance(table, (ast.Name, ast.Attribute, ast.Dict)):
            return None
        made = self.behind(table, scope)
        if not isinstance(made, ast.Dict) or not made.values or type(made.values[0]) not in NAME_NODES:
            return None
        wanted = self.value(key, scope)
        for each, value in zip(made.keys[:_MAX_KEYS], made.values, strict=False):
            if isinstance(each, ast.Constant) and each.value == wanted:
                return value
        roots = {root_name(each) for each in made.values[:_MAX_KEYS]}
        return made.values[0] if wanted is UNKNOWN and len(roots) == 1 and roots != {""} else None

    def _fallback_choice(self, choice: ast.BoolOp | ast.IfExp, scope: Scope) -> ast.expr | None:
        """The fallback of a choice: `session or Session()`, `requests if session is None else session`."""
        either = choice.values if isinstance(choice, ast.BoolOp) else [choice.body, choice.orelse]
        for each in reversed(either[:_MAX_KEYS]):
            found = self.lookup(each.id, scope) if isinstance(each, ast.Name) else None
            if isinstance(each, ast.Call) or (found is not None and found[0].qualified_name is not None):
                return each
        return None

    def _call_result(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The result of a call of a function of this file, by annotation or by its only return; None for other calls."""
        made = self._called(call, scope)
        return None if made is None else self._function_result(made)

    def returned(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The one thing that a function of this file returns, whatever its annotation says, and where; None for other calls."""
        made = self._called(call, scope)
        return _single_result(made) if made is not None else None

    def _called(self, call: ast.Call, scope: Scope) -> Scope | None:
        """The function of this file that is called; None for others."""
        func = call.func
        if isinstance(func, ast.Name):
            found = self.lookup(func.id, scope) if func.id in self._defined else None
            place = found[1].node if found is not None else None
            name = func.id
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in SELF_NAMES:
            around: Scope | None = scope
            while around is not None and type(around.node) is not ast.ClassDef:
                around = around.parent
            place, name = around.node if around is not None else None, func.attr
        else:
            return None
        return self._defined.get(name, {}).get(id(place))

    def _function_result(self, made: Scope) -> tuple[ast.expr, Scope] | None:
        """The result of a function; computed once."""
        known = self._function_results.get(id(made), _NOT_COMPUTED)
        if isinstance(known, _NotComputed):
            known = self._function_results[id(made)] = self._looked_for(made)
        return known

    def _looked_for(self, made: Scope) -> tuple[ast.expr, Scope] | None:
        node = made.node
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        told = annotated_class(node.returns)
        if told is not None and made.parent is not None:
            return told, made.parent
        return _single_result(made)

    @cached_property
    def _defined(self) -> dict[str, dict[int, Scope]]:
        """The functions and methods of the file by their names and by what they stand in."""
        table: dict[str, dict[int, Scope]] = {}
        for scope in self.scopes:
            if type(scope.node) is ast.FunctionDef or type(scope.node) is ast.AsyncFunctionDef:
                table.setdefault(scope.node.name, {})[id(scope.parent.node)] = scope  # type: ignore[union-attr]
        return table

    @cached_property
    def _function_results(self) -> dict[int, tuple[ast.expr, Scope] | None]:
        return {}

    def _is_sys_modules(self, expression: ast.expr, scope: Scope) -> bool:
        """Is it `sys.modules`? Not asked of what is itself taken out of such a thing: a name may be made of itself."""
        if self._is_resolving_modules:
            return False
        self._is_resolving_modules = True
        try:
            return self.resolve(expression, scope) == "sys.modules"
        finally:
            self._is_resolving_modules = False

    def lookup(self, name: str, scope: Scope, choose: BindingChooser | None = None) -> tuple[Binding, Scope] | None:
        """What a name is bound to where it is used, and in which scope; None for a builtin or unknown name.

        `choose` makes one binding of several; by default they have to say the same.
        """
        place: Scope | None = scope
        while place is not None:
            if place is scope or not isinstance(place.node, ast.ClassDef):
                bound = place.bindings().get(name)
                if bound:
                    return ((choose or _common_binding)(bound), place)
            place = place.parent
        return None

    def behind(self, expression: ast.expr, scope: Scope) -> ast.expr:
        """What a name, or an attribute of `self`, was set to once; the expression itself for anything else."""
        for _ in range(_MAX_HOPS):
            if isinstance(expression, ast.Name):
                found = self.lookup(expression.id, scope)
                if found is None or found[0].value is None:
                    return expression
                expression, scope = found[0].value, found[1]
            elif (
                isinstance(expression, ast.Attribute) and (held := self._self_attribute(expression, scope)) is not None
            ):
                expression, scope = held
            else:
                return expression
        return expression

    def held(self, expression: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """What an attribute of `self` was set to, once, and where; None for anything else."""
        return self._self_attribute(expression, scope) if isinstance(expression, ast.Attribute) else None

    def value(self, expression: ast.expr | None, scope: Scope) -> object:
        """The constant an expression stands for, through names bound once and texts put together; UNKNOWN otherwise."""
        for _ in range(_MAX_HOPS):
            if isinstance(expression, ast.Constant):
                return expression.value
            if isinstance(expression, ast.BinOp):
                return _concatenated_text(expression)
            if isinstance(expression, ast.Attribute) and (held := self._self_attribute(expression, scope)) is not None:
                expression, scope = held
                continue
            found = self.lookup(expression.id, scope) if isinstance(expression, ast.Name) else None
            if found is None or found[0].value is None:
                if type(expression) is ast.Subscript and (entry := self._entry_value(expression, scope)) is not None:
                    expression, scope = entry
                    continue
                member = type(expression) is ast.Attribute or (
                    found is not None and found[0].qualified_name is not None
                )
                return self._imported_constant(expression, scope) if member else UNKNOWN
            expression, scope = found[0].value, found[1]
        return UNKNOWN

    def _entry_value(self, expression: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that a constant dictionary display holds under constant keys; None for other expressions."""
        keys: list[object] = []
        while isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
            keys.append(expression.slice.value)
            expression = expression.value
        if not isinstance(expression, ast.Name) or not expression.id.isupper():
            return None
        found = self.lookup(expression.id, scope)
        value = found[0].value if found is not None else None
        if value is not None and self._is_modified_later(expression.id):
            return None
        for key in reversed(keys):
            written = isinstance(value, ast.Dict) and len(value.keys) <= _MAX_KEYS
            pairs = list(zip(value.keys, value.values, strict=True)) if written and isinstance(value, ast.Dict) else []
            plain = all(isinstance(name, ast.Constant) for name, _ in pairs)  # another dictionary may lie over them
            value = (
                next(
                    (held for name, held in reversed(pairs) if isinstance(name, ast.Constant) and name.value == key),
                    None,
                )
                if plain
                else None
            )
        return (value, found[1]) if value is not None and found is not None else None

    def _is_modified_later(self, name: str) -> bool:
        """Is a dictionary that is named like a constant modified after all?"""
        known = self.memory.get("filled later")
        if not isinstance(known, frozenset):
            found = re.findall(_LATER_MODIFICATION, self.plain)
            known = self.memory["filled later"] = frozenset(found)
        return name in known

    def _imported_constant(self, expression: ast.expr | None, scope: Scope) -> object:
        """The value of a constant, told by its capitals, of another module; where it is not known yet, it is asked for."""
        if not isinstance(expression, (ast.Name, ast.Attribute)) or not last_name(expression).isupper():
            return UNKNOWN  # as most are
        known = self.imported_value(expression, scope)
        return UNKNOWN if isinstance(known, dict) else known

    def imported_value(self, expression: ast.expr, scope: Scope) -> object:
        """What is known of an imported name or member; UNKNOWN, and noted as requested, where nothing is."""
        parts: list[str] = []
        while isinstance(expression, ast.Attribute):
            parts.append(expression.attr)
            expression = expression.value
        found = self.lookup(expression.id, scope) if isinstance(expression, ast.Name) else None
        if found is None or found[0].qualified_name is None:
            return UNKNOWN
        name = ".".join([found[0].qualified_name, *reversed(parts)])
        self.asked.add(name)
        return self.told.get(name, UNKNOWN)


def may_have_other_name(expression: ast.Attribute) -> bool:
    """May an attribute stand for something with another name? `self.run` may hold anything, `f.__call__` is f."""
    owner = expression.value
    return (isinstance(owner, ast.Name) and owner.id in SELF_NAMES) or expression.attr == "__call__"


def _single_result(made: Scope) -> tuple[ast.expr, Scope] | None:
    """What a function returns, when there is one statement that does."""
    results = [each.value for each in own_statements(made.node) if type(each) is ast.Return and each.value is not None]
    return (results[0], made) if len(results) == 1 else None


_MAX_KEYS = 40
_LATER_MODIFICATION = re.compile(
    r"(?<![\w.])([A-Z][A-Z0-9_]{0,80})(?:\[[^\]\n]{1,80}\]){0,4}(?:\s{0,8}\|?=(?!=)|\.(?:update|setdefault|pop|clear|__setitem__)\b)(?!\s{0,8}\{)"
)
"""A name like a constant's that something is put into, or that is given anything but a dictionary."""
"""Functions of a table that are looked at."""


class _ModuleName(str):
    """The name of a module that a call imports."""

    __slots__ = ()


class _NotComputed:
    """Stands for what was not looked for yet."""


_NOT_COMPUTED = _NotComputed()
_PROPERTY_DECORATORS = frozenset({"property", "cached_property"})
SELF_NAMES = frozenset({"self", "cls"})
"""What methods call their instance and their class."""


_ASSIGNMENT_NODES = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _assigned_pairs(node: Any) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment and their values; of several targets each has a part that is not followed."""
    if type(node) is not ast.Assign:
        return [] if node.value is None else [(node.target, node.value)]
    found: list[tuple[ast.expr, ast.expr]] = []
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            found += [(each, ast.Tuple([node.value], ast.Load())) for each in target.elts]
        else:
            found.append((target, node.value))
    return found


def _assigned_attribute(target: ast.expr, scope: Scope) -> str:
    """The attribute of a class that an assignment sets: `self.name = ...`, or `name = ...` in the class itself; empty for other targets."""
    if type(target) is ast.Attribute:
        return target.attr if type(target.value) is ast.Name and target.value.id in SELF_NAMES else ""
    return target.id if type(target) is ast.Name and type(scope.node) is ast.ClassDef else ""


def _enclosing_class_name(scope: Scope) -> str:
    """Qualified name of the nearest class; empty outside of any."""
    place: Scope | None = scope
    while place is not None and not isinstance(place.node, ast.ClassDef):
        place = place.parent
    return place.qualname if place is not None else ""


_EQUIVALENT_MODULES = {"cPickle": "pickle", "_pickle": "pickle"}
"""Modules that stand in for one another, so that a name may be bound to either."""


def _common_binding(bound: list[Binding]) -> Binding:
    """The binding on which all agree. An import wins over `name = None`, the usual fallback for a missing module."""
    imported = {
        _EQUIVALENT_MODULES.get(each.qualified_name, each.qualified_name)
        for each in bound
        if each.qualified_name is not None
    }
    others = [each for each in bound if each.qualified_name is None]
    if not imported:
        return bound[0] if len(bound) == 1 else OPAQUE
    if len(imported) == 1 and all(is_none(each.value) for each in others):
        return next(each for each in bound if each.qualified_name is not None)
    return OPAQUE


def _likeliest_binding(bound: list[Binding]) -> Binding:
    """Of several bindings an import, else the first that is an expression."""
    imported = [each for each in bound if each.qualified_name is not None]
    valued = [each for each in bound if each.value is not None]
    return next(iter((*imported, *valued)), OPAQUE)


def _concatenated_text(sum_of: ast.BinOp) -> object:
    """Constant texts joined by `+`."""
    texts: list[str] = []
    waiting: list[ast.expr] = [sum_of]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
            waiting += [each.left, each.right]
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            texts.append(each.value)
        else:
            return UNKNOWN
    return "".join(reversed(texts))


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
