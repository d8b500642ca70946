"""Records that a file builds as dicts and passes to functions whose parameters have no type.

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

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.dict_records import dict_records
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import FunctionNode, last_name
from auditor.forensics.python.scoped_nodes import Scope, own_statements, walk_nodes
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import names_of

MIN_RECORD_KEYS = 4
"""Different constant keys read from one name from which a dict is a record in disguise."""
_SUBSCRIPT_KEY = re.compile(r"\[\s*[\"'](\w+)[\"']")
_GET_KEY = re.compile(r"\.get\(\s*[\"'](\w+)[\"']")
KEY_METHODS = frozenset({"get", "pop", "setdefault"})
"""Methods that take a key."""
_NAME_CHARACTERS = f"{ascii_letters}{digits}_"
_MAX_NAME_LENGTH = 200
"""Letters of a name that is looked at."""
_FIELD_NAME = re.compile(r"[A-Za-z_]\w*")
_ROWS = dict_records()
_DICT_METHODS = names_of(_ROWS.dict_methods)
"""Methods of a dict; what has other methods called is something else, such as a data frame."""
_COLUMN_CALLS = names_of(_ROWS.column_calls)
"""Calls to which a dict says something of columns."""


@dataclass(frozen=True)
class DictLiteral:
    """A dict display: its keys that could be names of fields, and its first line."""

    keys: frozenset[str]
    line: int


@remembered
def record_literals(module: Module) -> tuple[DictLiteral, ...]:
    """Every dict display with enough constant keys for a record; none where no name is read by so many."""
    written = tuple(_dict_literals(module))
    return written if written and _reads_record_keys(module.source) else ()


def _reads_record_keys(source: str) -> bool:
    """Does the source read as many constant keys of one name as a record has?"""
    if source.count('["') + source.count("['") + source.count(".get(") < MIN_RECORD_KEYS:
        return False
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for found in (*_SUBSCRIPT_KEY.finditer(source), *_GET_KEY.finditer(source)):
        before = source[max(0, found.start() - _MAX_NAME_LENGTH) : found.start()]
        name = before[
            len(before.rstrip(_NAME_CHARACTERS)) :
        ]  # what of it is not ASCII makes names alike, and costs a look
        if name or before[-1:].isalnum():
            keys[name].add(found[1])
    return any(len(seen) >= MIN_RECORD_KEYS for seen in keys.values())


@remembered
def _accesses(module: Module) -> Mapping[str, tuple[set[str], set[Scope]]]:
    """The constant keys that the file reads of each name, and where."""
    found: defaultdict[str, tuple[set[str], set[Scope]]] = defaultdict(lambda: (set(), set()))
    for owner, key, scope in _key_accesses(module):
        if type(owner) is ast.Name and type(key) is ast.Constant and isinstance(key.value, str):
            keys, places = found[owner.id]
            keys.add(key.value)
            places.add(scope)
    return found


@remembered
def record_readers(module: Module) -> set[ast.AST]:
    """The functions that read a constant key of a name of which the file reads as many as a record has."""
    result: set[ast.AST] = set()
    for keys, places in _accesses(module).values():
        for scope in places if len(keys) >= MIN_RECORD_KEYS else ():
            place: Scope | None = scope
            while place is not None and place.node not in result:
                result.add(place.node)
                place = place.parent
    return result


def _key_accesses(module: Module) -> Iterator[tuple[ast.expr, ast.expr, Scope]]:
    """Owner, key and scope of every `owner[key]` and `owner.get(key)`."""
    for subscript, scope in module.nodes[ast.Subscript]:
        yield subscript.value, subscript.slice, scope
    for name in KEY_METHODS:
        for call, scope in module.calls.get(name, ()):
            if call.args and isinstance(call.func, ast.Attribute):
                yield call.func.value, call.args[0], scope


def _dict_literals(module: Module) -> Iterator[DictLiteral]:
    columns = (call for name in _COLUMN_CALLS & module.calls.keys() for call, _ in module.calls[name])
    of_columns = {id(each) for call in columns for each in (*call.args, *(named.value for named in call.keywords))}
    for call, _ in module.calls.get("dict", ()):
        if len(call.keywords) >= MIN_RECORD_KEYS:
            keys = frozenset(each.arg for each in call.keywords if each.arg is not None)
            yield DictLiteral(keys, call.lineno)
    for node, _ in module.nodes[ast.Dict]:
        if len(node.keys) >= MIN_RECORD_KEYS and id(node) not in of_columns:
            texts = (each.value for each in node.keys if isinstance(each, ast.Constant))
            keys = frozenset(each for each in texts if isinstance(each, str) and _FIELD_NAME.fullmatch(each))
            if len(keys) >= MIN_RECORD_KEYS:
                yield DictLiteral(keys, node.lineno)


def is_built_elsewhere(keys: Collection[str], function: ast.AST, module: Module) -> bool:
    """Does the file, outside of the function, hold a dict display with enough of these keys?"""
    first, last = getattr(function, "lineno", 0), getattr(function, "end_lineno", 0) or 0
    return any(
        len(each.keys & set(keys)) >= MIN_RECORD_KEYS and not first <= each.line <= last
        for each in record_literals(module)
    )


def loop_names(loop: ast.For | ast.AsyncFor | ast.comprehension, lists: Collection[str]) -> set[str]:
    """The names that a loop gives to what it draws from one of the lists, which may be dicts: also where it counts, sorts or cuts them, or takes what a key holds."""
    source: ast.expr = loop.iter
    target: ast.expr = loop.target
    for _ in range(_MAX_WRAPPERS):
        if isinstance(source, ast.Call):
            called, owner = last_name(source.func), source.func
            if isinstance(owner, ast.Attribute) and called in {"values", "copy", "get"}:
                source = owner.value
            elif not source.args or isinstance(owner, ast.Attribute):
                return set()
            elif called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) > 1:
                source, target = source.args[0], target.elts[1]
            elif called in _REORDERING_CALLS:
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


_MAX_WRAPPERS = 4
_REORDERING_CALLS = names_of(_ROWS.reordering_calls)
"""Calls whose result holds what they are given, in one order or another."""


class _NameUses(NamedTuple):
    """What a function does with names."""

    keys: Mapping[str, set[str]]
    """The constant keys read or written of each; what goes right into an object of a class is not counted."""
    read: Mapping[str, set[str]]
    """Those of them that are read."""
    loops: tuple[ast.For | ast.AsyncFor | ast.comprehension, ...]
    non_dicts: frozenset[str]
    """Those of which it wants what no dict has."""


@remembered
def _name_uses(_module: Module, function: ast.AST) -> _NameUses:
    """One walk for all that is asked."""
    keys: defaultdict[str, set[str]] = defaultdict(set)
    read: defaultdict[str, set[str]] = defaultdict(set)
    converted: set[int] = set()
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = []
    no_dicts: set[str] = set()
    for each in walk_nodes(function):
        if isinstance(each, ast.Call) and _makes_an_object(each):
            converted.update(
                id(held)
                for given in (*each.args, *(named.value for named in each.keywords))
                for held in walk_nodes(given)
            )
        if isinstance(each, (ast.Subscript, ast.Call)) and id(each) not in converted:
            owner, key = access(each)
            if isinstance(owner, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
                keys[owner.id].add(key.value)
                if not isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del)):
                    read[owner.id].add(key.value)
        elif isinstance(each, (ast.For, ast.AsyncFor, ast.comprehension)):
            loops.append(each)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.attr not in _DICT_METHODS:
            no_dicts.add(each.value.id)
    return _NameUses(keys, read, tuple(loops), frozenset(no_dicts))


def accessed_keys(function: ast.AST, parameters: Collection[str], module: Module) -> dict[str, set[str]]:
    """The constant keys that a function reads or writes of parameters, and of what loops draw from them; what is passed on to an object of a class is not counted."""
    uses = _name_uses(module, function)
    names = set(parameters)
    for _ in range(_MAX_LOOP_DEPTH):
        for loop in uses.loops:
            names |= loop_names(loop, names)
    return {name: seen for name, seen in uses.keys.items() if name in names}


def reads_keys(function: ast.AST, name: str, module: Module) -> bool:
    """Does a function read keys of a name, rather than only set them?"""
    return len(_name_uses(module, function).read.get(name, ())) >= _MIN_KEYS_READ


_MIN_KEYS_READ = 2
_MAX_LOOP_DEPTH = 2
"""Loops inside each other through which records are followed."""


def _makes_an_object(call: ast.Call) -> bool:
    name = last_name(call.func)
    return name == "cls" or (name[:1].isupper() and not name.isupper() and name not in _COLUMN_CALLS)


def access(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """Owner and key of `owner[key]` or `owner.get(key)`."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None, None
    return (node.func.value, node.args[0]) if node.func.attr in KEY_METHODS else (None, None)


