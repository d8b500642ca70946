"""How untrusted input reaches a call: from the argument back through assignments, texts, collections and one call.

A flow is reported only where every step was followed: what an unknown function makes of its argument is unknown, so it ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from auditor.constant_folding.format_fields import filled_as_text
from auditor.forensics.code_facts.flow_search import MAX_DEPTH, FlowSearch
from auditor.forensics.code_facts.input_flows import Flow, FoundSource, Grade
from auditor.forensics.languages.data_flow.callee_resolution import CalleeResolver
from auditor.forensics.languages.data_flow.constant_values import is_fixed, text_of
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Choice,
    Collection,
    Constant,
    Entry,
    Expression,
    Filled,
    FunctionValue,
    Item,
    Joined,
    Member,
    Name,
    Not,
    Operation,
    Pattern,
    Spread,
    Text,
    last_name,
)
from auditor.forensics.languages.data_flow.followed_file import MAX_CALLERS, FollowedFile
from auditor.forensics.languages.data_flow.harmless_values import HarmlessValues
from auditor.forensics.languages.data_flow.input_sources import InputSources
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.neighbour_calls import NeighbourCalls
from auditor.forensics.languages.data_flow.scope_types import Binding, Parameter, Scope, argument_at, self_member
from auditor.forensics.languages.data_flow.scopes import returned_values
from auditor.forensics.languages.data_flow.value_checks import ValueChecks
from auditor.forensics.languages.data_flow.value_guards import ValueGuards
from auditor.forensics.python.taint_models import built_in_taint_models, leaving_probes, secret_variables

_MAX_STEPS = 400
"""Expressions that are looked at for one argument."""
_MAX_TEXTS = 40
_NAMED_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "method", "function_definition", "function_item", "local_function_statement", "constructor_declaration"})  # fmt: skip


class FlowWalk(FlowSearch[Expression, Scope]):
    """One question about one argument of a call."""

    def __init__(
        self,
        file: FollowedFile,
        resolver: CalleeResolver,
        sources: InputSources,
        guards: ValueGuards,
        probe: str,
        neighbours: NeighbourCalls,
        *,
        of_address: bool = False,
        follows_callers: bool = True,
    ) -> None:
        self._file, self._resolver, self._sources, self._guards = file, resolver, sources, guards
        rooted = built_in_taint_models().rooted_members
        leaves = probe in leaving_probes()
        super().__init__(probe, rooted, leaves=leaves, of_address=of_address, follows_callers=follows_callers)
        self._neighbours = neighbours
        self._passing = file.models.passing
        self._harmless = HarmlessValues(file, sources, probe)
        checks = file.models.checks_for(probe)
        self._checks = ValueChecks(file, checks, file.models.harmless_for(probe)) if checks is not None else None
        self._left = _MAX_STEPS
        self._busy: set[int] = set()
        self.parameters: list[tuple[Parameter, Scope]] = []
        """Parameters that it met, with their functions."""
        self.texts: list[str] = []
        """Constant texts met on the way."""
        self.is_exhausted = False
        """Did it stop before everything was looked at?"""
        self.is_unknown = False
        """Did it meet a value of which nothing is known?"""

    def flow(self, expression: Expression | None, scope: Scope, depth: int = MAX_DEPTH) -> Flow | None:
        """The way of untrusted input to an expression; None where there is none, or none that could be followed."""
        if expression is None or id(expression) in self._busy:
            return None
        self._left -= 1
        self._file.steps_left -= 1
        if depth <= 0 or self._left <= 0 or self._file.steps_left <= 0:
            self.is_exhausted = self.is_unknown = True
            return None
        read = _READERS.get(type(expression))
        if read is None:
            if isinstance(expression, Text) and len(self.texts) < _MAX_TEXTS:
                self.texts.append(expression.value[:2_000])
            self.is_unknown = self.is_unknown or not isinstance(
                expression, (Constant, Text, Pattern, Not, FunctionValue)
            )
            return None
        self._busy.add(id(expression))
        try:
            return read(self, expression, scope, depth - 1)
        finally:
            self._busy.discard(id(expression))

    def _is_held(self, expression: Expression, scope: Scope, bound: Binding | None = None) -> bool:
        """Is a value held to a fixed set where it is used, by a condition that was asked after it was assigned?"""
        guard = self._guards.guard(expression, scope, self._checks)
        self.is_doubted |= self._guards.is_doubted and self._checks is not None
        if guard is None or bound is None:
            return guard is not None
        if isinstance(bound.value, Filled):  # a call in the condition itself may fill it
            return guard.end >= bound.place
        return guard.place >= (bound.start if bound.each else bound.place)

    # expressions

    def _name(self, name: Expression, scope: Scope, depth: int) -> Flow | None:
        assert isinstance(name, Name)
        given = self._file.parameter(name.name, scope)
        if given is not None:
            return self._parameter(name, *given, scope, depth)
        if self._harmless.has_type(name, scope):
            return None
        source = self._sources.find(name, scope, self._probe)
        if source is not None:
            return None if self._is_held(name, scope) else Flow(source)
        bound = self._file.reaching(name.name, name.node.start_byte, scope)
        is_global = name.name[:1] in self._file.scopes.kinds.global_prefixes
        holder = self._file.scopes.root if is_global else scope.holder(name.name)
        if holder is None or not bound:
            return self._unassigned(name, scope, depth)
        return self._assigned(name, bound, holder, scope, depth)

    def _unassigned(self, name: Name, scope: Scope, depth: int) -> Flow | None:
        """A name that no assignment of the function gives: a field, or a method that is called without arguments."""
        field = self._file.scopes.root.bindings.get(f"this.{name.name}")
        if field:
            return self._assigned(name, field, self._file.scopes.root, scope, depth)
        if self._file.scopes.kinds.bare_calls and self._file.scopes.by_name.get(name.name):
            return self._result(name.name, Call(name.node, name, ()), scope, depth)
        self.is_unknown = self.is_unknown or not is_fixed(self._file, name, scope)
        return None

    def _assigned(self, name: Name, bound: list[Binding], holder: Scope, scope: Scope, depth: int) -> Flow | None:
        for each in bound:
            within = self._file.scopes.scope_of(each.value.node) if each.value is not None else holder
            flow = self.flow(each.value, within, depth)
            if flow is not None and not self._is_held(name, scope, each):
                return flow.through(name.name, each.line)
        return None

    def _parameter(self, name: Name, parameter: Parameter, function: Scope, scope: Scope, depth: int) -> Flow | None:
        """A parameter: untrusted by itself, or by what a caller in the file gives."""
        if self._harmless.has_type(name, scope) or self._is_held(name, scope):
            return None
        if parameter.path and self._harmless.has_field(parameter.path[-1]):
            return None
        again = [
            each
            for each in self._file.reaching(name.name, name.node.start_byte, scope)
            if each.place <= name.node.start_byte
        ]
        if again and not again[0].adds and function is scope:
            return self._assigned(name, again, function, scope, depth)
        given = self._bound.get((id(function), name.name))
        if given is not None:
            flow = self.flow(given[0], given[1], depth)
            return flow.through(name.name, name.node.start_point[0] + 1) if flow is not None else None
        source = self._sources.find(name, scope, self._probe)
        if source is not None:
            return Flow(source)
        flow = self._assigned(name, again, function, scope, depth) if again else None
        flow = flow or self._given(parameter, function, depth)
        return flow.through(name.name, parameter.node.start_point[0] + 1) if flow is not None else None

    def _given(self, parameter: Parameter, function: Scope, depth: int) -> Flow | None:
        """What callers of the file give to a parameter, or what the members are of that a callback is called with."""
        self.is_unknown = True  # a caller may be elsewhere
        self.parameters.append((parameter, function))
        if self._is_deep or not self._follows_callers:
            return None
        with self._another_call():
            flow = self._member_given(function, depth)
            calls = self._file.calls_of(function.name, MAX_CALLERS) if function.name else []
            for call in calls:
                flow = flow or self.flow(argument_at(call, parameter), self._file.scopes.scope_of(call.node), depth)
            return flow

    def _member_given(self, function: Scope, depth: int) -> Flow | None:
        """`rows.forEach(x => ...)`: a member of what the method is called on."""
        if function.node.type in _NAMED_FUNCTIONS:
            return None
        for each in self._file.around(function.node)[:3]:
            call = self._file.scopes.lowering.lower(each)
            if isinstance(call, Call):
                callee = call.callee
                around = self._file.scopes.scope_of(call.node)
                if isinstance(callee, Member) and callee.name in self._passing.member_callbacks:
                    return self.flow(callee.owner, around, depth)
                if isinstance(callee, Name) and callee.name in self._passing.callback_calls:
                    return self._first(call.arguments, around, depth)
                return None
        return None

    def _member(self, taken: Expression, scope: Scope, depth: int) -> Flow | None:
        assert isinstance(taken, Member)
        if taken.name in self._passing.harmless_methods or self._harmless.is_part(taken, scope):
            return None
        source = self._sources.find(taken, scope, self._probe)
        if source is not None:
            held = self._harmless.is_member(taken.name) or self._is_held(taken, scope)
            return None if held else Flow(source)
        own = self_member(taken)
        if own:
            root = self._file.scopes.root
            flow = self._assigned(Name(taken.node, own), root.bindings.get(own, []), root, scope, depth)
            self.is_unknown = self.is_unknown or own not in root.bindings
            return flow
        entry = self._entry(taken.owner, taken.name, scope)
        if entry is None and isinstance(taken.owner, Name) and is_fixed(self._file, taken, scope):
            return None
        within = self._file.scopes.scope_of(entry.node) if entry is not None else scope
        flow = self.flow(entry if entry is not None else taken.owner, within, depth)
        if self._leaves and entry is None and not self._is_told(flow, taken.name):
            return None
        return None if flow is None or self._is_held(taken, scope) else flow.widened(self._file.written(taken))

    def _is_told(self, flow: Flow | None, key: str | None) -> bool:
        """Is what is taken out of the environment a secret that no service asks for, or a pair of a list of all?"""
        if flow is None or flow.source.grade is not Grade.ENVIRONMENT or key is None:
            return flow is None
        return key.isdigit() or key in secret_variables()

    def _item(self, taken: Expression, scope: Scope, depth: int) -> Flow | None:
        assert isinstance(taken, Item)
        key = text_of(self._file, taken.key, scope)
        if key is not None and self._harmless.is_item(taken, key, scope):
            return None
        if key is not None and (flow := self._source_item(taken, key, scope)) is not None:
            return flow
        entry = self._entry(taken.owner, key, scope) if key is not None else None
        flow = self.flow(entry if entry is not None else taken.owner, scope, depth)
        if self._leaves and entry is None and not self._is_told(flow, key):
            flow = flow if key is None and self.flow(taken.key, scope, depth) is not None else None
        return None if flow is None or self._is_held(taken, scope) else flow.widened(self._file.written(taken))

    def _source_item(self, taken: Item, key: str, scope: Scope) -> Flow | None:
        """`req["query"]`, as `req.query`."""
        source = self._sources.find(Member(taken.node, taken.owner, key), scope, self._probe)
        return Flow(source) if source is not None else None

    def _entry(self, owner: Expression, key: str, scope: Scope) -> Expression | None:
        """What a table that is written out holds under a key."""
        made = listed(self._file, owner, scope)
        if made is None or any(isinstance(each, Spread) for each in made.entries):
            return None
        for number, each in enumerate(made.entries):
            if isinstance(each, Entry):
                if isinstance(each.key, Text) and each.key.value == key:
                    return each.value
            elif key == str(number):
                return each
        return None

    def _call(self, call: Expression, scope: Scope, depth: int) -> Flow | None:  # noqa: PLR0911 - a table of calls
        assert isinstance(call, Call)
        callee = call.callee
        last = last_name(callee)
        own = self._file.scopes.by_name.get(last) if self._may_be_own(callee) else None
        names = {each.name for each in self._resolver.callees(callee, scope)} if not own else set()
        if call.constructs and last in self._file.classes_above:
            names.add(self._file.classes_above[last])
        if not own and self._harmless.is_call(call, names, last, scope):
            return None
        source = self._sources.find(call, scope, self._probe)
        if source is not None:
            return None if self._is_held(call, scope) else Flow(source)
        mapped = self._mapped(call) if last in self._passing.mapping else []
        if mapped:
            return self._first([each for each, _ in mapped], mapped[0][1], depth)
        if own and not call.constructs:
            return self._result(last, call, scope, depth)
        if not names.isdisjoint(self._passing.text_formats):
            return self._formatted(call.arguments, scope, depth)
        if not names.isdisjoint(self._passing.returning) or _named(callee) in self._passing.returning:
            return self._first(call.arguments, scope, depth)
        flow = self._neighbour_result(call, scope, depth)
        if flow is not None:
            return flow
        if isinstance(callee, Member):
            return self._method(call, callee, scope, depth)
        self.is_unknown = True
        return None

    def _mapped(self, call: Call) -> list[tuple[Expression, Scope]]:
        """What a function gives back that is written out as an argument, and the function."""
        functions = (
            self._file.scopes.functions.get(each.node.id) for each in call.arguments if isinstance(each, FunctionValue)
        )
        scopes = self._file.scopes
        return [(value, each) for each in functions if each is not None for value in returned_values(scopes, each)]

    def _neighbour_result(self, call: Call, scope: Scope, depth: int) -> Flow | None:
        """What a function of another file gives back."""
        told = self._neighbours.flow(call, scope)
        if told is None:
            return None
        held = [each for number, each in enumerate(call.arguments) if number in told.held]
        line = call.node.start_point[0] + 1
        return self._returned(told, self._file.written(call), line, held, scope, depth)

    def _may_be_own(self, callee: Expression) -> bool:
        """May it be a function of the file: by its plain name, or by a method of the object itself?"""
        if isinstance(callee, Name):
            return True
        return (
            isinstance(callee, Member)
            and isinstance(callee.owner, Name)
            and (
                bool(self_member(callee))
                or self._file.is_own_class(callee.owner.name)
                or (self._file.file.language.name == "go" and callee.owner.name not in self._file.imports.names)
            )
        )

    def _method(self, call: Call, callee: Member, scope: Scope, depth: int) -> Flow | None:
        if callee.name in self._passing.joining_methods:
            return self._first([callee.owner, *call.arguments], scope, depth)
        if callee.name in self._passing.text_formats or f".{callee.name}" in self._passing.text_formats:
            return self._formatted((callee.owner, *call.arguments), scope, depth)
        if self._harmless.is_plain(callee.owner, scope):
            return None
        if self._leaves:
            return self._of_environment(call, callee, scope, depth)
        flow = self.flow(callee, scope, depth)
        self.is_unknown = self.is_unknown or flow is None
        return flow.widened(self._file.written(call)) if flow is not None else None

    def _of_environment(self, call: Call, callee: Member, scope: Scope, depth: int) -> Flow | None:
        """What a method makes of the environment: all of it in another form, or one variable: `ENV.fetch("HOME")`."""
        if callee.name in self._passing.harmless_methods:
            return None
        flow = self.flow(callee.owner, scope, depth)
        if callee.name in self._passing.lookup_methods and call.arguments:
            key = text_of(self._file, call.arguments[0], scope)
            flow = flow if self._is_told(flow, key) else None
        return flow.widened(self._file.written(call)) if flow is not None else None

    def _formatted(self, arguments: Iterable[Expression], scope: Scope, depth: int) -> Flow | None:
        """A text with marks, and what takes their place; marks of numbers hold numbers."""
        given = list(arguments)
        first = self._text(given[0], scope) if given else None
        if first is None:
            return self._first(given, scope, depth)
        if not self._of_address:
            return self._first(filled_as_text(first, given[1:]), scope, depth)
        return self._into_form(first, given[1:], scope, depth)

    def _text(self, expression: Expression, scope: Scope) -> str | None:
        return text_of(self._file, expression, scope)

    def _result(self, name: str, call: Call, scope: Scope, depth: int) -> Flow | None:
        """What a function of the file returns, with its parameters bound to what this call gives."""
        if self._is_deep:
            self.is_unknown = True
            return None
        with self._another_call():
            flow: Flow | None = None
            for function in self._file.scopes.by_name[name][:2]:
                for parameter in function.parameters.values():
                    value = argument_at(call, parameter) or parameter.default
                    self._bound[id(function), parameter.name] = (value or Constant(call.node), scope)
                flow = flow or self._first(returned_values(self._file.scopes, function), function, depth)
            return flow

    def _operation(self, made: Expression, scope: Scope, depth: int) -> Flow | None:
        assert isinstance(made, Operation)
        kinds = self._file.scopes.kinds
        if made.operator == "%" and "%" in kinds.joining:
            given = made.right.entries if isinstance(made.right, Collection) else (made.right,)
            return self._formatted((made.left, *given), scope, depth)
        if self._of_address and made.operator in kinds.joining:
            return self._first_decides((made.left, made.right), scope, depth)
        if made.operator in kinds.joining or made.operator in kinds.choosing:
            return self._first((made.left, made.right), scope, depth)
        return None

    def _parts(self, made: Expression, scope: Scope, depth: int) -> Flow | None:
        if self._of_address and isinstance(made, Joined):
            return self._first_decides(made.parts, scope, depth)
        parts = made.entries if isinstance(made, Collection) else made.parts  # type: ignore[attr-defined]
        return self._first(parts, scope, depth)

    def _inner(self, made: Expression, scope: Scope, depth: int) -> Flow | None:
        return self.flow(made.value, scope, depth)  # type: ignore[attr-defined]

    def _filled(self, made: Expression, scope: Scope, depth: int) -> Flow | None:
        """What a call reads into its argument: from what it is called on, or from another argument."""
        assert isinstance(made, Filled)
        callee = made.call.callee
        last = last_name(callee)
        names = {each.name for each in self._resolver.callees(callee, scope)}
        if self._harmless.is_call(made.call, names, last, scope):
            return None
        owner = callee.owner if isinstance(callee, Member) else None
        flow = self._sources.find(callee, scope, self._probe) if owner is not None else None
        if flow is not None:
            return Flow(FoundSource(self._file.written(made.call), flow.line, flow.grade))
        key = 0 if last in self._passing.keyed_calls else 1
        return self._first((owner, *made.call.arguments[:key]), scope, depth)


def _named(callee: Expression) -> str:
    """A callee as it is written, where it is a name or a member of one: `Object.values`."""
    if isinstance(callee, Member) and isinstance(callee.owner, Name):
        return f"{callee.owner.name}.{callee.name}"
    return callee.name if isinstance(callee, Name) else ""


_READERS: Mapping[type[Expression], Callable[[FlowWalk, Expression, Scope, int], Flow | None]] = {
    Name: FlowWalk._name,
    Member: FlowWalk._member,
    Item: FlowWalk._item,
    Call: FlowWalk._call,
    Joined: FlowWalk._parts,
    Choice: FlowWalk._parts,
    Collection: FlowWalk._parts,
    Entry: FlowWalk._inner,
    Spread: FlowWalk._inner,
    Operation: FlowWalk._operation,
    Filled: FlowWalk._filled,
}
