"""Which grammar reads a JavaScript or TypeScript file: with tags, with types, or both."""

from __future__ import annotations

import re
from typing import Any

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_CLOSING_TAG_START = re.compile(rb"</[A-Za-z>]")
_TYPE_ASSERTION = re.compile(rb"(?:=|return|\()\s*<([A-Z]\w*)>\s*\w")


def typescript_grammar(content: bytes) -> Any:
    """TypeScript with or without markup: the two grammars disagree about `<`."""
    markup = b"/>" in content or (b"</" in content and _CLOSING_TAG_START.search(content) is not None)
    return _grammar_for(markup and not _has_type_assertion(content))


def _has_type_assertion(content: bytes) -> bool:
    """Is a type asserted in front of a value? An element that holds text looks like it, but is closed."""
    named = {found[1] for found in _TYPE_ASSERTION.finditer(content)}
    return bool(named) and not named <= {found[1] for found in _CLOSING_TAG.finditer(content)}


_CLOSING_TAG = re.compile(rb"</([A-Z]\w*)>")


def _grammar_for(markup: bool) -> Any:
    return grammar("tree_sitter_typescript", "language_tsx" if markup else "language_typescript")


def alternative_parses(content: bytes) -> tuple[tuple[Any, bytes], ...]:
    """The other ways to read a file that its own grammar does not parse."""
    return ((grammar("tree_sitter_javascript"), grammar_workarounds.rewrite_markup(content)),)


def typescript_alternatives(content: bytes) -> tuple[tuple[Any, bytes], ...]:
    """The other dialect can be what a file is in: what looks like markup may be in its texts alone."""
    if b"<" not in content:
        return ((_grammar_for(markup=False), grammar_workarounds.rewrite_typescript(content)),)
    return (_grammar_for(markup=False), grammar_workarounds.rewrite_typescript(content)), (
        _grammar_for(markup=True),
        grammar_workarounds.rewrite_markup(content),
    )
