"""What a `Gemfile` asks for and its lock holds."""

from __future__ import annotations

import re

from auditor.forensics.dependencies.dependency_types import COMPUTED_RANGE, Dependency, Lock, Manifest, normalize_range
from auditor.lazy_regex import lazy_compile

_GEM = lazy_compile(r"^\s*gem\s*+\(?\s*+[\"']([\w.-]+)[\"'](.*)$")


def gemfile(text: str) -> Manifest:
    """A `Gemfile`, line by line: it is a program, and is not run."""
    dependencies: list[Dependency] = []
    indexes: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000]
        if (place := _GEM_SOURCE.match(line)) is not None and "rubygems.org" not in place[1]:
            indexes.append((number, line.strip()[:300]))
        found = _GEM.match(line)
        if found is None:
            continue
        rest = found[2].partition(" #")[0]
        specs = [_EXACT_VERSION_SIGN.sub("", each) for each in _leading_strings(rest)]
        source = re.search(r"(?:git|github)(?::|\"?\s*=>)\s*[\"']([^\"']{1,300})[\"']", rest)
        at = re.search(r"(ref|tag|branch)(?::|\"?\s*=>)\s*[\"']([^\"']{1,100})[\"']", rest)
        local = "path:" if re.search(r"\bpath(?::|\"?\s*=>)", rest) else ""
        url = f"git+{source[1]}#{at[2] if at else ''}" if source else ""
        computed = "?" if _COMPUTED_ARGUMENT.match(rest) else local
        moves = bool(url) and (at is None or at[1] == "branch")
        dependencies.append(
            Dependency(
                "gems", found[1], ", ".join(specs) or computed, number, raw.strip()[:300], url, is_floating=moves
            )
        )
    return Manifest("gems", tuple(dependencies), index_lines=tuple(indexes))


_ADD_DEPENDENCY = lazy_compile(
    r"^\s*\w{1,20}\.add_(?:runtime_|development_)?dependency\s*+\(?\s*+(?:[\"']([\w.-]{1,100})[\"']|%q[<(]([\w.-]{1,100})[>)](?:\.freeze)?)(.*)$"
)
_FREEZE_CALL = lazy_compile(r"\.freeze\b")
_LIST_ARGUMENT = lazy_compile(r"^\s*,\s*\[([^\]\n]{0,300})\]")


def gemspec(text: str) -> Manifest:
    """A gem, line by line: it is a program, and is not run."""
    dependencies: list[Dependency] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _ADD_DEPENDENCY.match(raw[:2000])
        if found is None:
            continue
        rest = _FREEZE_CALL.sub("", found[3].partition(" #")[0])
        listed = _LIST_ARGUMENT.match(rest)
        specs = _leading_strings(f", {listed[1]}" if listed is not None else rest)
        computed = COMPUTED_RANGE if not specs and rest.strip(" )") else ""
        name = found[1] or found[2]
        dependencies.append(Dependency("gems", name, ", ".join(specs) or computed, number, raw.strip()[:300]))
    return Manifest("gems", tuple(dependencies))


_COMPUTED_ARGUMENT = lazy_compile(r"\s*,\s*(?:\(|\*?[A-Za-z_][\w.]*(?:::[\w.]+)*(?:\[[^\]]{0,100}\])?\s*(?:,|$))")
"""Arguments after a name that compute the range: a variable, a constant, or a choice in brackets."""
_GEM_SOURCE = lazy_compile(r"^\s*source\s*+\(?\s*+[\"']([^\"']{1,300})[\"']")


def _leading_strings(rest: str) -> list[str]:
    """The texts that follow a name before any option."""
    strings: list[str] = []
    while (found := re.match(r"\s*,\s*[\"']([^\"']{0,100})[\"']", rest)) is not None:
        strings.append(found[1])
        rest = rest[found.end() :]
    return strings


_EXACT_VERSION_SIGN = lazy_compile(r"^=\s*(?=\d)")
"""One version alone: a `Gemfile` may leave the sign out, and its lock writes it."""
_GEM_LOCKED = lazy_compile(r"^ {4}([\w.-]+) \((?:(\d[\w.]*)\))?")
_GEM_REMOTE = lazy_compile(r"^ {2}remote: (https?://\S{1,300})")
_GEM_REQUESTED = lazy_compile(r"^ {2}([\w.-]+)(?: \(([^)]*)\))?!?\s*$")


def gemfile_lock(text: str) -> Lock:
    """The lock of Bundler, which lists what was asked for and what is locked."""
    names: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    versions: dict[str, frozenset[str]] = {}
    remotes: list[tuple[int, str]] = []
    section = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:400]
        if line and not line.startswith(" "):
            section = line.strip()
        elif found := _GEM_LOCKED.match(line):
            names.add(found[1])
            if section == "GEM" and found[2]:
                versions[found[1]] = versions.get(found[1], frozenset()) | {found[2]}
        elif section == "GEM" and (found := _GEM_REMOTE.match(line)):
            if "rubygems.org" not in found[1]:
                remotes.append((number, line.strip()))
        elif section == "DEPENDENCIES" and (found := _GEM_REQUESTED.match(line)):
            names.add(found[1])
            pairs.add((found[1], normalize_range(_EXACT_VERSION_SIGN.sub("", found[2] or ""))))
    return Lock(
        "gems", frozenset(names), requested_ranges=frozenset(pairs), versions=versions, elsewhere=tuple(remotes)
    )
