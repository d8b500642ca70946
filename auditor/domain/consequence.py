"""What a defect leads to, and how often."""

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
