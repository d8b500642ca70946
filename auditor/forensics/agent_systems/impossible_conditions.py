"""Conditions that can never hold: contradictions, limits that no score reaches, code after a statement that always leaves."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from auditor.forensics.agent_systems.abstract_values import Const
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.path_conditions import Condition, LocalNames, Path, atoms, local_names, path_to
from auditor.forensics.agent_systems.syntax_queries import assigned_names, descendants
from auditor.forensics.agent_systems.value_contents import options
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name

_SCORE_FIELD = re.compile(r"^(?:score|rating|grade|points)$", re.IGNORECASE)
_SCORES = re.compile(r"scor|rating|grade|opinion", re.IGNORECASE)
_BOUND_KEYWORDS = frozenset({"ge", "gt", "le", "lt"})
_MAX_DEPTH = 3
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip


@dataclass(eq=False)
class _Range:
    """What a number may be by the conditions so far."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    texts: set[str] | None = None
    other_than: set[str] = field(default_factory=set)

    @property
    def empty(self) -> bool:
        """Is nothing left that it may be?"""
        if self.texts is not None and not self.texts - self.other_than:
            return True
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def narrow(self, comparison: type[ast.cmpop], bound: float) -> None:
        """Take over one comparison with a number."""
        if comparison in (ast.Gt, ast.GtE, ast.Eq) and (bound, comparison is ast.Gt) > (self.low, self.low_open):
            self.low, self.low_open = bound, comparison is ast.Gt
        if comparison in (ast.Lt, ast.LtE, ast.Eq) and (-bound, comparison is ast.Lt) > (-self.high, self.high_open):
            self.high, self.high_open = bound, comparison is ast.Lt


@dataclass(frozen=True, eq=False)
class Scope:
    """A function as conditions are read in it."""

    study: ProgramStudy
    unit: Unit
    function: ast.AST
    names: LocalNames


def scope_of(study: ProgramStudy, unit: Unit, function: ast.AST) -> Scope:
    """The scope of a function, its names read once."""
    key = ("local names", function)
    if key not in study.memory:
        study.memory[key] = local_names(function)
    return Scope(study, unit, function, study.memory[key])


@remembered
def path_in(_study: ProgramStudy, unit: Unit, node: ast.AST) -> Path:
    """The way to a node, worked out once."""
    return path_to(unit, node)


def impossible_reason(scope: Scope, conditions: Iterable[Condition]) -> str:
    """Why some conditions can never hold together; empty when they can, or nobody knows."""
    ranges: dict[str, _Range] = {}
    truths: dict[str, bool] = {}
    for each in (part for condition in conditions for part in _resolved(scope, condition, _MAX_DEPTH)):
        reason = _contradicts(scope, each, ranges, truths)
        if reason:
            return reason
    return ""


def _resolved(scope: Scope, condition: Condition, depth: int) -> Iterator[Condition]:
    """The parts of a condition, flags replaced by what they are bound to."""
    for each in atoms(condition):
        told = scope.names.only_value(each.test.id) if isinstance(each.test, ast.Name) else None
        if told is not None and depth and scope.names.is_fixed(told):
            yield from _resolved(scope, Condition(told, each.holds), depth - 1)
        else:
            yield each


def _contradicts(scope: Scope, each: Condition, ranges: dict[str, _Range], truths: dict[str, bool]) -> str:
    test = each.test
    known = _constant(scope, test)
    if known is not None and bool(known.value) is not each.holds:
        return f"`{_short(scope, test)}` is never {'true' if each.holds else 'false'}"
    if not scope.names.is_fixed(test):
        return ""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _narrowed(scope, test, each.holds, ranges)
    key = scope.unit.source_of(test)
    if truths.setdefault(key, each.holds) is not each.holds:
        return f"`{_short(scope, test)}` must be true and false at once"
    return ""


