"""Commands that are built step by step: the words that a builder was given, in the order of the words."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.languages.data_flow.expressions import Call, Collection, Entry, Expression, Member, Name, Text
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.scope_types import Scope

_MAX_DEPTH = 30
_MAX_WORDS = 40


class BuiltCommand(NamedTuple):
    """The call that began a command, and all words."""

    base: Call
    words: tuple[Expression, ...]


def built_command(file: FollowedFile, value: Expression, scope: Scope, depth: int = _MAX_DEPTH) -> BuiltCommand | None:
    """What a value has of a command: by its own call, by methods that add words, and by fields that are set."""
    if depth <= 0:
        return None
    if isinstance(value, Call):
        callee = value.callee
        if isinstance(callee, Member) and not value.constructs and isinstance(callee.owner, (Call, Name, Member)):
            before = built_command(file, callee.owner, scope, depth - 1)
            if before is not None:
                added = value.arguments if callee.name in file.models.passing.word_methods else ()
                return before._replace(words=(*before.words, *_flat(file, added, scope))[:_MAX_WORDS])
        return BuiltCommand(value, constructed_words(file, value.arguments, scope))
    if isinstance(value, Name):
        return _assigned(file, value, scope, depth)
    return built_command(file, value.owner, scope, depth - 1) if isinstance(value, Member) else None


def constructed_words(file: FollowedFile, arguments: tuple[Expression, ...], scope: Scope) -> tuple[Expression, ...]:
    """The words of a call that begins a command: its arguments, and fields that it sets."""
    plain = [each for each in arguments if not isinstance(each, Entry)]
    program, rest = _fields(file, [each for each in arguments if isinstance(each, Entry)], scope)
    return (*program, *_flat(file, tuple(plain), scope), *rest)[:_MAX_WORDS]


def _assigned(file: FollowedFile, name: Name, scope: Scope, depth: int) -> BuiltCommand | None:
    holder = scope.holder(name.name)
    if holder is None or name.name in holder.parameters:
        return None
    values = [each.value for each in holder.bindings[name.name] if each.value is not None]
    first = next((each for each in values if not isinstance(each, Entry)), None)
    if first is None or first is name:
        return None
    begun = built_command(file, first, holder, depth - 3)
    if begun is None:
        return None
    entries = [each for each in values if isinstance(each, Entry)]
    program, rest = _fields(file, [each for each in entries if each.key is not None], holder)
    added = _flat(file, tuple(each.value for each in entries if each.key is None), holder)
    return begun._replace(words=(*program, *begun.words, *rest, *added)[:_MAX_WORDS])


def _fields(
    file: FollowedFile, entries: list[Entry], scope: Scope
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """The program and the words that fields hold."""
    passing = file.models.passing
    named = [(_field_name(file, each), each.value) for each in entries]
    program = tuple(value for name, value in named if name in passing.program_fields)
    return program, _flat(file, tuple(value for name, value in named if name in passing.word_fields), scope)


def _field_name(file: FollowedFile, entry: Entry) -> str:
    """The field that is set: the last part of `info.StartInfo.FileName`."""
    if entry.node.type in file.scopes.kinds.members:
        return file.scopes.lowering.source_of(entry.node, 200).rpartition(".")[2]
    return entry.key.value if isinstance(entry.key, Text) else ""


def _flat(file: FollowedFile, values: tuple[Expression, ...], scope: Scope) -> tuple[Expression, ...]:
    """The members of lists among some words, and the other words."""
    found: list[Expression] = []
    for each in values:
        made = each if isinstance(each, Collection) else listed(file, each, scope)
        found += made.entries if made is not None else (each,)
    return tuple(each for each in found if not isinstance(each, Entry))
