"""What a call is given by a dictionary that is spread into it: `Client(**OPTIONS)`, `get(url, **client_options())`.

Such a dictionary may be written out, kept under a name, given back by a function of this file or of another one, and made
of others like it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.forensics.module import Module, Scope

_MOST = 30
"""Dictionaries, names and functions that are looked at for one argument."""
_MOST_KEYS = 100
"""Keys of a dictionary that are looked at."""
OPTIONS = "options"
"""Under this word a module tells what its dictionaries hold."""


def option(module: Module, spread: ast.expr, scope: Scope, name: str) -> ast.expr | None:
    """What a dictionary holds under a name; None where it holds nothing, or where that cannot be told."""
    return _Search(module, scope, name).within(spread, scope)


class _Search:
    """Looks for one name, in a bounded number of steps: dictionaries may be made of each other."""

    def __init__(self, module: Module, seen_from: Scope, name: str) -> None:
        self._module, self._seen_from, self._name = module, seen_from, name
        self._left = _MOST

    def within(self, given: ast.expr, place: Scope) -> ast.expr | None:
        """What an expression that stands for a dictionary holds."""
        self._left -= 1
        if self._left < 0:
            return None
        if isinstance(given, ast.Dict):
            keys, values = given.keys[: -_MOST_KEYS - 1 : -1], given.values[: -_MOST_KEYS - 1 : -1]
            return self._last_of(zip(keys, values, strict=True), place)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict":
            last = given.keywords[: -_MOST_KEYS - 1 : -1]
            named = [(None if each.arg is None else ast.Constant(each.arg), each.value) for each in last]
            first = [(None, each) for each in given.args[:1]]
            return self._last_of([*named, *first], place)
        if isinstance(given, ast.BinOp) and isinstance(given.op, ast.BitOr):
            return self._last_of([(None, given.right), (None, given.left)], place)
        found = _behind(self._module, given, place)
        if found is not None:
            return self.within(*found)
        return _told(self._module, given.func if isinstance(given, ast.Call) else given, place, self._name)

    def _last_of(self, pairs: Iterable[tuple[ast.expr | None, ast.expr]], place: Scope) -> ast.expr | None:
        """What the first pair that tells of the name gives; one without a key is a dictionary of its own."""
        for key, value in pairs:
            if key is None:
                held = self.within(value, place)
                if held is not None:
                    return held
            elif isinstance(key, ast.Constant) and key.value == self._name:
                told_here = place is self._seen_from or place.parent is None or isinstance(value, ast.Constant)
                return value if told_here else None
        return None


def _behind(module: Module, given: ast.expr, place: Scope) -> tuple[ast.expr, Scope] | None:
    """What a name or an attribute of `self` holds, or what a function of the file gives back, and where that stands."""
    if isinstance(given, ast.Name):
        found = module.lookup(given.id, place)
        return (found[0].value, found[1]) if found is not None and found[0].value is not None else None
    if isinstance(given, ast.Call):
        return module.returned(given, place)
    return module.held(given, place)


def _told(module: Module, named: ast.expr, place: Scope, name: str) -> ast.expr | None:
    """What another module tells of a dictionary of its own, or of one that a function of its own gives back."""
    known = module.known_elsewhere(named, place) if isinstance(named, (ast.Name, ast.Attribute)) else None
    options = known.get(OPTIONS) if isinstance(known, dict) else None
    if not isinstance(options, dict) or name not in options:
        return None
    value = options[name]
    return ast.Constant(value) if value is None or isinstance(value, bool) else None


def switched(given: ast.expr | None) -> dict[str, bool | None]:
    """What a dictionary that is written out holds that switches something on or off; of other values nobody asks."""
    if isinstance(given, ast.Dict):
        pairs = zip(given.keys[:_MOST_KEYS], given.values[:_MOST_KEYS], strict=True)
        named = [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
    elif isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict":
        named = [(each.arg, each.value) for each in given.keywords]
    else:
        return {}
    return {
        key: value.value
        for key, value in named[:_MOST_KEYS]
        if isinstance(key, str)
        and isinstance(value, ast.Constant)
        and (value.value is None or isinstance(value.value, bool))
    }
