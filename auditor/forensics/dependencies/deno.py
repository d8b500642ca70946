"""What a project of Deno imports by name, and what its lock holds."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from auditor.forensics.dependencies.dependency_types import Dependency, LineIndex, Lock, Manifest
from auditor.lazy_regex import lazy_compile

_COMMENT = lazy_compile(r"^[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*$)", re.MULTILINE)
_REGISTRY_SPECIFIER = lazy_compile(
    r"^(jsr|npm):/?(@[^@/]{1,100}/[^@/]{1,100}|[^@/]{1,100})(?:@([^/\s]{1,100}))?(?:/.*)?$"
)
_DENO_LAND_URL = lazy_compile(r"^https://deno\.land/(std|x/[\w.-]{1,100})(?:@([^/]{1,100}))?/")


def deno_json(text: str) -> Manifest:
    """Its map of imports; an address counts as one, and `deno.land` as a registry of its own."""
    data = json.loads(_COMMENT.sub("", text))
    lines = LineIndex(text)
    dependencies: list[Dependency] = []
    for alias, target in (data.get("imports") or {}).items():
        if not isinstance(target, str):
            continue
        place = lines.of(str(alias), target)
        if (found := _REGISTRY_SPECIFIER.match(target)) is not None:
            registry = "npm" if found[1] == "npm" else "deno"
            dependencies.append(Dependency(registry, _name(found), found[3] or "", *place))
        elif (found := _DENO_LAND_URL.match(target)) is not None:
            dependencies.append(Dependency("deno", found[1], found[2] or "", *place, unlocked=True))
        elif target.startswith(("http://", "https://")):
            dependencies.append(Dependency("deno", str(alias), "", *place, target, unlocked=True))
    return Manifest("deno", tuple(dependencies), own=f"jsr:{data['name']}" if data.get("name") else "")


def _name(found: re.Match[str]) -> str:
    """The name of a package, of Deno's own registry with that before it: both may have one of the same name."""
    return str(found[2]) if found[1] == "npm" else f"jsr:{found[2]}"


def deno_lock(text: str) -> Lock:
    """The lock of Deno: names alone, as it writes ranges in a form of its own. An older one does not list all that was asked for."""
    data = json.loads(text)
    workspace = data.get("workspace")
    if not isinstance(workspace, Mapping):
        return Lock("an older form")
    asked = [*(data.get("specifiers") or ()), *(workspace.get("dependencies") or ())]
    asked += [each for member in (workspace.get("members") or {}).values() for each in member.get("dependencies") or ()]
    found = (_REGISTRY_SPECIFIER.match(str(each)) for each in asked)
    return Lock("deno", frozenset(_name(each) for each in found if each is not None))
