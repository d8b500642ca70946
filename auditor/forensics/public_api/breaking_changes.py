"""Ways in which a change breaks callers, whatever the language, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.domain import Location
from auditor.domain.english_lists import first_few

_NAMED = 4


class Kind(NamedTuple):
    """A way to break callers, in words: of one thing (with its name) and of several (with their number and names)."""

    one: str
    many: str


@dataclass(frozen=True)
class Break:
    """One thing that callers relied on and no longer can. `name` is shown as it is, marked as code where it is code."""

    kind: Kind
    name: str
    at: Location
    confidence: float
    because: str


def told(kind: Kind, names: Sequence[str]) -> str:
    """Breaks of one kind as a sentence without its full stop."""
    if len(names) == 1:
        return kind.one.format(names[0])
    return kind.many.format(len(names), first_few(names, _NAMED))


FUNCTION_GONE = Kind("The public function {} is gone", "{} public functions are gone: {}")
METHOD_GONE = Kind("The public method {} is gone", "{} public methods are gone: {}")
EXPORT_GONE = Kind("{} is no longer exported", "{} names are no longer exported: {}")
PARAMETER_GONE = Kind("A public function lost a parameter: {}", "{} public functions lost parameters: {}")
OPTION_GONE = Kind("A command no longer takes what it took: {}", "{} commands no longer take what they took: {}")
PARAMETER_RENAMED = Kind(
    "A parameter of a public function can no longer be passed by its name: {}",
    "Parameters of {} public functions can no longer be passed by their names: {}",
)
PARAMETER_ASKED = Kind(
    "A public function asks for a new parameter: {}", "{} public functions ask for new parameters: {}"
)
PARAMETER_NEEDED = Kind(
    "A parameter that could be left out must now be given: {}",
    "{} public functions must be given a parameter that could be left out: {}",
)
REORDERED = Kind(
    "The parameters of the public function {} changed their order",
    "The parameters of {} public functions changed their order: {}",
)
RESULT = Kind("{} gives something of another type back", "{} public functions give something of another type back: {}")
PASSED = Kind("A parameter of {} takes less than before", "Parameters of {} public functions take less than before: {}")
INTERNAL = "it may have been meant for the project itself"
"""Why a break is in doubt that nothing else speaks against."""
UNSERVED = Kind("The package no longer serves what {} offers", "{} files are no longer served by their package: {}")
