"""Attributes that are set by a call, in a loop over a table, or through the dictionary of an object: `setattr(s, "verify", False)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.list_items import MAX_DEPTH, ListItems
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import Scope, ScopedNode, walk_nodes
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


def attribute_setting_loops(module: Module) -> list[ScopedNode]:
    """The loops of a file that set such attributes from a table: `for name, value in TABLE: setattr(c, name, value)`."""
    loops = module.nodes.get(ast.For, ()) if _SETTING_CALLS & module.calls.keys() else ()
    return [each for each in loops if any(True for _ in settings_of_loop(module, *each))]


def settings_of_loop(module: Module, loop: ast.AST, scope: Scope) -> Iterator[AttributeSetting]:
    """The attributes on which verification depends that a loop sets from a table, and their values."""
    target = loop.target if isinstance(loop, ast.For) else None
    if not isinstance(loop, ast.For) or not isinstance(target, ast.Tuple) or len(target.elts) != _ON_ITSELF:
        return
    named = [ast.dump(each) for each in _stored(target)]
    for call in walk_nodes(*loop.body):
        if isinstance(call, ast.Call) and last_name(call.func) in _SETTING_CALLS:
            owner = call.args[0] if len(call.args) > _ON_ITSELF else getattr(call.func, "value", None)
            if owner is not None and [ast.dump(each) for each in call.args[-_ON_ITSELF:]] == named:
                for key, value in _pairs(module, loop.iter, scope):
                    yield from _setting(owner, key, value)


def _stored(target: ast.Tuple) -> Iterator[ast.expr]:
    """The names of a loop as its body reads them."""
    return (ast.Name(each.id, ast.Load()) if isinstance(each, ast.Name) else each for each in target.elts)


def _pairs(module: Module, table: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """The pairs of a table that is written out: a list of pairs, or the items of a dictionary."""
    if isinstance(table, ast.Call) and isinstance(table.func, ast.Attribute) and table.func.attr == "items":
        kept = table.func.value
        found = module.lookup(kept.id, scope) if isinstance(kept, ast.Name) else None
        kept = found[0].value or kept if found is not None else kept
        yield from zip(kept.keys, kept.values, strict=True) if isinstance(kept, ast.Dict) else ()
        return
    for pair, _ in ListItems(module).items(table, scope, MAX_DEPTH) or ():
        if isinstance(pair, (ast.Tuple, ast.List)) and len(pair.elts) == _ON_ITSELF:
            yield pair.elts[0], pair.elts[1]


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
