"""Hearing the judges: each persona on every criterion, each alone."""

from auditor.judges.bench import Bench, Hearing
from auditor.judges.embedded import EmbeddedBench

__all__ = ["Bench", "EmbeddedBench", "Hearing"]
