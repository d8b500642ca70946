"""What a file keeps in fields of objects: by assignments, and in records that functions give back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from auditor.forensics.languages.data_flow.expressions import Call, Collection, Entry, Expression, Member, Name, Text
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.data_flow.scopes import returned_values

_MAX_STORED = 300
_MAX_ENTRIES = 40
_MAX_DECLARATORS = 3
_OWN_FIELD = "this."


class StoredValue(NamedTuple):
    """A field, what it is given, and where."""

    field: str
    value: Expression
    scope: Scope


def stored_values(file: FollowedFile) -> Iterator[StoredValue]:
    """What fields are given, the first of them."""
    scopes = (file.scopes.root, *file.scopes.functions.values())
    return islice((one for scope in scopes for one in _of_scope(file, scope)), _MAX_STORED)


def _of_scope(file: FollowedFile, scope: Scope) -> Iterator[StoredValue]:
    for name, bound in scope.bindings.items():
        for each in bound:
            if each.value is None:
                continue
            if name.startswith((_OWN_FIELD, "@")) or _is_field_of_class(each.value):
                yield StoredValue(name.removeprefix(_OWN_FIELD), each.value, file.scopes.scope_of(each.value.node))
            if isinstance(each.value, Entry):
                yield from _entries(each.value, scope)
    for value in returned_values(file.scopes, scope):
        yield from _entries(value, scope)
        given = file.reaching(value.name, value.node.start_byte, scope) if isinstance(value, Name) else []
        for each in given:
            yield from _entries(each.value, scope) if each.value is not None else ()


def _is_field_of_class(value: Expression) -> bool:
    """Is it what a class of Java or C# gives a field where it declares it?"""
    around = value.node.parent
    for _ in range(_MAX_DECLARATORS):
        if around is None or around.type == "field_declaration":
            break
        around = around.parent if around.type in {"variable_declarator", "variable_declaration"} else None
    return around is not None and around.type == "field_declaration"


def _entries(value: Expression, scope: Scope) -> Iterator[StoredValue]:
    """The fields of a record; an assignment to a field of a name is bound to the name as a record of one."""
    held = value.entries if isinstance(value, Collection) else (value,)
    if isinstance(value, Call) and value.constructs:
        held = value.arguments
    for each in held[:_MAX_ENTRIES]:
        if isinstance(each, Entry) and isinstance(each.key, (Name, Text)) and isinstance(each.value, (Member, Name)):
            key = each.key.value if isinstance(each.key, Text) else each.key.name
            yield StoredValue(key, each.value, scope)
