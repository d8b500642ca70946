"""One budget for a run of paid units, reserved before a unit starts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class RunBudget:
    """US dollars of one run. `per_unit` is the most that a unit may spend; 0 for units that cost nothing."""

    total: float
    per_unit: float
    spent: float = 0.0
    reserved: float = 0.0

    @property
    def is_paid(self) -> bool:
        """Do units cost anything?"""
        return self.per_unit > 0

    def reserve(self) -> bool:
        """Set aside what one unit may spend; False when that is not left, and nothing is set aside."""
        if self.spent + self.reserved + self.per_unit > self.total + 1e-9 and self.is_paid:
            return False
        self.reserved += self.per_unit
        return True

    def settle(self, usd: float | None) -> None:
        """A unit has ended and cost so much; None when it ended without saying, which counts as all it might have spent."""
        self.reserved -= self.per_unit
        self.spent += self.per_unit if usd is None else usd
