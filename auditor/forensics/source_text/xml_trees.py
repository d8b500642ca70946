"""Hostile XML as a tree, without its entities and namespaces."""

from __future__ import annotations

from typing import Any


def parse_xml(text: str) -> Any:
    """The root of a document, its tags without namespaces. Raises ValueError for what is not well-formed or declares a type."""
    from defusedxml.ElementTree import ParseError, fromstring  # type: ignore[import-untyped]

    try:
        root = fromstring(text.encode(), forbid_dtd=True)
    except (ParseError, LookupError) as error:  # an encoding that nobody knows
        raise ValueError("not well-formed") from error
    for each in root.iter():
        each.tag = str(each.tag).rpartition("}")[2]
    return root
