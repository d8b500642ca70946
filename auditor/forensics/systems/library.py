"""What calls of known things give: builtins, containers, texts, `functools`, `asyncio`, and the graph builder."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.systems import files, prebuilt
from auditor.forensics.systems.program import FunctionDefinition, inside, statements
from auditor.forensics.systems.values import (
    Attr,
    Builder,
    Call,
    Choice,
    Class,
    Compiled,
    Const,
    External,
    Function,
    Instance,
    Item,
    Map,
    Op,
    Seq,
    Step,
    Text,
    Unknown,
    Value,
    Yielded,
    choice,
    constant,
    options,
    text_of,
)

if TYPE_CHECKING:
    from auditor.forensics.systems.interpreter import Frame, Interpreter

BUILTINS = frozenset(dir(builtins))
BUILDERS = frozenset({"StateGraph", "MessageGraph", "Graph"})
STEPS = frozenset(
    {"add_node", "add_edge", "add_conditional_edges", "add_sequence", "set_entry_point", "set_finish_point",
     "set_conditional_entry_point", "add_conditional_edge", "add_edges", "add_nodes"}
)  # fmt: skip
RUNS = frozenset({"run", "Popen", "call", "check_call", "check_output", "system", "popen", "getoutput", "getstatusoutput",
                  "create_subprocess_exec", "create_subprocess_shell", "execvp", "spawnlp"})  # fmt: skip
CLONES = frozenset({"clone_from", "clone", "clone_repository", "clone_repo"})
ASKS = frozenset(
    {"invoke", "ainvoke", "batch", "abatch", "stream", "astream", "create", "parse", "completion", "acompletion", "generate",
     "agenerate", "predict", "apredict", "generate_content", "generate_content_async", "chat", "complete", "acomplete", "run_sync",
     "run", "run_stream", "structured_predict", "generateObject", "generateText", "streamObject", "streamText", "create_with_completion", "send_message", "__call__", "predict_messages", "chat_completion"}
)  # fmt: skip
WRITES = frozenset({"write_text", "write", "writelines", "open", "write_bytes", "dump", "print"})
POSTS = frozenset({"post", "request", "urlopen", "fetch", "apost"})
"""Requests by HTTP, which may ask a model as well."""
CUTS = frozenset({"split", "rsplit", "partition", "rpartition", "splitlines"})
"""Methods that take a text apart."""
WATCHED = (
    RUNS
    | CUTS
    | CLONES
    | ASKS
    | POSTS
    | WRITES
    | {"rmtree", "cleanup", "loads", "model_validate_json", "parse_raw", "search", "findall", "literal_eval"}
)
READS = frozenset(
    {
        "read_text",
        "read",
        "safe_load",
        "load",
        "loads",
        "full_load",
        "get_template",
        "from_file",
        "load_prompt",
        "render",
        "from_template",
    }
)
OFFERED: dict[str, frozenset[str]] = {
    "operator": frozenset({"add", "iadd", "ior", "or_", "concat", "iconcat", "and_", "mul"}),
    "langgraph.graph": frozenset({"StateGraph", "START", "END", "MessagesState", "add_messages", "MessageGraph"}),
    "langgraph.types": frozenset({"Send", "Command", "interrupt", "RetryPolicy"}),
    "pydantic": frozenset({"BaseModel", "Field", "ConfigDict", "ValidationError", "field_validator"}),
}
"""What libraries offer that are imported whole, where a file imports several of them so."""
_PASSES_ON = frozenset(
    {
        "to_thread",
        "submit",
        "run_in_executor",
        "run_sync",
        "map",
        "start_soon",
        "create_task",
        "Thread",
        "retry",
        "call",
    }
)
_SETTINGS = frozenset({"with_config", "with_retry", "bind", "with_fallbacks"})
"""Methods that give a runnable back with other settings."""
_MAX_RANGE = 32
_MAX_ITEMS = 2_000
_MAX_STEPS = 10_000


def truth(value: Value) -> bool | None:
    """Is it true for sure, false for sure, or up to the run?"""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Function, Class, Instance, Builder, Compiled)):
        return True
    if isinstance(value, Seq) and value.items and not value.open and not value.unsure:
        return True
    if isinstance(value, External) and value.name.rpartition(".")[2] == "TYPE_CHECKING":
        return True
    return None


def listed(value: Value, *, count: bool = False) -> Seq:
    """The elements one gets by going through a value; with `count`, a short range counts up.

    A script's `Map` gives pairs where a dictionary gives keys.
    """
    found = Seq([], open=True)
    if isinstance(value, Seq):
        found = value
    elif isinstance(value, Map):
        pairs = value.place is not None and value.place.unit.script
        found = Seq([Seq([key, each]) if pairs else key for key, each in value.items], value.open)
    elif isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= _MAX_RANGE:
        found = Seq([Const(letter) for letter in value.value])
    elif isinstance(value, Yielded):
        found = Seq(list(value.values), open=True)
    elif isinstance(value, Choice):
        found = Seq([item for each in value.options for item in listed(each, count=count).items], open=True)
    elif isinstance(value, Class):
        members = [each for name, each in value.env.names.items() if not name.startswith("_")]
        found = Seq([each for each in members if isinstance(each, Const)])
    elif isinstance(value, Call) and value.name == "range" and count:
        found = _counted(value) or found
    return found


def _counted(call: Call) -> Seq | None:
    """The numbers of a `range` with known bounds, up to a limit."""
    bounds = [constant(each) for each in call.args]
    whole = [each for each in bounds if isinstance(each, int)]
    if len(whole) != len(bounds) or not 1 <= len(whole) <= 3 or (len(whole) == 3 and whole[2] == 0):
        return None
    return Seq([Const(number) for number in range(*whole)[:_MAX_RANGE]])


def builds(loop: ast.AST) -> bool:
    """Does a loop add to a graph or to a list, so that each of its turns matters?"""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and (each.func.attr in STEPS or each.func.attr == "append")
        for each in inside(loop)
    )


def whole(body: Sequence[ast.stmt]) -> bool:
    """Does every turn of a loop come to the end of its block, or to an error?"""
    return not any(isinstance(each, (ast.Break, ast.Continue, ast.Return)) for each in statements(body))


def conditional(body: Sequence[ast.stmt]) -> bool:
    """Does a block end early only on a condition?"""
    return not any(isinstance(each, (ast.Return, ast.Raise)) for each in body)


def decorated(function: Function, names: Iterable[str]) -> bool:
    """Does it carry a decorator of such a name?"""
    wanted = set(names)
    for each in getattr(function.node, "decorator_list", ()):
        node = each.func if isinstance(each, ast.Call) else each
        if (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in wanted:
            return True
    return False


def entered(run: Interpreter, value: Value) -> Value:
    """What `with` binds."""
    if isinstance(value, Yielded):
        return choice(*value.values)
    if isinstance(value, Instance):
        start = run.method(value, "__enter__") or run.method(value, "__aenter__")
        if isinstance(start, Function):
            return run.call(start, (), (), None)
        return value
    if isinstance(value, (Compiled, Builder)):
        return value
    return Op("with", (value,))


def called(run: Interpreter, call: Call, frame: Frame) -> Value:
    """What a call gives."""
    func = call.func
    if isinstance(func, Choice):
        return choice(*(called(run, Call(each, call.args, call.named, call.place), frame) for each in func.options[:4]))
    if isinstance(func, Instance):
        func = run.method(func, "__call__") or func
    found: Value | None = None
    if isinstance(func, Function):
        found = run.call(func, call.args, call.named, call.place)
    elif isinstance(func, Class):
        found = _made(run, func, call, frame)
    elif isinstance(func, External):
        known = _FUNCTIONS.get(func.name) or _FUNCTIONS.get(func.name.rpartition(".")[2])
        found = (known(run, call) if known is not None else None) or _external(run, call, frame)
    elif isinstance(func, Attr):
        found = _method(run, call, func)
    elif isinstance(func, Call):
        found = _of_made(run, call, func)
    return _outside(run, call) if found is None else found


def _of_made(run: Interpreter, call: Call, func: Call) -> Value | None:
    """A call of what `partial` or Node's `promisify` made of something outside the repository."""
    inner = func.args[0] if func.args else None
    if func.last == "partial" and isinstance(inner, (External, Attr)):
        return _outside(run, Call(inner, (*func.args[1:], *call.args), (*func.named, *call.named), call.place))
    if func.last != "promisify" or not isinstance(inner, External) or "child_process" not in inner.name:
        return None
    args = call.args
    if inner.name.endswith("execFile") and args:
        words = args[1] if len(args) > 1 else Seq([])
        args = (Seq([args[0], *listed(words).items], listed(words).open, call.place),)
    return _outside(run, Call(External("subprocess.run"), args, call.named, call.place))


