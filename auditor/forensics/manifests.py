"""What manifests ask for and what lock files hold, read from hostile text without running anything.

Manifests are parsed whole; lock files, which tools write in a fixed form, are read line by line, in time that grows
with their length. What cannot be read is a value with the reason.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

MAX_MANIFEST = 500_000
MAX_LOCK = 20_000_000
_TROUBLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Dependency:
    """One package that a manifest asks for, as it is written there. `url` is set when it does not come by name."""

    registry: str
    name: str
    spec: str
    line: int
    quote: str
    url: str = ""
    unlocked: bool = False
    """Is it of a kind that lock files leave out: what builds the project, what its user brings along?"""


@dataclass(frozen=True)
class Manifest:
    """All that a manifest asks for. `own` is the project's own name."""

    registry: str
    dependencies: tuple[Dependency, ...] = ()
    own: str = ""
    indexes: tuple[tuple[int, str], ...] = ()
    """Lines that name a further place to take packages from."""
    unread: str = ""


@dataclass(frozen=True)
class Lock:
    """What a lock file holds. `asked` is what it says that each manifest asked for, by folder, where it says so."""

    registry: str
    names: frozenset[str] = frozenset()
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Name and what was asked of it, for locks that note no folder."""
    overridden: frozenset[str] = frozenset()
    """Names whose ranges are set for the whole workspace, whatever a manifest asks for."""
    elsewhere: tuple[tuple[int, str], ...] = ()
    """Lines that take a package from another place than most."""
    unread: str = ""


def is_manifest(path: str) -> bool:
    """Is it a file that asks for packages?"""
    return _manifest_reader(path) is not None


def is_lock(path: str) -> bool:
    """Is it a lock file that can be read?"""
    return path.rpartition("/")[2].lower() in _LOCKS


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
        return Manifest(registry, unread=f"not in the form of its kind ({type(error).__name__})")


def read_lock(path: str, text: str) -> Lock:
    """What a lock file holds."""
    registry, read = _LOCKS[path.rpartition("/")[2].lower()]
    if len(text) > MAX_LOCK:
        return Lock(registry, unread=f"larger than {MAX_LOCK:,} characters")
    try:
        return read(text)
    except _TROUBLE as error:
        return Lock(registry, unread=f"not in the form of its kind ({type(error).__name__})")


def normal(registry: str, name: str) -> str:
    """The form in which two spellings of a name are equal."""
    return (
        re.sub(r"[-_.]+", "-", name).lower() if registry == "pypi" else name.lower() if registry == "crates" else name
    )


_REQUIREMENT = re.compile(
    r"^(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*(?:@\s*(?P<url>\S+)|(?P<spec>[(=<>!~][^;#]{0,200})?)"
)
_ADDRESS = re.compile(
    r"^(?:git|hg|svn|bzr)\+|^[a-z][a-z0-9+.-]*://|^git@|^[\w.-]+/[\w.-]+(?:#|$)|^(?:github|gitlab|bitbucket|gist):",
    re.IGNORECASE,
)
_EGG = re.compile(r"#(?:egg|name)=([A-Za-z0-9._-]{1,100})")


def _requirement(written: str, line: int, quote: str) -> Dependency | None:
    found = _REQUIREMENT.match(written.strip())
    if found is None:
        return None
    url = found["url"] or ""
    return Dependency(
        "pypi",
        normal("pypi", found["name"]),
        (found["spec"] or "").strip().strip("()"),
        line,
        quote,
        url if "://" in url else "",
    )


def _requirements(text: str) -> Manifest:
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = re.sub(r"(?:^|\s)#.*$", "", raw[:2000]).strip().rstrip("\\").strip()
        if not line:
            continue
        if re.match(r"^(?:--(?:extra-)?index-url|-i|--find-links|-f)\b", line):
            indexes.append((number, line[:200]))
            continue
        option = re.match(r"^(?:-e|--editable)[\s=]+(.*)$", line)
        address = option[1] if option else line
        if line.startswith("-") and option is None:
            continue
        if _ADDRESS.match(address) and "://" in address:
            egg = _EGG.search(address)
            dependencies.append(
                Dependency("pypi", normal("pypi", egg[1]) if egg else "", "", number, line[:300], address)
            )
            continue
        found = None if option else _requirement(re.split(r"\s--", line)[0], number, line[:300])
        if found is not None:
            dependencies.append(found)
    return Manifest("pypi", tuple(dependencies), indexes=tuple(indexes))


class _Lines:
    """Finds the line on which a word stands, for parsers that do not tell."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def of(self, word: str, value: str = "") -> tuple[int, str]:
        """Line (from 1) and text of the first that holds word and value in quotes, else both, else the word."""
        alone = re.compile(rf"(?<![\w@/.-]){re.escape(word)}(?![\w/-])")
        best: tuple[int, int, str] | None = None
        for number, line in enumerate(self._lines, start=1):
            if word not in line or not alone.search(line[:2000]):
                continue
            rank = (
                2 if value and (f'"{value}"' in line or f"'{value}'" in line) else 1 if value and value in line else 0
            )
            if best is None or rank > best[0]:
                best = (rank, number, line.strip()[:300])
            if rank == 2:
                break
        return best[1:] if best is not None else (1, "")


