"""What a bench is: something that turns a rubric and evidence into opinions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from auditor.domain import Abstention, Cost, Evidence, Opinion, Rubric, Scope


@dataclass(frozen=True)
class Hearing:
    """All that the judges said, and where they said nothing."""

    opinions: tuple[Opinion, ...]
    abstentions: tuple[Abstention, ...]
    cost: Cost = field(default_factory=Cost)


class Bench(Protocol):
    """Three personas that hear the same evidence and never each other."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    def hear(self, rubric: Rubric, evidence: tuple[Evidence, ...], scope: Scope, advice: Mapping[str, str]) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies.

        `advice` says for each probe what to try.
        """
        ...
