"""Who reads what a file of a language offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import MAX_EXPORTS, ExportSource

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.source_text.file_outline import Export


@cache
def export_reader(name: str) -> Callable[[ExportSource, Node], Iterator[Export]]:
    """`find_exports` of a module of this folder. Raises ImportError where there is no such module."""
    found: Callable[[ExportSource, Node], Iterator[Export]] = import_module(f"{__package__}.{name}").find_exports
    return found


def exports_of(
    source: bytes, reader: str, root: Node, keywords: frozenset[str], *, compared: bool
) -> tuple[Export, ...]:
    """Everything that a file of some words offers; nothing without a reader. Types are reported where they will be `compared`."""
    if not reader:
        return ()
    return tuple(islice(export_reader(reader)(ExportSource(source, keywords, compared=compared), root), MAX_EXPORTS))
