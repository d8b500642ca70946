"""Whether packages and container images have a fixed version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import COMPUTED_RANGE, Dependency, Manifest
from auditor.forensics.dependencies.facts_for_each_package import package_facts, package_site
from auditor.forensics.dependencies.manifest_formats import resolve_path
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import SidePackages, is_requirements_list
from auditor.forensics.dependencies.maven_gradle import MANAGED_VERSION, is_floating
from auditor.forensics.dependencies.registry_hosts import local_prefixes
from auditor.forensics.library_models.unpinned_versions import unpinned_versions
from auditor.forensics.probe_kit.located_facts import LocatedSite
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.row_tables import names_of

_ANY = names_of(unpinned_versions().any_version) | {""}


@probe("dependencies.unpinned")
def unpinned(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Are packages or container images unpinned?

    Counts: a package without a version or with a moving one (`latest`, `4.+`), a package from a branch, a range that is missing from
    the lock file of its manifest, and an image without a tag or with a moving one (`latest`) that is not built in the repository.
    Does not count: a range without any lock file, a version from a constraints file, a parent, a platform or a central list, and a
    package that is locked at another version (`dependencies.lock_in_step` reports it).

    Set a version or a tested range. If this project is deployed, also commit its lock file.
    """
    share = cache(_unpinned_share)

    def reading(side: SidePackages, path: str, manifest: Manifest, each: Dependency) -> LocatedSite | None:
        if each.unlocked or each.spec.startswith((*local_prefixes(), COMPUTED_RANGE)) or side.holds(path, each):
            return None
        loosely = _unpinned_reason(side, path, manifest, each)
        if loosely is None:
            return None
        statement, confidence, because = loosely
        return package_site(path, each, statement, confidence, because, share(side, path))

    none = "Every package has a version, a range or a lock file entry."
    yield from package_facts(manifests, change, reading, none, _images_of, excluded_registries=frozenset({"settings"}))


def _unpinned_share(side: SidePackages, path: str) -> float:
    """The share of a manifest's packages whose version may change."""
    manifest = side.manifests[path]
    loose = sum(
        _unpinned_reason(side, path, manifest, each) is not None and not side.holds(path, each)
        for each in manifest.dependencies
    )
    return round(loose / len(manifest.dependencies), 4)


def _images_of(side: SidePackages, path: str) -> Iterator[LocatedSite]:
    """Container images without a fixed tag."""
    for each in side.manifests[path].images if path in side.manifests else ():
        name = each.name.rpartition("/")[2]
        if each.spec in _ANY_IMAGE and name not in side.project_words and not name.endswith(side.built_image_suffixes):
            yield package_site(
                path,
                each,
                "Image without a fixed tag, so its content can change: {names}.",
                0.7,
                "it may be built locally",
            )


_ANY_IMAGE = names_of(unpinned_versions().moving_tags) | {""}


UnpinnedReason = tuple[str, float, str]
"""How a package is unpinned: the statement, its confidence and the reason for the doubt."""


def _unpinned_reason(side: SidePackages, path: str, manifest: Manifest, each: Dependency) -> UnpinnedReason | None:
    if each.url:
        return _FROM_BRANCH if each.is_floating else None
    if not each.name or each.name in side.own or _is_pinned_elsewhere(side, path, manifest, each):
        return None
    if each.registry == "maven":
        return _java_unpinned_reason(each.spec)
    if _is_any(each) and not (each.registry == "nuget" and not each.spec and _has_central_versions(side, path)):
        library = path.endswith(".gemspec") or (manifest.registry == "pypi" and not is_requirements_list(path))
        return _ANY_OF_LIBRARY if library else _ANY_VERSION
    if side.applicable_lock(path) is not None and not each.spec.startswith("==") and _may_move(each):
        return _NOT_LOCKED_REASON
    return None


_FROM_BRANCH = (
    "Installed from a branch, so the version changes with every commit: {names}.",
    0.8,
    "the branch may be protected",
)
_ANY_OF_LIBRARY = ("{names} [has|have] no version constraint.", 0.6, "a library leaves the version to its users")
_ANY_VERSION = ("{names} [has|have] no version constraint.", 0.9, "constraints set elsewhere were not checked")
_NOT_LOCKED_REASON = (
    "{names} [is|are] missing from the lock file, so the installed version can change.",
    0.8,
    "it may be locked under another name",
)


def _java_unpinned_reason(spec: str) -> UnpinnedReason | None:
    if spec == MANAGED_VERSION or not spec:
        return None
    if is_floating(spec):
        return "{names} [asks|ask] for the newest version, whatever it is.", 0.9, "a lock file may be kept elsewhere"
    return None


def _is_a_range(each: Dependency) -> bool:
    """May another release fit tomorrow?"""
    spec = each.spec.strip()
    if each.registry == "conda":
        return spec.startswith((">", "<", "!", "~"))
    exact = re.match(r"^(?:===?\s*|=\s*|v)?\d[\w.+!-]*$", spec) is not None or spec.startswith(("npm:", "http"))
    return not exact


def _is_pinned_elsewhere(side: SidePackages, path: str, manifest: Manifest, each: Dependency) -> bool:
    """Does a list of exact versions in the same folder, or a named constraints file, hold the package?"""
    if each.registry != "pypi":
        return False
    folder = path.rpartition("/")[0]
    named = {resolve_path(path, other) for other in manifest.constraint_files}
    lists = [
        other
        for other in side.manifests
        if other != path
        and is_requirements_list(other)
        and (other in named or (not is_requirements_list(path) and other.rpartition("/")[0] == folder))
    ]
    return any(each.name in side.pinned_names(other) for other in lists)


def _may_move(each: Dependency) -> bool:
    """May another release fit tomorrow? A bare version of Rust is a range, one of Go is not."""
    if each.registry == "crates":
        return not each.spec.startswith("=")
    return each.registry not in {"go", "maven"} and _is_a_range(each)


def _has_central_versions(side: SidePackages, path: str) -> bool:
    """Does a file in or above the folder of a .NET project hold the versions of all?"""
    folders = [path[:at] for at, letter in enumerate(path) if letter == "/"][:_MAX_FOLDER_DEPTH]
    return any(f"{folder}/Directory.Packages.props".lstrip("/") in side.manifests for folder in ("", *folders))


_MAX_FOLDER_DEPTH = 40


def _is_any(dependency: Dependency) -> bool:
    if dependency.registry == "nuget" and "*" in dependency.spec:
        return True  # whatever is the newest of a row of versions
    return not dependency.url and dependency.spec.replace(" ", "") in _ANY
