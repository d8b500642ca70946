"""What functions of a file do with what they are given, for a file that calls them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.forensics.code_facts.input_flows import CALL_MARK, FunctionFlow, FunctionSink, Grade
from auditor.forensics.languages.data_flow.dangerous_calls import DangerousCalls
from auditor.forensics.languages.data_flow.exported_values import exported_values
from auditor.forensics.languages.data_flow.expressions import Call, Collection, FunctionValue, Member, Name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.data_flow.scopes import returned_values

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_FUNCTIONS = 2
"""Functions of one name that are looked at."""
_MAX_CALLS = 60
_MAX_RETURNS = 6


class FunctionSummaries:
    """The functions of one file."""

    def __init__(self, file: FollowedFile, dangerous: DangerousCalls) -> None:
        self._file, self._dangerous = file, dangerous

    def summaries(self, names: Iterable[str]) -> dict[str, object]:
        """What functions do, by their names with a mark of a call behind."""
        found: dict[str, object] = {}
        for name in sorted(names):
            told: dict[str, object] = {}
            functions = self._functions(name)
            for function in functions:
                told |= self._of_function(function)
            if not functions:
                told = self._of_kept(name) if name in self._file.kept else self._of_value(name)
            if told:
                found[f"{name}{CALL_MARK}"] = told
        return found

    def _functions(self, name: str) -> list[Scope]:
        known = self._file.scopes.by_name.get(name, [])
        if known or name != "default":
            return known[:_MAX_FUNCTIONS]
        found: list[Scope] = []
        for value, _ in exported_values(self._file):
            if isinstance(value, FunctionValue) and value.node.id in self._file.scopes.functions:
                found.append(self._file.scopes.functions[value.node.id])
            elif isinstance(value, Name):
                found += self._file.scopes.by_name.get(value.name, [])
        return found[:1]

    def _of_function(self, function: Scope) -> dict[str, object]:
        walk = self._dangerous.walk("", follows_callers=False)
        source = ""
        for each in returned_values(self._file.scopes, function)[:_MAX_RETURNS]:
            flow = walk.flow(each, function)
            if flow is not None and flow.source.grade is Grade.REQUEST:
                source = flow.source.written
        held = {parameter.position: parameter.name for parameter, place in walk.parameters if place is function}
        sinks = (
            FunctionSink(probe, parameter.position, called)
            for probe, parameter, place, called in self._dangerous.passing(self._calls(function))
            if place is function
        )
        return FunctionFlow(source, held, tuple(sinks)).packed()

    def _of_kept(self, name: str) -> dict[str, object]:
        """What an object keeps for others, where every part of it is untrusted."""
        parts = [
            one for each in self._file.kept[name] for one in (each.entries if isinstance(each, Collection) else (each,))
        ]
        flows = [
            self._dangerous.walk("", follows_callers=False).flow(each, self._file.scopes.scope_of(each.node))
            for each in parts[:_MAX_RETURNS]
        ]
        sources = [each.source for each in flows if each is not None and each.source.grade is Grade.REQUEST]
        return FunctionFlow(sources[0].written, {}, ()).packed() if sources and len(sources) == len(parts) else {}

    def _of_value(self, name: str) -> dict[str, object]:
        """A dangerous function that the file gives another name: `export const run = cp.exec`."""
        root = self._file.scopes.root
        values = [each.value for each in root.bindings.get(name, ())[:_MAX_FUNCTIONS] if each.value is not None]
        sinks = [
            one for each in values if isinstance(each, (Member, Name)) for one in self._dangerous.sinks_of(each, root)
        ]
        return FunctionFlow("", {}, tuple(sinks)).packed() if sinks else {}

    def _calls(self, function: Scope) -> Iterator[Call]:
        inside = [each for each in self._file.file.callees if function.start <= each.start_byte < function.end]
        wanted = self._file.models.sinks_by_last_part
        named: list[Node] = [each for last in wanted for each in self._file.file.called.get(last, ()) if each in inside]
        beside = (*self._file.scopes.shells, *self._file.scopes.keyword_calls)
        unnamed = [each for each in beside if function.start <= each.start_byte < function.end]
        for each in (*self._file.file.calls_of(named[:_MAX_CALLS]), *unnamed[:_MAX_CALLS]):
            lowered = self._file.scopes.lowering.lower(each)
            if isinstance(lowered, Call):
                yield lowered
