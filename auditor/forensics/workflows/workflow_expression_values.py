"""Values of expressions in GitHub workflows, as far as they are known, and texts with gaps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.forensics.workflows.workflow_yaml import format_value

MAX_TEXT_LENGTH = 2_000
"""Length of a text with expressions, and of its results."""
MAX_VALUES = 16


class _UnknownValue:
    """A value that is only known at run time."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _UnknownValue()
UNKNOWN_TRUTHY: Final = _UnknownValue()
"""A value that is only known at run time, and counts as true: an unknown left side that `||` chose."""


@dataclass(frozen=True, slots=True)
class PartialText:
    """A text with gaps: the known parts, and something unknown between any two of them."""

    parts: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Has it no gap?"""
        return len(self.parts) == 1

    def __add__(self, other: PartialText) -> PartialText:
        return PartialText((*self.parts[:-1], self.parts[-1] + other.parts[0], *other.parts[1:]))


GAP: Final = PartialText(("", ""))
Value = str | float | bool | None | PartialText | _UnknownValue | list["Value"] | dict[str, "Value"]


class PartialContext(dict[str, Value]):
    """A context of which some values are known; what is not in it is unknown and not null."""


Context = Mapping[str, Value]
"""Values by the name of a context; what is not in it is unknown."""
PossibleValues = tuple[Value, ...]
"""All values that something may have."""


def value_as_text(value: Value) -> PartialText:
    """A value as it appears in a text."""
    if isinstance(value, PartialText):
        return value
    if isinstance(value, _UnknownValue):
        return GAP
    if isinstance(value, list | dict):
        return PartialText(("Array" if isinstance(value, list) else "Object",))
    return PartialText((format_value(value),))


def concatenate(pieces: Sequence[PartialText]) -> PartialText:
    """Texts one behind the other."""
    whole = PartialText(("",))
    for each in pieces:
        whole += each
    return whole


def normalize_gaps(text: PartialText) -> PartialText:
    """Adjacent gaps are merged, and a text that is too long becomes unknown."""
    first, *inner, last = text.parts if len(text.parts) > 1 else (*text.parts, "")
    if sum(map(len, text.parts)) > MAX_TEXT_LENGTH:
        return GAP
    return text if text.is_known else PartialText((first, *filter(None, inner), last))


def unique_values(candidates: Iterable[Value]) -> PossibleValues:
    """The distinct values; just unknown where there are very many."""
    kept: list[Value] = []
    for each in candidates:
        if not any(type(each) is type(other) and each == other for other in kept):
            kept.append(each)
        if len(kept) > MAX_VALUES:
            return (UNKNOWN,)
    return tuple(kept)


def truth_value(value: Value) -> bool | None:
    """Whether a value counts as true; None when that is unknown."""
    if isinstance(value, _UnknownValue):
        return True if value is UNKNOWN_TRUTHY else None
    if isinstance(value, PartialText):
        return True if any(value.parts) else None
    if isinstance(value, list | dict):
        return True
    return bool(value) and value == value  # NaN is false  # noqa: PLR0124


def loosely_equal(one: Value, other: Value) -> bool | None:
    """Loose equality: case does not matter, and values of two kinds are compared as numbers. None when unknown."""
    if isinstance(one, _UnknownValue | PartialText) or isinstance(other, _UnknownValue | PartialText):
        return None
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return None
    if isinstance(one, str) and isinstance(other, str):
        return one.upper() == other.upper()
    numbers = _as_number(one), _as_number(other)
    return None if None in numbers else numbers[0] == numbers[1]


_DECIMAL = re.compile(r"\s*[-+]?[0-9]{1,300}(?:\.[0-9]{1,300})?\s*")
_NON_NUMERIC = re.compile(r"\s*(?!inf|nan)[A-Za-z]", re.IGNORECASE)


def _as_number(value: str | float | bool | None) -> float | None:
    """A value as a number; None for texts whose conversion by GitHub is not modelled."""
    if not isinstance(value, str):
        return float(value or 0)
    if not value or _DECIMAL.fullmatch(value):
        return float(value or 0)
    return math.nan if _NON_NUMERIC.match(value) else None


def child_value(value: Value, key: Value) -> Value:
    """The value at a key (ignoring case) or an index of a value; null where there is none."""
    if isinstance(value, PartialContext):
        return value.get(key.casefold(), UNKNOWN) if isinstance(key, str) else UNKNOWN
    if isinstance(value, dict) and isinstance(key, str):
        return next((each for name, each in value.items() if name.casefold() == key.casefold()), None)
    if isinstance(value, list) and isinstance(key, float):
        return value[int(key)] if 0 <= key < len(value) else None
    known = not isinstance(value, _UnknownValue | list | dict)
    return None if known else UNKNOWN
