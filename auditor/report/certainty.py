"""How sure a finding is, in one word of three."""

from __future__ import annotations

from collections.abc import Iterable
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
    Certainty.LIKELY: "likely: probably right, but check the code before you change it",
    Certainty.POSSIBLE: "possible: may be a false positive",
}


def certainty_legend(shown: Iterable[Certainty]) -> str:
    """What the words in a list mean, for those that are there; empty where everything is confirmed."""
    there = set(shown)
    return "; ".join(meaning for word, meaning in _MEANINGS.items() if word in there)
