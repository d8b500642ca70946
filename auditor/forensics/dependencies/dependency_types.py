"""What a manifest asks for and what a lock file holds, as values; and where in a text a name is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from auditor.lazy_regex import lazy_compile

COMPUTED_RANGE = "?"
"""Stands for a range that a program computes."""


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
    """Do lock files leave it out, as build requirements and peer dependencies?"""
    is_conditional: bool = False
    """Is it for some environments only, so that a lock that was made for one may not hold it?"""
    is_indirect: bool = False
    """Is it an indirect dependency, of which a lock may hold less?"""
    is_floating: bool = False
    """Does its address name a branch or no revision, so that its content can change?"""


@dataclass(frozen=True)
class Manifest:
    """All that a manifest asks for. `own` is the project's own name."""

    registry: str
    dependencies: tuple[Dependency, ...] = ()
    own: str = ""
    index_lines: tuple[tuple[int, str], ...] = ()
    """Lines that name a further place to take packages from."""
    images: tuple[Dependency, ...] = ()
    """Images of containers that it is built from or has started."""
    overridden_names: frozenset[str] = frozenset()
    """Names whose version it sets for all packages that depend on them."""
    constraint_files: tuple[str, ...] = ()
    """Constraint files, as written in the manifest."""
    unread: str = ""


@dataclass(frozen=True)
class Lock:
    """What a lock file holds. `asked` is what it says that each manifest asked for, by folder, where it says so."""

    registry: str
    names: frozenset[str] = frozenset()
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    requested_ranges: frozenset[tuple[str, str]] = frozenset()
    """Names with the ranges requested of them, for locks that note no folder."""
    versions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The versions held of each name, for locks that do not say what was asked for."""
    overridden_names: frozenset[str] = frozenset()
    """Names whose ranges are set for the whole workspace, whatever a manifest asks for."""
    complete: bool = False
    """Does it list every package it holds, so that one that is not listed is missing?"""
    elsewhere: tuple[tuple[int, str], ...] = ()
    """Lines that take a package from another place than most."""
    swapped: tuple[tuple[int, str], ...] = ()
    """Lines that unpack another package than the one they are held as."""
    hosts: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Hosts that packages are taken from, each with its first line."""
    unread: str = ""


def normalize_name(registry: str, name: str) -> str:
    """The form in which two spellings of a name are equal."""
    return (
        re.sub(r"[-_.]+", "-", name).lower()
        if registry == "pypi"
        else name.lower()
        if registry in {"crates", "nuget"}
        else name
    )


def section_lines(text: str, most: int) -> Iterator[tuple[str, str]]:
    """The lines of a lock, cut, each with the key without an indent that it is below."""
    section = ""
    for raw in text.split("\n"):
        line = raw[:most]
        if line and not line.startswith((" ", "#")):
            section = line.partition(":")[0]
        else:
            yield section, line


_TOKEN = re.compile(r"[\w@/.-]+")
_MAX_LINES_PER_WORD = 40
"""Lines with one name that are compared; the first of them stands for the others."""
_MAX_LINE_LENGTH = 2_000


class LineIndex:
    """Finds the line of a word, for parsers that give no lines. Built once per text, in one pass."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._by_word: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            for word in dict.fromkeys(_TOKEN.findall(line[:_MAX_LINE_LENGTH])):
                known = self._by_word.setdefault(word.rstrip("."), [])
                if len(known) < _MAX_LINES_PER_WORD:
                    known.append(number)

    def of(self, word: str, value: str = "") -> tuple[int, str]:
        """Line (from 1) and text of the first that holds word and value in quotes, else both, else the word."""
        best: tuple[int, int] | None = None
        for number in self._by_word.get(word.rstrip("."), ()):
            line = self._lines[number][:_MAX_LINE_LENGTH]
            quoted = value and (f'"{value}"' in line or f"'{value}'" in line)
            rank = 2 if quoted else 1 if value and value in line else 0
            if best is None or rank > best[0]:
                best = (rank, number)
            if rank == 2:
                break
        return (1, "") if best is None else (best[1] + 1, self._lines[best[1]].strip()[:300])

    def find_text(self, text: str) -> tuple[int, str]:
        """Line (from 1) and text of the first that holds a longer text, such as an address."""
        word = max(_TOKEN.findall(text), key=len, default="")
        for number in self._by_word.get(word.rstrip("."), ()):
            if text in self._lines[number][:_MAX_LINE_LENGTH]:
                return number + 1, self._lines[number].strip()[:300]
        return self.of(word)


def normalize_range(spec: str) -> str:
    """A range in the form in which two spellings of it are equal; tools write `1.0beta1` down as `1.0b1`."""
    parts = (part.replace(" ", "") for part in spec.split(",") if part.strip())
    return ",".join(sorted(_PRERELEASE.sub(_normalize_prerelease, part) for part in parts))


_PRERELEASE = lazy_compile(r"(?<=\d)[._-]?(alpha|beta|preview|pre|rc|a|b|c)[._-]?(\d{1,9}|(?![\w.]))", re.IGNORECASE)
_PRERELEASE_ABBREVIATIONS = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


def _normalize_prerelease(found: re.Match[str]) -> str:
    """A version before the release, as it is spelled in a lock."""
    word = found[1].lower()
    return f"{_PRERELEASE_ABBREVIATIONS.get(word, word)}{int(found[2] or 0)}"