_MIN_KEYS_IN_ONE_FUNCTION = 5
"""Keys with which one function reads a record, wherever it was made."""
_CONVERTER_NAME = re.compile(r"_*(?:parse|from_|decode|deserialize|unmarshal|validate_schema)|__\w+__$")
_FRAME_LIBRARIES = "|".join(map(re.escape, sorted(names_of(_ROWS.frame_libraries))))
_DATA_FRAME_IMPORT = re.compile(
    rf"^[ \t]{{0,40}}(?:import|from)[ \t]{{1,20}}(?:{_FRAME_LIBRARIES})\b",
    re.MULTILINE,
)
"""Libraries whose tables and batches are asked for columns as dicts are for keys."""
_GENERIC_NAMES = names_of(_ROWS.generic_names)
"""Names that stand for something else in each function."""
_NON_RECORD_NAMES = names_of(_ROWS.non_record_names)
"""Names of what has keys and is no record."""


@remembered
def functions_sharing_records(
    module: Module, parameters: Callable[[ast.FunctionDef | ast.AsyncFunctionDef], Collection[str]]
) -> frozenset[ast.AST]:
    """The functions that pass a record on: read by many keys in one of them, or by one name and as many keys in all of them together.

    `parameters` gives those of a function of which nothing is known, or that they are dicts.
    """
    by_name: defaultdict[str, dict[ast.AST, set[str]]] = defaultdict(dict)
    others: set[str] = set()
    whole: set[ast.AST] = set()
    last = 0
    functions = [each for each in record_readers(module) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in sorted(functions, key=lambda each: each.lineno):
        if function.lineno <= last:
            continue  # stands in the one before
        last = function.end_lineno or function.lineno
        given = _received_records(function, module)
        taken = [name for name in (*parameters(function), *given) if name not in _NON_RECORD_NAMES]
        if not taken or _CONVERTER_NAME.match(function.name):
            continue
        others |= {_singular(each) for each in names_used_as_non_dict(function, module)}
        for name, seen in accessed_keys(function, taken, module).items():
            if name in given and len(seen) >= MIN_RECORD_KEYS:
                whole.add(function)
            by_name[_singular(name)].setdefault(function, set()).update(seen)
    found = whole
    for name, read in by_name.items():
        together = name not in _GENERIC_NAMES and len(read) > 1 and len(set().union(*read.values())) >= MIN_RECORD_KEYS
        if name not in others:
            found.update(
                each
                for each, seen in read.items()
                if len(seen) >= _MIN_KEYS_IN_ONE_FUNCTION or (together and len(seen) > 1)
            )
    return frozenset(found) if found and not _DATA_FRAME_IMPORT.search(module.source) else frozenset()


def _received_records(function: ast.AST, module: Module) -> set[str]:
    """The names to which a function gives what another one of the file returns as a dict that it writes out."""
    makers = _record_factories(module)
    elsewhere = imported_records(module).get(function, {})
    known = {name for name, keys in elsewhere.items() if keys}
    if not makers:
        return known
    drawing = ((each.target, each.iter) for each in _name_uses(module, function).loops)
    given = ((each.targets[0], each.value) for each in walk_nodes(function) if isinstance(each, ast.Assign))
    return known | {
        target.id
        for target, value in (*given, *drawing)
        if isinstance(target, ast.Name)
        and isinstance(called := value.value if isinstance(value, ast.Await) else value, ast.Call)
        and any(_is_visible_in(place, function) for place in makers.get(last_name(called.func), ()))
    }


def _is_visible_in(place: ast.AST, function: ast.AST) -> bool:
    """Does a name that is given at a place stand for the same in the function? What another function keeps inside does not."""
    if not isinstance(place, FunctionNode):
        return True
    return getattr(function, "lineno", 0) <= place.lineno <= (getattr(function, "end_lineno", 0) or 0)


@remembered
def _record_factories(module: Module) -> Mapping[str, set[ast.AST]]:
    """The functions of the file that give back a dict with enough constant keys: by their names, the places where those are given."""
    lines = {each.line for each in record_literals(module)}
    makers: defaultdict[str, set[ast.AST]] = defaultdict(set)
    given: dict[ast.AST, set[int]] = {}
    for node, scope in module.nodes[ast.Dict]:
        maker = scope.node
        if len(node.keys) < MIN_RECORD_KEYS or node.lineno not in lines or not isinstance(maker, FunctionNode):
            continue
        if maker not in given:
            given[maker] = {id(_returned_expression(each)) for each in own_statements(maker)}
        if id(node) in given[maker]:
            makers[maker.name].add(module.tree if scope.parent is None else scope.parent.node)
    return dict(makers)


def _returned_expression(statement: ast.stmt) -> ast.expr | None:
    """The expression that a statement returns or yields: by itself, or as the element of a list."""
    if isinstance(statement, ast.Return):
        value = statement.value
        return value.elt if isinstance(value, (ast.ListComp, ast.GeneratorExp)) else value
    yielded = statement.value if isinstance(statement, ast.Expr) else None
    return yielded.value if isinstance(yielded, ast.Yield) else None


@remembered
def imported_records(module: Module) -> Mapping[ast.AST, Mapping[str, object]]:
    """For functions that read records, the names to which they give what an imported function returns, and the keys of that as far as they are known."""
    found: dict[ast.AST, dict[str, object]] = {}
    reading = record_readers(module)
    names = {name for name, (keys, _) in _accesses(module).items() if len(keys) >= MIN_RECORD_KEYS}
    for node, scope in module.nodes.get(ast.Assign, ()) if reading else ():
        target = node.targets[0]
        if scope.node not in reading or type(target) is not ast.Name or target.id not in names:
            continue
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Call):
            keys = module.imported_value(value.func, scope)
            if keys is not UNKNOWN:
                found.setdefault(scope.node, {})[target.id] = keys.get("gives") if isinstance(keys, dict) else None
    return found


def _singular(name: str) -> str:
    """The singular of a plural name."""
    return name.removesuffix("s")


def names_used_as_non_dict(function: ast.AST, module: Module) -> frozenset[str]:
    """Names of which the function uses attributes that no dict has."""
    return _name_uses(module, function).non_dicts
