"""YAML of GitHub workflows and actions as plain nodes with their lines, read the way GitHub reads it.

The bounds are those of GitHub's own reader (actions/runner, `YamlObjectReader.cs` and `TemplateReader.cs`), so what is
`UnreadableYaml` here for its size, depth or keys does not run there either. Text comes from audited repositories: nodes are
built from events one by one, nothing is constructed, and an alias counts as all that it stands for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from auditor.strict_yaml import is_about_depth

MAX_TEXT_LENGTH = 1_000_000
MAX_DEPTH = 50
_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"
MAX_NODES = 50_000
"""With aliases counted as what they stand for."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG_PREFIX = "tag:yaml.org,2002:"
_MERGE_KEY = "<<"
_TYPED_TAGS = frozenset({f"{_TAG_PREFIX}{kind}" for kind in ("bool", "float", "int", "null")})


@dataclass(frozen=True, slots=True)
class UnreadableYaml:
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

    def mapping_at(self, key: str) -> MapNode:
        """The mapping at a key; an empty one where there is none."""
        node = self.entries.get(key)
        return node if isinstance(node, MapNode) else MapNode({}, self.line)

    def items_at(self, key: str) -> tuple[Node, ...]:
        """The items of the sequence at a key; none where there is no sequence."""
        node = self.entries.get(key)
        return node.items if isinstance(node, ListNode) else ()

    def text(self, key: str) -> str:
        """The text at a key as GitHub shows it; empty where there is none."""
        node = self.entries.get(key)
        return format_value(scalar_value(node)) if isinstance(node, Scalar) else ""


Node = Scalar | ListNode | MapNode


class _UnsupportedYamlError(Exception):
    """GitHub does not support the text; the message says why."""


def read_yaml(text: str, *, of_github: bool = True) -> MapNode | UnreadableYaml:
    """The mapping in a text, empty for an empty text, or why there is none.

    Other systems take merge keys, keys that are set twice, and tags of their own: a list with a tag becomes a text that begins with it.
    """
    if len(text) > MAX_TEXT_LENGTH:
        return UnreadableYaml(f"it is larger than {MAX_TEXT_LENGTH:,} characters")
    builder = _DocumentBuilder(of_github=of_github)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except _UnsupportedYamlError as error:
        return UnreadableYaml(str(error))
    except yaml.MarkedYAMLError as error:
        return UnreadableYaml(_refusal(error))
    except (yaml.YAMLError, ValueError):
        return UnreadableYaml("it is not valid YAML")
    root = builder.root
    if root is None or (isinstance(root, Scalar) and scalar_value(root) is None):
        return MapNode({}, 1)
    return root if isinstance(root, MapNode) else UnreadableYaml("it is not a mapping")


def _refusal(error: yaml.MarkedYAMLError) -> str:
    """Why the parser refuses a text."""
    if is_about_depth(error):
        return _TOO_DEEP
    line = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
    return f"it is not valid YAML{line}"


@dataclass(slots=True)
class _BuiltNode:
    """A node, its number of nodes including descendants, and its height."""

    node: Node
    size: int
    height: int


@dataclass(slots=True)
class _OpenCollection:
    """A collection whose end has not been read yet."""

    line: int
    anchor: str | None
    is_mapping: bool
    built: list[Node] = field(default_factory=list)
    entries: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    casefolded_keys: set[str] = field(default_factory=set)
    of_github: bool = True
    tag: str = ""
    key: str | None = None
    size: int = 1
    height: int = 0

    def take(self, built: _BuiltNode) -> None:
        self.size += built.size
        self.height = max(self.height, built.height)
        if not self.is_mapping:
            self.built.append(built.node)
        elif self.key is None:
            self._begin(built.node)
        elif self.key == _MERGE_KEY and not self.of_github:
            self._merge(built.node)
            self.key = None
        else:
            self.entries[self.key] = built.node
            self.key = None

    def _merge(self, node: Node) -> None:
        """Take the keys of other mappings that this one has not itself; those that follow replace them."""
        for each in node.items if isinstance(node, ListNode) else (node,):
            if isinstance(each, MapNode):
                self.entries = {**each.entries, **self.entries}
                self.lines = {**each.lines, **self.lines}

    def _begin(self, node: Node) -> None:
        """Start an entry. Keys are compared without case, and merge keys are rejected."""
        if not isinstance(node, Scalar):
            raise _UnsupportedYamlError(f"a key is not a plain string (line {node.line})")
        if not self.of_github:
            self.key = node.text
            self.lines[self.key] = node.line
            return
        if node.text == _MERGE_KEY and node.plain:
            raise _UnsupportedYamlError(f"it has a merge key, which GitHub does not support (line {node.line})")
        if node.text.casefold() in self.casefolded_keys:
            raise _UnsupportedYamlError(f"a key is set twice (line {node.line})")
        self.casefolded_keys.add(node.text.casefold())
        self.key = node.text
        self.lines[self.key] = node.line

    def ended(self) -> _BuiltNode:
        node: Node = (
            MapNode(self.entries, self.line, self.lines) if self.is_mapping else ListNode(tuple(self.built), self.line)
        )
        if self.tag and isinstance(node, ListNode):
            words = (each.text for each in node.items if isinstance(each, Scalar))
            node = Scalar(" ".join((self.tag, *words)), self.line)
        return _BuiltNode(node, self.size, self.height + 1)


