"""What names and expressions of one parsed Python file stand for: imports, aliases, attributes, results, constants.

Names are resolved late, and only for the few expressions a probe asks about.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from auditor.forensics.python.bound_names import BindingChooser, BoundNames
from auditor.forensics.python.scope_bindings import (
    ARGUMENT_RETURNERS,
    NAME_NODES,
    OPAQUE,
    REFLECTING_ATTRIBUTES,
    SELF_NAMES,
    Binding,
    last_name,
    root_name,
)
from auditor.forensics.python.scoped_nodes import (
    Scope,
)
from auditor.forensics.python.truth_values import truth_value
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.site_probe_types import Text

_MAX_HOPS = 20
ANY_MEMBER = "*"
"""Stands in a qualified name for a member whose name is made at run time."""


class Module(BoundNames):
    """A parsed file whose names can be resolved. Its `memory` holds what functions marked `remembered` answered about it."""

    def __init__(self, text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> None:
        super().__init__(text, tree, kinds)
        self.memory: dict[object, Any] = {}
        self._is_resolving_modules = False
        """Is it being found out whether something is `sys.modules`?"""
        self.renamed: Mapping[str, str] = {}
        """Names that other modules of the repository pass on, and what they stand for."""
        self.told: Mapping[str, object] = {}
        """What is known of names that other modules of the repository bind, as their outlines tell it."""
        self.asked: set[str] = set()
        """Qualified names of imported things of which somebody wanted to know such a thing."""
        self.reads_flows = False
        """Is it read for what its functions do with what they are given, whatever else it holds?"""
        self.running: dict[str, str] = {}
        """Functions and methods of the module that run what they are given, and the name under which that is looked for elsewhere."""
        self.passing: dict[str, set[str]] = {}
        """Functions of the module, and the parameters that they pass on to where a probe looks for them."""

    def resolve(self, expression: ast.AST | None, scope: Scope, choose: BindingChooser | None = None) -> str | None:
        """The qualified name that an expression stands for, or None.

        Follows imports, `import a as b`, `x = a.b` bound once, calls of classes (`x = Popen(...)` resolves
        `x.wait` to `subprocess.Popen.wait`), parameters and attributes of `self` with a known class,
        `functools.partial`, `getattr` with a name that can be worked out (`*` stands for one that cannot),
        `vars(a)["b"]`, `__import__` and `import_module`. A name bound in several ways stands for nothing,
        unless `choose` says which binding to take.
        """
        parts: list[str] = []
        for _ in range(_MAX_HOPS):
            expression, scope = self._owner(expression, scope, parts)
            if isinstance(expression, ast.Await):
                expression = expression.value
                continue
            if (
                isinstance(expression, ast.Call)
                and parts
                and (given := self._call_result(expression, scope)) is not None
            ):
                expression, scope = given
                continue
            if isinstance(expression, (ast.BoolOp, ast.IfExp)):
                expression = self._fallback_choice(expression, scope) if choose is not None else None
                continue
            if isinstance(expression, (ast.NamedExpr, ast.Call, ast.Subscript)):
                expression, more = self._unwrap(expression, scope)
                parts += more
                continue
            if isinstance(expression, ast.Constant) and isinstance(expression.value, _ModuleName):
                return self.follow_reexport(".".join([expression.value, *reversed(parts)]).removeprefix("builtins."))
            if not isinstance(expression, ast.Name):
                return None
            found = self.lookup(expression.id, scope, choose)
            if found is None:
                return self.follow_reexport(self._unbound_name(expression.id, parts))
            binding, scope = found
            if binding.qualified_name is not None:
                return self.follow_reexport(
                    ".".join([binding.qualified_name, *reversed(parts)]).removeprefix("builtins.")
                )
            expression = binding.value or binding.type
        return None

    def follow_reexport(self, name: str) -> str:
        """What a name stands for that another module of the repository passes on, or a member of it; else the name."""
        if not self.renamed:
            return name
        owner, rest = name, ""
        while owner:
            if owner in self.renamed:
                return self.renamed[owner] + rest
            owner, dot, last = owner.rpartition(".")
            rest = f"{dot}{last}{rest}"
        return name

    def _owner(self, expression: ast.AST | None, scope: Scope, parts: list[str]) -> tuple[ast.AST | None, Scope]:
        """What a chain of attributes hangs on, and where; their names are added to `parts`, last one first."""
        hops = 0
        while isinstance(expression, ast.Attribute):
            of = expression.value
            if hops < _MAX_HOPS and type(of) is ast.Name and of.id in SELF_NAMES:
                held = self._self_attribute(expression, scope) or (self._field(expression, scope) if parts else None)
                if held is not None:
                    expression, scope = held
                    hops += 1
                    continue
            if expression.attr in REFLECTING_ATTRIBUTES and (held_by := self._reflected(expression, scope)) is not None:
                expression = held_by
                continue
            if expression.attr != "__call__":  # calling it by that name is calling it
                parts.append(expression.attr)
            expression = of
        return expression, scope

    def _reflected(self, taken: ast.Attribute, scope: Scope) -> ast.expr | None:
        """The module or object that an attribute leads back to: `print.__self__`, `inspect.builtins`; None for others."""
        of = taken.value
        if taken.attr == "__self__" and isinstance(of, ast.Attribute):
            return of.value
        found = self.lookup(root_name(of), scope)
        if taken.attr == "__self__":
            builtin = isinstance(of, ast.Name) and found is None and hasattr(builtins, of.id)
        else:
            builtin = found is not None and found[0].qualified_name is not None
        return ast.Constant(_ModuleName("builtins")) if builtin else None

    def _unwrap(
        self, expression: ast.NamedExpr | ast.Call | ast.Subscript, scope: Scope
    ) -> tuple[ast.expr | None, list[str]]:
        """What is inside a wrapper, and attributes to add."""
        if isinstance(expression, ast.NamedExpr):
            return expression.value, []
        if isinstance(expression, ast.Call):
            folded = expression.args[2:3] if last_name(expression.func) == "reduce" else []
            if folded and last_name(expression.args[0]) == "getattr":
                return folded[0], self._members_taken(expression.args[1], scope)
            if last_name(expression.func) == "type" and self._is_function(expression.args):
                return ast.Constant(_ModuleName("types.FunctionType")), []
            return self._through_call(expression, scope)
        return self._through_subscript(expression, scope)

    def resolve_likeliest(self, expression: ast.AST | None, scope: Scope) -> str | None:
        """The name that an expression may stand for when names in it are bound in several ways; imports first."""
        return self.resolve(expression, scope, _likeliest_binding)

    def _unbound_name(self, name: str, parts: list[str]) -> str:
        """A builtin, or what a `from module import *` brought in."""
        if name == "__builtins__":
            return ".".join(reversed(parts)) or name
        if self.stars and not hasattr(builtins, name):
            name = f"{self.stars[-1]}.{name}"
        return ".".join([name, *reversed(parts)]).removeprefix("builtins.")

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """Modules of which all names are imported, in order."""
        found = [
            (node.lineno, node.module)
            for node, _ in self.nodes.get(ast.ImportFrom, ())
            if isinstance(node, ast.ImportFrom) and node.module and not node.level and node.names[0].name == "*"
        ]
        return tuple(module for _, module in sorted(found))

    def _through_call(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, list[str]]:
        """What the result of a call is an instance, a member or a wrapper of, and attributes to add."""
        func = call.func
        name = last_name(func)
        first = call.args[0] if call.args else None
        if name == "getattr" and first is not None and len(call.args) > 1:
            member = self.value(call.args[1], scope)
            return first, [member if isinstance(member, str) else ANY_MEMBER]
        if name in ARGUMENT_RETURNERS and first is not None:
            return first, []
        table = func.value if isinstance(func, ast.Attribute) and name == "get" else None
        if table is not None and first is not None and (taken := self._dict_entry(table, first, scope)) is not None:
            return taken, []
        if table is not None and first is not None and (member := self._namespace_member(table, first, scope)):
            return member
        if name in {"__import__", "import_module"} and first is not None:
            module = self.value(first, scope)
            if isinstance(module, str):
                return ast.Constant(_ModuleName(module)), []
        return func, []

    def _is_function(self, given: list[ast.expr]) -> bool:
        """Is it one argument, and a lambda or the name of a function of the file?"""
        only = given[0] if len(given) == 1 else None
        return isinstance(only, ast.Lambda) or (isinstance(only, ast.Name) and only.id in self._defined)

    def _members_taken(self, names: ast.expr, scope: Scope) -> list[str]:
        """The members that `reduce(getattr, names, owner)` takes one after the other, the last one first."""
        listed = self.behind(names, scope)
        found = [self.value(each, scope) for each in listed.elts] if isinstance(listed, (ast.Tuple, ast.List)) else []
        return [each if isinstance(each, str) else ANY_MEMBER for each in reversed(found)] or [ANY_MEMBER]

    def _through_subscript(self, subscript: ast.Subscript, scope: Scope) -> tuple[ast.expr | None, list[str]]:
        """What is taken by its name out of `vars(a)`, `a.__dict__`, `__builtins__` or `sys.modules`; None for other things."""
        owner = subscript.value
        if (taken := self._dict_entry(owner, subscript.slice, scope)) is not None:
            return taken, []
        key = self.value(subscript.slice, scope)
        if isinstance(owner, ast.Attribute) and owner.attr == "modules" and isinstance(key, str):
            return (ast.Constant(_ModuleName(key)), []) if self._is_sys_modules(owner, scope) else (None, [])
        return self._namespace_member(owner, subscript.slice, scope) or (None, [])

    def _namespace_member(self, owner: ast.expr, key: ast.expr, scope: Scope) -> tuple[ast.expr, list[str]] | None:
        """What has a member that is taken by its name out of its namespace, and the name; None for other things."""
        owner, said = self.behind(owner, scope), self.value(key, scope)
        member = [said if isinstance(said, str) else ANY_MEMBER]
        if isinstance(owner, ast.Attribute) and owner.attr == "__dict__":
            return owner.value, member
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "vars" and owner.args:
            return owner.args[0], member
        if isinstance(owner, ast.Name) and owner.id == "__builtins__":
            return owner, member
        if isinstance(owner, ast.Subscript) and self.value(owner.slice, scope) == "__builtins__":
            return ast.Name("__builtins__", ast.Load()), member
        if isinstance(said, str) and _is_global_namespace(owner):
            return ast.Name(said, ast.Load()), []
        return None

    def _dict_entry(self, table: ast.expr, key: ast.expr, scope: Scope) -> ast.expr | None:
        """What is taken by a key out of a dictionary of functions: the one that the key names, else one of them if all hang on the same name."""
        if not isinstance(table, (ast.Name, ast.Attribute, ast.Dict)):
            return None
        made = self.behind(table, scope)
        if not isinstance(made, ast.Dict) or not made.values or type(made.values[0]) not in NAME_NODES:
            return None
        wanted = self.value(key, scope)
        for each, value in zip(made.keys[:_MAX_KEYS], made.values, strict=False):
            if isinstance(each, ast.Constant) and each.value == wanted:
                return value
        roots = {root_name(each) for each in made.values[:_MAX_KEYS]}
        return made.values[0] if wanted is UNKNOWN and len(roots) == 1 and roots != {""} else None

    def _fallback_choice(self, choice: ast.BoolOp | ast.IfExp, scope: Scope) -> ast.expr | None:
        """The fallback of a choice: `session or Session()`, `requests if session is None else session`."""
        either = choice.values if isinstance(choice, ast.BoolOp) else [choice.body, choice.orelse]
        for each in reversed(either[:_MAX_KEYS]):
            found = self.lookup(each.id, scope) if isinstance(each, ast.Name) else None
            if isinstance(each, ast.Call) or (found is not None and found[0].qualified_name is not None):
                return each
        return None

    def _is_sys_modules(self, expression: ast.expr, scope: Scope) -> bool:
        """Is it `sys.modules`? Not asked of what is itself taken out of such a thing: a name may be made of itself."""
        if self._is_resolving_modules:
            return False
        self._is_resolving_modules = True
        try:
            return self.resolve(expression, scope) == "sys.modules"
        finally:
            self._is_resolving_modules = False

    def value(self, expression: ast.expr | None, scope: Scope) -> object:
        """The constant an expression stands for, through names bound once and texts assembled; UNKNOWN otherwise."""
        for _ in range(_MAX_HOPS):
            if isinstance(expression, ast.Constant):
                return expression.value
            if isinstance(expression, ast.BinOp):
                return _concatenated_text(expression)
            if isinstance(expression, (ast.UnaryOp, ast.Compare)):
                return truth_value(expression, partial(self.value, scope=scope))
            if isinstance(expression, ast.Attribute) and (held := self._self_attribute(expression, scope)) is not None:
                expression, scope = held
                continue
            found = self.lookup(expression.id, scope) if isinstance(expression, ast.Name) else None
            if found is None or found[0].value is None:
                if type(expression) is ast.Subscript and (entry := self._entry_value(expression, scope)) is not None:
                    expression, scope = entry
                    continue
                member = type(expression) is ast.Attribute or (
                    found is not None and found[0].qualified_name is not None
                )
                return self._imported_constant(expression, scope) if member else UNKNOWN
            expression, scope = found[0].value, found[1]
        return UNKNOWN

    def _entry_value(self, expression: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that a constant dictionary display holds under constant keys; None for other expressions."""
        keys: list[object] = []
        while isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
            keys.append(expression.slice.value)
            expression = expression.value
        if not isinstance(expression, ast.Name) or not expression.id.isupper():
            return None
        found = self.lookup(expression.id, scope)
        value = found[0].value if found is not None else None
        if value is not None and expression.id in self._modified_later:
            return None
        for key in reversed(keys):
            written = isinstance(value, ast.Dict) and len(value.keys) <= _MAX_KEYS
            pairs = list(zip(value.keys, value.values, strict=True)) if written and isinstance(value, ast.Dict) else []
            plain = all(isinstance(name, ast.Constant) for name, _ in pairs)  # another dictionary may lie over them
            value = (
                next(
                    (held for name, held in reversed(pairs) if isinstance(name, ast.Constant) and name.value == key),
                    None,
                )
                if plain
                else None
            )
        return (value, found[1]) if value is not None and found is not None else None

    @cached_property
    def _modified_later(self) -> frozenset[str]:
        """Dictionaries that are named like constants and modified after all."""
        return frozenset(re.findall(_LATER_MODIFICATION, self.plain))

    def _imported_constant(self, expression: ast.expr | None, scope: Scope) -> object:
        """The value of a constant, recognized by its capitals, of another module; where it is not known yet, it is asked for."""
        if not isinstance(expression, (ast.Name, ast.Attribute)) or not last_name(expression).isupper():
            return UNKNOWN  # as most are
        known = self.imported_value(expression, scope)
        return UNKNOWN if isinstance(known, dict) else known

    def imported_value(self, expression: ast.expr, scope: Scope) -> object:
        """What is known of an imported name or member; UNKNOWN, and noted as requested, where nothing is."""
        parts: list[str] = []
        while isinstance(expression, ast.Attribute):
            parts.append(expression.attr)
            expression = expression.value
        found = self.lookup(expression.id, scope) if isinstance(expression, ast.Name) else None
        if found is None or found[0].qualified_name is None:
            return UNKNOWN
        name = ".".join([found[0].qualified_name, *reversed(parts)])
        self.asked.add(name)
        return self.told.get(name, UNKNOWN)


