"""Values of expressions in GitHub workflows, as far as they are known, and texts with gaps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.forensics.workflows.workflow_yaml import shown

MAX_CHARACTERS = 2_000
"""Of a text with expressions, and of what it becomes."""
MAX_VALUES = 16


class _Unknown:
    """What is only known at run time."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
TRUTHY: Final = _Unknown()
"""Something that is only known at run time, and counts as true: an unknown left side that `||` chose."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text with gaps: the parts that are known, and between any two of them something that is not."""

    parts: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Has it no gap?"""
        return len(self.parts) == 1

    def __add__(self, other: Template) -> Template:
        return Template((*self.parts[:-1], self.parts[-1] + other.parts[0], *other.parts[1:]))


GAP: Final = Template(("", ""))
Value = str | float | bool | None | Template | _Unknown | list["Value"] | dict[str, "Value"]


class Partial(dict[str, Value]):
    """A context of which some values are known; what is not in it is unknown and not null."""


Context = Mapping[str, Value]
"""Values by the name of a context; what is not in it is unknown."""
Values = tuple[Value, ...]
"""All that something may be."""


def text(of: Value) -> Template:
    """A value as it stands in a text."""
    if isinstance(of, Template):
        return of
    if isinstance(of, _Unknown):
        return GAP
    if isinstance(of, list | dict):
        return Template(("Array" if isinstance(of, list) else "Object",))
    return Template((shown(of),))


def joined(pieces: Sequence[Template]) -> Template:
    """Texts one behind the other."""
    whole = Template(("",))
    for each in pieces:
        whole += each
    return whole


def shortened(of: Template) -> Template:
    """Two gaps side by side are one, and what has grown too long is unknown."""
    first, *inner, last = of.parts if len(of.parts) > 1 else (*of.parts, "")
    if sum(map(len, of.parts)) > MAX_CHARACTERS:
        return GAP
    return of if of.is_known else Template((first, *filter(None, inner), last))


def bounded(found: Iterable[Value]) -> Values:
    """Without what is there twice; of very many nothing is known."""
    kept: list[Value] = []
    for each in found:
        if not any(type(each) is type(other) and each == other for other in kept):
            kept.append(each)
        if len(kept) > MAX_VALUES:
            return (UNKNOWN,)
    return tuple(kept)


def truth(of: Value) -> bool | None:
    """Whether a value counts as true; None when that is unknown."""
    if isinstance(of, _Unknown):
        return True if of is TRUTHY else None
    if isinstance(of, Template):
        return True if any(of.parts) else None
    if isinstance(of, list | dict):
        return True
    return bool(of) and of == of  # NaN is false  # noqa: PLR0124


def equal(one: Value, other: Value) -> bool | None:
    """Loose equality: case does not matter, and values of two kinds are compared as numbers. None when unknown."""
    if isinstance(one, _Unknown | Template) or isinstance(other, _Unknown | Template):
        return None
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return None
    if isinstance(one, str) and isinstance(other, str):
        return one.upper() == other.upper()
    numbers = _number(one), _number(other)
    return None if None in numbers else numbers[0] == numbers[1]


_DECIMAL = re.compile(r"\s*[-+]?[0-9]{1,300}(?:\.[0-9]{1,300})?\s*")
_NO_NUMBER = re.compile(r"\s*(?!inf|nan)[A-Za-z]", re.IGNORECASE)


def _number(of: str | float | bool | None) -> float | None:
    """A value as a number; None for texts that GitHub may read as one in ways that are not followed here."""
    if not isinstance(of, str):
        return float(of or 0)
    if not of or _DECIMAL.fullmatch(of):
        return float(of or 0)
    return math.nan if _NO_NUMBER.match(of) else None


def below(of: Value, key: Value) -> Value:
    """What is at a key or an index of a value; no key tells capital letters apart, and what is not there is null."""
    if isinstance(of, Partial):
        return of.get(key.casefold(), UNKNOWN) if isinstance(key, str) else UNKNOWN
    if isinstance(of, dict) and isinstance(key, str):
        return next((each for name, each in of.items() if name.casefold() == key.casefold()), None)
    if isinstance(of, list) and isinstance(key, float):
        return of[int(key)] if 0 <= key < len(of) else None
    known = not isinstance(of, _Unknown | list | dict)
    return None if known else UNKNOWN
