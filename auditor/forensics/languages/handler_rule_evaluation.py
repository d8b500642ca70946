"""Handlers of exceptions, shown to their rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.parsed_file import MAX_TEXT_BYTES, ParsedFile, enclosing_function

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_ANCESTORS = 12
"""Nodes around a handler that are looked at, from the inside out."""
_MAX_START_BYTES = 400


def apply_handler_rules(file: ParsedFile, node: Node) -> None:
    """Apply the rules of exception handlers to one handler."""
    body = node.child_by_field_name(file.language.handler_body)
    if body is None:
        body = next(
            (each for each in reversed(node.children) if each.type in {"block", "then", "statement_block"}), None
        )
    bare = body is None or body.named_child_count == 0
    text = ""
    for rule in file.language.handler_rules:
        file.looked.candidates[rule.probe] += 1
        if rule.empty is not bare:
            continue
        text = text or file.text(node)
        if (
            (rule.form is None or rule.form.search(text))
            and (rule.header is None or _matches_function_header(file, node, rule.header))
            and (rule.tried is None or _matches_tried_code(file, node, rule.tried))
            and not (
                rule.unless is not None and rule.unless.search(text) and _has_matching_ancestor(file, node, rule.within)
            )
        ):
            file.add_site(rule.probe, node, rule.statement, "", rule.confidence, rule.because)


def _matches_function_header(file: ParsedFile, node: Node, header: re.Pattern[bytes]) -> bool:
    """Has the function around it a header of that form?"""
    around = enclosing_function(file, node)
    body = None if around is None else around.child_by_field_name("body")
    if around is None or body is None:
        return False
    return header.search(file.source[around.start_byte : body.start_byte][-MAX_TEXT_BYTES:]) is not None


def _matches_tried_code(file: ParsedFile, node: Node, pattern: re.Pattern[str]) -> bool:
    """Does all that is before a handler fit a form? What is too long to be looked at does not."""
    around = file.around(node)
    if around is None or node.start_byte - around.start_byte > MAX_TEXT_BYTES:
        return False
    told = file.source[around.start_byte : node.start_byte].decode("utf-8", errors="replace")
    return pattern.search(told) is not None


def _has_matching_ancestor(file: ParsedFile, node: Node, pattern: re.Pattern[str] | None) -> bool:
    """Does something that is around a place, up to its function, begin like this?"""
    around = file.around(node)
    for _ in range(_MAX_ANCESTORS):
        if around is None or pattern is None:
            return False
        if pattern.match(file.text(around, _MAX_START_BYTES)):
            return True
        if around.type in file.language.functions and around.child_by_field_name("name") is not None:
            return False
        around = file.around(around)
    return False
