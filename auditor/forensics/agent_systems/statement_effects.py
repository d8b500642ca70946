"""What each kind of statement does to the names of a call in progress."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.forensics.agent_systems import expression_values, library_call_values, value_properties
from auditor.forensics.agent_systems.abstract_interpreter import Interpreter, StatementHandler
from auditor.forensics.agent_systems.abstract_values import (
    Call,
    Class,
    Const,
    Env,
    External,
    Function,
    Item,
    Map,
    ModuleValue,
    Place,
    Seq,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.call_frames import MAX_EVENTS, BlockEnd, Frame, ReturnedValue
from auditor.forensics.agent_systems.class_members import base_values
from auditor.forensics.agent_systems.javascript.library_names import package_name
from auditor.forensics.agent_systems.name_bindings import assign
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.value_contents import choice, text_of

MAX_LOOP_TURNS = 200
"""Turns of one loop over a known list."""


def _expression(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Expr)
    run.value(statement.value, frame)
    return BlockEnd.FALLS_THROUGH


def _assign(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Assign)
    value = run.value(statement.value, frame)
    for target in statement.targets:
        assign(run, target, value, frame)
    return BlockEnd.FALLS_THROUGH


def _annotated(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.AnnAssign)
    if statement.value is not None:
        assign(run, statement.target, run.value(statement.value, frame), frame)
    return BlockEnd.FALLS_THROUGH


def _augmented(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.AugAssign)
    old = run.value(statement.target, frame)
    more = run.value(statement.value, frame)
    if isinstance(old, Seq) and isinstance(statement.op, ast.Add):
        old.add(value_properties.iterated_elements(more))
    elif isinstance(old, Map) and isinstance(more, Map):
        for key, value in list(more.items):
            old.put(key, value)
    else:
        sign = expression_values.SIGNS.get(type(statement.op), "?")
        assign(run, statement.target, expression_values.fold_operation(sign, old, more), frame)
    return BlockEnd.FALLS_THROUGH


def _return(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Return)
    value = run.value(statement.value, frame) if statement.value is not None else Const(None)
    frame.returns.append(value)
    if len(run.returned) < MAX_EVENTS:
        run.returned.append(ReturnedValue(frame.unit, statement, value, frame))
    return BlockEnd.LEAVES_FUNCTION


def _raise(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Raise)
    if statement.exc is not None:
        run.value(statement.exc, frame)
    return BlockEnd.LEAVES_FUNCTION


def _break(_run: Interpreter, _statement: ast.stmt, _frame: Frame) -> BlockEnd:
    return BlockEnd.BREAKS_LOOP


def _if(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    """An `if` with all its `elif`, taken in a row, so that a long chain costs no depth."""
    ways: list[tuple[BlockEnd, dict[str, Value]]] = []
    node: ast.stmt = statement
    names = frame.env.names
    while True:
        assert isinstance(node, ast.If)
        frame.env.names = names
        truth = value_properties.truth_value(run.value(node.test, frame))
        names = frame.env.names
        if truth is not False:
            ways.append(
                _branch(run, node.body, frame, names) if truth is None else _run_certain_body(run, node.body, frame)
            )
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
        ways.append(_branch(run, node.orelse, frame, names))
        break
    return _join(frame, ways)


def _run_certain_body(run: Interpreter, body: Sequence[ast.stmt], frame: Frame) -> tuple[BlockEnd, dict[str, Value]]:
    end = run.block(body, frame)
    return end, frame.env.names


def _for(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, (ast.For, ast.AsyncFor))
    source = run.value(statement.iter, frame)
    builds = library_call_values.builds_graph_or_list(statement)
    listed = value_properties.iterated_elements(source, count=builds)
    before = dict(frame.env.names)
    if not listed.items and not listed.open:
        listed = Seq([Item(source, Unknown())], open=True)
    turns = listed.items[:MAX_LOOP_TURNS] if builds or len(listed.items) <= 12 else listed.items[:12]
    end = BlockEnd.FALLS_THROUGH
    held = run.numbered.get(id(source), (source, source))[1]
    depth = len(run.looping)
    run.looping.append(held if isinstance(held, Seq) else listed)
    certain = (
        bool(turns)
        and not listed.open
        and not listed.may_be_empty
        and value_properties.always_completes(statement.body)
    )
    for item in turns or [Item(source, Unknown())]:
        assign(run, statement.target, item, frame)
        frame.branches += not certain
        end = run.block(statement.body, frame)
        frame.branches -= not certain
        if end is BlockEnd.LEAVES_FUNCTION and not value_properties.ends_early_on_condition(statement.body):
            break
    del run.looping[depth:]
    if listed.open:
        _join(frame, [(BlockEnd.FALLS_THROUGH, before), (BlockEnd.FALLS_THROUGH, frame.env.names)])
    run.block(statement.orelse, frame)
    return BlockEnd.FALLS_THROUGH


def _while(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.While)
    truth = value_properties.truth_value(run.value(statement.test, frame))
    if truth is False:
        run.skip(statement.body, statement.test, frame, f"its condition on line {statement.lineno} is never true")
        return run.block(statement.orelse, frame)
    before = frame.env.names
    ways = [_branch(run, statement.body, frame, before)]
    _join(frame, [*ways, (BlockEnd.FALLS_THROUGH, before)])
    run.block(statement.orelse, frame)
    return BlockEnd.FALLS_THROUGH


def _try(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar"
    parts: ast.Try = statement  # type: ignore[assignment]
    before = dict(frame.env.names)
    frame.branches += 1
    end = run.block(parts.body, frame)
    if end is BlockEnd.FALLS_THROUGH:
        end = run.block(parts.orelse, frame)
    frame.branches -= 1
    ways = [(end, frame.env.names)]
    for handler in parts.handlers:
        names = {**before, **frame.env.names}
        if handler.name:
            names[handler.name] = Unknown(handler.name)
        ways.append(_branch(run, handler.body, frame, names))
    end = _join(frame, ways)
    last = run.block(parts.finalbody, frame)
    return last if last is not BlockEnd.FALLS_THROUGH else end


def _with(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, (ast.With, ast.AsyncWith))
    for item in statement.items:
        entered = library_call_values.with_value(run, run.value(item.context_expr, frame))
        if item.optional_vars is not None:
            assign(run, item.optional_vars, entered, frame)
    return run.block(statement.body, frame)


def _match(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Match)
    run.value(statement.subject, frame)
    names = frame.env.names
    ways = [_branch(run, case.body, frame, names) for case in statement.cases]
    last = statement.cases[-1]
    caught = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return _join(frame, ways if caught else [*ways, (BlockEnd.FALLS_THROUGH, names)])


def _define(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
    env = frame.env.parent if isinstance(frame.node, ast.ClassDef) and frame.env.parent else frame.env
    made: Value = Function(frame.unit, statement, env)
    for decorator in reversed(statement.decorator_list):
        wraps = run.value(decorator, frame)
        if isinstance(wraps, Function) and isinstance(made, Function):
            wrapped = run.call(wraps, [made], (), Place(frame.unit, decorator))
            made = wrapped if isinstance(wrapped, Function) else made
    frame.env.bind(statement.name, made)
    return BlockEnd.FALLS_THROUGH


def _class(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.ClassDef)
    env = Env(frame.unit, frame.env)
    made = Class(frame.unit, statement, env)
    frame.env.bind(statement.name, made)
    run.block(statement.body, Frame(frame.unit, statement, env, frame.called))
    if any(isinstance(base, External) and base.name.rpartition(".")[2] == "StrEnum" for base in base_values(run, made)):
        automatic = {name for name, each in env.names.items() if isinstance(each, Call) and each.last == "auto"}
        env.names.update({name: Const(name.lower(), Place(frame.unit, statement)) for name in automatic})
    return BlockEnd.FALLS_THROUGH


def _import(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
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
    return BlockEnd.FALLS_THROUGH


def _import_from(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.ImportFrom)
    dotted = "." * statement.level + (statement.module or "")
    unit = run.program.module(dotted, frame.unit)
    for alias in statement.names:
        if alias.name == "*":
            if unit is None:
                run.imports.stars.setdefault(frame.unit.path, []).append(package_name(dotted))
            else:
                _import_all(run, unit, frame)
            continue
        if unit is not None and unit is not frame.unit:
            found = run.member(unit, alias.name)
            if isinstance(found, Unknown) and not frame.branches and unit.lacks(alias.name):
                run.imports.lacking[frame.unit.path, alias.asname or alias.name] = unit.path
        else:
            name = f"{dotted}{alias.name}" if dotted.endswith(".") else f"{dotted}.{alias.name}"
            found = run.imported(name, frame.unit)
        frame.env.bind(alias.asname or alias.name, found)
    return BlockEnd.FALLS_THROUGH


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


def _global_or_nonlocal(_run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, (ast.Global, ast.Nonlocal))
    frame.env.foreign.update(statement.names)
    return BlockEnd.FALLS_THROUGH


def _assert(run: Interpreter, statement: ast.stmt, frame: Frame) -> BlockEnd:
    assert isinstance(statement, ast.Assert)
    run.value(statement.test, frame)
    return BlockEnd.FALLS_THROUGH


STATEMENTS: dict[type[ast.stmt], StatementHandler] = {
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
    ast.Global: _global_or_nonlocal,
    ast.Nonlocal: _global_or_nonlocal,
    ast.Assert: _assert,
    **({ast.TryStar: _try} if hasattr(ast, "TryStar") else {}),
}


def _branch(
    run: Interpreter, body: Sequence[ast.stmt], frame: Frame, names: dict[str, Value]
) -> tuple[BlockEnd, dict[str, Value]]:
    """Follow one of several ways from the same names; gives its end and its names."""
    frame.env.names = dict(names)
    frame.branches += 1
    end = run.block(body, frame)
    frame.branches -= 1
    return end, frame.env.names


def _join(frame: Frame, ways: Sequence[tuple[BlockEnd, dict[str, Value]]]) -> BlockEnd:
    """Go on after several ways with what their names may stand for."""
    going = [names for end, names in ways if end is BlockEnd.FALLS_THROUGH] or [names for _, names in ways]
    merged: dict[str, Value] = dict(going[0])
    for names in going[1:]:
        for name, value in names.items():
            known = merged.get(name)
            merged[name] = value if known is None else known if known is value else choice(known, value)
    frame.env.names = merged
    ends = {end for end, _ in ways}
    if BlockEnd.FALLS_THROUGH in ends:
        return BlockEnd.FALLS_THROUGH
    return BlockEnd.LEAVES_FUNCTION if ends == {BlockEnd.LEAVES_FUNCTION} else BlockEnd.BREAKS_LOOP
