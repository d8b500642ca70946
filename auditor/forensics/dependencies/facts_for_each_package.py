"""A rule that is checked for each package of a project: the findings, and where they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from auditor.domain import Fact
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.dependencies.manifest_pairs import SidePackages, read_both_sides
from auditor.forensics.probe_kit.fact_outcomes import list_names, not_applicable, not_found, unread_files
from auditor.forensics.probe_kit.located_facts import LocatedSite, located_facts
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.probe_kit.site_aggregation import Sites
from auditor.forensics.probe_kit.site_statements import agreeing
from auditor.forensics.source_text.file_roles import is_example, is_test

PackageCheck = Callable[[SidePackages, str, Manifest, Dependency], LocatedSite | None]
FileCheck = Callable[[SidePackages, str], Iterator[LocatedSite]]


def package_facts(
    manifests: Manifests,
    change: Change | None,
    check_package: PackageCheck,
    none_statement: str,
    check_file: FileCheck = lambda _side, _path: iter(()),
    excluded_registries: frozenset[str] = frozenset(),
) -> Iterator[Fact]:
    """The facts of a check of each package and of each file; `excluded_registries` are left out.

    `{names}` in the statement of a site becomes the names of the packages that have that statement, and of `[is|are]` the
    word that fits their number is kept.
    """
    head, base = read_both_sides(manifests)
    asked = {
        path: each for path, each in head.manifests.items()
        if path in manifests.in_scope and each.registry not in excluded_registries and (each.registry != "settings" or each.index_lines)
    }  # fmt: skip
    locks = [path for path in head.locks if path in manifests.in_scope]
    if not asked and not locks:
        yield not_applicable("No supported manifest is in scope.")
        return
    places = _package_sites(head, [*asked], locks, check_package, check_file)
    before = _package_sites(base, [*base.manifests], [*base.locks], check_package, check_file)
    yield from map(_with_package_names, located_facts(places, before, change))
    dark = {path: each.unread for path, each in asked.items() if each.unread}
    yield from unread_files(dark)
    if not places and len(dark) < len(asked) + len(locks):
        yield not_found(none_statement, confidence=0.9, because="transitive dependencies were not checked")


_MAX_NAME_LENGTH = 50


def _with_package_names(fact: Fact) -> Fact:
    """The fact with the packages of its sites named in the statement."""
    sites = fact.data.sites if isinstance(fact.data, Sites) else ()
    named = (each.call.partition(":")[2] or each.path for each in sites)
    names = dict.fromkeys(each.replace("`", "'")[:_MAX_NAME_LENGTH] for each in named)
    statement = agreeing(fact.statement, len(names)).replace("{names}", list_names(names))
    return fact.model_copy(update={"statement": statement})


def _package_sites(
    side: SidePackages, paths: Sequence[str], locks: Sequence[str], check_package: PackageCheck, check_file: FileCheck
) -> list[LocatedSite]:
    asked = ((path, side.manifests[path], each) for path in paths for each in side.manifests[path].dependencies)
    told = (check_package(side, *each) for each in asked)
    return [
        *(each for each in told if each is not None),
        *(each for path in (*paths, *locks) for each in check_file(side, path)),
    ]


def package_site(
    path: str, each: Dependency, statement: str, confidence: float, because: str, measure: float | None = None
) -> LocatedSite:
    """The site where a package is requested, with the statement about it."""
    return LocatedSite(
        path=path,
        line=each.line,
        quote=each.quote,
        statement=statement,
        what=f"{each.registry}:{each.name or _name_in_url(each.url)}",
        confidence=confidence,
        because=because,
        measure=measure,
        in_tests=is_test(path) or is_example(path),
    )


def _name_in_url(url: str) -> str:
    """What a package without a name is called: the last part of its address, as `sphinx` of `https://a.org/sphinx.git@1.0`."""
    address = re.split(r"[#?]", url)[0]
    path = address.partition("://")[2] or address
    repository = re.match(r"(?:[^/@]*@)?([^@]*)", path)  # before the name of a branch, which may have a slash
    return (repository[1] if repository else path).rstrip("/").rpartition("/")[2].removesuffix(".git")
