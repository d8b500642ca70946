"""Which functions an expression may be: one answer for all probes that look for dangerous calls.

Names are followed through every value they are given: assignments, tuples, loops over a list that is written out, defaults
of parameters, tables, choices, functions and lambdas of the file, attributes of its classes, and calls that return what
they are given. Where more than one function is possible, all are given.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import (
    ARGUMENT_RETURNERS,
    DEFINITIONS,
    OPAQUE,
    SELF_NAMES,
    Binding,
    arguments_by_name,
    last_name,
    receiver,
)
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.text_assignments import called_function, returns

_MAX_STEPS = 120
"""Expressions that are looked at for one question."""
_MAX_MEMBERS = 40
"""Members of one list, table or choice, and bindings of one name, that are looked at."""
_TABLE_METHODS = frozenset({"get", "pop", "setdefault"})
_NAMESPACES = frozenset({"globals", "locals"})
_ITEM_CALLS = frozenset({"items", "values"})
AMBIGUOUS_NAME_REASON = "a name in it is bound in several ways, and this is the likeliest"


class Callee(NamedTuple):
    """A function that may be called: its qualified name, or `.method` where only the method is known."""

    name: str
    doubt: str = ""
    """Why it may be another one; empty where it is certainly one of those that are called."""
    origins: frozenset[int] = frozenset()
    """The identities of the nodes that name the function, or its module, where it is passed on as a value."""
    method: str = ""
    """The name of the method, where it is one of what a call returned."""


class _Step(NamedTuple):
    """An expression that is still to be followed, and the attributes that are taken from it, the first one first."""

    expression: ast.AST
    scope: Scope
    parts: tuple[str, ...] = ()
    doubt: str = ""
    origin: int = 0

    def to(self, expression: ast.AST, scope: Scope | None = None, *parts: str, doubt: str = "") -> _Step:
        origin = id(expression) if not parts and not self.parts else self.origin
        return _Step(expression, scope or self.scope, (*parts, *self.parts), self.doubt or doubt, origin)


def possible_callees(module: Module, expression: ast.expr, scope: Scope) -> list[Callee]:
    """The functions that an expression may be, each once; none where nothing of it could be followed."""
    return _CalleeWalk(module).callees(_Step(expression, scope))


def effective_call(module: Module, call: ast.Call, scope: Scope) -> ast.Call:
    """The call that is made in the end: `partial(run, x)(y)` as `run(x, y)`, `methodcaller("run", x)(y)` as `y.run(x)`."""
    func = module.behind(call.func, scope)
    if not isinstance(func, ast.Call) or not func.args:
        return call
    name, first = last_name(func.func), func.args[0]
    if name in ARGUMENT_RETURNERS:
        made = ast.Call(first, [*func.args[1:], *call.args], [*func.keywords, *call.keywords])
    elif name == "methodcaller" and call.args and isinstance(method := module.value(first, scope), str):
        taken = ast.copy_location(ast.Attribute(call.args[0], method, ast.Load()), call)
        made = ast.Call(taken, func.args[1:], func.keywords)
    else:
        return call
    return ast.copy_location(made, call)


def constructor_calls(module: Module) -> Iterator[tuple[ast.Call, Scope, ast.expr]]:
    """Calls of the constructor of a base class, as calls of that class: `super().__init__(x)` as `Base(x)`."""
    for call, scope in module.calls.get("__init__", ()):
        around = scope.enclosing_class
        owner = receiver(call)
        if around is None or not isinstance(around.node, ast.ClassDef):
            continue
        if isinstance(owner, ast.Call) and last_name(owner.func) == "super":
            for base in around.node.bases[:_MAX_MEMBERS]:
                yield ast.copy_location(ast.Call(base, call.args, call.keywords), call), scope, base
        elif isinstance(owner, (ast.Name, ast.Attribute)) and call.args:
            made = ast.copy_location(ast.Call(owner, call.args[1:], call.keywords), call)
            yield made, scope, owner


class _CalleeWalk:
    """One question: what was seen, and what is still to be followed."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._seen: set[tuple[ast.AST, Scope, tuple[str, ...]]] = set()
        self._found: dict[str, Callee] = {}

    def callees(self, start: _Step) -> list[Callee]:
        waiting = [start]
        for _ in range(_MAX_STEPS):
            if not waiting:
                break
            step = waiting.pop()
            key = (step.expression, step.scope, step.parts)
            if key not in self._seen:
                self._seen.add(key)
                waiting += self._next(step)
        return list(self._found.values())

    def _note(self, name: str, step: _Step, method: str = "") -> None:
        known = self._found.get(name)
        if known is None or known.doubt:
            self._found[name] = Callee(name, step.doubt, frozenset({step.origin, id(step.expression)}), method)

    def _next(self, step: _Step) -> Iterable[_Step]:
        read = _READERS.get(type(step.expression))
        return read(self, step) if read is not None else ()

    def _name(self, step: _Step) -> Iterable[_Step]:
        name = step.expression
        assert isinstance(name, ast.Name)
        several: list[Binding] = []

        def keep(bound: list[Binding]) -> Binding:
            several.extend(bound[:_MAX_MEMBERS])
            return bound[0]

        found = self._module.lookup(name.id, step.scope, keep)
        if found is None:
            qualified = "" if name.id == "__builtins__" and step.parts else self._module.resolve(name, step.scope)
            if qualified is not None:
                self._note(".".join([qualified, *step.parts]).lstrip("."), step)
            return ()
        doubt = AMBIGUOUS_NAME_REASON if len(several) > 1 else ""
        return [more for each in several for more in self._binding(step, name, each, found[1], doubt)]

    def _binding(self, step: _Step, name: ast.Name, bound: Binding, place: Scope, doubt: str) -> Iterator[_Step]:
        if bound.qualified_name is not None:
            qualified = self._module.follow_reexport(".".join([bound.qualified_name, *step.parts]))
            self._note(qualified.removeprefix("builtins."), step._replace(doubt=step.doubt or doubt))
        elif bound.value is not None:
            same = isinstance(bound.value, ast.Name) and bound.value.id == name.id  # `class T: os = os`
            yield step.to(bound.value, (place.parent if same else None) or place, doubt=doubt)
        else:
            yield from self._unassigned(step, name, bound, place)

    def _unassigned(self, step: _Step, name: ast.Name, bound: Binding, place: Scope) -> Iterator[_Step]:
        """A parameter, or what is bound by something else than a plain assignment."""
        more = [step.to(bound.type, place)] if bound.type is not None and step.parts else []
        default = parameter_default(name, step.scope)
        if default is not None:
            more.append(step.to(default, place.parent or place))
        if bound == OPAQUE:
            more += self._opaque(step, name.id, place)
        if not more and step.parts and not _is_defined(name.id, place):
            self._note(f".{step.parts[-1]}", step)
        yield from more

    def _opaque(self, step: _Step, name: str, place: Scope) -> Iterator[_Step]:
        """What a loop, an unpacked tuple or a definition binds to a name."""
        for node in place.binding_nodes:
            if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                for value in self._drawn(name, node.target, node.iter, place):
                    yield step.to(value, place)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for value in _unpacked(name, target, node.value):
                        yield step.to(value, place)
            elif isinstance(node, ast.ClassDef) and node.name == name:
                yield from self._member(step, node, place)

    def _drawn(self, name: str, target: ast.expr, drawn: ast.expr, place: Scope) -> Iterator[ast.expr]:
        """The values that a loop over what is written out gives to a name."""
        for member in self._members(drawn, place):
            yield from _unpacked(name, target, member)

    def _members(self, drawn: ast.expr, place: Scope) -> list[ast.expr]:
        made = self._module.behind(drawn, place)
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _ITEM_CALLS:
            table = self._module.behind(made.func.value, place)
            if isinstance(table, ast.Dict):
                pairs = zip(table.keys[:_MAX_MEMBERS], table.values, strict=False)
                as_pairs = made.func.attr == "items"
                return [ast.Tuple([key or value, value], ast.Load()) if as_pairs else value for key, value in pairs]
        if isinstance(made, ast.Call) and last_name(made.func) == "enumerate" and made.args:
            return [ast.Tuple([ast.Constant(0), each], ast.Load()) for each in self._members(made.args[0], place)]
        return made.elts[:_MAX_MEMBERS] if isinstance(made, (ast.List, ast.Tuple, ast.Set)) else []

    def _member(self, step: _Step, node: ast.ClassDef, place: Scope) -> Iterator[_Step]:
        """A class of the file: what one of its attributes is, or what is made when it is called."""
        own = _class_scopes(self._module).get(node)
        if own is None:
            return
        if step.parts:
            bound = own.bindings().get(step.parts[0], [])
            rest = step._replace(parts=step.parts[1:])
            for each in bound[:_MAX_MEMBERS]:
                yield from self._binding(rest, ast.Name(step.parts[0], ast.Load()), each, own, "")
            for value, at in self._module.attribute_values(own.qualname, step.parts[0]):
                yield rest.to(value, at)
            if bound:
                return
        if _changes_base(node, constructed=not step.parts):
            return
        for base in node.bases[:_MAX_MEMBERS]:
            yield step.to(base, place)

    def _attribute(self, step: _Step) -> Iterable[_Step]:
        taken = step.expression
        assert isinstance(taken, ast.Attribute)
        if taken.attr == "__call__":
            return [step.to(taken.value)]
        if isinstance(taken.value, ast.Name) and taken.value.id in SELF_NAMES:
            around = step.scope.enclosing_class
            if around is not None and isinstance(around.node, ast.ClassDef):
                return list(self._member(step.to(taken, None, taken.attr), around.node, around.parent or around))
        return [step.to(taken.value, None, taken.attr)]

    def _subscript(self, step: _Step) -> Iterable[_Step]:
        taken = step.expression
        assert isinstance(taken, ast.Subscript)
        key = self._module.value(taken.slice, step.scope)
        owner = taken.value
        if isinstance(owner, ast.Call) and last_name(owner.func) in _NAMESPACES and isinstance(key, str):
            return [step.to(ast.Name(key, ast.Load()))]
        return self._entries(step, owner, key) or self._resolved(step)

    def _entries(self, step: _Step, table: ast.expr, key: object) -> list[_Step]:
        """What is taken by a key out of a table or list that is written out: the entry, else any of them."""
        made = self._module.behind(table, step.scope)
        if isinstance(made, ast.Dict):
            entries = list(zip(made.keys[:_MAX_MEMBERS], made.values, strict=False))
            chosen = [value for name, value in entries if isinstance(name, ast.Constant) and name.value == key]
            return [step.to(each) for each in chosen] or [step.to(each) for _, each in entries]
        if isinstance(made, (ast.List, ast.Tuple)):
            if isinstance(key, int) and -len(made.elts) <= key < len(made.elts):
                return [step.to(made.elts[key])]
            return [step.to(each) for each in made.elts[:_MAX_MEMBERS]]
        return []

    def _call(self, step: _Step) -> Iterable[_Step]:
        call = step.expression
        assert isinstance(call, ast.Call)
        func, name = call.func, last_name(call.func)
        first = call.args[0] if call.args else None
        if first is not None:
            if name in ARGUMENT_RETURNERS:
                return [step.to(first)]
            if isinstance(func, ast.Call):
                return self._getter(step, func, first)
            if taken := self._taken_by_call(step, call, name):
                return taken
        made = called_function(self._module, func, step.scope)
        if made is not None:
            return self._results(step, made, call)
        if isinstance(func, ast.Name) and step.parts and self._is_class(func, step.scope):
            return [step.to(func)]
        return self._resolved(step) if step.parts else ()  # what a call returned is not what was called

    def _taken_by_call(self, step: _Step, call: ast.Call, name: str) -> list[_Step]:
        """`getattr(os, "system")`, `table.get(name, default)`."""
        key = self._module.value(call.args[0], step.scope)
        if name == "getattr" and len(call.args) > 1:
            member = self._module.value(call.args[1], step.scope)
            return [step.to(call.args[0], None, member if isinstance(member, str) else "*")]
        if isinstance(call.func, ast.Attribute) and name in _TABLE_METHODS:
            return [*self._entries(step, call.func.value, key), *(step.to(each) for each in call.args[1:2])]
        return []

    def _getter(self, step: _Step, made: ast.Call, of: ast.expr) -> Iterable[_Step]:
        """`attrgetter("system")(os)`."""
        name = self._module.resolve(made.func, step.scope)
        member = self._module.value(made.args[0], step.scope) if made.args else None
        if name != "operator.attrgetter" or not isinstance(member, str):
            return ()
        return [step.to(of, None, *member.split("."))]

    def _is_class(self, func: ast.Name, scope: Scope) -> bool:
        found = self._module.lookup(func.id, scope)
        return found is not None and any(
            isinstance(each, ast.ClassDef) and each.name == func.id for each in found[1].binding_nodes
        )

    def _results(self, step: _Step, made: Scope, call: ast.Call) -> Iterable[_Step]:
        node = made.node
        if isinstance(node, ast.Lambda):
            ends: list[ast.expr] = [node.body]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            ends = returns(self._module, node)[:_MAX_MEMBERS]
        else:
            return ()
        given = _given(node, call)
        return [
            step.to(given[end.id]) if isinstance(end, ast.Name) and end.id in given else step.to(end, made)
            for end in ends
        ]

    def _resolved(self, step: _Step) -> Iterable[_Step]:
        """What the plain resolution of names says of an expression, with the attributes taken from it."""
        expression = step.expression
        for part in step.parts:
            expression = ast.Attribute(expression, part, ast.Load())  # type: ignore[arg-type]
        name = self._module.resolve(expression, step.scope)
        if name is not None:
            self._note(name, step, step.parts[0] if type(step.expression) is ast.Call and len(step.parts) == 1 else "")
        elif step.parts:
            self._note(f".{step.parts[-1]}", step)
        return ()

    def _choice(self, step: _Step) -> Iterable[_Step]:
        choice = step.expression
        if isinstance(choice, ast.IfExp):
            return [step.to(each) for each in (choice.body, choice.orelse)]
        assert isinstance(choice, ast.BoolOp)
        return [step.to(each) for each in choice.values[:_MAX_MEMBERS]]

    def _inner(self, step: _Step) -> Iterable[_Step]:
        return [step.to(step.expression.value)]  # type: ignore[attr-defined]


