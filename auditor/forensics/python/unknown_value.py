"""The value of an expression that the code does not tell."""

from __future__ import annotations


class Unknown:
    """The value of an expression that cannot be told from the code."""


UNKNOWN = Unknown()
