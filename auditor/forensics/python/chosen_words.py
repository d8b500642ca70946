"""What an outsider can choose of a call beside its text: names of a table, and words of a command that are read as options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.shell_words import expands_words, runs_by_option

_MAX_DEPTH = 4
_DASH_CHECK = re.compile(r"startswith\(\s*\(?\s*[\"']-|[\"']-[\"']\s*(?:==|!=)|(?:==|!=)\s*[\"']-[\"']")
"""A check of a word for the dash of an option, of whatever word."""


def open_keys(match: Match, given: ast.expr, depth: int = _MAX_DEPTH) -> Iterator[ast.expr]:
    """The expressions that choose the keys of a table: keys that are not written out, and tables that are not displays."""
    table = match.module.behind(given, match.scope)
    if depth <= 0:
        return
    if isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if key is None:
                yield from open_keys(match, value, depth - 1)
            elif not isinstance(key, ast.Constant):
                yield key
    elif isinstance(table, ast.DictComp):
        yield from (each.iter for each in table.generators if not each.ifs)
    else:
        yield given


def spread_tables(match: Match) -> list[ast.expr]:
    """The tables that are spread into the arguments of a call: `**wanted`."""
    return [each.value for each in match.call.keywords if each.arg is None]


def option_words(match: Match, command: ast.expr) -> Iterator[ast.expr]:
    """What begins a word of a command that its program may read as an option, so that it does something else."""
    listed = match.module.behind(command, match.scope)
    if not isinstance(listed, (ast.List, ast.Tuple)) or not listed.elts:
        return
    program = listed.elts[0].value if isinstance(listed.elts[0], ast.Constant) else None
    if expands_words(program):
        yield from (each for each in listed.elts[1:] if not isinstance(each, (ast.Constant, ast.Starred)))
        return
    if not runs_by_option(program) or _DASH_CHECK.search(match.module.source) is not None:
        return
    for before, word in pairwise(listed.elts):
        told = before.value if isinstance(before, ast.Constant) else None
        if told == "--":
            return
        if not (isinstance(told, str) and told.startswith("-")):
            yield from _beginning(word)


def _beginning(word: ast.expr) -> Iterator[ast.expr]:
    """What a word begins with, unless that is written out."""
    for _ in range(_MAX_DEPTH):
        if isinstance(word, ast.JoinedStr) and word.values:
            word = word.values[0]
        elif isinstance(word, ast.FormattedValue):
            word = word.value
        elif isinstance(word, ast.BinOp) and isinstance(word.op, ast.Add):
            word = word.left
        else:
            break
    if not isinstance(word, (ast.Constant, ast.Starred, ast.JoinedStr, ast.BinOp)):
        yield word
