"""Shell scripts as their grammar can read them, and what is read from their text alone."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import Any

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_BATS_TEST = re.compile(rb"(?m:^@test[ \t][^\n]*\{)")


_PIPE = re.compile(rb" \|(?![|&])")
_QUOTED_TEXT = re.compile(rb"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"")
_CASE_PATTERN = re.compile(rb"\s*\(?[^\s()|]{1,200}(?:\s*\|\s*[^\s()|]{1,200}){1,50}\s*\)")
"""The choices of a `case`."""
_COMMAND_SEPARATOR = re.compile(rb"[;&()`]")
_MAX_STAGES = 100


def preprocess(content: bytes) -> bytes:
    """Tests of bats as functions, which is what they are made into before they run, and pipelines that the grammar can end.

    It takes all that follows a pipeline of three commands for arguments of the last, up to the next redirection of the
    file: of such a pipeline only the last two commands stay one, and those before stand as `a && b` does.
    """
    told = (
        _BATS_TEST.sub(lambda found: b"t()".ljust(len(found[0]) - 1) + b"{", content)
        if b"@test" in content
        else content
    )
    return _terminate_pipelines(told) if told.count(b" |") > 1 else told


def _terminate_pipelines(content: bytes) -> bytes:
    changed = bytearray(content)
    begin = end = 0
    for line in content.split(b"\n"):
        end += len(line) + 1
        if line.rstrip().endswith((b"\\", b"|")):
            continue  # what follows belongs to the same statement
        if content.count(b" |", begin, end) > 1:
            for place in _inner_pipes(content[begin:end]):
                changed[begin + place : begin + place + 2] = b"&&"
        begin = end
    return bytes(changed)


def _inner_pipes(statement: bytes) -> list[int]:
    """Offsets of the pipes in a statement that are followed by another pipe."""
    plain = _QUOTED_TEXT.sub(lambda found: b"q" * len(found[0]), statement)
    if _CASE_PATTERN.match(plain):
        return []
    places = [found.start() for found in _PIPE.finditer(plain)][:_MAX_STAGES]
    pairs = pairwise(places)
    return [one for one, two in pairs if not _COMMAND_SEPARATOR.search(held := plain[one + 2 : two]) or b"done" in held]


_MAX_PIPES = 2_000


def is_slow_to_parse(content: bytes) -> bool:
    """Has it a pipeline of thousands of commands?"""
    if content.count(b"|") < _MAX_PIPES:
        return False
    pipes = 0
    for line in content.split(b"\n"):
        pipes += line.count(b"|")
        if pipes >= _MAX_PIPES:
            return True
        if not line.rstrip().endswith(b"|"):
            pipes = 0
    return False


_FUNCTION = re.compile(rb"(?m)^[ \t]*(?:function[ \t]+)?(?P<name>[A-Za-z_][\w-]{0,60})[ \t]*\([ \t]*\)\s{0,40}\{")
_RUNS_ARGUMENTS = re.compile(
    rb"(?:[\n;&|(!{]|\b(?:if|then|do|else|while|until|sudo|exec|time|command|eval)[ \t])[ \t]*\"\$@\"(?=[\s;&|)]|\Z)"
)
_MAX_FUNCTIONS = 300
_MAX_FUNCTION_BYTES = 1_500


def wrapper_functions(content: bytes) -> frozenset[str]:
    """Functions that run what they are given: `run() { echo "+ $*"; "$@"; }`."""
    if b'"$@"' not in content:
        return frozenset()
    found = set()
    for each in islice(_FUNCTION.finditer(content), _MAX_FUNCTIONS):
        held = content[each.end() - 1 : each.end() + _MAX_FUNCTION_BYTES]
        first = held.partition(b"\n")[0]
        body = first if b"}" in first else held.partition(b"\n}")[0]
        if _RUNS_ARGUMENTS.search(body) is not None:
            found.add(each["name"].decode())
    return frozenset(found)


_COMMAND_ARRAY = re.compile(
    r"(?<![\w$.-])(?P<name>[A-Za-z_]\w{0,60})=\(\s{0,200}(?:sudo\s{1,20}(?=[a-z]))?[\"']?(?:\$\{\w{1,60}:?-)?(?:[\w./~-]{0,80}/)?(?P<program>[a-z][\w.-]{0,30})(?![\w/=])"
)
_MAX_COMMAND_ARRAYS = 200


def commands_in_arrays(text: str) -> dict[str, str]:
    """How a command line is called that is kept in an array -> its program: `remote=(ssh -o Port=22 "$host")`, `"${remote[@]}" ls`."""
    if "[@]}" not in text:
        return {}
    kept: dict[str, str] = {}
    for found in islice(_COMMAND_ARRAY.finditer(text), _MAX_COMMAND_ARRAYS):
        called = f"${{{found['name']}[@]}}"
        kept.setdefault(called, found["program"])
        kept.setdefault(f'"{called}"', found["program"])
    return kept


def alternative_parses(content: bytes) -> tuple[tuple[Any, bytes], ...]:
    """The other way to read a script that its grammar does not parse."""
    return ((grammar("tree_sitter_bash"), grammar_workarounds.rewrite_shell(preprocess(content))),)
