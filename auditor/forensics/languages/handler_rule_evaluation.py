"""Handlers of exceptions, shown to their rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.parsed_file import TEXT, File, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node


_MOST_AROUND = 12
"""What stands around a handler that is looked at, from the inside out."""
_BEGINNING = 400


def show_handler(file: File, node: Node) -> None:
    """Note what the rules of handlers tell of one."""
    body = node.child_by_field_name(file.language.handler_body)
    if body is None:
        body = next(
            (each for each in reversed(node.children) if each.type in {"block", "then", "statement_block"}), None
        )
    bare = body is None or body.named_child_count == 0
    text = ""
    for rule in file.language.of_handlers:
        file.looked.candidates[rule.probe] += 1
        if rule.empty is not bare:
            continue
        text = text or file.text(node)
        if (
            (rule.form is None or rule.form.search(text))
            and (rule.header is None or _is_headed(file, node, rule.header))
            and (rule.tried is None or _tried(file, node, rule.tried))
            and not (rule.unless is not None and rule.unless.search(text) and _is_within(file, node, rule.within))
        ):
            file.see(rule.probe, node, rule.statement, "", rule.confidence, rule.because)


def _is_headed(file: File, node: Node, header: re.Pattern[bytes]) -> bool:
    """Has the function around it a header of that form?"""
    around = enclosing(file, node)
    body = None if around is None else around.child_by_field_name("body")
    if around is None or body is None:
        return False
    return header.search(file.source[around.start_byte : body.start_byte][-TEXT:]) is not None


def _tried(file: File, node: Node, form: re.Pattern[str]) -> bool:
    """Does all that stands before a handler fit a form? What is too long to be looked at does not."""
    around = file.around(node)
    if around is None or node.start_byte - around.start_byte > TEXT:
        return False
    told = file.source[around.start_byte : node.start_byte].decode("utf-8", errors="replace")
    return form.search(told) is not None


def _is_within(file: File, node: Node, form: re.Pattern[str] | None) -> bool:
    """Does something that stands around a place, up to its function, begin like this?"""
    around = file.around(node)
    for _ in range(_MOST_AROUND):
        if around is None or form is None:
            return False
        if form.match(file.text(around, _BEGINNING)):
            return True
        if around.type in file.language.functions and around.child_by_field_name("name") is not None:
            return False
        around = file.around(around)
    return False
