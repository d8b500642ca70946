"""Values that one place of a file stores in an object and another one reads: attributes, keys of tables, context variables.

An object is known by where its name is bound, or by what it is imported as, so that functions which share it are seen to share it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import SELF_NAMES
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.taint_models import putting_calls, taking_calls
from auditor.forensics.python.text_assignments import Assignment, reaching_assignments

_Key = tuple[Hashable, str]
_CALLED = "()"
"""Stands for what one method stores in an object, and another one returns."""


def values_stored_in(module: Module, taken: ast.expr, scope: Scope) -> list[Assignment]:
    """What may have been stored where a value is read: before it in the same function, or else anywhere in the file."""
    key = _key(module, taken, scope)
    put = _all_stored_values(module).get(key, []) if key is not None else []
    here = [each for each in put if each.scope is scope and each.line < taken.lineno]
    starts, _ = reaching_assignments(here, "", taken.lineno, taken.col_offset) if here else ([], [])
    return starts or [each for each in put if each.scope is not scope]


def stored_values_by_reader(module: Module) -> Iterator[tuple[str, Assignment]]:
    """What methods store in variables of the module, by the names of the methods that return it."""
    whole = module.scopes[0]
    for (owner, member), put in _all_stored_values(module).items():
        if member == _CALLED and isinstance(owner, tuple) and owner[0] == id(whole):
            yield from (
                (f"{owner[1]}.{method}", each) for each in put for method in sorted(_last_words(taking_calls()))
            )


def _key(module: Module, taken: ast.expr, scope: Scope) -> _Key | None:
    """The object and the member of a value that is stored or read; None for all else."""
    if isinstance(taken, ast.Attribute):
        owner, member = taken.value, f".{taken.attr}"
    elif isinstance(taken, ast.Subscript) and isinstance(taken.slice, ast.Constant):
        owner, member = taken.value, repr(taken.slice.value)
    elif isinstance(taken, ast.Call) and isinstance(taken.func, ast.Attribute):
        owner, member = taken.func.value, _CALLED
        if (
            taken.func.attr not in _last_words(taking_calls())
            or module.resolve(taken.func, scope) not in taking_calls()
        ):
            return None
    else:
        return None
    known = _owner(module, owner, scope)
    return (known, member) if known is not None else None


def _owner(module: Module, owner: ast.expr, scope: Scope) -> Hashable | None:
    """An object by what it is imported as, or by where its name is bound, and the attributes that lead to it."""
    if isinstance(owner, ast.Attribute):
        held = _owner(module, owner.value, scope)
        return (held, owner.attr) if held is not None else None
    if not isinstance(owner, ast.Name) or owner.id in SELF_NAMES:
        return None
    found = module.lookup(owner.id, scope, lambda several: several[0])
    if found is None:
        return None
    binding, holder = found
    return binding.qualified_name or (binding.type and module.resolve(binding.type, holder)) or (id(holder), owner.id)


def _last_words(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in names)


@remembered
def _all_stored_values(module: Module) -> Mapping[_Key, list[Assignment]]:
    """All values that are stored in objects of a file, by object and member."""
    put: defaultdict[_Key, list[Assignment]] = defaultdict(list)
    for scope in module.scopes:
        for node in scope.binding_nodes:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
                continue
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, (ast.Attribute, ast.Subscript)) and (key := _key(module, target, scope)):
                    put[key].append(Assignment("", node.value, scope, node.lineno, node.col_offset))
    for call, scope in (each for word in sorted(_last_words(putting_calls())) for each in module.calls.get(word, ())):
        if call.args and isinstance(call.func, ast.Attribute) and module.resolve(call.func, scope) in putting_calls():
            owner = _owner(module, call.func.value, scope)
            put[owner, _CALLED].append(Assignment("", call.args[0], scope, call.lineno, call.col_offset))
    return dict(put)