def _pyproject(text: str) -> Manifest:
    data = tomllib.loads(text)
    lines = _Lines(text)
    project = data.get("project") or {}
    written: list[str] = [*project.get("dependencies", ())]
    building = [each for each in (data.get("build-system") or {}).get("requires", ()) if isinstance(each, str)]
    for group in (project.get("optional-dependencies") or {}, data.get("dependency-groups") or {}):
        written += [each for some in group.values() for each in some if isinstance(each, str)]
    tool = data.get("tool") or {}
    for some in ((tool.get("pdm") or {}).get("dev-dependencies") or {}).values():
        written += [each for each in some if isinstance(each, str)]
    own = normal("pypi", str(project.get("name") or (tool.get("poetry") or {}).get("name") or ""))
    dependencies: list[Dependency] = []
    for each in [*written, *building]:
        parsed = _requirement(each, *lines.of(re.split(r"[\s\[(=<>!~;@]", each.strip(), maxsplit=1)[0], each))
        if parsed is not None and parsed.name != own:
            dependencies.append(replace(parsed, unlocked=each in building))
    dependencies += _poetry(tool.get("poetry") or {}, lines)
    sources = (tool.get("uv") or {}).get("sources") or {}
    for name, source in sources.items():
        url = _source_url(source)
        if url:
            dependencies.append(
                Dependency("pypi", normal("pypi", name), "", *lines.of(name, url.split("#")[0].split("@")[0]), url)
            )
    return Manifest("pypi", tuple(dependencies), own=own)


def _poetry(poetry: Mapping[str, Any], lines: _Lines) -> Iterator[Dependency]:
    tables = [poetry.get("dependencies") or {}, poetry.get("dev-dependencies") or {}]
    tables += [each.get("dependencies") or {} for each in (poetry.get("group") or {}).values()]
    for table in tables:
        for name, value in table.items():
            if name == "python":
                continue
            for each in value if isinstance(value, list) else [value]:
                yield _tabled("pypi", name, each, lines)


def _pipfile(text: str) -> Manifest:
    data = tomllib.loads(text)
    lines = _Lines(text)
    tables = (data.get("packages") or {}, data.get("dev-packages") or {})
    return Manifest(
        "pypi", tuple(_tabled("pypi", name, value, lines) for table in tables for name, value in table.items())
    )


def _tabled(registry: str, name: str, value: Any, lines: _Lines) -> Dependency:
    """A dependency written as `name = "spec"` or `name = {version = ..., git = ...}`."""
    table = value if isinstance(value, Mapping) else {"version": value}
    local = "path" in table or table.get("workspace") is True
    spec = "path:" if local else str(table.get("version") or "")
    named = str(table.get("package") or name)
    return Dependency(registry, normal(registry, named), spec, *lines.of(name), _source_url(table))


