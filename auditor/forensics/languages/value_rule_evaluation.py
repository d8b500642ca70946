"""Keys and names that are given a value, shown to the rules of values."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages.keyword_gated_patterns import find_word_offsets
from auditor.forensics.languages.parsed_file import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node


_ASSIGNMENT_SIGN = re.compile(r"\s*(?::=|=(?!=))>?\s*|(?<=[\w\"'`\])}?$])\s*:(?![:=])\s*")
_NAMED_VALUE = re.compile(r"(?:!\s*){0,4}[A-Za-z_$@][\w$.:]*[\s,;)]*\Z")
_MAX_GIVEN = 300
_MAX_WRAPPERS = 8
"""Nodes around a name that is negated."""


def apply_value_rules(file: ParsedFile, nodes: Sequence[Node]) -> None:
    """Apply the rules of values to assignments and keys whose source holds a word of some rule."""
    if not nodes:
        return
    places = find_word_offsets(file.source, map(str.encode, file.language.value_keywords))
    for node in nodes:
        start, end = node.byte_range
        if places[bisect_left(places, start)] < end:
            _apply_to_assignment(file, node)


def _apply_to_assignment(file: ParsedFile, node: Node) -> None:
    name, mark, value = _split_assignment(file.text(node, 300))
    computed = _computed_name(file, node) if file.language.computed_keys and name.rstrip().endswith("]") else ""
    for rule in file.language.value_rules if mark else ():
        named = rule.name.search(name) or (computed and rule.name.search(computed))
        if not named or file.holds(rule.unless_in_file):
            continue
        if rule.value.search(value) or (
            _NAMED_VALUE.match(value) and any(map(rule.value.search, _resolved_values(file, node)))
        ):
            file.add_site(rule.probe, node, rule.statement, name.strip()[:80], rule.confidence, rule.because)


def _computed_name(file: ParsedFile, node: Node) -> str:
    """The key that `["a" + "b"]` is, in a record or behind what holds it."""
    key = node.child_by_field_name("key")
    left = node.child_by_field_name("left")
    index = left.child_by_field_name("index") if left is not None else None
    inner = index or (key.named_children[0] if key is not None and key.named_children else None)
    return "" if inner is None else file.texts.reads(inner)


def _resolved_values(file: ParsedFile, node: Node) -> Iterator[str]:
    """What the name that is the value of a key stands for, behind the signs that negate it: its text, and its source."""
    held = node.child_by_field_name("value") or node.child_by_field_name("right")
    signs = ""
    for _ in range(_MAX_WRAPPERS):
        if held is None or not held.named_child_count or file.source[held.start_byte : held.start_byte + 1] != b"!":
            break
        signs += "!" if held.children[0].type == "!" else ""
        held = held.named_children[0]
    if held is None:
        return
    sign = "!" * (len(signs) % 2)
    told = file.texts.reads(held)
    if told != "0":  # a constant that nobody here gives a value to reads so
        yield f"{sign}{told}"
    given = file.texts.given(held)
    if given is not None:
        yield f"{sign}{file.text(given, _MAX_GIVEN)}"


def _split_assignment(text: str) -> tuple[str, str, str]:
    """Name, sign and value of `name: value`, `name = value` and `name => value`; the colon before a name is a part of it."""
    found = _ASSIGNMENT_SIGN.search(text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")
