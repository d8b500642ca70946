"""What a defect leads to, how often, and how bad that is."""

from __future__ import annotations

from enum import StrEnum


class ConsequenceKind(StrEnum):
    """What goes wrong when the trigger occurs."""

    CRASH = "crash"
    WRONG_RESULT = "wrong_result"
    DATA_LOSS = "data_loss"
    SECURITY = "security"
    LEAK = "leak"
    SLOW = "slow"
    COSMETIC = "cosmetic"


class Reach(StrEnum):
    """How many uses of the code are affected."""

    EVERY_USE = "every_use"
    SOME_INPUT = "some_input"
    RARE = "rare"


class Severity(StrEnum):
    """How bad a broken expectation is. `high` and `critical` are severe."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for low up to 3 for critical."""
        return _RANKS[self]

    @property
    def is_severe(self) -> bool:
        """Is it high or critical?"""
        return self.rank >= Severity.HIGH.rank


_RANKS = {each: number for number, each in enumerate(Severity)}
