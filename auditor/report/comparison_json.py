"""A comparison of records as JSON, for scripts."""

from __future__ import annotations

import json

from auditor.domain.comparison import RecordSetComparison


def to_json(comparison: RecordSetComparison) -> str:
    """The comparison whole, in the order of its fields. It is ASCII, so that nothing in it acts on a terminal."""
    return json.dumps(comparison.model_dump(mode="json"), ensure_ascii=True, indent=2) + "\n"
