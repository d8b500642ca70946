"""Whether packages come from elsewhere than their registry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.facts_for_each_package import package_facts, package_site
from auditor.forensics.dependencies.lock_hosts import is_registry_host
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import SidePackages, read_both_sides
from auditor.forensics.probe_kit.located_facts import LocatedSite
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_roles import is_test

_COMMIT = re.compile(r"[#@/=][0-9a-f]{40}(?:$|[#&/.])|[#&]commit[=:][0-9a-f]{7,40}|#[0-9a-f]{7,40}$|sha256[:=-]")
_REPOSITORY = re.compile(
    r"^(?:git|hg|svn|bzr)[+:@]|^ssh://|\.git(?:[#@]|$)|^(?:github|gitlab|bitbucket|gist):|^[\w.-]+/[\w.-]+(?:#|$)"
)


@probe("dependencies.from_url")
def from_url(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Are packages installed from outside their registry?

    Counts: a package from a Git repository, a URL or an archive, a setting that adds another package index, and a lock file
    entry from another host than the rest, or than all before the change. Does not count: a path inside the repository, and a Swift package unless it follows
    a branch, because all Swift packages are installed from repositories.

    Use a released version from the registry. If there is none, pin a full commit ID and say why.
    """

    def reading(side: SidePackages, path: str, _manifest: Manifest, each: Dependency) -> LocatedSite | None:
        return package_site(path, each, *_source_phrase(side, path, each)) if each.url else None

    known = _hosts_before(manifests)

    def file_sites(side: SidePackages, path: str) -> Iterator[LocatedSite]:
        yield from _file_sites(side, path)
        yield from _new_host_sites(side, path, known)

    none = "Every package is installed from its registry."
    yield from package_facts(manifests, change, reading, none, file_sites, excluded_registries=frozenset({"images"}))


def _source_phrase(side: SidePackages, path: str, each: Dependency) -> tuple[str, float, str]:
    """What is said of a package that comes from an address, how sure it is, and why no surer."""
    if each.url.startswith("replaced by"):
        fork = "the replacement may be a legitimate fork"
        return "A `replace` directive puts other code in place of {names}.", 0.8, fork
    if _COMMIT.search(each.url) or side.holds(path, each):
        says = "{names} [is|are] installed from a commit or an archive, not from a registry release."
        return says, 0.6, "pinned content cannot change unnoticed"
    if _REPOSITORY.search(each.url):
        says = "{names} [is|are] installed from a branch, a tag or a shortened commit ID, not from a registry release."
        return says, 0.9, "the branch or tag may be protected"
    says = "{names} [is|are] installed from a URL, whose content can change, not from a registry release."
    return says, 0.9, "the content of the URL was not checked"


def _hosts_before(manifests: Manifests) -> frozenset[str]:
    """Hosts of all lock files on the base side."""
    _, base = read_both_sides(manifests)
    return frozenset(host for lock in base.locks.values() for host in lock.hosts)


def _new_host_sites(side: SidePackages, path: str, known: frozenset[str]) -> Iterator[LocatedSite]:
    """Sites of hosts that no lock file named before, where all entries moved to them; none without an earlier lock file."""
    lock = side.locks.get(path)
    if lock is None or not known:
        return
    said = "A lock file entry in {names} uses a host that no lock file used before."
    for host, row in lock.hosts.items():
        if host not in known and not is_registry_host(host) and row not in lock.elsewhere:
            yield _file_site(path, row, said, f"lock:{host}", 0.7, "the host may be a mirror")


def _file_sites(side: SidePackages, path: str) -> Iterator[LocatedSite]:
    """Sites of a whole file: further indexes, and lock entries from another host."""
    said = "{names} [adds|add] another package index, which can replace packages of the same name."
    for row in side.manifests[path].index_lines if path in side.manifests else ():
        yield _file_site(path, row, said, "index", 0.7, "it may be the only index in use")
    lock = side.locks.get(path)
    if lock is None:
        return
    said = "A package in {names} comes from another host than the other packages."
    for row in lock.elsewhere:
        yield _file_site(path, row, said, "lock", 0.7, "the host may be a mirror")
    said = "A lock file entry in {names} installs another package than the one that it names."
    for row in lock.swapped:
        yield _file_site(path, row, said, f"swapped:{row[1]}", 0.9, "the package may have been renamed")


def _file_site(
    path: str, row: tuple[int, str], statement: str, what: str, confidence: float, because: str
) -> LocatedSite:
    return LocatedSite(path, *row, statement, what, confidence, because, in_tests=is_test(path))
