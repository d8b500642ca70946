"""Whether lock files match their manifests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.domain import Fact, Location
from auditor.forensics.dependencies.dependency_types import Lock, Manifest
from auditor.forensics.dependencies.lock_differences import has_only_go_mod_sum
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import UNLOCKED_REGISTRIES, SidePackages, read_both_sides
from auditor.forensics.dependencies.registry_hosts import local_prefixes
from auditor.forensics.probe_kit.fact_outcomes import (
    code_location,
    found,
    list_names,
    not_applicable,
    not_found,
    unavailable,
)
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_roles import is_example, is_test


@probe("dependencies.lock_in_step")
def lock_in_step(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Do lock files match their manifests?

    Counts as a mismatch: a requirement of the manifest that the lock file beside or above it lacks, or that it locks at a version
    outside the range. Does not count: a manifest without a lock file.

    Run the package manager after editing the manifest, and commit both files together.
    """
    head, base = read_both_sides(manifests)
    pairs = list(_pairs(head, change))
    for each in pairs:
        if each.lock.unread:
            yield unavailable(f"`{each.name}` could not be read: {each.lock.unread}.", at=[code_location(each.name)])
    compared = [each for each in pairs if not each.lock.unread]
    apart = [
        wrong for each in compared for wrong in _find_mismatches(each, head, base.manifests.get(each.path), change)
    ]
    unread = {path: each.unread for path, each in head.manifests.items() if each.unread and path in manifests.in_scope}
    if unread:
        yield unavailable(
            f"{list_names(unread)} could not be read: {next(iter(unread.values()))}.",
            at=[code_location(path) for path in unread],
        )
    if apart:
        yield _out_of_step(apart)
    elif compared:
        yield _in_step(compared)
    elif not unread:
        yield not_applicable("No manifest with a lock file is in scope.")


class _Pair(NamedTuple):
    """A manifest, and the lock file that is made from it."""

    path: str
    manifest: Manifest
    name: str
    lock: Lock

    @property
    def by_name(self) -> bool:
        """Does the lock file list names only, and not the requested ranges?"""
        return not (self.lock.asked or self.lock.requested_ranges)


class _Mismatch(NamedTuple):
    """A requirement that the lock file does not satisfy, and how."""

    at: Location
    why: str
    name: str


def _pairs(head: SidePackages, change: Change | None) -> Iterator[_Pair]:
    """The manifests in question that have a lock file: all of a whole tree, those otherwise of which the change touched either file."""
    for path, manifest in sorted(head.manifests.items()):
        if is_test(path) or is_example(path) or path.endswith((".txt", ".gemspec")):
            continue
        pair = head.lock_of(path)
        if pair is None or manifest.registry in UNLOCKED_REGISTRIES or manifest.unread:
            continue
        if change is None or path in change.by_path or pair[0] in change.by_path:
            yield _Pair(path, manifest, *pair)


def _find_mismatches(
    pair: _Pair, head: SidePackages, before: Manifest | None, change: Change | None
) -> Iterator[_Mismatch]:
    """Requirements of a manifest that its lock file lacks; of Go only new ones may have incomplete checksums."""
    old = _requirements(before)
    for each, why in head.find_differences(pair.path, pair.name, pair.lock):
        if not has_only_go_mod_sum(each, pair.lock) or (old and (each.name, each.spec) not in old):
            yield _Mismatch(code_location(pair.path, each.line, each.line, quote=each.quote), why, each.name)
    changed = change.by_path if change is not None and before is not None else {}
    if pair.by_name and pair.path in changed and pair.name not in changed:
        yield from _new_unlocked(pair, old)


def _requirements(manifest: Manifest | None) -> frozenset[tuple[str, str]]:
    """Names and ranges of a manifest, where there is one."""
    return frozenset() if manifest is None else frozenset((each.name, each.spec) for each in manifest.dependencies)


def _new_unlocked(pair: _Pair, old: frozenset[tuple[str, str]]) -> Iterator[_Mismatch]:
    """New requirements where the lock file, which lists names only, is unchanged."""
    for each in pair.manifest.dependencies:
        if (each.name, each.spec) not in old and not each.unlocked and not each.spec.startswith(local_prefixes()):
            place = code_location(pair.path, each.line, each.line, quote=each.quote)
            yield _Mismatch(place, "changed without the lock file", each.name or each.quote)


def _out_of_step(apart: Sequence[_Mismatch]) -> Fact:
    whys = sorted({each.why for each in apart})
    return not_found(
        f"The lock file is out of date for {list_names(dict.fromkeys(each.name for each in apart))} ({', '.join(whys)}).",
        at=[each.at for each in apart],
        confidence=0.85,
        because="the package manager's rules were only partly reproduced",
    )


def _in_step(compared: Sequence[_Pair]) -> Fact:
    by_name = any(each.by_name for each in compared)
    return found(
        "The lock file matches its manifest."
        if len(compared) == 1
        else f"The lock files match all {len(compared):,} manifests.",
        at=[code_location(each.path) for each in compared[:20]],
        confidence=0.75 if by_name else 0.95,
        because="some lock files list names only" if by_name else "the locked versions were not resolved again",
    )
