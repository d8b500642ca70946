"""Whether packages come from elsewhere than their registry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.facts_for_each_package import package_facts, package_site
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import SidePackages
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
    """Do packages come from elsewhere than the registry?

    Git repositories, addresses and archives, and settings that name a further registry; paths inside the repository are no
    other source. Packages of Swift all come from repositories, of which only a branch counts.

    Take a released version from the registry; where that cannot be, name a full commit id and say why.
    """

    def reading(side: SidePackages, path: str, _manifest: Manifest, each: Dependency) -> LocatedSite | None:
        if each.url.startswith("replaced by"):
            return package_site(
                path, each, "A module is replaced by another one.", 0.8, "the other may be an honest fork"
            )
        if not each.url:
            return None
        if _COMMIT.search(each.url) or side.holds(path, each):
            return package_site(
                path,
                each,
                "A package comes from an address outside the registry, at a fixed content.",
                0.6,
                "a fixed content cannot be changed unseen",
            )
        if _REPOSITORY.search(each.url):
            return package_site(
                path,
                each,
                "A package comes from a repository at a branch or tag that can move.",
                0.9,
                "a tag may be protected there",
            )
        return package_site(
            path,
            each,
            "A package comes from an address outside the registry.",
            0.9,
            "what stands there was not looked at",
        )

    none = "Every package comes from its registry."
    yield from package_facts(manifests, change, reading, none, _file_sites, excluded_registries=frozenset({"images"}))


def _file_sites(side: SidePackages, path: str) -> Iterator[LocatedSite]:
    """Sites of a whole file: further indexes, and lock entries from another host."""
    for number, line in side.manifests[path].index_lines if path in side.manifests else ():
        yield LocatedSite(
            path,
            number,
            line,
            "Packages may be taken from a further index.",
            "index",
            0.7,
            "it may be the only one that is asked",
            in_tests=is_test(path),
        )
    for number, line in side.locks[path].elsewhere if path in side.locks else ():
        yield LocatedSite(
            path,
            number,
            line,
            "A lock file takes a package from another host than the rest.",
            "lock",
            0.7,
            "a mirror may be meant",
            in_tests=is_test(path),
        )
