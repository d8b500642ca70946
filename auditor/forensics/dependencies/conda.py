"""What an environment of conda asks for, with what it has pip install."""

from __future__ import annotations

import re

from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.pip_requirements import parse_requirement
from auditor.lazy_regex import lazy_compile

_CONDA = lazy_compile(
    r"^\s+-\s+[\"']?(?:[\w.-]+::)?([A-Za-z0-9][\w.-]*)\s*([=<>!~][^\s\"'#]*(?:\s*,\s*[=<>!][^\s\"'#]*)*|\s\d\S*)?[\"']?\s*(?:#.*)?$"
)


def environment(text: str) -> Manifest:
    """An environment of conda, with what it has pip install."""
    dependencies: list[Dependency] = []
    inside, pip = False, -1
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:500].rstrip()
        if line and not line.startswith((" ", "-", "#")):
            inside, pip = line.startswith("dependencies:"), -1
        indent = len(line) - len(line.lstrip())
        if pip >= 0 and indent <= pip and line.strip():
            pip = -1
        if inside and re.match(r"^\s*-\s+pip:\s*$", line):
            pip = indent
        elif inside and pip >= 0:
            parsed = parse_requirement(line.strip().lstrip("- ").strip("\"'"), number, line.strip())
            if parsed is not None:
                dependencies.append(parsed)
        elif inside and (found := _CONDA.match(f" {line}")) is not None and found[1] not in {"python", "pip"}:
            dependencies.append(Dependency("conda", found[1].lower(), (found[2] or "").strip(), number, line.strip()))
    return Manifest("conda", tuple(dependencies))
