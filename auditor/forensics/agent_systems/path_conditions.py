"""Which conditions hold wherever a node of a function runs, by its syntax tree alone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_CONDITIONS = 100


@dataclass(frozen=True, eq=False)
class Condition:
    """An expression and whether it is true (or false) on the way to a node."""

    test: ast.expr
    holds: bool = True


@dataclass(frozen=True, eq=False)
class Path:
    """How a node of a function is reached: the conditions on the way, or that it never is."""

    conditions: tuple[Condition, ...]
    blocked: str = ""
    """Why nothing leads to the node: a statement before it always leaves the block."""


def path_to(unit: Unit, node: ast.AST) -> Path:
    """The conditions on the way from the start of the function around a node to the node itself."""
    conditions: list[Condition] = []
    below = node
    for each in unit.around(node):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)):
            conditions += _left_before(each, below)
            return Path(tuple(conditions[:_MAX_CONDITIONS]), _leaves_before(each, below))
        if isinstance(each, (ast.If, ast.IfExp)) and below is not each.test:
            branch = each.body if isinstance(each.body, list) else [each.body]
            conditions.append(Condition(each.test, any(below is part for part in branch)))
        conditions += _left_before(each, below)
        if blocked := _leaves_before(each, below):
            return Path(tuple(conditions), blocked)
        below = each
    return Path(tuple(conditions[:_MAX_CONDITIONS]))


def _statements_before(around: ast.AST, below: ast.AST) -> Sequence[ast.stmt]:
    """The statements of a block that run before one of them."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(around, name, None)
        if isinstance(block, list) and below in block:
            return block[: block.index(below)]
    return ()


def _left_before(around: ast.AST, below: ast.AST) -> Iterator[Condition]:
    """What an earlier `if` of the block ruled out by leaving: after `if x: return`, x is false."""
    for each in _statements_before(around, below):
        if isinstance(each, ast.If) and not each.orelse and _always_leaves(each.body):
            yield Condition(each.test, False)


def _leaves_before(around: ast.AST, below: ast.AST) -> str:
    for each in _statements_before(around, below):
        if _always_leaves([each]):
            return f"line {each.lineno} always leaves before it"
    return ""


def _always_leaves(block: Sequence[ast.stmt]) -> bool:
    """Does a block end in a statement that leaves, in every case?"""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_leaves(last.body) and _always_leaves(last.orelse)
    return isinstance(last, _LEAVING)


def atoms(condition: Condition, depth: int = 8) -> Iterator[Condition]:
    """The parts that must all hold: both sides of a true `and` and of a false `or`, `not` turned round."""
    test = condition.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from atoms(Condition(test.operand, not condition.holds), depth)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is condition.holds and depth:
        for part in test.values:
            yield from atoms(Condition(part, condition.holds), depth - 1)
    else:
        yield condition


def is_negated_test(test: ast.expr) -> bool:
    """Is a condition true when the rule does not apply: `not violated`, `kind != "security"`, `spread <= 2`?"""
    if isinstance(test, ast.BoolOp):
        return any(is_negated_test(each) for each in test.values)
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.NotEq, ast.NotIn, ast.Is, ast.Lt, ast.LtE))


def guarded_statements(unit: Unit, node: ast.If) -> list[ast.stmt]:
    """What runs where a condition does not hold: its `else`, or the statements after an `if` that leaves."""
    if node.orelse or not isinstance(node.body[-1], (ast.Return, ast.Continue, ast.Break)):
        return node.orelse
    around = unit.parents.get(node)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(around, name, None)
        if isinstance(block, list) and node in block:
            return [each for each in block[block.index(node) + 1 :] if isinstance(each, ast.stmt)]
    return []


@dataclass(eq=False)
class LocalNames:
    """What the names of one function are bound to."""

    bindings: Mapping[str, list[ast.expr]]
    """Every value that a plain assignment gives to a name."""
    counts: Mapping[str, int]
    """How often a name is bound in any way, as a parameter or by a loop as well."""
    attributes: frozenset[str] = field(default_factory=frozenset)
    """Attributes and keys that the function sets on anything."""

    def only_value(self, name: str) -> ast.expr | None:
        """The value of a name that is bound once."""
        values = self.bindings.get(name, [])
        return values[0] if len(values) == 1 and self.counts.get(name) == 1 else None

    def is_fixed(self, expression: ast.AST) -> bool:
        """Does an expression keep its value throughout the function: nothing in it is bound twice or set?"""
        for each in descendants(expression):
            if isinstance(each, ast.Name) and self.counts.get(each.id, 0) > 1:
                return False
            if isinstance(each, ast.Attribute) and each.attr in self.attributes:
                return False
            if isinstance(each, ast.Constant) and each.value in self.attributes:
                return False
        return True


def local_names(function: ast.AST) -> LocalNames:
    """The bindings of a function, read once."""
    bindings: dict[str, list[ast.expr]] = {}
    counts: Counter[str] = Counter()
    attributes: set[str] = set()
    for node in descendants(function):
        if isinstance(node, ast.arg):
            counts[node.arg] += 1
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            word = node.id if isinstance(node, ast.Name) else ""
            counts.update([word] if word else [])
            attributes.update([] if word else [_set_part(node)])
        for name, subject in _captured(node) if isinstance(node, ast.Match) else ():
            counts[name] += 1
            bindings.setdefault(name, []).append(subject)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                bindings.setdefault(target.id, []).append(value)
    return LocalNames(bindings, counts, frozenset(attributes - {""}))


def _captured(match: ast.Match) -> Iterator[tuple[str, ast.expr]]:
    """The names that stand for the whole subject of a match: `case wide if wide > 2`."""
    for each in match.cases:
        if isinstance(each.pattern, ast.MatchAs) and each.pattern.name is not None:
            yield each.pattern.name, match.subject


def _set_part(node: ast.AST) -> str:
    """The attribute or the key that an assignment sets."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key = getattr(getattr(node, "slice", None), "value", "")
    return key if isinstance(key, str) else ""
