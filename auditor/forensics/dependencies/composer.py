"""What `composer.json` asks for and its lock holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from auditor.forensics.dependencies.dependency_types import Dependency, LineIndex, Lock, Manifest
from auditor.forensics.dependencies.lock_hosts import COMPOSER_URL, lines_from_other_hosts


def composer(text: str) -> Manifest:
    """A project of Composer, with the further places it names."""
    data = json.loads(text)
    lines = LineIndex(text)
    dependencies = [
        Dependency("packagist", name.lower(), spec, *lines.of(name, spec))
        for table in ("require", "require-dev")
        for name, spec in (data.get(table) or {}).items()
        if isinstance(spec, str) and "/" in name
    ]
    given = data.get("repositories") or []
    places = [
        each.get("url")
        for each in (given.values() if isinstance(given, Mapping) else given)
        if isinstance(each, Mapping) and each.get("type") != "path"
    ]
    indexes = tuple(lines.find_text(each) for each in places if isinstance(each, str))
    return Manifest("packagist", tuple(dependencies), own=str(data.get("name") or "").lower(), index_lines=indexes)


def composer_lock(text: str) -> Lock:
    """The lock of Composer, which has names and versions."""
    data = json.loads(text)
    packages = [each for table in ("packages", "packages-dev") for each in data.get(table) or ()]
    held = {str(each["name"]).lower(): frozenset({str(each.get("version") or "")}) for each in packages}
    return Lock("packagist", frozenset(held), versions=held, elsewhere=lines_from_other_hosts(text, COMPOSER_URL))
