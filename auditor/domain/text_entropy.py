"""The entropy of a text, which distinguishes a random value from one that a person typed."""

from __future__ import annotations

import math
from collections import Counter

ENTROPY_THRESHOLD = 3.0
"""Bits per character from which a value looks machine-made; English words lie near 2.5."""


def entropy(text: str) -> float:
    """Shannon's entropy of the characters, in bits a character; 0 for no text."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())
