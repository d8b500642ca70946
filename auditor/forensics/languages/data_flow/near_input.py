"""Which calls are given something that may be untrusted input, decided by words alone: most calls of a file are not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Parameter, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_END = re.compile(rb"\)\s{0,20}[;\n]")
_MAX_ARGUMENT_BYTES = 300
_MAX_VALUE_BYTES = 300
_MAX_BINDINGS = 20
_MAX_CALLS = 200
_ROUNDS = 2
"""Assignments from one name to the next that are followed."""


def calls_near_input(file: FollowedFile, is_input: Callable[[Parameter, Scope], bool]) -> list[Node]:
    """Callees of calls whose arguments name a member by which input is read, or a variable that was given one."""
    known: dict[int, frozenset[bytes]] = {}
    found: list[Node] = []
    reading, source = file.models.reading, file.file.source
    if reading.search(source) is None:
        return found
    for callee in file.file.callees:
        given = source[callee.end_byte : callee.end_byte + _MAX_ARGUMENT_BYTES]
        end = _END.search(given)
        given = given[: end.start()] if end is not None else given
        if reading.search(given) is None:
            scope = file.scopes.scope_at(callee.start_byte)
            names = known.get(id(scope))
            if names is None:
                names = known[id(scope)] = frozenset(_names(file, scope, is_input))
            if names.isdisjoint(_WORD.findall(given)):
                continue
        found.append(callee)
        if len(found) >= _MAX_CALLS:
            break
    return found


def _names(file: FollowedFile, scope: Scope, is_input: Callable[[Parameter, Scope], bool]) -> Iterator[bytes]:
    """The names of a function and of those around it that may hold input."""
    place: Scope | None = scope
    while place is not None:
        yield from _names_of(file, place, is_input)
        place = place.parent


def _names_of(file: FollowedFile, scope: Scope, is_input: Callable[[Parameter, Scope], bool]) -> set[bytes]:
    given = scope.parameters.values()
    found = {each.name.encode() for each in given if each.path or each.annotations or is_input(each, scope)}
    for _ in range(_ROUNDS):
        before = len(found)
        for name, bound in scope.bindings.items():
            if any(_may_hold(file, each.value.node, found) for each in bound[:_MAX_BINDINGS] if each.value is not None):
                found.add(name.removeprefix("this.").encode())
        if len(found) == before:
            break
    return found


def _may_hold(file: FollowedFile, value: Node, known: set[bytes]) -> bool:
    written = file.file.source[value.start_byte : min(value.end_byte, value.start_byte + _MAX_VALUE_BYTES)]
    return file.models.reading.search(written) is not None or not known.isdisjoint(_WORD.findall(written))
