"""What projects of .NET ask for, where their packages come from, and what the lock of NuGet holds."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.forensics.dependencies.dependency_types import (
    COMPUTED_RANGE,
    Dependency,
    LineIndex,
    Lock,
    Manifest,
    normalize_name,
)
from auditor.forensics.dependencies.package_origins import is_on_host
from auditor.forensics.source_text.xml_trees import parse_xml

_DEFAULT_HOSTS = ("nuget.org",)


def project(text: str) -> Manifest:
    """A project, or the file in which a whole tree keeps its versions: a reference without one is looked up there."""
    root = parse_xml(text)
    lines = LineIndex(text)
    known = {each.tag: (each.text or "").strip() for some in root.iter("PropertyGroup") for each in some}
    dependencies: list[Dependency] = []
    for each in root.iter():
        name = (each.get("Include") or each.get("Update") or "").strip()
        if each.tag not in {"PackageReference", "PackageVersion", "GlobalPackageReference"} or not name or "$" in name:
            continue
        written = _version(each, known)
        if written or each.get("Include"):
            dependencies.append(Dependency("nuget", normalize_name("nuget", name), written, *lines.of(name, written)))
    return Manifest("nuget", tuple(dependencies))


def _version(element: Any, known: Mapping[str, str]) -> str:
    """The version of a reference, beside its name or inside; one in a property of the same file is looked up."""
    for key in ("VersionOverride", "Version"):
        written = (element.get(key) or element.findtext(key) or "").strip()
        if written.startswith("$("):
            return known.get(written[2:].rstrip(")"), COMPUTED_RANGE)
        if written:
            return COMPUTED_RANGE if "$(" in written else written.replace(" ", "")
    return ""


def packages_config(text: str) -> Manifest:
    """The older list, in which each package has one version."""
    lines = LineIndex(text)
    return Manifest(
        "nuget",
        tuple(
            Dependency("nuget", normalize_name("nuget", each.get("id")), f"[{each.get('version') or ''}]", *lines.of(each.get("id"), each.get("version") or ""))
            for each in parse_xml(text).iter("package")
            if each.get("id")
        ),
    )  # fmt: skip


def nuget_config(text: str) -> Manifest:
    """The settings that say where packages are taken from; a folder of the tree is no other place."""
    lines = LineIndex(text)
    places = (
        each.get("value") or "" for some in parse_xml(text).iter("packageSources") for each in some if each.tag == "add"
    )
    foreign = (each for each in places if "://" in each and not is_on_host(each, _DEFAULT_HOSTS))
    return Manifest("settings", index_lines=tuple(lines.find_text(each) for each in foreign))


def packages_lock(text: str) -> Lock:
    """The lock of NuGet, which keeps what its project asked for."""
    asked: dict[str, str] = {}
    held: dict[str, set[str]] = defaultdict(set)
    for name, each in _entries(json.loads(text)):
        known = normalize_name("nuget", name)
        held[known].add(str(each.get("resolved") or ""))
        if each.get("type") == "Direct":
            asked[known] = _normalize_requested(str(each.get("requested") or ""))
    return Lock("nuget", frozenset(held), {"": asked}, versions={name: frozenset(some) for name, some in held.items()})


def _entries(data: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for framework in (data.get("dependencies") or {}).values():
        for name, each in framework.items():
            if isinstance(each, Mapping):
                yield str(name), each


def _normalize_requested(requested: str) -> str:
    """A range as a project writes it: the lock spells out minimum versions and single versions."""
    plain = requested.replace(" ", "")
    low, comma, high = plain[1:-1].partition(",")
    if plain.startswith("[") and plain.endswith("]") and comma and low == high:
        return f"[{low}]"
    return plain[1:-2] if plain.startswith("[") and plain.endswith(",)") else plain
