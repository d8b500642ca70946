"""What a file offers to others, read from its top level: names, and what must be passed to what can be called.

Whether others can reach the file at all is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.offered import go, java, ruby, rust, script
from auditor.forensics.languages.offered.source import MAX_OFFERS, Source

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.outline import Export

_READERS: dict[str, Callable[[Source, Node], Iterator[Export]]] = {
    "javascript": script.offers,
    "typescript": script.offers,
    "go": go.offers,
    "java": java.offers,
    "rust": rust.offers,
    "ruby": ruby.offers,
}
COMPARED = frozenset(_READERS)
"""Languages whose offers are read."""
TYPED = frozenset({"typescript"})
"""Those of which it is also asked whether what they offer says its types, be there a change or not."""


def offers_of(source: bytes, language: str, root: Node, said: frozenset[str], *, compared: bool) -> tuple[Export, ...]:
    """Everything that a file of some words offers; nothing for a language without such a thing. Types are told where they will be `compared`."""
    read = _READERS.get(language)
    return () if read is None else tuple(islice(read(Source(source, said, compared=compared), root), MAX_OFFERS))
