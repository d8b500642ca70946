"""What `Cargo.toml` asks for; its lock is one of tables."""

from __future__ import annotations

import tomllib

from auditor.forensics.manifests.tables import tabled
from auditor.forensics.manifests.wanted import Lines, Manifest


def cargo(text: str) -> Manifest:
    """A crate or a workspace of them."""
    data = tomllib.loads(text)
    lines = Lines(text)
    tables = [data, *(data.get("target") or {}).values(), data.get("workspace") or {}]
    dependencies = [
        tabled("crates", name, value, lines)
        for place in tables
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for name, value in (place.get(table) or {}).items()
    ]
    return Manifest("crates", tuple(dependencies), own=str((data.get("package") or {}).get("name") or ""))
