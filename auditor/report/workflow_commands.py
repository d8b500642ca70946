"""Notes on lines as workflow commands, the last rung where no check run can be written. Text only: a publisher prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from auditor.domain import Annotation, AnnotationLevel
from auditor.report.escaping import for_command_message, for_command_property

PER_LEVEL = 10
"""GitHub shows so many errors, warnings and notices of a step each, and drops the rest without a word."""
_COMMANDS = {
    AnnotationLevel.FAILURE: "error",
    AnnotationLevel.WARNING: "warning",
    AnnotationLevel.NOTICE: "notice",
}


def commands(annotations: Iterable[Annotation], per_level: int = PER_LEVEL) -> tuple[str, ...]:
    """One line each, in the order given, at most `per_level` of a level."""
    return tuple(_limit_per_level(annotations, per_level))


def _limit_per_level(annotations: Iterable[Annotation], per_level: int) -> Iterator[str]:
    spent: Counter[AnnotationLevel] = Counter()
    for each in annotations:
        spent[each.level] += 1
        if spent[each.level] <= per_level:
            yield _command(each)


def _command(annotation: Annotation) -> str:
    properties = {
        "file": annotation.path,
        "line": str(annotation.start_line),
        "endLine": str(annotation.end_line),
        "title": annotation.title,
    }
    told = ",".join(f"{name}={for_command_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[annotation.level]} {told}::{for_command_message(annotation.message)}"
