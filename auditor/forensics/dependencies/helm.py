"""What a chart of Helm asks for and what its lock holds, read line by line."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest
from auditor.lazy_regex import lazy_compile

_ROW = lazy_compile(
    r"^\s*(?P<begins>-\s+)?(?P<key>name|version|repository|alias):\s*[\"']?(?P<value>[^\"'#\n]*+)[\"']?\s*+(?:#.*)?$"
)
_Entry = dict[str, tuple[str, int, str]]


def chart(text: str) -> Manifest:
    """A chart: what is below `dependencies`; one that lies in the tree is asked for by its path."""
    dependencies = []
    for entry in _entries(text):
        name, number, quote = entry.get("name", ("", 1, ""))
        version = entry.get("version", ("", number, quote))
        local = entry.get("repository", ("", 0, ""))[0].startswith(("file:", "./", "../"))
        if name:
            dependencies.append(Dependency("helm", name, "path:" if local else version[0], version[1], version[2]))
    return Manifest("helm", tuple(dependencies))


def chart_lock(text: str) -> Lock:
    """The lock of a chart: names with their versions."""
    held = {entry["name"][0]: entry.get("version", ("", 0, ""))[0] for entry in _entries(text) if "name" in entry}
    return Lock("helm", frozenset(held), versions={name: frozenset({each}) for name, each in held.items() if each})


def _entries(text: str) -> Iterator[_Entry]:
    """The entries of the list, by key what is said, on which line, and the line."""
    entry: _Entry = {}
    inside = False
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:500]
        if line and not line.startswith((" ", "-", "#")):
            inside = line.startswith("dependencies:")
        if not inside:
            continue
        if line.lstrip().startswith("- ") and entry:
            yield entry
            entry = {}
        if (found := _ROW.match(line)) is not None:
            entry[found["key"]] = found["value"].strip(), number, line.strip()
    if entry:
        yield entry
