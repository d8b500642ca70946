"""What a project of Mix asks for and what its lock holds; both are programs, and neither is run."""

from __future__ import annotations

import re

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest
from auditor.forensics.dependencies.package_origins import is_release
from auditor.lazy_regex import lazy_compile

_DEPENDENCY_TUPLE = lazy_compile(r"\{\s*:(?P<name>[a-z]\w{0,100})\s*,\s*(?P<rest>(?:\"|~>|[a-z_]+:)[^{}]{0,600})\}")
_SPEC = lazy_compile(r"\s*\"([^\"\n]{0,200})\"")
_SOURCE_OPTION = lazy_compile(
    r"\b(git|github|path|in_umbrella|hex|organization|compile|ref|tag|branch):\s*:?\"?([^\",\s}\]]{1,300})"
)
_SOURCE_KEYS = frozenset({"git", "github", "path", "in_umbrella", "hex"})
_COMMENT = lazy_compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_MAX_DEPENDENCIES = 1_000


def mix(text: str) -> Manifest:
    """The tuples of a name and a range, or of a name and where it comes from."""
    plain = _COMMENT.sub("", text)
    dependencies: list[Dependency] = []
    number, seen = 1, 0
    for found in _DEPENDENCY_TUPLE.finditer(plain):
        spec = _SPEC.match(found["rest"])
        options = dict(_SOURCE_OPTION.findall(found["rest"]))
        if spec is None and not _SOURCE_KEYS & options.keys():
            continue  # a pair of something else, such as the module that starts the program
        number, seen = number + plain.count("\n", seen, found.start()), found.start()
        quote = " ".join(found[0].split())[:300]
        at = options.get("ref") or options.get("tag") or options.get("branch") or ""
        source = options.get("git") or options.get("github") or ""
        local = "path:" if {"path", "in_umbrella"} & options.keys() else ""
        dependencies.append(
            Dependency(
                "hex",
                options.get("hex") or found["name"],
                local or (spec[1].replace(" and ", ", ") if spec is not None else ""),
                number,
                quote,
                f"git+{source}#{at}" if source else "",
                is_floating=bool(source) and "tag" not in options and not is_release(at),
            )
        )
        if len(dependencies) >= _MAX_DEPENDENCIES:
            break
    return Manifest("hex", tuple(dependencies))


_LOCKED = lazy_compile(r"^(?:%\{)?\s*\"(\w{1,100})\": \{:(\w+),(?: :\w{1,100}, \"([^\"]{1,100})\")?")


def mix_lock(text: str) -> Lock:
    """The lock of Mix: a package a line."""
    found = [told for line in text.split("\n") if (told := _LOCKED.match(line[:1000])) is not None]
    held = {told[1]: frozenset({told[3]}) for told in found if told[2] == "hex" and told[3]}
    return Lock("hex", frozenset(told[1] for told in found), versions=held)
