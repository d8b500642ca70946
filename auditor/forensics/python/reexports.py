"""Names that a module of the repository passes on: `from os import system as run` here, `from tools import run` there.

Files are read one by one, so what a name of another module stands for is worked out afterwards, from the outlines. The
few files that take in something a probe looks for are then looked at again, with those names known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import join, normpath

from auditor.forensics.source_text.file_outline import Import, Outline

Passed = Mapping[str, Mapping[str, str]]
"""What modules pass on: path -> name in it -> what it stands for."""
_MOST_FOLDERS = 40
"""Folders above a file in which the modules that it imports are looked for."""
HOPS = 4
"""Modules through which one name may be passed on."""


class Modules:
    """Which file of the repository an import names."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = paths
        self._names = _last_parts(paths)
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def file(self, importer: str, module: str) -> str | None:
        """The file that a module is for whoever imports it, the nearest one first; None for what is not in the repository."""
        last = module.rpartition(".")[2]
        if last and last not in self._names:
            return None
        place = (importer.rpartition("/")[0], module)
        files = self._known.get(place)
        if files is None:
            files = self._known[place] = tuple(each for each in _places(*place) if each in self._paths)
        return next((each for each in files if each != importer), None)

    def origin(self, importer: str, taken: Import) -> str | None:
        """The file that a name is taken from, as `from origin import name` does."""
        owner = taken.qualified.rpartition(".")[0]
        return self.file(importer, owner if owner.strip(".") else f"{owner}.")

    def whole(self, importer: str, taken: Import) -> str | None:
        """The file that is taken as a whole: `import module`, `from package import module`, `from module import *`."""
        return self.file(importer, taken.qualified.removesuffix(".*"))


def _last_parts(paths: Iterable[str]) -> frozenset[str]:
    """The last parts of all names that files can be imported by."""
    ends = (path.removesuffix(".py").removesuffix("/__init__") for path in paths if path.endswith(".py"))
    return frozenset(each.rpartition("/")[2] for each in ends)


def _places(folder: str, module: str) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    below = module.lstrip(".").replace(".", "/")
    if dots:
        above = normpath(join(folder, *[".."] * (dots - 1))) if dots > 1 else folder
        if above.startswith(".."):
            return
        folders = ["" if above == "." else above]
    else:
        parts = folder.split("/") if folder else []
        nearest = range(len(parts), max(-1, len(parts) - _MOST_FOLDERS), -1)
        folders = [*("/".join(parts[:count]) for count in nearest), "src"]
    for place in folders:
        start = f"{place}/{below}".strip("/")
        if start:
            yield f"{start}.py"
            yield f"{start}/__init__.py"


def passed_on(outlines: Mapping[str, Outline], wanted: frozenset[str], modules: Modules) -> Passed:
    """What modules pass on of the wanted qualified names and of the modules that hold these, directly or through each other."""
    passed: dict[str, dict[str, str]] = {}
    known = wanted | {name.rpartition(".")[0] for name in wanted}
    for path, outline in outlines.items():
        for each in (*outline.imports, *outline.renamed):
            if each.qualified in known:
                passed.setdefault(path, {})[each.name] = each.qualified
    for _ in range(HOPS if passed else 0):
        names = {name.partition(".")[0] for some in passed.values() for name in some} | {"*"}
        new = [
            (path, name, real)
            for path, outline in outlines.items()
            for each in outline.imports
            if each.qualified.rpartition(".")[2] in names
            for name, real in _got(path, each, passed, modules)
            if name not in passed.get(path, {})
        ]
        for path, name, real in new:
            passed.setdefault(path, {})[name] = real
        if not new:
            break
    return passed


def _got(path: str, taken: Import, passed: Passed, modules: Modules) -> Iterator[tuple[str, str]]:
    """Names that an import binds to something passed on, and what they stand for."""
    given = passed.get(modules.origin(path, taken) or "", {})
    if taken.name == "*":
        yield from given.items()
    elif given:
        last = taken.qualified.rpartition(".")[2]
        if (real := given.get(last)) is not None:
            yield taken.name, real
        for name, stands_for in given.items():
            if name.startswith(f"{last}."):  # a method of a class
                yield taken.name + name[len(last) :], stands_for


