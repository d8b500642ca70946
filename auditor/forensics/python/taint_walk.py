"""How untrusted input reaches a call: from the argument back through assignments, texts, containers and one call.

A flow is reported only where every step was followed: what an unknown function makes of its argument is unknown, so it ends there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from auditor.constant_folding.format_fields import NUMBER_VERBS, field_verbs
from auditor.forensics.code_facts.address_prefixes import open_marks
from auditor.forensics.code_facts.flow_search import MAX_DEPTH, FlowSearch
from auditor.forensics.code_facts.input_flows import Flow, FunctionFlow, Grade
from auditor.forensics.library_models.text_methods import text_methods
from auditor.forensics.python.constant_expressions import is_fixed
from auditor.forensics.python.harmless_values import is_number_field
from auditor.forensics.python.imported_flows import imported_flow
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import function_of_parameter
from auditor.forensics.python.private_function_arguments import argument_for, is_method
from auditor.forensics.python.scope_bindings import SELF_NAMES, FunctionNode, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.stored_values import values_stored_in
from auditor.forensics.python.taint_models import (
    Part,
    all_source_words,
    checks_for,
    harmless_calls,
    known_call_words,
    leaving_probes,
    secret_variables,
    taint_models,
)
from auditor.forensics.python.taint_sources import enclosing_function, find_source, written_expression
from auditor.forensics.python.text_assignments import (
    Assignment,
    appended_items,
    assignments_by_name,
    called_function,
    filled_tables,
    returns,
    self_assignments,
)
from auditor.forensics.python.value_checks import ValueChecks, Verdict
from auditor.forensics.python.value_guards import IsFixed, guarded_since, guards_on, written_value
from auditor.row_tables import names_of

_MAX_STEPS = 300
"""Expressions that are looked at for one argument."""
_MAX_CALLS = 20
"""Calls of one function that are looked at."""


class TaintWalk(FlowSearch[ast.expr, Scope]):
    """One question about one argument of a call."""

    def __init__(self, match: Match, probe: str, part: Part = Part.WHOLE, *, follows_callers: bool = True) -> None:
        rooted, is_address = taint_models().rooted_members, part is Part.ADDRESS
        leaves = probe in leaving_probes()
        super().__init__(probe, rooted, leaves=leaves, of_address=is_address, follows_callers=follows_callers)
        self._match, self._module = match, match.module
        self._checks = checks_for(probe)
        self._joining = taint_models().joining_methods
        self._harmless = harmless_calls(probe)
        self._known_words = known_call_words(probe)
        self._returning = taint_models().returning
        own = (each[1:] for each in self._harmless if each.startswith("."))
        self._harmless_methods = taint_models().harmless_methods.union(own)
        self._takes_in = self._module.says(all_source_words())
        self._left = _MAX_STEPS
        self._busy: set[tuple[int, int]] = set()
        self.is_held = False
        """Was untrusted input held to a fixed set on the way?"""
        self._takes_entry = False
        """Is one entry of a table asked for, whose key is fixed, so that what is put under other keys is none of it?"""
        self.parameters: list[tuple[str, Scope]] = []
        """Parameters that the argument holds and whose callers are not all in the file."""

    def flow(self, expression: ast.AST | None, scope: Scope, depth: int = MAX_DEPTH) -> Flow | None:
        """The way of untrusted input to an expression; None where there is none, or none that could be followed."""
        self._left -= 1
        key = (id(expression), id(scope))
        if expression is None or depth <= 0 or self._left <= 0 or key in self._busy:
            return None
        read = _READERS.get(type(expression))
        if read is None:
            return None
        self._busy.add(key)
        try:
            return read(self, expression, scope, depth - 1)
        finally:
            self._busy.discard(key)

    def _source(self, expression: ast.expr, scope: Scope) -> Flow | None:
        found = find_source(self._module, expression, scope, self._probe) if self._takes_in else None
        return Flow(found) if found is not None else None

    def _is_held(self, expression: ast.expr, scope: Scope, after: int = 0) -> bool:
        """Is a value held to a fixed set where it is used, by a condition that was asked after it was assigned?"""
        line = getattr(expression, "lineno", 0)
        since = guarded_since(self._module, expression, scope, line, self._fixed_sets(scope))
        held = (since is not None and since > after) or self._is_checked(expression, scope, line, after)
        self.is_held |= held
        return held

    def _is_checked(self, expression: ast.expr, scope: Scope, line: int, after: int) -> bool:
        """Was the value checked, after it was assigned, by a condition that matters to the probe?"""
        value = written_value(expression) if self._checks is not None else ""
        if self._checks is None or not value:
            return False
        checks = ValueChecks(self._module, scope, self._checks, self._probe, self._fixed_sets(scope))
        said = [
            checks.verdict(each.condition, value)
            for each in guards_on(self._module, scope, line, value)
            if each.start > after
        ]
        self.is_doubted |= Verdict.DOUBT in said
        return Verdict.HELD in said

    def _fixed_sets(self, scope: Scope) -> IsFixed:
        """Asks of a set, as it is seen from a scope, whether it is one of the program's own."""
        return partial(_is_fixed_set, self._match.within(scope))

    # expressions

    def _name(self, name: ast.Name, scope: Scope, depth: int) -> Flow | None:
        given = self._bound_parameter(name, scope)
        if given is not None:
            return self._step(name, self.flow(given[0], given[1], depth))
        function = function_of_parameter(name.id, scope)
        if function is not None:
            return None if self._is_held(name, scope) else self._parameter(name, function, scope, depth)
        found = self._module.lookup(name.id, scope, lambda several: several[0])
        if found is None or found[0].qualified_name is not None:
            return self._source(name, scope)
        holder = found[1]
        for each in self._reaching(name, scope, holder):
            flow = self.flow(each.value, each.scope, depth)
            if flow is not None and not self._is_held(name, scope, each.line):
                return flow.through(name.id, each.line)
        drawn = self._first(
            (value for value, _ in appended_items(self._module).get((id(holder), name.id), ())), holder, depth
        )
        if drawn is None and not self._takes_entry:
            put = filled_tables(self._module).get((id(holder), name.id), ())
            drawn = next((flow for value, place in put if (flow := self.flow(value, place, depth))), None)
        flow = drawn or self._drawn(name, holder, depth)
        return None if flow is None or self._is_held(name, scope) else self._step(name, flow)

    def _reaching(self, name: ast.Name, scope: Scope, holder: Scope) -> list[Assignment]:
        """The assignments whose value a name may have where it is used: those that no later one replaces on every way."""
        assigned = sorted(assignments_by_name(self._module, holder).get(name.id, []), key=lambda each: each.line)
        if holder is not scope:
            return assigned
        here, column = (name.lineno, name.col_offset), self._column(name)
        reaching: list[Assignment] = []
        for each in assigned:
            if each.value is not None and (each.value.end_lineno, each.value.end_col_offset) > here:
                continue  # it comes later, or holds the name itself
            if not each.adds and each.column <= column:
                reaching = []
            reaching.append(each)
        return reaching or [each for each in assigned if each.line > name.lineno and _in_loop(holder, name)]

    def _bound_parameter(self, name: ast.Name, scope: Scope) -> tuple[ast.expr, Scope] | None:
        function = enclosing_function(scope)
        return self._bound.get((id(function.node), name.id)) if function is not None else None

    def _step(self, name: ast.Name, flow: Flow | None) -> Flow | None:
        return flow.through(name.id, name.lineno) if flow is not None else None

    def _column(self, name: ast.Name) -> int:
        lines = self._module.lines
        written = lines[name.lineno - 1] if 0 < name.lineno <= len(lines) else ""
        return len(written) - len(written.lstrip())

    def _drawn(self, name: ast.Name, holder: Scope, depth: int) -> Flow | None:
        """What a loop or a `with` gives to a name, or a tuple that is unpacked."""
        for node in holder.binding_nodes:
            if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                target, value = node.target, node.iter
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                target, value = node.optional_vars, node.context_expr
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
                target, value = node.targets[0], node.value
            else:
                continue
            if _names_in(target, name.id) and (flow := self.flow(value, holder, depth)) is not None:
                return flow
        return None

    def _parameter(self, name: ast.Name, function: FunctionNode, scope: Scope, depth: int) -> Flow | None:
        """A parameter: untrusted by itself, or by what a caller in the file gives."""
        source = self._source(name, scope)
        if source is not None:
            return source
        place = enclosing_function(scope, function)
        if place is None or name.id in SELF_NAMES:
            return None
        self.parameters.append((name.id, place))
        if self._is_deep or not self._follows_callers:
            return None
        with self._another_call():
            return self._step(name, self._from_callers(name.id, function, depth))

    def _from_callers(self, name: str, function: FunctionNode, depth: int) -> Flow | None:
        belongs = is_method(function)
        calls = self._module.calls.get(function.name, ())
        for call, place in calls[:_MAX_CALLS]:
            if isinstance(call.func, ast.Attribute) is belongs:
                flow = self.flow(argument_for(call, function, name), place, depth)
                if flow is not None:
                    return flow
        return None

    def _attribute(self, taken: ast.Attribute, scope: Scope, depth: int) -> Flow | None:
        if taken.attr in self._known_words and self._module.resolve(taken, scope) in self._harmless:
            return None
        flow = self._source(taken, scope)
        if flow is None and isinstance(taken.value, ast.Name) and taken.value.id in SELF_NAMES:
            flow = self._from_self(taken, scope, depth)
        elif flow is None:
            flow = self._from_put(taken, scope, depth) or self.flow(taken.value, scope, depth)
        return None if flow is None or self._is_held(taken, scope) else flow

    def _from_put(self, taken: ast.expr, scope: Scope, depth: int) -> Flow | None:
        """What another place of the file put where a value is taken: an attribute, an entry, a variable of a context."""
        for each in values_stored_in(self._module, taken, scope):
            flow = self.flow(each.value, each.scope, depth)
            if flow is not None:
                return flow.through(written_expression(self._module, taken), each.line)
        return None

    def _from_self(self, taken: ast.Attribute, scope: Scope, depth: int) -> Flow | None:
        around = scope.enclosing_class
        if around is None:
            return None
        held: Iterable[Assignment] = self_assignments(self._module).get((id(around), f"self.{taken.attr}"), ())
        for each in held:
            flow = self.flow(each.value, each.scope, depth)
            if flow is not None:
                return flow.through(f"self.{taken.attr}", each.line)
        return None

    def _subscript(self, taken: ast.Subscript, scope: Scope, depth: int) -> Flow | None:
        entry = self._entry(taken, scope)
        if self._leaves and entry is None:
            return self._taken_out(taken, taken.value, taken.slice, scope, depth)
        flow = self._from_put(taken, scope, depth)
        is_part = flow is None and entry is None
        if is_part:
            flow = self._of_table(taken.value, scope, depth, is_fixed=isinstance(taken.slice, ast.Constant))
        elif entry is not None:
            flow = flow or self.flow(entry, scope, depth)
        if flow is None or self._is_held(taken, scope):
            return None
        return self._widened(taken, flow) if is_part else flow

    def _of_table(self, table: ast.expr, scope: Scope, depth: int, *, is_fixed: bool) -> Flow | None:
        """What a table is made of, of which one entry is taken; under a fixed key nothing that was put under another one."""
        before, self._takes_entry = self._takes_entry, is_fixed and not self._leaves
        try:
            return self.flow(table, scope, depth)
        finally:
            self._takes_entry = before

    def _taken_out(self, whole: ast.expr, table: ast.expr, key: ast.expr, scope: Scope, depth: int) -> Flow | None:
        """One variable of the environment: harmless unless it is a known secret, or its name runs through all of them."""
        flow = self.flow(table, scope, depth)
        if flow is None or isinstance(key, ast.Slice):
            return flow
        name = self._module.value(key, scope)
        if isinstance(name, (str, bytes)):
            text = name if isinstance(name, str) else name.decode("utf-8", "replace")
            return self._widened(whole, flow) if text in secret_variables() else None
        return flow if self.flow(key, scope, depth) is not None else None

    def _entry(self, taken: ast.Subscript, scope: Scope) -> ast.expr | None:
        """What a dictionary that is written out holds under a key."""
        if not isinstance(taken.slice, ast.Constant):
            return None
        made = self._module.behind(taken.value, scope)
        if not isinstance(made, ast.Dict):
            return None
        wanted = taken.slice.value
        pairs = zip(made.keys, made.values, strict=True)
        return next((value for key, value in pairs if isinstance(key, ast.Constant) and key.value == wanted), None)

    def _call(self, call: ast.Call, scope: Scope, depth: int) -> Flow | None:  # noqa: PLR0911 - a table of calls
        func = call.func
        known = not isinstance(func, (ast.Name, ast.Attribute)) or last_name(func) in self._known_words
        name = (self._module.resolve(func, scope) or "") if known else ""
        if name in self._harmless:
            return None
        if self._makes_number(call, scope):
            return None
        source = self._source(call, scope)
        if source is not None:
            owner = func.value if source.source.grade is Grade.FILE and isinstance(func, ast.Attribute) else None
            return self.flow(owner, scope, depth) or source
        arguments = [*call.args, *(each.value for each in call.keywords)]
        if name in self._returning:
            return self._first(arguments, scope, depth)
        made = called_function(self._module, func, scope)
        if made is not None:
            return self._result(made, call, scope, depth)
        if (put := self._from_put(call, scope, depth)) is not None:
            return put
        told = imported_flow(self._module, func, scope)
        if told is not None:
            return self._imported_result(told, call, scope, depth)
        return self._method(call, func, scope, depth) if isinstance(func, ast.Attribute) else None

    def _method(self, call: ast.Call, func: ast.Attribute, scope: Scope, depth: int) -> Flow | None:
        """What a method gives back that is not known by its full name."""
        if func.attr in self._harmless_methods:
            return None
        if func.attr in _TEXT_METHODS or func.attr in self._joining:
            arguments = [*call.args, *(each.value for each in call.keywords)]
            return self._text_method(func, arguments, scope, depth)
        default = call.args[1:2] if func.attr in _TABLE_METHODS else []
        if self._leaves and func.attr in _TABLE_METHODS and call.args:
            return self._taken_out(call, func.value, call.args[0], scope, depth)
        is_fixed = func.attr in _TABLE_METHODS and bool(call.args) and isinstance(call.args[0], ast.Constant)
        if is_fixed and (put := self._from_put(_entry_of(call, func), scope, depth)) is not None:
            return put
        taken = self._of_table(func, scope, depth, is_fixed=is_fixed)
        return self._widened(call, taken) or self._first(default, scope, depth)

    def _imported_result(self, told: FunctionFlow, call: ast.Call, scope: Scope, depth: int) -> Flow | None:
        """What a function of another module gives back."""
        named = [each.value for each in call.keywords if each.arg in told.held.values()]
        given = [call.args[number] for number in told.held if number < len(call.args)]
        written = written_expression(self._module, call)
        return self._returned(told, written, call.lineno, [*given, *named], scope, depth)

    def _makes_number(self, call: ast.Call, scope: Scope) -> bool:
        """`request.args.get("page", type=int)`."""
        types = (each.value for each in call.keywords if each.arg == "type")
        return any((self._module.resolve(each, scope) or last_name(each)) in self._harmless for each in types)

    def _text_method(self, func: ast.Attribute, arguments: list[ast.expr], scope: Scope, depth: int) -> Flow | None:
        """A method whose result holds its arguments; of an address only the first part decides."""
        text = self._text(func.value, scope) if self._of_address else None
        if text is None or func.attr == "join":
            return self._first([func.value, *arguments], scope, depth)
        if func.attr == "format" and "{}" not in text:
            return self._behind(open_marks(text)[0], self._first(arguments, scope, depth))
        return self._into_form(text, arguments, scope, depth)

    def _text(self, expression: ast.expr, scope: Scope) -> str | None:
        written = expression.value if isinstance(expression, ast.FormattedValue) else expression
        text = self._module.value(written, scope)
        return text if isinstance(text, str) else None

    def _widened(self, whole: ast.expr, flow: Flow | None) -> Flow | None:
        """A flow from `request.args`, described as one from `request.args["name"]` where that is what is taken."""
        return flow and flow.widened(written_expression(self._module, whole))

    def _result(self, made: Scope, call: ast.Call, scope: Scope, depth: int) -> Flow | None:
        """What a function of the file returns, with its parameters bound to what this call gives."""
        node = made.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or self._is_deep:
            return None
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        given = {name: argument_for(call, node, name) for name in names if name not in SELF_NAMES}
        with self._another_call():
            self._bound |= {(id(node), name): (value, scope) for name, value in given.items() if value is not None}
            return self._first(returns(self._module, node), made, depth)

    def _parts(self, whole: ast.AST, scope: Scope, depth: int) -> Flow | None:
        if self._of_address and isinstance(whole, ast.JoinedStr):
            return self._first_decides(whole.values, scope, depth)
        return self._first(_PARTS[type(whole)](whole), scope, depth)

    def _formatted(self, value: ast.FormattedValue, scope: Scope, depth: int) -> Flow | None:
        return None if is_number_field(value) else self.flow(value.value, scope, depth)

    def _binary(self, operation: ast.BinOp, scope: Scope, depth: int) -> Flow | None:
        if isinstance(operation.op, ast.Mod):
            text = self._text(operation.left, scope)
            if text is not None and NUMBER_VERBS.issuperset(field_verbs(text)):
                return None
            if self._of_address and text is not None:
                several = operation.right.elts if isinstance(operation.right, ast.Tuple) else [operation.right]
                return self._into_form(text, several, scope, depth)
        elif self._of_address and isinstance(operation.op, ast.Add):
            return self._first_decides((operation.left, operation.right), scope, depth)
        elif not isinstance(operation.op, (ast.Add, ast.Div, ast.Mult, ast.BitOr)):
            return None
        return self._first((operation.left, operation.right), scope, depth)

    def _yielded(self, given: ast.Yield, scope: Scope, depth: int) -> Flow | None:
        """What a `yield` stands for: the result of what is waited for, or what others send to the generator."""
        around = enclosing_function(scope)
        sent = [each for name in _SENDING for each in self._module.calls.get(name, ())[:_MAX_CALLS]]
        flow = self.flow(given.value, scope, depth)
        for call, place in sent if flow is None else ():
            made = self._module.behind(call.func.value, place) if isinstance(call.func, ast.Attribute) else None
            if isinstance(made, ast.Call) and called_function(self._module, made.func, place) is around:
                flow = flow or self._first(call.args, place, depth)
        return flow

    def _comprehension(self, made: ast.AST, scope: Scope, depth: int) -> Flow | None:
        element = made.value if isinstance(made, ast.DictComp) else made.elt  # type: ignore[attr-defined]
        flow = self.flow(element, scope, depth)
        self.is_doubted |= self._leaves and flow is not None and any(each.ifs for each in made.generators)  # type: ignore[attr-defined]
        return flow


