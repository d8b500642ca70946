"""Requirements as pip reads them: a line each, with options, markers, constraints and indexes."""

from __future__ import annotations

import re
from dataclasses import replace

from auditor.forensics.dependencies.dependency_types import Dependency, Manifest, normalize_name
from auditor.forensics.dependencies.package_origins import SOURCE_ADDRESS, is_floating, is_other_index
from auditor.lazy_regex import lazy_compile

_REQUIREMENT = lazy_compile(
    r"^(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*(?:@\s*(?P<url>\S+)|(?P<spec>[(=<>!~][^;#]{0,200})?)"
)


_MARKER = lazy_compile(
    r";\s*(?:\(\s*)?(?:os_name|sys_platform|platform_\w{1,30}|python_version|python_full_version|implementation_\w{1,10})\s*(?:[<>!=~]|in\b|not\b)"
)
"""The beginning of a marker that depends on the environment."""
_EGG = lazy_compile(r"#(?:egg|name)=([A-Za-z0-9._-]{1,100})")


def parse_requirement(written: str, line: int, quote: str) -> Dependency | None:
    """One requirement as PEP 508 has it; None where it is no such thing."""
    found = _REQUIREMENT.match(written.strip())
    if found is None:
        return None
    url = found["url"] or ""
    return Dependency(
        "pypi",
        normalize_name("pypi", found["name"]),
        (found["spec"] or "").strip().strip("()"),
        line,
        quote,
        url if "://" in url else "",
        is_floating=is_floating(url),
    )


def requirements(text: str) -> Manifest:
    """A list of requirements, or of constraints."""
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    constraints: list[str] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = re.sub(r"(?:^|\s)#.*$", "", raw[:2000]).strip().rstrip("\\").strip()
        if not line:
            continue
        if index := _INDEX.match(line):
            if is_other_index(index[1]):
                indexes.append((number, line[:200]))
            continue
        if narrowed := _CONSTRAINT.match(line):
            constraints.append(narrowed[1])
            continue
        option = re.match(r"^(?:-e|--editable)[\s=]+(.*)$", line)
        address = option[1] if option else line
        if line.startswith("-") and option is None:
            continue
        if SOURCE_ADDRESS.match(address) and "://" in address:
            egg = _EGG.search(address)
            name = normalize_name("pypi", egg[1]) if egg else ""
            dependencies.append(
                Dependency("pypi", name, "", number, line[:300], address, is_floating=is_floating(address))
            )
            continue
        found = None if option else parse_requirement(re.split(r"\s--", line)[0], number, line[:300])
        if found is not None:
            dependencies.append(replace(found, is_conditional=not found.url and _MARKER.search(line) is not None))
    return Manifest("pypi", tuple(dependencies), index_lines=tuple(indexes), constraint_files=tuple(constraints))


_INDEX = lazy_compile(r"^(?:--(?:extra-)?index-url|-i|--find-links|-f)\b[\s=]*(\S*)")


_CONSTRAINT = lazy_compile(r"^(?:-c|--constraint)[\s=]+(\S{1,200})$")
