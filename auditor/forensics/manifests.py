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
from dataclasses import replace
from functools import lru_cache
from posixpath import join, normpath
from typing import Any

from auditor.forensics.jvm import catalog, gradle, gradle_lock, pom
from auditor.forensics.wanted import Dependency, Lines, Lock, Manifest, normal
from auditor.late import late

MAX_MANIFEST = 500_000
MAX_LOCK = 20_000_000
_TROUBLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError, MemoryError)


def is_manifest(path: str) -> bool:
    """Is it a file that asks for packages?"""
    return _manifest_reader(path) is not None


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
        return Manifest(registry, unread=f"not in the form of its kind ({type(error).__name__})")


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
        return Lock(registry, unread=f"not in the form of its kind ({type(error).__name__})")


_REQUIREMENT = late(
    r"^(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*(?:@\s*(?P<url>\S+)|(?P<spec>[(=<>!~][^;#]{0,200})?)"
)
_ADDRESS = late(
    r"^(?:git|hg|svn|bzr)\+|^[a-z][a-z0-9+.-]*://|^git@|^[\w.-]+/[\w.-]+(?:#|$)|^(?:github|gitlab|bitbucket|gist):",
    re.IGNORECASE,
)
_EGG = late(r"#(?:egg|name)=([A-Za-z0-9._-]{1,100})")


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
        moves=_moves(url),
    )


def _requirements(text: str) -> Manifest:
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    constraints: list[str] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = re.sub(r"(?:^|\s)#.*$", "", raw[:2000]).strip().rstrip("\\").strip()
        if not line:
            continue
        if index := _INDEX.match(line):
            if _is_foreign(index[1]):
                indexes.append((number, line[:200]))
            continue
        if narrowed := _CONSTRAINED.match(line):
            constraints.append(narrowed[1])
            continue
        option = re.match(r"^(?:-e|--editable)[\s=]+(.*)$", line)
        address = option[1] if option else line
        if line.startswith("-") and option is None:
            continue
        if _ADDRESS.match(address) and "://" in address:
            egg = _EGG.search(address)
            name = normal("pypi", egg[1]) if egg else ""
            dependencies.append(Dependency("pypi", name, "", number, line[:300], address, moves=_moves(address)))
            continue
        found = None if option else _requirement(re.split(r"\s--", line)[0], number, line[:300])
        if found is not None:
            dependencies.append(found)
    return Manifest("pypi", tuple(dependencies), indexes=tuple(indexes), constraints=tuple(constraints))


_INDEX = late(r"^(?:--(?:extra-)?index-url|-i|--find-links|-f)\b[\s=]*(\S*)")
_OWN_INDEX = late(r"^https://(?:pypi\.org/simple|pypi\.python\.org/simple|test\.pypi\.org/simple)/?$")


def _is_foreign(index: str) -> bool:
    """Is it another place than the registry itself, or a folder of the tree?"""
    return not _OWN_INDEX.match(index) and not re.match(r"^(?:\.{0,2}/|file:|[\w-]+/?$)", index)


def _further(tables: object, lines: Lines) -> Iterator[tuple[int, str]]:
    """The lines of a TOML file that name a place to take packages from: a table for each, or its address alone."""
    for each in tables if isinstance(tables, list) else [tables]:
        url = each.get("url") if isinstance(each, Mapping) else each
        if isinstance(url, str) and _is_foreign(url):
            yield lines.holding(url)


_CONSTRAINED = late(r"^(?:-c|--constraint)[\s=]+(\S{1,200})$")
_REVISION = late(r"^(?:v?\d++(?:[._]\d++)++(?:[-+.]?\w++)*+|[0-9a-f]{7,64}|semver:.*|refs/tags/.*)$")
"""What a tag of a release and the id of a commit look like; anything else is taken for a branch."""


def _moves(address: str) -> bool:
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


