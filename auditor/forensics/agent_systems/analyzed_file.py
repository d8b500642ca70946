"""A file of the audited head, as the analysis of an agent system takes it in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the repository, as text."""

    path: str
    text: str
