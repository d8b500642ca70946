"""Whether what a call is given is as a rule asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.forensics.languages.constant_names import constant_aware_texts
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    SOURCE_AFTER,
    SOURCE_BEFORE,
    WHOLE_CALL,
    ArgumentCondition,
)
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_building import TextResolver

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_SURROUNDING_BYTES = 300
"""Bytes before and behind a call that a rule may look at."""


def matches_condition(
    file: ParsedFile, node: Node, arguments: list[Node], condition: ArgumentCondition, texts: TextResolver
) -> bool:
    """Does the argument at the position of a condition meet it, as the texts of the file are read?"""
    if condition.place in _SURROUNDINGS:
        return (
            condition.form is not None
            and condition.form.search(_surrounding_source(file, node, condition.place)) is not None
        )
    if condition.place == ALL_ARGUMENTS:
        return condition.reads is not None and condition.reads.search(texts.listed(arguments)) is not None
    for each in _nodes_at(file, node, arguments, condition.place):
        if not _matches_source(file, each, condition):
            continue
        if condition.sources_pattern is not None and not condition.sources_pattern.search(file.texts.sources(each)):
            continue
        if _matches_text_or_type(file, each, condition, texts):
            return True
    return False


def matches_with_constants(file: ParsedFile, node: Node, arguments: list[Node], condition: ArgumentCondition) -> bool:
    """Does some of that read as asked even where names that are held to a fixed set are constants?"""
    return condition.reads is None or any(
        condition.reads.search(constant_aware_texts(file).reads(each, told_apart=condition.distinguishes_identifiers))
        for each in _nodes_at(file, node, arguments, condition.place)
    )


def may_match(file: ParsedFile, arguments: list[Node], condition: ArgumentCondition) -> bool:
    """May some argument meet a condition, as far as node kinds and source show?"""
    if condition.place is not None and condition.place < 0:
        return True
    at = arguments if condition.place is None else arguments[condition.place : condition.place + 1]
    return any(_matches_source(file, each, condition) for each in at)


def _matches_source(file: ParsedFile, node: Node, condition: ArgumentCondition) -> bool:
    """Is a node of a kind and a form that a rule asks for?"""
    return (not condition.kinds or node.type in condition.kinds) and (
        condition.form is None or condition.form.search(file.text(node)) is not None
    )


def _matches_text_or_type(file: ParsedFile, node: Node, condition: ArgumentCondition, texts: TextResolver) -> bool:
    """Is what an expression stands for, or the type that its name is declared with, as it must be?"""
    if condition.reads is None and condition.typed is None:
        return True
    if condition.reads is not None and condition.reads.search(
        texts.reads(node, told_apart=condition.distinguishes_identifiers)
    ):
        return True
    return condition.typed is not None and any(map(condition.typed.search, file.types_of(node)))


def _nodes_at(file: ParsedFile, node: Node, arguments: list[Node], place: int | None) -> list[Node]:
    """The nodes at a place of a call."""
    if place is None:
        return arguments
    if place == RECEIVER:
        return file.texts.receiver(node)
    return [node] if place == WHOLE_CALL else arguments[place : place + 1]


_SURROUNDINGS = {SOURCE_BEFORE, SOURCE_AFTER}


def _surrounding_source(file: ParsedFile, node: Node, place: int | None) -> str:
    """The source right before or behind a node."""
    start, end = node.byte_range
    told = (
        file.source[max(0, start - _MAX_SURROUNDING_BYTES) : start]
        if place == SOURCE_BEFORE
        else file.source[end : end + _MAX_SURROUNDING_BYTES]
    )
    return told.decode("utf-8", errors="replace")