def _pyproject(text: str) -> Manifest:
    data = tomllib.loads(text)
    lines = Lines(text)
    project = data.get("project") or {}
    written: list[str] = [*project.get("dependencies", ())]
    building = [each for each in (data.get("build-system") or {}).get("requires", ()) if isinstance(each, str)]
    for group in (project.get("optional-dependencies") or {}, data.get("dependency-groups") or {}):
        written += [each for some in group.values() for each in some if isinstance(each, str)]
    tool = data.get("tool") or {}
    for some in ((tool.get("pdm") or {}).get("dev-dependencies") or {}).values():
        written += [each for each in some if isinstance(each, str)]
    written += [each for each in (tool.get("uv") or {}).get("dev-dependencies") or () if isinstance(each, str)]
    own = normal("pypi", str(project.get("name") or (tool.get("poetry") or {}).get("name") or ""))
    dependencies: list[Dependency] = []
    for each in [*written, *building]:
        parsed = _requirement(each, *lines.of(re.split(r"[\s\[(=<>!~;@]", each.strip(), maxsplit=1)[0], each))
        if parsed is not None and parsed.name != own:
            dependencies.append(replace(parsed, unlocked=each in building))
    dependencies += _poetry(tool.get("poetry") or {}, lines)
    sources = (tool.get("uv") or {}).get("sources") or {}
    for name, source in sources.items():
        for each in source if isinstance(source, list) else [source]:
            if url := _source_url(each):
                place = lines.of(name, url.split("#")[0].split("@")[0])
                dependencies.append(
                    Dependency("pypi", normal("pypi", name), "", *place, url, moves=_source_moves(each))
                )
    known = project if project.get("name") else tool.get("poetry") or {}
    published = any(each in known for each in ("classifiers", "urls", "keywords", "homepage", "repository"))
    elsewhere = {normal("pypi", str(name)) for name in sources}
    asked = tuple(each for each in dependencies if each.url or each.name not in elsewhere)
    uv = tool.get("uv") or {}
    named = (
        uv.get("index"),
        uv.get("index-url"),
        uv.get("extra-index-url"),
        (tool.get("poetry") or {}).get("source"),
        (tool.get("pdm") or {}).get("source"),
    )
    indexes = tuple(place for each in named for place in _further(each, lines))
    return Manifest("pypi", asked, own=own, published=published, indexes=indexes)


def _poetry(poetry: Mapping[str, Any], lines: Lines) -> Iterator[Dependency]:
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
    lines = Lines(text)
    tables = (data.get("packages") or {}, data.get("dev-packages") or {})
    return Manifest(
        "pypi",
        tuple(_tabled("pypi", name, value, lines) for table in tables for name, value in table.items()),
        indexes=tuple(_further(data.get("source"), lines)),
    )


def _tabled(registry: str, name: str, value: Any, lines: Lines) -> Dependency:
    """A dependency written as `name = "spec"` or `name = {version = ..., git = ...}`."""
    table = value if isinstance(value, Mapping) else {"version": value}
    local = "path" in table or table.get("workspace") is True
    spec = "path:" if local else str(table.get("version") or "")
    named = str(table.get("package") or name)
    plain = value if isinstance(value, str) else spec
    place = lines.of(name, plain)
    return Dependency(registry, normal(registry, named), spec, *place, _source_url(table), moves=_source_moves(table))


def _source_url(table: Any) -> str:
    """Where a package comes from other than by name: a repository, with its commit, or an address."""
    if not isinstance(table, Mapping):
        return ""
    if isinstance(table.get("git"), str):
        at = table.get("rev") or table.get("tag") or table.get("branch") or ""
        return f"git+{table['git']}#{at}"
    return str(table["url"]) if isinstance(table.get("url"), str) else ""


def _source_moves(table: Any) -> bool:
    """Is it a repository at a branch, or at whatever stands there?"""
    if not isinstance(table, Mapping) or not isinstance(table.get("git"), str):
        return False
    if "tag" in table:
        return False
    return "rev" not in table or _REVISION.match(str(table["rev"])) is None


def _package_json(text: str) -> Manifest:
    data = json.loads(text)
    lines = Lines(text)
    dependencies = [
        Dependency(
            "npm",
            name,
            spec,
            *lines.of(name, spec),
            spec if _ADDRESS.match(spec) else "",
            unlocked=table == "peerDependencies",
            moves=bool(_ADDRESS.match(spec)) and _moves(spec),
        )
        for table in ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
        for name, spec in (data.get(table) or {}).items()
        if isinstance(spec, str)
    ]
    dependencies += [
        Dependency("npm", name, spec, *lines.of(name, spec), spec, unlocked=True, moves=_moves(spec))
        for name, spec in _overridden(data)
        if _ADDRESS.match(spec)
    ]
    published = data.get("private") is not True and any(
        each in data for each in ("main", "exports", "module", "types", "files", "bin")
    )
    return Manifest("npm", tuple(dependencies), own=str(data.get("name") or ""), published=published)


