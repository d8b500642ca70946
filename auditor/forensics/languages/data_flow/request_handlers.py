"""Functions that a framework calls for a request: registered by a call, under a key of an object, or below a directive such as `"use server"`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import Call, Entry, Expression, FunctionValue, Member, Name, Text
from auditor.forensics.languages.data_flow.flow_models import Source
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

_MAX_CALLS = 60
_MAX_EXPORTS = 60
_MAX_DECLARATION_DEPTH = 3
"""Nodes from a function to the statement that exports it."""
_KEYS_AROUND = 6
"""Nodes from a function to the key that its object is under."""


def is_registered_handler(file: FollowedFile, row: Source, function: Scope) -> bool:
    """Is a function an argument of a call that registers it for requests?"""
    calls = [file.scopes.lowering.lower(each) for each in file.around(function.node)[:3]]
    own = [
        each
        for each in calls
        if isinstance(each, Call)
        and any(isinstance(one, FunctionValue) and one.node == function.node for one in each.arguments)
    ]
    if function.name:
        registering = (call for name in sorted(row.names) for call in file.calls_of(name, _MAX_CALLS))
        own += [
            each
            for each in registering
            if any(isinstance(one, Name) and one.name == function.name for one in each.arguments)
        ]
    return any(_registers(file, row, each) for each in own)


def _registers(file: FollowedFile, row: Source, call: Call) -> bool:
    if not isinstance(call.callee, Member) or call.callee.name not in row.names:
        return False
    scope = file.scopes.scope_of(call.node)
    first = text_of(file, call.arguments[0], scope) if row.argument or row.ignored else None
    if first in row.ignored or (row.argument and first != row.argument):
        return False
    return not row.on_parameter or _is_parameter(file, call.callee.owner, scope)


def _is_parameter(file: FollowedFile, owner: Expression, scope: Scope) -> bool:
    while isinstance(owner, Member):
        owner = owner.owner
    return isinstance(owner, Name) and file.parameter(owner.name, scope) is not None


def is_under_handler_key(file: FollowedFile, row: Source, function: Scope) -> bool:
    """Is a function under a key that a row names: `resolve`, or any key of the object under `Query`?"""
    keys = list(_keys(file, function, file.around(function.node)[:_KEYS_AROUND]))
    return bool(keys) and (keys[0] in row.names or (len(keys) > 1 and f"{keys[1]}.*" in row.names))


def _keys(file: FollowedFile, function: Scope, around: list[Node]) -> Iterable[str]:
    """The key of a function, and the key or variable that its object is the value of."""
    kinds, lowering = file.scopes.kinds, file.scopes.lowering
    if around and around[0].type in kinds.collections and function.name:  # `{ preview() {} }`
        yield function.name
    for each in around:
        made = lowering.lower(each) if each.type in kinds.entries else None
        if isinstance(made, Entry) and isinstance(made.key, Text):
            yield made.key.value
        elif each.type in kinds.declarations:
            named = each.child_by_field_name(kinds.declarations[each.type][0])
            yield lowering.source_of(named, 100) if named is not None else ""
        elif each.type not in kinds.collections and each.type not in kinds.wrappers:
            return


def is_under_directive(file: FollowedFile, row: Source, function: Scope) -> bool:
    """Does a function begin with a text that a row names, or does the file, and offers the function to others?"""
    body = function.node.child_by_field_name("body")
    if body is not None and _begins_with(file, body, row):
        return True
    return _begins_with(file, file.file.root, row) and _is_exported(file, function)


def _begins_with(file: FollowedFile, block: Node, row: Source) -> bool:
    first = next(iter(file.scopes.lowering.named_children(block)), None)
    made = file.scopes.lowering.lower(first) if first is not None else None
    return isinstance(made, Text) and made.value in row.names


def _is_exported(file: FollowedFile, function: Scope) -> bool:
    kinds = file.scopes.kinds
    if any(each.type in kinds.exports for each in file.around(function.node)[:_MAX_DECLARATION_DEPTH]):
        return True
    named = re.compile(rf"(?:\{{[^{{}}]*|default\s+){re.escape(function.name or '{')}\b[^(]*$")
    return any(named.search(file.scopes.lowering.source_of(each, 400)) for each in file.scopes.exports[:_MAX_EXPORTS])
