"""Records that a file builds as dicts and hands to functions whose parameters say nothing of their type.

In most files no function reads four different constant keys of one name, and only those that do are looked at more closely.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import NamedTuple

from auditor.forensics.python.parsed_module import Module, Scope, inside, own_statements
from auditor.forensics.python.scope_bindings import FunctionNode, last_name
from auditor.forensics.python.unknown_value import UNKNOWN

KEYS = 4
"""Different constant keys read from one name from which a dict is a record in disguise."""
_TAKEN = re.compile(r"\[\s*[\"'](\w+)[\"']")
_ASKED = re.compile(r"\.get\(\s*[\"'](\w+)[\"']")
ASKING = frozenset({"get", "pop", "setdefault"})
"""Methods that take a key."""
_OF_NAMES = f"{ascii_letters}{digits}_"
_LONGEST = 200
"""Letters of a name that is looked at."""
_FIELD = re.compile(r"[A-Za-z_]\w*")
_OF_DICTS = frozenset({"get", "items", "keys", "values", "update", "pop", "setdefault", "copy", "popitem", "clear"})
"""What is asked of a dict; whoever asks for more has something else, such as a data frame."""
_OF_COLUMNS = frozenset({"DataFrame", "LazyFrame", "Series", "Dataset", "Table", "from_dict", "from_pydict", "assign", "agg", "astype", "rename"})  # fmt: skip
"""Calls to which a dict says something of columns."""


@dataclass(frozen=True)
class Built:
    """A dict that is written out: its keys that could be names of fields, and its lines."""

    keys: frozenset[str]
    first: int
    last: int


def built(module: Module) -> tuple[Built, ...]:
    """Every dict that the file writes out with as many constant keys as a record has; none where nobody reads so many of one name."""
    known = module.memory.get(built)
    if isinstance(known, tuple):
        return known
    written = tuple(_written_out(module))
    result = written if written and _much_is_read(module.source) else ()
    module.memory[built] = result
    return result


def _much_is_read(source: str) -> bool:
    """Are as many constant keys read of one name as a record has, whatever it stands for in each place?"""
    if source.count('["') + source.count("['") + source.count(".get(") < KEYS:
        return False
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for found in (*_TAKEN.finditer(source), *_ASKED.finditer(source)):
        before = source[max(0, found.start() - _LONGEST) : found.start()]
        name = before[len(before.rstrip(_OF_NAMES)) :]  # what of it is not ASCII makes names alike, and costs a look
        if name or before[-1:].isalnum():
            keys[name].add(found[1])
    return any(len(seen) >= KEYS for seen in keys.values())


def reading_records(module: Module) -> set[ast.AST]:
    """The functions that read a constant key of a name of which the file reads as many as a record has; worked out once a file."""
    known = module.memory.get(reading_records)
    if isinstance(known, set):
        return known
    keys: defaultdict[str, set[str]] = defaultdict(set)
    places: defaultdict[str, set[Scope]] = defaultdict(set)
    for owner, key, scope in _readings(module):
        if type(owner) is ast.Name and type(key) is ast.Constant and isinstance(key.value, str):
            keys[owner.id].add(key.value)
            places[owner.id].add(scope)
    result: set[ast.AST] = set()
    module.memory["dict_records.names"] = frozenset(name for name, seen in keys.items() if len(seen) >= KEYS)
    for name, seen in keys.items():
        for scope in places[name] if len(seen) >= KEYS else ():
            place: Scope | None = scope
            while place is not None and place.node not in result:
                result.add(place.node)
                place = place.parent
    module.memory[reading_records] = result
    return result


def _readings(module: Module) -> Iterator[tuple[ast.expr, ast.expr, Scope]]:
    """Owner and key of every `owner[key]` and `owner.get(key)`, and where it stands."""
    for subscript, scope in module.nodes[ast.Subscript]:
        yield subscript.value, subscript.slice, scope
    for name in ASKING:
        for call, scope in module.calls.get(name, ()):
            if call.args and isinstance(call.func, ast.Attribute):
                yield call.func.value, call.args[0], scope


def _written_out(module: Module) -> Iterator[Built]:
    columns = (call for name in _OF_COLUMNS & module.calls.keys() for call, _ in module.calls[name])
    of_columns = {id(each) for call in columns for each in (*call.args, *(named.value for named in call.keywords))}
    for call, _ in module.calls.get("dict", ()):
        if len(call.keywords) >= KEYS:
            keys = frozenset(each.arg for each in call.keywords if each.arg is not None)
            yield Built(keys, call.lineno, call.end_lineno or call.lineno)
    for node, _ in module.nodes[ast.Dict]:
        if len(node.keys) >= KEYS and id(node) not in of_columns:
            texts = (each.value for each in node.keys if isinstance(each, ast.Constant))
            keys = frozenset(each for each in texts if isinstance(each, str) and _FIELD.fullmatch(each))
            if len(keys) >= KEYS:
                yield Built(keys, node.lineno, node.end_lineno or node.lineno)


def is_built(keys: Collection[str], function: ast.AST, module: Module) -> bool:
    """Does the file, outside of the function, write out a dict with enough of these keys?"""
    first, last = getattr(function, "lineno", 0), getattr(function, "end_lineno", 0) or 0
    return any(len(each.keys & set(keys)) >= KEYS and not first <= each.first <= last for each in built(module))


def drawn(loop: ast.For | ast.AsyncFor | ast.comprehension, lists: Collection[str]) -> set[str]:
    """The names that a loop gives to what it draws from one of the lists, which may be dicts: also where it counts, sorts or cuts them, or takes what a key holds."""
    source: ast.expr = loop.iter
    target: ast.expr = loop.target
    for _ in range(_MOST_WRAPS):
        if isinstance(source, ast.Call):
            called, owner = last_name(source.func), source.func
            if isinstance(owner, ast.Attribute) and called in {"values", "copy", "get"}:
                source = owner.value
            elif not source.args or isinstance(owner, ast.Attribute):
                return set()
            elif called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) > 1:
                source, target = source.args[0], target.elts[1]
            elif called in _SAME_ITEMS:
                source = source.args[-1 if called == "filter" else 0]
            else:
                return set()
        elif isinstance(source, ast.Subscript):
            source = source.value
        elif isinstance(source, ast.BoolOp):
            source = source.values[0]
        else:
            break
    if isinstance(source, ast.Name) and isinstance(target, ast.Name) and source.id in lists:
        return {target.id}
    return set()


_MOST_WRAPS = 4
_SAME_ITEMS = frozenset({"sorted", "reversed", "list", "tuple", "filter", "iter", "tqdm"})
"""Calls whose result holds what they are given, in one order or another."""


class _Uses(NamedTuple):
    """What a function does with names."""

    keys: Mapping[str, set[str]]
    """The constant keys read or written of each; what goes right into an object of a class is not counted."""
    read: Mapping[str, set[str]]
    """Those of them that are read."""
    loops: tuple[ast.For | ast.AsyncFor | ast.comprehension, ...]
    no_dicts: frozenset[str]
    """Those of which it wants what no dict has."""


def _uses(function: ast.AST, module: Module) -> _Uses:
    """One walk for all that is asked; worked out once a function."""
    known = module.memory.get(("dict_records.uses", function))
    if isinstance(known, _Uses):
        return known
    keys: defaultdict[str, set[str]] = defaultdict(set)
    read: defaultdict[str, set[str]] = defaultdict(set)
    converted: set[int] = set()
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = []
    no_dicts: set[str] = set()
    for each in inside(function):
        if isinstance(each, ast.Call) and _makes_an_object(each):
            converted.update(
                id(held) for given in (*each.args, *(named.value for named in each.keywords)) for held in inside(given)
            )
        if isinstance(each, (ast.Subscript, ast.Call)) and id(each) not in converted:
            owner, key = access(each)
            if isinstance(owner, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
                keys[owner.id].add(key.value)
                if not isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del)):
                    read[owner.id].add(key.value)
        elif isinstance(each, (ast.For, ast.AsyncFor, ast.comprehension)):
            loops.append(each)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.attr not in _OF_DICTS:
            no_dicts.add(each.value.id)
    uses = _Uses(keys, read, tuple(loops), frozenset(no_dicts))
    module.memory["dict_records.uses", function] = uses
    return uses


def keys_read(function: ast.AST, parameters: Collection[str], module: Module) -> dict[str, set[str]]:
    """The constant keys that a function reads or writes of parameters, and of what loops draw from them; what goes right into an object of a class is not counted."""
    uses = _uses(function, module)
    names = set(parameters)
    for _ in range(_DEEP_LOOPS):
        for loop in uses.loops:
            names |= drawn(loop, names)
    return {name: seen for name, seen in uses.keys.items() if name in names}


def is_read(function: ast.AST, name: str, module: Module) -> bool:
    """Does a function read keys of what a name stands for, and not only put them in?"""
    return len(_uses(function, module).read.get(name, ())) >= _READ_AT_ALL


_READ_AT_ALL = 2
_DEEP_LOOPS = 2
"""Loops inside each other through which records are followed."""


def _makes_an_object(call: ast.Call) -> bool:
    name = last_name(call.func)
    return name == "cls" or (name[:1].isupper() and not name.isupper() and name not in _OF_COLUMNS)


def access(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """Owner and key of `owner[key]` or `owner.get(key)`."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None, None
    return (node.func.value, node.args[0]) if node.func.attr in ASKING else (None, None)


