"""What a block of a synthesis does to scores: whether it changes one, or holds one down.

A score that is only named does not count: a text that mentions it, a flag, a log line, a value that nothing reads.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.path_conditions import LocalNames
from auditor.forensics.agent_systems.syntax_queries import assigned_names, descendants, nested_statements, vocabulary
from auditor.forensics.python.scope_bindings import last_name, text_constant

SCORE = re.compile(
    r"score|final|capped|\bcap\b|rating|weighted|weights?$|factor|multiplier|value|resolved|adjusted|grade|verdict|(?:^|_)marks?$|points$",
    re.IGNORECASE,
)
_SCORE_KEY = re.compile(r"score", re.IGNORECASE)
_NO_SCORE = re.compile(r"dissent|minority|disagree|varianc|spread|diverg|deviat|threshold", re.IGNORECASE)
"""What bears a score's name and is none: how far apart scores are."""
_VERDICT = re.compile(r"verdict|decision|grade|rating|outcome", re.IGNORECASE)
_LIMIT = re.compile(r"cap|limit|ceiling|fail|reject", re.IGNORECASE)
_FILLING_CALLS = frozenset({"append", "update", "setdefault", "insert", "extend", "add"})
_MAX_CAP = 3.0
_MAX_DEPTH = 4


def changes_score(body: Iterable[ast.stmt], names: LocalNames, function: ast.AST) -> bool:
    """Does a block change a score: assign one that is read, return one, hand one on?"""
    return bool(score_changes(body, names, function))


def score_changes(body: Iterable[ast.stmt], names: LocalNames, function: ast.AST) -> list[ast.stmt]:
    """The statements of a block that change a score."""
    return [each for each in nested_statements(body) if _statement_changes_score(each, names, function)]


def limits_score(body: Iterable[ast.stmt], names: LocalNames, function: ast.AST) -> bool:
    """Does a block hold a score down: `min(score, 3)`, `score = 3`, a limit by name?"""
    return any(
        _statement_changes_score(each, names, function) and any(map(_is_limit, _own_nodes(each)))
        for each in nested_statements(body)
    )


def _is_limit(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) == "min"
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool) and 0 < node.value <= _MAX_CAP
    return isinstance(node, ast.Name) and _LIMIT.search(node.id) is not None


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement; of one with a block only its head, the block's statements are asked by themselves."""
    if not isinstance(getattr(statement, "body", None), list):
        yield from descendants(statement)


def _statement_changes_score(statement: ast.stmt, names: LocalNames, function: ast.AST) -> bool:
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and _assigns_score(statement, names, function):
        return True
    if isinstance(statement, ast.Return) and statement.value is not None and _returns_score(statement.value, names):
        return True
    return any(_hands_on_score(each, names) for each in _own_nodes(statement))


def _assigns_score(statement: ast.Assign | ast.AnnAssign | ast.AugAssign, names: LocalNames, function: ast.AST) -> bool:
    given, value = assigned_names(statement), statement.value
    if value is None or _NO_SCORE.search(given) or _is_same(statement):
        return False
    if not SCORE.search(given):
        return isinstance(statement, ast.Assign) and is_weighted_sum(value)
    if is_no_score(value, names) and not (_VERDICT.search(given) and _is_label(value)):
        return False
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return not isinstance(target, ast.Name) or _is_read(target.id, statement, function)


def _is_same(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
    """Does a name only get what it has: `score = score`?"""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and _is_same_place(statement.targets[0], statement.value)
    )


def _is_same_place(one: ast.expr, other: ast.expr) -> bool:
    """Do both name the same variable, or the same attribute of it?"""
    while isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute) and one.attr == other.attr:
        one, other = one.value, other.value
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id


def _is_read(name: str, statement: ast.stmt, function: ast.AST) -> bool:
    """Does anything but a log line read a local name, its own assignment left out?"""
    waiting: list[ast.AST] = [function]
    while waiting:
        each = waiting.pop()
        if each is statement or (isinstance(each, ast.Call) and last_name(each.func) in known_names("log_calls")):
            continue
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load):
            return True
        if isinstance(each, (ast.Global, ast.Nonlocal)) and name in each.names:
            return True
        waiting += ast.iter_child_nodes(each)
    return False


