"""Hearing the judges: each persona on every criterion, each alone."""

from auditor.judges.choosing import DEFAULT_MODEL, EFFORTS, JUDGES, PROVIDERS, BenchSettings, bench
from auditor.judges.connecting import Federation, Provider, needed
from auditor.judges.embedded import EmbeddedBench
from auditor.judges.hearing import Bench, Hearing, Source
from auditor.judges.vision import Picture, Pictures

__all__ = [
    "DEFAULT_MODEL",
    "EFFORTS",
    "JUDGES",
    "PROVIDERS",
    "Bench",
    "BenchSettings",
    "EmbeddedBench",
    "Federation",
    "Hearing",
    "Picture",
    "Pictures",
    "Provider",
    "Source",
    "bench",
    "needed",
]
