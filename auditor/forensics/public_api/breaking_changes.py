"""Ways in which a change breaks callers, whatever the language, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.domain import Location
from auditor.domain.english_lists import first_few

_MAX_NAMES = 4


class BreakKind(NamedTuple):
    """A way to break callers, as sentences about one thing (with its name) and about several (with count and names)."""

    one: str
    many: str


@dataclass(frozen=True)
class BreakingChange:
    """Something that callers relied on and that is gone. `name` is shown as it is, as code where it is code."""

    kind: BreakKind
    name: str
    at: Location
    confidence: float
    because: str


def describe_breaks(kind: BreakKind, names: Sequence[str]) -> str:
    """Breaking changes of one kind as a sentence without its full stop."""
    if len(names) == 1:
        return kind.one.format(names[0])
    return kind.many.format(len(names), first_few(names, _MAX_NAMES))


FUNCTION_REMOVED = BreakKind("The public function {} is gone", "{} public functions are gone: {}")
METHOD_REMOVED = BreakKind("The public method {} is gone", "{} public methods are gone: {}")
EXPORT_REMOVED = BreakKind("{} is no longer exported", "{} names are no longer exported: {}")
PARAMETER_REMOVED = BreakKind("A public function lost a parameter: {}", "{} public functions lost parameters: {}")
OPTION_REMOVED = BreakKind(
    "A command no longer takes what it took: {}", "{} commands no longer take what they took: {}"
)
PARAMETER_RENAMED = BreakKind(
    "A parameter of a public function can no longer be passed by its name: {}",
    "Parameters of {} public functions can no longer be passed by their names: {}",
)
PARAMETER_ADDED = BreakKind(
    "A public function asks for a new parameter: {}", "{} public functions ask for new parameters: {}"
)
PARAMETER_REQUIRED = BreakKind(
    "A parameter that could be left out must now be given: {}",
    "{} public functions must be given a parameter that could be left out: {}",
)
PARAMETERS_REORDERED = BreakKind(
    "The parameters of the public function {} changed their order",
    "The parameters of {} public functions changed their order: {}",
)
RESULT_TYPE_CHANGED = BreakKind(
    "{} gives something of another type back", "{} public functions give something of another type back: {}"
)
PARAMETER_TYPE_NARROWED = BreakKind(
    "A parameter of {} takes less than before", "Parameters of {} public functions take less than before: {}"
)
INTERNAL_REASON = "it may have been meant for the project itself"
"""Why a break is in doubt that nothing else speaks against."""
FILE_UNEXPOSED = BreakKind(
    "The package no longer serves what {} offers", "{} files are no longer served by their package: {}"
)
