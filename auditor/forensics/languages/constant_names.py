"""Names that can only stand for constants, and the texts of a file in which they read like those."""

from __future__ import annotations

from functools import partial

from auditor.forensics.languages.allow_list_checks import Fixed
from auditor.forensics.languages.parsed_file import File
from auditor.forensics.languages.private_callers import is_given_constants
from auditor.forensics.languages.string_building import Texts


def careful_texts(file: File) -> Texts:
    """The texts of a file in which names that can only stand for constants read like those.

    They take longer than `file.texts`, so they are read only where a rule would otherwise apply.
    """
    if file.careful is None:
        texts = file.texts
        constant = partial(is_constant, file, Fixed(file.letters, file.outermost))
        file.careful = Texts(texts.names, texts.functions, texts.defined, constant)
    return file.careful


def is_constant(file: File, fixed: Fixed, name: str, place: int) -> bool:
    """Can a name only stand for what the program lists, or is it a parameter that is given constants alone?"""
    return fixed.holds(name, place) or is_given_constants(file, name, place)
