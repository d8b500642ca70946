"""What a manifest asks for and its lock file does not hold, or holds otherwise."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from auditor.forensics.dependencies.dependency_types import COMPUTED, Dependency, Lock, Manifest, normal, ranged
from auditor.forensics.dependencies.version_ranges import lies_in
from auditor.lazy_regex import lazy_compile

LOCAL = ("workspace:", "link:", "file:", "portal:", "patch:", "catalog:", "path:", ".", "/")
"""How what is asked for begins that lies in the repository itself."""
MISSING = "missing from the lock file"
_OUTSIDE = "locked at a version outside the range"


def apart(
    manifest: Manifest, lock: Lock, inside: str, own: Container[str], forced: Container[str]
) -> Iterator[tuple[Dependency, str]]:
    """What a manifest asks for and its lock file does not hold in that way, and why.

    `inside` is the folder of the manifest as seen from that of the lock file, `own` names the projects of the tree
    itself, `forced` what has its version set for the whole workspace.
    """
    asked = lock.asked.get(inside)
    replaced = {each.name for each in manifest.dependencies if each.url.startswith("replaced by")}
    named = frozenset(asked_of for asked_of, _ in lock.pairs)
    for each in manifest.dependencies:
        if each.unlocked or each.spec.startswith(LOCAL) or each.name in own or each.name in replaced or not each.name:
            continue
        if asked is not None:
            why = _noted(each, asked, lock, at_root=not inside)
            if why and not (why == _OUTSIDE and each.name in forced):
                yield each, why
        elif lock.pairs and not each.url and each.spec != COMPUTED:
            why = _unpaired(each, lock, named)
            if why and not (why == _OUTSIDE and each.name in forced):
                yield each, why
        elif not lock.asked and normal(lock.registry, each.name) not in lock.names:
            yield each, MISSING
        elif not (lock.asked or each.url) and _all_outside(each, lock):
            yield each, _OUTSIDE


def _noted(each: Dependency, asked: Mapping[str, str], lock: Lock, *, at_root: bool) -> str:
    """What is wrong in a lock that notes what each folder asked for: that, or what it holds for it."""
    if each.name not in asked:
        return MISSING
    if each.url or each.name in lock.overridden or (each.registry == "nuget" and each.spec in {"", COMPUTED}):
        return ""  # a version that is kept centrally
    if asked[each.name] != each.spec:
        return "locked for another range"
    if each.spec.startswith("npm:"):
        return ""
    if lock.complete and each.name not in lock.names:
        return MISSING
    return _OUTSIDE if at_root and _all_outside(each, lock) else ""


def _unpaired(each: Dependency, lock: Lock, named: frozenset[str]) -> str:
    """What is wrong in a lock that notes what was asked for; a version tells of a name for which it does not."""
    spec = each.spec if lock.registry in {"npm", "go"} else ranged(each.spec)
    if each.name not in lock.names:
        return MISSING
    if (each.name, spec) in lock.pairs or (each.in_passing and is_summed_in_part(each, lock)):
        return _OUTSIDE if each.name not in lock.overridden and _all_outside(each, lock) else ""
    if each.name in named or not lock.versions:
        return "locked for another range"
    return _OUTSIDE if _all_outside(each, lock) else ""


def _all_outside(each: Dependency, lock: Lock) -> bool:
    """Is every version that the lock holds of a package certainly outside of what the manifest asks for?"""
    held = lock.versions.get(normal(lock.registry, each.name), frozenset())
    if lock.registry == "npm" and not _PLAIN_RANGE.fullmatch(each.spec.strip()):
        return False
    spec = re.sub(r"^~(?=\d)", "~>", each.spec) if lock.registry == "packagist" else each.spec
    bare = "^" if lock.registry == "crates" else "="
    return bool(held) and all(lies_in(version, spec, bare) is False for version in held)


_PLAIN_RANGE = lazy_compile(r"[\^~]\s?v?\d+(?:\.\d+){0,2}|=?v?\d+\.\d+\.\d+")
"""Ranges that mean the same in npm as elsewhere: a number of fewer parts without a sign is a whole row of versions there."""


def is_summed_in_part(each: Dependency, lock: Lock) -> bool:
    """Has a module of Go the sum of its `go.mod` alone? One that is used on some systems only may have long been so."""
    pair = each.name, each.spec
    return lock.registry == "go" and pair not in lock.pairs and (each.name, f"{each.spec}/go.mod") in lock.pairs
