"""Which files of a repository a function may be in that another file calls, by how that file names it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from posixpath import join, normpath

from auditor.forensics.source_text.file_roles import language

KEY_SEPARATOR = "#"
"""Between where a function may be and its name."""
INCLUDED_SEPARATOR = ";"
"""Between the files that a file includes."""
_SCRIPTS = frozenset({"javascript", "typescript"})
_SCRIPT_ENDING = re.compile(r"\.(?:js|mjs|cjs|jsx)$")
_MAX_FILES = 40
_MAX_SEGMENTS = 12


class NeighbourFiles:
    """The files of one side, as others name them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._stems: dict[str, list[str]] = defaultdict(list)
        self._modules: dict[str, list[str]] = defaultdict(list)
        """Scripts by their paths without the ending."""
        for path in sorted(self._paths):
            folder, _, name = path.rpartition("/")
            self._folders[folder].append(path)
            self._stems[name.rpartition(".")[0]].append(path)
            if language(path) in _SCRIPTS:
                self._modules[path.rpartition(".")[0]].append(path)

    def files(self, path: str, place: str, written_in: str) -> list[str]:
        """The files that a place may be, as a file of that language and path names it."""
        folder = path.rpartition("/")[0]
        if written_in in _SCRIPTS:
            found = self._relative(folder, place)
        elif written_in == "go":
            found = self._in_folder(self._package_folder(place) if place else folder, written_in)
        elif written_in == "rust":
            found = self._of_module(place)
        elif place.endswith(".php"):
            found = self._included(folder, place)
        elif place:
            found = self._of_class(folder, place, written_in)
        else:
            found = self._in_folder(folder, written_in)
        return [each for each in found if each != path][:_MAX_FILES]

    def _relative(self, folder: str, place: str) -> Iterator[str]:
        """A file by its path with or without its ending, or the index of a folder."""
        base = normpath(join(folder, place))
        if not base.startswith(".."):
            stem = _SCRIPT_ENDING.sub("", base)
            for each in dict.fromkeys((base, stem, f"{base}/index")):
                yield from ([each] if each in self._paths else self._modules.get(each, ()))

    def _package_folder(self, package: str) -> str:
        """The folder of a package by the end of its import path; the longest that fits."""
        parts = package.split("/")[-_MAX_SEGMENTS:]
        ends = ("/".join(parts[number:]) for number in range(1, len(parts)))
        return next((each for each in ends if each in self._folders), "?")

    def _in_folder(self, folder: str, written_in: str) -> Iterator[str]:
        tests = ("_test.go", "_spec.rb", "Test.java")
        found = (each for each in self._folders.get(folder, ()) if not each.endswith(tests))
        yield from (each for each in found if language(each) == written_in)

    def _included(self, folder: str, place: str) -> Iterator[str]:
        """Files by their paths from the folder, or from the top of the repository."""
        for each in place.split(INCLUDED_SEPARATOR):
            near, top = normpath(join(folder, each)), normpath(each)
            yield from (near,) if near in self._paths else (top,) if top in self._paths else ()

    def _of_module(self, place: str) -> Iterator[str]:
        """The file of a module of Rust, by the end of its path: `crate.shop.files.Store`."""
        parts = [each for each in place.split(".") if each[:1].islower() and each not in {"crate", "self", "super"}]
        if not parts:
            return
        end = "/".join(parts[-_MAX_SEGMENTS:])
        files = (*self._stems.get(parts[-1], ()), *self._stems.get("mod", ()))
        likely = [each for each in files if each.endswith((f"{parts[-1]}.rs", f"{parts[-1]}/mod.rs"))]
        whole = [each for each in likely if f"/{each}".endswith((f"/{end}.rs", f"/{end}/mod.rs"))]
        yield from whole or likely

    def _of_class(self, folder: str, place: str, written_in: str) -> Iterator[str]:
        """The files of a class; where it is named without a package, one in the same folder hides all others."""
        name = re.split(r"[.:]+", place)[-1]
        if written_in == "ruby":
            snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            yield from (each for each in self._stems.get(snake, ()) if each.endswith(".rb"))
        else:
            stems = (*self._stems.get(name, ()), *self._stems.get(_implemented(name, written_in), ()))
            found = [each for each in stems if language(each) == written_in]
            near = [each for each in found if name == place and each.rpartition("/")[0] == folder]
            yield from near or found


def _implemented(name: str, written_in: str) -> str:
    """The usual name of a class that implements an interface: `Store` of `IStore` in C# and `StoreInterface` in PHP."""
    if written_in == "csharp" and name[:1] == "I" and name[1:2].isupper():
        return name[1:]
    return name.removesuffix("Interface") if written_in == "php" else ""
