"""Read an agent system made of sources given as text, in this process."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from textwrap import dedent

from auditor.domain import ProbeData
from auditor.forensics.agent_systems.analysis_entry_point import analyze_system
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.system_report_types import AgentSystem, ProbeAnswer

_DEPTH = 6_000


def system(files: Mapping[str, str]) -> AgentSystem:
    """All answers about these files."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(_DEPTH)
    try:
        return analyze_system([Source(path, dedent(text)) for path, text in files.items()])
    finally:
        sys.setrecursionlimit(before)


def answer(probe: str, files: Mapping[str, str] | str) -> ProbeAnswer:
    """The first answer of one probe; a text stands for a single file."""
    return system({"src/graph.py": files} if isinstance(files, str) else files).answers[probe][0]


def data(probe: str, files: Mapping[str, str] | str) -> ProbeData:
    """The data of the first answer of one probe."""
    found = answer(probe, files).data
    assert found is not None, answer(probe, files).statement
    return found
