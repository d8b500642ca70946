"""The value of an expression that is not known from the code."""

from __future__ import annotations


class Unknown:
    """The value of an expression that cannot be determined from the code."""


UNKNOWN = Unknown()
