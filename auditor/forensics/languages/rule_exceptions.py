"""Whether what a file holds elsewhere excuses what is seen in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import Call
from auditor.forensics.languages.nearby_guards import Stretch, excuses
from auditor.forensics.languages.parsed_file import File

if TYPE_CHECKING:
    from tree_sitter import Node


_MOST_EXCUSED = 200
"""Values of a file of which it is asked where they go; all others are excused by what stands anywhere."""


def is_excused(file: File, node: Node, form: re.Pattern[bytes], rule: Call | None = None) -> bool:
    """Does the file hold that where it may be about what a node gives, or about what a method is called on?"""
    if not file.holds(form):
        return False
    start, end = node.byte_range
    outer = file.outermost(start)
    file.excused += 1
    if file.excused > _MOST_EXCUSED:
        return True
    method = rule is not None and rule.names[0].startswith(".")
    value = Stretch(file.uncommented, start, end, method)
    return outer is None or excuses(form, value, outer, file.outermost)
