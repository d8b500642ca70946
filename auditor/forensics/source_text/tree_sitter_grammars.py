"""Grammars of tree-sitter, each loaded when it is first asked for: a run that meets no Go loads none for it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language


@cache
def grammar(package: str, dialect: str = "language") -> Language:
    """What a grammar's package holds; one with several dialects has a function for each."""
    import tree_sitter

    return tree_sitter.Language(getattr(import_module(package), dialect)())
