"""Lists and tables as the file writes them out: in one piece, or member by member."""

from __future__ import annotations

from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Collection,
    Entry,
    Expression,
    Member,
    Name,
    Spread,
    Text,
    last_name,
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope, self_member
from auditor.forensics.languages.data_flow.scopes import returned_values

_LISTING_CALLS = frozenset({"of", "asList", "Array", "singletonList"})
_EMPTY_LISTS = frozenset({"ArrayList", "LinkedList", "Array", "Vector"})
_FREEZING_CALLS = frozenset({"freeze", "seal"})
"""Calls that give back what they are given, or called on."""
_COPYING_CALLS = frozenset({"append", "concat"})
_KEYS = (Text, Entry, Collection)
_MAX_DEPTH = 6


def listed(file: FollowedFile, value: Expression, scope: Scope, depth: int = _MAX_DEPTH) -> Collection | None:
    """The list or table that a value is; None where it is not written out."""
    if depth <= 0:
        return None
    if isinstance(value, Collection):
        return value
    if isinstance(value, Spread):
        return listed(file, value.value, scope, depth - 1)
    if isinstance(value, Call):
        return _kept(file, value, depth) or _with_names(file, value) or _called(file, value, scope, depth)
    if isinstance(value, Name):
        return _named(file, value, scope, depth)
    return _field(file, value, depth) if isinstance(value, Member) else None


def _with_names(file: FollowedFile, call: Call) -> Collection | None:
    """`params.permit(:name)`: a table with the names that are given."""
    last = call.callee.name if isinstance(call.callee, Member) else ""
    if last not in file.models.passing.table_calls or not all(isinstance(each, _KEYS) for each in call.arguments):
        return None
    return Collection(call.node, tuple(Entry(call.node, each, call) for each in call.arguments))


def _field(file: FollowedFile, taken: Member, depth: int) -> Collection | None:
    """What a field of the object or class itself is given once: `$this->steps`, `self::STEPS`."""
    root = file.scopes.root
    bound = root.bindings.get(self_member(taken), ())
    value = bound[0].value if len(bound) == 1 and not bound[0].adds else None
    return listed(file, value, root, depth - 1) if value is not None else None


def _kept(file: FollowedFile, call: Call, depth: int) -> Collection | None:
    """`store.getStore()`, where the store is given a table at one place."""
    callee = call.callee
    owner = callee.owner if isinstance(callee, Member) and callee.name in file.models.passing.kept_readers else None
    kept = file.kept.get(owner.name, ()) if isinstance(owner, Name) else ()
    return listed(file, kept[0], file.scopes.scope_of(kept[0].node), depth - 1) if len(kept) == 1 else None


def _called(file: FollowedFile, call: Call, scope: Scope, depth: int) -> Collection | None:
    """`List.of(a, b)`, `new ArrayList<>()`, `append(list, a)`, `list.concat([a])`."""
    callee = call.callee
    last = last_name(callee)
    if last in _EMPTY_LISTS and call.constructs:
        inner = listed(file, call.arguments[0], scope, depth - 1) if call.arguments else None
        return inner or (None if call.arguments else Collection(call.node, ()))
    if last in _FREEZING_CALLS and call.arguments:
        return listed(file, call.arguments[0], scope, depth - 1)
    if last in _FREEZING_CALLS and isinstance(callee, Member):
        return listed(file, callee.owner, scope, depth - 1)
    if last in _LISTING_CALLS:
        return Collection(call.node, call.arguments)
    if last in _COPYING_CALLS and call.arguments:
        parts = call.arguments if isinstance(callee, Name) else (callee.owner, *call.arguments)  # type: ignore[attr-defined]
        first = listed(file, parts[0], scope, depth - 1) if parts else None
        if first is not None:
            rest = (listed(file, each, scope, depth - 1) for each in parts[1:])
            return Collection(
                call.node,
                (
                    *first.entries,
                    *(
                        one
                        for each, made in zip(parts[1:], rest, strict=True)
                        for one in (made.entries if made else (each,))
                    ),
                ),
            )
    return None


def _named(file: FollowedFile, name: Name, scope: Scope, depth: int) -> Collection | None:
    """What a name is given first, and what is added to it."""
    bound = file.reaching(name.name, name.node.start_byte, scope)
    if not bound and file.scopes.kinds.bare_calls:
        return _of_method(file, name, depth)
    values = [each.value for each in bound if each.value is not None]
    if not values or bound[0].each or isinstance(values[0], Entry):
        return None
    holder = scope.holder(name.name) or scope
    made = listed(file, values[0], holder, depth - 1)
    added = [each for each in values[1:] if isinstance(each, Entry)]
    if made is None or len(added) != len(values) - 1:
        return None
    return Collection(made.node, (*made.entries, *(each.value if each.key is None else each for each in added)))


def _of_method(file: FollowedFile, name: Name, depth: int) -> Collection | None:
    """What a method of the file gives back that is called by its name alone."""
    functions = file.scopes.by_name.get(name.name, [])
    returned = returned_values(file.scopes, functions[0]) if len(functions) == 1 else []
    return listed(file, returned[0], functions[0], depth - 1) if len(returned) == 1 else None