_READS_ALL = 5
"""Keys from which one function alone reads a record, whoever made it."""
_CONVERTS = re.compile(r"_*(?:parse|from_|decode|deserialize|unmarshal|validate_schema)|__\w+__$")
_OF_FRAMES = re.compile(
    r"^[ \t]{0,40}(?:import|from)[ \t]{1,20}(?:pandas|polars|pyspark|dask|xarray|geopandas|torch|tensorflow|keras|jax|datasets|h5py|astropy|modin|vaex|cudf|transformers|pyarrow|ROOT|uproot|awkward)\b",
    re.MULTILINE,
)
"""Libraries whose tables and batches are asked for columns as dicts are for keys."""
_OF_ANYTHING = frozenset({"value", "obj", "x", "d", "raw", "result", "data"})
"""Names that stand for something else in each function."""
_NO_RECORDS = frozenset({"df", "frame", "table", "ds", "dataset", "batch", "layout", "cfg", "conf", "options", "opts", "env", "state", "context", "ctx", "args", "mapping", "lookup",
                         "index", "cache", "registry", "translations", "messages", "labels", "os", "globals_", "namespace"})  # fmt: skip
"""Names of what has keys and is no record."""


def shared(
    module: Module, parameters: Callable[[ast.FunctionDef | ast.AsyncFunctionDef], Collection[str]]
) -> frozenset[ast.AST]:
    """The functions among which a record goes round: read by many keys in one of them, or by one name and as many keys in all of them together.

    `parameters` gives those of a function of which nothing is known, or that they are dicts.
    """
    known = module.memory.get(shared)
    if isinstance(known, frozenset):
        return known
    by_name: defaultdict[str, dict[ast.AST, set[str]]] = defaultdict(dict)
    others: set[str] = set()
    whole: set[ast.AST] = set()
    last = 0
    functions = [each for each in reading_records(module) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in sorted(functions, key=lambda each: each.lineno):
        if function.lineno <= last:
            continue  # stands in the one before
        last = function.end_lineno or function.lineno
        given = _given_records(function, module)
        taken = [name for name in (*parameters(function), *given) if name not in _NO_RECORDS]
        if not taken or _CONVERTS.match(function.name):
            continue
        others |= {_one_of(each) for each in asked_as_no_dict(function, module)}
        for name, seen in keys_read(function, taken, module).items():
            if name in given and len(seen) >= KEYS:
                whole.add(function)
            by_name[_one_of(name)].setdefault(function, set()).update(seen)
    found = whole
    for name, read in by_name.items():
        together = name not in _OF_ANYTHING and len(read) > 1 and len(set().union(*read.values())) >= KEYS
        if name not in others:
            found.update(each for each, seen in read.items() if len(seen) >= _READS_ALL or (together and len(seen) > 1))
    result = frozenset(found) if found and not _OF_FRAMES.search(module.source) else frozenset()
    module.memory[shared] = result
    return result


def _given_records(function: ast.AST, module: Module) -> set[str]:
    """The names to which a function gives what another one of the file returns as a dict that it writes out."""
    makers = module.memory.get(_given_records)
    if not isinstance(makers, dict):
        lines = {each.first for each in built(module)}
        makers = module.memory[_given_records] = _makers(module, lines)
    elsewhere = made_elsewhere(module).get(function, {})
    known = {name for name, keys in elsewhere.items() if keys}
    if not makers:
        return known
    drawing = ((each.target, each.iter) for each in _uses(function, module).loops)
    given = ((each.targets[0], each.value) for each in inside(function) if isinstance(each, ast.Assign))
    return known | {
        target.id
        for target, value in (*given, *drawing)
        if isinstance(target, ast.Name)
        and isinstance(called := value.value if isinstance(value, ast.Await) else value, ast.Call)
        and any(_is_seen(place, function) for place in makers.get(last_name(called.func), ()))
    }


def _is_seen(place: ast.AST, function: ast.AST) -> bool:
    """Does a name that is given at a place stand for the same in the function? What another function keeps inside does not."""
    if not isinstance(place, FunctionNode):
        return True
    return getattr(function, "lineno", 0) <= place.lineno <= (getattr(function, "end_lineno", 0) or 0)


def _makers(module: Module, lines: set[int]) -> Mapping[str, set[ast.AST]]:
    """The functions of the file that give back a dict which begins on one of the lines: by their names, the places where those are given."""
    makers: defaultdict[str, set[ast.AST]] = defaultdict(set)
    given: dict[ast.AST, set[int]] = {}
    for node, scope in module.nodes[ast.Dict]:
        maker = scope.node
        if len(node.keys) < KEYS or node.lineno not in lines or not isinstance(maker, FunctionNode):
            continue
        if maker not in given:
            given[maker] = {id(_given(each)) for each in own_statements(maker)}
        if id(node) in given[maker]:
            makers[maker.name].add(module.tree if scope.parent is None else scope.parent.node)
    return dict(makers)


def _given(statement: ast.stmt) -> ast.expr | None:
    """What a statement gives back: by itself, as one of a list, or one after the other."""
    if isinstance(statement, ast.Return):
        value = statement.value
        return value.elt if isinstance(value, (ast.ListComp, ast.GeneratorExp)) else value
    yielded = statement.value if isinstance(statement, ast.Expr) else None
    return yielded.value if isinstance(yielded, ast.Yield) else None


def made_elsewhere(module: Module) -> Mapping[ast.AST, Mapping[str, object]]:
    """For functions that read records, the names to which they give what an imported function returns, and the keys of that as far as they are known."""
    known = module.memory.get(made_elsewhere)
    if isinstance(known, dict):
        return known
    found: dict[ast.AST, dict[str, object]] = {}
    reading = reading_records(module)
    names = module.memory.get("dict_records.names", frozenset())
    assert isinstance(names, frozenset)
    for node, scope in module.nodes.get(ast.Assign, ()) if reading else ():
        target = node.targets[0]
        if scope.node not in reading or type(target) is not ast.Name or target.id not in names:
            continue
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Call):
            keys = module.known_elsewhere(value.func, scope)
            if keys is not UNKNOWN:
                found.setdefault(scope.node, {})[target.id] = keys.get("gives") if isinstance(keys, dict) else None
    module.memory[made_elsewhere] = found
    return found


def _one_of(name: str) -> str:
    """The name of one of several."""
    return name.removesuffix("s")


def asked_as_no_dict(function: ast.AST, module: Module) -> frozenset[str]:
    """Names of which the function wants what no dict has."""
    return _uses(function, module).no_dicts