def renamed(
    outlines: Mapping[str, Outline], passed: Passed, wanted: frozenset[str], modules: Modules
) -> Iterator[tuple[str, dict[str, str]]]:
    """For the files that something is passed on to, qualified names as each says them -> what they stand for.

    Of a module that it takes as a whole only the wanted names count: nearly every module imports others, and nobody takes
    them from there. What is wanted under the very name that the file says stays wanted: a file of the repository that is
    called like a module of the language explains none of it away.
    """
    own = _with_owners(wanted)
    passing = _last_parts(passed)
    members = {name.partition(".")[0] for some in passed.values() for name in some}
    for path, outline in outlines.items():
        found: dict[str, str] = {}
        for each in outline.imports:
            owner, last = f".{each.qualified}".rsplit(".", 2)[-2:]
            of_passing = not owner or owner in passing  # a package that is named by dots alone may be any
            for name, real in _got(path, each, passed, modules) if of_passing and last in members else ():
                qualified = each.qualified + name[len(each.name) :]
                if real not in {each.qualified, qualified} and qualified not in own:
                    found[qualified] = real
            if not (last in passing or (of_passing and last == "*")):
                continue
            module = each.qualified.removesuffix(".*")
            for name, stands_for in passed.get(modules.whole(path, each) or "", {}).items():
                if stands_for in wanted and f"{module}.{name}" not in own:
                    found[f"{module}.{name}"] = stands_for
        if found:
            yield path, found


@lru_cache(maxsize=4)
def _with_owners(wanted: frozenset[str]) -> frozenset[str]:
    """Names, and every module and class that one of them is a member of."""
    parts = (name.split(".") for name in wanted)
    return frozenset(".".join(each[:count]) for each in parts for count in range(1, len(each) + 1))


def told(
    asking: Mapping[str, Outline], outlines: Mapping[str, Outline], modules: Modules
) -> Iterator[tuple[str, dict[str, object]]]:
    """For the files that ask for it, what other modules tell of the names that they take from there."""
    for path, outline in asking.items():
        found: dict[str, object] = {}
        for name in outline.requested_names:
            known = _told(path, name, outlines, modules)
            if known is not _UNTOLD:
                found[name] = known
        if found:
            yield path, found


_UNTOLD = object()


def _told(path: str, name: str, outlines: Mapping[str, Outline], modules: Modules) -> object:
    """What a module says of one of its names, also where it has it from another one."""
    place: str | None = path
    for _ in range(HOPS):
        place = modules.origin(place, Import("", name, 0)) if place is not None else None
        shape = outlines.get(place or "")
        if shape is None:
            return _UNTOLD
        last = name.rpartition(".")[2]
        if last in shape.known_values:
            return shape.known_values[last]
        behind = next((each.qualified for each in shape.imports if each.name == last), None)
        if behind is None:
            return _UNTOLD
        name = behind
    return _UNTOLD


Source = tuple[str, str]
"""A file that something is taken from, and the name it has there; `*` for all names, or for the file as a whole."""


def taken(path: str, imports: Iterable[Import], modules: Modules) -> Iterator[Source]:
    """Where in the repository imports of one file may get their names from."""
    for each in imports:
        if (origin := modules.origin(path, each)) is not None:
            yield origin, each.qualified.rpartition(".")[2]
        if (whole := modules.whole(path, each)) is not None:
            yield whole, "*"


def behind(source: Source, outline: Outline, modules: Modules) -> Iterator[Source]:
    """Where a module in turn may have one of its names from."""
    path, name = source
    for each in outline.imports:
        if each.name == name:
            yield from taken(path, [each], modules)
        elif each.name == "*" and (origin := modules.origin(path, each)) is not None:
            yield origin, name