def _hands_on_score(node: ast.AST, names: LocalNames) -> bool:
    """Is a score given to a call by name, or inserted into a list of scores?"""
    if not isinstance(node, ast.Call) or last_name(node.func) in known_names("log_calls"):
        return False
    named = (each for each in node.keywords if each.arg and _name_score([each.arg], _SCORE_KEY))
    if any(not is_no_score(each.value, names) for each in named):
        return True
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _FILLING_CALLS:
        return False
    holder = getattr(node.func.value, "id", getattr(node.func.value, "attr", ""))
    return bool(SCORE.search(holder)) and any(not is_no_score(each, names) for each in node.args)


def _returns_score(value: ast.expr, names: LocalNames) -> bool:
    if isinstance(value, ast.Dict):
        return any(
            isinstance(key, ast.Constant)
            and _SCORE_KEY.search(str(key.value))
            and not _NO_SCORE.search(str(key.value))
            and not is_no_score(each, names)
            for key, each in zip(value.keys, value.values, strict=True)
        )
    return _is_score_value(value, names)


def is_weighted_sum(value: ast.expr) -> bool:
    """Is it a sum with weights, such as `0.5 * lead + 0.5 * rest`?"""
    parts = list(descendants(value))
    weighted = any(
        isinstance(each, ast.Constant) and isinstance(each.value, float) and 0 < each.value < 1 for each in parts
    )
    return weighted and any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult) for each in parts)


def _is_score_value(value: ast.expr, names: LocalNames) -> bool:
    """Is a returned value a score: a number, an operation, a name that says so? A tuple counts by its first part."""
    if isinstance(value, ast.Tuple) and value.elts:
        return _is_score_value(value.elts[0], names)
    if isinstance(value, ast.IfExp):
        return _is_score_value(value.body, names) and _is_score_value(value.orelse, names)
    if isinstance(value, ast.Await):
        return _is_score_value(value.value, names)
    if is_no_score(value, names):
        return False
    if isinstance(value, ast.Call):
        called = [last_name(each.func) for each in descendants(value) if isinstance(each, ast.Call)]
        return last_name(value.func) in known_names("computing_calls") or _name_score(called)
    return isinstance(value, (ast.BinOp, ast.Constant)) or _name_score(vocabulary(value)[:3])


def _name_score(words: list[str], pattern: re.Pattern[str] = SCORE) -> bool:
    """Does one of some names speak of a score, and none of how far scores are apart?"""
    return any(map(pattern.search, words)) and not any(map(_NO_SCORE.search, words))


def is_no_score(value: ast.expr, names: LocalNames, depth: int = _MAX_DEPTH) -> bool:
    """Is a value for sure a text, a flag, nothing, or an empty container? A local name is what it is bound to."""
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, (int, float)) or isinstance(value.value, bool)
    if isinstance(value, (ast.List, ast.Set, ast.Dict)):
        return not (value.keys if isinstance(value, ast.Dict) else value.elts)
    if isinstance(value, ast.Call):
        return last_name(value.func) in known_names("no_score_calls")
    if isinstance(value, ast.BinOp):
        sides = (value.left, value.right)
        return isinstance(value.op, (ast.Add, ast.Mod)) and any(is_no_score(each, names, depth) for each in sides)
    parts: list[ast.expr] = []
    if isinstance(value, (ast.IfExp, ast.BoolOp)):
        parts = value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse]
    elif isinstance(value, ast.Name) and depth:
        parts = names.bindings.get(value.id, [])
    textual = isinstance(value, (ast.JoinedStr, ast.Compare)) or (
        isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    )
    return textual or (bool(parts) and all(is_no_score(each, names, depth - 1) for each in parts))


def _is_label(value: ast.expr) -> bool:
    """Is it one word, as a verdict is given: `"FAIL"`?"""
    return len((text_constant(value) or "").split()) == 1
