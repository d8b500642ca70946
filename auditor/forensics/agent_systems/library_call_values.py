"""What calls of known things give: builtins, containers, texts, `functools`, `asyncio`, and the graph builder."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems import data_files, prebuilt_graphs
from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Builder,
    Call,
    Choice,
    Class,
    Compiled,
    External,
    Function,
    Instance,
    Item,
    Map,
    Op,
    Seq,
    Step,
    Unknown,
    Value,
    Yielded,
)
from auditor.forensics.agent_systems.builtin_call_values import FUNCTIONS
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.class_members import find_method, instantiate
from auditor.forensics.agent_systems.container_method_values import METHODS
from auditor.forensics.agent_systems.library_names import known_names, recorded_calls
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import choice, text_of
from auditor.forensics.agent_systems.value_properties import iterated_elements

_MAX_STEPS = 10_000
"""Steps by which one graph is laid out."""
_MAX_FOLLOWED_CALLEES = 4
_MAX_CALLEES = 12
"""Things that one name may stand for which are called: the project's own, and all."""
_SETTINGS_METHODS = frozenset({"with_config", "with_retry", "bind", "with_fallbacks"})
"""Methods that give a runnable back with other settings."""


def with_value(run: Interpreter, value: Value) -> Value:
    """What `with` binds."""
    if isinstance(value, Yielded):
        return choice(*value.values)
    if isinstance(value, Instance):
        start = find_method(run, value, "__enter__") or find_method(run, value, "__aenter__")
        if isinstance(start, Function):
            return run.call(start, (), (), None)
        return value
    if isinstance(value, (Compiled, Builder)):
        return value
    return Op("with", (value,))


def call_value(run: Interpreter, call: Call, frame: Frame) -> Value:
    """What a call gives."""
    func = call.func
    if isinstance(func, Choice):
        return choice(
            *(call_value(run, Call(each, call.args, call.named, call.place), frame) for each in _callable_values(func))
        )
    if isinstance(func, Instance):
        func = find_method(run, func, "__call__") or func
    found: Value | None = None
    if isinstance(func, Function):
        found = run.call(func, call.args, call.named, call.place)
    elif isinstance(func, Class):
        found = instantiate(run, func, call.args, call.named, call.place)
    elif isinstance(func, External):
        known = FUNCTIONS.get(func.name) or FUNCTIONS.get(func.name.rpartition(".")[2])
        found = (known(run, call) if known is not None else None) or _external_call_value(run, call, frame)
    elif isinstance(func, Attr):
        found = _method_call_value(run, call, func)
    elif isinstance(func, Call):
        found = _wrapped_call_value(run, call, func)
    return _outside_call_value(run, call) if found is None else found


def _callable_values(func: Choice) -> list[Value]:
    """The things that may be called: few of the project's own, since each is followed, and more of what is outside."""
    own = [each for each in func.options if isinstance(each, (Function, Class, Instance))]
    dropped = {id(each) for each in own[_MAX_FOLLOWED_CALLEES:]}
    return [each for each in func.options if id(each) not in dropped][:_MAX_CALLEES]


def _wrapped_call_value(run: Interpreter, call: Call, func: Call) -> Value | None:
    """A call of what `partial` or Node's `promisify` made of something outside the repository."""
    inner = func.args[0] if func.args else None
    if func.last == "partial" and isinstance(inner, (External, Attr)):
        return _outside_call_value(
            run, Call(inner, (*func.args[1:], *call.args), (*func.named, *call.named), call.place)
        )
    if func.last != "promisify" or not isinstance(inner, External) or "child_process" not in inner.name:
        return None
    args = call.args
    if inner.name.endswith("execFile") and args:
        words = args[1] if len(args) > 1 else Seq([])
        args = (Seq([args[0], *iterated_elements(words).items], iterated_elements(words).open, call.place),)
    return _outside_call_value(run, Call(External("subprocess.run"), args, call.named, call.place))


def builds_graph_or_list(loop: ast.AST) -> bool:
    """Does a loop add to a graph or to a list, so that each of its turns matters?"""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and (each.func.attr in known_names("builder_methods") or each.func.attr == "append")
        for each in descendants(loop)
    )


