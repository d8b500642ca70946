"""YAML into closed models, every mistake at once and each with its line.

Only plain data is read: no tags, no anchors, no merge keys, no key twice. Size and depth are bounded
before anything is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from auditor.domain import UserError
from auditor.user_error import did_you_mean

MAX_BYTES = 1_000_000
MAX_DEPTH = 30
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Model = TypeVar("Model", bound=BaseModel)
KeyPath = tuple[str | int, ...]


Check = Callable[[object], Iterable[tuple[KeyPath, str]]]
"""Looks at plain data and yields mistakes that no schema knows: where they are, and a sentence."""


class Lines:
    """The line of every value of a YAML text."""

    def __init__(self, origin: str, lines: Mapping[KeyPath, int]) -> None:
        self.origin = origin
        self._lines = lines

    def mistake(self, path: Sequence[str | int], sentence: str) -> str:
        """A sentence about a value, as `origin:line: sentence`."""
        return f"{self.origin}:{self.of(path)}: {sentence}"

    def of(self, path: Sequence[str | int]) -> int:
        """The line of a value, or of the nearest thing around it."""
        place = tuple(path)
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)


def parse(model: type[Model], text: str | bytes, origin: str, check: Check = lambda _data: ()) -> Model:
    """The model that a YAML text describes. Raises UserError listing every mistake as `origin:line: sentence`."""
    return parse_with_lines(model, text, origin, check)[0]


def parse_with_lines(
    model: type[Model], text: str | bytes, origin: str, check: Check = lambda _data: ()
) -> tuple[Model, Lines]:
    """The same with the lines of all values, for mistakes that are only found later."""
    data, found = _load_plain(text, origin)
    lines = Lines(origin, found)
    mistakes = {(lines.of(path), sentence) for path, sentence in check(data)}
    try:
        parsed = model.model_validate(data)
    except ValidationError as error:
        mistakes |= {(lines.of(each["loc"]), _error_sentence(model, each)) for each in error.errors()}
        raise UserError(_listed(origin, mistakes)) from error
    if mistakes:
        raise UserError(_listed(origin, mistakes))
    return parsed, lines


def _listed(origin: str, mistakes: Iterable[tuple[int, str]]) -> str:
    return "\n".join(f"{origin}:{line}: {sentence}" for line, sentence in sorted(mistakes))


def _load_plain(text: str | bytes, origin: str) -> tuple[object, dict[KeyPath, int]]:
    if len(text) > MAX_BYTES:
        raise UserError(f"{origin}: larger than {MAX_BYTES:,} bytes: make it smaller.")
    try:
        _reject_unsafe_events(text, origin)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{origin}:{line}: not valid YAML ({error.problem}).") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{origin}: not valid YAML in UTF-8.") from error
    if root is None:
        return {}, {}
    builder = _PlainDataBuilder(origin)
    data = builder.build(root, ())
    if builder.mistakes:
        raise UserError(_listed(origin, builder.mistakes))
    return data, builder.lines


def _reject_unsafe_events(text: str | bytes, origin: str) -> None:
    """Walk the events, which costs no depth, before nodes are composed, which does."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        tag = getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise UserError(f"{origin}:{line}: anchors and aliases are not supported: write out the value.")
        if tag:
            raise UserError(f"{origin}:{line}: the tag {tag!r} is not supported: write plain values.")
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
            if depth > MAX_DEPTH:
                raise UserError(f"{origin}:{line}: nested more than {MAX_DEPTH} levels deep: make it flatter.")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1


class _PlainDataBuilder:
    """Nodes into plain data, with the line of every value. Recursion is bounded by MAX_DEPTH."""

    def __init__(self, origin: str) -> None:
        self._constructor = yaml.constructor.SafeConstructor()
        self.origin = origin
        self.lines: dict[KeyPath, int] = {}
        self.mistakes: list[tuple[int, str]] = []

    def build(self, node: yaml.Node, path: KeyPath) -> object:
        """The plain value of a node."""
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.MappingNode):
            return dict(self._pairs(node, path))
        if isinstance(node, yaml.SequenceNode):
            return [self.build(each, (*path, number)) for number, each in enumerate(node.value)]
        return self._scalar(node)

    def _pairs(self, node: yaml.MappingNode, path: KeyPath) -> Iterator[tuple[Any, object]]:
        seen: set[object] = set()
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self._scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, (str, int)):
                self.mistakes.append((line, "a key must be a word or a whole number."))
                continue
            if key in seen:
                self.mistakes.append((line, f"the key {key!r} occurs twice."))
            seen.add(key)
            self.lines[(*path, key)] = line
            yield key, self.build(value_node, (*path, key))

    def _scalar(self, node: yaml.Node) -> object:
        if node.tag.endswith((":timestamp", ":binary")):
            return node.value
        try:
            return self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            self.mistakes.append(
                (node.start_mark.line + 1, f"{node.value[:40]!r} cannot be read ({type(error).__name__}).")
            )
            return None


_TYPE_MESSAGES = {
    "tuple_type": "should be a list",
    "model_type": "should be keys with values",
    "dict_type": "should be keys with values",
    "string_type": "should be text",
}
"""Pydantic's names for the shapes of Python, in words of YAML."""


def _error_sentence(model: type[BaseModel], error: Any) -> str:
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        known = _known_keys(model, error["loc"][:-1])
        hint = did_you_mean(str(error["loc"][-1]), known, f"known keys: {', '.join(known)}.")
        return f"unknown key {error['loc'][-1]!r}; {hint}"
    if error["type"] == "missing":
        return f"{name} is missing."
    message = _TYPE_MESSAGES.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    said = f"{name}: {message}" if name else message
    shown = repr(error.get("input"))
    return f"{said} (got {shown})." if len(shown) < 60 and name else f"{said}."


def _known_keys(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """The keys that the model allows at a path."""
    place: Any = model
    for part in path:
        if isinstance(part, int):
            continue
        fields = getattr(place, "model_fields", {})
        if part not in fields:
            return []
        place = _inner_model(fields[part].annotation)
    return sorted(getattr(place, "model_fields", {}))


def _inner_model(annotation: Any) -> Any:
    """The model inside `tuple[Model, ...]`, `Model | None` or `dict[str, Model]`."""
    waiting = [annotation]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, BaseModel):
            return each
        waiting.extend(get_args(each))
    return None
