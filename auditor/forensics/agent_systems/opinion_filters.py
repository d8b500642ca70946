"""Opinions that are set aside: of all that were given only those are kept that agree with the facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import assigned_names, descendants, vocabulary
from auditor.forensics.python.scope_bindings import last_name

_OPINION_NAME = re.compile(
    r"opinion|argument|claim|score|verdict|judg|rating|\bmarks?\b|plea\b|pleas\b|vote", re.IGNORECASE
)
_FACT_NAME = re.compile(
    r"evidence|(?:\b|_)found\b|fact|halluc|contradict|proven|ground|confirm|verif|known|exhibit|finding", re.IGNORECASE
)
_FACT_TEST_WORDS = re.compile(
    r"found|fact|halluc|overrul|contradict|unsupported|support|prove|exist|confirm|verif|cite|ground", re.IGNORECASE
)
_KEPT_NAME = re.compile(
    r"kept|keep|heard|valid|stand|remain|admi|accept|counted|surviv|eligible|trusted|upheld|sound", re.IGNORECASE
)
_COUNTED_NAME = re.compile(r"weight|counts|admi|heard|valid", re.IGNORECASE)
_MAX_WORDS = 400
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


@dataclass(frozen=True, eq=False)
class OpinionFilter:
    """A choice among the elements of a list: by which condition, and what an element is called there."""

    node: ast.expr
    source: ast.expr
    names: frozenset[str]
    test: ast.expr


def opinion_filters(unit: Unit, node: ast.AST) -> Iterator[OpinionFilter]:
    """The choices that a comprehension makes, where what is chosen is used for more than counting."""
    if isinstance(node, _COMPREHENSIONS) and _is_kept(unit, node):
        for each in node.generators:
            names = frozenset(part.id for part in descendants(each.target) if isinstance(part, ast.Name))
            held = node.value if isinstance(node, ast.DictComp) else node.elt
            if any(isinstance(part, ast.Name) and part.id in names for part in descendants(held)):
                yield from (OpinionFilter(node, each.iter, names, test) for test in each.ifs)


def _is_kept(unit: Unit, node: ast.AST) -> bool:
    parent = unit.parents.get(node)
    if isinstance(parent, ast.Call):
        return getattr(parent.func, "id", "") not in known_names("summarizing_calls")
    return not isinstance(parent, (ast.Compare, ast.UnaryOp, ast.If, ast.IfExp, ast.Expr))


def fact_filter_level(sieve: OpinionFilter, words: str, assigned: Mapping[str, ast.expr]) -> int:
    """How far opinions are chosen by facts, 0 to 2.

    2 where they are held against what is known apart from them, 1 where they only speak of it themselves. `words` are
    those of the condition, of what it calls and of where it stands.
    """
    source = [*vocabulary(sieve.source), *sieve.names, *_meaning_words(sieve.source, assigned)]
    own = [*vocabulary(sieve.test), *_meaning_words(sieve.test, assigned)]
    if not any(_OPINION_NAME.search(each) for each in source) or not any(_FACT_NAME.search(each) for each in own):
        return 0
    if not _FACT_TEST_WORDS.search(words):
        return 0
    foreign = [
        each
        for each in descendants(sieve.test)
        if isinstance(each, ast.Name) and each.id not in sieve.names and isinstance(each.ctx, ast.Load)
    ]
    apart = (word for each in foreign for word in (each.id, *_meaning_words(each, assigned)))
    return 2 if any(_FACT_NAME.search(each) for each in apart) else 1


def _meaning_words(node: ast.AST, assigned: Mapping[str, ast.expr]) -> list[str]:
    """The words of what local names in an expression stand for."""
    names = {each.id for each in descendants(node) if isinstance(each, ast.Name)}
    words = (word for name in sorted(names & assigned.keys()) for word in vocabulary(assigned[name]))
    return list(islice(words, _MAX_WORDS))


def drops_opinion(body: Iterable[ast.stmt]) -> bool:
    """Does a block leave an opinion out: take one away, or keep only this one?"""
    for statement in body:
        for node in descendants(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = last_name(node.func.value)
                if node.func.attr in {"remove", "discard"} and _OPINION_NAME.search(name):
                    return True
                if node.func.attr in {"append", "add"} and _KEPT_NAME.search(name):
                    return True
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant)
                and _COUNTED_NAME.search(assigned_names(node))
            ):
                return node.value.value in (False, 0)
    return False
