"""Files that a module writes with untrusted input, for calls that run the file afterwards."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.code_facts.input_flows import Flow
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import dotted_name, last_name, receiver
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.taint_models import taint_models
from auditor.forensics.python.taint_sources import enclosing_function, written_expression
from auditor.forensics.python.taint_walk import TaintWalk
from auditor.forensics.python.unknown_value import UNKNOWN

_MAX_WRITES = 40
_MAX_WORDS = 30
_MAX_HOPS = 4
Key = tuple[object, ...]
"""What stands for a path: its text where that is known, else the name or expression in its scope."""


class _Write(NamedTuple):
    """A file, what is written into it, and where."""

    key: Key
    content: ast.expr
    scope: Scope
    line: int
    path: str


def file_flow(walk: TaintWalk, module: Module, argument: ast.expr, scope: Scope) -> Flow | None:
    """The way of untrusted input into a file that a command names, or that is loaded."""
    writes = _writes(module)
    for word in _words(module, argument, scope) if writes else ():
        key = _key(module, word, scope)
        for each in writes:
            if not _is_same(each.key, key) or (each.scope is scope and each.line > argument.lineno):
                continue
            flow = walk.flow(each.content, each.scope)
            if flow is not None:
                walk.is_doubted |= _may_be_checked(module, each.scope)
                return flow.through(each.path, each.line)
    return None


def _is_same(written: Key, run: Key) -> bool:
    """Is it one file: by its path, or as a module that is imported by its name?"""
    if written == run:
        return True
    (kind, path), (other, name) = written[:2], run[:2]
    is_text = kind == other == "text" and isinstance(path, str) and isinstance(name, str)
    return is_text and str(name).isidentifier() and f"/{path}".endswith(f"/{name}.py")


def _words(module: Module, argument: ast.expr, scope: Scope) -> list[ast.expr]:
    """The words of a command, or the one path."""
    argument = module.behind(argument, scope)
    if isinstance(argument, (ast.List, ast.Tuple)):
        return argument.elts[:_MAX_WORDS]
    text = module.value(argument, scope)
    return [ast.Constant(each) for each in text.split()[:_MAX_WORDS]] if isinstance(text, str) else [argument]


def _key(module: Module, path: ast.expr, scope: Scope) -> Key:
    for _ in range(_MAX_HOPS):
        if not isinstance(path, ast.Call) or len(path.args) != 1 or path.keywords:
            break
        if (module.resolve(path.func, scope) or last_name(path.func)) not in taint_models().returning:
            break
        path = path.args[0]
    text = module.value(path, scope)
    if text is not UNKNOWN and isinstance(text, str):
        return ("text", text.removeprefix("./"))
    if isinstance(path, ast.Name):
        found = module.lookup(path.id, scope, lambda several: several[0])
        made = found[0].value if found is not None else None
        if found is not None and isinstance(made, ast.Call) and made.args:
            return _key(module, made, found[1])
        return ("name", path.id, id(found[1]) if found is not None else 0)
    return ("source", dotted_name(path) or written_expression(module, path), id(enclosing_function(scope)))


def _may_be_checked(module: Module, scope: Scope) -> bool:
    """Is a digest or signature worked out in the function that writes the file?"""
    function = enclosing_function(scope)
    return any(
        enclosing_function(place) is function
        for name in sorted(taint_models().file_checks)
        for _, place in module.calls.get(name, ())
    )


@remembered
def _writes(module: Module) -> list[_Write]:
    """What the module writes into files; worked out once."""
    return [
        _Write(_key(module, path, scope), content, scope, path.lineno, written_expression(module, path))
        for path, content, scope in _written(module)
    ]


def _written(module: Module) -> Iterator[tuple[ast.expr, ast.expr, Scope]]:
    """Paths, what is written there, and where."""
    for word, read in _WRITERS.items():
        for call, scope in module.calls.get(word, ())[:_MAX_WRITES]:
            if len(call.args) > _BEHIND_CONTENT.get(word, 0):
                path, content = read(call)
                path = _opened(module, path, scope) if word in _BY_HANDLE and path is not None else path
                if path is not None and content is not None:
                    yield path, content, scope


_WRITERS: dict[str, Callable[[ast.Call], tuple[ast.expr | None, ast.expr | None]]] = {
    "copyfileobj": lambda call: (call.args[1], call.args[0]),
    "save": lambda call: (call.args[0], receiver(call)),
    "urlretrieve": lambda call: (call.args[1], call),
    "write": lambda call: (receiver(call), call.args[0]),
    "write_bytes": lambda call: (receiver(call), call.args[0]),
    "write_text": lambda call: (receiver(call), call.args[0]),
}
"""Calls that write a file: the path, or what is open, and what is written."""
_BY_HANDLE = frozenset({"copyfileobj", "write"})
_BEHIND_CONTENT = {"copyfileobj": 1, "urlretrieve": 1}
"""The last argument that a call must have, where that is not the first."""


def _opened(module: Module, handle: ast.expr, scope: Scope) -> ast.expr | None:
    """The path of the file that a handle is of: `with open(path) as handle`, `handle = open(path)`."""
    if not isinstance(handle, ast.Name):
        return None
    made: ast.expr = module.behind(handle, scope)
    for node in scope.binding_nodes:
        target = node.optional_vars if isinstance(node, ast.withitem) else None
        if isinstance(node, ast.withitem) and isinstance(target, ast.Name) and target.id == handle.id:
            made = node.context_expr
    if not isinstance(made, ast.Call):
        return None
    if last_name(made.func) == "NamedTemporaryFile":
        return ast.copy_location(ast.Attribute(handle, "name", ast.Load()), handle)
    if last_name(made.func) != "open":
        return None
    if module.resolve(made.func, scope) is None and isinstance(made.func, ast.Attribute):
        return made.func.value
    return made.args[0] if made.args else None
