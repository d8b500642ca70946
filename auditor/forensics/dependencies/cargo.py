"""What `Cargo.toml` asks for; its lock is one of tables."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.forensics.dependencies.dependency_types import Lines, Manifest
from auditor.forensics.dependencies.package_origins import source_url
from auditor.forensics.dependencies.toml_locks import tabled


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
    dependencies += [
        replace(tabled("crates", str(name).partition(":")[0], value, lines), unlocked=True)
        for table in (*_tables(data.get("patch")), data.get("replace") or {})
        for name, value in table.items()
        if isinstance(value, Mapping) and source_url(value)
    ]
    elsewhere = tuple(
        lines.of(name, str(value["registry"]))
        for place in tables
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for name, value in (place.get(table) or {}).items()
        if isinstance(value, Mapping) and value.get("registry", "crates-io") != "crates-io"
    )
    own = str((data.get("package") or {}).get("name") or "")
    return Manifest("crates", tuple(dependencies), own=own, indexes=elsewhere)


def cargo_config(text: str) -> Manifest:
    """The settings of Cargo: places that stand in for the registry. Folders of the tree are no other place."""
    data = tomllib.loads(text)
    lines = Lines(text)
    sources = [each for each in (data.get("source") or {}).values() if isinstance(each, Mapping)]
    named = (each.get("registry") or each.get("git") for each in sources)
    return Manifest("settings", indexes=tuple(lines.holding(each) for each in named if isinstance(each, str)))


def _tables(patched: Any) -> list[Mapping[str, Any]]:
    """What takes the place of crates that others ask for, registry by registry."""
    return [each for each in patched.values() if isinstance(each, Mapping)] if isinstance(patched, Mapping) else []
