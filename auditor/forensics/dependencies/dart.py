"""What projects of Dart and Flutter ask for and what their lock holds, read line by line."""

from __future__ import annotations

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest, section_lines
from auditor.forensics.dependencies.package_origins import is_on_host, is_release
from auditor.lazy_regex import lazy_compile

_KEY = lazy_compile(r"^(?P<indent> *)[\"']?(?P<key>[\w.-]{1,100})[\"']?:(?:\s+(?P<value>\S.*?))?\s*$")
_DEPENDENCY_TABLES = frozenset({"dependencies", "dev_dependencies", "dependency_overrides"})
_DEFAULT_HOSTS = ("pub.dev", "pub.dartlang.org")


class _RequestedPackage:
    """One package while its rows are read."""

    def __init__(self, name: str, spec: str, number: int, quote: str, *, unlocked: bool) -> None:
        self.name, self.spec, self.number, self.quote, self.unlocked = name, spec, number, quote, unlocked
        self.told: dict[str, str] = {}

    def done(self) -> Dependency:
        """The dependency that its lines describe together."""
        url, moves, spec = "", False, self.spec or self.told.get("version", "")
        address = self.told.get("url") or self.told.get("git") or self.told.get("hosted", "")
        if "git" in self.told:
            at = self.told.get("ref", "")
            url, moves = f"git+{address}#{at}", not is_release(at)
        elif "://" in address:
            url = "" if is_on_host(address, _DEFAULT_HOSTS) else address
        elif "path" in self.told or "sdk" in self.told:
            spec = "path:"
        return Dependency(
            "pub", self.name, spec, self.number, self.quote, url, unlocked=self.unlocked, is_floating=moves
        )


def pubspec(text: str) -> Manifest:
    """A project; packages of the SDK and of the tree are asked for without a version."""
    asked: list[_RequestedPackage] = []
    own = table = ""
    depth = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _KEY.match(raw[:500].partition(" #")[0])
        if found is None:
            continue
        indent, key = len(found["indent"]), found["key"]
        value = (found["value"] or "").strip("\"'")
        if not indent:
            table, depth = key, 0
            own = value if key == "name" else own
        elif table in _DEPENDENCY_TABLES and (not depth or indent <= depth):
            depth = indent
            asked.append(
                _RequestedPackage(key, value, number, raw.strip()[:300], unlocked=table == "dependency_overrides")
            )
        elif table in _DEPENDENCY_TABLES and asked:
            asked[-1].told[key] = value
    return Manifest("pub", tuple(each.done() for each in asked), own=own)


_LOCKED = lazy_compile(r"^  [\"']?([\w.-]{1,100})[\"']?:\s*$")
_VERSION = lazy_compile(r"^    version: [\"']?([^\"'\s]{1,100})")


def pubspec_lock(text: str) -> Lock:
    """The lock of pub: names with their versions."""
    held: dict[str, frozenset[str]] = {}
    name = ""
    for section, line in section_lines(text, 500):
        if section != "packages":
            continue
        if (found := _LOCKED.match(line)) is not None:
            name = found[1]
            held[name] = frozenset()
        elif name and (found := _VERSION.match(line)) is not None:
            held[name] = frozenset({found[1]})
    if not held:
        raise ValueError("no package")
    return Lock("pub", frozenset(held), versions={name: some for name, some in held.items() if some})
