"""Fitting a text to a limit: the same page with less and less on it, in steps that a reader can understand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from auditor.report.sensitive_summary import MAX_AREAS, MAX_PLACES


class EvidenceDetail(IntEnum):
    """How much of the evidence a page lists."""

    NONE = 0
    RELEVANT = 1
    ALL = 2


@dataclass(frozen=True)
class Detail:
    """How much a page shows."""

    first: int
    """Things to fix that are shown at once."""
    further: int
    """Things to fix that follow, folded."""
    words: int
    """Longest foreign text, in characters."""
    evidence: EvidenceDetail
    opinions: bool
    criteria: bool
    files: int
    """Files listed that were not read in full."""
    rows: int
    """Rows of the score table, and of every other list."""
    places: int = 3
    """Places of one piece of evidence."""
    pieces: int = 30
    """Pieces of evidence of one criterion."""
    areas: int = MAX_AREAS
    """Areas of sensitive lines."""
    area_places: int = MAX_PLACES
    """Places of one of them; 0 for their number alone, as addresses of places may be long."""
    requests: bool = False
    """Requests to models, one by one. What they took differs between runs of the same audit."""


DETAIL_STEPS = (
    Detail(
        first=5, further=45, words=2_000, evidence=EvidenceDetail.ALL, opinions=True, criteria=True, files=50, rows=100
    ),
    Detail(
        first=5,
        further=25,
        words=1_000,
        evidence=EvidenceDetail.RELEVANT,
        opinions=True,
        criteria=True,
        files=20,
        rows=100,
    ),
    Detail(
        first=5,
        further=15,
        words=500,
        evidence=EvidenceDetail.RELEVANT,
        opinions=True,
        criteria=True,
        files=10,
        rows=60,
    ),
    Detail(
        first=5, further=10, words=300, evidence=EvidenceDetail.NONE, opinions=True, criteria=True, files=5, rows=60
    ),
    Detail(
        first=5, further=5, words=300, evidence=EvidenceDetail.NONE, opinions=False, criteria=True, files=0, rows=60
    ),
    Detail(
        first=5, further=0, words=200, evidence=EvidenceDetail.NONE, opinions=False, criteria=False, files=0, rows=60
    ),
    Detail(
        first=2, further=0, words=80, evidence=EvidenceDetail.NONE, opinions=False, criteria=False, files=0, rows=40
    ),
    Detail(
        first=0,
        further=0,
        words=40,
        evidence=EvidenceDetail.NONE,
        opinions=False,
        criteria=False,
        files=0,
        rows=20,
        area_places=0,
    ),
)
"""From all there is down to verdict and scores. Without hostile texts the first two are enough for most changes."""


def fit_to_size(render: Callable[[Detail, bool], str], steps: Sequence[Detail], max_bytes: int) -> str:
    """The page in the first step that fits. `render` gets the step and whether it is not the first.

    A limit in bytes of UTF-8 is a limit in characters as well.
    """
    text = ""
    for index, detail in enumerate(steps):
        text = render(detail, index > 0)
        if len(text.encode()) <= max_bytes:
            return text
    return _cut_lines(text, max_bytes)


def _cut_lines(text: str, max_bytes: int) -> str:
    """Whole lines from the start. The last step opens no block that would have to be closed."""
    kept: list[str] = []
    left = max_bytes
    for line in text.split("\n"):
        left -= len(line.encode()) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept)
