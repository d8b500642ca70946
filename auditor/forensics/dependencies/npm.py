"""What `package.json` asks for, and what the locks of npm, Yarn, pnpm and Bun hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.forensics.dependencies.dependency_types import Dependency, LineIndex, Lock, Manifest, section_lines
from auditor.forensics.dependencies.lock_hosts import (
    PNPM_TARBALL,
    RESOLVED_URL,
    YARN_BERRY_RESOLUTION,
    first_lines_of_hosts,
    lines_from_other_hosts,
    lines_of_other_packages,
)
from auditor.forensics.dependencies.package_origins import SOURCE_ADDRESS, is_floating
from auditor.lazy_regex import lazy_compile

_TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def package_json(text: str) -> Manifest:
    """A project of npm and its kin, with what takes the place of packages that others ask for."""
    data = json.loads(text)
    lines = LineIndex(text)
    dependencies = [
        Dependency(
            "npm",
            name,
            spec,
            *lines.of(name, spec),
            spec if SOURCE_ADDRESS.match(spec) else "",
            unlocked=table == "peerDependencies",
            is_floating=bool(SOURCE_ADDRESS.match(spec)) and is_floating(spec),
        )
        for table in _TABLES
        for name, spec in (data.get(table) or {}).items()
        if isinstance(spec, str)
    ]
    dependencies += [
        Dependency("npm", name, spec, *lines.of(name, spec), spec, unlocked=True, is_floating=is_floating(spec))
        for name, spec in _find_overrides(data)
        if SOURCE_ADDRESS.match(spec)
    ]
    forced = frozenset(_override_target(name) for name, _ in _find_overrides(data))
    return Manifest("npm", tuple(dependencies), own=str(data.get("name") or ""), overridden_names=forced)


def _override_target(name: str) -> str:
    """The name of an overridden package, without its path or range: `left` for `**/left@^1`."""
    last = name.rpartition(">")[2]
    at = last.find("@", 1)
    parts = (last[:at] if at > 0 else last).split("/")
    return "/".join(parts[-2:] if len(parts) > 1 and parts[-2].startswith("@") else parts[-1:])


_MAX_OVERRIDE_TABLES = 1_000


def _find_overrides(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Packages that replace what others request, at any depth: `overrides`, `resolutions`."""
    waiting = [data.get("overrides"), data.get("resolutions"), (data.get("pnpm") or {}).get("overrides")]
    for _ in range(_MAX_OVERRIDE_TABLES):
        if not waiting:
            return
        table = waiting.pop()
        for name, spec in table.items() if isinstance(table, Mapping) else ():
            if isinstance(spec, str):
                yield str(name).rpartition("/")[2] if "/" in str(name) and "@" not in str(name) else str(name), spec
            else:
                waiting.append(spec)


