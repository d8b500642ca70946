"""What packages serve of their files on both sides of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.forensics.public_api.package_reachability import Exposure


@dataclass(frozen=True)
class PublicSurfaces:
    """What packages expose of their files, by path, on both sides of a change; of Python only private modules."""

    head: Mapping[str, Exposure] = field(default_factory=dict)
    base: Mapping[str, Exposure] = field(default_factory=dict)
