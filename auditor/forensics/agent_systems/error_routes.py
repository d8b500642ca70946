"""Which routers look for trouble: something that is missing, too little, or went wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from auditor.forensics.agent_systems.agent_graph import Graph, Router
from auditor.forensics.agent_systems.failure_names import names_error
from auditor.forensics.agent_systems.syntax_queries import assignments, descendants, vocabulary
from auditor.forensics.agent_systems.system_report_types import END, Route

_STOP_WORDS = re.compile(r"(?:^|_)(?:stop|exit)(?:$|_|ed)", re.IGNORECASE)
"""Names that say trouble of a node, but not where they only lead to END."""
_HARMLESS_TESTS = re.compile(r"tool_?calls?$", re.IGNORECASE)
"""A model that asks for no tool is done."""
_COLLECTION_NAMES = (
    r"\bfacts?\b|exhibit|testimon|witness|proofs?\b|clue|citation|reference|passage|snippet|chunk|excerpt|transcript"
    r"|\bhits\b|matches|samples|records|rows\b"
)
"""What may be gathered, in other words."""
_GATHERED_DATA_NAME = re.compile(
    r"evidence|finding|result|report|doc(?:ument)?s?\b|doc_|pdf|repo|clone|input|url|path|opinion|verdict|output|data|content|source|artifact"
    r"|score|answer|quality|file|" + _COLLECTION_NAMES,
    re.IGNORECASE,
)
_GATHERED_WORDS = re.compile(
    r"evidence|finding|artifact|doc(?:ument)?s?\b|doc_|pdf|repo|clone|input|url|path|source|file|" + _COLLECTION_NAMES,
    re.IGNORECASE,
)
_THRESHOLD_NAME = re.compile(r"min|need|require|enough|least|threshold|quorum|expected", re.IGNORECASE)
_COUNTING_CALLS = frozenset({"len", "sum", "any", "all", "count"})
_OPTION_NAME = re.compile(r"config|setting|option|enable|include|(?:^|_)use_|flag|want", re.IGNORECASE)
"""Names of what somebody chose rather than of what was gathered."""
_ENVIRONMENT_CALLS = frozenset({"environ", "getenv"})
_EMPTY_VALUES = (None, "", 0, 1)
_MAX_MEANINGS = 500
_MAX_ALIAS_DEPTH = 2
"""Steps from a local name to what it stands for."""


def error_route(graph: Graph, router: Router) -> Route | None:
    """A router as a route for trouble, if it is one: two ways at least, one of them taken because something is wrong."""
    targets = tuple(dict.fromkeys((*router.labels.values(), *(each for way in router.choices for each in way.targets))))
    sets = {way.targets for way in router.choices}
    if router.kind == "command":  # beside what it decides, its plain edges are a way on
        sets |= {(edge.target,) for edge in graph.edges if edge.source == router.source and edge.kind == "edge"}
    if len(targets) < 2 and len(sets) < 2:
        return None
    named = _error_named_target(router, targets)
    looked = _error_condition(router, targets, escapes=END in targets or _skips_nodes(graph, router, targets))
    if not named and not looked:
        return None
    function = router.function
    return Route(
        source=router.source,
        router=function.name if function is not None else "",
        targets=targets,
        handles=looked or f"by the name {named}",
        path=router.place.unit.path,
        line=router.place.line,
    )


def _error_named_target(router: Router, targets: tuple[str, ...]) -> str:
    """The first label or node whose name says trouble."""
    for word in (*router.labels, *targets):
        if word == END:
            continue
        if names_error(word) or (_STOP_WORDS.search(word) and router.labels.get(word, word) != END):
            return word
    return ""


def _skips_nodes(graph: Graph, router: Router, targets: tuple[str, ...]) -> bool:
    """Does one of the ways go back, skip what another one reaches, or end where another one continues?"""
    shape = graph.topology()
    if any(router.source in shape.reach(each) for each in targets):
        return True
    if any(other in shape.reach(each) for each in targets for other in targets if each != other):
        return True
    last = {each for each in targets if set(shape.successors(each)) <= {END}}
    return 0 < len(last) < len(targets)


def _error_condition(router: Router, targets: tuple[str, ...], *, escapes: bool) -> str:
    """The condition of a router that asks whether something is missing or went wrong; empty when none does.

    That something is there is asked for many reasons; it counts where one of the ways `escapes`.
    """
    if router.function is None:
        return ""
    function, unit = router.function.node, router.function.unit
    meant = assignments(function)
    for node in descendants(function):
        if isinstance(node, ast.ExceptHandler) and any(_returns_target(each, targets) for each in node.body):
            return "what is caught when it fails"
        if isinstance(node, ast.match_case):
            named = next((word for word in vocabulary(node.pattern) if names_error(word)), "")
            if named:
                return f"the case {named!r}"
        if isinstance(node, ast.If) and _same_targets_follow(node, function, targets):
            continue
        asked = _error_in_test(node, targets, meant, escapes=escapes)
        if asked is not None:
            return unit.source_of(asked)[:120]
    return ""


def _error_in_test(
    node: ast.AST, targets: tuple[str, ...], meant: Mapping[str, ast.expr], *, escapes: bool
) -> ast.expr | None:
    """What a condition asks for, or a choice by `or`, where that is trouble."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return node.test if _tests_for_error(node.test, meant, escapes=escapes) else None
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):  # `sent or "nothing"`
        first, last = node.values[0], node.values[-1]
        other = any(
            isinstance(part, (ast.Constant, ast.Name)) and _label_text(part) in targets for part in descendants(last)
        )
        return first if other and any(_GATHERED_DATA_NAME.search(word) for word in _meanings(first, meant)) else None
    return None