_MOST_OVERRIDES = 1_000


def _overridden(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is taken in place of packages that others ask for, however deep it is written: `overrides`, `resolutions`."""
    waiting = [data.get("overrides"), data.get("resolutions"), (data.get("pnpm") or {}).get("overrides")]
    for _ in range(_MOST_OVERRIDES):
        if not waiting:
            return
        table = waiting.pop()
        for name, spec in table.items() if isinstance(table, Mapping) else ():
            if isinstance(spec, str):
                yield str(name).rpartition("/")[2] if "/" in str(name) and "@" not in str(name) else str(name), spec
            else:
                waiting.append(spec)


def _cargo(text: str) -> Manifest:
    data = tomllib.loads(text)
    lines = Lines(text)
    tables = [data, *(data.get("target") or {}).values(), data.get("workspace") or {}]
    dependencies = [
        _tabled("crates", name, value, lines)
        for place in tables
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for name, value in (place.get(table) or {}).items()
    ]
    return Manifest("crates", tuple(dependencies), own=str((data.get("package") or {}).get("name") or ""))


_GO_REQUIRE = late(r"^(?:require\s+)?([\w.-]+(?:/[\w.~!@-]+)*)\s+(v[\w.+-]+)\s*(?://.*)?$")
_GO_REPLACE = late(r"^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?")


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


_GEM = late(r"^\s*gem\s*+\(?\s*+[\"']([\w.-]+)[\"'](.*)$")


def _gemfile(text: str) -> Manifest:
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    published = False
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000]
        published = published or line.lstrip().startswith("gemspec")
        if (place := _GEM_SOURCE.match(line)) is not None and "rubygems.org" not in place[1]:
            indexes.append((number, line.strip()[:300]))
        found = _GEM.match(line)
        if found is None:
            continue
        rest = found[2].partition(" #")[0]
        specs = _leading_strings(rest)
        source = re.search(r"(?:git|github)(?::|\"?\s*=>)\s*[\"']([^\"']{1,300})[\"']", rest)
        at = re.search(r"(ref|tag|branch)(?::|\"?\s*=>)\s*[\"']([^\"']{1,100})[\"']", rest)
        local = "path:" if re.search(r"\bpath(?::|\"?\s*=>)", rest) else ""
        url = f"git+{source[1]}#{at[2] if at else ''}" if source else ""
        computed = "?" if re.match(r"\s*,\s*\*?[a-z]\w*\s*(?:,|$)", rest) else local
        moves = bool(url) and (at is None or at[1] == "branch")
        dependencies.append(
            Dependency("gems", found[1], ", ".join(specs) or computed, number, raw.strip()[:300], url, moves=moves)
        )
    return Manifest("gems", tuple(dependencies), indexes=tuple(indexes), published=published)


_GEM_SOURCE = late(r"^\s*source\s*+\(?\s*+[\"']([^\"']{1,300})[\"']")


def _leading_strings(rest: str) -> list[str]:
    """The texts that follow a name before any option."""
    strings: list[str] = []
    while (found := re.match(r"\s*,\s*[\"']([^\"']{0,100})[\"']", rest)) is not None:
        strings.append(found[1])
        rest = rest[found.end() :]
    return strings


def _composer(text: str) -> Manifest:
    data = json.loads(text)
    lines = Lines(text)
    dependencies = [
        Dependency("packagist", name.lower(), spec, *lines.of(name, spec))
        for table in ("require", "require-dev")
        for name, spec in (data.get(table) or {}).items()
        if isinstance(spec, str) and "/" in name
    ]
    given = data.get("repositories") or []
    places = [
        each.get("url")
        for each in (given.values() if isinstance(given, Mapping) else given)
        if isinstance(each, Mapping) and each.get("type") != "path"
    ]
    published = data.get("type", "library") == "library" and "autoload" in data and "description" in data
    indexes = tuple(lines.holding(each) for each in places if isinstance(each, str))
    return Manifest(
        "packagist", tuple(dependencies), own=str(data.get("name") or "").lower(), indexes=indexes, published=published
    )


_SECTION = late(r"^(\w+)\s*[=:]|^\[([\w.:-]+)\]")


def _setup_cfg(text: str) -> Manifest:
    """`setup.cfg`: what stands below `install_requires` and in the table of extras."""
    dependencies: list[Dependency] = []
    table = key = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000].partition(" #")[0].rstrip()
        if (found := _SECTION.match(line)) is not None:
            table, key = (found[2], "") if found[2] else (table, found[1])
            line = line.partition("=")[2] if found[1] else ""
        wanted = key in {"install_requires", "tests_require", "setup_requires"} or table == "options.extras_require"
        parsed = _requirement(line, number, raw.strip()[:300]) if wanted and line.strip() else None
        if parsed is not None:
            dependencies.append(replace(parsed, unlocked=key == "setup_requires"))
    return Manifest("pypi", tuple(dependencies), published=True)


_REQUIRES = late(
    r"\b(?:install_requires|extras_require|tests_require|requirements|REQUIREMENTS|REQUIRES|INSTALL_REQUIRES)\s*[=:]\s*(?:list\()?[\[({]"
)
_QUOTED = late(r"#[^\n]*|\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|([\[({])|([\])}])")
_LONGEST_LIST = 20_000


def _setup_py(text: str) -> Manifest:
    """`setup.py`, never run: the texts in lists that are called what it requires."""
    dependencies: list[Dependency] = []
    seen = 0
    for found in _REQUIRES.finditer(text):
        if found.start() < seen:
            continue
        depth = 1
        for each in _QUOTED.finditer(text, found.end(), found.end() + _LONGEST_LIST):
            depth += 1 if each[3] else -1 if each[4] else 0
            seen = each.end()
            if depth == 0:
                break
            written = each[1] or each[2]
            if not written or text[each.end() : each.end() + 3].lstrip().startswith(":"):
                continue  # the name of an extra
            number = text.count("\n", 0, each.start()) + 1
            parsed = _requirement(written, number, written)
            if parsed is not None:
                dependencies.append(parsed)
        if len(dependencies) > _MOST_WRITTEN:
            break
    return Manifest("pypi", tuple(dependencies), published=True)


_MOST_WRITTEN = 500
_CONDA = late(
    r"^\s+-\s+[\"']?(?:[\w.-]+::)?([A-Za-z0-9][\w.-]*)\s*([=<>!~][^\s\"'#]*(?:\s*,\s*[=<>!][^\s\"'#]*)*|\s\d\S*)?[\"']?\s*(?:#.*)?$"
)


def _environment(text: str) -> Manifest:
    """An environment of conda, with what it has pip install."""
    dependencies: list[Dependency] = []
    inside, pip = False, -1
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:500].rstrip()
        if line and not line.startswith((" ", "-", "#")):
            inside, pip = line.startswith("dependencies:"), -1
        indent = len(line) - len(line.lstrip())
        if pip >= 0 and indent <= pip and line.strip():
            pip = -1
        if inside and re.match(r"^\s*-\s+pip:\s*$", line):
            pip = indent
        elif inside and pip >= 0:
            parsed = _requirement(line.strip().lstrip("- ").strip("\"'"), number, line.strip())
            if parsed is not None:
                dependencies.append(parsed)
        elif inside and (found := _CONDA.match(f" {line}")) is not None and found[1] not in {"python", "pip"}:
            dependencies.append(Dependency("conda", found[1].lower(), (found[2] or "").strip(), number, line.strip()))
    return Manifest("conda", tuple(dependencies))


_STARTS = late(r"^\s*(?:RUN\b|&&|\|\||;)?\s*", re.IGNORECASE)
_INSTALLS = late(
    r"\b(?:(?P<pip>(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+install|uv\s+(?:pip\s+install|tool\s+install|add)|pipx\s+install)|"
    r"(?P<npm>npm\s+(?:install|i|add)|yarn\s+(?:global\s+)?add|pnpm\s+add)|(?P<gem>gem\s+install)|(?P<go>go\s+install)|(?P<cargo>cargo\s+install))\s+(?P<rest>[^&|;\n]+)"
)
_WITH_VALUE = frozenset(
    {"-r", "--requirement", "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-t", "--target", "--prefix", "--timeout",
     "--trusted-host", "--python", "--platform", "-v", "--version", "--root", "--features", "--path", "--git", "--registry", "--cache-dir", "--default-timeout",
     "--retries", "--root-user-action", "--progress-bar", "--no-binary", "--only-binary", "--tag", "--rev", "--branch", "--bin"}
)  # fmt: skip


def _dockerfile(text: str) -> Manifest:
    """What a Dockerfile has package managers install by name."""
    dependencies: list[Dependency] = []
    number = 1
    for whole in re.split(r"(?<!\\)\n", text):
        line = whole.replace("\\\n", "  ")[:20_000]
        if not line.lstrip().startswith("#"):
            for found in _INSTALLS.finditer(line):
                at = number + whole[: max(0, found.start("rest") - 1)].count("\n")
                dependencies += _installed(found, at, " ".join(line.split())[:300])
        number += whole.count("\n") + 1
    return Manifest("docker", tuple(dependencies[:_MOST_WRITTEN]))


def _installed(found: re.Match[str], number: int, quote: str) -> Iterator[Dependency]:
    words = found["rest"].split()
    if (
        any(word in {"-c", "--constraint"} for word in words)
        or "--git" in words
        or "--version" in words
        or "-v" in words
    ):
        return
    waiting = False
    for raw in words:
        word = raw.strip("\"'")
        if waiting or raw.startswith("-"):
            waiting = not waiting and raw in _WITH_VALUE
            continue
        if word.startswith((".", "/", "$", "~", "#")) or (
            word.endswith((".whl", ".txt", ".tgz", ".gz", ".gem", ".zip")) and "://" not in word
        ):
            continue
        if found["pip"]:
            parsed = _requirement(word, number, quote)
            if _ADDRESS.match(word) and "://" in word:
                yield Dependency("pypi", "", "", number, quote, word, moves=_moves(word))
            elif parsed is not None and parsed.name not in {"pip", "setuptools", "wheel"}:
                yield parsed
        elif found["npm"]:
            name, _, version = word.rpartition("@") if "@" in word[1:] else (word, "", "")
            yield Dependency("npm", name, version, number, quote)
        elif found["go"]:
            name, _, version = word.partition("@")
            yield Dependency(
                "go", name, "latest" if version in {"latest", "master", "main", ""} else version, number, quote
            )
        else:
            name, _, version = word.partition(":" if found["gem"] else "@")
            yield Dependency("gems" if found["gem"] else "crates", name, version, number, quote)


Reader = tuple[str, Callable[[str], Manifest]]
_MANIFESTS: dict[str, Reader] = {
    "pyproject.toml": ("pypi", _pyproject),
    "pipfile": ("pypi", _pipfile),
    "package.json": ("npm", _package_json),
    "cargo.toml": ("crates", _cargo),
    "go.mod": ("go", _go_mod),
    "gemfile": ("gems", _gemfile),
    "pom.xml": ("maven", pom),
    "build.gradle": ("maven", gradle),
    "build.gradle.kts": ("maven", gradle),
    "settings.gradle": ("maven", gradle),
    "settings.gradle.kts": ("maven", gradle),
    "libs.versions.toml": ("maven", catalog),
    "composer.json": ("packagist", _composer),
    "gems.rb": ("gems", _gemfile),
    "setup.cfg": ("pypi", _setup_cfg),
    "setup.py": ("pypi", _setup_py),
    "environment.yml": ("conda", _environment),
    "environment.yaml": ("conda", _environment),
}
_PIP = late(
    r"(?:^|/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)|[\w.-]*constraints[\w.-]*\.txt)$",
    re.IGNORECASE,
)
_DOCKER = late(r"(?:^|/)(?:(?:Docker|Container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile)$", re.IGNORECASE)


def _manifest_reader(path: str) -> Reader | None:
    known = _MANIFESTS.get(path.rpartition("/")[2].lower())
    if known is None and _PIP.search(path):
        return "pypi", _requirements
    if known is None and _DOCKER.search(path):
        return "docker", _dockerfile
    return known


def beside(path: str, other: str) -> str:
    """The path in the repository of a file that another one names."""
    return normpath(join(path.rpartition("/")[0], other))


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


_RESOLVED = late(r"^\s*\"?resolved\"?:?\s+\"([^\"]{1,500})\"")
_SOURCE_URL = late(r"^\s*source\s*=\s*(?:\{\s*)?(?:registry|git|url)?\s*=?\s*\"([^\"]{1,500})\"")
_HOST = late(r"^(?:git\+|registry\+|sparse\+)?[a-z+]+://(?:[^/@]*@)?([^/:]+)", re.IGNORECASE)


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


_YARN = late(r"^(\S.*):\s*$")


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


_PNPM_FOLDER = late(r"^  ['\"]?([^\s'\":][^'\":]*)['\"]?:\s*$")
_PNPM_NAME = late(r"^      ['\"]?([@\w][^'\":]*)['\"]?:\s*$")
_PNPM_OVERRIDE = late(r"^  ['\"]?(@?[^@'\":]+)(?:@[^'\":]*)?['\"]?:")
_PNPM_SPEC = late(r"^        specifier:\s*['\"]?(.*?)['\"]?\s*$")


_PNPM_OLD = late(r"^  ['\"]?(@?[^'\":]+)['\"]?:\s*['\"]?([^'\"]*?)['\"]?\s*$")
_PNPM_TABLES = frozenset({"dependencies", "devDependencies", "optionalDependencies"})


def _pnpm_of_one(text: str) -> Lock:
    """A lock of pnpm before version 9 for a project that is alone: in its older form, and in the one after that."""
    asked: dict[str, str] = {}
    section = name = ""
    for raw in text.split("\n"):
        line = raw[:2000]
        if line and not line.startswith((" ", "#")):
            section = line.partition(":")[0]
        elif section == "specifiers" and (found := _PNPM_OLD.match(line)):
            asked[found[1]] = found[2]
        elif section in _PNPM_TABLES and (found := _PNPM_FOLDER.match(line)):
            name = found[1]
        elif section in _PNPM_TABLES and name and (found := _PNPM_SPEC_OF_ONE.match(line)):
            asked[name] = found[1]
    return Lock("npm", frozenset(asked), {"": asked})


_PNPM_SPEC_OF_ONE = late(r"^    specifier:\s*['\"]?(.*?)['\"]?\s*$")


def _pnpm(text: str) -> Lock:
    if not re.search(r"^importers:", text, re.MULTILINE) and re.search(
        r"^(?:specifiers|dependencies|devDependencies):", text, re.MULTILINE
    ):
        return _pnpm_of_one(text)
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


_NAME = late(r"^name\s*=\s*\"([^\"]{1,200})\"")


_VERSION = late(r"^version\s*=\s*\"([^\"]{1,100})\"")


def _tables(registry: str) -> Callable[[str], Lock]:
    """A lock of `[[package]]` tables with a `name` and a `version`: Cargo, Poetry, PDM, pylock."""

    def read(text: str) -> Lock:
        names, versions = _tabled_versions(text, registry)
        if not names:
            raise ValueError("no package")
        return Lock(registry, names, versions=versions, elsewhere=_elsewhere(text, _SOURCE_URL))

    return read


def _tabled_versions(text: str, registry: str) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    held: dict[str, set[str]] = {}
    name = ""
    for line in text.split("\n"):
        if (found := _NAME.match(line[:400])) is not None:
            name = normal(registry, found[1])
            held.setdefault(name, set())
        elif name and (found := _VERSION.match(line[:400])) is not None:
            held[name].add(found[1])
            name = ""
    return frozenset(held), {name: frozenset(some) for name, some in held.items() if some}


_UV_ASKED = late(r"\{ name = \"([^\"]{1,200})\"([^}]{0,2000})\}")
_UV_SPEC = late(r"specifier = \"([^\"]{0,300})\"")


def _uv(text: str) -> Lock:
    """The lock of uv, which keeps what the projects asked for beside what it holds."""
    names, versions = _tabled_versions(text, "pypi")
    if not names:
        raise ValueError("no package")
    pairs: set[tuple[str, str]] = set()
    asking = False
    for line in text.split("\n"):
        if line.startswith("["):
            asking = line.startswith(("[package.metadata]", "[package.metadata.requires-dev]"))
        if asking:
            for found in _UV_ASKED.finditer(line[:20_000]):
                spec = _UV_SPEC.search(found[2])
                pairs.add((normal("pypi", found[1]), ranged(spec[1] if spec else "")))
    return Lock("pypi", names, pairs=frozenset(pairs), versions=versions, elsewhere=_elsewhere(text, _SOURCE_URL))


def ranged(spec: str) -> str:
    """A range in the form in which two spellings of it are equal."""
    return ",".join(sorted(part.replace(" ", "") for part in spec.split(",") if part.strip()))


def _go_sum(text: str) -> Lock:
    pairs = set()
    for line in text.split("\n"):
        parts = line[:2000].split()
        if len(parts) == 3:
            pairs.add((parts[0], parts[1].removesuffix("/go.mod")))
    return Lock("go", frozenset(name for name, _ in pairs), pairs=frozenset(pairs))


def _pipfile_lock(text: str) -> Lock:
    data = json.loads(text)
    held = {
        normal("pypi", name): str(each.get("version") or "").removeprefix("==") if isinstance(each, Mapping) else ""
        for table in ("default", "develop")
        for name, each in (data.get(table) or {}).items()
    }
    return Lock("pypi", frozenset(held), versions={name: frozenset({each}) for name, each in held.items() if each})


def _composer_lock(text: str) -> Lock:
    data = json.loads(text)
    packages = [each for table in ("packages", "packages-dev") for each in data.get(table) or ()]
    held = {str(each["name"]).lower(): frozenset({str(each.get("version") or "")}) for each in packages}
    return Lock("packagist", frozenset(held), versions=held)


_GEM_LOCKED = late(r"^ {4}([\w.-]+) \(")
_GEM_ASKED = late(r"^ {2}([\w.-]+)(?: \(([^)]*)\))?!?\s*$")


def _gemfile_lock(text: str) -> Lock:
    names: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    section = ""
    for raw in text.split("\n"):
        line = raw[:400]
        if line and not line.startswith(" "):
            section = line.strip()
        elif found := _GEM_LOCKED.match(line):
            names.add(found[1])
        elif section == "DEPENDENCIES" and (found := _GEM_ASKED.match(line)):
            names.add(found[1])
            pairs.add((found[1], ranged(found[2] or "")))
    return Lock("gems", frozenset(names), pairs=frozenset(pairs))


_COMMA = late(r",(\s*[}\]])")


def _bun(text: str) -> Lock:
    """The lock of bun: JSON with commas behind the last of a list."""
    data = json.loads(_COMMA.sub(r"\1", text))
    asked = {
        folder: {
            name: str(spec)
            for table in ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
            for name, spec in (each.get(table) or {}).items()
        }
        for folder, each in (data.get("workspaces") or {}).items()
        if isinstance(each, Mapping)
    }
    return Lock("npm", frozenset(data.get("packages") or ()), asked, overridden=frozenset(data.get("overrides") or ()))


def _unreadable(_text: str) -> Lock:
    return Lock("npm", unread="it is not kept as text")


_LOCKS: dict[str, tuple[str, Callable[[str], Lock]]] = {
    "package-lock.json": ("npm", _package_lock),
    "npm-shrinkwrap.json": ("npm", _package_lock),
    "yarn.lock": ("npm", _yarn),
    "pnpm-lock.yaml": ("npm", _pnpm),
    "bun.lock": ("npm", _bun),
    "bun.lockb": ("npm", _unreadable),
    "uv.lock": ("pypi", _uv),
    "pylock.toml": ("pypi", _tables("pypi")),
    "composer.lock": ("packagist", _composer_lock),
    "gradle.lockfile": ("maven", gradle_lock),
    "gems.locked": ("gems", _gemfile_lock),
    "poetry.lock": ("pypi", _tables("pypi")),
    "pdm.lock": ("pypi", _tables("pypi")),
    "cargo.lock": ("crates", _tables("crates")),
    "pipfile.lock": ("pypi", _pipfile_lock),
    "go.sum": ("go", _go_sum),
    "gemfile.lock": ("gems", _gemfile_lock),
}
