"""Whether what a file holds elsewhere excuses what is seen in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import CallRule
from auditor.forensics.languages.nearby_guards import SourceSpan, may_be_guarded
from auditor.forensics.languages.parsed_file import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_EXCUSE_LOOKUPS = 200
"""Values of a file of which it is asked where they go; all others are excused by what is anywhere in the file."""


def is_excused(file: ParsedFile, node: Node, pattern: re.Pattern[bytes], rule: CallRule | None = None) -> bool:
    """Does the file hold that where it may be about what a node gives, or about what a method is called on?"""
    if not file.holds(pattern):
        return False
    start, end = node.byte_range
    outer = file.outermost_function(start)
    file.excuse_lookups += 1
    if file.excuse_lookups > _MAX_EXCUSE_LOOKUPS:
        return True
    method = rule is not None and rule.names[0].startswith(".")
    value = SourceSpan(file.uncommented_source, start, end, method)
    return outer is None or may_be_guarded(pattern, value, outer, file.outermost_function)
