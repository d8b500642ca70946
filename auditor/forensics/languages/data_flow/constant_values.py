"""Texts and sets that are fixed by the program itself."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.constant_folding.folded_values import FoldedText, FoldedValue, Segment
from auditor.constant_folding.text_calls import CALLS, METHODS, plain
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
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.scope_types import Scope

_MAX_DEPTH = 12
_MAX_TEXT = 10_000
_MAX_NAME = 60
_COLLECTION_CALLS = frozenset(
    {"Set", "Map", "of", "asList", "freeze", "keys", "values", "entries", "unmodifiableSet", "unmodifiableList", "keySet", "to_set", "copyOf", "ofEntries"}
)  # fmt: skip
"""Calls whose result holds nothing but what they are given, or what they are called on."""


def text_of(  # noqa: PLR0911 - a table of kinds
    file: FollowedFile, expression: Expression, scope: Scope, depth: int = _MAX_DEPTH
) -> str | None:
    """The text that an expression always is; None where it is not fixed."""
    if depth <= 0:
        return None
    if isinstance(expression, Text):
        return expression.value
    if isinstance(expression, Joined):
        return _joined(file, expression.parts, scope, depth)
    if isinstance(expression, Operation) and expression.operator in {"+", "."}:
        return _joined(file, (expression.left, expression.right), scope, depth)
    if isinstance(expression, Name):
        bound = file.reaching(expression.name, expression.node.start_byte, scope)
        if len(bound) == 1 and bound[0].value is not None and not bound[0].each and not bound[0].adds:
            return text_of(file, bound[0].value, scope.holder(expression.name) or scope, depth - 1)
        return None
    if isinstance(expression, (Member, Item)):
        return _member_text(file, expression, scope, depth)
    return _called_text(file, expression, scope, depth) if isinstance(expression, Call) else None


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


def _joined(file: FollowedFile, parts: Iterable[Expression], scope: Scope, depth: int) -> str | None:
    told = [text_of(file, each, scope, depth - 1) for each in parts]
    if any(each is None for each in told):
        return None
    whole = "".join(each for each in told if each is not None)
    return whole if len(whole) <= _MAX_TEXT else None


def _called_text(file: FollowedFile, call: Call, scope: Scope, depth: int) -> str | None:
    """What a call of a standard library makes of constants; a function that the file defines itself is another."""
    callee = call.callee
    if not isinstance(callee, (Name, Member)):
        return None
    written = callee.name if isinstance(callee, Name) else file.scopes.lowering.source_of(callee.node, _MAX_NAME)
    fold = CALLS.get(written)
    fold = None if fold is None or callee.name in file.scopes.by_name else fold
    owner = callee.owner if fold is None and isinstance(callee, Member) and callee.name in METHODS else None
    if fold is None and owner is None:
        return None
    values = [_folded(file, each, scope, depth - 1) for each in ((owner,) if owner else ()) + call.arguments]
    given = [each for each in values if each is not None]
    if len(given) < len(values):
        return None
    if owner is not None and callee.name == "join" and len(given) == 1 and file.file.language.name == "ruby":
        given.append(_constant(""))
    made = fold(given) if fold is not None else METHODS[callee.name](given[0], given[1:])
    return plain(made) if isinstance(made, FoldedText) else None


def _constant(text: str) -> FoldedText:
    return FoldedText((Segment(text, 0, 0),))


def _folded(file: FollowedFile, value: Expression, scope: Scope, depth: int) -> FoldedValue | None:
    """A constant as a value for constant folding: a text, a whole number, or a list of them."""
    if depth <= 0:
        return None
    if isinstance(value, Constant):
        written = file.written(value)
        return int(written) if written.isascii() and written.isdecimal() else None
    if isinstance(value, Collection):
        held = [_folded(file, each, scope, depth - 1) for each in value.entries]
        items = [each for each in held if each is not None]
        return items if len(items) == len(held) else None
    text = text_of(file, value, scope, depth)
    return None if text is None else _constant(text)


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
    name = callee.name if isinstance(callee, (Name, Member)) else ""
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
