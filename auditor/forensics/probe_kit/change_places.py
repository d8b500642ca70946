"""Where a change touches files, and under which names."""

from __future__ import annotations

from auditor.domain import FileChange, Location, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location


def change_paths(file: FileChange) -> frozenset[str]:
    """The paths of a file on both sides."""
    return frozenset(entry.path for entry in (file.base, file.head) if entry is not None)


def change_places(files: list[FileChange]) -> list[Location]:
    """Files as places: at the head, or at the base where they are gone."""
    return [code_location(file.path, side=Side.HEAD if file.head else Side.BASE) for file in files]
