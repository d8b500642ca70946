"""Hosts that a lock file takes packages from, and the lines that differ from the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.forensics.dependencies.registry_hosts import hosts_of_one_registry, registry_prefixes
from auditor.lazy_regex import lazy_compile

RESOLVED_URL = lazy_compile(r"^\s*\"?resolved\"?:?\s+\"([^\"]{1,500})\"")
SOURCE_URL = lazy_compile(
    r"^\s*(?:source\s*=\s*(?:\{\s*)?(?:registry|git|url)?\s*=?\s*|(?:sdist\s*=\s*)?\{\s*url\s*=\s*)\"([^\"]{1,500})\""
)
YARN_BERRY_RESOLUTION = lazy_compile(r"^\s+resolution:\s+\"@?[^@\"]{1,200}@([^\"]{1,500})\"")
"""In a lock of Yarn from version 2 on."""
PNPM_TARBALL = lazy_compile(r"^\s+resolution:\s+\{(?:.{0,300}?\btarball:\s*)?([^},\s]{1,500})")
"""In a lock of pnpm, which names a place only where it is not the registry."""
COMPOSER_URL = lazy_compile(r"^\s*\"url\":\s+\"([^\"]{1,500})\"")
"""In a lock of Composer."""
_HOST = lazy_compile(r"^(?:registry\+|sparse\+)?(?P<git>git\+)?[a-z+]+://(?:[^/@]*@)?(?P<name>[^/:]+)", re.IGNORECASE)


_ARCHIVE_OF = lazy_compile(r"^https?://[^\s\"]{1,300}?/((?:@[^/\s]{1,200}(?:/|%2[fF]))?[^/@\s]{1,200})/-/[^/]{1,300}$")
"""The name of the package that an address of a registry of npm is of, whatever its file is called."""
_NPM_ARCHIVE = lazy_compile(r"/((?:@[\w.~-]{1,100}(?:/|%2[fF]))?[\w.~-]{1,200})/-/([^\s/\"'#?]{1,200})\.tgz")
_DEFAULT_REGISTRY = "the registry itself"


def lines_from_other_hosts(text: str, form: re.Pattern[str]) -> tuple[tuple[int, str], ...]:
    """Lines whose address has another host than most lines; a mirror used for all is none."""
    seen = list(_lines_with_hosts(text, form))
    if not seen:
        return ()
    usual = {Counter(host for *_, host in seen).most_common(1)[0][0]}
    for same in hosts_of_one_registry():
        usual |= same if usual & same else set()
    return tuple((number, line) for number, line, host in seen if host not in usual)


def lines_of_other_packages(text: str, packages: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """Lines of a lock of npm whose address is that of another package than the one they are held as."""
    wrong = {
        str(each["resolved"])
        for folder, each in packages.items()
        if isinstance(each, Mapping) and _is_of_other_package(folder.rpartition("node_modules/")[2], each)
    }
    return tuple(
        (number, line.strip()[:300])
        for number, line in enumerate(text.split("\n") if wrong else (), start=1)
        if (found := RESOLVED_URL.match(line[:1000])) is not None and found[1] in wrong
    )


def _is_of_other_package(name: str, entry: Mapping[str, Any]) -> bool:
    """Does an entry unpack an archive of another name, where it has no name of its own, as one under an alias has?"""
    resolved = entry.get("resolved")
    if not (isinstance(resolved, str) and name and "name" not in entry):
        return False
    found = _ARCHIVE_OF.match(resolved)
    archive = npm_archive(resolved)
    named = {each for each in (found and _unescaped(found[1]), archive and archive[0]) if each}
    return bool(named - {name})


def _unescaped(name: str) -> str:
    return name.replace("%2f", "/").replace("%2F", "/")


def npm_archive(text: str) -> tuple[str, str] | None:
    """The package and the archive that an address of a registry of npm in a text names; None without one."""
    found = _NPM_ARCHIVE.search(text)
    return None if found is None else (_unescaped(found[1]), found[2])


def first_lines_of_hosts(text: str, form: re.Pattern[str]) -> dict[str, tuple[int, str]]:
    """The first line of each host that packages are taken from."""
    first: dict[str, tuple[int, str]] = {}
    for number, line, host in _lines_with_hosts(text, form):
        first.setdefault(host, (number, line))
    return first


def is_registry_host(host: str) -> bool:
    """Does a host serve a public registry, or is it the registry itself?"""
    return host == _DEFAULT_REGISTRY or any(host in same for same in hosts_of_one_registry())


def _lines_with_hosts(text: str, form: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Lines with an address: their numbers, their words, and the host."""
    for number, line in enumerate(text.split("\n"), start=1):
        found = form.match(line[:1000])
        host = _host(found[1]) if found else ""
        if host:
            yield number, line.strip()[:300], host


def _host(address: str) -> str:
    """The host of an address; a repository is another place than a registry, though one host may have both."""
    if address.startswith(registry_prefixes()):
        return _DEFAULT_REGISTRY
    found = _HOST.match(address)
    return f"{found['git'] or ''}{found['name']}".lower() if found is not None else ""
