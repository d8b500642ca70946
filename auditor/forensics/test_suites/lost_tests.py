"""What a change takes from the tests, whatever language they are written in."""

from __future__ import annotations

from dataclasses import dataclass, fields

from auditor.domain import CodeLocation

Locations = tuple[CodeLocation, ...]


@dataclass(frozen=True)
class LostTests:
    """The locations of lost tests by how they are lost. `before` counts all tests at the base in the files read."""

    before: int = 0
    gone: Locations = ()
    along: Locations = ()
    """Removed with the code that they name."""
    renamed: Locations = ()
    """Gone, while as many came under other names in the same file."""
    skipped: Locations = ()
    conditional: Locations = ()
    alone: Locations = ()
    """They newly keep the others of their file from running."""
    weakened: Locations = ()
    files: Locations = ()
    """Deleted files of which not every test is known."""
    left_out: Locations = ()
    """Settings and commands that deselect tests."""

    def __add__(self, other: LostTests) -> LostTests:
        return LostTests(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))