def _entry_of(call: ast.Call, func: ast.Attribute) -> ast.Subscript:
    """The entry that `table.get("name")` takes, as `table["name"]` does."""
    return ast.copy_location(ast.Subscript(func.value, call.args[0], ast.Load()), call)


def _is_fixed_set(match: Match, allowed: ast.expr) -> bool:
    """Is a set to which a value is held one of the program's own?"""
    if isinstance(allowed, ast.Name) and allowed.id.isupper() and match.module.lookup(allowed.id, match.scope) is None:
        return True  # it comes with everything of another module
    return is_fixed(match, allowed)


def _in_loop(holder: Scope, name: ast.Name) -> bool:
    """Is a name used inside a loop, so that what is assigned behind it may reach it?"""
    loops = (each for each in holder.binding_nodes if isinstance(each, (ast.For, ast.AsyncFor)))
    return any(each.lineno <= name.lineno <= (each.end_lineno or each.lineno) for each in loops)


def _names_in(target: ast.AST, name: str) -> bool:
    """Does a target of an assignment give something to a name?"""
    if isinstance(target, ast.Name):
        return target.id == name
    if isinstance(target, ast.Starred):
        return _names_in(target.value, name)
    return isinstance(target, (ast.Tuple, ast.List)) and any(_names_in(each, name) for each in target.elts)


