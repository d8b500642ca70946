"""What `pyproject.toml` and `Pipfile` ask for, and what the locks of uv and Pipenv hold."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from auditor.forensics.dependencies.dependency_types import Dependency, Lines, Lock, Manifest, normal, ranged
from auditor.forensics.dependencies.lock_hosts import SOURCE_URL, elsewhere
from auditor.forensics.dependencies.package_origins import further, source_moves, source_url
from auditor.forensics.dependencies.pip_requirements import requirement
from auditor.forensics.dependencies.toml_locks import tabled, tabled_versions
from auditor.lazy_regex import lazy_compile


def pyproject(text: str) -> Manifest:
    """A project of Python: its own table, groups, and those of Poetry, PDM and uv."""
    data = tomllib.loads(text)
    lines = Lines(text)
    project = data.get("project") or {}
    written: list[str] = [*project.get("dependencies", ())]
    building = [each for each in (data.get("build-system") or {}).get("requires", ()) if isinstance(each, str)]
    tool = data.get("tool") or {}
    pdm = tool.get("pdm") or {}
    groups = (project.get("optional-dependencies"), data.get("dependency-groups"), pdm.get("dev-dependencies"))
    written += [each for some in groups for each in _in_lists(some)]
    written += [each for each in (tool.get("uv") or {}).get("dev-dependencies") or () if isinstance(each, str)]
    own = normal("pypi", str(project.get("name") or (tool.get("poetry") or {}).get("name") or ""))
    dependencies: list[Dependency] = []
    for each in [*written, *building]:
        parsed = requirement(each, *lines.of(re.split(r"[\s\[(=<>!~;@]", each.strip(), maxsplit=1)[0], each))
        if parsed is not None and parsed.name != own:
            dependencies.append(replace(parsed, unlocked=each in building))
    dependencies += [*_poetry(tool.get("poetry") or {}, lines), *_poetry(_in_tables(pdm), lines)]
    sources = (tool.get("uv") or {}).get("sources") or {}
    for name, source in sources.items():
        for each in source if isinstance(source, list) else [source]:
            if url := source_url(each):
                place = lines.of(name, url.split("#")[0].split("@")[0])
                dependencies.append(Dependency("pypi", normal("pypi", name), "", *place, url, moves=source_moves(each)))
    elsewhere = {normal("pypi", str(name)) for name in sources}
    asked = tuple(each for each in dependencies if each.url or each.name not in elsewhere)
    uv = tool.get("uv") or {}
    named = (
        uv.get("index"),
        uv.get("index-url"),
        uv.get("extra-index-url"),
        (tool.get("poetry") or {}).get("source"),
        pdm.get("source"),
    )
    indexes = tuple(place for each in named for place in further(each, lines))
    return Manifest("pypi", asked, own=own, indexes=indexes)


def _in_lists(groups: object) -> Iterator[str]:
    """What groups ask for that are lists, as those of today are."""
    for some in groups.values() if isinstance(groups, dict) else ():
        yield from (each for each in some if isinstance(each, str)) if isinstance(some, list) else ()


def _in_tables(pdm: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What the first versions of PDM wrote down as Poetry does: a table with a package on each line."""
    tables = ((name, pdm.get(name)) for name in ("dependencies", "dev-dependencies"))
    return {
        name: {package: asked for package, asked in table.items() if not isinstance(asked, list)}
        for name, table in tables
        if isinstance(table, dict)
    }


def _poetry(poetry: Mapping[str, Any], lines: Lines) -> Iterator[Dependency]:
    tables = [poetry.get("dependencies") or {}, poetry.get("dev-dependencies") or {}]
    tables += [each.get("dependencies") or {} for each in (poetry.get("group") or {}).values()]
    for table in tables:
        for name, value in table.items():
            if name == "python":
                continue
            for each in value if isinstance(value, list) else [value]:
                yield tabled("pypi", name, each, lines)


def pipfile(text: str) -> Manifest:
    """A project of Pipenv."""
    data = tomllib.loads(text)
    lines = Lines(text)
    tables = (data.get("packages") or {}, data.get("dev-packages") or {})
    return Manifest(
        "pypi",
        tuple(tabled("pypi", name, value, lines) for table in tables for name, value in table.items()),
        indexes=tuple(further(data.get("source"), lines)),
    )


_UV_ASKED = lazy_compile(r"\{ name = \"([^\"]{1,200})\"([^}]{0,2000})\}")
_UV_SPEC = lazy_compile(r"specifier = \"([^\"]{0,300})\"")


def uv_lock(text: str) -> Lock:
    """The lock of uv, which keeps what the projects asked for beside what it holds."""
    names, versions = tabled_versions(text, "pypi")
    if not names:
        raise ValueError("no package")
    pairs: set[tuple[str, str]] = set()
    overridden: set[str] = set()
    asking = setting = False
    for line in text.split("\n"):
        setting = line.startswith(("overrides = [", "constraints = [")) or (setting and not line.startswith(("]", "[")))
        if setting:
            overridden.update(normal("pypi", found[1]) for found in _UV_ASKED.finditer(line[:20_000]))
        if line.startswith("["):
            asking = line.startswith(("[package.metadata]", "[package.metadata.requires-dev]"))
        if asking:
            for found in _UV_ASKED.finditer(line[:20_000]):
                spec = _UV_SPEC.search(found[2])
                pairs.add((normal("pypi", found[1]), ranged(spec[1] if spec else "")))
    return Lock(
        "pypi",
        names,
        pairs=frozenset(pairs),
        versions=versions,
        overridden=frozenset(overridden),
        elsewhere=elsewhere(text, SOURCE_URL),
    )


def pipfile_lock(text: str) -> Lock:
    """The lock of Pipenv."""
    data = json.loads(text)
    held = {
        normal("pypi", name): str(each.get("version") or "").removeprefix("==") if isinstance(each, Mapping) else ""
        for table in ("default", "develop")
        for name, each in (data.get(table) or {}).items()
    }
    return Lock("pypi", frozenset(held), versions={name: frozenset({each}) for name, each in held.items() if each})
