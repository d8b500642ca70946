"""What a manifest asks for and its lock file does not hold, or holds otherwise."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from auditor.forensics.dependencies.dependency_types import (
    COMPUTED_RANGE,
    Dependency,
    Lock,
    Manifest,
    normalize_name,
    normalize_range,
)
from auditor.forensics.dependencies.registry_hosts import local_prefixes
from auditor.forensics.dependencies.version_ranges import is_in_range
from auditor.lazy_regex import lazy_compile

MISSING_REASON = "not in the lock file"
_OUT_OF_RANGE_REASON = "locked version outside the range"


def find_differences(
    manifest: Manifest, lock: Lock, folder: str, project_names: Container[str], overridden_names: Container[str]
) -> Iterator[tuple[Dependency, str]]:
    """What a manifest asks for and its lock file does not hold in that way, and why.

    `folder` is the folder of the manifest as seen from that of the lock file, `project_names` names the projects of the tree
    itself, `overridden_names` what has its version set for the whole workspace.
    """
    asked = lock.asked.get(folder)
    replaced = {each.name for each in manifest.dependencies if each.url.startswith("replaced by")}
    named = frozenset(asked_of for asked_of, _ in lock.requested_ranges)
    for each in manifest.dependencies:
        if (
            each.unlocked
            or each.spec.startswith(local_prefixes())
            or each.name in project_names
            or each.name in replaced
            or not each.name
        ):
            continue
        if asked is not None:
            why = _folder_difference(each, asked, lock, at_root=not folder)
            if why and not (why == _OUT_OF_RANGE_REASON and each.name in overridden_names):
                yield each, why
        elif lock.requested_ranges and not each.url and each.spec != COMPUTED_RANGE:
            why = _range_difference(each, lock, named)
            if why and not (why == _OUT_OF_RANGE_REASON and each.name in overridden_names):
                yield each, why
        elif not lock.asked and normalize_name(lock.registry, each.name) not in lock.names:
            if not each.is_conditional:
                yield each, MISSING_REASON
        elif not (lock.asked or each.url) and _all_out_of_range(each, lock):
            yield each, _OUT_OF_RANGE_REASON


def _folder_difference(each: Dependency, asked: Mapping[str, str], lock: Lock, *, at_root: bool) -> str:
    """The difference to a lock that notes what each folder requested, or to what it holds; empty if none."""
    if each.name not in asked:
        return MISSING_REASON
    if (
        each.url
        or each.name in lock.overridden_names
        or (each.registry == "nuget" and each.spec in {"", COMPUTED_RANGE})
    ):
        return ""  # a version that is kept centrally
    if asked[each.name] != each.spec:
        return "locked for a different range"
    if each.spec.startswith("npm:"):
        return ""
    if lock.complete and each.name not in lock.names:
        return MISSING_REASON
    return _OUT_OF_RANGE_REASON if at_root and _all_out_of_range(each, lock) else ""


def _range_difference(each: Dependency, lock: Lock, named: frozenset[str]) -> str:
    """The difference to a lock that notes requested ranges, or else to the versions it holds; empty if none."""
    spec = each.spec if lock.registry in {"npm", "go"} else normalize_range(each.spec)
    if each.name not in lock.names:
        return MISSING_REASON
    if (each.name, spec) in lock.requested_ranges or (each.is_indirect and has_only_go_mod_sum(each, lock)):
        return _OUT_OF_RANGE_REASON if each.name not in lock.overridden_names and _all_out_of_range(each, lock) else ""
    if each.name in named or not lock.versions:
        return "locked for a different range"
    return _OUT_OF_RANGE_REASON if _all_out_of_range(each, lock) else ""


def _all_out_of_range(each: Dependency, lock: Lock) -> bool:
    """Is every locked version of a package certainly outside the requested range?"""
    held = lock.versions.get(normalize_name(lock.registry, each.name), frozenset())
    if lock.registry == "npm" and not _PLAIN_RANGE.fullmatch(each.spec.strip()):
        return False
    spec = re.sub(r"^~(?=\d)", "~>", each.spec) if lock.registry == "packagist" else each.spec
    bare = "^" if lock.registry == "crates" else "="
    return bool(held) and all(is_in_range(version, spec, bare) is False for version in held)


_PLAIN_RANGE = lazy_compile(r"[\^~]\s?v?\d+(?:\.\d+){0,2}|=?v?\d+\.\d+\.\d+")
"""Ranges that mean the same in npm as elsewhere: a number of fewer parts without a sign is a whole row of versions there."""


def has_only_go_mod_sum(each: Dependency, lock: Lock) -> bool:
    """Has a module of Go the sum of its `go.mod` alone? One that is used on some systems only may have long been so."""
    pair = each.name, each.spec
    return (
        lock.registry == "go"
        and pair not in lock.requested_ranges
        and (each.name, f"{each.spec}/go.mod") in lock.requested_ranges
    )
