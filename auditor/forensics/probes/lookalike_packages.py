"""Whether a package name imitates a well-known one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.facts_for_each_package import package_facts, package_site
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import SidePackages
from auditor.forensics.dependencies.registry_hosts import local_prefixes
from auditor.forensics.probe_kit.located_facts import LocatedSite
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change

_MAX_KNOWN_NAMES = 2_000
"""How many of the most downloaded names are compared."""
_MIN_NAME_LENGTH = 5
"""Length of a name below which honest names differ by one edit."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_."


@probe("dependencies.look_alike")
def look_alike(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Is a package name easily confused with a well-known one?

    Counts: a name in a manifest that differs from one of the most downloaded packages of its registry (five letters or more) by one
    letter added, removed, replaced or swapped, or only by separators or a scope. Does not count: a well-known name itself, packages of
    this repository, local paths, URLs, and names that differ only in a number.

    Compare the name letter by letter with the project's own documentation before you install it.
    """
    # of the registries that are asked about alone: ten thousand names each, and most changes ask about none
    known = cache(lambda registry: frozenset(manifests.popular.get(registry, ())))
    wanted = cache(lambda registry: frozenset(manifests.popular.get(registry, ())[:_MAX_KNOWN_NAMES]))

    def reading(side: SidePackages, path: str, _manifest: Manifest, each: Dependency) -> LocatedSite | None:
        names = known(each.registry)
        if (
            not each.name
            or each.url
            or each.name in names
            or each.name in side.own
            or each.spec.startswith(local_prefixes())
        ):
            return None
        meant = _imitated_name(each.name, wanted(each.registry))
        if meant is None:
            return None
        return package_site(
            path,
            each,
            f"Possible typosquatting: {{names}} looks like the well-known package `{meant}`.",
            0.6,
            "two unrelated packages can have similar names",
        )

    yield from package_facts(
        manifests,
        change,
        reading,
        "No package name is close to that of a well-known package.",
        excluded_registries=frozenset({"conda", "images", "settings", "helm", "swift", "pods"}),
    )


def _imitated_name(name: str, wanted: frozenset[str]) -> str | None:
    """A well-known name at one edit, or none but for its separators; versions in a name are no edit."""
    bare = name.lower()
    near = {other for other in _edits(bare) if other in wanted and len(other) >= _MIN_NAME_LENGTH}
    near |= {other for other in _separator_variants(bare) if other in wanted}
    plain = re.sub(r"[0-9]", "", bare)
    near = {other for other in near if re.sub(r"[0-9]", "", other) != plain}
    return min(near) if near else None


def _edits(name: str) -> Iterator[str]:
    """Every name at one insertion, deletion, exchange or swap of neighbours."""
    if len(name) > 60 or name.startswith("@"):
        return
    for place in range(len(name) + 1):
        start, end = name[:place], name[place:]
        if end:
            yield start + end[1:]
        if len(end) > 1:
            yield start + end[1] + end[0] + end[2:]
        for letter in _LETTERS:
            yield start + letter + end
            if end and start:  # words that rhyme are honest: `router` and `wouter`
                yield start + letter + end[1:]


def _separator_variants(name: str) -> Iterator[str]:
    """The name with its separators changed or left out, and a scope written into the name."""
    parts = [part for part in re.split(r"[-_.]", name.lstrip("@").replace("/", "-")) if part]
    if len(parts) > 1:
        yield from (mark.join(parts) for mark in ("", "-", "_", "."))
        yield f"@{parts[0]}/{'-'.join(parts[1:])}" if not name.startswith("@") else "-".join(parts)
