"""Modules that are named like tests and serve the product all the same: what product code imports is product code.

A name is the author's choice. Imports tell where a module is used, so they outrank it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from posixpath import normpath

from auditor.domain import TreeEntry
from auditor.forensics.source_text.file_outline import TEST_MODULE_NAME, Outline
from auditor.forensics.source_text.file_roles import is_test, language
from auditor.lazy_regex import lazy_compile

_IMPORT = lazy_compile(
    r"^[ \t]*(?:from[ \t]+(?P<origin>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]{0,4000}\)|[^\n#]{1,4000})|import[ \t]+(?P<modules>[^\n#]{1,4000}))",
    re.MULTILINE,
)
_WORDS = ("test", "Test", "TEST", "spec", "Spec", "e2e")
PACKAGING = ("pyproject.toml", "setup.cfg", "setup.py")
"""Files at the root that name the modules behind a project's commands."""
_ENTRY = lazy_compile(r"=[ \t]*[\"']?([A-Za-z_][\w.]{0,200}):[A-Za-z_]")
_NAME = lazy_compile(r"[\w.]+")
_NOT_NAMES = lazy_compile(r"\bas\s+\w+|#[^\n]*")


def served(
    head: Mapping[str, TreeEntry], reaches: Mapping[str, Iterable[str]], follow: Mapping[str, Outline]
) -> frozenset[str]:
    """Paths of test-named Python modules that product code imports, directly or through each other.

    `reaches` holds, for product modules, the test-like modules that each imports; `follow` the outlines that tell what a
    test-named module imports in turn.
    """
    tests = frozenset(path for path in head if is_test(path) and language(path) == "python")
    if not tests:
        return frozenset()
    ends: dict[str, list[str]] = {}
    for path in sorted(tests):
        ends.setdefault(_end(path), []).append(path)
    found: set[str] = set()
    waiting = [(path, name) for path, names in reaches.items() for name in names]
    while waiting:
        importer, name = waiting.pop()
        for path in _modules(importer, name, tests, ends) - found:
            found.add(path)
            shape = follow.get(path)
            if shape is not None:
                waiting += [
                    (path, further)
                    for further in (*shape.imported_test_modules, *(each.qualified for each in shape.imports))
                ]
    return frozenset(found)


def product_reaches(outlines: Mapping[str, Outline]) -> dict[str, tuple[str, ...]]:
    """What everything but tests imports that is named like a test."""
    return {
        path: shape.imported_test_modules
        for path, shape in outlines.items()
        if shape.imported_test_modules and not is_test(path)
    }


def reaches_in(source: str) -> tuple[str, ...]:
    """What a Python source imports that is named like a test, read without parsing."""
    if not any(word in source for word in _WORDS):
        return ()
    return tuple(name for name in _imported(source) if TEST_MODULE_NAME.search(name))


def entries_in(text: str) -> tuple[str, ...]:
    """Test-like modules that a packaging file names as what a command or a plugin runs: `name = "tests.run:main"`."""
    return tuple(name for name in _ENTRY.findall(text) if TEST_MODULE_NAME.search(name))


def _imported(source: str) -> Iterator[str]:
    for found in _statements(source):
        if not TEST_MODULE_NAME.search(found[0]):
            continue
        origin, names, modules = found["origin"], found["names"], found["modules"]
        if origin is None:
            yield from _NAME.findall(_NOT_NAMES.sub("", modules))
        else:
            dot = "" if origin.endswith(".") else "."
            yield from (f"{origin}{dot}{name}" for name in _NAME.findall(_NOT_NAMES.sub("", names)))


def _statements(source: str) -> Iterator[re.Match[str]]:
    """The import statements, found by the word that stands in each: most lines are never looked at."""
    end = 0
    place = source.find("import")
    while place >= 0:
        found = _IMPORT.match(source, source.rfind("\n", 0, place) + 1) if place >= end else None
        if found is not None:
            yield found
            end = found.end()
        place = source.find("import", max(end, place + 1))


def _end(path: str) -> str:
    """The last part of a module's name."""
    return path.removesuffix("/__init__.py").rpartition("/")[2].partition(".")[0]


def _modules(importer: str, name: str, tests: frozenset[str], ends: Mapping[str, list[str]]) -> set[str]:
    """Test-named files that an import runs: the module, and the packages it lies in."""
    bare = name.lstrip(".")
    up = len(name) - len(bare)
    parts = [part for part in bare.split(".") if part]
    wanted = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    files = [f"{each}{end}" for each in wanted for end in (".py", "/__init__.py")]
    if up:
        folder = normpath("/".join([importer.rpartition("/")[0] or ".", *[".."] * (up - 1)]))
        own = ["__init__.py"] if not parts else []
        return {path for each in (*files, *own) if (path := normpath(f"{folder}/{each}")) in tests}
    near = {path for each in files for root in _roots(importer) if (path := f"{root}{each}") in tests}
    if near:
        return near
    likely = [path for part in parts[-2:] for path in ends.get(part, ())]
    return {path for path in likely if any(path.endswith(f"/{each}") for each in files if "/" in each)}


def _roots(importer: str) -> Iterator[str]:
    """Folders from which an absolute import may start: those around the importer, and the usual ones."""
    parts = importer.split("/")[:-1]
    for length in range(len(parts) + 1):
        yield "".join(f"{part}/" for part in parts[:length])
    yield from ("src/", "lib/")
