"""Texts of descriptions that have to be in the grammar of their language: kinds of nodes, and fields."""

from __future__ import annotations

from enum import Enum
from typing import Annotated


class GrammarName(Enum):
    """What a text has to be in the grammar of its language."""

    NODE_KIND = "node kind"
    FIELD = "field"


Kind = Annotated[str, GrammarName.NODE_KIND]
NodeField = Annotated[str, GrammarName.FIELD]
