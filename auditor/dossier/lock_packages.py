"""Lines of a lock file that fetch a package from another host than the packages beside it, or another package than its entry names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.dossier.changed_file import ChangedFile
from auditor.forensics.dependencies.dependency_types import normalize_name
from auditor.forensics.dependencies.lock_hosts import npm_archive

_HOST = re.compile(r"(?:https?|git|ssh)://(?:[^\s/@\"']{0,100}@)?([\w.-]{1,200})")
_MAX_LINE = 400
_FEW = 5
_MAX_ENTRY = 8
"""Lines above an address in which its entry begins."""
_NPM_ENTRY = re.compile(
    r"""[{,]?\s*"(?:[^"]*node_modules/)?((?:@[^"/]{1,100}/)?[^"/]{1,200})":\s*\{|\s{0,2}["']?((?:@[^\s"'/@]{1,100}/)?[^\s"'/@:]{1,200})@\S.*:$"""
)
_PYTHON_ADDRESS = re.compile(
    r"/([A-Za-z0-9][\w.]{0,100}(?:-[A-Za-z][\w.]{0,60})*)-v?\d[^\s/\"']{0,200}\.(?:whl|tar\.gz|zip)\b"
)
_PYTHON_ENTRY = re.compile(r"name\s*=\s*\"([^\"]{1,200})\"")
_PYTHON_LOCKS = ("pylock.toml", "uv.lock")


def foreign_packages(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """The numbers of added lines with a host that the file did not name before, or the archive of another package, and that."""
    seen = set[int]()
    for number, host in foreign_hosts(file):
        seen.add(number)
        yield number, host
    for number, package in other_packages(file):
        if number not in seen:
            yield number, package


def foreign_hosts(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """The numbers and hosts of added lines with a host that the file did not name before.

    In a new file, or one that named no host, hosts of a fifth of the lines count as known.
    """
    known = {host for line in file.before for host in _hosts(line)}
    if not known:
        counted = Counter(host for line in file.after for host in _hosts(line))
        known = {host for host, count in counted.items() if count * _FEW >= counted.total()}
    for number in sorted(file.change.added_lines):
        line = file.after[number - 1] if number <= len(file.after) else ""
        new = [host for host in _hosts(line) if host not in known]
        if new:
            yield number, new[0]


def _hosts(line: str) -> list[str]:
    return _HOST.findall(line[:_MAX_LINE]) if "://" in line else []


def other_packages(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """The numbers of added lines with an archive of another package than their entry names, and that package.

    An entry that others ask for under an alias (`"a": "npm:b@1"`) holds the archive that the alias names.
    """
    is_python = file.path.rpartition("/")[2] in _PYTHON_LOCKS
    entry, began = "", 0
    aliases: set[tuple[str, str]] | None = None
    for number, line in enumerate(file.after, 1):
        text = line[:_MAX_LINE]
        name = _python_entry(text) if is_python else _npm_entry(text)
        if name:
            entry, began = name, number
        if number not in file.change.added_lines or "://" not in text:
            continue
        package = _python_package(text) if is_python else _npm_package(text)
        if not package or not entry or (not is_python and number - began > _MAX_ENTRY) or package == entry:
            continue
        aliases = _aliases(file.after) if aliases is None else aliases
        if (entry, package) not in aliases:
            yield number, package


def _npm_entry(text: str) -> str:
    found = _NPM_ENTRY.match(text.rstrip())
    return "" if found is None else (found[1] or found[2]).lower()


def _npm_package(text: str) -> str:
    """The package of an archive; another one where the name of the file does not begin with it."""
    archive = npm_archive(text)
    if archive is None:
        return ""
    name, file = archive[0].lower(), archive[1].lower()
    return name if file.startswith(f"{name.rpartition('/')[2]}-") else file


def _python_entry(text: str) -> str:
    found = _PYTHON_ENTRY.match(text.strip())
    return "" if found is None else normalize_name("pypi", found[1])


def _python_package(text: str) -> str:
    found = _PYTHON_ADDRESS.search(text)
    return "" if found is None else normalize_name("pypi", found[1])


_ALIAS = re.compile(
    r"""((?:@[^\s"'/@]{1,100}/)?[^\s"'/@]{1,200})(?:"\s*:\s*"|"?\s+"?|@)npm:((?:@[^\s"'/@]{1,100}/)?[^\s"'/@]{1,200})"""
)


def _aliases(lines: Sequence[str]) -> set[tuple[str, str]]:
    """Names under which packages are asked for, with their own names."""
    return {
        (name.lower(), package.lower())
        for line in lines
        if "npm:" in line
        for name, package in _ALIAS.findall(line[:_MAX_LINE])
    }
