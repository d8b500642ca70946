"""How sure a finding is, in one word of three."""

from __future__ import annotations

from enum import StrEnum

LIKELY_FROM = 0.6
"""The lowest confidence of what is likely; below it a finding is only possible."""


class Certainty(StrEnum):
    """How sure a finding is. `confirmed` is the usual case and is not printed."""

    CONFIRMED = "confirmed"
    LIKELY = "likely"
    POSSIBLE = "possible"


def certainty_of(confidence: float, confirmed_from: float) -> Certainty:
    """The word for a confidence from 0 to 1. `confirmed_from` is the rubric's threshold."""
    if confidence >= confirmed_from:
        return Certainty.CONFIRMED
    return Certainty.LIKELY if confidence >= LIKELY_FROM else Certainty.POSSIBLE


_MEANINGS = {
    Certainty.LIKELY: "probably right, but check the code before you change it",
    Certainty.POSSIBLE: "may be a false positive",
}


def meaning_of(certainty: Certainty) -> str:
    """What the word means for a reader, a clause without a full stop; empty where the finding is confirmed."""
    return _MEANINGS.get(certainty, "")
