"""YAML of GitHub workflows and actions as plain nodes with their lines, read the way GitHub reads it.

The bounds are those of GitHub's own reader (actions/runner, `YamlObjectReader.cs` and `TemplateReader.cs`), so what is
`Unread` here for its size, depth or keys does not run there either. Text comes from audited repositories: nodes are
built from events one by one, nothing is constructed, and an alias counts as all that it stands for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 50
MAX_NODES = 50_000
"""With aliases counted as what they stand for."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_TYPED = frozenset({f"{_TAG}{kind}" for kind in ("bool", "float", "int", "null")})


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a text could not be read."""

    reason: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, its line from 1, and whether it is written so that it may be a number, a boolean or null."""

    text: str
    line: int
    plain: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A sequence of nodes."""

    items: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MapNode:
    """Nodes by key, in their order, and the line of each key."""

    entries: Mapping[str, Node]
    line: int
    lines: Mapping[str, int] = field(default_factory=dict)

    def map(self, key: str) -> MapNode:
        """The mapping below a key; an empty one where there is none."""
        node = self.entries.get(key)
        return node if isinstance(node, MapNode) else MapNode({}, self.line)

    def list(self, key: str) -> tuple[Node, ...]:
        """The items below a key; none where there is no sequence."""
        node = self.entries.get(key)
        return node.items if isinstance(node, ListNode) else ()

    def text(self, key: str) -> str:
        """The text below a key as GitHub shows it; empty where there is none."""
        node = self.entries.get(key)
        return shown(value(node)) if isinstance(node, Scalar) else ""


Node = Scalar | ListNode | MapNode


class _RefusedError(Exception):
    """The text is outside of what GitHub reads; the message says why."""


def read(text: str) -> MapNode | Unread:
    """The mapping in a text, empty for an empty text, or why there is none."""
    if len(text) > MAX_CHARACTERS:
        return Unread(f"it is larger than {MAX_CHARACTERS:,} characters")
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except _RefusedError as error:
        return Unread(str(error))
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
        return Unread(f"it is not valid YAML{line}")
    except (yaml.YAMLError, ValueError):
        return Unread("it is not valid YAML")
    root = builder.root
    if root is None or (isinstance(root, Scalar) and value(root) is None):
        return MapNode({}, 1)
    return root if isinstance(root, MapNode) else Unread("it is not a mapping")


@dataclass(slots=True)
class _Built:
    """A node, how many nodes it has with all below it, and how deep they reach."""

    node: Node
    size: int
    height: int


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come."""

    line: int
    anchor: str | None
    keyed: bool
    built: list[Node] = field(default_factory=list)
    entries: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    folded: set[str] = field(default_factory=set)
    key: str | None = None
    size: int = 1
    height: int = 0

    def take(self, built: _Built) -> None:
        self.size += built.size
        self.height = max(self.height, built.height)
        if not self.keyed:
            self.built.append(built.node)
        elif self.key is None:
            self._begin(built.node)
        else:
            self.entries[self.key] = built.node
            self.key = None

    def _begin(self, node: Node) -> None:
        """GitHub tells no capital letters in keys apart, and knows no merge keys."""
        if not isinstance(node, Scalar):
            raise _RefusedError(f"a key is not a plain word (line {node.line})")
        if node.text == "<<" and node.plain:
            raise _RefusedError(f"it has a merge key, which GitHub does not support (line {node.line})")
        if node.text.casefold() in self.folded:
            raise _RefusedError(f"a key is set twice (line {node.line})")
        self.folded.add(node.text.casefold())
        self.key = node.text
        self.lines[self.key] = node.line

    def ended(self) -> _Built:
        node = MapNode(self.entries, self.line, self.lines) if self.keyed else ListNode(tuple(self.built), self.line)
        return _Built(node, self.size, self.height + 1)


class _Builder:
    """Takes events in their order and builds the one document."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._documents = 0
        self._nodes = 0
        self._open: list[_Open] = []
        self._anchors: dict[str, _Built] = {}

    def take(self, event: yaml.Event) -> None:
        """The next event. Raises _RefusedError."""
        if isinstance(event, yaml.ScalarEvent):
            self._add(_Built(_scalar(event), 1, 1), event.anchor)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if event.tag and event.tag not in {f"{_TAG}map", f"{_TAG}seq"}:
                raise _RefusedError(f"it has an unknown tag (line {_line(event)})")
            self._reaches(1)
            self._open.append(_Open(_line(event), event.anchor, isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            opened = self._open.pop()
            self._place(opened.ended(), opened.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _RefusedError(f"an alias has no anchor before it (line {_line(event)})")
            self._add(self._anchors[event.anchor], None)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _RefusedError("it has more than one document")

    def _add(self, built: _Built, anchor: str | None) -> None:
        self._reaches(built.height, built.size)
        self._place(built, anchor)

    def _reaches(self, height: int, size: int = 1) -> None:
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise _RefusedError(f"it has more than {MAX_NODES:,} nodes")
        if len(self._open) + height > MAX_DEPTH:
            raise _RefusedError(f"it is nested deeper than {MAX_DEPTH} levels")

    def _place(self, built: _Built, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = built
        if self._open:
            self._open[-1].take(built)
        else:
            self.root = built.node


def _scalar(event: yaml.ScalarEvent) -> Scalar:
    bare = not event.style
    if event.tag and event.tag != f"{_TAG}str" and not (bare and event.tag in _TYPED):
        raise _RefusedError(f"it has an unknown tag (line {_line(event)})")
    if literal := _LITERAL.fullmatch(event.value):
        return Scalar(literal[1].replace("''", "'"), _line(event))
    return Scalar(event.value, _line(event), bare and event.tag != f"{_TAG}str")


_LITERAL = re.compile(r"\$\{\{\s*'([^']*(?:''[^']*)*)'\s*\}\}")
"""An expression that is one quoted text: GitHub takes it for that text, in keys too."""


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


_WORDS: Mapping[str, float | bool | None] = {
    **dict.fromkeys(("", "null", "Null", "NULL", "~")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **{f"{sign}{word}": math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,4})?")
_OF_BASE = re.compile(r"0(?:x(?P<hex>[0-9a-fA-F]{1,8})|o(?P<oct>[0-7]{1,11}))")


def value(node: Scalar) -> str | float | bool | None:
    """What a scalar is in the core schema of YAML 1.2, which is GitHub's."""
    text = node.text
    if not node.plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        return float(text)
    if based := _OF_BASE.fullmatch(text):
        return float(int(based["hex"] or based["oct"], 16 if based["hex"] else 8))
    return text


def shown(of: str | float | bool | None) -> str:
    """A value as GitHub writes it in a text: numbers with 15 digits, null as nothing."""
    if of is None:
        return ""
    if isinstance(of, str):
        return of
    if isinstance(of, bool):
        return "true" if of else "false"
    if math.isnan(of) or math.isinf(of):
        return "NaN" if math.isnan(of) else "Infinity" if of > 0 else "-Infinity"
    return "0" if of == 0 else format(of, ".15g").upper()


def scalars(node: Node) -> Iterator[Scalar]:
    """All texts below a node, keys left out."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Scalar):
            yield each
        else:
            waiting.extend(reversed(each.items if isinstance(each, ListNode) else tuple(each.entries.values())))
