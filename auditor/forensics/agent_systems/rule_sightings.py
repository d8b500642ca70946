"""Where a rule of synthesis is written.

A rule is recognized by its condition (what it looks at: security, evidence, architecture, spread) and its effect (what it
changes: a cap, a score, a weight, a dissent).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from auditor.forensics.agent_systems.called_functions import callees
from auditor.forensics.agent_systems.dead_rules import dead_rule_reason
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.opinion_filters import drops_opinion, fact_filter_level, opinion_filters
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.path_conditions import LocalNames, guarded_statements, is_negated_test, local_names
from auditor.forensics.agent_systems.score_effects import changes_score, is_weighted_sum, limits_score
from auditor.forensics.agent_systems.spread_rules import spread_sighting
from auditor.forensics.agent_systems.syntax_queries import assigned_names, assignments, descendants, vocabulary
from auditor.forensics.agent_systems.undefined_rule_names import texts_of_name
from auditor.forensics.python.scope_bindings import last_name

_SECURITY = re.compile(
    r"secur|vulnerab|unsafe|injection|os\.system|shell|violation|exploit|negligen|safe_tool|safety|sandbox",
    re.IGNORECASE,
)
_FACT = re.compile(
    r"evidence|(?:\b|_)found\b|\bfact|_fact|halluc|contradict|unsupported|\bproven\b|ground", re.IGNORECASE
)
_CLAIM = re.compile(r"defen[cs]e|opinion|score|value|mark|rating|claim|prais|judge|overrul|argument", re.IGNORECASE)
_ARCHITECTURE = re.compile(r"architect|graph|orchestrat|functional|modular|structur|technical", re.IGNORECASE)
_WEIGHT = re.compile(r"tech_?lead|techlead|weight|\btl_|\bt_sc|tech", re.IGNORECASE)
_LEAD = re.compile(r"tech[ _-]?lead", re.IGNORECASE)
DISSENT = re.compile(r"dissent|minority|disagree", re.IGNORECASE)
_MAX_WORDS = 400
_MAX_METHODS = 3
"""Methods of a class that is one rule."""


@dataclass(eq=False)
class RuleSighting:
    """A rule at a place: present (2) or in part (1), and why it cannot fire, if so."""

    strength: int
    unit: Unit
    node: ast.AST
    dead: str = ""


def all_sightings(
    study: ProgramStudy, functions: Mapping[FunctionDefinition, Unit], *, only: str = ""
) -> Iterator[tuple[str, RuleSighting]]:
    """Each place that may be a rule, with the rule's name; with `only`, those of one rule."""
    for node, unit in functions.items():
        if isinstance(node, ast.Lambda):
            continue
        key = ("rules", node)
        if key not in study.memory:
            study.memory[key] = list(_sightings_in_function(study, unit, node))
        for name, strength, place in study.memory[key]:
            if not only or name == only:
                yield name, RuleSighting(strength, unit, place, dead_rule_reason(study, unit, place, functions))


def _sightings_in_function(
    study: ProgramStudy, unit: Unit, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[str, int, ast.AST]]:
    assigned = assignments(function)
    names = local_names(function)
    told = names.bindings
    for node in descendants(function):
        if isinstance(node, (ast.If, ast.IfExp)):
            words = _condition_words(study, unit, function, node.test, assigned)
            body = _guarded_block(unit, node) if isinstance(node, ast.If) else [_statement(unit, node)]
            yield from _rules_of_condition(unit, node, words, body, names)
        elif _sets_dissent(node, function, told):
            yield "dissent", 2, node
        elif _favours(unit, node, function):
            yield "functionality_weight", 1, node
        for sieve in opinion_filters(unit, node):
            _, said = _condition_words(study, unit, function, sieve.test, assigned)
            if strength := fact_filter_level(sieve, said, assigned):
                yield "fact_supremacy", strength, node
        if strength := spread_sighting(study, unit, function, node, names):
            yield "variance_re_evaluation", strength, node
        if isinstance(node, ast.Dict):
            yield from (("dissent", 2, value) for value in _dissent_texts(node))


def _dissent_texts(record: ast.Dict) -> Iterator[ast.expr]:
    """The texts that a record holds under a key called dissent."""
    for key, value in zip(record.keys, record.values, strict=True):
        said = key.value if isinstance(key, ast.Constant) else ""
        if isinstance(said, str) and DISSENT.search(said) and isinstance(value, (ast.JoinedStr, ast.BinOp)):
            yield value