def _source_url(table: Any) -> str:
    """Where a package comes from other than by name: a repository, with its commit, or an address."""
    if not isinstance(table, Mapping):
        return ""
    if isinstance(table.get("git"), str):
        at = table.get("rev") or table.get("tag") or table.get("branch") or ""
        return f"git+{table['git']}#{at}"
    return str(table["url"]) if isinstance(table.get("url"), str) else ""


def _package_json(text: str) -> Manifest:
    data = json.loads(text)
    lines = _Lines(text)
    dependencies = [
        Dependency(
            "npm",
            name,
            spec,
            *lines.of(name, spec),
            spec if _ADDRESS.match(spec) else "",
            unlocked=table == "peerDependencies",
        )
        for table in ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
        for name, spec in (data.get(table) or {}).items()
        if isinstance(spec, str)
    ]
    return Manifest("npm", tuple(dependencies), own=str(data.get("name") or ""))


def _cargo(text: str) -> Manifest:
    data = tomllib.loads(text)
    lines = _Lines(text)
    tables = [data, *(data.get("target") or {}).values(), data.get("workspace") or {}]
    dependencies = [
        _tabled("crates", name, value, lines)
        for place in tables
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for name, value in (place.get(table) or {}).items()
    ]
    return Manifest("crates", tuple(dependencies), own=str((data.get("package") or {}).get("name") or ""))


_GO_REQUIRE = re.compile(r"^(?:require\s+)?([\w.-]+(?:/[\w.~!@-]+)*)\s+(v[\w.+-]+)\s*(?://.*)?$")
_GO_REPLACE = re.compile(r"^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?")


def _go_mod(text: str) -> Manifest:
    dependencies: list[Dependency] = []
    own = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000].strip()
        if line.startswith("module "):
            own = line.split()[1].strip('"')
        elif replaced := _GO_REPLACE.match(line):
            if not replaced[2].startswith((".", "/")):
                dependencies.append(
                    Dependency("go", replaced[1], replaced[3] or "", number, line, f"replaced by {replaced[2]}")
                )
        elif found := _GO_REQUIRE.match(line):
            dependencies.append(Dependency("go", found[1], found[2], number, line))
    return Manifest("go", tuple(dependencies), own=own)


_GEM = re.compile(r"^\s*gem\s*\(?\s*[\"']([\w.-]+)[\"'](.*)$")


def _gemfile(text: str) -> Manifest:
    dependencies: list[Dependency] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _GEM.match(raw[:2000])
        if found is None:
            continue
        rest = found[2]
        spec = re.match(r"\s*,\s*[\"']([^\"']{0,100})[\"']", rest)
        source = re.search(r"(?:git|github)(?::|\"?\s*=>)\s*[\"']([^\"']{1,300})[\"']", rest)
        at = re.search(r"(?:ref|tag|branch)(?::|\"?\s*=>)\s*[\"']([^\"']{1,100})[\"']", rest)
        local = "path:" if re.search(r"\bpath(?::|\"?\s*=>)", rest) else ""
        url = f"git+{source[1]}#{at[1] if at else ''}" if source else ""
        computed = "?" if re.match(r"\s*,\s*[a-z]\w*\s*(?:,|$)", rest) else local
        dependencies.append(Dependency("gems", found[1], spec[1] if spec else computed, number, raw.strip()[:300], url))
    return Manifest("gems", tuple(dependencies))


_FLOATING = frozenset({"LATEST", "RELEASE"})
_MANAGED = "managed elsewhere"


