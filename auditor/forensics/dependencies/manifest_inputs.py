"""Manifests and lock files, as probes are given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Manifests:
    """Text of all manifests and lock files of the head and, with a base, of those in scope there; None where unread."""

    head: Mapping[str, str | None]
    base: Mapping[str, str | None] = field(default_factory=dict)
    in_scope: frozenset[str] = frozenset()
    popular: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata={"doc": "registry -> known names"})
