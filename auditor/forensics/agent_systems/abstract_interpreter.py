"""Follows code without running it: statements in their order, loops over known lists, calls into other files.

Nothing of the audited code is executed. What a run would decide (arguments, files, models) stays unknown, both
branches of an open question are followed, and every walk is bounded, so hostile code costs a fixed amount of work
at most and then counts as not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from auditor.forensics.agent_systems import library_names
from auditor.forensics.agent_systems.abstract_values import (
    Builder,
    Call,
    Class,
    Const,
    Env,
    External,
    Function,
    Map,
    ModuleValue,
    Place,
    Seq,
    Unknown,
    Value,
    Yielded,
)
from auditor.forensics.agent_systems.call_frames import (
    MAX_EVENTS,
    BlockEnd,
    ExternalCall,
    Frame,
    Imports,
    ReturnedValue,
)
from auditor.forensics.agent_systems.javascript.library_names import package_name
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.syntax_queries import descendants, nested_statements
from auditor.forensics.agent_systems.value_contents import choice, options
from auditor.forensics.agent_systems.whole_program import Program

MAX_STEPS = 300_000
"""Steps for a program of usual size, so that little code costs little, however it goes round in circles."""
MAX_EXTRA_STEPS = 1_700_000
"""Steps that a large program gets on top at most."""
_STEPS_BEFORE_SECOND_WALK = 1_000_000
"""Steps that take a few seconds."""
_SMALL_PROGRAM_NODES = 10_000
"""Nodes up to which a program gets no more."""
_STEPS_PER_NODE = 6
"""Further steps for each node beyond; of systems that were measured the most demanding took nine for each in all."""
MAX_DEFINITION_STEPS = 300_000
"""Steps for reading definitions and names on top, when following the code has used up its own."""
MAX_NESTING = 220
MAX_CALLS = 14
"""Calls inside calls that are followed."""
MAX_CALLS_PER_FUNCTION = 12
"""How often one function is followed for one node: often enough for a factory that makes a dozen."""
_MAX_EVENTS_PER_FILE = 5_000
"""Calls of one file that are remembered, so that it cannot crowd out the others'."""
_TELLS_AFTER = 64
_MIN_SHARES = 4
"""One file may take the fourth part of the steps that are left, in a fair walk."""
ExpressionHandler = Callable[["Interpreter", ast.expr, Frame], Value]
"""What an expression stands for."""
StatementHandler = Callable[["Interpreter", ast.stmt, Frame], BlockEnd]
"""What one kind of statement does to the names of a call in progress."""


