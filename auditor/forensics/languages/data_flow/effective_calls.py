"""Calls as the ones that are made in the end: through `call`, `apply`, `send`, reflection, and functions that call what they are given."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from auditor.forensics.languages.data_flow.callee_resolution import Callee, CalleeResolver
from auditor.forensics.languages.data_flow.command_words import built_command
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Collection,
    Entry,
    Expression,
    FunctionValue,
    Item,
    Member,
    Name,
    Text,
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.reflected_functions import reflected_call
from auditor.forensics.languages.data_flow.scope_types import Scope

_SENDING = frozenset({"send", "public_send", "__send__"})
_CALLING = frozenset({"call", "apply", "accept", "test", "get", "yield", "===", "invoke", "Invoke", "DynamicInvoke", "__invoke", "invokeArgs"})  # fmt: skip
"""Methods of a function that call it."""
_CALLERS = frozenset({"call", "apply"})
_REFLECTING = frozenset({"Reflect.apply", "Reflect.construct"})
_REFLECTED_CALLS = frozenset({"invoke", "Invoke"})
"""Those that are given the object first, where they are methods of reflection."""
_REFLECTED_VALUES = frozenset({"Call", "CallSlice"})
"""Methods of `reflect.Value` in Go that call it."""
VARIABLE_FUNCTION = "<function>"
"""Part of a name in a row of sinks: a function whose name is computed."""
INDIRECT_CALLS = _SENDING | _CALLING | _REFLECTED_VALUES | frozenset({"bind", "construct", "command"})
"""Last parts of what may call a function that it is given, or called on."""


class EffectiveCall(NamedTuple):
    """What is called, with which arguments, and whether it is another call than the one that is written."""

    name: str
    arguments: tuple[Expression, ...]
    is_hidden: bool
    written: Expression
    """What stands for the function."""


class CallReader:
    """The calls of one file."""

    def __init__(self, file: FollowedFile, resolver: CalleeResolver) -> None:
        self._file, self._resolver = file, resolver

    def calls(self, call: Call, scope: Scope) -> Iterator[EffectiveCall]:
        """Every call that a call may come down to."""
        bracketed = self._file.file.source[call.node.start_byte : call.node.start_byte + 1] == b"("
        for each in self._resolver.callees(call.callee, scope):
            plain = isinstance(call.callee, Member) and each.name == f".{call.callee.name}"
            hidden = (each.is_hidden and not plain) or (
                bracketed and call.node.start_byte < call.callee.node.start_byte
            )
            yield EffectiveCall(each.name, (*each.bound, *call.arguments), hidden, call.callee)
            if each.name in _REFLECTING and len(call.arguments) > 1:
                yield from self._called_with(call.arguments[0], call.arguments[-1:], scope, spread=True)
            if each.name in self._file.models.passing.runners and call.arguments:
                yield from self._called_with(call.arguments[0], call.arguments[2:], scope)
            yield from self._called_back(each.name, call, scope)
        callee = call.callee
        if isinstance(callee, Member) and callee.name in self._file.models.passing.word_methods:
            yield from self._built(call, callee, scope)
        if self._file.scopes.kinds.text_calls and isinstance(callee, (Name, Item)):
            named: Expression = callee
            if isinstance(callee, Item):  # `$object->$name()`, or a function that a table holds
                chosen = callee.node.type in self._file.scopes.kinds.variable_members
                named = callee.key if chosen else callee.owner
            if isinstance(named, Name) and named.name[:1] == "$":
                yield EffectiveCall(VARIABLE_FUNCTION, (named,), is_hidden=False, written=callee)
        if isinstance(callee, Member):
            yield from self._of_method(call, callee, scope)
        elif isinstance(callee, Name) and callee.name in _SENDING:
            yield from self._sent(call, None, scope)

    def _built(self, call: Call, callee: Member, scope: Scope) -> Iterator[EffectiveCall]:
        """A command that methods build, with all words that it has by now."""
        begun = (
            None
            if all(isinstance(each, Text) for each in call.arguments)
            else built_command(self._file, callee.owner, scope)
        )
        if begun is None:
            return
        added = tuple(each.value if isinstance(each, Entry) else each for each in call.arguments)
        for each in self._resolver.callees(begun.base.callee, scope):
            name = f"{each.name}().{callee.name}"
            yield EffectiveCall(name, (*begun.words, *added), each.is_hidden, begun.base.callee)

    def _called_back(self, name: str, call: Call, scope: Scope) -> Iterator[EffectiveCall]:
        """`array_map("system", $list)`: what a function that is given another one calls."""
        places = self._file.models.passing.callback_calls.get(name)
        if places is None or places[0] >= len(call.arguments):
            return
        function = call.arguments[places[0]]
        given = tuple(each for each in call.arguments[places[1] :] if each is not function)
        yield from self._called_with(function, given, scope, spread=name.endswith("_array"))
        if not isinstance(function, (Text, FunctionValue, Collection)):
            yield EffectiveCall(VARIABLE_FUNCTION, (function,), is_hidden=False, written=function)

    def _of_method(self, call: Call, callee: Member, scope: Scope) -> Iterator[EffectiveCall]:
        given = call.arguments
        if callee.name in _SENDING:
            yield from self._sent(call, callee.owner, scope)
        elif callee.name in _REFLECTED_VALUES and self._file.file.language.name == "go":
            reflected_to = reflected_call(self._file, callee.owner, given[0], scope) if given else None
            yield from self._called_with(*reflected_to, scope) if reflected_to is not None else ()
        elif callee.name in _CALLERS and isinstance(callee.owner, Member) and callee.owner.name in _CALLERS and given:
            yield from self._called_by_caller(callee.owner.name, callee.name, given, scope)
        elif callee.name in _CALLING:
            java = self._file.file.language.name in {"java", "ruby", "csharp", "php"}
            reflected = callee.name in _REFLECTED_CALLS and not self._file.scopes.kinds.text_calls
            if callee.name == "Invoke" and not (len(given) > 1 and isinstance(given[1], Collection)):
                yield from self._called_with(callee.owner, given, scope)
            elif callee.name in {"Invoke", "DynamicInvoke", "invokeArgs"}:
                yield from self._called_with(callee.owner, given[-1:], scope, spread=True)
            elif reflected or (callee.name == "call" and not java):
                yield from self._called_with(callee.owner, given[1:], scope)
            elif callee.name == "apply" and not java:
                yield from self._called_with(callee.owner, given[1:], scope, spread=True)
            else:
                yield from self._called_with(callee.owner, given, scope)
        elif callee.name in self._file.models.passing.member_callbacks and given:
            members = callee.owner.entries if isinstance(callee.owner, Collection) else (callee.owner,)
            last = given[-1].value if isinstance(given[-1], Entry) else given[-1]
            yield from self._called_with(last, members, scope)

    def _called_by_caller(
        self, inner: str, outer: str, given: tuple[Expression, ...], scope: Scope
    ) -> Iterator[EffectiveCall]:
        """`Function.prototype.call.call(f, null, x)`: `call` or `apply` of the function that is given first."""
        if outer == "apply":
            listed = given[1].entries if len(given) > 1 and isinstance(given[1], Collection) else ()
            given = (given[0], *listed)
        yield from self._called_with(given[0], given[2:], scope, spread=inner == "apply")

    def _called_with(
        self, function: Expression, arguments: tuple[Expression, ...], scope: Scope, *, spread: bool = False
    ) -> Iterator[EffectiveCall]:
        """A function that is called by another one."""
        if isinstance(function, FunctionValue):
            return
        if spread and len(arguments) == 1 and isinstance(arguments[0], Collection):
            arguments = arguments[0].entries
        for each in self._resolver.callees(function, scope):
            if each.name[0] != "." or each.is_hidden:
                yield EffectiveCall(each.name, (*each.bound, *arguments), is_hidden=True, written=function)

    def _sent(self, call: Call, owner: Expression | None, scope: Scope) -> Iterator[EffectiveCall]:
        """`Kernel.send(:system, x)`: a method by its name."""
        method = text_of(self._file, call.arguments[0], scope) if call.arguments else None
        if not method:
            return
        made: Expression = Name(call.node, method) if owner is None else Member(call.node, owner, method)
        callees = self._resolver.callees(made, scope) or [Callee(f".{method}")]
        for each in callees:
            yield EffectiveCall(each.name, call.arguments[1:], is_hidden=True, written=call.arguments[0])
        if owner is not None:  # private methods of Kernel belong to every object
            yield EffectiveCall(method, call.arguments[1:], is_hidden=True, written=call.arguments[0])


def positional(arguments: tuple[Expression, ...], named: Container[str]) -> list[Expression]:
    """The arguments by their positions, those with a name as they are written: `named` are kinds of nodes of arguments."""
    given = (each.value if isinstance(each, Entry) and each.node.type in named else each for each in arguments)
    return [each for each in given if not isinstance(each, Entry)]
