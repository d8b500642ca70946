"""Who reads what a file of a language offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports import go, java, javascript, ruby, rust
from auditor.forensics.languages.exports.signature_text import MAX_OFFERS, Source

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.source_text.file_outline import Export

_READERS: dict[str, Callable[[Source, Node], Iterator[Export]]] = {
    "javascript": javascript.offers,
    "typescript": javascript.offers,
    "go": go.offers,
    "java": java.offers,
    "rust": rust.offers,
    "ruby": ruby.offers,
}


def offers_of(source: bytes, language: str, root: Node, said: frozenset[str], *, compared: bool) -> tuple[Export, ...]:
    """Everything that a file of some words offers; nothing for a language without such a thing. Types are told where they will be `compared`."""
    read = _READERS.get(language)
    return () if read is None else tuple(islice(read(Source(source, said, compared=compared), root), MAX_OFFERS))
