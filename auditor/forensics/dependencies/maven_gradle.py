"""What Maven and Gradle projects ask for, and what Gradle's lock files hold."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.forensics.dependencies.dependency_types import Dependency, LineIndex, Lock, Manifest
from auditor.forensics.source_text.xml_trees import parse_xml
from auditor.lazy_regex import lazy_compile

_FLOATING = frozenset({"LATEST", "RELEASE"})
MANAGED_VERSION = "managed elsewhere"
"""Stands for a version that a parent, a platform or a plugin sets."""


def pom(text: str) -> Manifest:
    """A Maven project. Versions may be in its properties; one that is nowhere is managed by a parent."""
    root = parse_xml(text)
    lines = LineIndex(text)
    known = {each.tag: (each.text or "").strip() for some in root.iter("properties") for each in some}
    dependencies = []
    for each in (*root.iter("dependency"), *root.iter("plugin"), *root.iter("extension")):
        artifact, version = (each.findtext("artifactId") or "").strip(), (each.findtext("version") or "").strip()
        name = f"{(each.findtext('groupId') or '').strip()}:{artifact}"
        if each.tag != "dependency" and not version:
            continue  # a plugin's version mostly comes with Maven or a parent
        version = known.get(version[2:-1], MANAGED_VERSION) if version.startswith("${") else version
        spec = "latest" if version in _FLOATING else version or MANAGED_VERSION
        jar = (each.findtext("systemPath") or "").strip()
        outside = jar if jar and not _PROJECT_PATH.match(jar) else ""
        dependencies.append(Dependency("maven", name, spec, *lines.of(artifact, version), outside))
    places = [(each.findtext("url") or "").strip() for each in root.iter("repository")]
    group = root.findtext("groupId") or root.findtext("parent/groupId") or ""  # a module is of its parent's group
    own = f"{group.strip()}:{(root.findtext('artifactId') or '').strip()}"
    return Manifest(
        "maven", tuple(dependencies), own=own, index_lines=tuple(lines.find_text(each) for each in places if each)
    )


_PROJECT_PATH = lazy_compile(
    r"\$\{(?:project\.|pom\.)?(?:basedir|baseUri|project\.basedir)\}|\$\{maven\.multiModuleProjectDirectory\}"
)
"""How the path of a jar in the project itself starts."""
_STRING = r"[\"']([^\"'\n]{1,300})[\"']"
_CONFIGURATION_CALL = lazy_compile(
    rf"^\s*(?:[a-zA-Z]*(?:[iI]mplementation|[aA]pi|[cC]ompile(?:Only)?|[rR]untime(?:Only)?|[pP]rocessor|[cC]lasspath|kapt|ksp)|coreLibraryDesugaring|\"\w+\")\s*+\(?\s*+"
    rf"(?:(?:enforcedPlatform|platform|testFixtures|kotlin)\s*+\(\s*+)?{_STRING}"
)
_NAMED_ARGUMENT = lazy_compile(r"\b(group|name|version)\s*[:=]\s*[\"']([^\"'\n]{1,200})[\"']")
_PLUGIN = lazy_compile(rf"^\s*id\s*+\(?\s*+{_STRING}(?:\s*+\))?\s++version\s*+\(?\s*+{_STRING}")
_VARIABLE_ASSIGNMENT = lazy_compile(
    rf"^\s*(?:ext\.|extra\[\"|val\s+|def\s+|set\(\s*[\"']|final\s+String\s+)?([\w.]+)(?:\"\])?[\"']?\s*(?:=|,|by\s+extra\()\s*{_STRING}"
)
_VARIABLE = lazy_compile(r"\$\{?([\w.]+)\}?")
_REPOSITORY = lazy_compile(
    rf"\b(?:maven\s*+[({{]\s*+)?(?:url\s*+=?\s*+(?:uri\s*+)?\(?|setUrl\(|maven\s*+\(|maven\s*+\{{\s*+url)\s*+{_STRING}"
)
_DEFAULT_HOSTS = (
    "repo1.maven.org",
    "repo.maven.apache.org",
    "plugins.gradle.org",
    "maven.google.com",
    "dl.google.com",
    "repo.spring.io",
)


def gradle(text: str) -> Manifest:
    """A build script in Groovy or Kotlin, read line by line; versions may be in variables of the same script."""
    known: dict[str, str] = {}
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    commented = False
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000]
        if commented or line.lstrip().startswith(("//", "/*", "*")):
            commented = "*/" not in line and (commented or "/*" in line)
            continue
        written = line.strip()[:300]
        if (found := _VARIABLE_ASSIGNMENT.match(line)) is not None:
            known.setdefault(found[1].rpartition(".")[2], found[2])
        if (address := _REPOSITORY.search(line)) is not None and address[1].startswith("http"):
            if not any(host in address[1] for host in _DEFAULT_HOSTS):
                indexes.append((number, written))
        elif (plugin := _PLUGIN.match(line)) is not None:
            dependencies.append(Dependency("maven", plugin[1], _resolve_version(plugin[2], known), number, written))
        else:
            dependencies += _declared_dependencies(line, number, written, known)
    return Manifest("maven", tuple(dependencies), index_lines=tuple(indexes))


def _declared_dependencies(line: str, number: int, written: str, known: Mapping[str, str]) -> Iterator[Dependency]:
    found = _CONFIGURATION_CALL.match(line)
    parts = dict(_NAMED_ARGUMENT.findall(line)) if "group" in line and "name" in line else {}
    if {"group", "name"} <= set(parts):
        version = _resolve_version(parts["version"], known) if "version" in parts else MANAGED_VERSION
        yield Dependency("maven", f"{parts['group']}:{parts['name']}", version, number, written)
    elif found is not None and 2 <= len(pieces := found[1].partition("@")[0].split(":")) <= 4 and all(pieces[:2]):
        version = _resolve_version(pieces[2], known) if len(pieces) > 2 and pieces[2] else MANAGED_VERSION
        yield Dependency("maven", f"{pieces[0]}:{pieces[1]}", version, number, written)


def _resolve_version(version: str, known: Mapping[str, str]) -> str:
    """A version with its variable looked up; one not set in this script is set elsewhere."""
    variable = _VARIABLE.search(version)
    return version if variable is None else known.get(variable[1].rpartition(".")[2], MANAGED_VERSION)


def catalog(text: str) -> Manifest:
    """A Gradle version catalog."""
    data = tomllib.loads(text)
    lines = LineIndex(text)
    versions = data.get("versions") or {}
    dependencies = []
    for table, key in (("libraries", "module"), ("plugins", "id")):
        for alias, value in (data.get(table) or {}).items():
            name, version = _catalog_entry(value, key, versions)
            dependencies.append(Dependency("maven", name, version, *lines.of(str(alias), version)))
    return Manifest("maven", tuple(dependencies))


def _catalog_entry(value: Any, key: str, versions: Mapping[str, Any]) -> tuple[str, str]:
    if isinstance(value, str):
        group, _, rest = value.partition(":")
        if key == "id":
            return group, rest or MANAGED_VERSION
        artifact, _, written = rest.partition(":")
        return f"{group}:{artifact}", written or MANAGED_VERSION
    name = str(value.get(key) or f"{value.get('group', '')}:{value.get('name', '')}")
    version = value.get("version")
    if isinstance(version, Mapping) and "ref" in version:
        version = versions.get(version["ref"])
    if isinstance(version, Mapping):
        version = version.get("strictly") or version.get("require") or version.get("prefer")
    return name, str(version or MANAGED_VERSION)


_LOCKED = lazy_compile(r"^([\w.-]+:[\w.-]+):([^=\s]+)=")


def gradle_lock(text: str) -> Lock:
    """A lock file of Gradle: one package a line."""
    names = frozenset(found[1] for line in text.split("\n") if (found := _LOCKED.match(line[:1000])))
    if not names:
        raise ValueError("no package")
    return Lock("maven", names)


_OPEN_RANGE = lazy_compile(r"^[\[(][^\[\]()]{0,100},\s*[\])]$")


def is_floating(spec: str) -> bool:
    """Does a version of Maven or Gradle move by itself: `1.+`, `latest.release`, a snapshot, a range?"""
    return spec.startswith("latest") or spec.endswith(("+", "-SNAPSHOT")) or bool(_OPEN_RANGE.match(spec))
