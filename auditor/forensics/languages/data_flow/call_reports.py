"""What is said of one call."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.source_text.site_probe_types import Site


class Report(NamedTuple):
    """What is said of a call: a site of a probe; without one, that nothing there can do harm."""

    probe: str
    line: int
    site: Site | None
