"""Functions that are passed on instead of called: inserted into a table, given as an argument or a default.

Most files mention none, so a search of the text decides first whether the tree is walked again.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from auditor.forensics.library_models.function_values import function_values
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import ARGUMENT_RETURNERS, DEFINITIONS, last_name, scope_body
from auditor.forensics.python.scoped_nodes import Scope, evaluated_in_outer_scope
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import names_of

Reference = tuple[ast.AST, Scope, str]
_ROWS = function_values()
_INSPECTING_CALLS = names_of(_ROWS.inspecting_calls)
"""Calls that look at a function, or put another in its place, and do not call it."""
_SETTING_CALLS = frozenset({"setattr", "setitem"})
"""Calls that put their third argument in the place of something."""
_MODULE_INSPECTING_CALLS = names_of(_ROWS.module_inspecting_calls)
"""Calls that look at a module, or take one thing out of it by its name."""
_MAX_HOPS = 20
_ANNOTATION_FIELDS = frozenset({"annotation", "returns", "type_params"})
_DYNAMIC_IMPORT_KEYWORDS = register_keywords("sys.modules", "__import__", "import_module")
"""How a module is imported whose name is made at run time."""


def find_references(
    module: Module, names: frozenset[str], aliases: Callable[[frozenset[str]], set[str]]
) -> Iterator[Reference]:
    """Every place where one of the qualified names is used as a value, with that name.

    `aliases` tells the other names that the file gives to what ends in given words. A name given by a plain assignment
    is followed by the calls of that name, so the assignment itself is no such place.
    """
    named = _mentioned_names(names, module)
    if not named:
        return
    words = named | aliases(named)
    rows = _mention_lines(module.plain, words)
    if not rows:
        return
    for scope in module.scopes:
        for node in () if not _covers_a_line(scope.node, rows) else _value_nodes(scope_body(scope.node), scope, rows):
            word = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if word not in words or _is_call_result(node, scope, module):
                continue
            name = module.resolve(node, scope)
            if name in names:
                yield node, scope, str(name)


def find_module_references(module: Module, names: frozenset[str]) -> Iterator[Reference]:
    """Every place where one of the modules is used as a value, with its name.

    Left out are those where something is taken out of it by its name, for that is followed.
    """
    own = _imported_as(module, names)
    rows = _value_lines(module.plain, frozenset(own)) if own else []
    if not rows:
        return
    inspected = _inspected_arguments(module)
    for scope in module.scopes:
        for node in () if not _covers_a_line(scope.node, rows) else _value_nodes(scope_body(scope.node), scope, rows):
            if type(node) is ast.Name and node.id in own and id(node) not in inspected:
                real = module.resolve(node, scope)
                if real in names:
                    yield node, scope, str(real)


def _inspected_arguments(module: Module) -> set[int]:
    """Arguments of calls that look at a module, and what is given to a name that is followed, by their identity."""
    calls = [call for name in _MODULE_INSPECTING_CALLS & module.calls.keys() for call, _ in module.calls[name]]
    managers = (node.context_expr for node, _ in module.nodes[ast.withitem] if node.optional_vars is not None)
    calls += [each for each in managers if isinstance(each, ast.Call) and last_name(each.func) in ARGUMENT_RETURNERS]
    defaults = [each for scope in module.scopes for each in evaluated_in_outer_scope(scope.node) if scope.is_function]
    return {id(each) for each in (*defaults, *(given for call in calls for given in call.args))}


PASSED_MODULE_CONFIDENCE = 0.58
PASSED_MODULE_REASON = "which of its functions are called was not analysed"


def passed_module_statement(name: str) -> str:
    """What is said of a module that is passed on."""
    return f"Module `{name}` is passed as a value, so any of its functions may be called"


def _imported_as(module: Module, names: frozenset[str]) -> set[str]:
    """The names under which a file imports one of the modules."""
    return {
        alias.asname or alias.name
        for kind in (ast.Import, ast.ImportFrom)
        for node, _ in module.nodes[kind]
        for alias in node.names
        if alias.name in names
    }


def _value_lines(source: str, words: frozenset[str]) -> list[int]:
    """Lines, in order, on which one of the words is by itself, and that import nothing."""
    rows: list[int] = []
    line, last = 1, 0
    for found in _bare_words(words).finditer(source):
        hit = found.start()
        line += source.count("\n", last, hit)
        last = hit
        begun = source[source.rfind("\n", 0, hit) + 1 : hit].lstrip()
        if not begun.startswith(("import ", "from ", "#")):
            rows.append(line)
    return rows


@lru_cache(maxsize=200)
def _bare_words(words: frozenset[str]) -> re.Pattern[str]:
    """Any of the words where no attribute is taken from it, nothing is assigned to it, and it is part of no longer name."""
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(words)))})\b(?!\s*(?:[.(\w]|=(?!=)))")


def _mentioned_names(names: frozenset[str], module: Module) -> frozenset[str]:
    """Last parts of the names that the file mentions without a call, from modules that it imports."""
    owners = _imported_modules(module)
    modules = _modules_by_last_word(names)
    return frozenset(
        word
        for word in module.said(_register_last_words(names))
        if not (owners and modules[word].isdisjoint(owners))
        and any(True for _ in _uncalled_offsets(word, module.plain))
    )


def _imported_modules(module: Module) -> frozenset[str]:
    """Top-level modules that the file imports, and an empty name for builtins; nothing when it imports by names made at run time."""
    if module.says(_DYNAMIC_IMPORT_KEYWORDS):
        return frozenset()
    plain = {alias.name.partition(".")[0] for node, _ in module.nodes[ast.Import] for alias in node.names}
    origins = {(node.module or "").partition(".")[0] for node, _ in module.nodes[ast.ImportFrom]}
    return frozenset({*plain, *origins, ""})


def _mention_lines(source: str, words: frozenset[str]) -> list[int]:
    """Lines, in order, on which one of the words is and is not called."""
    rows: list[int] = []
    line, last = 1, 0
    for hit in _mentions(source, words):
        line += source.count("\n", last, hit)
        last = hit
        rows.append(line)
    return rows


_MAX_SEPARATE_SEARCHES = 20
_NOT_CALLED = r"(?!\s*\()"
_UNCALLED_WORD = re.compile(rf"\w+\b{_NOT_CALLED}")
_UNCALLED_WORD_END = re.compile(rf"(?!\w){_NOT_CALLED}")
_WORD_CHARACTER = re.compile(r"\w")


def _mentions(source: str, words: frozenset[str]) -> list[int]:
    """Where, in order, one of the words is that no bracket follows, as one would if it were called.

    A few words are looked for one by one, which is quicker; many, for which that would take too long, in one pass.
    """
    if len(words) > _MAX_SEPARATE_SEARCHES:
        return [found.start() for found in _UNCALLED_WORD.finditer(source) if found.group() in words]
    return sorted(start for word in words for start in _uncalled_offsets(word, source))


def _uncalled_offsets(word: str, source: str) -> Iterator[int]:
    """Offsets where a word is by itself and is not called."""
    start = source.find(word)
    while start >= 0:
        end = start + len(word)
        after = source[end : end + 1]
        whole = after != "(" and not after.isalnum() and _UNCALLED_WORD_END.match(source, end)
        if whole and not (start and _WORD_CHARACTER.match(source, start - 1)):
            yield start
        start = source.find(word, end)


def _covers_a_line(node: ast.AST, rows: list[int]) -> bool:
    """Does one of the lines lie within the node, or its decorators?"""
    decorators = getattr(node, "decorator_list", None)
    start = getattr(decorators[0] if decorators else node, "lineno", None)
    if start is None:
        return True
    at = bisect_left(rows, start)
    return at < len(rows) and rows[at] <= (getattr(node, "end_lineno", None) or start)


def _is_call_result(node: ast.AST, scope: Scope, module: Module) -> bool:
    """Is a name bound to what a call gave back, rather than to a function?"""
    for _ in range(_MAX_HOPS):
        if isinstance(node, ast.Call):
            return last_name(node.func) not in {"partial", "getattr"}
        found = module.lookup(node.id, scope) if isinstance(node, ast.Name) else None
        if found is None or found[0].value is None:
            return found is not None and found[0].type is not None
        node, scope = found[0].value, found[1]
    return False


@lru_cache(maxsize=8)
def _modules_by_last_word(names: frozenset[str]) -> dict[str, frozenset[str]]:
    """The last words of names, and the modules that they are taken from; a builtin needs none."""
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        modules[name.rpartition(".")[2]].add(name.partition(".")[0] if "." in name else "")
    return {word: frozenset(those) for word, those in modules.items()}


@lru_cache(maxsize=8)
def _register_last_words(names: frozenset[str]) -> frozenset[str]:
    """The last words of watched names."""
    return register_keywords(*_modules_by_last_word(names))


def _value_nodes(statements: Iterable[ast.AST], scope: Scope, rows: list[int]) -> Iterator[ast.AST]:
    """Names and attributes of one scope that are used as values on these lines."""
    waiting: list[ast.AST] = [each for each in statements if _covers_a_line(each, rows)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            if isinstance(node.ctx, ast.Load):
                yield node
            waiting += _inner_owner(node)
            continue
        waiting += [each for each in _evaluated_children(node, scope) if _covers_a_line(each, rows)]


def _evaluated_children(node: ast.AST, scope: Scope) -> list[ast.AST]:
    if isinstance(node, DEFINITIONS):
        return list(evaluated_in_outer_scope(node))
    if isinstance(node, ast.Call):
        return _argument_values(node)
    if isinstance(node, ast.Compare):
        return [each for side in (node.left, *node.comparators) for each in _compared_values(side)]
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and not isinstance(scope.node, ast.ClassDef):
        return _assigned_values(node)
    children: list[ast.AST] = []
    for name in node._fields:
        value = None if name in _ANNOTATION_FIELDS else getattr(node, name, None)
        children += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]
    return children


def _argument_values(call: ast.Call) -> list[ast.AST]:
    """Arguments of a call, and what it is called on when that is no plain name."""
    name = last_name(call.func)
    callee = _callee_values(call.func)
    if name in _SETTING_CALLS:
        return [*callee, *call.args[2:], *(each.value for each in call.keywords)]
    if name in _INSPECTING_CALLS:
        return [*callee, *(each for each in call.args if not _is_name_or_attribute(each))]
    return [*callee, *call.args, *(each.value for each in call.keywords)]


def _callee_values(func: ast.expr) -> list[ast.AST]:
    """What a call is called on, where resolving the call does not give all of it."""
    if _is_name_or_attribute(func):
        return _inner_owner(func)
    if isinstance(func, ast.NamedExpr) and _is_name_or_attribute(func.value):
        return []
    if isinstance(func, ast.Call) and last_name(func.func) == "partial":
        return [*func.args[1:], *(each.value for each in func.keywords)]
    return [func]


def _inner_owner(node: ast.expr) -> list[ast.AST]:
    """What a chain of attributes is taken from, where that is no name: the call in `Thread(target=run).start`."""
    if not isinstance(node, ast.Attribute):
        return []
    while isinstance(node, ast.Attribute):
        node = node.value
    return [] if isinstance(node, ast.Name) else [node]


def _compared_values(side: ast.expr) -> list[ast.AST]:
    """The operands of a comparison without functions: those are compared, not run."""
    members = side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]
    return [each for each in members if not _is_name_or_attribute(each)]


def _assigned_values(node: ast.Assign | ast.AnnAssign) -> list[ast.AST]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    value = node.value
    if all(isinstance(each, ast.Name) for each in targets):
        if value is None or _is_name_or_attribute(value):
            return []
        if isinstance(value, ast.Call) and last_name(value.func) == "partial":
            return [*value.args[1:], *(each.value for each in value.keywords)]
    return [] if value is None else [value]


def _is_name_or_attribute(expression: ast.expr) -> bool:
    return isinstance(expression, (ast.Name, ast.Attribute))
