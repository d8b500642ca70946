"""Which routers look for trouble: something that is missing, too little, or went wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from auditor.forensics.agent_systems.graph_construction import Graph, Router
from auditor.forensics.agent_systems.system_report_types import END, Route
from auditor.forensics.agent_systems.whole_program import assignments, inside, vocabulary

_TROUBLE = re.compile(
    r"err(?:or)?s?(?:$|_)|fail|fatal|abort|degrad|fallback|missing|(?:^|_)no_|empty|incomplete|insufficient|skip|retry|invalid|halt"
    r"|(?:^|_)bad(?:$|_)|malformed|unsupported|refus|unavailable|exception|crash|broken|recover|reject|cancel|bail|timeout|not_found|unhealthy"
    r"|dismiss|give_?up|apolog|dead_?letter|quarantin|inconclusive|unable|cannot|rescue|withdraw|nothing",
    re.IGNORECASE,
)
_STOPS = re.compile(r"(?:^|_)(?:stop|exit)(?:$|_|ed)", re.IGNORECASE)
"""Names that say trouble of a node, but not where they only lead to END."""
_HARMLESS = re.compile(r"tool_?calls?$", re.IGNORECASE)
"""A model that asks for no tool is done."""
_HELD = (
    r"\bfacts?\b|exhibit|testimon|witness|proofs?\b|clue|citation|reference|passage|snippet|chunk|excerpt|transcript"
    r"|\bhits\b|matches|samples|records|rows\b"
)
"""What may be gathered, in other words."""
_SUBJECT = re.compile(
    r"evidence|finding|result|report|doc(?:ument)?s?\b|doc_|pdf|repo|clone|input|url|path|opinion|verdict|output|data|content|source|artifact"
    r"|score|answer|quality|file|" + _HELD,
    re.IGNORECASE,
)
_GATHERED = re.compile(
    r"evidence|finding|artifact|doc(?:ument)?s?\b|doc_|pdf|repo|clone|input|url|path|source|file|" + _HELD,
    re.IGNORECASE,
)
_ENOUGH = re.compile(r"min|need|require|enough|least|threshold|quorum|expected", re.IGNORECASE)
_COUNTS = frozenset({"len", "sum", "any", "all", "count"})
_SWITCH = re.compile(r"config|setting|option|enable|include|(?:^|_)use_|flag|want", re.IGNORECASE)
"""Names of what somebody chose rather than of what was gathered."""
_OF_THE_MACHINE = frozenset({"environ", "getenv"})
_NOTHING = (None, "", 0, 1)
_MAX_MEANT = 500
_DEPTH = 2
"""Steps from a local name to what it stands for."""


def route(graph: Graph, router: Router) -> Route | None:
    """A router as a route for trouble, if it is one: two ways at least, one of them taken because something is wrong."""
    targets = tuple(dict.fromkeys((*router.labels.values(), *(each for way in router.ways for each in way.targets))))
    sets = {way.targets for way in router.ways}
    if router.kind == "command":  # beside what it decides, its plain edges are a way on
        sets |= {(edge.target,) for edge in graph.edges if edge.source == router.source and edge.kind == "edge"}
    if len(targets) < 2 and len(sets) < 2:
        return None
    named = _named(router, targets)
    looked = _looks_at(router, targets, escapes=END in targets or _turns_off(graph, router, targets))
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


def speaks_of_trouble(word: str) -> bool:
    """Does a name of a node or a way say that something went wrong?"""
    return _TROUBLE.search(word) is not None


def _named(router: Router, targets: tuple[str, ...]) -> str:
    """The first label or node whose name says trouble."""
    for word in (*router.labels, *targets):
        if word == END:
            continue
        if _TROUBLE.search(word) or (_STOPS.search(word) and router.labels.get(word, word) != END):
            return word
    return ""


def _turns_off(graph: Graph, router: Router, targets: tuple[str, ...]) -> bool:
    """Does one of the ways go back, pass by what another one comes to, or end where another one goes on?"""
    shape = graph.topology()
    if any(router.source in shape.reach(each) for each in targets):
        return True
    if any(other in shape.reach(each) for each in targets for other in targets if each != other):
        return True
    last = {each for each in targets if set(shape.successors(each)) <= {END}}
    return 0 < len(last) < len(targets)


def _looks_at(router: Router, targets: tuple[str, ...], *, escapes: bool) -> str:
    """The condition of a router that asks whether something is missing or went wrong; empty when none does.

    That something is there is asked for many reasons; it counts where one of the ways `escapes`.
    """
    if router.function is None:
        return ""
    function, unit = router.function.node, router.function.unit
    meant = assignments(function)
    for node in inside(function):
        if isinstance(node, ast.ExceptHandler) and any(_leads(each, targets) for each in node.body):
            return "what is caught when it fails"
        if isinstance(node, ast.match_case):
            named = next((word for word in vocabulary(node.pattern) if _TROUBLE.search(word)), "")
            if named:
                return f"the case {named!r}"
        if isinstance(node, ast.If) and _all_the_same(node, function, targets):
            continue
        asked = _asked(node, targets, meant, escapes=escapes)
        if asked is not None:
            return " ".join((ast.get_source_segment(unit.text, asked) or "").split())[:120]
    return ""


def _asked(node: ast.AST, targets: tuple[str, ...], meant: Mapping[str, ast.expr], *, escapes: bool) -> ast.expr | None:
    """What a condition asks for, or a choice by `or`, where that is trouble."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return node.test if _asks_for_trouble(node.test, meant, escapes=escapes) else None
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):  # `sent or "nothing"`
        first, last = node.values[0], node.values[-1]
        other = any(isinstance(part, (ast.Constant, ast.Name)) and _says(part) in targets for part in inside(last))
        return first if other and any(_SUBJECT.search(word) for word in _meant(first, meant)) else None
    return None


