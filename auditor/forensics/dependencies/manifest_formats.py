"""What manifests ask for and what lock files hold, read from hostile text without running anything.

Manifests are parsed whole; lock files, which tools write in a fixed form, are read line by line, in time that grows
with their length. What cannot be read is a value with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from posixpath import join, normpath
from typing import Any

from auditor.forensics.dependencies.dependency_types import Lock, Manifest
from auditor.lazy_regex import lazy_compile

MAX_MANIFEST_LENGTH = 500_000
MAX_LOCK_LENGTH = 20_000_000
_PARSE_ERRORS = (ValueError, TypeError, AttributeError, KeyError, RecursionError, MemoryError)


def is_manifest(path: str) -> bool:
    """Is it a file that asks for packages?"""
    reader = _manifest_reader(path)
    return reader is not None and reader[0] not in _NON_PACKAGE_REGISTRIES


def requests_images(path: str) -> bool:
    """Does it ask for images, to build on them or to run them?"""
    reader = _manifest_reader(path)
    return reader is not None and reader[1].startswith("dockerfiles.")


def is_package_file(path: str) -> bool:
    """Does it request packages or images, or configure where they come from?"""
    return _manifest_reader(path) is not None


_NON_PACKAGE_REGISTRIES = frozenset({"images", "settings"})


def is_lock(path: str) -> bool:
    """Is it a lock file that can be read?"""
    return _lock_reader(path) is not None


def _lock_reader(path: str) -> Reader | None:
    name = path.rpartition("/")[2].lower()
    return _LOCKS["pylock.toml"] if _PYLOCK.match(name) else _LOCKS.get(name)


_PYLOCK = lazy_compile(r"^pylock(?:\.[\w-]+)?\.toml$")


@lru_cache(maxsize=256)
def read_manifest(path: str, text: str) -> Manifest:
    """What a manifest asks for; several questions are about the same ones."""
    reader = _manifest_reader(path)
    assert reader is not None, "only manifests are read"
    registry, read = reader
    if len(text) > MAX_MANIFEST_LENGTH:
        return Manifest(registry, unread=f"larger than {MAX_MANIFEST_LENGTH:,} characters")
    parse: Callable[[str], Manifest] = _load_reader(read)
    try:
        return parse(text.removeprefix("\ufeff"))
    except _PARSE_ERRORS as error:
        return Manifest(registry, unread=_describe_error(error))


def read_lock(path: str, text: str) -> Lock:
    """What a lock file holds."""
    reader = _lock_reader(path)
    assert reader is not None, "only lock files are read"
    registry, read = reader
    if len(text) > MAX_LOCK_LENGTH:
        return Lock(registry, unread=f"larger than {MAX_LOCK_LENGTH:,} characters")
    parse: Callable[[str], Lock] = _load_reader(read)
    try:
        return parse(text)
    except _PARSE_ERRORS as error:
        return Lock(registry, unread=_describe_error(error))


def _describe_error(error: Exception) -> str:
    """Why a file could not be parsed, as a sentence part."""
    form = _FORMAT_NAMES.get(type(error).__name__)
    return f"it is not valid {form}" if form else "its format is not recognised"


_FORMAT_NAMES = {"JSONDecodeError": "JSON", "TOMLDecodeError": "TOML"}


Reader = tuple[str, str]
"""The registry that a file is about, and who reads it: module and function. A module is loaded when there is such a file."""


def _load_reader(reader: str) -> Any:
    module, _, name = reader.partition(".")
    return getattr(import_module(f"{__package__}.{module}"), name)


_MANIFESTS: dict[str, Reader] = {
    "pyproject.toml": ("pypi", "pyproject.pyproject"),
    "pipfile": ("pypi", "pyproject.pipfile"),
    "package.json": ("npm", "npm.package_json"),
    "cargo.toml": ("crates", "cargo.cargo"),
    "go.mod": ("go", "go.go_mod"),
    "gemfile": ("gems", "ruby_bundler.gemfile"),
    "pom.xml": ("maven", "maven_gradle.pom"),
    "build.gradle": ("maven", "maven_gradle.gradle"),
    "build.gradle.kts": ("maven", "maven_gradle.gradle"),
    "settings.gradle": ("maven", "maven_gradle.gradle"),
    "settings.gradle.kts": ("maven", "maven_gradle.gradle"),
    "libs.versions.toml": ("maven", "maven_gradle.catalog"),
    "composer.json": ("packagist", "composer.composer"),
    "bundler.rb": ("gems", "ruby_bundler.gemfile"),
    "setup.cfg": ("pypi", "setuptools_config.setup_cfg"),
    "setup.py": ("pypi", "setuptools_config.setup_py"),
    "environment.yml": ("conda", "conda.environment"),
    "environment.yaml": ("conda", "conda.environment"),
    "directory.packages.props": ("nuget", "nuget.project"),
    "packages.config": ("nuget", "nuget.packages_config"),
    "nuget.config": ("settings", "nuget.nuget_config"),
    "pubspec.yaml": ("pub", "dart.pubspec"),
    "mix.exs": ("hex", "elixir.mix"),
    "package.swift": ("swift", "swift_cocoapods.package_swift"),
    "podfile": ("pods", "swift_cocoapods.podfile"),
    "deno.json": ("deno", "deno.deno_json"),
    "deno.jsonc": ("deno", "deno.deno_json"),
    "import_map.json": ("deno", "deno.deno_json"),
    "chart.yaml": ("helm", "helm.chart"),
    ".npmrc": ("settings", "registry_settings.npmrc"),
    ".yarnrc": ("settings", "registry_settings.yarnrc"),
    ".yarnrc.yml": ("settings", "registry_settings.yarnrc"),
    "pip.conf": ("settings", "registry_settings.pip_conf"),
}
_BY_SUFFIX: dict[str, Reader] = {
    "csproj": ("nuget", "nuget.project"),
    "fsproj": ("nuget", "nuget.project"),
    "vbproj": ("nuget", "nuget.project"),
    "gemspec": ("gems", "ruby_bundler.gemspec"),
    "sbt": ("maven", "sbt.sbt"),
}
_REQUIREMENTS_FILE = lazy_compile(
    r"(?:^|/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)|[\w.-]*constraints[\w.-]*\.txt)$",
    re.IGNORECASE,
)
_DOCKERFILE = lazy_compile(r"(?:^|/)(?:(?:Docker|Container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile)$", re.IGNORECASE)

_CARGO_SETTINGS = lazy_compile(r"(?:^|/)\.cargo/config(?:\.toml)?$")
_COMPOSE_FILE = lazy_compile(r"(?:^|/)(?:docker-)?compose(?:[.-][\w.-]{1,60})?\.ya?ml$", re.IGNORECASE)


def _manifest_reader(path: str) -> Reader | None:
    known = _MANIFESTS.get(path.rpartition("/")[2].lower())
    if known is None and _REQUIREMENTS_FILE.search(path):
        return "pypi", "pip_requirements.requirements"
    if known is None and _DOCKERFILE.search(path):
        return "docker", "dockerfiles.dockerfile"
    if known is None and _CARGO_SETTINGS.search(path):
        return "settings", "cargo.cargo_config"
    if known is None and _COMPOSE_FILE.search(path):
        return "images", "dockerfiles.compose"
    return known or _BY_SUFFIX.get(path.rpartition(".")[2].lower())


def resolve_path(path: str, other: str) -> str:
    """The path in the repository of a file that another one names."""
    return normpath(join(path.rpartition("/")[0], other))


_LOCKS: dict[str, Reader] = {
    "package-lock.json": ("npm", "npm.package_lock"),
    "npm-shrinkwrap.json": ("npm", "npm.package_lock"),
    "yarn.lock": ("npm", "npm.yarn_lock"),
    "pnpm-lock.yaml": ("npm", "npm.pnpm_lock"),
    "bun.lock": ("npm", "npm.bun_lock"),
    "bun.lockb": ("npm", "npm.unreadable"),
    "uv.lock": ("pypi", "pyproject.uv_lock"),
    "pylock.toml": ("pypi", "poetry_pipenv_cargo_locks.pypi"),
    "composer.lock": ("packagist", "composer.composer_lock"),
    "gradle.lockfile": ("maven", "maven_gradle.gradle_lock"),
    "ruby_bundler.locked": ("gems", "ruby_bundler.gemfile_lock"),
    "poetry.lock": ("pypi", "poetry_pipenv_cargo_locks.pypi"),
    "pdm.lock": ("pypi", "poetry_pipenv_cargo_locks.pypi"),
    "cargo.lock": ("crates", "poetry_pipenv_cargo_locks.crates"),
    "pipfile.lock": ("pypi", "pyproject.pipfile_lock"),
    "go.sum": ("go", "go.go_sum"),
    "gemfile.lock": ("gems", "ruby_bundler.gemfile_lock"),
    "packages.lock.json": ("nuget", "nuget.packages_lock"),
    "pubspec.lock": ("pub", "dart.pubspec_lock"),
    "mix.lock": ("hex", "elixir.mix_lock"),
    "package.resolved": ("swift", "swift_cocoapods.package_resolved"),
    "podfile.lock": ("pods", "swift_cocoapods.podfile_lock"),
    "deno.lock": ("deno", "deno.deno_lock"),
    "chart.lock": ("helm", "helm.chart_lock"),
}
