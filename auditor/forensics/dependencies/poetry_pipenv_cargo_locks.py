"""Dependencies written as tables of TOML, and locks of `[[package]]` tables: Poetry, Pipenv and Cargo share these forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.forensics.dependencies.dependency_types import Dependency, LineIndex, Lock, normalize_name
from auditor.forensics.dependencies.lock_hosts import SOURCE_URL, first_lines_of_hosts, lines_from_other_hosts
from auditor.forensics.dependencies.package_origins import is_floating_source, source_url
from auditor.lazy_regex import lazy_compile


def parse_dependency(registry: str, name: str, value: Any, lines: LineIndex) -> Dependency:
    """A dependency written as `name = "spec"` or `name = {version = ..., git = ...}`."""
    table = value if isinstance(value, Mapping) else {"version": value}
    local = "path" in table or table.get("workspace") is True
    spec = "path:" if local else str(table.get("version") or "")
    named = str(table.get("package") or name)
    plain = value if isinstance(value, str) else spec
    place = lines.of(name, plain)
    return Dependency(
        registry,
        normalize_name(registry, named),
        spec,
        *place,
        source_url(table),
        is_floating=is_floating_source(table),
    )


_NAME = lazy_compile(r"^name\s*=\s*\"([^\"]{1,200})\"")


_VERSION = lazy_compile(r"^version\s*=\s*\"([^\"]{1,100})\"")


def pypi(text: str) -> Lock:
    """A lock of Poetry, PDM or pylock."""
    return _parse_lock("pypi", text)


def crates(text: str) -> Lock:
    """The lock of Cargo."""
    return _parse_lock("crates", text)


def _parse_lock(registry: str, text: str) -> Lock:
    """A lock of `[[package]]` tables with a `name` and a `version`."""
    names, versions = locked_versions(text, registry)
    if not names:
        raise ValueError("no package")
    return Lock(
        registry,
        names,
        versions=versions,
        elsewhere=lines_from_other_hosts(text, SOURCE_URL),
        hosts=first_lines_of_hosts(text, SOURCE_URL),
    )


def locked_versions(text: str, registry: str) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """The names that a lock of tables holds, in the registry's form, and the versions of each."""
    held: dict[str, set[str]] = {}
    name = ""
    for line in text.split("\n"):
        if (found := _NAME.match(line[:400])) is not None:
            name = normalize_name(registry, found[1])
            held.setdefault(name, set())
        elif name and (found := _VERSION.match(line[:400])) is not None:
            held[name].add(found[1])
            name = ""
    return frozenset(held), {name: frozenset(some) for name, some in held.items() if some}
