"""The manifests and lock files of each side of a change, read, and which lock file holds what a manifest asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest
from auditor.forensics.dependencies.format_table import unlocked_manifest_endings
from auditor.forensics.dependencies.lock_differences import MISSING_REASON, find_differences
from auditor.forensics.dependencies.manifest_formats import is_lock, is_package_file, read_lock, read_manifest
from auditor.forensics.dependencies.manifest_inputs import Manifests

_SAME_FOLDER_REGISTRIES = frozenset({"go", "gems", "nuget", "pods", "helm", "pub"})
"""Registries whose lock files are in the folder of the manifest, never above it."""
UNLOCKED_REGISTRIES = frozenset({"docker", "conda", "images", "settings"})
"""Kinds of manifests for which there are no lock files."""


def is_requirements_list(path: str) -> bool:
    """Is it a list of requirements, which is its own lock?"""
    return path.endswith((".txt", ".in"))


@dataclass(frozen=True, eq=False)
class SidePackages:
    """Manifests and lock files of one side, read."""

    texts: dict[str, str]
    other_side: SidePackages | None = None
    """The other side; its lock files that the change leaves alone count for this side too."""
    changed: frozenset[str] = frozenset()

    @cached_property
    def manifests(self) -> dict[str, Manifest]:
        """All that can be read, by path."""
        return {path: read_manifest(path, text) for path, text in self.texts.items() if is_package_file(path)}

    @cached_property
    def locks(self) -> dict[str, Lock]:
        """All lock files, by path."""
        return {path: read_lock(path, text) for path, text in self.texts.items() if is_lock(path)}

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of the projects in the tree itself."""
        return frozenset(each.own for each in self.manifests.values() if each.own)

    @cached_property
    def project_words(self) -> frozenset[str]:
        """Those names and their scopes, by which the images are called that are built of the projects."""
        return frozenset(part for name in self.own for part in (name, *name.lstrip("@").split("/")))

    @cached_property
    def built_image_suffixes(self) -> tuple[str, ...]:
        """Name endings of images that are called after the project and the folder of their Dockerfile."""
        recipes = (path for path, each in self.manifests.items() if each.registry == "docker")
        folders = {path.rpartition("/")[0].rpartition("/")[2] for path in recipes}
        return tuple(f"-{folder}" for folder in sorted(folders) if folder)

    def pinned_names(self, path: str) -> frozenset[str]:
        """The names that a list of requirements holds to one version."""
        if path not in self._pins_by_path:
            held = (each for each in self.manifests[path].dependencies if each.spec.startswith("=="))
            self._pins_by_path[path] = frozenset(each.name for each in held)
        return self._pins_by_path[path]

    def lock_of(self, path: str) -> tuple[str, Lock] | None:
        """The lock file that holds what a manifest asks for: in its folder, or above it where workspaces share one."""
        if path.lower().endswith(unlocked_manifest_endings()):
            return None
        if path.endswith(".in"):
            return self._compiled_requirements(path)
        registry = self.manifests[path].registry
        own = folder = path.rpartition("/")[0]
        nearest: tuple[str, Lock] | None = None
        while True:
            for name, lock in self._by_folder.get(folder, ()):
                if lock.registry == registry and nearest is None:
                    nearest = name, lock
                elif lock.registry == registry == "npm" and own.removeprefix(folder).strip("/") in lock.asked:
                    return name, lock  # a package manager reads no other where a workspace has one
            if not folder or registry in _SAME_FOLDER_REGISTRIES:
                return nearest
            folder = folder.rpartition("/")[0]

    @cached_property
    def _by_folder(self) -> dict[str, list[tuple[str, Lock]]]:
        found: dict[str, list[tuple[str, Lock]]] = {}
        others = {} if self.other_side is None else self.other_side.locks
        same = {name: lock for name, lock in others.items() if name not in self.changed}
        for name, lock in sorted({**same, **self.locks}.items()):
            found.setdefault(name.rpartition("/")[0], []).append((name, lock))
        return found

    def _compiled_requirements(self, path: str) -> tuple[str, Lock] | None:
        """For `x.in`, the `x.txt` next to it when that pins packages."""
        name = f"{path.removesuffix('.in')}.txt"
        if name not in self.manifests or not self.pinned_names(name):
            return None
        held = self.manifests[name].dependencies
        versions = {each.name: frozenset({each.spec.lstrip("= ")}) for each in held if each.spec.startswith("==")}
        return name, Lock("pypi", frozenset(each.name for each in held), versions=versions)

    def applicable_lock(self, path: str) -> tuple[str, Lock] | None:
        """The lock file that a manifest has, where there are such files for its kind."""
        return (
            None
            if is_requirements_list(path) or self.manifests[path].registry in UNLOCKED_REGISTRIES
            else self.lock_of(path)
        )

    def holds(self, path: str, each: Dependency) -> bool:
        """Does a lock file, or for `x.in` the `x.txt` next to it, hold the requested package?"""
        if is_requirements_list(path):
            return path.endswith(".in") and f"{path.removesuffix('.in')}.txt" in self.texts
        return self.applicable_lock(path) is not None and each.name not in self._missing_names(path)

    def find_differences(self, path: str, name: str, lock: Lock) -> Iterator[tuple[Dependency, str]]:
        """What the manifest requests and the named lock file does not hold like that, and why."""
        manifest = self.manifests[path]
        root = name.rpartition("/")[0]
        inside = path.rpartition("/")[0].removeprefix(root).strip("/")
        above = self.manifests.get(f"{root}/package.json".lstrip("/"))  # sets versions for a whole workspace
        forced = manifest.overridden_names if above is None else above.overridden_names | manifest.overridden_names
        return find_differences(manifest, lock, inside, self.own, forced)

    def _missing_names(self, path: str) -> frozenset[str]:
        """The names that a manifest asks for and the lock file, which can be read, does not hold."""
        if path not in self._missing_by_path:
            pair = self.lock_of(path)
            told = () if pair is None or pair[1].unread else self.find_differences(path, *pair)
            self._missing_by_path[path] = frozenset(each.name for each, why in told if why == MISSING_REASON)
        return self._missing_by_path[path]

    @cached_property
    def _missing_by_path(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _pins_by_path(self) -> dict[str, frozenset[str]]:
        return {}


def read_both_sides(manifests: Manifests) -> tuple[SidePackages, SidePackages]:
    """Those of the head and of the base."""
    head, base = (
        {path: text for path, text in side.items() if text is not None} for side in (manifests.head, manifests.base)
    )
    after = SidePackages(head)
    return after, SidePackages(base, other_side=after, changed=manifests.in_scope)
