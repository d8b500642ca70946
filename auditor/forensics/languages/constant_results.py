"""What a function of the file gives back where it is called with constants alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from auditor.forensics.languages.constant_parameters import MAX_LOOKUPS, unchanged_parameters
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_building import TextResolver
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CALL_DEPTH = 3
"""Calls inside the functions that are called."""


def result_of_constants(file: ParsedFile, depth: int, texts: TextResolver, name: str, arguments: Sequence[Node]) -> str:
    """The text that a call gives, where its arguments are constants and the function adds nothing else to them; else nothing.

    Asked only about what would otherwise be reported, so it costs nothing where nothing is.
    """
    file.caller_lookups += 1
    function = texts.defined(name)
    if function is None or depth <= 0 or file.caller_lookups > MAX_LOOKUPS:
        return ""
    if not all(_is_constant(texts.reads(each, told_apart=True)) for each in arguments):
        return ""
    parameters = unchanged_parameters(file, function)
    if parameters is None:
        return ""
    start, end = function.byte_range
    inner = TextResolver(
        texts.names, texts.functions, texts.defined, lambda each, place: each in parameters and start <= place < end
    )
    inner.result_of_constants = partial(result_of_constants, file, depth - 1)
    told = inner.call_result(name)
    return told if _is_constant(told) else ""


def _is_constant(text: str) -> bool:
    return DYNAMIC_MARK not in text and IDENTIFIER_MARK not in text
