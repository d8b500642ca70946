"""What `Cargo.toml` asks for; its lock is one of tables."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.forensics.dependencies.dependency_types import LineIndex, Manifest
from auditor.forensics.dependencies.package_origins import source_url
from auditor.forensics.dependencies.poetry_pipenv_cargo_locks import parse_dependency


def cargo(text: str) -> Manifest:
    """A crate or a workspace of them."""
    data = tomllib.loads(text)
    lines = LineIndex(text)
    tables = [data, *(data.get("target") or {}).values(), data.get("workspace") or {}]
    dependencies = [
        parse_dependency("crates", name, value, lines)
        for place in tables
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for name, value in (place.get(table) or {}).items()
    ]
    dependencies += [
        replace(parse_dependency("crates", str(name).partition(":")[0], value, lines), unlocked=True)
        for table in (*_patch_tables(data.get("patch")), data.get("replace") or {})
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
    return Manifest("crates", tuple(dependencies), own=own, index_lines=elsewhere)


def cargo_config(text: str) -> Manifest:
    """The settings of Cargo: places that replace the registry. Folders of the tree are no other place."""
    data = tomllib.loads(text)
    lines = LineIndex(text)
    sources = [each for each in (data.get("source") or {}).values() if isinstance(each, Mapping)]
    named = (each.get("registry") or each.get("git") for each in sources)
    return Manifest("settings", index_lines=tuple(lines.find_text(each) for each in named if isinstance(each, str)))


def _patch_tables(patched: Any) -> list[Mapping[str, Any]]:
    """The tables that replace crates of other packages, one per registry."""
    return [each for each in patched.values() if isinstance(each, Mapping)] if isinstance(patched, Mapping) else []