def _pom(text: str) -> Manifest:
    """A Maven project. Versions may stand in its properties; one that stands nowhere is managed by a parent."""
    from defusedxml.ElementTree import ParseError, fromstring  # type: ignore[import-untyped]

    try:
        root = fromstring(text.encode(), forbid_dtd=True)
    except ParseError as error:
        raise ValueError("not well-formed") from error
    lines = _Lines(text)
    for each in root.iter():
        each.tag = str(each.tag).rpartition("}")[2]
    known = {each.tag: (each.text or "").strip() for some in root.iter("properties") for each in some}
    dependencies = []
    for each in root.iter("dependency"):
        artifact, version = (each.findtext("artifactId") or "").strip(), (each.findtext("version") or "").strip()
        name = f"{(each.findtext('groupId') or '').strip()}:{artifact}"
        version = known.get(version[2:-1], _MANAGED) if version.startswith("${") else version
        spec = "latest" if version in _FLOATING else version or _MANAGED
        dependencies.append(Dependency("maven", name, spec, *lines.of(artifact)))
    places = [(each.findtext("url") or "").strip() for each in root.iter("repository")]
    own = f"{(root.findtext('groupId') or '').strip()}:{(root.findtext('artifactId') or '').strip()}"
    return Manifest("maven", tuple(dependencies), own=own, indexes=tuple(lines.of(each) for each in places if each))


Reader = tuple[str, Callable[[str], Manifest]]
_MANIFESTS: dict[str, Reader] = {
    "pyproject.toml": ("pypi", _pyproject),
    "pipfile": ("pypi", _pipfile),
    "package.json": ("npm", _package_json),
    "cargo.toml": ("crates", _cargo),
    "go.mod": ("go", _go_mod),
    "gemfile": ("gems", _gemfile),
    "pom.xml": ("maven", _pom),
}
_PIP = re.compile(r"(?:^|/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in))$", re.IGNORECASE)


def _manifest_reader(path: str) -> Reader | None:
    known = _MANIFESTS.get(path.rpartition("/")[2].lower())
    if known is None and _PIP.search(path):
        return "pypi", _requirements
    return known


def _package_lock(text: str) -> Lock:
    data = json.loads(text)
    packages = data.get("packages") or {}
    asked = {
        folder: {
            name: str(spec)
            for table in ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
            for name, spec in (each.get(table) or {}).items()
        }
        for folder, each in packages.items()
        if isinstance(each, Mapping) and "node_modules/" not in folder
    }
    names = {folder.rpartition("node_modules/")[2] for folder in packages} | set(data.get("dependencies") or {})
    return Lock("npm", frozenset(names), asked, elsewhere=_elsewhere(text, _RESOLVED))


_RESOLVED = re.compile(r"^\s*\"?resolved\"?:?\s+\"([^\"]{1,500})\"")
_SOURCE_URL = re.compile(r"^\s*source\s*=\s*(?:\{\s*)?(?:registry|git|url)?\s*=?\s*\"([^\"]{1,500})\"")
_HOST = re.compile(r"^(?:git\+|registry\+|sparse\+)?[a-z+]+://(?:[^/@]*@)?([^/:]+)", re.IGNORECASE)


_SAME_REGISTRY = (
    frozenset({"registry.npmjs.org", "registry.yarnpkg.com"}),
    frozenset({"pypi.org", "files.pythonhosted.org"}),
    frozenset({"github.com", "index.crates.io"}),
)


def _elsewhere(text: str, form: re.Pattern[str]) -> tuple[tuple[int, str], ...]:
    """Lines whose address has another host than most: one that differs from all others is odd, a mirror for all is not."""
    seen: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        found = form.match(line[:1000])
        host = _HOST.match(found[1]) if found else None
        if found is not None and host is not None:
            seen.append((number, line.strip()[:300], host[1].lower()))
    if not seen:
        return ()
    usual = {Counter(host for *_, host in seen).most_common(1)[0][0]}
    for same in _SAME_REGISTRY:
        usual |= same if usual & same else set()
    return tuple((number, line) for number, line, host in seen if host not in usual)


_YARN = re.compile(r"^(\S.*):\s*$")


def _yarn(text: str) -> Lock:
    pairs: set[tuple[str, str]] = set()
    for line in text.split("\n"):
        found = _YARN.match(line[:5000])
        if found is None or line.startswith("#"):
            continue
        for each in found[1].split(","):
            name, at, spec = each.strip().strip('"').rpartition("@npm:")
            if not at:
                whole = each.strip().strip('"')
                name, _, spec = whole[1:].partition("@")
                name = whole[:1] + name
            pairs.add((name, spec))
    return Lock(
        "npm", frozenset(name for name, _ in pairs), pairs=frozenset(pairs), elsewhere=_elsewhere(text, _RESOLVED)
    )


