"""Nodes of a kind, shown to the rules of pieces."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages.keyword_gated_patterns import find_word_offsets
from auditor.forensics.languages.language_rule_types import NodeRule
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.rule_exceptions import is_excused
from auditor.forensics.languages.unused_results import is_modified_statement

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_KEYS = 100
"""Keys of a record among which one is looked for."""
_MAX_SHOWN_BYTES = 60
"""How much of a node is shown in place of `{call}`."""


def apply_node_rules(file: ParsedFile, kind: str, rules: Sequence[NodeRule], nodes: Sequence[Node]) -> None:
    """Apply the node rules of one kind to its nodes, unless no rule can match anything in the file."""
    if not nodes:
        return
    words, asked = file.language.silent.get(kind, (file.said, {}))
    if words.isdisjoint(file.said) and asked:
        for probe, times in asked.items():
            file.looked.candidates[probe] += times * len(nodes)
        return
    whole: Sequence[Node] | None = None if kind in file.language.calls else nodes
    for rule in rules:
        file.looked.candidates[rule.probe] += len(nodes)
        if not rule.can_apply(file.said):
            continue
        whole = file.calls_of(nodes) if whole is None else whole
        for node in _nodes_with_words(file, rule, whole):
            if (
                (rule.form is None or rule.form.search(file.text(node)))
                and not file.holds(rule.unless_in_file)
                and _matches_resolved_text(file, rule, node)
                and _matches_surroundings(file, rule, node)
                and _is_followed(file, rule, node)
                and not _has_same(file, rule, node)
                and not (rule.unless_nearby is not None and is_excused(file, node, rule.unless_nearby))
                and not _is_reported_or_explained(file, rule, node)
            ):
                shown = file.text(node, _MAX_SHOWN_BYTES) if "{call}" in rule.statement else node.type
                file.add_site(rule.probe, node, rule.statement, shown, rule.confidence, rule.because)


def _nodes_with_words(file: ParsedFile, rule: NodeRule, nodes: Sequence[Node]) -> Sequence[Node]:
    """Those nodes that hold a word that the rule's form cannot do without."""
    if not rule.words:
        return nodes
    places = find_word_offsets(file.source, rule.words[0])
    return [node for node in nodes if places[bisect_left(places, node.start_byte)] < node.end_byte]


def _is_reported_or_explained(file: ParsedFile, rule: NodeRule, node: Node) -> bool:
    """Is the line already reported, as surely or by what is part of the same, or does a comment give a reason?"""
    sure, start, end = file.told.get((rule.probe, node.start_point[0] + 1), (0.0, 0, 0))
    told = sure >= rule.confidence or (start < node.end_byte and node.start_byte < end)
    return told or (rule.is_about_swallowed_errors and file.has_justifying_comment(node))


def _matches_resolved_text(file: ParsedFile, rule: NodeRule, node: Node) -> bool:
    """Does what a piece holds read as its rule asks?"""
    if rule.reads is None:
        return True
    name, wanted = rule.reads
    held = node.child_by_field_name(name) or _value_of_key(file, node, name)
    if held is None or wanted.search(file.texts.reads(held)) is None:
        return False
    return rule.sources_pattern is None or rule.sources_pattern.search(file.texts.sources(held)) is not None


def _value_of_key(file: ParsedFile, node: Node, key: str) -> Node | None:
    """What a record holds by a key."""
    body = node.child_by_field_name("body") or node
    for each in body.named_children[:_MAX_KEYS]:
        name, value = each.child_by_field_name("key"), each.child_by_field_name("value")
        if name is None and each.named_child_count == 2:
            name, value = each.named_children
        if name is not None and file.text(name, 80) == key:
            return value
    return None


def _is_followed(file: ParsedFile, rule: NodeRule, node: Node) -> bool:
    """Does the source behind a node hold what its rule asks for, about the same thing?"""
    if rule.followed_by is None or rule.form is None:
        return True
    found = rule.form.search(file.text(node))
    places = _places(file, rule.followed_by).get(b"" if found is None else found["same"].encode(), ())
    later = _first_from(places, node.end_byte)
    if later is None:
        return False
    between = None if rule.unless_between is None else _places(file, rule.unless_between).get(b"", ())
    check = None if between is None else _first_from(between, node.end_byte)
    return check is None or check >= later


def _has_same(file: ParsedFile, rule: NodeRule, node: Node) -> bool:
    """Does the file hold what a rule excludes, about the same thing?"""
    if rule.unless_same is None or rule.form is None:
        return False
    found = rule.form.search(file.text(node))
    same = b"" if found is None else found["same"].encode()
    return same in _places(file, rule.unless_same, file.uncommented_source)


def _places(file: ParsedFile, pattern: re.Pattern[bytes], source: bytes | None = None) -> Mapping[bytes, Sequence[int]]:
    """Where the source fits a form, by what its group `same` holds, in order; looked for once. Without that group all are together."""
    if pattern not in file.places:
        told: dict[bytes, list[int]] = {}
        for found in pattern.finditer(file.source if source is None else source):
            told.setdefault(found["same"] if pattern.groupindex else b"", []).append(found.start())
        file.places[pattern] = told
    return file.places[pattern]


def _first_from(places: Sequence[int], begin: int) -> int | None:
    """The first place that is not before a byte."""
    at = bisect_left(places, begin)
    return places[at] if at < len(places) else None


def _matches_surroundings(file: ParsedFile, rule: NodeRule, node: Node) -> bool:
    """Is a node where its rule asks?"""
    if rule.unless_before is not None and rule.unless_before.search(file.before(node)):
        return False
    if rule.unless_after is not None and rule.unless_after.match(file.source, node.end_byte):
        return False
    if not rule.alone:
        return True
    around = file.around(node)
    return around is not None and (around.type in file.language.statements or is_modified_statement(file, node, around))
