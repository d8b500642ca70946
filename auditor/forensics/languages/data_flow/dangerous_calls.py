"""What is reported of the calls of a file: untrusted input that reaches them, and dangerous ones under another name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.forensics.code_facts.flow_certainty import CERTAIN, UNKNOWN_CHECK, UNKNOWN_TYPE, Certainty, certainty_of
from auditor.forensics.code_facts.input_flows import Flow, FunctionSink, Grade
from auditor.forensics.languages.data_flow.call_reports import Report
from auditor.forensics.languages.data_flow.callee_resolution import CalleeResolver
from auditor.forensics.languages.data_flow.constant_values import is_fixed
from auditor.forensics.languages.data_flow.dangerous_arguments import QUERY_TEXT, DangerousArguments
from auditor.forensics.languages.data_flow.effective_calls import CallReader, EffectiveCall
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Expression,
    FunctionValue,
    Item,
    Joined,
    Member,
    Name,
    Not,
    Operation,
    Text,
)
from auditor.forensics.languages.data_flow.flow_models import ANY_MEMBER, Sink
from auditor.forensics.languages.data_flow.flow_walk import FlowWalk
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.input_sources import InputSources
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.neighbour_calls import NeighbourCalls
from auditor.forensics.languages.data_flow.passed_functions import PASSED, PassedFunctions
from auditor.forensics.languages.data_flow.row_vocabulary import SinkPart
from auditor.forensics.languages.data_flow.scope_types import Parameter, Scope
from auditor.forensics.languages.data_flow.token_trees import TOKENS
from auditor.forensics.languages.data_flow.value_guards import ValueGuards
from auditor.forensics.python.taint_models import leaving_probes
from auditor.forensics.source_text.site_probe_types import Site

_NEIGHBOUR = Certainty(0.9, "another function may have the same name")
_WHOLE_ARGUMENTS = frozenset({SinkPart.ADDRESS, SinkPart.COMMAND, SinkPart.PATH, SinkPart.WHOLE})
_ADDRESS_PROBES = frozenset({"code.request_forgery", "code.open_redirect"})
_HIDDEN = Certainty(0.85, "the origin of the argument was not analysed")
_UNFOLLOWED = Certainty(0.5, "the value has too many origins to follow all of them")
_UNRESOLVED_CONFIDENCE, _LIKELY_CONFIDENCE, _HIDDEN_QUERY_CONFIDENCE = 0.6, 0.7, 0.75


class DangerousCalls:
    """The calls of one file."""

    def __init__(self, file: FollowedFile, *, takes_in: bool) -> None:
        self._file, self._takes_in = file, takes_in
        self._resolver = CalleeResolver(file)
        self._reader = CallReader(file, self._resolver)
        self._sources = InputSources(file, self._resolver)
        self._guards = ValueGuards(file)
        self._arguments = DangerousArguments(file)
        self._neighbours = NeighbourCalls(file, self._resolver)
        self._told: set[tuple[str, int]] = set()
        self.passed = PassedFunctions(file, self._resolver, self._told)
        self._doubted: set[tuple[str, int]] = set()
        """Questions and lines at which a value was met of which nothing is known."""

    def reports(self, calls: Iterable[Call], own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """What is said of calls; `own` are questions and lines at which plain rules speak."""
        cleared: list[Report] = []
        for call in calls:
            if self._file.steps_left <= 0:
                break
            for report in self._of_call(call, self._file.scopes.scope_of(call.node), own):
                if report.site is None:
                    cleared.append(report)
                else:
                    yield report
        doubted = self._doubted | self._told
        yield from (each for each in cleared if (each.probe, each.line) not in doubted)

    def walk(self, probe: str, *, of_address: bool = False, follows_callers: bool = True) -> FlowWalk:
        """A question about values of the file."""
        return FlowWalk(
            self._file,
            self._resolver,
            self._sources,
            self._guards,
            probe,
            self._neighbours,
            of_address=of_address,
            follows_callers=follows_callers,
        )

    def passing(self, calls: Iterable[Call]) -> Iterator[tuple[str, Parameter, Scope, str]]:
        """The parameters that reach dangerous calls: the rule, the parameter, its function, and what is called."""
        for call in calls:
            scope = self._file.scopes.scope_of(call.node)
            for made in self._reader.calls(call, scope):
                for sink in (each for each in self._sinks(made) if each.probe not in leaving_probes()):
                    walk = self.walk(sink.probe, of_address=sink.part is SinkPart.ADDRESS, follows_callers=False)
                    for each in self._arguments.chosen(made, sink, scope):
                        walk.flow(each, scope)
                    harmless = sink.needs_text and not any(map(QUERY_TEXT.search, walk.texts))
                    for parameter, function in (
                        () if harmless or self._is_made_harmless(made, sink, scope) else walk.parameters
                    ):
                        yield sink.probe, parameter, function, self._file.called(call)

    def is_input(self, parameter: Parameter, function: Scope) -> bool:
        """Is a parameter untrusted by itself?"""
        return self._sources.is_parameter(parameter, function)

    def sinks_of(self, value: Expression, scope: Scope) -> Iterator[FunctionSink]:
        """The dangerous functions that a value may be, with the argument that does harm."""
        for each in self._resolver.callees(value, scope):
            for sink in self._file.models.sinks_by_name.get(each.name, ()):
                if sink.position >= 0 and sink.part in _WHOLE_ARGUMENTS:
                    yield FunctionSink(sink.probe, sink.position, each.name)

    def of_neighbours(self, calls: Iterable[Call]) -> Iterator[Report]:
        """Untrusted input that is given to a function of another file, which passes it on to a dangerous call."""
        for call in calls if self._takes_in else ():
            scope = self._file.scopes.scope_of(call.node)
            near = self._neighbours.is_one(call, scope) and self._is_given_input(call, scope)
            told = self._neighbours.flow(call, scope) if near else None
            for sink in told.sinks if told is not None else ():
                given = call.arguments[sink.position] if sink.position < len(call.arguments) else None
                walk = self.walk(sink.probe, of_address=sink.probe in _ADDRESS_PROBES)
                flow = walk.flow(given, scope) if given is not None else None
                if flow is not None and flow.source.grade is Grade.REQUEST:
                    yield self._of_neighbour(call, sink, flow)
                    break

    def _is_given_input(self, call: Call, scope: Scope) -> bool:
        walk = self.walk("")
        given = (each for each in call.arguments[:8] if not isinstance(each, (Text, FunctionValue)))
        return any(walk.flow(each, scope) is not None for each in given)

    def _of_neighbour(self, call: Call, sink: FunctionSink, flow: Flow) -> Report:
        line = call.node.start_point[0] + 1
        further = f", which passes it on to `{sink.called}`"
        statement, related = flow.statement(self._file.called(call), line, further), flow.related_lines(line)
        return Report(sink.probe, line, self._site(call, statement, _NEIGHBOUR, related))

    def _of_call(self, call: Call, scope: Scope, own: frozenset[tuple[str, int]]) -> Iterator[Report]:
        for made in self._reader.calls(call, scope):
            for sink in self._sinks(made):
                report = self._report(call, made, sink, scope, own)
                if report is not None and (report.site is None or (report.probe, report.line) not in self._told):
                    if report.site is not None:
                        self._told.add((report.probe, report.line))
                    yield report

    def _sinks(self, made: EffectiveCall) -> list[Sink]:
        by_name, name = self._file.models.sinks_by_name, self._file.models.last_of_chain(made.name)
        if self._file.scopes.kinds.caseless_calls and "." not in name:
            name = name if name in by_name else name.lower()
        owner = made.written.owner if isinstance(made.written, Member) else None
        if isinstance(owner, Name) and owner.name in self._file.scopes.kinds.own_names:
            name = plain if (plain := name.rpartition(".")[2]) in by_name else name
        found = by_name.get(name) or by_name.get(f".{name.rpartition('.')[2]}" if "." in name else "", [])
        return [each for each in found if self._is_meant(each)]

    def _is_meant(self, sink: Sink) -> bool:
        """Where a method of an unknown object needs a package: is that used, or may it be?"""
        if not sink.requires or sink.part is SinkPart.QUERY:
            return True
        return self._file.imports.uses(sink.requires)

    # what is asked of one call

    def _report(
        self, call: Call, made: EffectiveCall, sink: Sink, scope: Scope, own: frozenset[tuple[str, int]]
    ) -> Report | None:
        arguments = list(self._arguments.chosen(made, sink, scope))
        line = call.node.start_point[0] + 1
        known = (sink.probe, line) in own
        harmless = self._is_made_harmless(made, sink, scope)
        if not arguments or harmless:
            return Report(sink.probe, line, None) if harmless and known else None
        walk = self.walk(sink.probe, of_address=sink.part is SinkPart.ADDRESS)
        flow: Flow | None = None
        for each in arguments if self._takes_in else ():
            flow = flow or walk.flow(each, scope)
        if flow is not None:
            return self._of_flow(call, sink, flow, arguments, scope, walk, known=known)
        if self._takes_in and known and not walk.is_unknown:
            return Report(sink.probe, line, None)
        self._doubted.add((sink.probe, line))
        if walk.is_exhausted and not known and self._is_doubtful(sink, arguments, scope):
            return self._unfollowed(call, sink, line)
        if (made.is_hidden or call.node.type == TOKENS) and not known:
            return self._hidden(call, made, sink, arguments, scope)
        return None

    def _is_made_harmless(self, made: EffectiveCall, sink: Sink, scope: Scope) -> bool:
        """Does an option of the call, or another call of the same function, see to it?"""
        given = [listed(self._file, each, scope) or each for each in made.arguments] if sink.unless else []
        options = self._arguments.entries(given)
        named = (each for each in options if isinstance(each.key, Text) and each.key.value in sink.unless)
        if any(not self._allows_all(each.value, scope) for each in named):
            return True
        others = (call for name in sorted(sink.unless_called) for call in self._file.calls_of(name))
        return any(scope.start <= each.node.start_byte < scope.end for each in others)

    def _allows_all(self, option: Expression, scope: Scope) -> bool:
        """Is an option that restricts a call `true` or a negation, which restricts nothing?"""
        if isinstance(option, Name):
            bound = self._file.reaching(option.name, option.node.start_byte, scope)
            option = bound[0].value or option if len(bound) == 1 else option
        return isinstance(option, Not) or self._file.written(option).lower() == "true"

    def _of_flow(
        self,
        call: Call,
        sink: Sink,
        flow: Flow,
        arguments: list[Expression],
        scope: Scope,
        walk: FlowWalk,
        *,
        known: bool,
    ) -> Report | None:
        line = call.node.start_point[0] + 1
        certainty = CERTAIN
        if sink.part is SinkPart.QUERY and not known:
            text = self._arguments.has_query_text(arguments, scope) or any(map(QUERY_TEXT.search, walk.texts))
            if sink.needs_text and not text:
                return None
            certainty = UNKNOWN_TYPE
            if not text and not self._file.imports.uses(sink.requires):
                if self._is_of_other_package(call, scope):
                    return None
                certainty = UNKNOWN_TYPE._replace(confidence=_UNRESOLVED_CONFIDENCE)
        if flow.source.grade is Grade.LOCAL and (known or sink.needs_input or sink.part is SinkPart.PROGRAM):
            return None
        if flow.source.grade is not Grade.REQUEST:
            certainty = certainty_of(flow.source.grade, is_method=all(each[0] == "." for each in sink.calls))
        elif sink.doubt:
            certainty = Certainty(_LIKELY_CONFIDENCE, sink.doubt)
        if walk.is_doubted:
            certainty = UNKNOWN_CHECK
        statement, related = flow.statement(self._file.called(call), line), flow.related_lines(line)
        return Report(sink.probe, line, self._site(call, statement, certainty, related))

    def _is_of_other_package(self, call: Call, scope: Scope) -> bool:
        """Is the method one of a package that the file imports, and that no row names?"""
        owner: Expression = call.callee
        while isinstance(owner, (Member, Call, Item)):
            owner = owner.callee if isinstance(owner, Call) else owner.owner
        if not isinstance(owner, Name):
            return True
        names = {each.name for each in self._resolver.callees(owner, scope)}
        return any(
            name
            and name[0] not in "./@~"
            and ("/" in name or owner.name in self._file.imports.names or name != owner.name)
            for name in names
        )

    def _hidden(
        self, call: Call, made: EffectiveCall, sink: Sink, arguments: list[Expression], scope: Scope
    ) -> Report | None:
        """A dangerous call under another name, with an argument that is not fixed."""
        if sink.needs_input:
            return None
        changing = [each for each in arguments if not self._is_harmless(each, scope)]
        if not changing:
            return None
        confidence = _HIDDEN.confidence
        if sink.part is SinkPart.QUERY:
            if isinstance(made.written, Member) and made.written.name == made.name.rpartition(".")[2]:
                return None  # a method that runs queries is known by its name, whatever its object is called
            if not self._arguments.has_query_text(changing, scope) or not self._is_built(changing[0], scope):
                return None
            confidence = _HIDDEN_QUERY_CONFIDENCE
        elif sink.part in {SinkPart.PROGRAM, SinkPart.WORDS} and not self._arguments.runs_shell(made, scope):
            return None
        elif made.name[:1] == ".":
            confidence = _UNRESOLVED_CONFIDENCE
        name, written, line = (
            made.name.removeprefix("."),
            self._file.written(made.written),
            call.node.start_point[0] + 1,
        )
        statement = f"`{written}` is another name for `{name}`, which {sink.does}"
        if not made.is_hidden:
            statement = f"`{self._file.called(call)}` {sink.does} inside a macro"
        elif made.name.endswith(ANY_MEMBER):
            confidence, module = PASSED.confidence, name.removesuffix(ANY_MEMBER)
            statement = f"`{written}` may be any function of `{module}`, so it {sink.does}"
        return Report(sink.probe, line, self._site(call, statement, _HIDDEN._replace(confidence=confidence)))

    def _is_harmless(self, expression: Expression, scope: Scope) -> bool:
        return isinstance(expression, FunctionValue) or is_fixed(self._file, expression, scope)

    def _is_built(self, expression: Expression, scope: Scope) -> bool:
        if isinstance(expression, Name):
            bound = self._file.reaching(expression.name, expression.node.start_byte, scope)
            return any(
                each.value is not None and self._is_built(each.value, scope)
                for each in bound[:4]
                if not isinstance(each.value, Name)
            )
        return isinstance(expression, (Joined, Operation))

    def _is_doubtful(self, sink: Sink, arguments: list[Expression], scope: Scope) -> bool:
        """May input reach a call whose argument was not followed to the end?"""
        if sink.probe in leaving_probes():
            return False
        if sink.part is SinkPart.QUERY and not self._arguments.has_query_text(arguments, scope):
            return False
        return sink.part is not SinkPart.PROGRAM and self._sources.takes_requests

    def _unfollowed(self, call: Call, sink: Sink, line: int) -> Report:
        statement = f"`{self._file.called(call)}` {sink.does}, and where its argument comes from is not known"
        return Report(sink.probe, line, self._site(call, statement, _UNFOLLOWED))

    def _site(self, call: Call, statement: str, certainty: Certainty, related: tuple[int, ...] = ()) -> Site:
        line = call.node.start_point[0] + 1
        end = min(call.node.end_point[0] + 1, line + 5)
        return Site(line, end, statement, "", *certainty, related)
