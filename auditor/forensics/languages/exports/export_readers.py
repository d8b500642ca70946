"""Who reads what a file of a language offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports import go, java, javascript, ruby, rust
from auditor.forensics.languages.exports.signature_text import MAX_EXPORTS, ExportSource

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.source_text.file_outline import Export

_READERS: dict[str, Callable[[ExportSource, Node], Iterator[Export]]] = {
    "javascript": javascript.find_exports,
    "typescript": javascript.find_exports,
    "go": go.find_exports,
    "java": java.find_exports,
    "rust": rust.find_exports,
    "ruby": ruby.find_exports,
}


def exports_of(
    source: bytes, language: str, root: Node, keywords: frozenset[str], *, compared: bool
) -> tuple[Export, ...]:
    """Everything that a file of some words offers; nothing for a language without such a thing. Types are reported where they will be `compared`."""
    read = _READERS.get(language)
    return (
        ()
        if read is None
        else tuple(islice(read(ExportSource(source, keywords, compared=compared), root), MAX_EXPORTS))
    )