_TEXT_METHODS = names_of(text_methods().shared_result_methods)
"""Methods whose result holds their arguments as well as what they are called on."""
_TABLE_METHODS = frozenset({"get", "pop", "setdefault"})
"""Methods whose second argument is what they give where the table has no entry."""
_SENDING = ("send", "asend")
_PARTS: Mapping[type[ast.AST], Callable[..., Iterable[ast.expr | None]]] = {
    ast.JoinedStr: lambda whole: whole.values,
    ast.List: lambda whole: whole.elts,
    ast.Tuple: lambda whole: whole.elts,
    ast.Set: lambda whole: whole.elts,
    ast.Dict: lambda whole: whole.values,
    ast.IfExp: lambda whole: (whole.body, whole.orelse),
    ast.BoolOp: lambda whole: whole.values,
    ast.Await: lambda whole: (whole.value,),
    ast.Starred: lambda whole: (whole.value,),
    ast.NamedExpr: lambda whole: (whole.value,),
}
"""What a value holds that is made of others."""
_READERS: Mapping[type[ast.AST], Callable[..., Flow | None]] = {
    **dict.fromkeys(_PARTS, TaintWalk._parts),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), TaintWalk._comprehension),
    ast.Name: TaintWalk._name,
    ast.Attribute: TaintWalk._attribute,
    ast.Subscript: TaintWalk._subscript,
    ast.Call: TaintWalk._call,
    ast.Yield: TaintWalk._yielded,
    ast.FormattedValue: TaintWalk._formatted,
    ast.BinOp: TaintWalk._binary,
}
