"""Where a package comes from, when not from its registry by name: repositories, addresses and further indexes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.forensics.dependencies.dependency_types import LineIndex
from auditor.lazy_regex import lazy_compile

SOURCE_ADDRESS = lazy_compile(
    r"^(?:git|hg|svn|bzr)\+|^[a-z][a-z0-9+.-]*://|^git@|^[\w.-]+/[\w.-]+(?:#|$)|^(?:github|gitlab|bitbucket|gist):",
    re.IGNORECASE,
)


_PYPI_INDEX = lazy_compile(r"^https://(?:pypi\.org/simple|pypi\.python\.org/simple|test\.pypi\.org/simple)/?$")


def is_other_index(index: str) -> bool:
    """Is it another place than the registry itself, or a folder of the tree?"""
    return not _PYPI_INDEX.match(index) and not re.match(r"^(?:\.{0,2}/|file:|[\w-]+/?$)", index)


def find_index_lines(tables: object, lines: LineIndex) -> Iterator[tuple[int, str]]:
    """The lines of a TOML file that name a place to take packages from: a table for each, or its address alone."""
    for each in tables if isinstance(tables, list) else [tables]:
        url = each.get("url") if isinstance(each, Mapping) else each
        if isinstance(url, str) and is_other_index(url):
            yield lines.find_text(url)


_REVISION = lazy_compile(r"^(?:v?\d++(?>(?:[._]\d++)+)(?>(?:[-+.]?\w++)*)|[0-9a-f]{7,64}|semver:.*|refs/tags/.*)$")
"""What a tag of a release and the id of a commit look like; anything else is taken for a branch."""


_HOST_END = lazy_compile(r"[/?#\\]")
_MAX_HOST_LENGTH = 250


def is_on_host(address: str, hosts: tuple[str, ...]) -> bool:
    """Is the address on one of those hosts or a subdomain? A host in its path or login, or a similar ending, is not."""
    where = _HOST_END.split(address.partition("://")[2], maxsplit=1)[0]
    host = where.rpartition("@")[2].partition(":")[0].lower().rstrip(".")
    return len(where) < _MAX_HOST_LENGTH and any(host == home or host.endswith(f".{home}") for home in hosts)


def is_release(revision: str) -> bool:
    """Is it a release tag or a commit id, which do not change?"""
    return _REVISION.match(revision) is not None


def is_floating(address: str) -> bool:
    """Does the address of a repository name a branch, or nothing at all?"""
    if not re.match(
        r"^(?:git|hg|svn|bzr)[+@:]|^(?:github|gitlab|bitbucket|gist):|^[\w.-]+/[\w.-]+(?:#|$)|.*\.git(?:[@#]|$)",
        address,
    ):
        return False
    plain, _, fragment = address.partition("#")
    named = fragment if fragment and not re.match(r"(?:egg|name|subdirectory)=", fragment) else ""
    behind = plain.partition("://")[2].partition("/")[2] if "://" in plain else ""
    at = behind.rpartition("@")[2] if "@" in behind else ""
    return _REVISION.match((named or at).partition("&")[0]) is None


def source_url(table: Any) -> str:
    """Where a package comes from other than by name: a repository, with its commit, or an address."""
    if not isinstance(table, Mapping):
        return ""
    if isinstance(table.get("git"), str):
        at = table.get("rev") or table.get("tag") or table.get("branch") or ""
        return f"git+{table['git']}#{at}"
    return str(table["url"]) if isinstance(table.get("url"), str) else ""


def is_floating_source(table: Any) -> bool:
    """Is it a repository at a branch, or at no revision?"""
    if not isinstance(table, Mapping) or not isinstance(table.get("git"), str):
        return False
    if "tag" in table:
        return False
    return "rev" not in table or _REVISION.match(str(table["rev"])) is None