def _is_global_namespace(owner: ast.expr) -> bool:
    """Is it `globals()` or `f.__globals__`?"""
    if isinstance(owner, ast.Attribute):
        return owner.attr == "__globals__"
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "globals"


def may_have_other_name(expression: ast.Attribute) -> bool:
    """May an attribute stand for something with another name? `self.run` may hold anything, `f.__call__` is f."""
    owner = expression.value
    return (isinstance(owner, ast.Name) and owner.id in SELF_NAMES) or expression.attr == "__call__"


_MAX_KEYS = 40
"""Functions of a table that are looked at."""
_LATER_MODIFICATION = re.compile(
    r"(?<![\w.])([A-Z][A-Z0-9_]{0,80})(?:\[[^\]\n]{1,80}\]){0,4}(?:\s{0,8}\|?=(?!=)|\.(?:update|setdefault|pop|clear|__setitem__)\b)(?!\s{0,8}\{)"
)
"""A name like a constant's that something is put into, or that is given anything but a dictionary."""


class _ModuleName(str):
    """The name of a module that a call imports."""

    __slots__ = ()


def _likeliest_binding(bound: list[Binding]) -> Binding:
    """Of several bindings an import, else the first that is an expression."""
    imported = [each for each in bound if each.qualified_name is not None]
    valued = [each for each in bound if each.value is not None]
    return next(iter((*imported, *valued)), OPAQUE)


def _concatenated_text(sum_of: ast.BinOp) -> object:
    """Constant texts joined by `+`."""
    texts: list[str] = []
    waiting: list[ast.expr] = [sum_of]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
            waiting += [each.left, each.right]
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            texts.append(each.value)
        else:
            return UNKNOWN
    return "".join(reversed(texts))