def _says(part: ast.Constant | ast.Name) -> str:
    return part.id if isinstance(part, ast.Name) else part.value if isinstance(part.value, str) else ""


def _all_the_same(node: ast.If, function: ast.AST, targets: tuple[str, ...]) -> bool:
    """Do the same nodes follow, whether a condition holds or not?"""
    within = {id(part) for each in node.body for part in inside(each)}
    named = [each for each in inside(function) if isinstance(each, ast.Constant) and each.value in targets]
    held = {each.value for each in named if id(each) in within}
    return len(held) > 1 and held == {each.value for each in named if id(each) not in within}


def _leads(statement: ast.stmt, targets: tuple[str, ...]) -> bool:
    """Does a statement hand back one of some nodes?"""
    returned = [each.value for each in inside(statement) if isinstance(each, ast.Return) and each.value is not None]
    parts = (part for value in returned for part in inside(value))
    return any(isinstance(part, (ast.Constant, ast.Name)) and _says(part) in targets for part in parts)


def _asks_for_trouble(test: ast.expr, meant: Mapping[str, ast.expr], *, escapes: bool) -> bool:
    words = vocabulary(test)
    if _OF_THE_MACHINE & set(words):
        return False  # a switch of whoever runs it
    if any(_TROUBLE.search(word) and not _HARMLESS.search(word) for word in words):
        return True
    full = [*words, *_meant(test, meant)]
    if any(_empty_test(node, meant) and _about_subject(node, meant) for node in inside(test)):
        return True
    if any(_SWITCH.search(word) for word in words):
        return False
    there = isinstance(test, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))
    return escapes and there and any(_GATHERED.search(word) for word in full)


def _about_subject(test: ast.AST, meant: Mapping[str, ast.expr]) -> bool:
    """Is what a test finds empty something that was gathered, by its own words? What stands beside it is another question."""
    return any(_SUBJECT.search(word) for word in (*vocabulary(test), *_meant(test, meant)))


def _meant(node: ast.AST, meant: Mapping[str, ast.expr]) -> list[str]:
    return list(islice(_meaning(node, meant), _MAX_MEANT))


def _meaning(node: ast.AST, meant: Mapping[str, ast.expr], depth: int = _DEPTH) -> Iterator[str]:
    """The words of an expression with those of what its local names were taken from; sums and the like are something new."""
    for each in inside(node):
        yield from vocabulary(each) if isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) else ()
        value = meant.get(each.id) if isinstance(each, ast.Name) and depth else None
        if value is not None and not isinstance(value, (ast.BinOp, ast.Compare)):
            yield from _meaning(value, meant, depth - 1)


def _empty_test(node: ast.AST, meant: Mapping[str, ast.expr]) -> bool:
    """`not x`, `x is None`, `len(x) == 0`, `count < 1`, `x == ""`, `len(x) < 3`; not `turn < len(x)`."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    left, right, sign = node.left, node.comparators[0], node.ops[0]
    if any(isinstance(each, ast.Constant) and each.value in _NOTHING for each in (left, right)):
        return True
    if isinstance(sign, (ast.Gt, ast.GtE)):
        left, right = right, left
    elif not isinstance(sign, (ast.Lt, ast.LtE, ast.Eq, ast.NotEq)):
        return False
    return _counted(left, meant) and _limit(right)


def _counted(node: ast.expr, meant: Mapping[str, ast.expr]) -> bool:
    value = meant.get(node.id, node) if isinstance(node, ast.Name) else node
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") in _COUNTS


def _limit(node: ast.expr) -> bool:
    """Is it a fixed number, or a name that says so?"""
    return isinstance(node, ast.Constant) or any(_ENOUGH.search(word) or word.isupper() for word in vocabulary(node))
