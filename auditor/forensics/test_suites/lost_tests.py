"""What a change takes from the tests, whatever language they are written in."""

from __future__ import annotations

from dataclasses import dataclass, fields

from auditor.domain import CodeLocation

Places = tuple[CodeLocation, ...]


@dataclass(frozen=True)
class Lost:
    """The places of tests, by the way in which they are lost. `before` counts all tests there were in the files read."""

    before: int = 0
    gone: Places = ()
    along: Places = ()
    """Gone with the code that they name."""
    renamed: Places = ()
    """Gone, while as many came under other names in the same file."""
    skipped: Places = ()
    conditional: Places = ()
    alone: Places = ()
    """They newly keep the others of their file from running."""
    weakened: Places = ()
    files: Places = ()
    """Deleted files of which not every test is known."""
    left_out: Places = ()
    """Settings and commands that leave tests out."""

    def __add__(self, other: Lost) -> Lost:
        return Lost(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))
