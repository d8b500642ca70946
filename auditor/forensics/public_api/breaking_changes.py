"""Ways in which a change breaks callers, whatever the language, and how they are reported."""

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


FUNCTION_REMOVED = BreakKind("Public function {} was removed", "{} public functions were removed: {}")
METHOD_REMOVED = BreakKind("Public method {} was removed", "{} public methods were removed: {}")
EXPORT_REMOVED = BreakKind("{} is no longer exported", "{} names are no longer exported: {}")
PARAMETER_REMOVED = BreakKind("Public function lost a parameter: {}", "{} public functions lost parameters: {}")
OPTION_REMOVED = BreakKind("Command lost an option or argument: {}", "{} commands lost options or arguments: {}")
PARAMETER_RENAMED = BreakKind(
    "Parameter of a public function was renamed: {}",
    "Parameters of {} public functions were renamed: {}",
)
PARAMETER_ADDED = BreakKind(
    "Public function gained a required parameter: {}", "{} public functions gained required parameters: {}"
)
PARAMETER_REQUIRED = BreakKind(
    "Optional parameter became required: {}",
    "Optional parameters of {} public functions became required: {}",
)
PARAMETERS_REORDERED = BreakKind(
    "Parameters of the public function {} were reordered",
    "Parameters of {} public functions were reordered: {}",
)
RESULT_TYPE_CHANGED = BreakKind("Return type of {} changed", "Return type changed in {} public functions: {}")
PARAMETER_TYPE_NARROWED = BreakKind(
    "Parameter type of {} was narrowed", "Parameter types of {} public functions were narrowed: {}"
)
INTERNAL_REASON = "it may be internal to the project"
"""Why a break is in doubt that nothing else speaks against."""
FILE_UNEXPOSED = BreakKind("The package no longer exports {}", "{} files are no longer exported by their package: {}")
