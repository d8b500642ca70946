"""Names that a module of the repository passes on: `from os import system as run` here, `from tools import run` there.

Files are read one by one, so what a name of another module stands for is worked out afterwards, from the outlines. The
few files that take in something a probe looks for are then looked at again, with those names known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import join, normpath

from auditor.forensics.outline import Import, Outline

Passed = Mapping[str, Mapping[str, str]]
"""What modules pass on: path -> name in it -> what it stands for."""
_ROUNDS = 4
"""Modules through which one name may be passed on."""
MOST = 200
"""Files that are looked at again."""


def passed_on(outlines: Mapping[str, Outline], wanted: frozenset[str], exists: Callable[[str], bool]) -> Passed:
    """What modules pass on of the wanted qualified names and of the modules that hold these, directly or through each other."""
    passed: dict[str, dict[str, str]] = {}
    known = wanted | {name.rpartition(".")[0] for name in wanted}
    for path, outline in outlines.items():
        for each in (*outline.imports, *outline.renamed):
            if each.qualified in known:
                passed.setdefault(path, {})[each.name] = each.qualified
    for _ in range(_ROUNDS if passed else 0):
        names = {name for some in passed.values() for name in some}
        new = [
            (path, each.name, real)
            for path, outline in outlines.items()
            for each in outline.imports
            if each.qualified.rpartition(".")[2] in names
            if (real := _real(path, each, passed, exists)) and each.name not in passed.get(path, {})
        ]
        for path, name, real in new:
            passed.setdefault(path, {})[name] = real
        if not new:
            break
    return passed


def _real(path: str, taken: Import, passed: Passed, exists: Callable[[str], bool]) -> str | None:
    """What a name that a file takes from another one stands for."""
    module, _, name = taken.qualified.rpartition(".")
    known = passed.get(module_path(path, module if module.strip(".") else f"{module}.", exists) or "", {})
    return known.get(name)


def renamed(
    path: str, outline: Outline, passed: Passed, wanted: frozenset[str], exists: Callable[[str], bool]
) -> dict[str, str]:
    """For one file, qualified names as it says them -> what they stand for.

    Of a module that it takes as a whole only the wanted names count: nearly every module imports others, and nobody takes
    them from there. What is wanted under the very name that the file says stays wanted: a file of the repository that is
    called like a module of the language explains none of it away.
    """
    found: dict[str, str] = {}
    own = _with_owners(wanted)
    for each in outline.imports:
        real = _real(path, each, passed, exists)
        if real is not None and real != each.qualified and each.qualified not in own:
            found[each.qualified] = real
        module = each.qualified.removesuffix(".*")
        for name, stands_for in passed.get(module_path(path, module, exists) or "", {}).items():
            if stands_for in wanted and f"{module}.{name}" not in own:
                found[f"{module}.{name}"] = stands_for
    return found


@lru_cache(maxsize=4)
def _with_owners(wanted: frozenset[str]) -> frozenset[str]:
    """Names, and every module and class that one of them is a member of."""
    parts = (name.split(".") for name in wanted)
    return frozenset(".".join(each[:count]) for each in parts for count in range(1, len(each) + 1))


def module_path(importer: str, module: str, exists: Callable[[str], bool]) -> str | None:
    """The file of the repository that an import names, the nearest one first; None for what is not in it."""
    dots = len(module) - len(module.lstrip("."))
    below = module.lstrip(".").replace(".", "/")
    folder = importer.rpartition("/")[0]
    if dots:
        folder = normpath(join(folder, *[".."] * (dots - 1))) if dots > 1 else folder
        folders = [""] if folder in {"", "."} else [folder]
        if folder.startswith(".."):
            return None
    else:
        parts = folder.split("/") if folder else []
        folders = ["/".join(parts[:count]) for count in range(len(parts), -1, -1)] + ["src"]
    for place in folders:
        start = f"{place}/{below}".strip("/")
        for path in (f"{start}.py", f"{start}/__init__.py".lstrip("/")):
            if start and path != importer and exists(path):
                return path
    return None


def imported_files(
    outlines: Mapping[str, Outline], paths: Collection[str], exists: Callable[[str], bool]
) -> Iterator[str]:
    """Files of the repository that some files take names from."""
    for path in paths:
        for each in outlines[path].imports:
            for module in _modules(each.qualified):
                found = module_path(path, module, exists)
                if found is not None:
                    yield found


def _modules(qualified: str) -> Iterable[str]:
    owner = qualified.rpartition(".")[0]
    return (qualified.removesuffix(".*"), owner if owner.strip(".") else f"{owner}.")
