"""Follows code without running it: statements in their order, loops over known lists, calls into other files.

Nothing of the audited code is executed. What a run would decide (arguments, files, models) stays unknown, both
branches of an open question are followed, and every walk is bounded, so hostile code costs a fixed amount of work
at most and then counts as not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from auditor.forensics.systems import expressions, library
from auditor.forensics.systems.program import FunctionDefinition, Program, Unit, inside, statements
from auditor.forensics.systems.script.names import outside
from auditor.forensics.systems.values import (
    Builder,
    Call,
    Class,
    Const,
    Env,
    External,
    Function,
    Instance,
    Item,
    Map,
    ModuleValue,
    Place,
    Seq,
    Unknown,
    Value,
    Yielded,
    choice,
    options,
    text_of,
)

MAX_STEPS = 300_000
"""Steps for a program of usual size, so that little code costs little, however it goes round in circles."""
MAX_FURTHER = 1_700_000
"""Steps that a large program gets on top at most."""
_ONCE = 1_000_000
"""Steps that take a few seconds."""
_SMALL = 10_000
"""Nodes up to which a program gets no more."""
_STEPS_OF_A_NODE = 6
"""Further steps for each node beyond; of systems that were measured the most demanding took nine for each in all."""
MAX_READING = 300_000
"""Steps for reading definitions and names on top, when following the code has used up its own."""
MAX_NESTING = 220
MAX_CALLS = 14
"""Calls inside calls that are followed."""
MAX_ENTRIES = 12
"""How often one function is followed for one node: often enough for a factory that makes a dozen."""
MAX_TURNS = 200
"""Turns of one loop over a known list."""
_MAX_EVENTS = 20_000
_MAX_EVENTS_OF_ONE = 5_000
"""Calls of one file that are remembered, so that it cannot crowd out the others'."""
_TELLS_AFTER = 64
_SHARES = 4
"""One file may take the fourth part of the steps that are left, in a fair walk."""


class End(Enum):
    """How a block of statements ends."""

    FALLS = 0
    BREAKS = 1
    LEAVES = 2


@dataclass(slots=True, eq=False)
class Frame:
    """One call in progress: whose code, with which names, called from where."""

    unit: Unit
    node: FunctionDefinition | ast.Module | ast.ClassDef
    env: Env
    called: Place | None = None
    returns: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    branches: int = 0
    owner: Class | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A call that leads outside, and the calls of the repository's own code that led to it, outermost first."""

    call: Call
    frames: tuple[Frame, ...]
    context: str

    @property
    def function(self) -> FunctionDefinition | None:
        """The function it stands in; None at module level."""
        node = self.frames[-1].node if self.frames else None
        return node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else None


@dataclass(slots=True, eq=False)
class Returned:
    """A value that a function hands back, and where."""

    unit: Unit
    node: ast.Return
    value: Value
    frame: Frame