def _requested(folders: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What each folder of a lock asks for by its tables."""
    return {
        folder: {name: str(spec) for table in _TABLES for name, spec in (each.get(table) or {}).items()}
        for folder, each in folders.items()
        if isinstance(each, Mapping)
    }


def package_lock(text: str) -> Lock:
    """The lock of npm, which keeps what each folder asked for."""
    data = json.loads(text)
    packages = data.get("packages") or {}
    asked = _requested({folder: each for folder, each in packages.items() if "node_modules/" not in folder})
    names = {folder.rpartition("node_modules/")[2] for folder in packages} | set(data.get("dependencies") or {})
    versions = {
        folder.removeprefix("node_modules/"): frozenset({each["version"]})
        for folder, each in packages.items()
        if folder.startswith("node_modules/") and folder.count("node_modules/") == 1
        if isinstance(each, Mapping) and isinstance(each.get("version"), str) and not each.get("link")
    }
    complete = any("node_modules/" in folder for folder in packages)
    return Lock(
        "npm",
        frozenset(names),
        asked,
        versions=versions,
        elsewhere=lines_from_other_hosts(text, RESOLVED_URL),
        swapped=lines_of_other_packages(text, packages),
        hosts=first_lines_of_hosts(text, RESOLVED_URL),
        complete=complete,
    )


_YARN_HEADER = lazy_compile(r"^(\S.*):\s*$")
_YARN_VERSION = lazy_compile(r"^  version:? \"?([^\"\s]{1,100})\"?$")


def yarn_lock(text: str) -> Lock:
    """The lock of Yarn, classic or not: each entry is headed by what was asked for."""
    pairs: set[tuple[str, str]] = set()
    held: dict[str, set[str]] = {}
    heads: list[str] = []
    for line in text.split("\n"):
        found = _YARN_HEADER.match(line[:5000])
        if found is None or line.startswith("#"):
            told = _YARN_VERSION.match(line[:300])
            for name in heads if told is not None else ():
                held.setdefault(name, set()).add(told[1] if told is not None else "")
            heads = [] if told is not None else heads
            continue
        heads = []
        for each in found[1].split(","):
            name, at, spec = each.strip().strip('"').rpartition("@npm:")
            if not at:
                whole = each.strip().strip('"')
                name, _, spec = whole[1:].partition("@")
                name = whole[:1] + name
            pairs.add((name, spec))
            heads.append(name)
    return Lock(
        "npm",
        frozenset(name for name, _ in pairs),
        requested_ranges=frozenset(pairs),
        versions={name: frozenset(some) for name, some in held.items()},
        elsewhere=lines_from_other_hosts(text, RESOLVED_URL) or lines_from_other_hosts(text, YARN_BERRY_RESOLUTION),
        hosts=first_lines_of_hosts(text, RESOLVED_URL),
    )


_PNPM_FOLDER = lazy_compile(r"^  ['\"]?([^\s'\":][^'\":]*)['\"]?:\s*$")
_PNPM_NAME = lazy_compile(r"^      ['\"]?([@\w][^'\":]*)['\"]?:\s*$")
_PNPM_OVERRIDE = lazy_compile(r"^  ['\"]?(@?[^@'\":]+)(?:@[^'\":]*)?['\"]?:")
_PNPM_SPECIFIER_ENTRY = lazy_compile(r"^      ['\"]?(@?[^'\":]+)['\"]?:\s*+['\"]?([^'\"]*+)['\"]?\s*+$")
_PNPM_SPEC = lazy_compile(r"^        specifier:\s*['\"]?(.*?)['\"]?\s*$")
_PNPM_VERSION = lazy_compile(r"^        version:\s*['\"]?(\d[^\s'\"(]{0,100})")


_PNPM_ROOT_SPECIFIER_ENTRY = lazy_compile(r"^  ['\"]?(@?[^'\":]+)['\"]?:\s*+['\"]?([^'\"]*+)['\"]?\s*+$")
_MAX_LINE = 2_000
_PNPM_TABLES = frozenset({"dependencies", "devDependencies", "optionalDependencies"})


def _single_project_pnpm_lock(text: str) -> Lock:
    """A lock of pnpm before version 9 for a project that is alone: in its older form, and in the one after that."""
    asked: dict[str, str] = {}
    name = ""
    for section, line in section_lines(text, _MAX_LINE):
        if section == "specifiers" and (found := _PNPM_ROOT_SPECIFIER_ENTRY.match(line)):
            asked[found[1]] = found[2]
        elif section in _PNPM_TABLES and (found := _PNPM_FOLDER.match(line)):
            name = found[1]
        elif section in _PNPM_TABLES and name and (found := _PNPM_ROOT_SPEC.match(line)):
            asked[name] = found[1]
    return Lock("npm", frozenset(asked), {"": asked})


_PNPM_ROOT_SPEC = lazy_compile(r"^    specifier:\s*['\"]?(.*?)['\"]?\s*$")


def pnpm_lock(text: str) -> Lock:
    """The lock of pnpm, which keeps what each folder asked for."""
    if not re.search(r"^importers:", text, re.MULTILINE) and re.search(
        r"^(?:specifiers|dependencies|devDependencies):", text, re.MULTILINE
    ):
        return _single_project_pnpm_lock(text)
    folders = _PnpmImporters()
    overridden: set[str] = set()
    for section, line in section_lines(text, _MAX_LINE):
        if section == "overrides" and (found := _PNPM_OVERRIDE.match(line)):
            overridden.add(found[1].rpartition(">")[2])
        elif section == "importers":
            folders.read(line)
    return Lock(
        "npm",
        frozenset(folders.names),
        {("" if key == "." else key): value for key, value in folders.asked.items()},
        versions=folders.root_versions,
        overridden_names=frozenset(overridden),
        elsewhere=lines_from_other_hosts(text, PNPM_TARBALL),
        hosts=first_lines_of_hosts(text, PNPM_TARBALL),
    )


class _PnpmImporters:
    """What each folder of a workspace requests, collected line by line."""

    def __init__(self) -> None:
        self.asked: dict[str, dict[str, str]] = {}
        self.names: set[str] = set()
        self.root_versions: dict[str, frozenset[str]] = {}
        self._folder, self._table, self._name = ".", "", ""

    def read(self, line: str) -> None:
        """Read one line. Before version 6, ranges are in a table of their own, right after the names."""
        if found := _PNPM_FOLDER.match(line):
            self._folder = found[1]
            self.asked.setdefault(self._folder, {})
        elif line.startswith("    ") and line[4:5].strip():
            self._table = line.strip().rstrip(":")
        elif self._table == "specifiers" and (found := _PNPM_SPECIFIER_ENTRY.match(line)):
            self.names.add(found[1])
            self.asked.setdefault(self._folder, {})[found[1]] = found[2].rstrip()
        elif found := _PNPM_NAME.match(line):
            self._name = found[1]
            self.names.add(self._name)
        elif (found := _PNPM_SPEC.match(line)) and self._name:
            self.asked.setdefault(self._folder, {})[self._name] = found[1]
        elif self._folder == "." and self._name and (found := _PNPM_VERSION.match(line)):
            self.root_versions[self._name] = frozenset({found[1]})


_TRAILING_COMMA = lazy_compile(r",(\s*[}\]])")


def bun_lock(text: str) -> Lock:
    """The lock of bun: JSON with commas behind the last of a list."""
    data = json.loads(_TRAILING_COMMA.sub(r"\1", text))
    return Lock(
        "npm",
        frozenset(data.get("packages") or ()),
        _requested(data.get("workspaces") or {}),
        overridden_names=frozenset(data.get("overrides") or ()),
    )


def unreadable(_text: str) -> Lock:
    """A lock that is not text."""
    return Lock("npm", unread="it is a binary file")