_PNPM_FOLDER = re.compile(r"^  ['\"]?([^\s'\":][^'\":]*)['\"]?:\s*$")
_PNPM_NAME = re.compile(r"^      ['\"]?([@\w][^'\":]*)['\"]?:\s*$")
_PNPM_OVERRIDE = re.compile(r"^  ['\"]?(@?[^@'\":]+)(?:@[^'\":]*)?['\"]?:")
_PNPM_SPEC = re.compile(r"^        specifier:\s*['\"]?(.*?)['\"]?\s*$")


def _pnpm(text: str) -> Lock:
    asked: dict[str, dict[str, str]] = {}
    names: set[str] = set()
    overridden: set[str] = set()
    section, folder, name = "", ".", ""
    for raw in text.split("\n"):
        line = raw[:2000]
        if line and not line.startswith((" ", "#")):
            section = line.partition(":")[0]
        elif section == "overrides" and (found := _PNPM_OVERRIDE.match(line)):
            overridden.add(found[1].rpartition(">")[2])
        elif section == "importers":
            if found := _PNPM_FOLDER.match(line):
                folder = found[1]
                asked.setdefault(folder, {})
            elif found := _PNPM_NAME.match(line):
                name = found[1]
                names.add(name)
            elif (found := _PNPM_SPEC.match(line)) and name:
                asked.setdefault(folder, {})[name] = found[1]
    return Lock(
        "npm",
        frozenset(names),
        {("" if key == "." else key): value for key, value in asked.items()},
        overridden=frozenset(overridden),
    )


_NAME = re.compile(r"^name\s*=\s*\"([^\"]{1,200})\"")


def _tables(registry: str) -> Callable[[str], Lock]:
    """A lock of `[[package]]` tables with a `name`: Cargo, Poetry, PDM, uv."""

    def read(text: str) -> Lock:
        names = frozenset(normal(registry, found[1]) for line in text.split("\n") if (found := _NAME.match(line[:400])))
        if not names:
            raise ValueError("no package")
        return Lock(registry, names, elsewhere=_elsewhere(text, _SOURCE_URL))

    return read


def _go_sum(text: str) -> Lock:
    pairs = set()
    for line in text.split("\n"):
        parts = line[:2000].split()
        if len(parts) == 3:
            pairs.add((parts[0], parts[1].removesuffix("/go.mod")))
    return Lock("go", frozenset(name for name, _ in pairs), pairs=frozenset(pairs))


def _pipfile_lock(text: str) -> Lock:
    data = json.loads(text)
    names = {normal("pypi", name) for table in ("default", "develop") for name in data.get(table) or {}}
    return Lock("pypi", frozenset(names))


_GEM_LOCKED = re.compile(r"^ {4}([\w.-]+) \(")


def _gemfile_lock(text: str) -> Lock:
    return Lock("gems", frozenset(found[1] for line in text.split("\n") if (found := _GEM_LOCKED.match(line[:400]))))


_LOCKS: dict[str, tuple[str, Callable[[str], Lock]]] = {
    "package-lock.json": ("npm", _package_lock),
    "npm-shrinkwrap.json": ("npm", _package_lock),
    "yarn.lock": ("npm", _yarn),
    "pnpm-lock.yaml": ("npm", _pnpm),
    "uv.lock": ("pypi", _tables("pypi")),
    "poetry.lock": ("pypi", _tables("pypi")),
    "pdm.lock": ("pypi", _tables("pypi")),
    "cargo.lock": ("crates", _tables("crates")),
    "pipfile.lock": ("pypi", _pipfile_lock),
    "go.sum": ("go", _go_sum),
    "gemfile.lock": ("gems", _gemfile_lock),
}