def _narrowed(scope: Scope, test: ast.Compare, holds: bool, ranges: dict[str, _Range]) -> str:
    left, comparison, right = test.left, type(test.ops[0]), test.comparators[0]
    number = _constant(scope, right)
    if number is None:
        number = _constant(scope, left)
        left, comparison = right, _FLIPPED.get(comparison, comparison)
    if number is None:
        return ""
    if not holds:
        if comparison not in _NEGATED:
            return ""
        comparison = _NEGATED[comparison]
    subject = _value_of(scope, left)
    key = scope.unit.source_of(subject)
    found = ranges.setdefault(key, _natural_range(scope, subject))
    if isinstance(number.value, str):
        if comparison is ast.Eq:
            found.texts = {number.value} if found.texts is None else found.texts & {number.value}
        elif comparison is ast.NotEq:
            found.other_than.add(number.value)
    elif isinstance(number.value, (int, float)) and not isinstance(number.value, bool):
        found.narrow(comparison, float(number.value))
    return f"`{_short(scope, test)}` can never be {'true' if holds else 'false'} there" if found.empty else ""


def _short(scope: Scope, test: ast.AST) -> str:
    text = scope.unit.source_of(test)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _value_of(scope: Scope, node: ast.expr, depth: int = _MAX_DEPTH) -> ast.expr:
    """What a name is bound to, where it is bound once."""
    told = scope.names.only_value(node.id) if isinstance(node, ast.Name) else None
    if told is None or not depth or not scope.names.is_fixed(told):
        return node
    return _value_of(scope, told, depth - 1)


def _constant(scope: Scope, node: ast.expr) -> ast.Constant | Const | None:
    """A number, text or flag that is known: written here, or the constant of a module."""
    if isinstance(node, ast.Constant):
        return node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return ast.Constant(-value) if isinstance(value, (int, float)) else None
    if isinstance(node, ast.BinOp):
        return _calculated(scope, node)
    if not isinstance(node, ast.Name):
        return None
    if node.id in scope.names.counts:
        told = scope.names.only_value(node.id)
        return told if isinstance(told, ast.Constant) else None
    frame = Frame(scope.unit, scope.unit.tree, scope.study.run.module(scope.unit))
    known = options(scope.study.run.value(node, frame))
    return known[0] if len(known) == 1 and isinstance(known[0], Const) else None


_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip


def _calculated(scope: Scope, node: ast.BinOp) -> ast.Constant | None:
    """The sum, difference or product of two known numbers."""
    calculate = _OPERATIONS.get(type(node.op))
    sides = [_constant(scope, each) for each in (node.left, node.right)]
    numbers = [
        each.value
        for each in sides
        if each is not None and isinstance(each.value, (int, float)) and not isinstance(each.value, bool)
    ]
    return ast.Constant(calculate(*numbers)) if calculate is not None and len(numbers) == len(sides) else None


@remembered
def score_bounds(study: ProgramStudy) -> tuple[float, float] | None:
    """The least and the largest score that the models of opinions take; None where they do not say."""
    found = [
        bounds
        for unit in study.program.product
        for node in unit.nodes_of_kinds(ast.AnnAssign)
        if isinstance(node, ast.AnnAssign) and _SCORE_FIELD.search(assigned_names(node))
        if (bounds := _field_bounds(node)) is not None
    ]
    lows, highs = zip(*found, strict=True) if found else ((), ())
    return (min(lows), max(highs)) if found else None


def _field_bounds(node: ast.AnnAssign) -> tuple[float, float] | None:
    """The bounds that `Field(ge=1, le=5)`, `conint(ge=1, le=5)` or `Literal[1, 2, 3]` set."""
    low, high = -math.inf, math.inf
    for each in descendants(node):
        if isinstance(each, ast.keyword) and each.arg in _BOUND_KEYWORDS and isinstance(each.value, ast.Constant):
            number = each.value.value
            if isinstance(number, (int, float)) and each.arg.startswith("g"):
                low = float(number)
            elif isinstance(number, (int, float)):
                high = float(number)
        elif isinstance(each, ast.Subscript) and last_name(each.value) == "Literal":
            listed = [part.value for part in descendants(each.slice) if isinstance(part, ast.Constant)]
            numbers = [float(part) for part in listed if isinstance(part, (int, float))]
            if numbers and len(numbers) == len(listed):
                low, high = min(numbers), max(numbers)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _natural_range(scope: Scope, subject: ast.expr) -> _Range:
    """What a score, or the distance between scores, can be at all."""
    bounds = score_bounds(scope.study)
    if bounds is None:
        return _Range()
    low, high = bounds
    if _is_score(subject):
        return _Range(low, high)
    width = _largest_spread(scope, subject, high - low)
    return _Range(0.0, width) if width is not None else _Range()


