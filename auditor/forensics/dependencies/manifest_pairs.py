"""The manifests and lock files of each side of a change, read, and which lock file holds what a manifest asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest
from auditor.forensics.dependencies.lock_differences import MISSING, apart
from auditor.forensics.dependencies.manifest_formats import is_lock, read_lock, read_manifest, tells_of_packages
from auditor.forensics.dependencies.manifest_inputs import Manifests

_OWN_LOCKS = (
    "setup.cfg",
    "setup.py",
    "settings.gradle",
    "settings.gradle.kts",
    ".sbt",
    "packages.props",
    "packages.config",
)
"""Manifests that no lock file is made from."""
_BESIDE = frozenset({"go", "gems", "nuget", "pods", "helm", "pub"})
"""Registries whose lock files stand beside their manifests and nowhere above."""
UNLOCKED = frozenset({"docker", "conda", "images", "settings"})
"""Kinds of manifests for which there are no lock files."""


def is_flat(path: str) -> bool:
    """A list of requirements is its own lock, and nothing locks what a Dockerfile has installed."""
    return path.endswith((".txt", ".in"))


@dataclass(frozen=True, eq=False)
class Packages:
    """Manifests and lock files of one side, read."""

    texts: dict[str, str]
    left_alone: Packages | None = None
    """The other side, of which lock files that the change leaves alone are held here too."""
    changed: frozenset[str] = frozenset()

    @cached_property
    def manifests(self) -> dict[str, Manifest]:
        """All that can be read, by path."""
        return {path: read_manifest(path, text) for path, text in self.texts.items() if tells_of_packages(path)}

    @cached_property
    def locks(self) -> dict[str, Lock]:
        """All lock files, by path."""
        return {path: read_lock(path, text) for path, text in self.texts.items() if is_lock(path)}

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of the projects in the tree itself."""
        return frozenset(each.own for each in self.manifests.values() if each.own)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Those names and their scopes, by which the images are called that are built of the projects."""
        return frozenset(part for name in self.own for part in (name, *name.lstrip("@").split("/")))

    @cached_property
    def images_made(self) -> tuple[str, ...]:
        """How images end that are called by the folder of their Dockerfile behind the name of the project."""
        recipes = (path for path, each in self.manifests.items() if each.registry == "docker")
        folders = {path.rpartition("/")[0].rpartition("/")[2] for path in recipes}
        return tuple(f"-{folder}" for folder in sorted(folders) if folder)

    def pins(self, path: str) -> frozenset[str]:
        """The names that a list of requirements holds to one version."""
        if path not in self._pins:
            held = (each for each in self.manifests[path].dependencies if each.spec.startswith("=="))
            self._pins[path] = frozenset(each.name for each in held)
        return self._pins[path]

    def lock_of(self, path: str) -> tuple[str, Lock] | None:
        """The lock file that holds what a manifest asks for: in its folder, or above it where workspaces share one."""
        if path.lower().endswith(_OWN_LOCKS):
            return None
        if path.endswith(".in"):
            return self._compiled(path)
        registry = self.manifests[path].registry
        own = folder = path.rpartition("/")[0]
        nearest: tuple[str, Lock] | None = None
        while True:
            for name, lock in self._by_folder.get(folder, ()):
                if lock.registry == registry and nearest is None:
                    nearest = name, lock
                elif lock.registry == registry == "npm" and own.removeprefix(folder).strip("/") in lock.asked:
                    return name, lock  # a package manager reads no other where a workspace has one
            if not folder or registry in _BESIDE:
                return nearest
            folder = folder.rpartition("/")[0]

    @cached_property
    def _by_folder(self) -> dict[str, list[tuple[str, Lock]]]:
        found: dict[str, list[tuple[str, Lock]]] = {}
        others = {} if self.left_alone is None else self.left_alone.locks
        same = {name: lock for name, lock in others.items() if name not in self.changed}
        for name, lock in sorted({**same, **self.locks}.items()):
            found.setdefault(name.rpartition("/")[0], []).append((name, lock))
        return found

    def _compiled(self, path: str) -> tuple[str, Lock] | None:
        """For `x.in` the `x.txt` beside it, when it holds packages to one version each."""
        name = f"{path.removesuffix('.in')}.txt"
        if name not in self.manifests or not self.pins(name):
            return None
        held = self.manifests[name].dependencies
        versions = {each.name: frozenset({each.spec.lstrip("= ")}) for each in held if each.spec.startswith("==")}
        return name, Lock("pypi", frozenset(each.name for each in held), versions=versions)

    def locked(self, path: str) -> tuple[str, Lock] | None:
        """The lock file that a manifest has, where there are such files for its kind."""
        return None if is_flat(path) or self.manifests[path].registry in UNLOCKED else self.lock_of(path)

    def holds(self, path: str, each: Dependency) -> bool:
        """Does a lock file, or for `x.in` the `x.txt` beside it, hold a package that the manifest asks for?"""
        if is_flat(path):
            return path.endswith(".in") and f"{path.removesuffix('.in')}.txt" in self.texts
        return self.locked(path) is not None and each.name not in self._left_out(path)

    def apart(self, path: str, name: str, lock: Lock) -> Iterator[tuple[Dependency, str]]:
        """What a manifest asks for and this lock file, of that name, does not hold in that way, and why."""
        manifest = self.manifests[path]
        root = name.rpartition("/")[0]
        inside = path.rpartition("/")[0].removeprefix(root).strip("/")
        above = self.manifests.get(f"{root}/package.json".lstrip("/"))  # sets versions for a whole workspace
        forced = manifest.forced if above is None else above.forced | manifest.forced
        return apart(manifest, lock, inside, self.own, forced)

    def _left_out(self, path: str) -> frozenset[str]:
        """The names that a manifest asks for and the lock file, which can be read, does not hold."""
        if path not in self._missing:
            pair = self.lock_of(path)
            told = () if pair is None or pair[1].unread else self.apart(path, *pair)
            self._missing[path] = frozenset(each.name for each, why in told if why == MISSING)
        return self._missing[path]

    @cached_property
    def _missing(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _pins(self) -> dict[str, frozenset[str]]:
        return {}


def both_sides(manifests: Manifests) -> tuple[Packages, Packages]:
    """Those of the head and of the base."""
    head, base = (
        {path: text for path, text in side.items() if text is not None} for side in (manifests.head, manifests.base)
    )
    after = Packages(head)
    return after, Packages(base, left_alone=after, changed=manifests.in_scope)
