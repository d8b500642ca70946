"""Records that a file builds as dicts and hands to functions whose parameters say nothing of their type.

Looked for by the words of the source first: in most files nobody reads four different constant keys of one name, and
only where somebody does is the tree asked.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from string import ascii_letters, digits

from auditor.forensics.module import Module, inside

KEYS = 4
"""Different constant keys read from one name from which a dict is a record in disguise."""
_TAKEN = re.compile(r"\[\s*[\"'](\w+)[\"']")
_ASKED = re.compile(r"\.get\(\s*[\"'](\w+)[\"']")
_BEHIND_BRACKET = re.compile(r"[\[(]\s*[rRuU]?[\"']")
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
    result = tuple(_written_out(module)) if _much_is_read(module.source) else ()
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


def may_read_a_record(function: ast.AST, module: Module) -> bool:
    """Do as many texts stand behind brackets in a function as a record has keys? Most functions are told by this."""
    lines = module.memory.get(may_read_a_record)
    if not isinstance(lines, list):
        lines = module.memory[may_read_a_record] = list(_lines_with_texts(module.source))
    first, last = getattr(function, "lineno", 0), getattr(function, "end_lineno", 0) or 0
    return bisect_right(lines, last) - bisect_left(lines, first) >= KEYS


def _lines_with_texts(source: str) -> Iterator[int]:
    """The lines on which a text stands behind a bracket, in order, once for each."""
    line, last = 1, 0
    for found in _BEHIND_BRACKET.finditer(source):
        line += source.count("\n", last, found.end())
        last = found.end()
        yield line


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
