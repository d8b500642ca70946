"""Ways in which a change breaks callers, whatever the language, and how they are reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.domain import Location
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt

_MAX_NAMES = 4


class BreakKind(NamedTuple):
    """A way to break callers, as sentences about one thing (with its name) and about several (with count and names)."""

    one: str
    many: str
    follow_up: str = ""
    """What to do, behind the sentence about one."""


@dataclass(frozen=True)
class BreakingChange:
    """Something that callers relied on and that is gone. `name` is shown as it is, as code where it is code."""

    kind: BreakKind
    name: str
    at: Location
    confidence: float
    because: str
    difference: str = ""
    """What it was and what it is now, to go behind the sentence about one: ` from ... to ...`."""


def describe_breaks(changes: Sequence[BreakingChange]) -> str:
    """Breaking changes of one kind as a sentence without its full stop."""
    kind = changes[0].kind
    if len(changes) == 1:
        return f"{kind.one.format(changes[0].name)}{changes[0].difference}{kind.follow_up}"
    return kind.many.format(len(changes), first_few([each.name for each in changes], _MAX_NAMES))


def type_difference(before: str, now: str) -> str:
    """The difference of two written types; empty where their first 60 characters do not show it."""
    was, gives = code_excerpt(before), code_excerpt(now)
    if not gives or was == gives:
        return ""
    return f" from `{was}` to `{gives}`" if was else f" to `{gives}`"


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
RESULT_TYPE_CHANGED = BreakKind(
    "Return type of {} changed",
    "Return type changed in {} public functions, whose callers must be checked: {}",
    "; check its callers",
)
PARAMETER_TYPE_NARROWED = BreakKind(
    "Parameter type of {} was narrowed", "Parameter types of {} public functions were narrowed: {}"
)
INTERNAL_REASON = "it may be internal to the project"
"""Why a break is in doubt that nothing else speaks against."""
FILE_UNEXPOSED = BreakKind("The package no longer exports {}", "{} files are no longer exported by their package: {}")
