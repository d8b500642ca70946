"""Texts and sets that are fixed by the program itself: one constant, or none.

What a text with filled-in values reads like is another question, which `string_building.py` answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.constant_folding.folded_values import FoldedText, FoldedValue, Segment, joined
from auditor.constant_folding.text_calls import CALLS, METHODS
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Choice,
    Collection,
    Constant,
    Entry,
    Expression,
    Item,
    Joined,
    Member,
    Name,
    Operation,
    Pattern,
    Spread,
    Text,
    last_name,
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.scope_types import Scope

_MAX_DEPTH = 12
_MAX_NAME = 60
_COLLECTION_CALLS = frozenset(
    {"Set", "Map", "of", "asList", "freeze", "keys", "values", "entries", "unmodifiableSet", "unmodifiableList", "keySet", "to_set", "copyOf", "ofEntries"}
)  # fmt: skip
"""Calls whose result holds nothing but what they are given, or what they are called on."""


def text_of(file: FollowedFile, expression: Expression, scope: Scope, depth: int = _MAX_DEPTH) -> str | None:
    """The text that an expression always is; None where it is not fixed."""
    value = _folded(file, expression, scope, depth)
    return value.text if isinstance(value, FoldedText) else None


def _folded(  # noqa: PLR0911 - a table of kinds
    file: FollowedFile, value: Expression, scope: Scope, depth: int
) -> FoldedValue | None:
    """What an expression always is: a text, a whole number, or a list of them; None where it is not fixed."""
    if depth <= 0:
        return None
    if isinstance(value, Text):
        return _constant(value.value)
    if isinstance(value, Constant):
        written = file.written(value)
        return int(written) if written.isascii() and written.isdecimal() else None
    if isinstance(value, Joined) or (isinstance(value, Operation) and value.operator in {"+", "."}):
        parts = _all_folded(file, value.parts if isinstance(value, Joined) else (value.left, value.right), scope, depth)
        texts = [each for each in parts or () if isinstance(each, FoldedText)]
        return None if parts is None or len(texts) < len(parts) else joined(texts) if texts else _constant("")
    if isinstance(value, Collection):
        return _all_folded(file, value.entries, scope, depth)
    if isinstance(value, Name):
        bound = file.reaching(value.name, value.node.start_byte, scope)
        if len(bound) != 1 or bound[0].value is None or bound[0].each or bound[0].adds:
            return None
        return _folded(file, bound[0].value, scope.holder(value.name) or scope, depth - 1)
    if isinstance(value, (Member, Item)):
        text = _member_text(file, value, scope, depth)
        return None if text is None else _constant(text)
    return _called(file, value, scope, depth) if isinstance(value, Call) else None


def _all_folded(file: FollowedFile, values: Iterable[Expression], scope: Scope, depth: int) -> list[FoldedValue] | None:
    found: list[FoldedValue] = []
    for each in values:
        value = _folded(file, each, scope, depth - 1)
        if value is None:
            return None
        found.append(value)
    return found


def _constant(text: str) -> FoldedText:
    return FoldedText((Segment(text, 0, 0),))


def _member_text(file: FollowedFile, taken: Member | Item, scope: Scope, depth: int) -> str | None:
    """`KEYS.name`, `KEYS["name"]`: what a table of constants, an enum or a field of a class holds."""
    key = taken.name if isinstance(taken, Member) else text_of(file, taken.key, scope, depth - 1)
    if key is None or not isinstance(taken.owner, Name):
        return None
    made = listed(file, taken.owner, scope)
    held: Iterable[Expression | None]
    if made is not None:
        held = [one.value for one in made.entries if isinstance(one, Entry) and _is_key(one.key, key)]
    else:
        held = [each.value for each in file.static_field(taken.owner.name, key)]
    told = {text_of(file, each, scope, depth - 1) if each is not None else None for each in held}
    return told.pop() if len(told) == 1 else None


def _is_key(key: Expression | None, name: str) -> bool:
    return isinstance(key, Text) and key.value == name


def _called(file: FollowedFile, call: Call, scope: Scope, depth: int) -> FoldedValue | None:
    """What a call of a standard library makes of constants; a function that the file defines itself is another."""
    callee = call.callee
    if not isinstance(callee, (Name, Member)):
        return None
    written = callee.name if isinstance(callee, Name) else file.scopes.lowering.source_of(callee.node, _MAX_NAME)
    if (fold := CALLS.get(written)) is not None and callee.name not in file.scopes.by_name:
        given = _all_folded(file, call.arguments, scope, depth)
        return None if given is None else fold(given)
    if not isinstance(callee, Member) or callee.name not in METHODS:
        return None
    given = _all_folded(file, (callee.owner, *call.arguments), scope, depth)
    if given is not None and callee.name == "join" and len(given) == 1 and file.file.language.name == "ruby":
        given.append(_constant(""))
    return None if given is None else METHODS[callee.name](given[0], given[1:])


def is_fixed(file: FollowedFile, expression: Expression, scope: Scope, depth: int = _MAX_DEPTH) -> bool:  # noqa: PLR0911 - a table of kinds
    """Is a value, or all that a collection holds, written out in the program?"""
    if depth <= 0:
        return False
    inner = depth - 1
    if isinstance(expression, (Text, Constant, Pattern)):
        return True
    if isinstance(expression, (Joined, Choice)):
        return all(is_fixed(file, each, scope, inner) for each in expression.parts)
    if isinstance(expression, Collection):
        return all(is_fixed(file, each, scope, inner) for each in expression.entries)
    if isinstance(expression, (Entry, Spread)):
        return is_fixed(file, expression.value, scope, inner)
    if isinstance(expression, Operation):
        return is_fixed(file, expression.left, scope, inner) and is_fixed(file, expression.right, scope, inner)
    if isinstance(expression, (Member, Item)):
        return _is_fixed_member(file, expression, scope, inner)
    if isinstance(expression, Call):
        return _is_fixed_call(file, expression, scope, inner)
    return isinstance(expression, Name) and _is_fixed_name(file, expression, scope, inner)


def _is_fixed_member(file: FollowedFile, taken: Member | Item, scope: Scope, depth: int) -> bool:
    if isinstance(taken, Member) and taken.name.isupper() and not _is_local(taken.owner, scope):
        return True  # a constant of another class or module
    return is_fixed(file, taken.owner, scope, depth)


def _is_local(owner: Expression, scope: Scope) -> bool:
    return isinstance(owner, Name) and scope.holder(owner.name) is not None


def _is_fixed_call(file: FollowedFile, call: Call, scope: Scope, depth: int) -> bool:
    callee = call.callee
    name = last_name(callee)
    if name not in _COLLECTION_CALLS and not (isinstance(callee, Member) and not call.arguments and name == "freeze"):
        return False
    if call.arguments:
        return all(is_fixed(file, each, scope, depth) for each in call.arguments)
    return isinstance(callee, Member) and is_fixed(file, callee.owner, scope, depth)


def _is_fixed_name(file: FollowedFile, name: Name, scope: Scope, depth: int) -> bool:
    holder = scope.holder(name.name)
    if holder is None:
        this = file.scopes.root.bindings.get(f"this.{name.name}")
        if this:
            return all(each.value is not None and is_fixed(file, each.value, scope, depth) for each in this)
        return name.name.isupper() and len(name.name) > 1 and name.name not in _CHANGING_NAMES
    if name.name in holder.parameters:
        return False
    bound = holder.bindings[name.name]
    return all(each.value is not None and is_fixed(file, each.value, holder, depth) for each in bound)


_CHANGING_NAMES = frozenset({"ENV", "ARGV", "ARGF", "STDIN"})