def _made(run: Interpreter, cls: Class, call: Call, frame: Frame) -> Value:
    made = run.instantiate(cls, call.args, call.named, call.place)
    if isinstance(made, Instance) and any(is_builder(base) for each in run.lineage(cls) for base in run.bases(each)):
        made.attrs["__builder__"] = _builder(run, call, frame)
    return made


def is_builder(value: Value) -> bool:
    """Is it the class of a graph builder?"""
    return isinstance(value, External) and "langgraph" in value.name and value.name.rpartition(".")[2] in BUILDERS


def _builder(run: Interpreter, call: Call, frame: Frame) -> Builder:
    made = Builder(call.place, call.args, call.named, within=_within(frame), led_by=run.under_way)
    if not run.reading:
        run.builders.append(made)
        run.built.add(call.place.node)
    return made


def _within(frame: Frame) -> FunctionDefinition | None:
    return frame.node if isinstance(frame.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else None


def _external(run: Interpreter, call: Call, frame: Frame) -> Value:
    if is_builder(call.func):
        return _builder(run, call, frame)
    laid_out = prebuilt.made(call)
    if laid_out is not None and not run.reading:
        laid_out.within = _within(frame)
        laid_out.led_by = run.under_way
        run.builders.append(laid_out)
        run.built.add(call.place.node)
        _outside(run, call)
        return prebuilt.result(laid_out)
    if call.last in READS:
        found = files.read(run, call)
        if found is not None:
            return found
    return _outside(run, call)


def _outside(run: Interpreter, call: Call) -> Value:
    """A call of something not in the repository; functions handed to it are followed as it would call them."""
    run.record(call)
    values = (*call.args, *(value for _, value in call.named))
    functions = [each for each in values if isinstance(each, Function)]
    if not functions and call.last in _PASSES_ON:
        _passed_on(run, call)
    if functions and call.last in _PASSES_ON:
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


def _passed_on(run: Interpreter, call: Call) -> None:
    """Something outside the repository that another thread is to call: `to_thread(Repo.clone_from, url, folder)`."""
    for position, each in enumerate(call.args[:3]):
        if isinstance(each, Call) and each.last == "partial":
            _of_made(run, Call(each, call.args[position + 1 :], call.named, call.place), each)
            return
        if isinstance(each, (External, Attr)) and each.name.rpartition(".")[2] in WATCHED:
            run.record(Call(each, call.args[position + 1 :], call.named, call.place))
            return


def _method(run: Interpreter, call: Call, func: Attr) -> Value:
    base = func.base
    if isinstance(base, Instance) and "__builder__" in base.attrs:
        base = base.attrs["__builder__"]
    if isinstance(base, Builder):
        return _step(run, call, base, func.name)
    if isinstance(base, Compiled):
        return _of_compiled(run, call, base, func.name)
    if isinstance(base, Function) and func.name in _SETTINGS:
        return base
    found = _METHODS[func.name](run, call, base) if func.name in _METHODS else None
    if found is None and isinstance(base, (Seq, Map)):
        base.open = True  # something was done to it that is not followed
    if found is None and func.name == "cast" and len(call.args) == 2:
        return call.args[1]
    if found is None and func.name in READS:
        found = files.read(run, call)
    return _outside(run, call) if found is None else found


def _step(run: Interpreter, call: Call, base: Builder, method: str) -> Value:
    if method == "compile":
        base.compiled = True
        base.name = text_of(call.argument("name")) or base.name
        return Compiled(base)
    if method in STEPS and len(base.steps) < _MAX_STEPS:
        base.steps.append(Step(method, call))
        run.built.add(call.place.node)
    return base


def _of_compiled(run: Interpreter, call: Call, base: Compiled, method: str) -> Value:
    if method in ASKS or method in {"astream_events", "get_state"}:
        base.builder.started = True
        base.builder.called_in.add(run.context)
        run.record(call)
        return call
    if method in _SETTINGS:
        return base
    return call


# -- builtins and well-known functions: give None where they have nothing to say ------------------------------------


def _sequence(_run: Interpreter, call: Call) -> Value | None:
    if not call.args:
        return Seq([], False, call.place)
    source = listed(call.args[0])
    if not source.items and source.open:
        return None
    items = list(source.items[:_MAX_ITEMS])
    return Seq(items[::-1] if call.last == "reversed" else items, source.open, source.place)


def _super(run: Interpreter, _call: Call) -> Value | None:
    """The object as its base classes see it: one in the repository, else the library's class."""
    frame = run.frame
    cls = frame.owner if frame is not None else None
    node = frame.node if frame is not None else None
    if cls is None or frame is None or node is None:
        return None
    own = next((each for each in run.lineage(cls) if node in each.node.body), cls)
    me = next((value for value in frame.env.names.values() if isinstance(value, Instance) and value.cls is cls), None)
    bases = [option for base in run.bases(own) for option in options(base)]
    for base in bases:
        if isinstance(base, Class) and me is not None:
            return Instance(base, me.attrs, None, me.seen_as or me)
    return next((base for base in bases if isinstance(base, External) and base.name not in {"ABC", "object"}), None)


def _length(run: Interpreter, call: Call) -> Value | None:
    only = call.args[0] if len(call.args) == 1 else None
    if isinstance(only, Seq) and ((not only.open and not only.unsure) or any(only is each for each in run.looping)):
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
            made.items += each.items
            made.open = made.open or each.open
    made.items += [(Const(name), value) for name, value in call.named]
    return made


def _enumerated(run: Interpreter, call: Call) -> Value | None:
    source = listed(call.args[0]) if call.args else Seq([], open=True)
    if call.place.unit.script and isinstance(call.args[0] if call.args else None, Map):
        return source  # what `forEach` of a `Map` hands over beside each value is its key
    made = Seq([Seq([Const(number), each]) for number, each in enumerate(source.items)], source.open)
    run.numbered[id(made)] = (made, source)
    return made


def _zipped(_run: Interpreter, call: Call) -> Value | None:
    columns = [listed(each) for each in call.args]
    rows = zip(*(each.items for each in columns), strict=False)
    return Seq([Seq(list(row)) for row in rows], any(each.open for each in columns))


def _pairs(_run: Interpreter, call: Call) -> Value | None:
    source = listed(call.args[0]) if call.args else Seq([], open=True)
    pairs = zip(source.items, source.items[1:], strict=False)
    return Seq([Seq(list(each)) for each in pairs], source.open)


def _chained(_run: Interpreter, call: Call) -> Value | None:
    parts = [listed(each) for each in call.args]
    return Seq([item for each in parts for item in each.items], any(each.open for each in parts))


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
    if isinstance(target, (External, Attr)) and target.name.rpartition(".")[2] in WATCHED:
        return None  # its arguments matter when it is called
    return target


def _gathered(_run: Interpreter, call: Call) -> Value | None:
    return Seq(list(call.args))


def _first(_run: Interpreter, call: Call) -> Value | None:
    return call.args[0] if call.args else None


def _second(_run: Interpreter, call: Call) -> Value | None:
    return call.args[1] if len(call.args) > 1 else None


def _got(run: Interpreter, call: Call) -> Value | None:
    from auditor.forensics.systems.expressions import attribute

    name = text_of(call.args[1]) if len(call.args) > 1 else None
    return None if name is None else attribute(run, call.args[0], name, call.place.unit)


def _module(run: Interpreter, call: Call) -> Value | None:
    """`import_module("package.nodes." + name)`, where the name is known."""
    name, package = text_of(call.argument("name", 0)), text_of(call.argument("package", 1))
    if name is None:
        return None
    if name.startswith(".") and package:
        name = package + name
    return run.imported(name, call.place.unit)


def _spelled(_run: Interpreter, call: Call) -> Value | None:
    return call.args[0] if call.args and isinstance(call.args[0], (Const, Text)) else None


_FUNCTIONS: dict[str, Callable[[Interpreter, Call], Value | None]] = {
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
    "cast": _second,
    "getattr": _got,
    "import_module": _module,
    "__import__": _module,
    "str": _spelled,
    "asyncio.run": _first,
    "wait_for": _first,
    "run_until_complete": _first,
    "deepcopy": _first,
    "dedent": _first,
    "cleandoc": _first,
    "wraps": lambda _run, _call: External("functools.wraps"),
    "RunnableLambda": lambda _run, call: call.argument("func", 0),
    "traceable": _first,
}


# -- methods of containers and texts -----------------------------------------------------------------------------------


def _append(run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, Seq) or not call.args:
        return None
    base.unsure = base.unsure or run.branching
    if len(base.items) < _MAX_ITEMS:
        base.items.append(call.args[-1])
    return Const(None)


def _extend(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Seq) and call.args:
        more = listed(call.args[0])
        base.items += more.items[: max(0, _MAX_ITEMS - len(base.items))]
        base.open = base.open or more.open
        base.unsure = base.unsure or more.unsure or _run.branching
        return Const(None)
    if isinstance(base, Map) and call.args:
        _update(_run, call, base)
        return Const(None)
    return None


def _update(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, Map):
        return None
    for each in call.args:
        if isinstance(each, Map):
            for key, value in each.items:
                base.put(key, value)
            base.open = base.open or each.open
        else:
            base.open = True
    for name, value in call.named:
        base.put(Const(name), value)
    return Const(None)


def _get(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Map) and call.args:
        from auditor.forensics.systems.expressions import element

        if not isinstance(call.args[0], Const):
            return choice(element(base, call.args[0]), *call.args[1:2])
        found = base.get(constant(call.args[0]))
        if found is not None:
            return found
        return call.args[1] if len(call.args) > 1 and not base.open else None
    if isinstance(base, (Unknown, Item, Attr, Op)) and call.args:
        taken = Item(base, call.args[0])
        return choice(taken, call.args[1]) if len(call.args) > 1 and isinstance(call.args[1], Const) else taken
    return None


def _set(_run: Interpreter, call: Call, base: Value) -> Value | None:
    """`map.set(key, value)` of a script."""
    if isinstance(base, Map) and call.place.unit.script and len(call.args) == 2:
        base.put(*call.args)
        return base
    return None


def _items(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Class) and base.unit.script:  # `Object.values(Names)` of an enumeration
        members = [(name, each) for name, each in base.env.names.items() if isinstance(each, Const)]
        base = Map([(Const(name), each) for name, each in members], False)
    if not isinstance(base, Map):
        return None
    method = call.last
    pairs: dict[str, list[Value]] = {
        "items": [Seq([key, value]) for key, value in base.items],
        "entries": [Seq([key, value]) for key, value in base.items],
        "keys": [key for key, _ in base.items],
        "values": [value for _, value in base.items],
    }
    return Seq(pairs[method], base.open)


def _copied(_run: Interpreter, _call: Call, base: Value) -> Value | None:
    if isinstance(base, Map):
        return Map(list(base.items), base.open, base.place)
    return Seq(list(base.items), base.open, base.place) if isinstance(base, Seq) else None


def _joined(_run: Interpreter, call: Call, base: Value) -> Value | None:
    glue = text_of(base)
    if glue is None or not call.args:
        return None
    parts: list[Value] = []
    for each in listed(call.args[0]).items:
        parts += [Const(glue), each] if parts else [each]
    return Text(tuple(parts)) if parts else None


def _formatted(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, (Const, Text)):
        return None
    return Op("format", (base, *call.args, *(value for _, value in call.named)))


def _cased(_run: Interpreter, call: Call, base: Value) -> Value | None:
    text = text_of(base)
    if text is None:
        return None
    if call.last in {"lower", "upper", "strip", "title", "casefold", "lstrip", "rstrip"} and not call.args:
        return Const(getattr(text, call.last)(), base.place if isinstance(base, Const) else None)
    if call.last == "replace" and len(call.args) == 2:
        old, new = (text_of(each) for each in call.args)
        if old and new is not None and len(new) <= max(len(old), 40):
            return Const(text.replace(old, new), base.place if isinstance(base, Const) else None)
    if call.last == "split" and len(text) < 10_000:
        mark = text_of(call.args[0]) if call.args else None
        return Seq([Const(each) for each in text.split(mark or None)]) if not call.args or mark else None
    return None


_METHODS: dict[str, Callable[[Interpreter, Call, Value], Value | None]] = {
    "append": _append,
    "add": _append,
    "insert": _append,
    "appendleft": _append,
    "extend": _extend,
    "update": _extend,
    "get": _get,
    "set": _set,
    "entries": _items,
    "items": _items,
    "keys": _items,
    "values": _items,
    "copy": _copied,
    "join": _joined,
    "format": _formatted,
    **dict.fromkeys(("lower", "upper", "strip", "title", "casefold", "lstrip", "rstrip", "replace", "split"), _cased),
}
