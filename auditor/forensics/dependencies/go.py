"""What `go.mod` asks for and `go.sum` holds."""

from __future__ import annotations

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest
from auditor.lazy_regex import lazy_compile

_GO_REQUIRE = lazy_compile(r"^(?:require\s+)?([\w.-]+(?:/[\w.~!@-]+)*)\s+(v[\w.+-]+)\s*(?://.*)?$")
_GO_REPLACE = lazy_compile(r"^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?")

_EXCLUDING_DIRECTIVES = frozenset({"retract", "exclude"})
"""Directives that exclude versions: what they name is not requested."""


def go_mod(text: str) -> Manifest:
    """A module of Go; what replaces another module counts as asked for from elsewhere, unless it is a folder."""
    dependencies: list[Dependency] = []
    own = ""
    local: set[str] = set()
    block = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000].strip()
        told = line.partition("//")[0].rstrip()  # a bracket in a comment opens and closes nothing
        word = told.partition(" ")[0]
        block = word if told.endswith("(") else "" if told == ")" else block
        if (block or word) in _EXCLUDING_DIRECTIVES:
            continue
        if line.startswith("module "):
            own = line.split()[1].strip('"')
        elif replaced := _GO_REPLACE.match(line):
            if replaced[2].startswith((".", "/")):
                local.add(replaced[1])
            else:
                dependencies.append(
                    Dependency("go", replaced[1], replaced[3] or "", number, line, f"replaced by {replaced[2]}")
                )
        elif found := _GO_REQUIRE.match(line):
            passing = "// indirect" in line
            dependencies.append(Dependency("go", found[1], found[2], number, line, is_indirect=passing))
    return Manifest("go", tuple(each for each in dependencies if each.name not in local), own=own)


def go_sum(text: str) -> Lock:
    """The sums of Go: each module with its version, and marked where there is the sum of its `go.mod` alone."""
    pairs = set()
    for line in text.split("\n"):
        parts = line[:2000].split()
        if len(parts) == 3:
            pairs.add((parts[0], parts[1]))
    return Lock("go", frozenset(name for name, _ in pairs), requested_ranges=frozenset(pairs))
