"""What `pyproject.toml` and `Pipfile` ask for, and what the locks of uv and Pipenv hold."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from auditor.forensics.dependencies.dependency_types import (
    Dependency,
    LineIndex,
    Lock,
    Manifest,
    normalize_name,
    normalize_range,
)
from auditor.forensics.dependencies.lock_hosts import SOURCE_URL, first_lines_of_hosts, lines_from_other_hosts
from auditor.forensics.dependencies.package_origins import find_index_lines, is_floating_source, source_url
from auditor.forensics.dependencies.pip_requirements import parse_requirement
from auditor.forensics.dependencies.poetry_pipenv_cargo_locks import locked_versions, parse_dependency
from auditor.lazy_regex import lazy_compile


def pyproject(text: str) -> Manifest:
    """A project of Python: its own table, groups, and those of Poetry, PDM and uv."""
    data = tomllib.loads(text)
    lines = LineIndex(text)
    project = data.get("project") or {}
    written: list[str] = [*project.get("dependencies", ())]
    building = [each for each in (data.get("build-system") or {}).get("requires", ()) if isinstance(each, str)]
    tool = data.get("tool") or {}
    pdm = tool.get("pdm") or {}
    groups = (project.get("optional-dependencies"), data.get("dependency-groups"), pdm.get("dev-dependencies"))
    written += [each for some in groups for each in _group_requirements(some)]
    written += [each for each in (tool.get("uv") or {}).get("dev-dependencies") or () if isinstance(each, str)]
    own = normalize_name("pypi", str(project.get("name") or (tool.get("poetry") or {}).get("name") or ""))
    dependencies: list[Dependency] = []
    for each in [*written, *building]:
        parsed = parse_requirement(each, *lines.of(re.split(r"[\s\[(=<>!~;@]", each.strip(), maxsplit=1)[0], each))
        if parsed is not None and parsed.name != own:
            dependencies.append(replace(parsed, unlocked=each in building))
    dependencies += [
        *_poetry_dependencies(tool.get("poetry") or {}, lines),
        *_poetry_dependencies(_legacy_pdm_tables(pdm), lines),
    ]
    sources = (tool.get("uv") or {}).get("sources") or {}
    for name, source in sources.items():
        for each in source if isinstance(source, list) else [source]:
            if url := source_url(each):
                place = lines.of(name, url.split("#")[0].split("@")[0])
                dependencies.append(
                    Dependency(
                        "pypi", normalize_name("pypi", name), "", *place, url, is_floating=is_floating_source(each)
                    )
                )
    elsewhere = {normalize_name("pypi", str(name)) for name in sources}
    asked = tuple(each for each in dependencies if each.url or each.name not in elsewhere)
    uv = tool.get("uv") or {}
    named = (
        uv.get("index"),
        uv.get("index-url"),
        uv.get("extra-index-url"),
        (tool.get("poetry") or {}).get("source"),
        pdm.get("source"),
    )
    indexes = tuple(place for each in named for place in find_index_lines(each, lines))
    return Manifest("pypi", asked, own=own, index_lines=indexes)


def _group_requirements(groups: object) -> Iterator[str]:
    """The requirements in groups that are lists."""
    for some in groups.values() if isinstance(groups, dict) else ():
        yield from (each for each in some if isinstance(each, str)) if isinstance(some, list) else ()


def _legacy_pdm_tables(pdm: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The tables of the first versions of PDM, written like Poetry's: one package per line."""
    tables = ((name, pdm.get(name)) for name in ("dependencies", "dev-dependencies"))
    return {
        name: {package: asked for package, asked in table.items() if not isinstance(asked, list)}
        for name, table in tables
        if isinstance(table, dict)
    }


def _poetry_dependencies(poetry: Mapping[str, Any], lines: LineIndex) -> Iterator[Dependency]:
    tables = [poetry.get("dependencies") or {}, poetry.get("dev-dependencies") or {}]
    tables += [each.get("dependencies") or {} for each in (poetry.get("group") or {}).values()]
    for table in tables:
        for name, value in table.items():
            if name == "python":
                continue
            for each in value if isinstance(value, list) else [value]:
                yield parse_dependency("pypi", name, each, lines)


def pipfile(text: str) -> Manifest:
    """A project of Pipenv."""
    data = tomllib.loads(text)
    lines = LineIndex(text)
    tables = (data.get("packages") or {}, data.get("dev-packages") or {})
    return Manifest(
        "pypi",
        tuple(parse_dependency("pypi", name, value, lines) for table in tables for name, value in table.items()),
        index_lines=tuple(find_index_lines(data.get("source"), lines)),
    )


_UV_REQUIREMENT = lazy_compile(r"\{ name = \"([^\"]{1,200})\"([^}]{0,2000})\}")
_UV_SPEC = lazy_compile(r"specifier = \"([^\"]{0,300})\"")


def uv_lock(text: str) -> Lock:
    """The lock of uv, which keeps what the projects asked for beside what it holds."""
    names, versions = locked_versions(text, "pypi")
    if not names:
        raise ValueError("no package")
    pairs: set[tuple[str, str]] = set()
    overridden: set[str] = set()
    asking = setting = False
    for line in text.split("\n"):
        setting = line.startswith(("overrides = [", "constraints = [")) or (setting and not line.startswith(("]", "[")))
        if setting:
            overridden.update(normalize_name("pypi", found[1]) for found in _UV_REQUIREMENT.finditer(line[:20_000]))
        if line.startswith("["):
            asking = line.startswith(("[package.metadata]", "[package.metadata.requires-dev]"))
        if asking:
            for found in _UV_REQUIREMENT.finditer(line[:20_000]):
                spec = _UV_SPEC.search(found[2])
                pairs.add((normalize_name("pypi", found[1]), normalize_range(spec[1] if spec else "")))
    return Lock(
        "pypi",
        names,
        requested_ranges=frozenset(pairs),
        versions=versions,
        overridden_names=frozenset(overridden),
        elsewhere=lines_from_other_hosts(text, SOURCE_URL),
        hosts=first_lines_of_hosts(text, SOURCE_URL),
    )


def pipfile_lock(text: str) -> Lock:
    """The lock of Pipenv."""
    data = json.loads(text)
    held = {
        normalize_name("pypi", name): str(each.get("version") or "").removeprefix("==")
        if isinstance(each, Mapping)
        else ""
        for table in ("default", "develop")
        for name, each in (data.get(table) or {}).items()
    }
    return Lock("pypi", frozenset(held), versions={name: frozenset({each}) for name, each in held.items() if each})