class _DocumentBuilder:
    """Builds the one document from parser events."""

    def __init__(self, *, of_github: bool) -> None:
        self.root: Node | None = None
        self._of_github = of_github
        self._documents = 0
        self._nodes = 0
        self._open: list[_OpenCollection] = []
        self._anchors: dict[str, _BuiltNode] = {}

    def take(self, event: yaml.Event) -> None:
        """Process the next event. Raises _UnsupportedYamlError."""
        if isinstance(event, yaml.ScalarEvent):
            if not self._of_github and event.tag and event.tag.startswith("!"):
                event.tag = None
            self._add(_BuiltNode(_read_scalar(event), 1, 1), event.anchor)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            known = not event.tag or event.tag in {f"{_TAG_PREFIX}map", f"{_TAG_PREFIX}seq"}
            if not known and self._of_github:
                raise _UnsupportedYamlError(f"it has an unknown tag (line {_line(event)})")
            self._check_limits(1)
            opening = _OpenCollection(_line(event), event.anchor, isinstance(event, yaml.MappingStartEvent))
            opening.of_github, opening.tag = self._of_github, "" if known else str(event.tag)
            self._open.append(opening)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            opened = self._open.pop()
            self._place(opened.ended(), opened.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _UnsupportedYamlError(f"an alias has no anchor before it (line {_line(event)})")
            self._add(self._anchors[event.anchor], None)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _UnsupportedYamlError("it has more than one document")

    def _add(self, built: _BuiltNode, anchor: str | None) -> None:
        self._check_limits(built.height, built.size)
        self._place(built, anchor)

    def _check_limits(self, height: int, size: int = 1) -> None:
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise _UnsupportedYamlError(f"it has more than {MAX_NODES:,} nodes")
        if len(self._open) + height > MAX_DEPTH:
            raise _UnsupportedYamlError(_TOO_DEEP)

    def _place(self, built: _BuiltNode, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = built
        if self._open:
            self._open[-1].take(built)
        else:
            self.root = built.node


def _read_scalar(event: yaml.ScalarEvent) -> Scalar:
    bare = not event.style
    if event.tag and event.tag != f"{_TAG_PREFIX}str" and not (bare and event.tag in _TYPED_TAGS):
        raise _UnsupportedYamlError(f"it has an unknown tag (line {_line(event)})")
    if literal := _LITERAL_EXPRESSION.fullmatch(event.value):
        return Scalar(literal[1].replace("''", "'"), _line(event))
    return Scalar(event.value, _line(event), bare and event.tag != f"{_TAG_PREFIX}str")


_LITERAL_EXPRESSION = re.compile(r"\$\{\{\s*'([^']*(?:''[^']*)*)'\s*\}\}")
"""An expression that is one quoted text: GitHub replaces it by that text, in keys too."""


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


_CONSTANTS: Mapping[str, float | bool | None] = {
    **dict.fromkeys(("", "null", "Null", "NULL", "~")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **{f"{sign}{word}": math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,4})?")
_HEX_OR_OCTAL = re.compile(r"0(?:x(?P<hex>[0-9a-fA-F]{1,8})|o(?P<oct>[0-7]{1,11}))")


def scalar_value(node: Scalar) -> str | float | bool | None:
    """The value of a scalar in the core schema of YAML 1.2, which is GitHub's."""
    text = node.text
    if not node.plain:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _NUMBER.fullmatch(text):
        return float(text)
    if based := _HEX_OR_OCTAL.fullmatch(text):
        return float(int(based["hex"] or based["oct"], 16 if based["hex"] else 8))
    return text


def format_value(scalar: str | float | bool | None) -> str:
    """A value as GitHub writes it in a text: numbers with 15 digits, null as nothing."""
    if scalar is None:
        return ""
    if isinstance(scalar, str):
        return scalar
    if isinstance(scalar, bool):
        return "true" if scalar else "false"
    if math.isnan(scalar) or math.isinf(scalar):
        return "NaN" if math.isnan(scalar) else "Infinity" if scalar > 0 else "-Infinity"
    return "0" if scalar == 0 else format(scalar, ".15g").upper()


def iter_scalars(node: Node) -> Iterator[Scalar]:
    """All scalars below a node, keys left out."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Scalar):
            yield each
        else:
            waiting.extend(reversed(each.items if isinstance(each, ListNode) else tuple(each.entries.values())))