def _is_lead_weight_table(unit: Unit, table: ast.Dict) -> bool:
    """Is it a table of weights in which the Tech Lead's is the largest, whatever the criterion?"""
    given = unit.parents.get(table)
    if not isinstance(given, (ast.Assign, ast.AnnAssign)) or "weight" not in assigned_names(given).lower():
        return False
    weights = {
        str(getattr(key, "value", "")): value.value
        for key, value in zip(table.keys, table.values, strict=True)
        if isinstance(value, ast.Constant) and isinstance(value.value, (int, float))
    }
    lead = [weight for name, weight in weights.items() if _LEAD.search(name)]
    others = [weight for name, weight in weights.items() if not _LEAD.search(name)]
    return bool(lead and others) and min(lead) > max(others)


def _is_conditional(unit: Unit, node: ast.AST) -> bool:
    """Does something happen on a condition only? What is in its last `else` is what usually happens."""
    below = node
    for each in unit.around(node):
        if isinstance(each, (ast.If, ast.IfExp)):
            other = each.orelse if isinstance(each.orelse, list) else [each.orelse]
            if not any(below is part for part in other):
                return True
        below = each
    return False


def _favours(unit: Unit, node: ast.AST, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Does something give the Tech Lead the largest weight: a sum, a table, the name of a module's table?"""
    if isinstance(node, ast.BinOp):  # one that stands under a condition belongs to that condition
        return _is_lead_weighted_sum(node, function) and not _is_conditional(unit, node)
    if isinstance(node, ast.Name):
        return _names_lead_weight_table(unit, node)
    return isinstance(node, ast.Dict) and _is_lead_weight_table(unit, node)


def _names_lead_weight_table(unit: Unit, name: ast.Name) -> bool:
    """Does a name stand for a module's table of weights in which the Tech Lead's is the largest?"""
    if "weight" not in name.id.lower() or not isinstance(name.ctx, ast.Load):
        return False
    return any(
        isinstance(each, (ast.Assign, ast.AnnAssign))
        and name.id in assigned_names(each).split()
        and isinstance(each.value, ast.Dict)
        and _is_lead_weight_table(unit, each.value)
        for each in unit.tree.body
    )


def _is_lead_weighted_sum(node: ast.BinOp, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is it a sum with weights by position in a function of that name, or one in which the Tech Lead weighs most?"""
    if not isinstance(node.op, ast.Add) or not is_weighted_sum(node):
        return False
    if re.search(r"functional|architect|tech_?lead", function.name, re.IGNORECASE):
        return True
    weights: dict[bool, list[float]] = {True: [], False: []}
    for each in descendants(node):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult):
            sides = (each.left, each.right)
            numbers = [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, float)]
            if len(numbers) == 1:
                weights[bool(_LEAD.search(" ".join(vocabulary(each))))].append(numbers[0])
    return bool(weights[True] and weights[False]) and min(weights[True]) > max(weights[False])


def _sets_dissent(
    node: ast.AST, function: ast.FunctionDef | ast.AsyncFunctionDef, told: Mapping[str, list[ast.expr]]
) -> bool:
    """Does something called a dissent get a text, or does a function called so give one back?"""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.keyword)) and DISSENT.search(
        assigned_names(node)
    ):
        return _is_not_empty(node.value, told)
    if isinstance(node, ast.Return):
        return bool(DISSENT.search(function.name)) and _is_composed_text(node.value, told)
    return _writes_dissent_line(node)


def _guarded_block(unit: Unit, node: ast.If) -> list[ast.stmt]:
    """What a condition lets happen: its block, and what it does by not leaving, after `if not violated: return score`, or in its `else`."""
    return [*node.body, *(guarded_statements(unit, node) if is_negated_test(node.test) else ())]


def _is_composed_text(value: ast.expr | None, told: Mapping[str, list[ast.expr]]) -> bool:
    """Is it a text with something filled in, or a name that stands for one?"""
    if isinstance(value, ast.Name):
        return any(_is_composed_text(each, {}) for each in told.get(value.id, ()))
    joined = isinstance(value, ast.Call) and getattr(value.func, "attr", "") in {"join", "format"}
    filled = value is not None and any(isinstance(each, ast.FormattedValue) for each in descendants(value))
    return joined or filled or isinstance(value, ast.BinOp)


def _writes_dissent_line(node: ast.AST) -> bool:
    """Is a line about a dissent, with what was said filled in, inserted into a text?"""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr not in {"append", "add", "write"}:
        return False
    if DISSENT.search(last_name(node.func.value)) and any(_is_composed_text(each, {}) for each in node.args):
        return True
    for text in (each for each in node.args if isinstance(each, ast.JoinedStr)):
        spoken = " ".join(str(part.value) for part in descendants(text) if isinstance(part, ast.Constant))
        if DISSENT.search(spoken) and any(isinstance(part, ast.FormattedValue) for part in text.values):
            return True
    return False


def _rules_of_condition(
    unit: Unit, node: ast.If | ast.IfExp, said: tuple[str, str], body: list[ast.stmt], names: LocalNames
) -> Iterator[tuple[str, int, ast.AST]]:
    """The rules that one condition and its effect make."""
    own_words, words = said
    effect = _effect_words(body)
    function = unit.function_of(node) or node
    scored, capped = changes_score(body, names, function), limits_score(body, names, function)
    dropped = drops_opinion(body)
    is_security = _SECURITY.search(words) is not None
    if is_security:
        yield "security_override", 2 if capped else 1, node
    claims = words if is_security else f"{words} {effect}"  # a cap on every score weighs no claim against the facts
    is_named = _FACT.search(getattr(function, "name", "")) is not None
    if _FACT.search(words) and _CLAIM.search(claims) and (is_named or not isinstance(node, ast.IfExp)):
        own = re.search(r"found|fact|halluc|overrul|contradict|unsupported|support|prove|exist", words, re.IGNORECASE)
        if own:
            yield "fact_supremacy", 2 if scored or dropped else 1, node
    if _ARCHITECTURE.search(own_words) and _WEIGHT.search(f"{own_words} {effect}"):
        yield "functionality_weight", 2 if scored else 1, node


def _condition_words(
    study: ProgramStudy,
    unit: Unit,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    test: ast.expr,
    assigned: Mapping[str, ast.expr],
) -> tuple[str, str]:
    """The words a condition is made of, with those of the flags it asks; and those with what its predicates look at."""
    words = [*vocabulary(test), function.name, _rule_class(unit, function)]
    for node in descendants(test):
        if isinstance(node, ast.Name) and node.id in assigned:
            words += vocabulary(assigned[node.id])
        elif isinstance(node, ast.Name) and node.id.isupper():
            words += texts_of_name(study, unit, node)
    own = " ".join(words[:_MAX_WORDS])
    called = {
        name
        for part in (test, *(assigned[n.id] for n in descendants(test) if isinstance(n, ast.Name) and n.id in assigned))
        for name in _called_names(part)
    }
    if called:
        for helper in callees(study, unit, function):
            if helper.name in called and not isinstance(helper.node, ast.Lambda):
                words += [word for statement in helper.node.body for word in vocabulary(statement)]
    return own, " ".join(words[:_MAX_WORDS])


def _rule_class(unit: Unit, function: ast.AST) -> str:
    """The name of the class a method belongs to, where that is a rule of its own rather than a whole synthesis."""
    cls = unit.class_of(function)
    methods = [each for each in cls.body if isinstance(each, ast.FunctionDef)] if cls is not None else []
    return cls.name if cls is not None and len(methods) <= _MAX_METHODS else ""


def _called_names(node: ast.AST) -> Iterator[str]:
    for each in descendants(node):
        if isinstance(each, ast.Call):
            yield last_name(each.func)


def _effect_words(body: Iterable[ast.stmt]) -> str:
    return " ".join(word for statement in body for word in vocabulary(statement))[:4_000]


def _statement(unit: Unit, node: ast.AST) -> ast.stmt:
    return next(each for each in unit.around(node) if isinstance(each, ast.stmt))


def _is_not_empty(value: ast.expr | None, told: Mapping[str, list[ast.expr]]) -> bool:
    """Is it more than an empty placeholder? A local name says what it is made to stand for."""
    if isinstance(value, ast.Name):
        return any(_is_not_empty(each, {}) for each in told.get(value.id, ()))
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and len(value.value) > 10
    if isinstance(value, (ast.Tuple, ast.BoolOp)):
        parts = value.elts if isinstance(value, ast.Tuple) else value.values
        return any(_is_not_empty(each, told) for each in parts)
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return bool(getattr(value, "elts", getattr(value, "keys", ())))
    if isinstance(value, ast.Call):
        name = last_name(value.func)
        return name not in {"Field", "get", "field", "list", "dict"}
    return isinstance(value, (ast.JoinedStr, ast.BinOp, ast.IfExp, ast.ListComp))
