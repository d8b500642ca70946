"""Records that a file builds as dicts and hands to functions whose parameters say nothing of their type.

In most files no function reads four different constant keys of one name, and only those that do are looked at more closely.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from string import ascii_letters, digits

from auditor.forensics.module import Module, Scope, inside

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
    """The functions in which, or in what they define, as many constant keys are read of one name as a record has; worked out once a file."""
    known = module.memory.get(reading_records)
    if isinstance(known, set):
        return known
    keys: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
    for owner, key, scope in _readings(module):
        if type(owner) is ast.Name and type(key) is ast.Constant and isinstance(key.value, str):
            keys[scope, owner.id].add(key.value)
    around: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
    for (scope, name), seen in keys.items():
        place: Scope | None = scope
        while place is not None:
            around[place, name] |= seen
            place = place.parent
    result: set[ast.AST] = {scope.node for (scope, _), seen in around.items() if len(seen) >= KEYS}
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


def asked_as_no_dict(function: ast.AST) -> set[str]:
    """Names of which the function wants what no dict has."""
    return {
        each.value.id
        for each in inside(function)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.attr not in _OF_DICTS
    }