def _label_text(part: ast.Constant | ast.Name) -> str:
    return part.id if isinstance(part, ast.Name) else part.value if isinstance(part.value, str) else ""


def _same_targets_follow(node: ast.If, function: ast.AST, targets: tuple[str, ...]) -> bool:
    """Do the same nodes follow, whether a condition holds or not?"""
    within = {id(part) for each in node.body for part in descendants(each)}
    named = [each for each in descendants(function) if isinstance(each, ast.Constant) and each.value in targets]
    held = {each.value for each in named if id(each) in within}
    return len(held) > 1 and held == {each.value for each in named if id(each) not in within}


def _returns_target(statement: ast.stmt, targets: tuple[str, ...]) -> bool:
    """Does a statement hand back one of some nodes?"""
    returned = [
        each.value for each in descendants(statement) if isinstance(each, ast.Return) and each.value is not None
    ]
    parts = (part for value in returned for part in descendants(value))
    return any(isinstance(part, (ast.Constant, ast.Name)) and _label_text(part) in targets for part in parts)


def _tests_for_error(test: ast.expr, meant: Mapping[str, ast.expr], *, escapes: bool) -> bool:
    words = vocabulary(test)
    if _ENVIRONMENT_CALLS & set(words):
        return False  # a switch of whoever runs it
    if any(names_error(word) and not _HARMLESS_TESTS.search(word) for word in words):
        return True
    full = [*words, *_meanings(test, meant)]
    if any(_is_emptiness_test(node, meant) and _tests_gathered_data(node, meant) for node in descendants(test)):
        return True
    if any(_OPTION_NAME.search(word) for word in words):
        return False
    there = isinstance(test, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))
    return escapes and there and any(_GATHERED_WORDS.search(word) for word in full)


def _tests_gathered_data(test: ast.AST, meant: Mapping[str, ast.expr]) -> bool:
    """Is what a test finds empty something that was gathered, by its own words? What is beside it is another question."""
    return any(_GATHERED_DATA_NAME.search(word) for word in (*vocabulary(test), *_meanings(test, meant)))


def _meanings(node: ast.AST, meant: Mapping[str, ast.expr]) -> list[str]:
    return list(islice(_iterate_meanings(node, meant), _MAX_MEANINGS))


def _iterate_meanings(node: ast.AST, meant: Mapping[str, ast.expr], depth: int = _MAX_ALIAS_DEPTH) -> Iterator[str]:
    """The words of an expression with those of what its local names were taken from; sums and the like are something new."""
    for each in descendants(node):
        yield from vocabulary(each) if isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) else ()
        value = meant.get(each.id) if isinstance(each, ast.Name) and depth else None
        if value is not None and not isinstance(value, (ast.BinOp, ast.Compare)):
            yield from _iterate_meanings(value, meant, depth - 1)


def _is_emptiness_test(node: ast.AST, meant: Mapping[str, ast.expr]) -> bool:
    """`not x`, `x is None`, `len(x) == 0`, `count < 1`, `x == ""`, `len(x) < 3`; not `turn < len(x)`."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    left, right, sign = node.left, node.comparators[0], node.ops[0]
    if any(isinstance(each, ast.Constant) and each.value in _EMPTY_VALUES for each in (left, right)):
        return True
    if isinstance(sign, (ast.Gt, ast.GtE)):
        left, right = right, left
    elif not isinstance(sign, (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)):
        return False
    return _is_count(left, meant) and _is_fixed_limit(right)


def _is_count(node: ast.expr, meant: Mapping[str, ast.expr]) -> bool:
    value = meant.get(node.id, node) if isinstance(node, ast.Name) else node
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") in _COUNTING_CALLS


def _is_fixed_limit(node: ast.expr) -> bool:
    """Is it a fixed number, or a name that says so?"""
    return isinstance(node, ast.Constant) or any(
        _THRESHOLD_NAME.search(word) or word.isupper() for word in vocabulary(node)
    )
