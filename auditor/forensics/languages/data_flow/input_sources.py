"""Where untrusted input enters a file: requests of web frameworks, the command line, the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from auditor.forensics.code_facts.input_flows import FoundSource, Grade
from auditor.forensics.languages.data_flow.action_parameters import has_wanted_type, is_action
from auditor.forensics.languages.data_flow.callee_resolution import CalleeResolver
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import Call, Choice, Expression, Member, Name, last_name
from auditor.forensics.languages.data_flow.flow_models import ANY_POSITION, Source
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.request_handlers import (
    is_registered_handler,
    is_under_directive,
    is_under_handler_key,
)
from auditor.forensics.languages.data_flow.row_vocabulary import SourceKind
from auditor.forensics.languages.data_flow.scope_types import Parameter, Scope, argument_at
from auditor.forensics.python.taint_models import leaving_probes, secret_variables

_ANNOTATION = re.compile(r"(?:@|\[|,\s)(?:[\w.]{1,100}\.)?(\w{1,60})")
_BY_TYPE = frozenset({SourceKind.CLASS, SourceKind.METHOD, SourceKind.CALL, SourceKind.ANNOTATION, SourceKind.VALUE})
_PLACES = {
    SourceKind.ACTION: is_action,
    SourceKind.ROUTE: is_registered_handler,
    SourceKind.ENTRY: is_under_handler_key,
    SourceKind.DIRECTIVE: is_under_directive,
}
_MAX_ALIASES = 6
Rows = list[Source]
_ERROR_HANDLER_PARAMETERS = 4
"""Parameters of a handler of Express whose first one is an error."""


class InputSources:
    """The sources of one file."""

    def __init__(self, file: FollowedFile, resolver: CalleeResolver) -> None:
        self._file, self._resolver = file, resolver
        self._rows = [each for each in file.models.sources if not each.requires or file.imports.uses(each.requires)]
        self._by_probe: dict[str, Rows] = {}
        self._known: dict[tuple[int, int], bool] = {}
        self._kept: list[Expression] = []
        """What was asked for: an identity belongs to one expression as long as it is kept."""

    def find(self, expression: Expression, scope: Scope, probe: str) -> FoundSource | None:
        """The untrusted input that an expression is by itself where a probe looks; None for all else."""
        row = self._row(expression, scope, self._rows_for(probe))
        if row is None or not self._is_whole(row, expression, scope):
            return None
        line = expression.node.start_point[0] + 1
        given = self._file.parameter(expression.name, scope) if isinstance(expression, Name) else None
        if given is not None:
            line = given[0].node.start_point[0] + 1
        return FoundSource(self._file.written(expression), line, row.grade)

    @cached_property
    def takes_requests(self) -> bool:
        """Does a function of the file take in what anybody may send?"""
        rows = [each for each in self._rows if each.grade is Grade.REQUEST]
        words = {name for each in rows if each.kind is SourceKind.METHOD for name in each.names}
        form = rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)"
        if words and re.search(form.encode(), self._file.file.source) is not None:
            return True
        return any(
            self._is_filled(row, parameter, function) or self._is_whole_parameter(row, parameter, function)
            for function in self._file.scopes.functions.values()
            for parameter in function.parameters.values()
            for row in rows
        )

    def is_parameter(self, parameter: Parameter, function: Scope) -> bool:
        """Is a parameter untrusted by itself?"""
        rows = (each for each in self._rows if each.grade is not Grade.ENVIRONMENT)
        return any(self._is_whole_parameter(each, parameter, function) for each in rows)

    def _rows_for(self, probe: str) -> Rows:
        """The sources that matter where a probe looks: what must not leave the program, or what comes from outside."""
        if probe not in self._by_probe:
            leaves = probe in leaving_probes()
            self._by_probe[probe] = [each for each in self._rows if each.matters_to(probe, leaves=leaves)]
        return self._by_probe[probe]

    def _is_whole(self, row: Source, expression: Expression, scope: Scope) -> bool:
        """Is it all of the environment, or a secret of it: `System.getenv()`, `System.getenv("DATABASE_URL")`?"""
        if row.grade is not Grade.ENVIRONMENT or not isinstance(expression, Call) or not expression.arguments:
            return True
        return text_of(self._file, expression.arguments[0], scope) in secret_variables()

    def _row(self, expression: Expression, scope: Scope, seen: Rows) -> Source | None:
        if isinstance(expression, Name):
            return self._of_name(expression, scope, seen)
        if isinstance(expression, Member):
            return self._of_member(expression, scope, seen)
        if isinstance(expression, Call):
            rows = (each for each in seen if each.kind is SourceKind.CALL and not each.members)
            return self._first_named(
                (each for each in rows if self._is_asked(each, expression, scope)), expression.callee, scope
            )
        return None

    def _is_asked(self, row: Source, call: Call, scope: Scope) -> bool:
        """Is a call given what a row asks for?"""
        if not row.argument:
            return True
        first = call.arguments[0] if call.arguments else None
        return first is not None and (row.argument == "*" or text_of(self._file, first, scope) == row.argument)

    def _first_named(self, rows: Iterable[Source], callee: Expression, scope: Scope) -> Source | None:
        last = last_name(callee)
        likely = [each for each in rows if any(name.rpartition(".")[2] == last for name in each.names)]
        if not likely:
            return None
        names = {each.name for each in self._resolver.callees(callee, scope)}
        return next((each for each in likely if not names.isdisjoint(each.names)), None)

    def _of_name(self, name: Name, scope: Scope, rows: Rows) -> Source | None:
        given = self._file.parameter(name.name, scope)
        if given is not None:
            return next((each for each in rows if self._is_whole_parameter(each, *given)), None)
        if self._is_bound(name, scope):
            return None
        meant = self._file.imports.names.get(name.name, name.name)
        for each in rows:
            if each.kind is SourceKind.VALUE and meant in each.names:
                return each
            if each.kind is SourceKind.METHOD and not each.members and name.name in each.names:
                return each
        return None

    def _is_bound(self, name: Name, scope: Scope) -> bool:
        """Is it a variable or a function of the file?"""
        return scope.holder(name.name) is not None or name.name in self._file.scopes.by_name

    def _of_member(self, taken: Member, scope: Scope, rows: Rows) -> Source | None:
        values = [each for each in rows if each.kind is SourceKind.VALUE]
        found = self._first_named(values, taken, scope)
        if found is not None:
            return found
        held = (each for each in rows if taken.name in each.members)
        return next((each for each in held if self._is_request(taken.owner, each, scope)), None)

    def _is_request(self, owner: Expression, row: Source, scope: Scope, depth: int = _MAX_ALIASES) -> bool:
        """Is a value the object that a row speaks of?"""
        key = (id(owner), id(row))
        if key not in self._known:
            self._kept.append(owner)
            self._known[key] = False  # a value that is made of itself
            self._known[key] = depth > 0 and self._is_request_now(owner, row, scope, depth)
        return self._known[key]

    def _is_request_now(  # noqa: PLR0911 - a table of kinds
        self, owner: Expression, row: Source, scope: Scope, depth: int
    ) -> bool:
        if isinstance(owner, Choice):
            return any(self._is_request(each, row, scope, depth - 1) for each in owner.parts)
        if isinstance(owner, Call):
            return row.kind is SourceKind.CALL and self._first_named([row], owner.callee, scope) is not None
        if not isinstance(owner, Name):
            return False
        given = self._file.parameter(owner.name, scope)
        if given is not None:
            return self._is_parameter(row, *given) or self._is_given(row, *given, depth)
        if row.kind is SourceKind.METHOD:
            return owner.name in row.names and not self._is_bound(owner, scope)
        if row.kind is SourceKind.CLASS and self._is_class(row, self._file.declared_type(owner.name, scope)):
            return True
        bound = self._file.reaching(owner.name, owner.node.start_byte, scope)
        holder = scope.holder(owner.name) or scope
        return any(
            each.value is not None and self._is_request(each.value, row, holder, depth - 1) for each in bound[:8]
        )

    def _is_given(self, row: Source, parameter: Parameter, function: Scope, depth: int) -> bool:
        """Does a caller in the file give it the object of a row?"""
        if row.kind in _BY_TYPE or not function.name:
            return False
        for call in self._file.calls_of(function.name):
            value = argument_at(call, parameter)
            if value is not None and self._is_request(value, row, self._file.scopes.scope_of(call.node), depth - 2):
                return True
        return False

    def _is_class(self, row: Source, name: str) -> bool:
        if not name:
            return False
        simple = name.rpartition(".")[2]
        return name in row.names or (simple == name and name in row.names and not self._file.is_own_class(name))

    def _is_parameter(self, row: Source, parameter: Parameter, function: Scope) -> bool:
        """Is a parameter, as a whole, the object of a row?"""
        return not parameter.path and self._is_filled(row, parameter, function)

    def _is_filled(self, row: Source, parameter: Parameter, function: Scope) -> bool:
        if row.kind is SourceKind.CLASS:
            return self._is_class(row, self._file.full_type(parameter.type))
        if row.kind is SourceKind.PARAMETER:
            return self._is_named(row, parameter, function)
        if row.kind is SourceKind.ACTION:
            return self._is_placed(row, function) and has_wanted_type(self._file, row, parameter)
        if row.kind is SourceKind.FUNCTION:
            return function.name in row.names and parameter.position == row.position
        if row.kind in _PLACES:
            return self._is_at_position(row, parameter, function) and self._is_placed(row, function)
        return False

    def _is_at_position(self, row: Source, parameter: Parameter, function: Scope) -> bool:
        """Is a parameter of a handler the one that a row speaks of?"""
        if row.position == ANY_POSITION:
            return has_wanted_type(self._file, row, parameter)
        last = max((each.position for each in function.parameters.values()), default=0)
        shift = 1 if last == _ERROR_HANDLER_PARAMETERS - 1 and row.position == 0 else 0
        return parameter.position == row.position + shift

    def _is_named(self, row: Source, parameter: Parameter, function: Scope) -> bool:
        behind = {each.name for each in function.parameters.values() if each.position == parameter.position + 1}
        if row.beside and row.beside.isdisjoint(behind):
            return False
        return parameter.name in row.names or (bool(parameter.path) and bool(row.beside))

    def _is_placed(self, row: Source, function: Scope) -> bool:
        """Is a function where a row says that a framework calls it?"""
        key = (id(function), id(row))
        if key not in self._known:
            self._known[key] = _PLACES[row.kind](self._file, row, function)
        return self._known[key]

    def _is_whole_parameter(self, row: Source, parameter: Parameter, function: Scope) -> bool:
        """Is a parameter untrusted by itself, or a part that is taken out of a request at once?"""
        if row.kind is SourceKind.ANNOTATION:
            return not row.names.isdisjoint(_ANNOTATION.findall(parameter.annotations))
        if row.members:
            return (
                bool(parameter.path) and parameter.path[0] in row.members and self._is_filled(row, parameter, function)
            )
        return self._is_filled(row, parameter, function)
