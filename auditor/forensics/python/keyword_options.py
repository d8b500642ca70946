"""What a call is given by a dictionary that is spread into it: `Client(**OPTIONS)`, `get(url, **client_options())`.

Such a dictionary may be written out, kept under a name, filled there later, given back by a function of this file or of
another one, and made of others like it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import receiver

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module
    from auditor.forensics.python.scoped_nodes import Scope

_MAX_STEPS = 30
"""Dictionaries, names and functions that are looked at for one argument."""
_MAX_KEYS = 100
"""Keys of a dictionary that are looked at."""
OPTIONS_KEY = "options"
"""The key under which an outline holds the contents of a dictionary."""


def find_option(module: Module, dictionary: ast.expr, scope: Scope, name: str) -> ast.expr | None:
    """The value that a dictionary holds under a name; None where there is none or it is not known."""
    return _OptionSearch(module, scope, name).within(dictionary, scope)


class _OptionSearch:
    """Looks for one name, in a bounded number of steps: dictionaries may be made of each other."""

    def __init__(self, module: Module, seen_from: Scope, name: str) -> None:
        self._module, self._use_scope, self._name = module, seen_from, name
        self._left = _MAX_STEPS

    def within(  # noqa: PLR0911 - a table of the ways in which a dictionary is written
        self, given: ast.expr, place: Scope
    ) -> ast.expr | None:
        """What an expression that stands for a dictionary holds."""
        self._left -= 1
        if self._left < 0:
            return None
        if isinstance(given, ast.Dict):
            keys, values = given.keys[: -_MAX_KEYS - 1 : -1], given.values[: -_MAX_KEYS - 1 : -1]
            return self._first_matching(zip(keys, values, strict=True), place)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict":
            last = given.keywords[: -_MAX_KEYS - 1 : -1]
            named = [(None if each.arg is None else ast.Constant(each.arg), each.value) for each in last]
            pairs = [pair for each in given.args[:1] for pair in _listed_pairs(each) or [(None, each)]]
            return self._first_matching([*named, *pairs], place)
        if isinstance(given, ast.DictComp):
            return self._first_matching(_comprehended_pairs(given), place)
        if isinstance(given, ast.BinOp) and isinstance(given.op, ast.BitOr):
            return self._first_matching([(None, given.right), (None, given.left)], place)
        sure, perhaps = self._later_assignment(given, place) if isinstance(given, ast.Name) else (None, None)
        if sure is not None:
            return sure
        if (found := _bound_value(self._module, given, place)) is not None:
            return self.within(*found) or perhaps
        if perhaps is not None:
            return perhaps
        return _imported_option(self._module, given.func if isinstance(given, ast.Call) else given, place, self._name)

    def _later_assignment(self, given: ast.Name, place: Scope) -> tuple[ast.expr | None, ast.expr | None]:
        """What is inserted into a dictionary under the name after it was made, surely or perhaps, in the function or module that binds it.

        What is put there behind the use, in the same function, comes too late; under a condition it may never come.
        """
        bound = self._module.lookup(given.id, place)
        if bound is None:
            return None, None
        held = _values_by_key(self._module).get((id(bound[1]), given.id), {}).get(self._name, ())
        behind = given.lineno if bound[1] is place else None
        there = [put for put in held if behind is None or put.value.lineno < behind]
        if not there:
            return None, None
        value, is_sure = there[-1]
        if not (bound[1] is self._use_scope or bound[1].parent is None or isinstance(value, ast.Constant)):
            return None, None
        return (value, None) if is_sure else (None, value)

    def _first_matching(self, pairs: Iterable[tuple[ast.expr | None, ast.expr]], place: Scope) -> ast.expr | None:
        """What the first pair with the name gives; one without a key is a dictionary of its own."""
        for key, value in pairs:
            if key is None:
                held = self.within(value, place)
                if held is not None:
                    return held
            elif isinstance(key, ast.Constant) and key.value == self._name:
                told_here = place is self._use_scope or place.parent is None or isinstance(value, ast.Constant)
                return value if told_here else None
        return None


_Pairs = list[tuple[ast.expr | None, ast.expr]]


def _listed_pairs(given: ast.expr) -> _Pairs:
    """The pairs of `[("verify", False)]` and `zip(["verify"], [False])`, the last one first."""
    pairs: _Pairs = []
    if isinstance(given, (ast.List, ast.Tuple)):
        for each in given.elts[:_MAX_KEYS]:
            if isinstance(each, (ast.List, ast.Tuple)) and len(each.elts) == 2:
                pairs.append((each.elts[0], each.elts[1]))
    elif isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "zip":
        columns = [each.elts[:_MAX_KEYS] for each in given.args if isinstance(each, (ast.List, ast.Tuple))]
        if len(columns) == len(given.args) == 2:
            pairs = list(zip(*columns, strict=False))
    return pairs[::-1]


def _comprehended_pairs(made: ast.DictComp) -> _Pairs:
    """The pairs of `{key: value for key, value in [("verify", False)]}`, the last one first."""
    loop, key, value = made.generators[0], made.key, made.value
    names = loop.target.elts if isinstance(loop.target, (ast.List, ast.Tuple)) else []
    is_plain = len(made.generators) == 1 and not loop.ifs and len(names) == 2
    if not is_plain or not isinstance(key, ast.Name) or not isinstance(value, ast.Name):
        return []
    if [each.id for each in names if isinstance(each, ast.Name)] != [key.id, value.id]:
        return []
    drawn = loop.iter
    if isinstance(drawn, ast.Call) and isinstance(drawn.func, ast.Attribute) and drawn.func.attr == "items":
        return [(None, drawn.func.value)]
    return _listed_pairs(drawn)


class _KeyValue(NamedTuple):
    """What a dictionary is given under a key, and whether it is whenever the code around it runs."""

    value: ast.expr
    is_unconditional: bool


_ValuesByKey = dict[tuple[int, str], dict[str, list[_KeyValue]]]
_UPDATE_METHODS = ("setdefault", "update")


@remembered
def _values_by_key(module: Module) -> _ValuesByKey:
    """What is inserted into dictionaries by their names, key by key, in order: by scope and name."""
    known: _ValuesByKey = {}
    put = [
        *_subscript_assignments(module),
        *_additions(module),
        *(each for way in _UPDATE_METHODS for each in _method_assignments(module, way)),
    ]
    for place, name, key, value, is_sure in sorted(put, key=lambda each: each[3].lineno):
        known.setdefault((id(place), name), {}).setdefault(key, []).append(_KeyValue(value, is_sure))
    return known


def _unconditional_nodes(place: Scope) -> frozenset[int]:
    """The statements and calls of a scope that run unconditionally."""
    body = place.node.body
    steps = body if isinstance(body, list) else []
    return frozenset(id(each.value if isinstance(each, ast.Expr) else each) for each in steps)


_KeyAssignment = tuple["Scope", str, str, ast.expr, bool]


def _subscript_assignments(module: Module) -> Iterator[_KeyAssignment]:
    """`options["shell"] = True`."""
    for place in module.scopes:
        always: frozenset[int] | None = None
        for node in place.binding_nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if (
                isinstance(node, ast.Assign)
                and isinstance(target, ast.Subscript)
                and isinstance(target.value, ast.Name)
                and isinstance(target.slice, ast.Constant)
                and isinstance(target.slice.value, str)
            ):
                always = _unconditional_nodes(place) if always is None else always
                yield place, target.value.id, target.slice.value, node.value, id(node) in always


def _additions(module: Module) -> Iterator[_KeyAssignment]:
    """`options |= {"shell": True}`, `options = {**options, "shell": True}`, `options = dict(options, shell=True)`."""
    for place in module.scopes:
        always: frozenset[int] | None = None
        for node in place.binding_nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if not isinstance(node, (ast.Assign, ast.AugAssign)) or not isinstance(target, ast.Name):
                continue
            added = _added_pairs(node.value, "" if isinstance(node, ast.AugAssign) else target.id)
            always = _unconditional_nodes(place) if added and always is None else always
            for key, value in added:
                yield place, target.id, key, value, always is not None and id(node) in always


def _added_pairs(made: ast.expr, name: str) -> list[tuple[str, ast.expr]]:
    """The pairs of a dictionary that is made of one of that name and of others; with no name, of what is added to one."""
    if isinstance(made, ast.BinOp) and isinstance(made.op, ast.BitOr):
        return _added_pairs(made.right, "") if isinstance(made.left, ast.Name) and made.left.id == name else []
    if isinstance(made, ast.Dict):
        pairs = list(zip(made.keys[:_MAX_KEYS], made.values[:_MAX_KEYS], strict=True))
    elif isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "dict":
        named = [(ast.Constant(each.arg) if each.arg else None, each.value) for each in made.keywords[:_MAX_KEYS]]
        pairs = [*((None, each) for each in made.args[:1]), *named]
    else:
        return []
    spread = {value.id for key, value in pairs if key is None and isinstance(value, ast.Name)}
    if name and name not in spread:
        return []
    return [(str(key.value), value) for key, value in pairs if isinstance(key, ast.Constant)]


def _method_assignments(module: Module, way: str) -> Iterator[_KeyAssignment]:
    """`options.setdefault("shell", True)`, `options.update(shell=True)`, `options.update({"shell": True})`."""
    always: dict[int, frozenset[int]] = {}
    for call, place in module.calls.get(way, ()):
        owner = receiver(call)
        if not isinstance(owner, ast.Name):
            continue
        named: list[tuple[ast.expr | None, ast.expr]] = []
        if way == "setdefault":
            named = [(call.args[0], call.args[1])] if len(call.args) > 1 else []
        else:
            written = [each for each in call.args[:1] if isinstance(each, ast.Dict)]
            named = [pair for each in written for pair in zip(each.keys, each.values, strict=True)]
            named += [(ast.Constant(each.arg), each.value) for each in call.keywords if each.arg is not None]
        for key, value in named[:_MAX_KEYS]:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                if id(place) not in always:
                    always[id(place)] = _unconditional_nodes(place)
                yield place, owner.id, key.value, value, way == "update" and id(call) in always[id(place)]


def _bound_value(module: Module, given: ast.expr, place: Scope) -> tuple[ast.expr, Scope] | None:
    """What a name or an attribute of `self` holds, or what a function of the file gives back, and where that is."""
    if isinstance(given, ast.Name):
        found = module.lookup(given.id, place)
        return (found[0].value, found[1]) if found is not None and found[0].value is not None else None
    if isinstance(given, ast.Call):
        return module.returned(given, place)
    return module.held(given, place)


def _imported_option(module: Module, named: ast.expr, place: Scope, name: str) -> ast.expr | None:
    """The option of a dictionary that another module defines or returns."""
    known = module.imported_value(named, place) if isinstance(named, (ast.Name, ast.Attribute)) else None
    options = known.get(OPTIONS_KEY) if isinstance(known, dict) else None
    if not isinstance(options, dict) or name not in options:
        return None
    value = options[name]
    return ast.Constant(value) if value is None or isinstance(value, bool) else None


def boolean_options(given: ast.expr | None) -> dict[str, bool | None]:
    """The options that a dictionary display sets to True, False or None."""
    if isinstance(given, ast.Dict):
        pairs = zip(given.keys[:_MAX_KEYS], given.values[:_MAX_KEYS], strict=True)
        named = [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
    elif isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict":
        named = [(each.arg, each.value) for each in given.keywords]
    else:
        return {}
    return {
        key: value.value
        for key, value in named[:_MAX_KEYS]
        if isinstance(key, str)
        and isinstance(value, ast.Constant)
        and (value.value is None or isinstance(value.value, bool))
    }
