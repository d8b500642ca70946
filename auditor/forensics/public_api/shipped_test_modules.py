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

_IMPORT_STATEMENT = lazy_compile(
    r"^[ \t]*(?:from[ \t]+(?P<origin>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]{0,4000}\)|[^\n#]{1,4000})|import[ \t]+(?P<modules>[^\n#]{1,4000}))",
    re.MULTILINE,
)
_TEST_WORDS = ("test", "Test", "TEST", "spec", "Spec", "e2e")
PACKAGING_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
"""Files at the root that name the modules behind a project's commands."""
_ENTRY_POINT = lazy_compile(r"=[ \t]*[\"']?([A-Za-z_][\w.]{0,200}):[A-Za-z_]")
_MODULE_NAME = lazy_compile(r"[\w.]+")
_ALIAS_OR_COMMENT = lazy_compile(r"\bas\s+\w+|#[^\n]*")


def find_imported_test_modules(
    head: Mapping[str, TreeEntry], imports_by_path: Mapping[str, Iterable[str]], outlines: Mapping[str, Outline]
) -> frozenset[str]:
    """Paths of test-named Python modules that product code imports, directly or through each other.

    `imports_by_path` holds, for product modules, the test-like modules that each imports; `outlines` the outlines that tell what a
    test-named module imports in turn.
    """
    tests = frozenset(path for path in head if is_test(path) and language(path) == "python")
    if not tests:
        return frozenset()
    ends: dict[str, list[str]] = {}
    for path in sorted(tests):
        ends.setdefault(_last_part(path), []).append(path)
    found: set[str] = set()
    waiting = [(path, name) for path, names in imports_by_path.items() for name in names]
    while waiting:
        importer, name = waiting.pop()
        for path in _resolve_modules(importer, name, tests, ends) - found:
            found.add(path)
            shape = outlines.get(path)
            if shape is not None:
                waiting += [
                    (path, further)
                    for further in (*shape.imported_test_modules, *(each.qualified_name for each in shape.imports))
                ]
    return frozenset(found)


def product_test_imports(outlines: Mapping[str, Outline]) -> dict[str, tuple[str, ...]]:
    """The test-named modules that each file imports, tests left out."""
    return {
        path: shape.imported_test_modules
        for path, shape in outlines.items()
        if shape.imported_test_modules and not is_test(path)
    }


def test_imports_in(source: str) -> tuple[str, ...]:
    """The test-named modules that a Python source imports, read without parsing."""
    if not any(word in source for word in _TEST_WORDS):
        return ()
    return tuple(name for name in _imported_names(source) if TEST_MODULE_NAME.search(name))


def entry_points_in(text: str) -> tuple[str, ...]:
    """Test-named modules that a packaging file declares as entry points: `name = "tests.run:main"`."""
    return tuple(name for name in _ENTRY_POINT.findall(text) if TEST_MODULE_NAME.search(name))


def _imported_names(source: str) -> Iterator[str]:
    for found in _import_statements(source):
        if not TEST_MODULE_NAME.search(found[0]):
            continue
        origin, names, modules = found["origin"], found["names"], found["modules"]
        if origin is None:
            yield from _MODULE_NAME.findall(_ALIAS_OR_COMMENT.sub("", modules))
        else:
            dot = "" if origin.endswith(".") else "."
            yield from (f"{origin}{dot}{name}" for name in _MODULE_NAME.findall(_ALIAS_OR_COMMENT.sub("", names)))


def _import_statements(source: str) -> Iterator[re.Match[str]]:
    """The import statements of a source."""
    end = 0
    place = source.find("import")
    while place >= 0:
        found = _IMPORT_STATEMENT.match(source, source.rfind("\n", 0, place) + 1) if place >= end else None
        if found is not None:
            yield found
            end = found.end()
        place = source.find("import", max(end, place + 1))


def _last_part(path: str) -> str:
    """The last part of a module's name."""
    return path.removesuffix("/__init__.py").rpartition("/")[2].partition(".")[0]


def _resolve_modules(importer: str, name: str, tests: frozenset[str], ends: Mapping[str, list[str]]) -> set[str]:
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
    near = {path for each in files for root in _import_roots(importer) if (path := f"{root}{each}") in tests}
    if near:
        return near
    likely = [path for part in parts[-2:] for path in ends.get(part, ())]
    return {path for path in likely if any(path.endswith(f"/{each}") for each in files if "/" in each)}


def _import_roots(importer: str) -> Iterator[str]:
    """Folders from which an absolute import may start: those around the importer, and the usual ones."""
    parts = importer.split("/")[:-1]
    for length in range(len(parts) + 1):
        yield "".join(f"{part}/" for part in parts[:length])
    yield from ("src/", "lib/")
