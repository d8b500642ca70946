"""What manifests ask for and what lock files hold, read from hostile text without running anything.

Manifests are parsed whole; lock files, which tools write in a fixed form, are read line by line, in time that grows
with their length. What cannot be read is a value with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from posixpath import join, normpath
from typing import Any

from auditor.forensics.dependencies.dependency_types import Lock, Manifest
from auditor.forensics.dependencies.format_table import lock_reader, manifest_reader

MAX_MANIFEST_LENGTH = 500_000
MAX_LOCK_LENGTH = 20_000_000
_PARSE_ERRORS = (ValueError, TypeError, AttributeError, KeyError, RecursionError, MemoryError)


def is_manifest(path: str) -> bool:
    """Is it a file that asks for packages?"""
    reader = manifest_reader(path)
    return reader is not None and reader.registry not in _NON_PACKAGE_REGISTRIES


def requests_images(path: str) -> bool:
    """Does it ask for images, to build on them or to run them?"""
    reader = manifest_reader(path)
    return reader is not None and reader.function.startswith("dockerfiles.")


def is_package_file(path: str) -> bool:
    """Does it request packages or images, or configure where they come from?"""
    return manifest_reader(path) is not None


_NON_PACKAGE_REGISTRIES = frozenset({"images", "settings"})


def is_lock(path: str) -> bool:
    """Is it a lock file that can be read?"""
    return lock_reader(path) is not None


@lru_cache(maxsize=256)
def read_manifest(path: str, text: str) -> Manifest:
    """What a manifest asks for; several questions are about the same ones."""
    reader = manifest_reader(path)
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
    reader = lock_reader(path)
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


def _load_reader(reader: str) -> Any:
    module, _, name = reader.partition(".")
    return getattr(import_module(f"{__package__}.{module}"), name)


def resolve_path(path: str, other: str) -> str:
    """The path in the repository of a file that another one names."""
    return normpath(join(path.rpartition("/")[0], other))