_READERS: Mapping[type[ast.AST], Callable[[_CalleeWalk, _Step], Iterable[_Step]]] = {
    ast.Name: _CalleeWalk._name,
    ast.Attribute: _CalleeWalk._attribute,
    ast.Subscript: _CalleeWalk._subscript,
    ast.Call: _CalleeWalk._call,
    ast.IfExp: _CalleeWalk._choice,
    ast.BoolOp: _CalleeWalk._choice,
    ast.NamedExpr: _CalleeWalk._inner,
    ast.Await: _CalleeWalk._inner,
    ast.Starred: _CalleeWalk._inner,
}


def _unpacked(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    """The part of a value that an assignment gives to a name: of `a, b = x, y` the one in its place."""
    if isinstance(target, ast.Name):
        if target.id == name:
            yield value
    elif isinstance(target, _SEQUENCES) and isinstance(value, _SEQUENCES) and len(target.elts) == len(value.elts):
        for each, given in zip(target.elts, value.elts, strict=True):
            yield from _unpacked(name, each, given)


_SEQUENCES = (ast.Tuple, ast.List)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _changes_base(node: ast.ClassDef, *, constructed: bool) -> bool:
    """May a class do something else than its base: when it is constructed, or when a method is called?"""
    own = {each.name for each in node.body if isinstance(each, _FUNCTIONS)}
    return not own.isdisjoint({"__init__", "__new__"}) if constructed else bool(own)


@remembered
def _class_scopes(module: Module) -> dict[ast.AST, Scope]:
    return {each.node: each for each in module.scopes if type(each.node) is ast.ClassDef}


def _is_defined(name: str, place: Scope) -> bool:
    """Is it a function or class of the file?"""
    return any(isinstance(each, DEFINITIONS) and getattr(each, "name", "") == name for each in place.binding_nodes)


def _given(node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by the names of the parameters; without those behind a star."""
    return {} if any(isinstance(each, ast.Starred) for each in call.args) else arguments_by_name(node, call)
