"""Builtins and well-known functions: each gives None where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    MAX_ITEMS,
    Attr,
    Call,
    Class,
    Const,
    External,
    Function,
    Instance,
    Map,
    Op,
    Seq,
    Text,
    Value,
)
from auditor.forensics.agent_systems.attribute_values import attribute_value
from auditor.forensics.agent_systems.class_members import base_values, class_hierarchy
from auditor.forensics.agent_systems.library_names import recorded_calls
from auditor.forensics.agent_systems.value_contents import options, text_of
from auditor.forensics.agent_systems.value_properties import iterated_elements


def _sequence(_run: Interpreter, call: Call) -> Value | None:
    if not call.args:
        return Seq([], False, call.place)
    source = iterated_elements(call.args[0])
    if not source.items and source.open:
        return None
    items = list(source.items[:MAX_ITEMS])
    return Seq(items[::-1] if call.last == "reversed" else items, source.open, source.place)


def _super(run: Interpreter, _call: Call) -> Value | None:
    """The object as its base classes see it: one in the repository, else the library's class."""
    frame = run.frame
    cls = frame.owner if frame is not None else None
    node = frame.node if frame is not None else None
    if cls is None or frame is None or node is None:
        return None
    own = next((each for each in class_hierarchy(run, cls) if node in each.node.body), cls)
    me = next((value for value in frame.env.names.values() if isinstance(value, Instance) and value.cls is cls), None)
    bases = [option for base in base_values(run, own) for option in options(base)]
    for base in bases:
        if isinstance(base, Class) and me is not None:
            return Instance(base, me.attrs, None, me.seen_as or me)
    return next((base for base in bases if isinstance(base, External) and base.name not in {"ABC", "object"}), None)


def _length(run: Interpreter, call: Call) -> Value | None:
    only = call.args[0] if len(call.args) == 1 else None
    if isinstance(only, Seq) and (
        (not only.open and not only.may_be_empty) or any(only is each for each in run.looping)
    ):
        return Const(len(only.items))
    return None


def _dictionary(_run: Interpreter, call: Call) -> Value | None:
    made = Map([], False, call.place)
    for each in call.args:
        if isinstance(each, Seq) and all(isinstance(item, Seq) and len(item.items) == 2 for item in each.items):
            for item in each.items:
                assert isinstance(item, Seq)
                made.put(item.items[0], item.items[1])
            made.open = made.open or each.open
        elif not isinstance(each, Map):
            made.items.append((Op("**", (each,)), each))
            made.open = True
        else:
            made.add(each.items, open=each.open)
    made.add([(Const(name), value) for name, value in call.named])
    return made


def _enumerated(run: Interpreter, call: Call) -> Value | None:
    source = iterated_elements(call.args[0]) if call.args else Seq([], open=True)
    if call.place.unit.is_script and isinstance(call.args[0] if call.args else None, Map):
        return source  # what `forEach` of a `Map` hands over beside each value is its key
    made = Seq([Seq([Const(number), each]) for number, each in enumerate(source.items)], source.open)
    run.numbered[id(made)] = (made, source)
    return made


def _zipped(_run: Interpreter, call: Call) -> Value | None:
    columns = [iterated_elements(each) for each in call.args]
    rows = zip(*(each.items for each in columns), strict=False)
    return Seq([Seq(list(row)) for row in rows], any(each.open for each in columns))


def _pairs(_run: Interpreter, call: Call) -> Value | None:
    source = iterated_elements(call.args[0]) if call.args else Seq([], open=True)
    pairs = zip(source.items, source.items[1:], strict=False)
    return Seq([Seq(list(each)) for each in pairs], source.open)


def _chained(_run: Interpreter, call: Call) -> Value | None:
    made = Seq([])
    for each in call.args:
        made.add(iterated_elements(each))
    return made


def _partial(_run: Interpreter, call: Call) -> Value | None:
    target = call.args[0] if call.args else None
    if isinstance(target, Function):
        return Function(
            target.unit,
            target.node,
            target.env,
            target.bound,
            (*target.preset, *call.args[1:]),
            (*target.preset_named, *call.named),
        )
    if isinstance(target, (External, Attr)) and target.name.rpartition(".")[2] in recorded_calls():
        return None  # its arguments matter when it is called
    return target


def _gathered(_run: Interpreter, call: Call) -> Value | None:
    return Seq(list(call.args))


def _first_argument(_run: Interpreter, call: Call) -> Value | None:
    return call.args[0] if call.args else None


def _second_argument(_run: Interpreter, call: Call) -> Value | None:
    return call.args[1] if len(call.args) > 1 else None


def _getattr(run: Interpreter, call: Call) -> Value | None:
    name = text_of(call.args[1]) if len(call.args) > 1 else None
    return None if name is None else attribute_value(run, call.args[0], name, call.place.unit)


def _module(run: Interpreter, call: Call) -> Value | None:
    """`import_module("package.nodes." + name)`, where the name is known."""
    name, package = text_of(call.argument("name", 0)), text_of(call.argument("package", 1))
    if name is None:
        return None
    if name.startswith(".") and package:
        name = package + name
    return run.imported(name, call.place.unit)


def _string_conversion(_run: Interpreter, call: Call) -> Value | None:
    return call.args[0] if call.args and isinstance(call.args[0], (Const, Text)) else None


FUNCTIONS: dict[str, Callable[[Interpreter, Call], Value | None]] = {
    "len": _length,
    "super": _super,
    "list": _sequence,
    "tuple": _sequence,
    "set": _sequence,
    "frozenset": _sequence,
    "sorted": _sequence,
    "reversed": _sequence,
    "dict": _dictionary,
    "OrderedDict": _dictionary,
    "enumerate": _enumerated,
    "zip": _zipped,
    "chain": _chained,
    "pairwise": _pairs,
    "partial": _partial,
    "gather": _gathered,
    "cast": _second_argument,
    "getattr": _getattr,
    "import_module": _module,
    "__import__": _module,
    "str": _string_conversion,
    "asyncio.run": _first_argument,
    "wait_for": _first_argument,
    "run_until_complete": _first_argument,
    "deepcopy": _first_argument,
    "dedent": _first_argument,
    "cleandoc": _first_argument,
    "wraps": lambda _run, _call: External("functools.wraps"),
    "RunnableLambda": lambda _run, call: call.argument("func", 0),
    "traceable": _first_argument,
}