class Interpreter:
    """One walk through a program. What it saw is in its public attributes.

    What expressions and statements mean is passed in: the modules that know it ask the walk for what is inside them.
    """

    def __init__(
        self,
        program: Program,
        evaluation: ExpressionHandler,
        effects: Mapping[type[ast.stmt], StatementHandler],
        followed: Callable[[Unit], None],
        *,
        fair: bool = False,
    ) -> None:
        self.program = program
        self._evaluation = evaluation
        self._effects = effects
        self.cut: dict[str, None] = {}
        """Files that were followed no further because they took their share of the steps; in a fair walk only."""
        self._fair = fair
        self._costs: dict[str, int] = {}
        self._shares: dict[str, int] = {}
        self._following = followed
        """Told every now and then which file is being followed."""
        self._told = 0
        self.builders: list[Builder] = []
        self.events: list[ExternalCall] = []
        self.returned: list[ReturnedValue] = []
        self.entered: dict[ast.AST, int] = {}
        self.by_context: dict[str, dict[FunctionDefinition, Unit]] = {}
        """Functions followed on behalf of each node of a graph."""
        self.built: set[ast.AST] = set()
        """Builder calls that were followed."""
        self.off: dict[ast.AST, str] = {}
        """Statements that a fixed condition or an earlier end keeps from running, and why."""
        self.skipped: set[ast.AST] = set()
        """Statements that some call passed by."""
        self.done: set[ast.AST] = set()
        """Statements that were followed at least once."""
        self.data_units: dict[str, Unit] = {}
        """Data files that values come from, as places."""
        self.imports = Imports()
        self.exhausted = False
        self.stumbled = 0
        """Statements that the following of code stumbled on."""
        self.context = ""
        self.numbered: dict[int, tuple[Value, Seq]] = {}
        """Lists that `enumerate` made, by their identity, with the lists they number."""
        self.looping: list[Seq] = []
        """Lists that are gone through now: inside, they are as long as the turns that are followed."""
        self._steps = 0
        large = max(0, sum(len(unit.parents) for unit in program.product) - _SMALL_PROGRAM_NODES)
        self._allowed = MAX_STEPS + min(MAX_EXTRA_STEPS, _STEPS_PER_NODE * large)
        self.reading = False
        """Are definitions read only, after the code was followed as far as it may be?"""
        self._nesting = 0
        self._classes: dict[ast.AST, Value] = {}
        """Functions that hand back classes, with what they did last: they do the same however often they are called."""
        self._turns: dict[tuple[str, ast.AST], int] = {}
        self._recorded: dict[str, int] = {}
        self._stack: list[Frame] = []
        self._modules: dict[str, Env] = {}

    def module(self, unit: Unit) -> Env:
        """The names of a module after its top-level code; what is known so far while that is still under way."""
        env = self._modules.get(unit.path)
        if env is None:
            env = Env(unit)
            env.names["__name__"] = Const("__main__")
            env.names["__file__"] = Const(unit.path)
            self._modules[unit.path] = env
            self._following(unit)
            if len(self._stack) < MAX_CALLS * 3:
                self._run_detached(Frame(unit, unit.tree, env), unit.tree.body)
        return env

    def member(self, unit: Unit, name: str) -> Value:
        """What a module offers under a name: bound, defined further down, or a module below it."""
        env = self.module(unit)
        if name in env.names:
            return env.names[name]
        statement = unit.defined.get(name)
        if statement is not None:
            self._run_detached(Frame(unit, unit.tree, env), [statement])
            return env.names.get(name, Unknown(name))
        if unit.path.endswith("__init__.py"):
            below = self.program.module(f".{name}", unit)
            if below is not None:
                self.module(below)
                return ModuleValue(below)
        return Unknown(name)

    def star_imported_name(self, name: str, unit: Unit) -> Value:
        """A name that nothing in a file binds: from a library all of whose names the file imports, if there is one."""
        libraries = self.imports.stars.get(unit.path, [])
        if not libraries:
            return Unknown(name)
        told = next((each for each in libraries if name in library_names.library_exports().get(each, ())), None)
        return External(f"{told or libraries[-1]}.{name}")

    def imported(self, dotted: str, unit: Unit) -> Value:
        """The module that a dotted name stands for in a file."""
        found = self.program.module(dotted, unit)
        if found is None:
            return External(package_name(dotted))
        self.module(found)
        return ModuleValue(found)

    def _run_detached(self, frame: Frame, body: Sequence[ast.stmt]) -> None:
        """Run top-level code apart from the calls that led here."""
        stack, self._stack = self._stack, [frame]
        nesting, self._nesting = self._nesting, min(self._nesting, MAX_NESTING // 2)
        try:
            self.block(body, frame)
        finally:
            self._stack, self._nesting = stack, nesting

    def call(
        self, function: Function, args: Sequence[Value], named: Iterable[tuple[str, Value]], at: Place | None
    ) -> Value:
        """Follow a call of the repository's own code."""
        node = function.node
        depth = sum(1 for frame in self._stack if frame.node is node)
        if (
            len(self._stack) >= MAX_CALLS
            or depth >= 2
            or self._turns.get((self.context, node), 0) >= MAX_CALLS_PER_FUNCTION
            or self.reading
            or self.is_exhausted()
        ):
            return self._classes.get(node, Unknown(function.name))
        self.entered[node] = self.entered.get(node, 0) + 1
        self._turns[self.context, node] = self._turns.get((self.context, node), 0) + 1
        if self.context:
            self.by_context.setdefault(self.context, {})[node] = function.unit
        env = Env(function.unit, function.env)
        given = [*([function.bound] if function.bound is not None else []), *function.preset, *args]
        frame = Frame(function.unit, node, env, at, owner=function.bound.cls if function.bound else None)
        self._bind(node.args, given, [*function.preset_named, *named], frame, open_call=at is None)
        self._stack.append(frame)
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, frame)
            self.block(node.body, frame)
        finally:
            self._stack.pop()
        if frame.yields:
            return Yielded(tuple(frame.yields))
        result = choice(*frame.returns) if frame.returns else Const(None)
        if any(isinstance(each, Class) for each in options(result)):
            self._classes[node] = result
        return result

    def class_from(self, name: str) -> Value:
        """The classes that the one function of a name returned, where a call of it was not followed any more."""
        found = [value for node, value in self._classes.items() if getattr(node, "name", "") == name]
        return found[0] if len(found) == 1 else Unknown(name)

    def start(self, function: Function, args: Sequence[Value], context: str = "") -> Value:
        """Follow a function from outside, as a caller that is not in sight would call it."""
        before, self.context = self.context, context or self.context
        stack, self._stack = self._stack, []
        try:
            return self.call(function, args, (), None)
        finally:
            self.context, self._stack = before, stack

    def _bind(
        self, spec: ast.arguments, given: list[Value], named: list[tuple[str, Value]], frame: Frame, *, open_call: bool
    ) -> None:
        """Let parameters stand for arguments; without a caller, a default is only one of the possibilities."""
        names = frame.env.names
        positional = [*spec.posonlyargs, *spec.args]
        by_name = dict(named)
        defaults: dict[str, ast.expr] = {
            parameter.arg: default
            for parameter, default in zip(
                positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=False
            )
        } | {each.arg: default for each, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=False) if default}
        for number, parameter in enumerate([*positional, *spec.kwonlyargs]):
            name = parameter.arg
            if number < len(given) and number < len(positional):
                names[name] = given[number]
            elif name in by_name:
                names[name] = by_name.pop(name)
            elif name in defaults:
                usual = self.value(defaults[name], frame)
                names[name] = choice(usual, Unknown(name)) if open_call else usual
            else:
                names[name] = Unknown(name)
        if spec.vararg:
            names[spec.vararg.arg] = Seq(given[len(positional) :], open=open_call)
        if spec.kwarg:
            rest: list[tuple[Value, Value]] = [(Const(key), value) for key, value in by_name.items()]
            names[spec.kwarg.arg] = Map(rest, open=open_call)

    @property
    def frame(self) -> Frame | None:
        """The innermost call in progress."""
        return self._stack[-1] if self._stack else None

    @property
    def is_conditional(self) -> bool:
        """Does what is followed now happen on a condition only?"""
        return bool(self._stack) and self._stack[-1].branches > 0

    @property
    def active_functions(self) -> set[str]:
        """Names of the functions whose calls are in progress."""
        return {getattr(each.node, "name", "") for each in self._stack} - {""}

    @property
    def is_large(self) -> bool:
        """Does the program get so many steps that following it twice would take too long?"""
        return self._allowed > _STEPS_BEFORE_SECOND_WALK

    def is_exhausted(self) -> bool:
        """Is the work that one program may cost used up?"""
        if self._steps >= self._allowed:
            self.exhausted = True
        return self._steps >= self._allowed

    def _is_over_share(self, path: str) -> bool:
        """Has a file taken more than its share: a part of the steps that were left when its turn came?"""
        spent = self._costs[path] = self._costs.get(path, 0) + 1
        if path not in self._shares:
            self._shares[path] = max(0, self._allowed - self._steps) // _MIN_SHARES
        if spent > self._shares[path] and not self.reading:
            self.cut[path] = None
        return spent > self._shares[path] and not self.reading

    def read_definitions(self, units: Iterable[Unit]) -> None:
        """Go over from following to reading: from here on a budget of its own counts.

        A walk that was cut short is made up for: the imports and definitions that it did not come to are read, and no
        call is followed any more. Names then stand for what they are in every file, so questions about classes and
        about who calls whom do not depend on how far the walk came.
        """
        self._allowed, self.reading = self._steps + MAX_DEFINITION_STEPS, self.exhausted or bool(self.cut)
        if not self.reading:
            return
        kinds = (
            ast.Import,
            ast.ImportFrom,
            ast.ClassDef,
            ast.FunctionDef,
            ast.AsyncFunctionDef,
            ast.Assign,
            ast.AnnAssign,
        )
        for unit in units:
            env = self.module(unit)
            missed = [
                each
                for each in nested_statements(unit.tree.body)
                if isinstance(each, kinds) and each not in self.done and each not in self.skipped
            ]
            if missed:
                self._run_detached(Frame(unit, unit.tree, env), missed)

    def block(self, body: Sequence[ast.stmt], frame: Frame) -> BlockEnd:
        """Follow statements in their order; what is after a return is dead."""
        for number, statement in enumerate(body):
            end = self._statement(statement, frame)
            if end is not BlockEnd.FALLS_THROUGH:
                self.off.update(dict.fromkeys(body[number + 1 :], "it is after the end of the block"))
                return end
        return BlockEnd.FALLS_THROUGH

    def skip(self, body: Sequence[ast.stmt], test: ast.expr, frame: Frame, reason: str) -> None:
        """Pass a block by. It is switched off only where nothing but fixed names has a say in the condition."""
        self.skipped.update(body)
        local = frame.env.names if frame.node is not frame.unit.tree else {}
        names = {each.id for each in descendants(test) if isinstance(each, ast.Name)}
        if not any(name in local for name in names):
            self.off.update(dict.fromkeys(body, reason))

    def _statement(self, statement: ast.stmt, frame: Frame) -> BlockEnd:
        self._steps += 1
        if self._steps >= self._told:
            self._told = self._steps + _TELLS_AFTER
            self._following(frame.unit)
        if (self._fair and self._is_over_share(frame.unit.path)) or self.is_exhausted() or self._nesting >= MAX_NESTING:
            return BlockEnd.FALLS_THROUGH
        self._nesting += 1
        self.done.add(statement)
        try:
            return self._effects.get(type(statement), _no_effect)(self, statement, frame)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            self.stumbled += 1
            return BlockEnd.FALLS_THROUGH
        finally:
            self._nesting -= 1

    def value(self, node: ast.expr | None, frame: Frame) -> Value:
        """What an expression stands for."""
        self._steps += 1
        if (
            node is None
            or (self._fair and self._is_over_share(frame.unit.path))
            or self.is_exhausted()
            or self._nesting >= MAX_NESTING
        ):
            return Unknown()
        self._nesting += 1
        try:
            return self._evaluation(self, node, frame)
        finally:
            self._nesting -= 1

    def record(self, call: Call) -> None:
        """Remember a call that leads outside."""
        if len(self.events) < MAX_EVENTS and call.last in library_names.recorded_calls():
            path = call.place.unit.path
            if self._recorded.get(path, 0) < _MAX_EVENTS_PER_FILE:
                self._recorded[path] = self._recorded.get(path, 0) + 1
                self.events.append(ExternalCall(call, tuple(self._stack), self.context))


def _no_effect(_run: Interpreter, _statement: ast.stmt, _frame: Frame) -> BlockEnd:
    """What is known to change no name."""
    return BlockEnd.FALLS_THROUGH
