"""Reads the outline of a parsed Python file."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from auditor.forensics.library_models.aliased_names import aliased_names
from auditor.forensics.python.default_values import exported_settings
from auditor.forensics.python.function_flows import function_flows
from auditor.forensics.python.imported_flows import TAKES_IN
from auditor.forensics.python.keyword_options import OPTIONS_KEY, boolean_options
from auditor.forensics.python.scope_bindings import NAME_NODES, import_prefix, last_name, root_name, text_constants
from auditor.forensics.python.sql_quoting import QUOTES_KEY, QUOTING_NAME, returns_quoted
from auditor.forensics.python.taint_models import source_words
from auditor.forensics.python.taken_names import taken_by_name
from auditor.forensics.source_text.file_outline import (
    ALIASED_NAMES_KEY,
    TEST_MODULE_NAME,
    Class,
    Function,
    Import,
    Outline,
    signature,
)
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import names_of

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module
    from auditor.forensics.python.scope_bindings import FunctionNode
    from auditor.forensics.python.scoped_nodes import Scope

_MODULE = re.compile(r"\.{0,20}[^\W\d]\w*(?:\.\w+){0,20}$")


def read_outline(module: Module) -> Outline:
    """The outline of a parsed file."""
    imports, taken = list[Import](), list[Import]()
    names: list[str] = []
    exports: tuple[str, ...] | None = None
    given: list[tuple[str, ast.expr, int]] = []
    tells: dict[str, object] = {}
    for statement in _top_level(module.tree.body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports += _imports_of(statement)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            names += _assigned_names(statement)
            exports = _exported_names(statement, exports)
            value: Any = statement.value
            if type(value) is ast.Call and not value.args and not value.keywords:
                value = value.func  # `session = Session()`: what is asked of the one is asked of the other
            if type(value) in NAME_NODES and names:
                given.append((names[-1], value, statement.lineno))
            taken += taken_by_name(module, value, names[-1:])
            if names and (type(value) in _ALIAS_NODES or names[-1].isupper()):
                _record_assignment(statement, names[-1], imports, tells)
    known = {each.name: each.qualified_name for each in (*imports, *taken)}
    functions: list[Function] = []
    classes: list[Class] = []
    for scope in module.scopes:
        node = scope.node
        kind = type(node)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            functions.append(_function_outline(node, scope, known, exports))  # type: ignore[arg-type]
        elif kind is ast.ClassDef:
            classes.append(_class_outline(node, scope, known, exports))  # type: ignore[arg-type]
    own = _instances(given, classes)
    functions.sort(key=_BY_LINE)
    classes.sort(key=_BY_LINE)
    return Outline(
        has_docstring=_has_docstring(module.tree),
        functions=tuple(functions),
        classes=tuple(classes),
        imports=tuple(imports),
        names=tuple(dict.fromkeys(names)),
        exports=exports,
        has_module_getattr="__getattr__" in [each.qualname for each in functions],
        renamed=tuple(
            [
                Import(name, _qualified_name(value, known), line)
                for name, value, line in given
                if root_name(value) in known
            ]
            + taken
            + [Import(name, stands_for, 0) for name, stands_for in _with_instances(module.running, own).items()]
        ),
        imported_test_modules=tuple(sorted(_imported_test_modules(module))),
        requested_names=_requested_names(module),
        known_values=_with_instances(
            _with_factories(module, {name: value for name, value in tells.items() if value is not _AMBIGUOUS}), own
        ),
    )


def _requested_names(module: Module) -> tuple[str, ...]:
    """What must be known of names of other modules; last, whether untrusted input may reach their functions."""
    takes_in = (TAKES_IN,) if module.says(source_words()) else ()
    return (*sorted(module.asked), *takes_in) if module.asked or takes_in else ()


def _instances(given: list[tuple[str, ast.expr, int]], classes: list[Class]) -> dict[str, list[str]]:
    """Classes of the module, and the names that a plain instance of one is given: `repo = Repo()`."""
    known = {each.qualname for each in classes}
    found: dict[str, list[str]] = {}
    for name, value, _ in given:
        if isinstance(value, ast.Name) and value.id in known:
            found.setdefault(value.id, []).append(name)
    return found


def _with_instances(told: Mapping[str, Told], own: Mapping[str, list[str]]) -> dict[str, Told]:
    """What is known of methods of classes, also for instances that the module defines."""
    more = {
        f"{instance}.{method}": value
        for name, value in (told.items() if own else ())
        for kind, dot, method in [name.partition(".")]
        for instance in (own.get(kind, ()) if dot else ())
    }
    return {**told, **more}


Told = TypeVar("Told")
_MAX_CONSTANT_LENGTH = 60
_AMBIGUOUS = object()
"""Stands for the value of a name that is given more than one."""


_TRACKED_NAMES = names_of(aliased_names().tracked)


def _tracked_aliases(value: ast.expr | None, imports: list[Import]) -> list[str]:
    """Those of a few things that a name stands for: the widest exceptions, loaders that build anything, and what leaves checks out."""
    each = value.elts if isinstance(value, ast.Tuple) else [value]
    found = [one for one in each if type(one) in NAME_NODES and last_name(one) in _TRACKED_NAMES]
    known = {one.name: one.qualified_name for one in imports} if found else {}
    return [_qualified_name(one, known) for one in found if one is not None]


_ALIAS_NODES = frozenset({ast.Tuple, ast.Name, ast.Attribute})
"""Kinds of values that may be names of such things."""


def _record_assignment(
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign,
    name: str,
    imports: list[Import],
    known_values: dict[str, object],
) -> None:
    """Record what a statement shows others about a name."""
    if name.isupper():
        _record_constant(statement, name, known_values)
    if type(statement.value) in _ALIAS_NODES and (stands_for := _tracked_aliases(statement.value, imports)):
        known_values[name] = {ALIASED_NAMES_KEY: stands_for}


def _record_constant(
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign, name: str, known_values: dict[str, object]
) -> None:
    """Note the constant that a statement gives to a name, where it may change what a call does: of numbers none but zero does."""
    value = statement.value
    if type(value) is ast.Dict or (type(value) is ast.Call and last_name(value.func) == "dict"):
        options = boolean_options(value)
        known_values[name] = {OPTIONS_KEY: options} if options and name not in known_values else _AMBIGUOUS
        return
    constant = value.value if type(value) is ast.Constant else _AMBIGUOUS
    if isinstance(constant, str):
        told = len(constant) <= _MAX_CONSTANT_LENGTH
    else:
        told = constant is None or isinstance(constant, bool) or (type(constant) is int and not constant)
    known_values[name] = (
        constant if told and name not in known_values and not isinstance(statement, ast.AugAssign) else _AMBIGUOUS
    )


_MIN_RECORD_KEYS = 4
"""Constant keys from which a dict that is given back is a record; as many as `untyped_dict_arguments.KEYS`."""


_OPTION_KEYWORDS = register_keywords("verify", '"timeout"')


_QUOTING_KEYWORDS = register_keywords("quote", "escape", "ident")


def _quoting_functions(module: Module) -> list[str]:
    """The functions of the module that quote names of tables and columns, by what they do."""
    return [
        scope.node.name
        for scope in (module.scopes if module.says(_QUOTING_KEYWORDS) else ())
        if isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and scope.qualname == scope.node.name
        and QUOTING_NAME.match(scope.node.name)
        and returns_quoted(module, scope)
    ]


def _with_factories(module: Module, known_values: dict[str, object]) -> dict[str, object]:
    """The same with the functions of the module that give back a dict with fixed keys, or pass on what they are given."""
    written: dict[int, str] = {}
    dicts = module.nodes.get(ast.Dict, ())
    switching = bool(dicts) and module.says(_OPTION_KEYWORDS)
    for node, scope in dicts:
        if (len(node.keys) >= _MIN_RECORD_KEYS or switching) and "." not in scope.qualname:
            written[id(node)] = scope.qualname
    for scope in module.scopes if written else ():
        maker = scope.node
        if isinstance(maker, (ast.FunctionDef, ast.AsyncFunctionDef)) and scope.qualname == maker.name:
            for each in maker.body:
                if type(each) is ast.Return and type(each.value) is ast.Dict and id(each.value) in written:
                    keys = [key.value for key in each.value.keys if isinstance(key, ast.Constant)]
                    if len(keys) == len(each.value.keys) >= _MIN_RECORD_KEYS and all(
                        isinstance(key, str) for key in keys
                    ):
                        known_values[maker.name] = {"gives": keys}
                    if switching and (options := boolean_options(each.value)):
                        known_values[maker.name] = {**_known_entry(known_values.get(maker.name)), OPTIONS_KEY: options}
    more: list[tuple[str, dict[str, object]]] = [(name, {QUOTES_KEY: True}) for name in _quoting_functions(module)]
    more += [(name, {"passes": sorted(passed)}) for name, passed in module.passing.items()]
    for name, entry in more:
        known_values[name] = {**_known_entry(known_values.get(name)), **entry}
    return {**exported_settings(module), **function_flows(module), **known_values}


def _known_entry(told: object) -> dict[str, object]:
    """What is already known of a function."""
    return told if isinstance(told, dict) else {}


@lru_cache(maxsize=10_000)
def _is_test_module_name(module: str) -> bool:
    return TEST_MODULE_NAME.search(module) is not None


_BY_LINE = attrgetter("line")


def _function_outline(
    node: FunctionNode, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None
) -> Function:
    qualname, parent, decorators = scope.qualname, scope.parent, node.decorator_list
    return tuple.__new__(  # in half the time that it takes by name
        Function,
        (
            qualname,
            node.lineno,
            node.end_lineno,
            _is_public(qualname, exports),
            _has_docstring(node),
            node.returns is not None,
            signature(node.args),
            tuple([_qualified_name(each, known) for each in decorators]) if decorators else (),
            1 + scope.branches,
            type(node) is ast.AsyncFunctionDef,
            parent is not None and type(parent.node) is ast.ClassDef,
            scope.is_nested,
        ),
    )


def _class_outline(node: ast.ClassDef, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None) -> Class:
    attributes = [
        name for each in _top_level(node.body) if type(each) in _ASSIGNMENT_NODES for name in _assigned_names(each)
    ]
    return Class(
        scope.qualname,
        node.lineno,
        node.end_lineno or node.lineno,
        _is_public(scope.qualname, exports),
        _has_docstring(node),
        tuple([_qualified_name(each, known) for each in node.bases]),
        tuple([_qualified_name(each, known) for each in node.decorator_list]) if node.decorator_list else (),
        tuple(dict.fromkeys(attributes)) if attributes else (),
        scope.is_nested,
    )


_ASSIGNMENT_NODES = frozenset({ast.Assign, ast.AnnAssign})


def _is_public(qualname: str, exports: tuple[str, ...] | None) -> bool:
    if "_" in qualname and (qualname[0] == "_" or "._" in qualname) and any(map(_is_private, qualname.split("."))):
        return exports is not None and qualname in exports and "." not in qualname
    return exports is None or qualname.partition(".")[0] in exports


def _is_private(name: str) -> bool:
    return name[:1] == "_" and not (name[:2] == "__" == name[-2:])


def _has_docstring(node: ast.Module | FunctionNode | ast.ClassDef) -> bool:
    first = node.body[0] if node.body else None
    if type(first) is not ast.Expr or type(first.value) is not ast.Constant:
        return False
    text = first.value.value
    return isinstance(text, str) and text != "" and not text.isspace()


def _qualified_name(expression: ast.expr, known: dict[str, str]) -> str:
    """A dotted name with its first part looked up among the imports; empty for anything that is no name."""
    if type(expression) is ast.Name:
        return known.get(expression.id, expression.id)
    parts: list[str] = []
    node: ast.AST = expression
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            break
    if not isinstance(node, ast.Name):
        return ""
    first = known.get(node.id, node.id)
    return f"{first}.{parts[0]}" if len(parts) == 1 else ".".join([first, *reversed(parts)])


def _top_level(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of a body, and those inside its `if` and `try` blocks."""
    if _BLOCK_NODES.isdisjoint(map(type, body)):
        return body
    found: list[ast.stmt] = []
    waiting = body[::-1]
    while waiting:
        statement = waiting.pop()
        found.append(statement)
        if isinstance(statement, ast.If):
            waiting += reversed([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handled = [each for handler in statement.handlers for each in handler.body]
            waiting += reversed([*statement.body, *handled, *statement.orelse, *statement.finalbody])
    return found


_BLOCK_NODES = frozenset({ast.If, ast.Try})


def _imports_of(statement: ast.Import | ast.ImportFrom) -> list[Import]:
    line = statement.lineno
    if isinstance(statement, ast.ImportFrom):
        start = import_prefix(statement)
        return [Import(each.asname or each.name, start + each.name, line) for each in statement.names]
    names = [(each.asname or each.name.partition(".")[0], each) for each in statement.names]
    return [Import(name, each.name if each.asname else name, line) for name, each in names]


def _imported_test_modules(module: Module) -> set[str]:
    """Imported modules that are named like tests, at any depth, and imported members named so."""
    names = [alias.name for node, _ in module.nodes.get(ast.Import, ()) for alias in node.names]
    named = set(filter(_is_test_module_name, names))
    for node, _ in module.nodes.get(ast.ImportFrom, ()):
        # where the two meet is a dot, so that no such word crosses it
        like = node.module is not None and _is_test_module_name(node.module)
        members = [alias.name for alias in node.names if like or _is_test_module_name(alias.name)]
        if members:
            start = import_prefix(node)
            named.update([start + name for name in members])
    for name in ("__import__", "import_module", "run_module"):
        for node, _ in module.calls.get(name, ()):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and _MODULE.match(first.value):
                named.update(filter(_is_test_module_name, (first.value,)))
    return named


def _assigned_names(statement: ast.stmt) -> list[str]:
    """The names that an assignment binds; one that only adds to them binds none."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    if len(targets) == 1 and type(targets[0]) is ast.Name:
        return [targets[0].id]
    return [
        each.id
        for target in targets
        for each in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else (target,))
        if isinstance(each, ast.Name)
    ]


def _exported_names(
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign, before: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    """The literal names in `__all__` after this statement, or None as long as there are none."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    value = statement.value
    named = any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets)
    if not named or not isinstance(value, (ast.List, ast.Tuple)):
        return before
    return (*(before or ()), *text_constants(value.elts))
