"""YAML into closed models, every mistake at once and each with its line.

Only plain data is read: no tags, no anchors, no merge keys, no key twice. Size and depth are bounded
before anything is built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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
        lines: dict[KeyPath, int] = {}
        node = _single_node(self._text, self.origin)
        if node is not None:
            _gather_lines(node, (), lines)
        return lines


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


def is_about_depth(error: yaml.MarkedYAMLError) -> bool:
    """Does the parser refuse a text for its depth? PyYAML 6.0.4 and later have a limit of their own, far above ours."""
    return "nesting depth" in (error.problem or "")


def _too_deep(origin: str, line: int) -> UserError:
    return UserError(f"{origin}:{line}: nested more than {MAX_DEPTH} levels deep: make it flatter.")


def _listed(origin: str, mistakes: Iterable[tuple[int, str]]) -> str:
    return "\n".join(f"{origin}:{line}: {sentence}" for line, sentence in sorted(mistakes))


def parse_plain(text: str | bytes, origin: str) -> tuple[object, Lines]:
    """The plain data of a YAML text, and the lines of its values. Raises UserError listing every mistake."""
    if len(text) > MAX_BYTES:
        raise UserError(f"{origin}: larger than {MAX_BYTES:,} bytes: make it smaller.")
    builder = _PlainDataBuilder()
    try:
        node = _single_node(text, origin)
        data = {} if node is None else builder.build(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        if is_about_depth(error):
            raise _too_deep(origin, line) from error
        raise UserError(f"{origin}:{line}: not valid YAML ({error.problem}).") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{origin}: not valid YAML in UTF-8.") from error
    if builder.mistakes:
        raise UserError(_listed(origin, builder.mistakes))
    return data, Lines(origin, text)


_ANCHOR = re.compile(r"(?:^|[\s\[{,:?-])&[\w-]")
"""What every anchor begins like; other things may as well."""
_ANCHOR_BYTES = re.compile(_ANCHOR.pattern.encode("ascii") + rb"|^(?:\xff\xfe|\xfe\xff)")
"""The same in UTF-8; in UTF-16 anything may be one."""


class _Composer(_Loader):  # type: ignore[misc]  # one of two loaders
    """Nodes of a text, with nothing in them that is not plain data. In place of its tag, a node says whether it was written plainly."""

    def __init__(self, text: str | bytes, origin: str) -> None:
        super().__init__(text)
        self._origin = origin
        self._depth = 0

    def resolve(self, _kind: Any, _value: Any, implicit: Any) -> Any:
        return implicit

    def descend_resolver(self, current_node: Any, _index: Any) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH + 1:  # the deepest level holds scalars
            raise _too_deep(self._origin, _line(current_node))

    def ascend_resolver(self) -> None:
        self._depth -= 1


def _single_node(text: str | bytes, origin: str) -> yaml.Node | None:
    """The node of a text, None where it is empty."""
    if _ANCHOR.search(text) if isinstance(text, str) else _ANCHOR_BYTES.search(text):
        _refuse_anchors(text, origin)
    composer = _Composer(text, origin)
    try:
        node: yaml.Node | None = composer.get_single_node()
    finally:
        composer.dispose()
    return node


def _refuse_anchors(text: str | bytes, origin: str) -> None:
    """A node does not say whether it is an anchor, of which an alias makes two."""
    for event in yaml.parse(text, Loader=_Loader):
        if getattr(event, "anchor", None):
            raise UserError(f"{origin}:{_line(event)}: anchors and aliases are not supported: write out the value.")


def _line(node: Any) -> int:
    return node.start_mark.line + 1 if node is not None and node.start_mark else 1


def _gather_lines(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int]) -> None:
    """The line of each value: that of its key, where it has one."""
    lines.setdefault(path, _line(node))
    if isinstance(node, yaml.MappingNode):
        builder = _PlainDataBuilder()
        for key_node, value in node.value:
            key: Any = builder.build(key_node)
            place = (*path, key if isinstance(key, (str, int)) else "")
            lines[place] = _line(key_node)
            _gather_lines(value, place, lines)
    elif isinstance(node, yaml.SequenceNode):
        for number, each in enumerate(node.value):
            _gather_lines(each, (*path, number), lines)


class _PlainDataBuilder:
    """Nodes into plain data. Recursion is bounded by MAX_DEPTH."""

    def __init__(self) -> None:
        self._constructor = yaml.constructor.SafeConstructor()
        self._resolver: Any = yaml.resolver.Resolver()
        self._looked_at = self._resolver.yaml_implicit_resolvers
        self.mistakes: list[tuple[int, str]] = []

    def build(self, node: Any) -> object:
        """The plain value of a node."""
        if type(node.tag) is str:
            self.mistakes.append((_line(node), f"the tag {node.tag!r} is not supported: write plain values."))
            return None
        kind = type(node)
        if kind is yaml.ScalarNode:
            return self._scalar(node)
        if kind is yaml.MappingNode:
            return self._mapping(node)
        return [self.build(each) for each in node.value]

    def _mapping(self, node: Any) -> dict[Any, object]:
        pairs: dict[Any, object] = {}
        for key_node, value in node.value:
            key = self.build(key_node)
            if not isinstance(key, (str, int)):
                self.mistakes.append((_line(key_node), "a key must be a word or a whole number."))
                continue
            if key in pairs:
                self.mistakes.append((_line(key_node), f"the key {key!r} is set twice."))
            pairs[key] = self.build(value)
        return pairs

    def _scalar(self, node: Any) -> object:
        value: str = node.value
        if value[:1] not in self._looked_at or not node.tag[0]:
            return value  # quoted, or nothing but text begins so
        tag = self._resolver.resolve(yaml.ScalarNode, value, (True, False))
        if tag == _TEXT_TAG or tag.endswith((":timestamp", ":binary")):
            return value
        try:
            return self._constructor.construct_object(yaml.ScalarNode(tag, value, node.start_mark, node.end_mark))
        except (yaml.YAMLError, ValueError) as error:
            self.mistakes.append((_line(node), f"{value[:40]!r} cannot be read ({type(error).__name__})."))
            return None


_TEXT_TAG = "tag:yaml.org,2002:str"


_TYPE_MESSAGES = {
    "tuple_type": "should be a list",
    "model_type": "should be keys with values",
    "dict_type": "should be keys with values",
    "string_type": "should be text",
}
"""Pydantic's names for the shapes of Python, in words of YAML."""


def error_sentence(model: type[BaseModel], error: Any, unnamed: int = 0) -> str:
    """What is wrong with a value, of an error of pydantic about a model. So many parts of its path are left to the line to say."""
    name = ".".join(str(part) for part in error["loc"][unnamed:])
    if error["type"] == "extra_forbidden":
        known = _known_keys(model, error["loc"][:-1])
        hint = did_you_mean(str(error["loc"][-1]), known, f"known keys: {', '.join(known)}.")
        return f"unknown key {error['loc'][-1]!r}; {hint}"
    if error["type"] == "missing":
        return f"{name} is missing."
    message = _TYPE_MESSAGES.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    if error["type"] == "string_pattern_mismatch":
        message = _example_phrase(model, error["loc"]) or message
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


def _example_phrase(model: type[BaseModel], path: Sequence[str | int]) -> str:
    """What a text must look like, by the example of its field; empty where it has none."""
    place: Any = model
    field = None
    for part in path:
        if isinstance(part, str):
            field = _fields_by_key(place).get(part)
            place = _inner_model(field.annotation) if field is not None else None
    return f"must look like {field.examples[0]}" if field is not None and field.examples else ""


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
