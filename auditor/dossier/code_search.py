"""Files around a change in which names are looked for: the nearest of the same language, within bounds."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from auditor.domain import EntryKind, TreeEntry
from auditor.dossier.changed_file import ReadBlobs
from auditor.dossier.syntax import Syntax, grammar_name
from auditor.dossier.syntax_child_process import SyntaxReader
from auditor.forensics.source_text.file_roles import Role, role

MAX_FILES = 1_500
"""Files that are searched: the nearest to the changed ones. Those of a repository of 200,000 lines fit."""
_MAX_BYTES = 400_000
"""Larger files are not searched."""
MAX_PARSED = 60
"""Files of which the syntax is read."""
_MAX_FILES_A_NAME = 8
"""Files that are looked into for one name."""
_DEFINER = re.compile(
    rb"\b(?:def|class|func|fn|function|type|struct|enum|trait|interface|record|const|let|var|static|module|impl)\b"
)
_DEFINED = re.compile(rb"[!?]?\s*(?:[=:(<{]|$)")
"""What follows a name where it is defined, in one of the languages; what else it fits is sorted out by the syntax."""
_MAX_LINE = 400
_WORD = re.compile(rb"[A-Za-z_$][\w$]*[?!]?")
_FAMILIES = {"tsx": "javascript", "typescript": "javascript"}
_PACKAGE_FILES = frozenset({"__init__", "index", "mod", "lib", "main"})


@dataclass(frozen=True)
class SearchedFile:
    """A file at the head in which a name was found."""

    path: str
    content: bytes
    lines: tuple[str, ...]
    syntax: Syntax


@dataclass
class CodeSearch:
    """Finds files by the names they hold. Each file is read once."""

    entries: Mapping[str, TreeEntry]
    changed: Collection[str]
    read: ReadBlobs
    reader: SyntaxReader
    _changed_folders: set[str] | None = None
    _contents: dict[str, bytes] | None = None
    _parsed: dict[str, SearchedFile | None] = field(default_factory=dict)
    _words: dict[str, frozenset[bytes]] = field(default_factory=dict)
    _by_word: dict[bytes, list[str]] | None = None

    def calling(self, name: str, ties: Collection[str]) -> Iterator[SearchedFile]:
        """Files that may call a name and are tied to the change, nearest first."""
        return self._holding(name, ties, lambda _content: True)

    def defining(
        self, name: str, ties: Collection[str], is_wanted: Callable[[str], bool] = lambda _path: True
    ) -> Iterator[SearchedFile]:
        """Files that may define a name and are tied to the change, nearest first. `is_wanted` is asked of a path."""
        form = re.compile(rb"(?<![\w$])%s(?![\w$])" % re.escape(name.encode()))
        return self._holding(
            name, ties, lambda content: any(_may_define(content, each) for each in form.finditer(content)), is_wanted
        )

    def _holding(
        self,
        name: str,
        ties: Collection[str],
        fits: Callable[[bytes], bool],
        is_wanted: Callable[[str], bool] = lambda _path: True,
    ) -> Iterator[SearchedFile]:
        """Each file is read when it is asked for, so a caller that has found enough can stop."""
        tied = {each.encode() for each in ties}
        left = _MAX_FILES_A_NAME
        for path in self._index().get(name.encode(), ()):
            if not (path in self.changed or self._is_near(path) or not tied.isdisjoint(self._words[path])):
                continue
            if not is_wanted(path):
                continue
            if fits(self._texts()[path]):
                file = self.file(path)
                left -= 1
                if file is not None:
                    yield file
            if left <= 0:
                return

    def _index(self) -> Mapping[bytes, list[str]]:
        """The files that hold each word, nearest first; made once."""
        if self._by_word is None:
            self._by_word = {}
            for path, content in self._texts().items():
                self._words[path] = frozenset(_WORD.findall(content))
                for word in self._words[path]:
                    self._by_word.setdefault(word, []).append(path)
        return self._by_word

    def file(self, path: str) -> SearchedFile | None:
        """A file with its syntax; None where no grammar reads it, or enough files were read."""
        if path not in self._parsed:
            content = self._texts().get(path)
            if content is None or len(self._parsed) >= MAX_PARSED:
                return None
            syntax = self.reader.read(path, content)
            lines = tuple(content.decode("utf-8", errors="backslashreplace").split("\n"))
            self._parsed[path] = None if syntax is None else SearchedFile(path, content, lines, syntax)
        return self._parsed[path]

    def is_tied(self, path: str, ties: Collection[str]) -> bool:
        """Does the file lie beside a changed one, or hold one of some words?"""
        self._index()
        return path in self._words and (
            self._is_near(path) or not {each.encode() for each in ties}.isdisjoint(self._words[path])
        )

    def _is_near(self, path: str) -> bool:
        """Is it in the folder of a changed file? In Go and Java such files need no import."""
        if self._changed_folders is None:
            self._changed_folders = {each.rpartition("/")[0] for each in self.changed}
        return path.rpartition("/")[0] in self._changed_folders

    def _texts(self) -> Mapping[str, bytes]:
        if self._contents is None:
            families = {_family(each) for each in self.changed}
            fitting = [
                path for path in self.entries if _is_searched(path, self.entries[path]) and _family(path) in families
            ]
            folders = sorted({tuple(each.split("/")[:-1]) for each in self.changed})
            nearest = sorted(fitting, key=lambda path: (path not in self.changed, -_nearness(path, folders), path))
            chosen = nearest[:MAX_FILES]
            contents = self.read(self.entries[path] for path in chosen)
            self._contents = {
                path: content
                for path in chosen
                if (content := contents.get(self.entries[path].blob)) is not None and len(content) <= _MAX_BYTES
            }
        return self._contents


def _may_define(content: bytes, found: re.Match[bytes]) -> bool:
    """Is a name behind a word that defines, or at the start of its line before a sign that does?"""
    start = max(content.rfind(b"\n", 0, found.start()) + 1, found.start() - _MAX_LINE)
    before = content[start : found.start()]
    end = content.find(b"\n", found.end(), found.end() + _MAX_LINE)
    after = content[found.end() : end if end >= 0 else found.end() + _MAX_LINE]
    return _DEFINER.search(before) is not None or (len(before.split()) < 7 and _DEFINED.match(after) is not None)


def tie_names(paths: Iterable[str]) -> set[str]:
    """Words that a file which imports one of these would hold: the module's name, or its folder's."""
    words = set()
    for path in paths:
        pure = PurePosixPath(path)
        stem = pure.name.partition(".")[0]
        words.add(pure.parent.name if stem in _PACKAGE_FILES else stem)
    return {each for each in words if each}


def _is_searched(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and bool(grammar_name(path)) and role(path) in (Role.PRODUCT, Role.TEST)


def _family(path: str) -> str:
    name = grammar_name(path)
    return _FAMILIES.get(name, name)


def _nearness(path: str, folders: Sequence[tuple[str, ...]]) -> int:
    """Leading folders shared with the nearest of some folders, which are sorted: it is beside the place of this one."""
    parts = tuple(path.split("/")[:-1])
    place = bisect(folders, parts)
    return max((_shared(parts, each) for each in folders[max(place - 1, 0) : place + 1]), default=0)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        count += 1
    return count
