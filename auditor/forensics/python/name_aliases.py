"""Other names that a file gives to what it imports or makes: by the last part of what they stand for, and by what they hang on.

Names are collected without asking what they mean where: a call under one of them is then resolved properly. A name
too many costs a look, one too few would hide a call.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.forensics.python.scope_bindings import DOTTED, known_as, stands_in

if TYPE_CHECKING:
    from auditor.forensics.python.parsed_module import Module

KINDS = frozenset(
    {ast.Dict, ast.Subscript, ast.ImportFrom, ast.Import, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.withitem}
)  # fmt: skip
"""Nodes that are looked up by several: those that give names to things, dicts and what is taken by a key."""
_UNTOLD = "?"
"""Stands for the last part of a name that is made at run time."""
_MAX_WRAPPERS = 20


Given = tuple[str, str]
"""A word, and a name that is given to what the word tells of."""


class Names(NamedTuple):
    """The names that a file gives to something."""

    ending: list[Given]
    """The word is the last part of what the name stands for."""
    hanging: list[Given]
    """The word is the name, or the attribute of `self`, that it hangs on: `a` for `c = a(x).b`."""


def other_names(module: Module, words: Container[str]) -> set[str]:
    """Every name given to something that ends in one of the words, also by way of each other: `import ... as`, `run = subprocess.run`."""
    given = names_of(module).ending
    return with_others(given, {name for word, name in given if word in words or word == _UNTOLD})


def leading(module: Module, beginnings: frozenset[str]) -> Container[str]:
    """Every name, and attribute of `self`, on which something may hang that begins like this.

    `beginnings` are qualified names that are looked for, and every name that one of them begins with.
    """
    if module.renamed or not beginnings.isdisjoint(module.stars):
        return _ANYTHING
    found = {*_imported(module, beginnings), *_roots(beginnings)}
    found = with_others(names_of(module).hanging, found)
    return _ANYTHING if "self" in found else found


class _Anything:
    """Where any name may lead to what is looked for."""

    def __contains__(self, _: object) -> bool:
        return True


_ANYTHING = _Anything()


@lru_cache(maxsize=8)
def _roots(beginnings: frozenset[str]) -> frozenset[str]:
    """The names among them, and those from which anything may be taken."""
    return frozenset({*(each for each in beginnings if "." not in each), _UNTOLD, "__builtins__"})


def with_others(given: Iterable[Given], found: set[str]) -> set[str]:
    """The names found, and every name given by way of one of them."""
    new = {name for word, name in given if word in found} - found
    if new:
        by_word: defaultdict[str, list[str]] = defaultdict(list)
        for word, name in given:
            by_word[word].append(name)
        waiting = list(new)
        found |= new
        while waiting:
            more = set(by_word.get(waiting.pop(), ())) - found
            found |= more
            waiting += more
    return found


def known_names(module: Module, words: frozenset[str]) -> set[str]:
    """The same, worked out once a file."""
    kept = module.memory.get(("aliases", words))
    if not isinstance(kept, set):
        kept = module.memory["aliases", words] = other_names(module, words)
    return kept


def may_be(module: Module, expression: ast.expr | None, words: frozenset[str]) -> bool:
    """Can an expression stand for something whose name ends in one of the words? A quick look that never says no wrongly."""
    if isinstance(expression, ast.Name):
        return expression.id in words or expression.id in known_names(module, words)
    return not isinstance(expression, ast.Attribute) or expression.attr in words or _is_self(expression.value)


_OWN = frozenset({"self", "cls"})


def _is_self(owner: ast.expr) -> bool:
    """Attributes of `self`, and of its class, are names of their own."""
    return isinstance(owner, ast.Name) and owner.id in _OWN


def names_of(module: Module) -> Names:
    """The names that a file gives; worked out once."""
    kept = module.memory.get("aliases")
    if not isinstance(kept, Names):
        kept = module.memory["aliases"] = _collected(module)
    return kept


def _collected(  # noqa: C901 - one loop, for every call saved counts
    module: Module,
) -> Names:
    """What is assigned anywhere, and by what it hangs on."""
    ending = [
        (alias.name.rpartition(".")[2], alias.asname)
        for node, _ in (*module.nodes[ast.ImportFrom], *module.nodes[ast.Import])
        for alias in node.names
        if alias.asname
    ]
    hanging = [(each, parameter.arg) for parameter in module.typed for each in _types(parameter.annotation)]
    hanging += [
        (each, f"self.{node.target.id}")
        for node, scope in module.nodes[ast.AnnAssign]
        if type(scope.node) is ast.ClassDef and type(node.target) is ast.Name
        for each in _types(node.annotation)
    ]
    hanging += _given_back(module)
    naming, name, attribute, in_class = _NAMING, ast.Name, ast.Attribute, ast.ClassDef
    for nodes, targets_of, value_of in _ASSIGNED:
        for node, scope in module.nodes[nodes]:
            value = value_of(node)
            if type(value) not in naming:
                if type(value) in _CHOOSING:
                    _give(_choices(value), targets_of(node), ending, hanging)
                continue
            for target in targets_of(node):
                if type(target) is name:
                    root, last = _ends(value)
                    hanging.append((root, target.id))
                    if type(scope.node) is in_class:
                        hanging.append((root, f"self.{target.id}"))
                    if last is not None:
                        ending.append((last, target.id))
                elif type(target) is attribute and _is_self(target.value):
                    root, last = _ends(value)
                    hanging.append((root, f"self.{target.attr}"))
                    if last is not None:
                        ending.append((last, target.attr))
    return Names(ending, hanging)


_CHOOSING = frozenset({ast.Dict, ast.BoolOp, ast.IfExp})
_MOST_CHOICES = 12


def _choices(value: Any) -> list[Any]:
    """What a table of functions, or a choice between things, may give."""
    if type(value) is ast.Dict:
        if not value.values or type(value.values[0]) not in DOTTED:
            return []
        return [each for each in value.values[:_MOST_CHOICES] if type(each) in DOTTED]
    either = value.values if type(value) is ast.BoolOp else (value.body, value.orelse)
    return [each for each in either[:_MOST_CHOICES] if type(each) in _NAMING]


def _give(choices: list[Any], targets: Iterable[Any], ending: list[Given], hanging: list[Given]) -> None:
    """Note that names, and attributes of `self`, may stand for one of several values."""
    for root, last in map(_ends, choices):
        for target in targets:
            if type(target) is ast.Name:
                own, name = target.id, target.id
            elif type(target) is ast.Attribute and _is_self(target.value):
                own, name = f"self.{target.attr}", target.attr
            else:
                continue
            hanging.append((root, own))
            if last is not None:
                ending.append((last, name))


def _given_back(module: Module) -> list[Given]:
    """What hangs on what a function gives back: by its annotation, or without one by the value that it returns last."""
    found: list[Given] = []
    for scope in module.scopes:
        node: Any = scope.node
        if type(node) is not ast.FunctionDef and type(node) is not ast.AsyncFunctionDef:
            continue
        told, last = node.returns, node.body[-1]
        if type(told) is ast.Name:
            words: Iterable[str] = (told.id,)
        elif told is not None and type(told) is not ast.Constant:
            words = _types(told)
        elif type(last) is ast.Return and type(last.value) in _NAMING:
            words = (hangs_on(last.value),)
        else:
            continue
        own = node.name if type(scope.parent.node) is not ast.ClassDef else f"self.{node.name}"  # type: ignore[union-attr]
        found += [(each, own) for each in words]
    return found


def _one_target(node: Any) -> tuple[Any]:
    return (node.target,)


_ASSIGNED: tuple[tuple[type[ast.AST], Callable[[Any], Iterable[Any]], Callable[[Any], Any]], ...] = (
    (ast.Assign, attrgetter("targets"), attrgetter("value")),
    (ast.AnnAssign, _one_target, attrgetter("value")),
    (ast.NamedExpr, _one_target, attrgetter("value")),
    (ast.withitem, lambda node: (node.optional_vars,), attrgetter("context_expr")),
)
"""Kinds of nodes that give names, what they give them to, and what is given."""


def _imported(module: Module, beginnings: frozenset[str]) -> Iterator[str]:
    """The names of what is imported and begins like this."""
    for node, _ in module.nodes[ast.Import]:
        for alias in node.names:
            own = alias.asname or alias.name.partition(".")[0]
            if (known_as(alias.name) if alias.asname else own) in beginnings:
                yield own
    for node, _ in module.nodes[ast.ImportFrom]:
        if not node.level and (node.module in beginnings or stands_in(node.module)):
            for alias in node.names:
                if known_as(f"{node.module}.{alias.name}") in beginnings:
                    yield alias.asname or alias.name


def _ends(value: Any) -> tuple[str, str | None]:
    """What an expression hangs on, and the last part of what it names: for most of them at a glance."""
    called = type(value) is ast.Call
    named = value.func if called else value
    if type(named) is ast.Name and not (called and named.id in _TAKING):
        return named.id, named.id
    if type(named) is ast.Attribute and type(named.value) is ast.Name and named.attr not in _PASSED[called]:
        owner = named.value.id
        return (owner if owner not in _OWN else f"self.{named.attr}"), named.attr
    return hangs_on(value), _last(value)


_NAMING = frozenset({ast.Call, ast.Attribute, ast.Name, ast.Subscript, ast.NamedExpr})
"""Kinds of values that a name may lead to."""


def _last(value: Any) -> str | None:
    """The last part of what an expression names, calls or takes by name; None for what no name leads to."""
    for _ in range(_MAX_WRAPPERS):
        kind = type(value)
        if kind is ast.Call:
            func = value.func
            name = func.attr if type(func) is ast.Attribute else func.id if type(func) is ast.Name else ""
            if name == "getattr":
                return _member(value)
            value = value.args[0] if name == "partial" and value.args else func
        elif kind is ast.Attribute:
            if value.attr != "__call__":
                return str(value.attr)
            value = value.value
        elif kind is ast.Name:
            return str(value.id)
        elif kind is ast.Subscript:
            return _taken(value)
        elif kind is ast.NamedExpr:
            value = value.value
        else:
            return None
    return _UNTOLD


_MAX_STEPS = 100


def hangs_on(value: Any) -> str:
    """The name, or the attribute of `self`, from which an expression takes what it stands for; empty for what no name leads to."""
    for _ in range(_MAX_STEPS):
        kind = type(value)
        if kind is ast.Attribute:
            owner = value.value
            if type(owner) is ast.Name:
                return owner.id if owner.id not in _OWN else f"self.{value.attr}"
            value = owner
        elif kind is ast.Name:
            return str(value.id)
        elif kind is ast.Call:
            func = value.func
            name = func.attr if type(func) is ast.Attribute else func.id if type(func) is ast.Name else ""
            if name in _IMPORTING:
                return _UNTOLD
            value = value.args[0] if name in _WRAPPING and value.args else func
        elif kind is ast.Subscript:
            owner = value.value
            if type(owner) is ast.Attribute and owner.attr == "modules":
                return _UNTOLD
            value = owner
        elif kind is ast.NamedExpr:
            value = value.value
        else:
            return ""
    return _UNTOLD


_IMPORTING = frozenset({"__import__", "import_module"})
_WRAPPING = frozenset({"partial", "getattr", "vars"})
"""Calls that give back their first argument, or a member of it."""
_TAKING = _IMPORTING | _WRAPPING
_PASSED = (frozenset({"__call__"}), _TAKING | {"__call__"})
"""Attributes, taken and called, that are not the last part of what something stands for: calling it by that name is calling it."""


def _types(annotation: ast.expr | None) -> tuple[str, ...]:
    """What the classes hang on that an annotation may name."""
    if isinstance(annotation, ast.Name):
        return (annotation.id,)
    if isinstance(annotation, ast.Constant):
        return (str(annotation.value).strip().partition(".")[0],)
    if isinstance(annotation, ast.BinOp):
        return hangs_on(annotation.left), hangs_on(annotation.right)
    return (hangs_on(annotation.slice if isinstance(annotation, ast.Subscript) else annotation),)


def _member(call: ast.Call) -> str:
    """What `getattr` takes, as far as it is written out."""
    asked = call.args[1] if len(call.args) > 1 else None
    return asked.value if isinstance(asked, ast.Constant) and isinstance(asked.value, str) else _UNTOLD


def _taken(subscript: ast.Subscript) -> str | None:
    """What is taken out of a namespace: `vars(a)["b"]`, `a.__dict__[name]`, `__builtins__["b"]`."""
    key, table = subscript.slice, subscript.value
    if type(table) is ast.Name and table.id != "__builtins__":
        return table.id  # the table tells what may be taken out of it
    if isinstance(key, ast.Constant):
        return key.value if isinstance(key.value, str) else None
    owner = subscript.value
    named = owner.func if isinstance(owner, ast.Call) else owner
    last = named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""
    return _UNTOLD if last in {"vars", "__dict__", "__builtins__", "modules"} else None