def _is_score(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return _SCORE_FIELD.search(node.attr) is not None
    return isinstance(node, ast.Subscript) and _SCORE_FIELD.search(str(getattr(node.slice, "value", ""))) is not None


def _largest_spread(scope: Scope, node: ast.expr, width: float) -> float | None:
    """The largest value of an expression that says how far scores are apart; None when it is something else."""
    node = _value_of(scope, node)
    found: float | None = None
    if isinstance(node, ast.Constant):
        found = 0.0 if node.value == 0 and not isinstance(node.value, bool) else None
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        sides = [_value_of(scope, each) for each in (node.left, node.right)]
        called = [last_name(each.func) if isinstance(each, ast.Call) else "" for each in sides]
        extremes = called == ["max", "min"] and all(map(_about_scores, sides))
        found = width if extremes or all(map(_is_score, sides)) else None
    elif isinstance(node, ast.Call) and last_name(node.func) in {"abs", "float", "int", "round"} and node.args:
        found = _largest_spread(scope, node.args[0], width)
    elif isinstance(node, ast.Call) and all(map(_about_scores, node.args[:1])):
        found = _largest_result(node, width)
    return found


def _largest_result(call: ast.Call, width: float) -> float | None:
    """The largest spread that a call of the module `statistics` gives."""
    name = last_name(call.func)
    if name in {"stdev", "pstdev"}:
        return width / math.sqrt(2)
    if name in {"variance", "pvariance"} and isinstance(call.func, ast.Attribute):
        return width**2 / 2
    return None


def _about_scores(node: ast.expr) -> bool:
    """Are the scores of opinions in it, by the names it is made of?"""
    words = (getattr(each, "id", getattr(each, "attr", getattr(each, "value", ""))) for each in descendants(node))
    return any(isinstance(each, str) and _SCORES.search(each) and "weight" not in each.lower() for each in words)


def uncallable_reason(
    study: ProgramStudy, function: ast.AST, reach: Mapping[FunctionDefinition, Unit], depth: int = _MAX_DEPTH
) -> str:
    """Why no call of a function can ever be made by what the synthesis reaches; empty when one can, or it is called otherwise."""
    name = getattr(function, "name", "")
    if not name or not depth:
        return ""
    reasons: list[str] = []
    for caller, place, called in _mentions(study, name, reach):
        if not called:
            return ""
        reason = unreachable_reason(study, place, called)
        reason = reason or ("" if caller is function else uncallable_reason(study, caller, reach, depth - 1))
        if not reason:
            return ""
        reasons.append(reason)
    return f"{name} is never called: {reasons[0]}" if reasons else ""


def unreachable_reason(study: ProgramStudy, unit: Unit, node: ast.AST) -> str:
    """Why a node never runs by the conditions of its own function."""
    path = path_in(study, unit, node)
    if path.blocked:
        return path.blocked
    own = unit.function_of(node)
    return impossible_reason(scope_of(study, unit, own), path.conditions) if own is not None else ""


def _mentions(
    study: ProgramStudy, name: str, reach: Mapping[FunctionDefinition, Unit]
) -> list[tuple[ast.AST, Unit, ast.Call | None]]:
    """Where the functions of a synthesis name another one, and the call, where it is called."""
    if ("mentions", frozenset(reach)) not in study.memory:
        found: dict[str, list[tuple[ast.AST, Unit, ast.Call | None]]] = {}
        for function, unit in reach.items():
            for each in descendants(function):
                if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(each.ctx, ast.Load):
                    word = each.id if isinstance(each, ast.Name) else each.attr
                    parent = unit.parents.get(each)
                    call = parent if isinstance(parent, ast.Call) and parent.func is each else None
                    found.setdefault(word, []).append((function, unit, call))
        study.memory["mentions", frozenset(reach)] = found
    known: dict[str, list[tuple[ast.AST, Unit, ast.Call | None]]] = study.memory["mentions", frozenset(reach)]
    return known.get(name, [])
