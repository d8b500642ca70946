"""Architecture reports, as probes are given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.domain import Term
from auditor.forensics.documents.passages import Document


@dataclass(frozen=True)
class Reports:
    """Reports given and found, read; what the rubric looks for in them; and what to say when there are none."""

    documents: tuple[Document, ...]
    terms: tuple[Term, ...] = ()
    summaries: tuple[str, ...] = ()
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Forms of words by the id of what they claim."""
    denials: tuple[str, ...] = ()
    """Forms of words by which a sentence denies, doubts or plans."""
    negations: tuple[str, ...] = ()
    """Forms of words that deny what the same part of a sentence claims."""
    absence: str = (
        "No report was given with `--report`, and none was found by the rubric's patterns (`papers.reports`)."
    )
