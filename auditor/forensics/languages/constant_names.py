"""Names that can only stand for constants, and the texts of a file in which they read like those."""

from __future__ import annotations

from functools import partial

from auditor.forensics.languages.allow_list_checks import AllowListChecks
from auditor.forensics.languages.constant_parameters import receives_only_constants
from auditor.forensics.languages.constant_results import MAX_CALL_DEPTH, result_of_constants
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_building import TextResolver


def constant_aware_texts(file: ParsedFile) -> TextResolver:
    """The texts of a file in which names that can only stand for constants resolve to constants.

    They take longer than `file.texts`, so they are read only where a rule would otherwise apply.
    """
    if file.constant_aware_texts is None:
        texts = file.texts
        constant = partial(is_constant, file, AllowListChecks(file.latin1_source, file.outermost_function))
        aware = TextResolver(texts.names, texts.functions, texts.defined, constant)
        aware.result_of_constants = partial(result_of_constants, file, MAX_CALL_DEPTH)
        file.constant_aware_texts = aware
    return file.constant_aware_texts


def is_constant(file: ParsedFile, allow_lists: AllowListChecks, name: str, place: int) -> bool:
    """Can a name only stand for what the program lists, or is it a parameter that is given constants alone?"""
    return allow_lists.holds(name, place) or receives_only_constants(file, name, place)
