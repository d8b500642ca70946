"""What packages of Swift and lists of pods ask for, and what their locks hold; none of them is run."""

from __future__ import annotations

import json
import re

from auditor.forensics.dependencies.dependency_types import Dependency, Lock, Manifest, normalize_range, section_lines
from auditor.forensics.dependencies.package_origins import is_release
from auditor.lazy_regex import lazy_compile

_PACKAGE = lazy_compile(r"\.package\(\s*(?P<said>[^()]{0,400}(?:\([^()]{0,200}\)[^()]{0,200}){0,3})\)")
_URL = lazy_compile(r"\burl:\s*\"([^\"]{1,300})\"")
_BRANCH = lazy_compile(r"\bbranch\s*[:(]\s*\"([^\"]{1,100})\"")
_VERSION_REQUIREMENT = lazy_compile(
    r"\b(?:from|exact|revision|upToNextMinor|upToNextMajor|id)\s*[:(]|\.\.[.<]|\d\"\s*\)?\s*$"
)
_COMMENT = lazy_compile(r"^[ \t]*//[^\n]*", re.MULTILINE)


def package_swift(text: str) -> Manifest:
    """A package. All come from repositories, which is how Swift has them: a branch alone is another source."""
    plain = _COMMENT.sub("", text)
    dependencies: list[Dependency] = []
    number, seen = 1, 0
    for found in _PACKAGE.finditer(plain):
        number, seen = number + plain.count("\n", seen, found.start()), found.start()
        address = _URL.search(found["said"])
        if address is None:
            continue
        branch = _BRANCH.search(found["said"])
        quote = " ".join(found[0].split())[:300]
        spec = UNPARSED_RANGE if _VERSION_REQUIREMENT.search(found["said"]) else ""
        url = f"git+{address[1]}#{branch[1]}" if branch is not None else ""
        dependencies.append(
            Dependency("swift", _identity(address[1]), spec, number, quote, url, is_floating=branch is not None)
        )
    return Manifest("swift", tuple(dependencies))


UNPARSED_RANGE = "from:"
"""Stands for a version range that was not parsed."""


def _identity(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2].removesuffix(".git").lower()


def package_resolved(text: str) -> Lock:
    """The lock of Swift: names alone, as what is asked for is no text there."""
    data = json.loads(text)
    pins = data.get("pins") or (data.get("object") or {}).get("pins") or ()
    told = (each.get("location") or each.get("repositoryURL") or each.get("identity") or "" for each in pins)
    return Lock("swift", frozenset(_identity(str(each)) for each in told))


_POD = lazy_compile(r"^\s*pod\s*+\(?\s*+[\"']([\w./+-]{1,100})[\"']([^#]*)")
_OPTION = lazy_compile(r":?(git|podspec|branch|tag|commit)\s*(?:=>|:)\s*[\"']([^\"']{1,300})[\"']")
_LOCAL_PATH = lazy_compile(r"(?::path\s*=>|\bpath:)")
_STRING_ARGUMENT = lazy_compile(r"^\s*,\s*[\"']([^\"']{0,100})[\"']")


def podfile(text: str) -> Manifest:
    """A list of pods, line by line."""
    dependencies: list[Dependency] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _POD.match(raw[:2000])
        if found is None:
            continue
        options = dict(_OPTION.findall(found[2]))
        spec = _STRING_ARGUMENT.match(found[2])
        at = options.get("commit") or options.get("tag") or options.get("branch") or ""
        source = options.get("git") or options.get("podspec") or ""
        dependencies.append(
            Dependency(
                "pods",
                found[1],
                "path:" if _LOCAL_PATH.search(found[2]) else spec[1] if spec is not None else "",
                number,
                raw.strip()[:300],
                f"git+{source}#{at}" if source else "",
                is_floating=bool(source) and "tag" not in options and not is_release(at),
            )
        )
    return Manifest("pods", tuple(dependencies))


_POD_REQUESTED = lazy_compile(r"^  - \"?([\w./+-]{1,100})(?: \(([^)]{1,200})\))?\"?\s*$")


def podfile_lock(text: str) -> Lock:
    """The lock of CocoaPods, which keeps what was asked for."""
    pairs: set[tuple[str, str]] = set()
    for section, line in section_lines(text, 400):
        if section == "DEPENDENCIES" and (found := _POD_REQUESTED.match(line)) is not None:
            pairs.add((found[1], normalize_range((found[2] or "").removeprefix("= "))))
    return Lock("pods", frozenset(name for name, _ in pairs), requested_ranges=frozenset(pairs))
