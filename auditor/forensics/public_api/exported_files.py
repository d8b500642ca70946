"""What packages serve of their files on both sides of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.forensics.public_api.package_reachability import Served


@dataclass(frozen=True)
class Surfaces:
    """What packages serve of their files, by path, on both sides of a change; of Python those of private names alone."""

    head: Mapping[str, Served] = field(default_factory=dict)
    base: Mapping[str, Served] = field(default_factory=dict)
