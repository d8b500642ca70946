"""What the body of a test checks, by itself or through helpers of its file, and whether it ends before."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch
from auditor.forensics.languages.test_declarations import TestDeclaration, replace_comments, text_between
from auditor.forensics.languages.test_syntax import TestSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_STATEMENTS = 60
_MAX_HELPERS = 2_000
_MAX_HELPER = 4_000
_MAX_HELPER_DEPTH = 3
_LONG_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_RETURN = re.compile(r"return\b")
_WHITESPACE_BYTES = bytes(each for each in range(128) if chr(each).isspace())
_BODY_WRAPPER_KINDS = frozenset({"statement_list", "body_statement", "block_body"})


@dataclass(frozen=True, eq=False)
class AssertionHelpers:
    """Functions of the file that check something, whatever they are called."""

    source: bytes
    test_syntax: TestSyntax
    functions: Sequence[Node]

    @cached_property
    def names(self) -> frozenset[str]:
        """What they are called. Those that only call another one count as well.

        Where tests are in the file of what they test, only what checks beyond doubt does: what is tested may unwrap, too.
        """
        bodies = {told[0]: body for name, body in self._bodies() if (told := _LONG_NAME.match(name))}
        sought = self.test_syntax.checks_search if self.test_syntax.beside is None else self.test_syntax.counting
        checking = {name for name, body in bodies.items() if sought.occurs(body)}
        said = {name: frozenset(_LONG_NAME.findall(body)) for name, body in bodies.items() if name not in checking}
        for _ in range(_MAX_HELPER_DEPTH if checking else 0):
            more = {name for name, words in said.items() if name not in checking and not words.isdisjoint(checking)}
            if not more:
                break
            checking |= more
        return frozenset(checking)

    def called(self, text: str) -> bool:
        """Does a text name one of them?"""
        return bool(self.names) and not self.names.isdisjoint(_LONG_NAME.findall(text))

    def _bodies(self) -> Iterator[tuple[str, str]]:
        for node in self.functions[:_MAX_HELPERS]:
            named = node.child_by_field_name("name")
            if named is None and node.parent is not None and node.parent.type == "variable_declarator":
                named = node.parent.child_by_field_name("name")
            body = node.child_by_field_name("body")
            if named is not None and body is not None:
                yield (
                    _node_text(self.source, named, 80),
                    body_code(_node_text(self.source, body, _MAX_HELPER), self.test_syntax),
                )
        for found in self.test_syntax.made.finditer(self.source) if self.test_syntax.made is not None else ():
            yield tuple(each.decode("utf-8", errors="replace") for each in found.group("name", "body"))  # type: ignore[misc]


def _node_text(source: bytes, node: Node, most: int) -> str:
    return text_between(source, node.start_byte, node.end_byte, most)


def body_code(text: str, testing: TestSyntax) -> str:
    """A body without its comments. Strings stay: in them may be what is checked."""
    return replace_comments(testing, text, "") if "//" in text or "/*" in text or "#" in text else text


def assess_checks(text: str, testing: TestSyntax, *, compared: bool) -> tuple[str, int]:
    """What a body checks, and, where that is compared, on how many lines something that could be otherwise."""
    rest, counting = text, testing.counting
    places = counting.places(text) if compared else None
    if testing.trivial_search is not None and testing.has_trivial_check(text, places):
        rest = testing.trivial_search.form.sub("", text)
        places = counting.places(rest)
    count = counting.lines(rest, places) if compared else 0
    if (count and testing.is_counted_always_check) or testing.checks_search.occurs(rest):
        return "something", count
    return "trivially" if rest is not text and testing.checks_search.occurs(text) else "nothing", count


def checks_indirectly(written: TestDeclaration, text: str, testing: TestSyntax, helpers: AssertionHelpers) -> bool:
    """Does the header say that the test checks, or does the body call a helper that does?"""
    if testing.announced is not None and testing.announced.search(written.header):
        return True
    return helpers.called(text)


def body_digest(text: str) -> str:
    """A digest that distinguishes one body from another; whitespace makes no difference."""
    if text.isascii():
        bare = text.encode().translate(None, _WHITESPACE_BYTES)
    else:
        bare = "".join(text.split()).encode("utf-8", errors="replace")
    return hashlib.blake2b(bare, digest_size=8).hexdigest()


def ends_early(source: bytes, body: Node, text: str, testing: TestSyntax, stopping: PatternSearch | None) -> bool:
    """Does a body with this text always skip itself or return before its end? Only statements at its own depth count."""
    if "return" not in text and (stopping is None or not stopping.occurs(text)):
        return False
    held = statements(source, body)
    for number, first in enumerate(held):
        if testing.stops is not None and testing.stops.match(first):
            return True
        if _RETURN.match(first) and number + 1 < len(held):
            return True
    return False


def statements(source: bytes, body: Node) -> list[str]:
    """How the statements at the own depth of a body begin."""
    for _ in range(2):
        body = next((each for each in body.named_children[:5] if each.type in _BODY_WRAPPER_KINDS), body)
    held = [each for each in body.named_children[:_MAX_STATEMENTS] if "comment" not in each.type]
    return [text_between(source, each.start_byte, each.end_byte, 200) for each in held]