def is_builder(value: Value) -> bool:
    """Is it the class of a graph builder?"""
    return (
        isinstance(value, External)
        and "langgraph" in value.name
        and value.name.rpartition(".")[2] in known_names("builders")
    )


def _builder_value(run: Interpreter, call: Call, frame: Frame) -> Builder:
    made = Builder(
        call.place, call.args, call.named, within=_enclosing_function(frame), caller_names=run.active_functions
    )
    if not run.reading:
        run.builders.append(made)
        run.built.add(call.place.node)
    return made


def _enclosing_function(frame: Frame) -> FunctionDefinition | None:
    return frame.node if isinstance(frame.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else None


def _external_call_value(run: Interpreter, call: Call, frame: Frame) -> Value:
    if is_builder(call.func):
        return _builder_value(run, call, frame)
    laid_out = prebuilt_graphs.prebuilt_builder(call)
    if laid_out is not None and not run.reading:
        laid_out.within = _enclosing_function(frame)
        laid_out.caller_names = run.active_functions
        run.builders.append(laid_out)
        run.built.add(call.place.node)
        _outside_call_value(run, call)
        return prebuilt_graphs.prebuilt_result(laid_out)
    if call.last in known_names("file_read_calls"):
        found = data_files.read_call_value(run, call)
        if found is not None:
            return found
    return _outside_call_value(run, call)


def _outside_call_value(run: Interpreter, call: Call) -> Value:
    """A call of something not in the repository; functions passed to it are followed as it would call them."""
    run.record(call)
    values = (*call.args, *(value for _, value in call.named))
    functions = [each for each in values if isinstance(each, Function)]
    if not functions and call.last in known_names("thread_calls"):
        _thread_call_value(run, call)
    if functions and call.last in known_names("thread_calls"):
        position = values.index(functions[0])
        given = (
            call.args[position + 1 :]
            if call.last != "map"
            else [Item(each, Unknown()) for each in call.args[position + 1 :]]
        )
        return run.call(functions[0], given, call.named, call.place)
    for each in functions:
        if not run.entered.get(each.node):
            run.call(each, (), (), None)
    return call


def _thread_call_value(run: Interpreter, call: Call) -> None:
    """Something outside the repository that another thread is to call: `to_thread(Repo.clone_from, url, folder)`."""
    for position, each in enumerate(call.args[:3]):
        if isinstance(each, Call) and each.last == "partial":
            _wrapped_call_value(run, Call(each, call.args[position + 1 :], call.named, call.place), each)
            return
        if isinstance(each, (External, Attr)) and each.name.rpartition(".")[2] in recorded_calls():
            run.record(Call(each, call.args[position + 1 :], call.named, call.place))
            return


def _method_call_value(run: Interpreter, call: Call, func: Attr) -> Value:
    base = func.base
    if isinstance(base, Builder):
        return _builder_step_value(run, call, base, func.name)
    if isinstance(base, Compiled):
        return _compiled_call_value(run, call, base, func.name)
    if isinstance(base, Function) and func.name in _SETTINGS_METHODS:
        return base
    found = METHODS[func.name](run, call, base) if func.name in METHODS else None
    if found is None and isinstance(base, (Seq, Map)):
        base.open = True  # something was done to it that is not followed
    if found is None and func.name == "cast" and len(call.args) == 2:
        return call.args[1]
    if found is None and func.name in known_names("file_read_calls"):
        found = data_files.read_call_value(run, call)
    return _outside_call_value(run, call) if found is None else found


def _builder_step_value(run: Interpreter, call: Call, base: Builder, method: str) -> Value:
    if method == "compile":
        base.is_compiled = True
        base.name = text_of(call.argument("name")) or base.name
        return Compiled(base)
    if method in known_names("builder_methods") and len(base.steps) < _MAX_STEPS:
        base.steps.append(Step(method, call))
        run.built.add(call.place.node)
    return base


def _compiled_call_value(run: Interpreter, call: Call, base: Compiled, method: str) -> Value:
    if method in known_names("model_calls") or method in {"astream_events", "get_state"}:
        base.builder.started = True
        base.builder.called_in.add(run.context)
        run.record(call)
        return call
    if method in _SETTINGS_METHODS:
        return base
    return call
