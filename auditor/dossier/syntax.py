"""Definitions and calls of a source file, by tree-sitter and one tag query a language (`tags/*.scm`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_registry import grammar_of
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.source_text.syntax_trees import get_parser, is_too_complex, parse_tree
from auditor.forensics.source_text.tree_sitter_grammars import grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

_OWN_GRAMMARS = {"python": ("tree_sitter_python", "language"), "tsx": ("tree_sitter_typescript", "language_tsx")}
"""Grammars that no description of a language names."""
_TAGS = Path(__file__).parent / "tags"
_MAX_BYTES = 1_000_000
"""Larger files are shown by their lines alone."""
_MAX_NAME = 120
_MAX_MATCHES = 100_000
_WITH_DECORATORS = frozenset({"decorated_definition", "export_statement", "template_declaration"})
"""Nodes around a definition that belong to it."""


@dataclass(frozen=True, order=True)
class Definition:
    """A function, a type or a constant of a file. Lines count from 1."""

    start: int
    end: int
    name: str
    qualified_name: str = ""
    is_type: bool = False
    is_value: bool = False

    @property
    def length(self) -> int:
        """Its lines."""
        return self.end - self.start + 1

    def covers(self, line: int) -> bool:
        """Does the line lie in it?"""
        return self.start <= line <= self.end


@dataclass(frozen=True)
class Syntax:
    """What a file defines and calls."""

    definitions: tuple[Definition, ...] = ()
    """Sorted by their first line; an outer one before those that it holds."""
    calls: tuple[tuple[int, str], ...] = ()
    """Line and name of what is called."""

    @cached_property
    def _scopes(self) -> tuple[Definition, ...]:
        """Functions and types: what code can lie in."""
        return tuple(each for each in self.definitions if not each.is_value)

    def enclosing(self, line: int) -> Definition | None:
        """The innermost function or type around a line."""
        around = [each for each in self._scopes if each.covers(line)]
        return min(around, key=lambda each: (each.length, -each.start)) if around else None

    def function_around(self, line: int, most: int) -> Definition | None:
        """The outermost function around a line that has at most so many lines, else the innermost; None outside functions."""
        around = [each for each in self._scopes if each.covers(line) and not each.is_type]
        if not around:
            return None
        fitting = [each for each in around if each.length <= most]
        return max(fitting, key=lambda each: each.length) if fitting else min(around, key=lambda each: each.length)


def grammar_name(path: str) -> str:
    """The grammar that reads a file, by its path; empty for none."""
    if path.endswith((".tsx", ".jsx")):
        return "tsx" if path.endswith(".tsx") else "javascript"
    name = language(path)
    return name if name in _tagged_languages() and (name in _OWN_GRAMMARS or grammar_of(name) is not None) else ""


@cache
def _tagged_languages() -> frozenset[str]:
    """Languages with a tag query."""
    return frozenset(each.stem for each in _TAGS.glob("*.scm"))


def read_syntax(path: str, content: bytes) -> Syntax | None:
    """The syntax of a file; None where no grammar reads it within its limits."""
    name = grammar_name(path)
    if not name or len(content) > _MAX_BYTES:
        return None
    known = _OWN_GRAMMARS.get(name) or grammar_of(name)
    if known is None:
        return None
    reader = grammar(*known)
    tree = parse_tree(get_parser(reader), content)
    if tree is None or is_too_complex(tree, len(content)):
        return None
    found: list[Definition] = []
    calls: list[tuple[int, str]] = []
    for captures in _matches(_query(reader, name), tree.root_node):
        if "call" in captures:
            calls += [(_line(node), text) for node in captures["call"] if (text := _text(node))]
        else:
            found += _definition(captures)
    return Syntax(_qualified(found), tuple(sorted(set(calls))))


def _matches(query: Query, root: Node) -> Iterator[dict[str, list[Node]]]:
    from tree_sitter import QueryCursor

    cursor = QueryCursor(query, match_limit=_MAX_MATCHES)
    for _, captures in cursor.matches(root):
        yield captures


@cache
def _query(reader: Language, name: str) -> Query:
    from tree_sitter import Query

    file = "typescript" if name == "tsx" else name
    return Query(reader, (_TAGS / f"{file}.scm").read_text(encoding="ascii"))


def _definition(captures: dict[str, list[Node]]) -> Iterator[Definition]:
    name = _text(captures["name"][0])
    owner = [_text(each) for each in captures.get("owner", ())]
    for kind in ("function", "type", "value"):
        for node in captures.get(kind, ()):
            parent = node.parent
            whole = parent if parent is not None and parent.type in _WITH_DECORATORS else node
            if name:
                yield Definition(
                    start=_line(whole),
                    end=max(_line(whole), whole.end_point.row + (1 if whole.end_point.column else 0)),
                    name=name,
                    qualified_name=".".join([*owner, name]),
                    is_type=kind == "type",
                    is_value=kind == "value",
                )


def _qualified(found: list[Definition]) -> tuple[Definition, ...]:
    """The definitions with the names of those around them before their own."""
    ordered = sorted(set(found), key=lambda each: (each.start, -each.end, each.is_value, each.name))
    outer: list[Definition] = []
    named: list[Definition] = []
    for each in ordered:
        while outer and outer[-1].end < each.start:
            outer.pop()
        prefix = f"{outer[-1].qualified_name}." if outer and outer[-1].end >= each.end else ""
        whole = Definition(each.start, each.end, each.name, prefix + each.qualified_name, each.is_type, each.is_value)
        named.append(whole)
        if not each.is_value:
            outer.append(whole)
    return tuple(named)


def _line(node: Node) -> int:
    return node.start_point.row + 1


def _text(node: Node) -> str:
    raw = node.text
    return "" if raw is None or len(raw) > _MAX_NAME else raw.decode("utf-8", errors="replace")
