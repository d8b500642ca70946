"""A question that is asked of each package which a project takes in: what is told of them, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import Packages, both_sides
from auditor.forensics.probe_kit.fact_outcomes import code_location, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.located_facts import LocatedSite, located_facts
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_roles import is_example, is_test

Asking = Callable[[Packages, str, Manifest, Dependency], LocatedSite | None]
AskingFiles = Callable[[Packages, str], Iterator[LocatedSite]]


def packages_told(
    manifests: Manifests,
    change: Change | None,
    reading: Asking,
    none: str,
    whole: AskingFiles = lambda _side, _path: iter(()),
    without: frozenset[str] = frozenset(),
) -> Iterator[Fact]:
    """What a reading of each package says, and of each file as a whole; `none` where it says nothing, `without` these registries."""
    head, base = both_sides(manifests)
    asked = {
        path: each for path, each in head.manifests.items()
        if path in manifests.in_scope and each.registry not in without and (each.registry != "settings" or each.indexes)
    }  # fmt: skip
    locks = [path for path in head.locks if path in manifests.in_scope]
    if not asked and not locks:
        yield not_applicable("No manifest that can be read here is in scope.")
        return
    places = _places(head, [*asked], locks, reading, whole)
    yield from located_facts(places, _places(base, [*base.manifests], [*base.locks], reading, whole), change)
    dark = {path: each.unread for path, each in asked.items() if each.unread}
    if dark:
        yield unavailable(
            f"A manifest could not be read: {next(iter(dark.values()))}.", at=[code_location(path) for path in dark]
        )
    if not places and len(dark) < len(asked) + len(locks):
        yield not_found(none, confidence=0.9, because="what the packages themselves ask for was not followed")


def _places(
    side: Packages, paths: Sequence[str], locks: Sequence[str], reading: Asking, whole: AskingFiles
) -> list[LocatedSite]:
    asked = ((path, side.manifests[path], each) for path in paths for each in side.manifests[path].dependencies)
    told = (reading(side, *each) for each in asked)
    return [
        *(each for each in told if each is not None),
        *(each for path in (*paths, *locks) for each in whole(side, path)),
    ]


def place_of(
    path: str, each: Dependency, statement: str, confidence: float, because: str, measure: float | None = None
) -> LocatedSite:
    """The place where a package is asked for, with what is said of it."""
    return LocatedSite(
        path=path,
        line=each.line,
        quote=each.quote,
        statement=statement,
        what=f"{each.registry}:{each.name}",
        confidence=confidence,
        because=because,
        measure=measure,
        in_tests=is_test(path) or is_example(path),
    )
