"""What packages serve before and after a change, by their manifests and the modules that pass names on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from auditor.domain import EntryKind, TreeEntry
from auditor.forensics.engine.gathering_context import GatheringContext, read_texts
from auditor.forensics.public_api import package_reachability
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.init_reexports import find_package_inits, find_public_siblings
from auditor.forensics.public_api.package_reachability import Exposure
from auditor.forensics.source_text.file_roles import Role, role
from auditor.repo.git_objects import BlobReader

_MAX_MODULE_BYTES = 300_000
_MAX_PACKAGES = 100
_MAX_NEARBY_MODULES = 100
"""Public modules beside private ones that are read for what they pass on."""


def public_surfaces(order: GatheringContext, reader: BlobReader) -> PublicSurfaces:
    """What packages serve before and after: files that the change left alone are the same on both sides."""
    if order.changes is None:
        return PublicSurfaces()
    touched = frozenset(file.head.path for file in order.changes or () if file.head is not None)
    base = {path: each for path, each in order.head.items() if path not in touched} | dict(order.selection.base)
    changed = order.selection.head, order.selection.base
    named = [
        {**package_reachability.gem_exposure(paths, files), **package_reachability.composer_exposure(paths, files)}
        for paths, files in zip(changed, (frozenset(order.head), frozenset(base)), strict=True)
    ]
    if package_reachability.has_export_manifest([*order.head, *base]):
        head, before = named
    else:
        head, before = (
            {**package_reachability.exposure_without_manifest(paths), **each}
            for paths, each in zip(changed, named, strict=True)
        )
    private = [path for each in changed for path in each]
    around = sorted(find_public_siblings(private, {**order.head, **base}).items())
    product = ((path, names) for path, names in around if role(path) is Role.PRODUCT)
    near = dict(
        islice(product, _MAX_NEARBY_MODULES)
    )  # the same of both sides: else what was left out of one would be gone
    return PublicSurfaces(
        {**_surface(order, order.head, near, reader), **head}, {**_surface(order, base, near, reader), **before}
    )


def _surface(
    order: GatheringContext, side: Mapping[str, TreeEntry], near: Mapping[str, frozenset[str]], reader: BlobReader
) -> Mapping[str, Exposure]:
    files = frozenset(path for path, each in side.items() if each.kind is EntryKind.FILE)
    changed = [*order.selection.head, *order.selection.base]

    def read(paths: list[str]) -> Mapping[str, str]:
        wanted = {path: side[path] for path in paths}
        order.repo.prepare(each.blob for each in wanted.values())
        return {path: text for path, text in read_texts(wanted, reader, _MAX_MODULE_BYTES).items() if text is not None}

    texts = read(sorted(package_reachability.nearest_manifests(changed, files))[:_MAX_PACKAGES])
    starts = {
        entry: path
        for path, text in texts.items()
        for entry in package_reachability.package_entry_points(path, text, files)
    }
    passing = {front: front for front in sorted(find_package_inits(changed, files))[:_MAX_PACKAGES]}
    told = read([path for path in near if path in files])
    passing |= {path: path for path, text in told.items() if any(name in text for name in near[path])}
    return package_reachability.follow_reexports({**starts, **passing}, files, read)
