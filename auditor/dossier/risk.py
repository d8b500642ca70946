"""How much a hunk matters when not all fit into a prompt: product before tests, then what its changed lines do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from auditor.domain import ExhibitLine
from auditor.forensics.source_text.file_roles import Role, is_example, role

_ROLES = {Role.PRODUCT: 40, Role.WORKFLOW: 30, Role.CONFIGURATION: 20, Role.TEST: 10}
_EXAMPLE = 8
_MAX_LINE = 400
"""Characters of a line that are looked at."""


@dataclass(frozen=True)
class _Group:
    weight: int
    patterns: tuple[re.Pattern[str], ...]


@cache
def _groups() -> tuple[_Group, ...]:
    rows = yaml.safe_load((Path(__file__).parent / "risk_words.yaml").read_text(encoding="ascii"))
    return tuple(_Group(int(row["weight"]), tuple(re.compile(each) for each in row["patterns"])) for row in rows)


def risk(path: str, changed: Sequence[ExhibitLine], *, is_public: bool, is_tested: bool) -> int:
    """A number that is higher for what should be read first. Comparable within one change only."""
    base = _EXAMPLE if is_example(path) else _ROLES.get(role(path), 0)
    texts = [each.text[:_MAX_LINE] for each in changed]
    words = sum(
        group.weight for group in _groups() if any(pattern.search(text) for text in texts for pattern in group.patterns)
    )
    return base + words + (2 if is_public else 0) + (0 if is_tested else 2)
