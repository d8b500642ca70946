"""Python modules that are named like tests, and who imports them: names in sources, and the files that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from posixpath import normpath

from auditor.forensics.source_text.file_outline import TEST_MODULE_NAME
from auditor.lazy_regex import lazy_compile

_IMPORT_STATEMENT = lazy_compile(
    r"^[ \t]*(?:from[ \t]+(?P<origin>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]{0,4000}\)|[^\n#]{1,4000})|import[ \t]+(?P<modules>[^\n#]{1,4000}))",
    re.MULTILINE,
)
_TEST_WORDS = ("test", "Test", "TEST", "spec", "Spec", "e2e")
_MODULE_NAME = lazy_compile(r"[\w.]+")
_ALIAS_OR_COMMENT = lazy_compile(r"\bas\s+\w+|#[^\n]*")


def module_names_index(tests: Iterable[str]) -> dict[str, list[str]]:
    """Python files by the last part of their modules' names."""
    ends: dict[str, list[str]] = {}
    for path in sorted(tests):
        ends.setdefault(_last_part(path), []).append(path)
    return ends


def test_imports_in(source: str) -> tuple[str, ...]:
    """The test-named modules that a Python source imports, read without parsing."""
    if not any(word in source for word in _TEST_WORDS):
        return ()
    return tuple(name for name in _imported_names(source) if TEST_MODULE_NAME.search(name))


def imports_in(source: str) -> tuple[str, ...]:
    """All modules and members that a Python source imports, read without parsing."""
    return tuple(islice(_imported_names(source, all_statements=True), _MAX_IMPORTS))


_MAX_IMPORTS = 500


def _imported_names(source: str, *, all_statements: bool = False) -> Iterator[str]:
    for found in _import_statements(source):
        if not (all_statements or TEST_MODULE_NAME.search(found[0])):
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


def module_files(importer: str, name: str, tests: frozenset[str], ends: Mapping[str, list[str]]) -> set[str]:
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
