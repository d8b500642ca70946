"""How much a hunk matters when not all fit into a prompt: product before tests, then what its changed lines do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import Field

from auditor.domain import ExhibitLine
from auditor.domain.frozen_model import Frozen
from auditor.forensics.sensitive_words.line_words import words_of
from auditor.forensics.source_text.file_roles import Role, is_example, role
from auditor.row_tables import Row, Source, read_table

_ROLES = {Role.PRODUCT: 40, Role.WORKFLOW: 30, Role.CONFIGURATION: 20, Role.TEST: 10}
_EXAMPLE = 8
_SENSITIVE = 4
"""What a hunk counts more with a line that does something sensitive."""
_MAX_LINE = 400
"""Characters of a line that are looked at."""


class _Group(Row):
    group: str
    weight: int = Field(ge=1)
    patterns: tuple[str, ...] = Field(min_length=1)
    source: Source


class _Table(Frozen):
    groups: tuple[_Group, ...]


@cache
def _groups() -> tuple[tuple[int, tuple[re.Pattern[str], ...]], ...]:
    """What a group counts, and its patterns."""
    rows = read_table(Path(__file__).with_name("risk_words.yaml"), _Table).groups
    return tuple((row.weight, tuple(map(re.compile, row.patterns))) for row in rows)


def risk(path: str, changed: Sequence[ExhibitLine], *, is_public: bool, is_tested: bool) -> int:
    """A number that is higher for what should be read first. Comparable within one change only."""
    base = _EXAMPLE if is_example(path) else _ROLES.get(role(path), 0)
    texts = [each.text[:_MAX_LINE] for each in changed]
    words = sum(
        weight for weight, patterns in _groups() if any(pattern.search(text) for text in texts for pattern in patterns)
    )
    sensitive = words_of(path)
    words += _SENSITIVE if any(sensitive.hits(text) for text in texts) else 0
    return base + words + (2 if is_public else 0) + (0 if is_tested else 2)
