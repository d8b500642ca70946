"""What calls name: of the many calls in a file, those that a rule or a test may be about.

Of every call the query gives what is called, whose place tells its name: few calls are worth more than that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from auditor.constant_folding.escape_sequences import NAME_ESCAPES, decode_escapes
from auditor.forensics.languages.keyword_gated_patterns import BoundedCache
from auditor.forensics.languages.language_rule_types import (
    FOR_QUERY_RULES,
    FOR_RULES,
    FOR_TESTS,
    NOT_RELEVANT,
    plain_last_part,
)
from auditor.forensics.languages.language_type import Language

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAME_BYTES = 400
"""Bytes of what is called that are read as a name; of longer chains only the last part counts."""
_MAX_LAST_PART_BYTES = 80
_PART_SIGNS = (b".", b"::", b"\\")
"""What languages write between the parts of a name."""
_GAP = r"(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*\n)"
_GAPS = re.compile(rf"{_GAP}+(?=\.|::|->)|(?<=[.:>]){_GAP}+")
"""Blanks, line breaks and comments around what stands between the parts of a name."""
_MAY_HAVE_GAP = re.compile(r"\s|/[*/]")
_MAY_BE_WRAPPED = re.compile(r"[(<@!#]|\\[uU]")
_WRAPPING = re.compile(
    r"(?<![\w$)\]>])\(\s*(?:<[\w$.,\s]{1,60}>\s*)?([\w$.:@]{1,100})!?\s*(?:(?:as|satisfies)\s[^()]{1,100})?\)"
    r"|(?<=[\w$)\]])!(?=\.)"
    r"|(?:^|(?<=\.))@(?=[A-Z])"
    r"|(?:^|(?<=[.:]))r#(?=\w)"
    r"|^<(?=[\w:]{1,100}>::)|(?<=\w)>(?=::)"
)
"""What may be around a name or a part of it and changes nothing: parentheses and type assertions, `!` of TypeScript, `@` of C#,
`r#` and `<T>` of Rust."""
_MAX_WRAPPINGS = 4
"""How many of them may be around each other."""
_OPENING, _CLOSING = ord("<"), ord(">")


def select_relevant_callees(
    source: bytes,
    language: Language,
    imported_names: Collection[bytes],
    callees: Iterable[Node],
    has_queries: Callable[[], bool],
) -> tuple[list[Node], list[Node]]:
    """Of all that is called: what rules may speak of, and what may be a test or hold several.

    `imported_names` are names that stand for something imported and are called themselves.
    """
    speaks_of = language.relevance_by_callee
    of_rules: list[Node] = []
    of_tests: list[Node] = []
    queries: bool | None = None
    for node in callees:
        start, end = node.byte_range
        told = source[start if end - start < _MAX_LAST_PART_BYTES else end - _MAX_LAST_PART_BYTES : end]
        last = (without_type_arguments(told) if told.endswith(b">") else told).rpartition(b".")[2]
        speaks = speaks_of[last]
        if speaks:
            if speaks & FOR_TESTS:
                of_tests.append(node)
            if speaks & FOR_QUERY_RULES:
                queries = has_queries() if queries is None else queries
                speaks = FOR_RULES if queries else NOT_RELEVANT
            if speaks & FOR_RULES or last in imported_names:
                of_rules.append(node)
        elif imported_names and last in imported_names:
            of_rules.append(node)
    return of_rules, of_tests


def without_type_arguments(name: bytes) -> bytes:
    """A name without its type arguments: `Get` of `Get<Map<K, V>>`, `collect` of `collect::<Vec<_>>`."""
    if not name.endswith(b">"):
        return name
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        if name[place] == _CLOSING and name[place - 1 : place] not in (b"-", b"="):
            depth += 1
        elif name[place] == _OPENING:
            depth -= 1
            if depth == 0:
                return name[:place].removesuffix(b"::")
    return name


def last_callee_part(source: bytes, node: Node) -> str:
    """The last part of what is called."""
    start, end = node.byte_range
    told = without_type_arguments(source[max(start, end - _MAX_LAST_PART_BYTES) : end])
    for sign in _PART_SIGNS:
        told = told.rpartition(sign)[2]
    return plain_last_part(told).decode("utf-8", errors="replace")


def callee_name(source: bytes, node: Node) -> str:
    """What is called, where it is in one piece; most calls of a file call the same again."""
    start, end = node.byte_range
    return (
        _NORMALIZED_NAMES[source[start:end]]
        if end - start <= _MAX_LAST_PART_BYTES
        else joined_callee_name(source, [node])
    )


def joined_callee_name(source: bytes, parts: Iterable[Node]) -> str:
    """What is called, its parts joined by dots."""
    told: list[str] = []
    for part in parts:
        start, end = part.byte_range
        if end - start > _MAX_NAME_BYTES:
            found = re.search(r"[.:](\w+)$", _without_gaps(_text(source, max(start, end - _MAX_LAST_PART_BYTES), end)))
            return f"?.{found[1]}" if found else ""
        told.append(_text(source, start, end))
    return _normalize_name(".".join(told))


def _unwrapped(named: str) -> str:
    """A name without escapes, parentheses, assertions and other signs that leave it what it is."""
    if _MAY_BE_WRAPPED.search(named) is None:
        return named
    named = decode_escapes(named, NAME_ESCAPES)
    for _ in range(_MAX_WRAPPINGS):
        plain = _WRAPPING.sub(lambda found: found[1] or "", named)
        if plain == named:
            break
        named = plain
    return named


def _without_gaps(named: str) -> str:
    return _GAPS.sub("", named) if _MAY_HAVE_GAP.search(named) else named


def plain_name(named: str) -> str:
    """A name with dots for its optional accesses, and without blanks, comments, escapes and other signs that change nothing."""
    return _unwrapped(_without_gaps(named).replace("?.", "."))


def _normalize_name(named: str) -> str:
    named = plain_name(named)
    return without_type_arguments(named.encode()).decode() if named.endswith(">") else named


_NORMALIZED_NAMES: BoundedCache[bytes, str] = BoundedCache(
    lambda raw: _normalize_name(raw.decode("utf-8", errors="replace"))
)


def _text(source: bytes, start: int, end: int) -> str:
    return source[start:end].decode("utf-8", errors="replace")
