"""YAML into closed models, every mistake at once and each with its line.

Only plain data is read: no tags, no anchors, no merge keys, no key twice. Size and depth are bounded
before anything is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
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
    """The line of every value of a YAML text. They are looked for when one is first asked for: few files have mistakes."""

    def __init__(self, origin: str, text: str | bytes = "") -> None:
        self.origin = origin
        self._text = text

    def mistake(self, path: Sequence[str | int], sentence: str) -> str:
        """A sentence about a value, as `origin:line: sentence`."""
        return f"{self.origin}:{self.of(path)}: {sentence}"

    def of(self, path: Sequence[str | int]) -> int:
        """The line of a value, or of the nearest thing around it."""
        place = tuple(path)
        while place and place not in self._found:
            place = place[:-1]
        return self._found.get(place, 1)

    @cached_property
    def _found(self) -> dict[KeyPath, int]:
        builder = _PlainDataBuilder(_single_document(self._text, self.origin), {})
        builder.build_document()
        return builder.lines or {}


def parse(model: type[Model], text: str | bytes, origin: str, check: Check = lambda _data: ()) -> Model:
    """The model that a YAML text describes. Raises UserError listing every mistake as `origin:line: sentence`."""
    return parse_with_lines(model, text, origin, check)[0]


def parse_with_lines(
    model: type[Model], text: str | bytes, origin: str, check: Check = lambda _data: ()
) -> tuple[Model, Lines]:
    """The same with the lines of all values, for mistakes that are only found later."""
    data, lines = parse_plain(text, origin)
    mistakes = {(lines.of(path), sentence) for path, sentence in check(data)}
    try:
        parsed = model.model_validate(data)
    except ValidationError as error:
        mistakes |= {(lines.of(each["loc"]), error_sentence(model, each)) for each in error.errors()}
        raise UserError(_listed(origin, mistakes)) from error
    if mistakes:
        raise UserError(_listed(origin, mistakes))
    return parsed, lines


def _listed(origin: str, mistakes: Iterable[tuple[int, str]]) -> str:
    return "\n".join(f"{origin}:{line}: {sentence}" for line, sentence in sorted(mistakes))


def parse_plain(text: str | bytes, origin: str) -> tuple[object, Lines]:
    """The plain data of a YAML text, and the lines of its values. Raises UserError listing every mistake."""
    if len(text) > MAX_BYTES:
        raise UserError(f"{origin}: larger than {MAX_BYTES:,} bytes: make it smaller.")
    builder = _PlainDataBuilder(_single_document(text, origin))
    try:
        data = builder.build_document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{origin}:{line}: not valid YAML ({error.problem}).") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{origin}: not valid YAML in UTF-8.") from error
    if builder.mistakes:
        raise UserError(_listed(origin, builder.mistakes))
    return data, Lines(origin, text)


def _single_document(text: str | bytes, origin: str) -> Iterator[Any]:
    """The events of the nodes of a text, with nothing in them that is not plain data."""
    depth = 0
    started = False
    for event in yaml.parse(text, Loader=_Loader):
        kind = type(event)
        if kind in _OPENING:
            depth += 1
            if depth > MAX_DEPTH:
                raise UserError(f"{origin}:{_line(event)}: nested more than {MAX_DEPTH} levels deep: make it flatter.")
        elif kind in _CLOSING:
            depth -= 1
        elif kind is yaml.DocumentStartEvent:
            if started:
                raise UserError(f"{origin}:{_line(event)}: not valid YAML (but found another document).")
            started = True
            continue
        elif kind is not yaml.ScalarEvent and kind is not yaml.AliasEvent:
            continue
        if kind is yaml.AliasEvent or getattr(event, "anchor", None):
            raise UserError(f"{origin}:{_line(event)}: anchors and aliases are not supported: write out the value.")
        if tag := getattr(event, "tag", None):
            raise UserError(f"{origin}:{_line(event)}: the tag {tag!r} is not supported: write plain values.")
        yield event


_OPENING = frozenset({yaml.MappingStartEvent, yaml.SequenceStartEvent})
_CLOSING = frozenset({yaml.MappingEndEvent, yaml.SequenceEndEvent})


def _line(event: Any) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


class _PlainDataBuilder:
    """Events into plain data in one pass, with the line of every value on demand. Recursion is bounded by MAX_DEPTH."""

    def __init__(self, events: Iterator[Any], lines: dict[KeyPath, int] | None = None) -> None:
        self._constructor = yaml.constructor.SafeConstructor()
        self._resolver: Any = yaml.resolver.Resolver()
        self._events = events
        self.lines = lines
        self.mistakes: list[tuple[int, str]] = []

    def build_document(self) -> object:
        """The plain value of the whole text; no keys where it is empty."""
        first = next(self._events, None)
        data = {} if first is None else self._build(first, ())
        for _ in self._events:
            pass  # whatever follows is read for its mistakes
        return data

    def _build(self, event: Any, path: KeyPath) -> object:
        if self.lines is not None:
            self.lines.setdefault(path, _line(event))
        kind = type(event)
        if kind is yaml.ScalarEvent:
            return self._scalar(event)
        if kind is yaml.MappingStartEvent:
            return self._mapping(path)
        return self._sequence(path)

    def _sequence(self, path: KeyPath) -> list[object]:
        values: list[object] = []
        for event in self._events:
            kind = type(event)
            if kind is yaml.ScalarEvent and self.lines is None:
                values.append(self._scalar(event))
            elif kind in _CLOSING:
                break
            else:
                values.append(self._build(event, (*path, len(values))))
        return values

    def _mapping(self, path: KeyPath) -> dict[Any, object]:
        pairs: dict[Any, object] = {}
        for event in self._events:
            kind = type(event)
            if kind in _CLOSING:
                break
            key = self._scalar(event) if kind is yaml.ScalarEvent else self._build(event, (*path, ""))
            if not isinstance(key, (str, int)):
                self.mistakes.append((_line(event), "a key must be a word or a whole number."))
                self._build(next(self._events), (*path, ""))
                continue
            if key in pairs:
                self.mistakes.append((_line(event), f"the key {key!r} is set twice."))
            place = (*path, key)
            if self.lines is not None:
                self.lines[place] = _line(event)
            pairs[key] = self._build(next(self._events), place)
        return pairs

    def _scalar(self, event: Any) -> object:
        value: str = event.value
        if not event.implicit[0] or value[:1] not in self._resolver.yaml_implicit_resolvers:
            return value  # quoted, or nothing but text begins so
        tag = self._resolver.resolve(yaml.ScalarNode, value, (True, False))
        if tag == _TEXT_TAG or tag.endswith((":timestamp", ":binary")):
            return value
        try:
            return self._constructor.construct_object(yaml.ScalarNode(tag, value, event.start_mark, event.end_mark))
        except (yaml.YAMLError, ValueError) as error:
            self.mistakes.append((_line(event), f"{value[:40]!r} cannot be read ({type(error).__name__})."))
            return None


_TEXT_TAG = "tag:yaml.org,2002:str"


_TYPE_MESSAGES = {
    "tuple_type": "should be a list",
    "model_type": "should be keys with values",
    "dict_type": "should be keys with values",
    "string_type": "should be text",
}
"""Pydantic's names for the shapes of Python, in words of YAML."""


def error_sentence(model: type[BaseModel], error: Any) -> str:
    """What is wrong with a value, of an error of pydantic about a model."""
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
        fields = _fields_by_key(place)
        if part not in fields:
            return []
        place = _inner_model(fields[part].annotation)
    return sorted(_fields_by_key(place))


def _fields_by_key(model: Any) -> dict[str, Any]:
    """The fields of a model by the keys that a text has for them."""
    return {each.alias or name: each for name, each in getattr(model, "model_fields", {}).items()}


def _inner_model(annotation: Any) -> Any:
    """The model inside `tuple[Model, ...]`, `Model | None` or `dict[str, Model]`."""
    waiting = [annotation]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, BaseModel):
            return each
        waiting.extend(get_args(each))
    return None
