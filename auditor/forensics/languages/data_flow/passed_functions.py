"""Dangerous functions that a file passes on, offers to others or gives a second name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from auditor.forensics.code_facts.flow_certainty import Certainty
from auditor.forensics.languages.data_flow.call_reports import Report
from auditor.forensics.languages.data_flow.callee_resolution import CalleeResolver
from auditor.forensics.languages.data_flow.effective_calls import INDIRECT_CALLS
from auditor.forensics.languages.data_flow.expressions import Call, Collection, Entry, Expression, Item, Member, Name
from auditor.forensics.languages.data_flow.flow_models import ANY_MEMBER, Sink
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.row_vocabulary import SinkPart
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.data_flow.stored_values import StoredValue
from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.source_text.site_probe_types import Site

_SHELL_TEXT = re.compile(rf"[\"'`](?:-\w{{0,3}}c|(?:/(?:usr/)?bin/)?{UNIX_SHELL})[\"'`]".encode())
PASSED = Certainty(0.58, "what calls it was not analysed")


class PassedFunctions:
    """The functions of one file. `told` are questions and lines at which something is reported."""

    def __init__(self, file: FollowedFile, resolver: CalleeResolver, told: set[tuple[str, int]]) -> None:
        self._file, self._resolver, self._told = file, resolver, told

    def passed_on(self, calls: Iterable[Call], own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """What is said of calls that are given a dangerous function, and that are not followed."""
        for call in calls:
            yield from self._passed_on(call, self._file.scopes.scope_of(call.node), own)

    def _passed_on(self, call: Call, scope: Scope, own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """A dangerous function that is given to one that is not followed."""
        callee = call.callee
        last = callee.name if isinstance(callee, (Name, Member)) else ""
        passing = self._file.models.passing
        if last in passing.inspecting or last in self._file.scopes.by_name:
            return
        if last in passing.member_callbacks or last in passing.runners or last in INDIRECT_CALLS:
            return
        # `once(exec)` is followed, `bus.once("run", exec)` is not
        wrapped = 1 if last in passing.callable_returning else 0
        for each in call.arguments[wrapped:8]:
            parts = each.entries[:8] if isinstance(each, Collection) else (each,)
            for part in parts:
                yield from self._passed(part.value if isinstance(part, Entry) else part, scope, own)

    def exported(self, values: Iterable[tuple[Expression, Scope]], own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """A dangerous function that the file offers to others under another name."""
        for value, scope in values:
            parts = value.entries[:40] if isinstance(value, Collection) else (value,)
            for part in parts:
                named = part.value if isinstance(part, Entry) else part
                yield from self._passed(named, scope, own, is_exported=value is part)

    def stored(self, values: Iterable[StoredValue], own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """A dangerous function that a field is given, where no call of the field in the file is known to call it."""
        for field, value, scope in values:
            if not self._is_called_here(field, value, scope):
                yield from self._passed(value, scope, own, how="is kept in a field", starts_shell=self._names_shell)

    def _is_called_here(self, field: str, value: Expression, scope: Scope) -> bool:
        kept = {each.name for each in self._resolver.callees(value, scope)}
        called = ((call.callee, self._file.scopes.scope_of(call.node)) for call in self._file.calls_of(field))
        return any(each.name in kept for callee, place in called for each in self._resolver.callees(callee, place))

    @cached_property
    def _names_shell(self) -> bool:
        """Does the file hold the name of a shell, or its option for a command, as a text?"""
        return _SHELL_TEXT.search(self._file.file.source) is not None

    def aliased(self, own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """A dangerous function that an operator stands for; a second name that is a word is followed to its calls."""
        for name, function in self._file.scopes.aliases:
            if not name.rstrip("?!=").isidentifier():
                yield from self._passed(
                    function, self._file.scopes.root, own, how=f"is what the operator `{name}` runs"
                )

    def _passed(
        self,
        value: Expression,
        scope: Scope,
        own: frozenset[tuple[str, int]],
        *,
        is_exported: bool = False,
        how: str = "is passed as a value",
        starts_shell: bool = False,
    ) -> Iterator[Report]:
        if not isinstance(value, (Name, Member, Item, Call)):
            return
        if isinstance(value, Call) and not self._gives_function(value):
            return
        for each in self._resolver.callees(value, scope):
            if each.name.endswith(ANY_MEMBER):
                continue
            sinks = self._file.models.sinks_by_name.get(each.name, [])
            hidden = each.name in self._file.models.hidden_names or (starts_shell and any(map(_starts_program, sinks)))
            if hidden and (each.name != "Function" or is_exported):
                sink = sinks[0]
                line = value.node.start_point[0] + 1
                if (sink.probe, line) not in own and (sink.probe, line) not in self._told:
                    self._told.add((sink.probe, line))
                    statement = f"`{each.name}`, which {sink.does}, {how}, so it may be called with any argument"
                    yield Report(sink.probe, line, Site(line, line, statement, "", *PASSED))
                return

    def _gives_function(self, call: Call) -> bool:
        callee = call.callee
        last = callee.name if isinstance(callee, (Name, Member)) else ""
        return last in self._file.models.passing.callable_returning or last in {"method", "public_method", "to_proc"}


def _starts_program(sink: Sink) -> bool:
    """Is it a call that does harm where the program that it starts is a shell?"""
    return sink.part in {SinkPart.PROGRAM, SinkPart.WORDS}
