"""Attributes that are set by a call or through the dictionary of an object: `setattr(s, "verify", False)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.row_tables import names_of

_ATTRIBUTES = names_of(tls_verification().attributes)
_SETTING_CALLS = frozenset({"setattr", "__setattr__"})
_UPDATING_CALLS = frozenset({"update", "__setitem__", "setdefault"})
AttributeSetting = tuple[ast.Attribute, ast.expr]
"""An attribute, and the value that it is given."""


def attribute_setting_calls(module: Module) -> list[ScopedNode]:
    """The calls of a file that set an attribute on which verification depends."""
    names = (_SETTING_CALLS | _UPDATING_CALLS) & module.calls.keys()
    return [each for name in sorted(names) for each in module.calls[name] if any(True for _ in settings_of(each[0]))]


def settings_of(call: ast.Call) -> Iterator[AttributeSetting]:
    """The attributes on which verification depends that a call sets, and their values."""
    func, name = call.func, last_name(call.func)
    if name in _SETTING_CALLS:
        owned = isinstance(func, ast.Attribute) and len(call.args) == _ON_ITSELF
        given = [func.value, *call.args] if isinstance(func, ast.Attribute) and owned else call.args
        if len(given) > _ON_ITSELF:
            yield from _setting(given[0], given[1], given[2])
        return
    owner = namespace_owner(func.value) if isinstance(func, ast.Attribute) and name in _UPDATING_CALLS else None
    if owner is None:
        return
    if name != "update" and len(call.args) == _ON_ITSELF:
        yield from _setting(owner, call.args[0], call.args[1])
    elif name == "update":
        for each in call.keywords:
            yield from _setting(owner, ast.Constant(each.arg), each.value)
        for table in call.args:
            for key, value in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
                yield from _setting(owner, key, value)


_ON_ITSELF = 2
"""Arguments of `s.__setattr__(name, value)`, where the object stands in front."""


def namespace_owner(namespace: ast.expr) -> ast.expr | None:
    """The object of which an expression is the dictionary: `vars(s)`, `s.__dict__`; None for others."""
    if isinstance(namespace, ast.Attribute) and namespace.attr == "__dict__":
        return namespace.value
    if isinstance(namespace, ast.Call) and last_name(namespace.func) == "vars" and namespace.args:
        return namespace.args[0]
    return None


def item_setting(target: ast.expr, value: ast.expr) -> AttributeSetting | None:
    """The attribute that `vars(s)["verify"] = value` sets; None for other targets."""
    owner = namespace_owner(target.value) if isinstance(target, ast.Subscript) else None
    if owner is None or not isinstance(target, ast.Subscript):
        return None
    return next(_setting(owner, target.slice, value), None)


def _setting(owner: ast.expr, name: ast.expr | None, value: ast.expr) -> Iterator[AttributeSetting]:
    if isinstance(name, ast.Constant) and name.value in _ATTRIBUTES:
        yield ast.copy_location(ast.Attribute(owner, str(name.value), ast.Store()), value), value
