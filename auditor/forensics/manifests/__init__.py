"""What manifests ask for and what lock files hold, read from hostile text without running anything.

Manifests are parsed whole; lock files, which tools write in a fixed form, are read line by line, in time that grows
with their length. What cannot be read is a value with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from posixpath import join, normpath

from auditor.forensics.manifests.apple import package_resolved, package_swift, podfile, podfile_lock
from auditor.forensics.manifests.cargo import cargo, cargo_config
from auditor.forensics.manifests.charts import chart, chart_lock
from auditor.forensics.manifests.composer import composer, composer_lock
from auditor.forensics.manifests.conda import environment
from auditor.forensics.manifests.dart import pubspec, pubspec_lock
from auditor.forensics.manifests.deno import deno_json, deno_lock
from auditor.forensics.manifests.elixir import mix, mix_lock
from auditor.forensics.manifests.gems import gemfile, gemfile_lock, gemspec
from auditor.forensics.manifests.go import go_mod, go_sum
from auditor.forensics.manifests.images import compose, dockerfile
from auditor.forensics.manifests.jvm import catalog, gradle, gradle_lock, pom
from auditor.forensics.manifests.npm import bun_lock, package_json, package_lock, pnpm_lock, unreadable, yarn_lock
from auditor.forensics.manifests.nuget import nuget_config, packages_config, packages_lock, project
from auditor.forensics.manifests.places import npmrc, pip_conf, yarnrc
from auditor.forensics.manifests.pyproject import pipfile, pipfile_lock, pyproject, uv_lock
from auditor.forensics.manifests.requirements import requirements
from auditor.forensics.manifests.sbt import sbt
from auditor.forensics.manifests.setuptools import setup_cfg, setup_py
from auditor.forensics.manifests.tables import tables
from auditor.forensics.manifests.wanted import Lock, Manifest
from auditor.late import late

MAX_MANIFEST = 500_000
MAX_LOCK = 20_000_000
_TROUBLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError, MemoryError)


def is_manifest(path: str) -> bool:
    """Is it a file that asks for packages?"""
    reader = _manifest_reader(path)
    return reader is not None and reader[0] not in _BESIDE_PACKAGES


def tells_of_packages(path: str) -> bool:
    """Does it ask for packages or images, or say where they are taken from?"""
    return _manifest_reader(path) is not None


_BESIDE_PACKAGES = frozenset({"images", "settings"})


def is_lock(path: str) -> bool:
    """Is it a lock file that can be read?"""
    return _lock_reader(path) is not None


def _lock_reader(path: str) -> tuple[str, Callable[[str], Lock]] | None:
    name = path.rpartition("/")[2].lower()
    return _LOCKS["pylock.toml"] if _PYLOCK.match(name) else _LOCKS.get(name)


_PYLOCK = late(r"^pylock(?:\.[\w-]+)?\.toml$")


@lru_cache(maxsize=256)
def read_manifest(path: str, text: str) -> Manifest:
    """What a manifest asks for; several questions are about the same ones."""
    reader = _manifest_reader(path)
    assert reader is not None, "only manifests are read"
    registry, read = reader
    if len(text) > MAX_MANIFEST:
        return Manifest(registry, unread=f"larger than {MAX_MANIFEST:,} characters")
    try:
        return read(text.removeprefix("\ufeff"))
    except _TROUBLE as error:
        return Manifest(registry, unread=_fault(error))


def read_lock(path: str, text: str) -> Lock:
    """What a lock file holds."""
    reader = _lock_reader(path)
    assert reader is not None, "only lock files are read"
    registry, read = reader
    if len(text) > MAX_LOCK:
        return Lock(registry, unread=f"larger than {MAX_LOCK:,} characters")
    try:
        return read(text)
    except _TROUBLE as error:
        return Lock(registry, unread=_fault(error))


def _fault(error: Exception) -> str:
    """What is wrong with a file that could not be parsed, in words."""
    form = _FORMS.get(type(error).__name__)
    return f"it is not valid {form}" if form else "it is not in the form of its kind"


_FORMS = {"JSONDecodeError": "JSON", "TOMLDecodeError": "TOML"}


Reader = tuple[str, Callable[[str], Manifest]]
_MANIFESTS: dict[str, Reader] = {
    "pyproject.toml": ("pypi", pyproject),
    "pipfile": ("pypi", pipfile),
    "package.json": ("npm", package_json),
    "cargo.toml": ("crates", cargo),
    "go.mod": ("go", go_mod),
    "gemfile": ("gems", gemfile),
    "pom.xml": ("maven", pom),
    "build.gradle": ("maven", gradle),
    "build.gradle.kts": ("maven", gradle),
    "settings.gradle": ("maven", gradle),
    "settings.gradle.kts": ("maven", gradle),
    "libs.versions.toml": ("maven", catalog),
    "composer.json": ("packagist", composer),
    "gems.rb": ("gems", gemfile),
    "setup.cfg": ("pypi", setup_cfg),
    "setup.py": ("pypi", setup_py),
    "environment.yml": ("conda", environment),
    "environment.yaml": ("conda", environment),
    "directory.packages.props": ("nuget", project),
    "packages.config": ("nuget", packages_config),
    "nuget.config": ("settings", nuget_config),
    "pubspec.yaml": ("pub", pubspec),
    "mix.exs": ("hex", mix),
    "package.swift": ("swift", package_swift),
    "podfile": ("pods", podfile),
    "deno.json": ("deno", deno_json),
    "deno.jsonc": ("deno", deno_json),
    "import_map.json": ("deno", deno_json),
    "chart.yaml": ("helm", chart),
    ".npmrc": ("settings", npmrc),
    ".yarnrc": ("settings", yarnrc),
    ".yarnrc.yml": ("settings", yarnrc),
    "pip.conf": ("settings", pip_conf),
}
_BY_SUFFIX: dict[str, Reader] = {
    "csproj": ("nuget", project),
    "fsproj": ("nuget", project),
    "vbproj": ("nuget", project),
    "gemspec": ("gems", gemspec),
    "sbt": ("maven", sbt),
}
_PIP = late(
    r"(?:^|/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)|[\w.-]*constraints[\w.-]*\.txt)$",
    re.IGNORECASE,
)
_DOCKER = late(r"(?:^|/)(?:(?:Docker|Container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile)$", re.IGNORECASE)

_CARGO_SETTINGS = late(r"(?:^|/)\.cargo/config(?:\.toml)?$")
_COMPOSE = late(r"(?:^|/)(?:docker-)?compose(?:[.-][\w.-]{1,60})?\.ya?ml$", re.IGNORECASE)


def _manifest_reader(path: str) -> Reader | None:
    known = _MANIFESTS.get(path.rpartition("/")[2].lower())
    if known is None and _PIP.search(path):
        return "pypi", requirements
    if known is None and _DOCKER.search(path):
        return "docker", dockerfile
    if known is None and _CARGO_SETTINGS.search(path):
        return "settings", cargo_config
    if known is None and _COMPOSE.search(path):
        return "images", compose
    return known or _BY_SUFFIX.get(path.rpartition(".")[2].lower())


def beside(path: str, other: str) -> str:
    """The path in the repository of a file that another one names."""
    return normpath(join(path.rpartition("/")[0], other))


_LOCKS: dict[str, tuple[str, Callable[[str], Lock]]] = {
    "package-lock.json": ("npm", package_lock),
    "npm-shrinkwrap.json": ("npm", package_lock),
    "yarn.lock": ("npm", yarn_lock),
    "pnpm-lock.yaml": ("npm", pnpm_lock),
    "bun.lock": ("npm", bun_lock),
    "bun.lockb": ("npm", unreadable),
    "uv.lock": ("pypi", uv_lock),
    "pylock.toml": ("pypi", tables("pypi")),
    "composer.lock": ("packagist", composer_lock),
    "gradle.lockfile": ("maven", gradle_lock),
    "gems.locked": ("gems", gemfile_lock),
    "poetry.lock": ("pypi", tables("pypi")),
    "pdm.lock": ("pypi", tables("pypi")),
    "cargo.lock": ("crates", tables("crates")),
    "pipfile.lock": ("pypi", pipfile_lock),
    "go.sum": ("go", go_sum),
    "gemfile.lock": ("gems", gemfile_lock),
    "packages.lock.json": ("nuget", packages_lock),
    "pubspec.lock": ("pub", pubspec_lock),
    "mix.lock": ("hex", mix_lock),
    "package.resolved": ("swift", package_resolved),
    "podfile.lock": ("pods", podfile_lock),
    "deno.lock": ("deno", deno_lock),
    "chart.lock": ("helm", chart_lock),
}
