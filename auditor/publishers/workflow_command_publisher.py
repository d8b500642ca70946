"""Annotations as workflow commands on the standard output, where a check run cannot carry them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import IO

from auditor.domain import Annotation, AnnotationLevel
from auditor.report.escaping import for_command_message, for_command_property

MAX_PER_LEVEL = 10
"""GitHub shows ten errors and ten warnings a step, and drops the rest without a word."""
_COMMAND_BY_LEVEL = {
    AnnotationLevel.FAILURE: "error",
    AnnotationLevel.WARNING: "warning",
    AnnotationLevel.NOTICE: "notice",
}


def write(stream: IO[str], annotations: Iterable[Annotation]) -> int:
    """Print the annotations in their order, ten a level; how many were left out. Raises OSError."""
    printed: Counter[AnnotationLevel] = Counter()
    left = 0
    for each in annotations:
        if printed[each.level] >= MAX_PER_LEVEL:
            left += 1
            continue
        printed[each.level] += 1
        stream.write(f"{_command(each)}\n")
    stream.flush()
    return left


def _command(annotation: Annotation) -> str:
    properties = {
        "file": annotation.path,
        "line": str(annotation.start_line),
        "endLine": str(annotation.end_line),
        "title": annotation.title,
    }
    listed = ",".join(f"{name}={for_command_property(value)}" for name, value in properties.items() if value)
    return f"::{_COMMAND_BY_LEVEL[annotation.level]} {listed}::{for_command_message(annotation.message)}"