class Interpreter:
    """One walk through a program. What it saw is in its public attributes."""

    def __init__(
        self, program: Program, following: Callable[[Unit], None] = lambda _unit: None, *, fair: bool = False
    ) -> None:
        self.program = program
        self.cut: dict[str, None] = {}
        """Files that were followed no further because they took their share of the steps; in a fair walk only."""
        self._fair = fair
        self._costs: dict[str, int] = {}
        self._shares: dict[str, int] = {}
        self._following = following
        """Told every now and then which file is being followed."""
        self._told = 0
        self.builders: list[Builder] = []
        self.events: list[Event] = []
        self.returned: list[Returned] = []
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
        self.stars: dict[str, list[str]] = {}
        """Libraries of which a file imports every name."""
        self.exhausted = False
        self.stumbled = 0
        """Statements that the following of code stumbled on."""
        self.context = ""
        self.numbered: dict[int, tuple[Value, Seq]] = {}
        """Lists that `enumerate` made, by their identity, with the lists they number."""
        self.looping: list[Seq] = []
        """Lists that are gone through now: inside, they are as long as the turns that are followed."""
        self._steps = 0
        large = max(0, sum(len(unit.parents) for unit in program.product) - _SMALL)
        self._allowed = MAX_STEPS + min(MAX_FURTHER, _STEPS_OF_A_NODE * large)
        self.reading = False
        """Are definitions read only, after the code was followed as far as it may be?"""
        self._nesting = 0
        self._classes: dict[ast.AST, Value] = {}
        """Functions that hand back classes, with what they did last: they do the same however often they are called."""
        self._turns: dict[tuple[str, ast.AST], int] = {}
        self._recorded: dict[str, int] = {}
        self._stack: list[Frame] = []
        self._modules: dict[str, Env] = {}
        self._globals: dict[str, frozenset[str]] = {}

    # -- modules ---------------------------------------------------------------------------------------------

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
                self._run_aside(Frame(unit, unit.tree, env), unit.tree.body)
        return env

    def member(self, unit: Unit, name: str) -> Value:
        """What a module offers under a name: bound, defined further down, or a module below it."""
        env = self.module(unit)
        if name in env.names:
            return env.names[name]
        statement = unit.defined.get(name)
        if statement is not None:
            self._run_aside(Frame(unit, unit.tree, env), [statement])
            return env.names.get(name, Unknown(name))
        if unit.path.endswith("__init__.py"):
            below = self.program.module(f".{name}", unit)
            if below is not None:
                self.module(below)
                return ModuleValue(below)
        return Unknown(name)

    def starred(self, name: str, unit: Unit) -> Value:
        """A name that nothing in a file binds: from a library all of whose names the file imports, if there is one."""
        libraries = self.stars.get(unit.path, [])
        if not libraries:
            return Unknown(name)
        told = next((each for each in libraries if name in library.OFFERED.get(each, ())), None)
        return External(f"{told or libraries[-1]}.{name}")

    def imported(self, dotted: str, unit: Unit) -> Value:
        """The module that a dotted name stands for in a file."""
        found = self.program.module(dotted, unit)
        if found is None:
            return External(outside(dotted))
        self.module(found)
        return ModuleValue(found)

    def _run_aside(self, frame: Frame, body: Sequence[ast.stmt]) -> None:
        """Run top-level code apart from the calls that led here."""
        stack, self._stack = self._stack, [frame]
        nesting, self._nesting = self._nesting, min(self._nesting, MAX_NESTING // 2)
        try:
            self.block(body, frame)
        finally:
            self._stack, self._nesting = stack, nesting

    # -- calls -----------------------------------------------------------------------------------------------

    def call(
        self, function: Function, args: Sequence[Value], named: Iterable[tuple[str, Value]], at: Place | None
    ) -> Value:
        """Follow a call of the repository's own code."""
        node = function.node
        depth = sum(1 for frame in self._stack if frame.node is node)
        if (
            len(self._stack) >= MAX_CALLS
            or depth >= 2
            or self._turns.get((self.context, node), 0) >= MAX_ENTRIES
            or self.reading
            or self.tired()
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
        """The classes that the one function of a name handed back, where a call of it was not followed any more."""
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

    def instantiate(self, cls: Class, args: Sequence[Value], named: Sequence[tuple[str, Value]], at: Place) -> Value:
        """A new object: its fields by the arguments of a data class, or what `__init__` makes of them."""
        instance = Instance(cls, {}, Call(cls, tuple(args), tuple(named), at))
        start = self.method(instance, "__init__")
        if isinstance(start, Function):
            self.call(start, args, named, at)
        else:
            instance.attrs.update(named)
            for (name, _), value in zip(annotated_names(cls), args, strict=False):
                instance.attrs[name] = value
        return instance

    def lineage(self, cls: Class) -> list[Class]:
        """A class and its bases inside the repository, nearest first."""
        found: list[Class] = []
        waiting = [cls]
        while waiting and len(found) < 20:
            each = waiting.pop(0)
            if any(each.node is known.node for known in found):
                continue
            found.append(each)
            for base in self.bases(each):
                waiting += [option for option in options(base) if isinstance(option, Class)]
        return found

    def bases(self, cls: Class) -> list[Value]:
        """What the base classes of a class stand for, subscripts such as `Generic[T]` left out."""
        frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
        bare = [each.value if isinstance(each, ast.Subscript) else each for each in cls.node.bases]
        return [self.value(each, frame) for each in bare]

    def method(self, instance: Instance, name: str) -> Value | None:
        """A method or class attribute of an object, bound to it; None when no class in the repository has it."""
        for cls in self.lineage(instance.cls):
            found = cls.env.names.get(name)
            if isinstance(found, Function):
                return bound(found, instance)
            if found is not None:
                return found
        return None

    # -- statements ------------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame | None:
        """The innermost call in progress."""
        return self._stack[-1] if self._stack else None

    @property
    def branching(self) -> bool:
        """Does what is followed now happen on a condition only?"""
        return bool(self._stack) and self._stack[-1].branches > 0

    @property
    def under_way(self) -> set[str]:
        """Names of the functions whose calls are in progress."""
        return {getattr(each.node, "name", "") for each in self._stack} - {""}

    @property
    def large(self) -> bool:
        """Does the program get so many steps that following it twice would take too long?"""
        return self._allowed > _ONCE

    def tired(self) -> bool:
        """Is the work that one program may cost used up?"""
        if self._steps >= self._allowed:
            self.exhausted = True
        return self._steps >= self._allowed

    def _overdrawn(self, path: str) -> bool:
        """Has a file taken more than its share: a part of the steps that were left when its turn came?"""
        spent = self._costs[path] = self._costs.get(path, 0) + 1
        if path not in self._shares:
            self._shares[path] = max(0, self._allowed - self._steps) // _SHARES
        if spent > self._shares[path] and not self.reading:
            self.cut[path] = None
        return spent > self._shares[path] and not self.reading

    def read_definitions(self, units: Iterable[Unit]) -> None:
        """Go over from following to reading: from here on a budget of its own counts.

        A walk that was cut short is made up for: the imports and definitions that it did not come to are read, and no
        call is followed any more. Names then stand for what they are in every file, so questions about classes and
        about who calls whom do not depend on how far the walk came.
        """
        self._allowed, self.reading = self._steps + MAX_READING, self.exhausted or bool(self.cut)
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
                for each in statements(unit.tree.body)
                if isinstance(each, kinds) and each not in self.done and each not in self.skipped
            ]
            if missed:
                self._run_aside(Frame(unit, unit.tree, env), missed)

    def block(self, body: Sequence[ast.stmt], frame: Frame) -> End:
        """Follow statements in their order; what stands after a return is dead."""
        for number, statement in enumerate(body):
            end = self._statement(statement, frame)
            if end is not End.FALLS:
                self.off.update(dict.fromkeys(body[number + 1 :], "it stands after the block has ended"))
                return end
        return End.FALLS

    def skip(self, body: Sequence[ast.stmt], test: ast.expr, frame: Frame, reason: str) -> None:
        """Pass a block by. It is switched off only where nothing but fixed names has a say in the condition."""
        self.skipped.update(body)
        local = frame.env.names if frame.node is not frame.unit.tree else {}
        names = {each.id for each in inside(test) if isinstance(each, ast.Name)}
        if not any(name in local for name in names):
            self.off.update(dict.fromkeys(body, reason))

    def _statement(self, statement: ast.stmt, frame: Frame) -> End:
        self._steps += 1
        if self._steps >= self._told:
            self._told = self._steps + _TELLS_AFTER
            self._following(frame.unit)
        if (self._fair and self._overdrawn(frame.unit.path)) or self.tired() or self._nesting >= MAX_NESTING:
            return End.FALLS
        self._nesting += 1
        self.done.add(statement)
        try:
            return _STATEMENTS.get(type(statement), _nothing)(self, statement, frame)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            self.stumbled += 1
            return End.FALLS
        finally:
            self._nesting -= 1

    def value(self, node: ast.expr | None, frame: Frame) -> Value:
        """What an expression stands for."""
        self._steps += 1
        if (
            node is None
            or (self._fair and self._overdrawn(frame.unit.path))
            or self.tired()
            or self._nesting >= MAX_NESTING
        ):
            return Unknown()
        self._nesting += 1
        try:
            return expressions.evaluate(self, node, frame)
        finally:
            self._nesting -= 1

    def record(self, call: Call) -> None:
        """Remember a call that leads outside."""
        if len(self.events) < _MAX_EVENTS and call.last in library.WATCHED:
            path = call.place.unit.path
            if self._recorded.get(path, 0) < _MAX_EVENTS_OF_ONE:
                self._recorded[path] = self._recorded.get(path, 0) + 1
                self.events.append(Event(call, tuple(self._stack), self.context))

    def assign(self, target: ast.expr, value: Value, frame: Frame) -> None:
        """Let a target stand for a value."""
        if isinstance(target, ast.Name):
            frame.env.bind(target.id, Unknown(target.id) if self._rebound(target.id, frame) else value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value, frame)
        elif isinstance(target, ast.Attribute):
            self._set_attribute(self.value(target.value, frame), target.attr, value, frame)
        elif isinstance(target, ast.Subscript):
            holder = self.value(target.value, frame)
            if isinstance(holder, Map):
                holder.put(self.value(target.slice, frame), value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value if isinstance(value, Seq) else Unknown(), frame)

    def _rebound(self, name: str, frame: Frame) -> bool:
        """Is it a module-level name that some function writes to?"""
        if not isinstance(frame.node, ast.Module):
            return False
        path = frame.unit.path
        if path not in self._globals:
            self._globals[path] = frozenset(
                each
                for node in frame.unit.each(ast.Global)
                for each in node.names  # type: ignore[attr-defined]
            )
        return name in self._globals[path]

    def _unpack(self, targets: list[ast.expr], value: Value, frame: Frame) -> None:
        items = value.items if isinstance(value, Seq) and not value.open else None
        star = next((number for number, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
        if items is not None and star is not None and len(items) >= len(targets) - 1:
            after = len(targets) - star - 1
            middle: Value = Seq(items[star : len(items) - after])
            items = [*items[:star], middle, *items[len(items) - after :]]
        if items is not None and len(items) == len(targets):
            for target, item in zip(targets, items, strict=True):
                self.assign(target, item, frame)
            return
        for number, target in enumerate(targets):
            self.assign(target, Item(value, Const(number)), frame)

    @staticmethod
    def _set_attribute(holder: Value, name: str, value: Value, frame: Frame) -> None:
        for each in options(holder):
            if isinstance(each, Instance):
                old = each.attrs.get(name)
                each.attrs[name] = choice(old, value) if frame.branches and old is not None else value
            elif isinstance(each, Class):
                each.env.names[name] = value
            elif isinstance(each, Map) and frame.unit.script:
                each.put(Const(name), value)
            elif isinstance(each, ModuleValue):
                pass  # another module's name; what that module says of it stands

    def branch(self, body: Sequence[ast.stmt], frame: Frame, names: dict[str, Value]) -> tuple[End, dict[str, Value]]:
        """Follow one of several ways from the same names; gives its end and its names."""
        frame.env.names = dict(names)
        frame.branches += 1
        end = self.block(body, frame)
        frame.branches -= 1
        return end, frame.env.names

    def join(self, frame: Frame, ways: Sequence[tuple[End, dict[str, Value]]]) -> End:
        """Go on after several ways with what their names may stand for."""
        going = [names for end, names in ways if end is End.FALLS] or [names for _, names in ways]
        merged: dict[str, Value] = dict(going[0])
        for names in going[1:]:
            for name, value in names.items():
                known = merged.get(name)
                merged[name] = value if known is None else known if known is value else choice(known, value)
        frame.env.names = merged
        ends = {end for end, _ in ways}
        if End.FALLS in ends:
            return End.FALLS
        return End.LEAVES if ends == {End.LEAVES} else End.BREAKS


def bound(function: Function, instance: Instance) -> Function:
    """A method bound to an object, unless it is static."""
    decorators = {each.id for each in getattr(function.node, "decorator_list", ()) if isinstance(each, ast.Name)}
    if "staticmethod" in decorators:
        return function
    return Function(function.unit, function.node, function.env, instance, function.preset, function.preset_named)


def annotated_names(cls: Class) -> list[tuple[str, ast.AnnAssign]]:
    """The annotated names of a class body in their order."""
    return [
        (each.target.id, each)
        for each in cls.node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


# -- one function for each kind of statement ---------------------------------------------------------------------


def _nothing(_run: Interpreter, _statement: ast.stmt, _frame: Frame) -> End:
    return End.FALLS


def _expression(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Expr)
    run.value(statement.value, frame)
    return End.FALLS


def _assign(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Assign)
    value = run.value(statement.value, frame)
    for target in statement.targets:
        run.assign(target, value, frame)
    return End.FALLS


def _annotated(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.AnnAssign)
    if statement.value is not None:
        run.assign(statement.target, run.value(statement.value, frame), frame)
    return End.FALLS


def _augmented(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.AugAssign)
    old = run.value(statement.target, frame)
    more = run.value(statement.value, frame)
    if isinstance(old, Seq) and isinstance(statement.op, ast.Add):
        old.items += library.listed(more).items
        old.open = old.open or library.listed(more).open
    elif isinstance(old, Map) and isinstance(more, Map):
        for key, value in more.items:
            old.put(key, value)
    else:
        sign = expressions.SIGNS.get(type(statement.op), "?")
        run.assign(statement.target, expressions.folded(sign, old, more), frame)
    return End.FALLS


def _return(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Return)
    value = run.value(statement.value, frame) if statement.value is not None else Const(None)
    frame.returns.append(value)
    if len(run.returned) < _MAX_EVENTS:
        run.returned.append(Returned(frame.unit, statement, value, frame))
    return End.LEAVES


def _raise(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Raise)
    if statement.exc is not None:
        run.value(statement.exc, frame)
    return End.LEAVES


def _break(_run: Interpreter, _statement: ast.stmt, _frame: Frame) -> End:
    return End.BREAKS


def _if(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    """An `if` with all its `elif`, taken in a row, so that a long chain costs no depth."""
    ways: list[tuple[End, dict[str, Value]]] = []
    node: ast.stmt = statement
    names = frame.env.names
    while True:
        assert isinstance(node, ast.If)
        frame.env.names = names
        truth = library.truth(run.value(node.test, frame))
        names = frame.env.names
        if truth is not False:
            ways.append(run.branch(node.body, frame, names) if truth is None else _certain(run, node.body, frame))
        else:
            run.skip(node.body, node.test, frame, f"its condition on line {node.lineno} is never true")
        if truth is True:
            run.skip(node.orelse, node.test, frame, f"the condition on line {node.lineno} is always true")
            break
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            continue
        if not ways:
            frame.env.names = names
            return run.block(node.orelse, frame)
        ways.append(run.branch(node.orelse, frame, names))
        break
    return run.join(frame, ways)


def _certain(run: Interpreter, body: Sequence[ast.stmt], frame: Frame) -> tuple[End, dict[str, Value]]:
    end = run.block(body, frame)
    return end, frame.env.names


def _for(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, (ast.For, ast.AsyncFor))
    source = run.value(statement.iter, frame)
    builds = library.builds(statement)
    listed = library.listed(source, count=builds)
    before = dict(frame.env.names)
    if not listed.items and not listed.open:
        listed = Seq([Item(source, Unknown())], open=True)
    turns = listed.items[:MAX_TURNS] if builds or len(listed.items) <= 12 else listed.items[:12]
    end = End.FALLS
    held = run.numbered.get(id(source), (source, source))[1]
    depth = len(run.looping)
    run.looping.append(held if isinstance(held, Seq) else listed)
    certain = bool(turns) and not listed.open and not listed.unsure and library.whole(statement.body)
    for item in turns or [Item(source, Unknown())]:
        run.assign(statement.target, item, frame)
        frame.branches += not certain
        end = run.block(statement.body, frame)
        frame.branches -= not certain
        if end is End.LEAVES and not library.conditional(statement.body):
            break
    del run.looping[depth:]
    if listed.open:
        run.join(frame, [(End.FALLS, before), (End.FALLS, frame.env.names)])
    run.block(statement.orelse, frame)
    return End.FALLS


def _while(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.While)
    truth = library.truth(run.value(statement.test, frame))
    if truth is False:
        run.skip(statement.body, statement.test, frame, f"its condition on line {statement.lineno} is never true")
        return run.block(statement.orelse, frame)
    before = frame.env.names
    ways = [run.branch(statement.body, frame, before)]
    run.join(frame, [*ways, (End.FALLS, before)])
    run.block(statement.orelse, frame)
    return End.FALLS


def _try(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar"
    parts: ast.Try = statement  # type: ignore[assignment]
    before = dict(frame.env.names)
    frame.branches += 1
    end = run.block(parts.body, frame)
    if end is End.FALLS:
        end = run.block(parts.orelse, frame)
    frame.branches -= 1
    ways = [(end, frame.env.names)]
    for handler in parts.handlers:
        names = {**before, **frame.env.names}
        if handler.name:
            names[handler.name] = Unknown(handler.name)
        ways.append(run.branch(handler.body, frame, names))
    end = run.join(frame, ways)
    last = run.block(parts.finalbody, frame)
    return last if last is not End.FALLS else end


def _with(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, (ast.With, ast.AsyncWith))
    for item in statement.items:
        entered = library.entered(run, run.value(item.context_expr, frame))
        if item.optional_vars is not None:
            run.assign(item.optional_vars, entered, frame)
    return run.block(statement.body, frame)


def _match(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Match)
    run.value(statement.subject, frame)
    names = frame.env.names
    ways = [run.branch(case.body, frame, names) for case in statement.cases]
    last = statement.cases[-1]
    caught = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return run.join(frame, ways if caught else [*ways, (End.FALLS, names)])


def _define(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
    env = frame.env.parent if isinstance(frame.node, ast.ClassDef) and frame.env.parent else frame.env
    made: Value = Function(frame.unit, statement, env)
    for decorator in reversed(statement.decorator_list):
        wraps = run.value(decorator, frame)
        if isinstance(wraps, Function) and isinstance(made, Function):
            wrapped = run.call(wraps, [made], (), Place(frame.unit, decorator))
            made = wrapped if isinstance(wrapped, Function) else made
    frame.env.bind(statement.name, made)
    return End.FALLS


def _class(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.ClassDef)
    env = Env(frame.unit, frame.env)
    made = Class(frame.unit, statement, env)
    frame.env.bind(statement.name, made)
    run.block(statement.body, Frame(frame.unit, statement, env, frame.called))
    if any(isinstance(base, External) and base.name.rpartition(".")[2] == "StrEnum" for base in run.bases(made)):
        automatic = {name for name, each in env.names.items() if isinstance(each, Call) and each.last == "auto"}
        env.names.update({name: Const(name.lower(), Place(frame.unit, statement)) for name in automatic})
    return End.FALLS


def _import(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Import)
    for alias in statement.names:
        if alias.asname:
            frame.env.bind(alias.asname, run.imported(alias.name, frame.unit))
        else:
            first = alias.name.partition(".")[0]
            known = run.program.module(alias.name, frame.unit)
            if known is not None:
                run.module(known)
            frame.env.bind(first, ModuleValue(known) if known is not None and first == alias.name else External(first))
    return End.FALLS


def _import_from(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.ImportFrom)
    dotted = "." * statement.level + (statement.module or "")
    unit = run.program.module(dotted, frame.unit)
    for alias in statement.names:
        if alias.name == "*":
            if unit is None:
                run.stars.setdefault(frame.unit.path, []).append(outside(dotted))
            else:
                _import_all(run, unit, frame)
            continue
        if unit is not None and unit is not frame.unit:
            found = run.member(unit, alias.name)
        else:
            name = f"{dotted}{alias.name}" if dotted.endswith(".") else f"{dotted}.{alias.name}"
            found = run.imported(name, frame.unit)
        frame.env.bind(alias.asname or alias.name, found)
    return End.FALLS


def _import_all(run: Interpreter, unit: Unit, frame: Frame) -> None:
    names = run.module(unit).names
    offered = names.get("__all__")
    wanted = (
        [name for each in offered.items if (name := text_of(each))]
        if isinstance(offered, Seq)
        else [name for name in names if not name.startswith("_")]
    )
    for name in wanted:
        if name in names:
            frame.env.bind(name, names[name])


def _outer(_run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, (ast.Global, ast.Nonlocal))
    frame.env.foreign.update(statement.names)
    return End.FALLS


def _assert(run: Interpreter, statement: ast.stmt, frame: Frame) -> End:
    assert isinstance(statement, ast.Assert)
    run.value(statement.test, frame)
    return End.FALLS


_STATEMENTS: dict[type[ast.stmt], Callable[[Interpreter, ast.stmt, Frame], End]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _break,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.FunctionDef: _define,
    ast.AsyncFunctionDef: _define,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
    ast.Assert: _assert,
    **({ast.TryStar: _try} if hasattr(ast, "TryStar") else {}),
}
