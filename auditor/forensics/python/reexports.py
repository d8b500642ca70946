"""Names that a module of the repository passes on: `from os import system as run` here, `from tools import run` there.

Files are read one by one, so what a name of another module stands for is worked out afterwards, from the outlines. The
few files that take in something a probe looks for are then looked at again, with those names known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import join, normpath

from auditor.forensics.code_facts.input_flows import CALL_MARK
from auditor.forensics.source_text.file_outline import Import, Outline

Reexports = Mapping[str, Mapping[str, str]]
"""What modules pass on: path -> name in it -> what it stands for."""
_MAX_FOLDERS = 40
"""Folders above a file in which the modules that it imports are looked for."""
MAX_HOPS = 4
"""Modules through which one name may be passed on."""


class ModuleFinder:
    """Finds the file of the repository that an import names."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = paths
        self._names = _last_module_names(paths)
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def file(self, importer: str, module: str) -> str | None:
        """The file that an import of a module leads to, the nearest one first; None for what is not in the repository."""
        last = module.rpartition(".")[2]
        if last and last not in self._names:
            return None
        place = (importer.rpartition("/")[0], module)
        files = self._known.get(place)
        if files is None:
            files = self._known[place] = tuple(each for each in _candidate_paths(*place) if each in self._paths)
        return next((each for each in files if each != importer), None)

    def origin(self, importer: str, taken: Import) -> str | None:
        """The file that a name is taken from, as `from origin import name` does."""
        owner = taken.qualified_name.rpartition(".")[0]
        return self.file(importer, owner if owner.strip(".") else f"{owner}.")

    def whole(self, importer: str, taken: Import) -> str | None:
        """The file that is taken as a whole: `import module`, `from package import module`, `from module import *`."""
        return self.file(importer, taken.qualified_name.removesuffix(".*"))


def _last_module_names(paths: Iterable[str]) -> frozenset[str]:
    """The last parts of all names that files can be imported by."""
    ends = (path.removesuffix(".py").removesuffix("/__init__") for path in paths if path.endswith(".py"))
    return frozenset(each.rpartition("/")[2] for each in ends)


def _candidate_paths(folder: str, module: str) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    below = module.lstrip(".").replace(".", "/")
    if dots:
        above = normpath(join(folder, *[".."] * (dots - 1))) if dots > 1 else folder
        if above.startswith(".."):
            return
        folders = ["" if above == "." else above]
    else:
        parts = folder.split("/") if folder else []
        nearest = range(len(parts), max(-1, len(parts) - _MAX_FOLDERS), -1)
        folders = [*("/".join(parts[:count]) for count in nearest), "src"]
    for place in folders:
        start = f"{place}/{below}".strip("/")
        if start:
            yield f"{start}.py"
            yield f"{start}/__init__.py"


def find_reexports(
    outlines: Mapping[str, Outline],
    wanted: frozenset[str],
    modules: ModuleFinder,
    own: frozenset[str] = frozenset(),
) -> Reexports:
    """The wanted qualified names, and modules that hold them, that modules reexport directly or through each other.

    `own` are wanted names that modules of the repository may define: they pass these on as well.
    """
    passed: dict[str, dict[str, str]] = {}
    for name in sorted(own):
        if (defined := _defining_file(name, modules)) is not None:
            passed.setdefault(defined[0], {})[defined[1]] = name
    known = wanted | {name.rpartition(".")[0] for name in wanted}
    for path, outline in outlines.items():
        for each in (*outline.imports, *outline.renamed):
            if each.qualified_name in known:
                passed.setdefault(path, {})[each.name] = each.qualified_name
    for _ in range(MAX_HOPS if passed else 0):
        names = {name.partition(".")[0] for some in passed.values() for name in some} | {"*"}
        new = [
            (path, name, real)
            for path, outline in outlines.items()
            for each in outline.imports
            if each.qualified_name.rpartition(".")[2] in names
            for name, real in _names_from_import(path, each, passed, modules)
            if name not in passed.get(path, {})
        ]
        for path, name, real in new:
            passed.setdefault(path, {})[name] = real
        if not new:
            break
    return passed


def _defining_file(name: str, modules: ModuleFinder) -> tuple[str, str] | None:
    """The file of the module that a qualified name begins with, and the rest of the name."""
    module, _, rest = name.rpartition(".")
    while module:
        if (path := modules.file("", module)) is not None:
            return path, rest
        module, _, last = module.rpartition(".")
        rest = f"{last}.{rest}"
    return None


def _names_from_import(path: str, taken: Import, passed: Reexports, modules: ModuleFinder) -> Iterator[tuple[str, str]]:
    """Names that an import binds to something reexported, and what they stand for."""
    given = passed.get(modules.origin(path, taken) or "", {})
    if taken.name == "*":
        yield from given.items()
    elif given:
        last = taken.qualified_name.rpartition(".")[2]
        if (real := given.get(last)) is not None:
            yield taken.name, real
        for name, stands_for in given.items():
            if name.startswith(f"{last}."):  # a method of a class
                yield taken.name + name[len(last) :], stands_for


def resolve_reexports(
    outlines: Mapping[str, Outline], passed: Reexports, wanted: frozenset[str], modules: ModuleFinder
) -> Iterator[tuple[str, dict[str, str]]]:
    """For files that import reexports, qualified names as each file writes them -> what they stand for.

    Of a module that it takes as a whole only the wanted names count, and modules under another name than their own: nearly
    every module imports others, and nobody takes them from there. What is wanted under the very name that the file says stays wanted: a file of the repository that is
    called like a module of the language explains none of it away.
    """
    own = _with_parents(wanted)
    passing = _last_module_names(passed)
    members = {name.partition(".")[0] for some in passed.values() for name in some}
    for path, outline in outlines.items():
        found: dict[str, str] = {}
        for each in outline.imports:
            owner, last = f".{each.qualified_name}".rsplit(".", 2)[-2:]
            of_passing = not owner or owner in passing  # a package that is named by dots alone may be any
            for name, real in _names_from_import(path, each, passed, modules) if of_passing and last in members else ():
                qualified = each.qualified_name + name[len(each.name) :]
                if real not in {each.qualified_name, qualified} and qualified not in own:
                    found[qualified] = real
            if not (last in passing or (of_passing and last == "*")):
                continue
            module = each.qualified_name.removesuffix(".*")
            for name, stands_for in passed.get(modules.whole(path, each) or "", {}).items():
                is_renamed = name.rpartition(".")[2] != stands_for.rpartition(".")[2]
                if (stands_for in wanted or is_renamed) and f"{module}.{name}" not in own:
                    found[f"{module}.{name}"] = stands_for
        if found:
            yield path, found


@lru_cache(maxsize=4)
def _with_parents(wanted: frozenset[str]) -> frozenset[str]:
    """Names, and every module and class that one of them is a member of."""
    parts = (name.split(".") for name in wanted)
    return frozenset(".".join(each[:count]) for each in parts for count in range(1, len(each) + 1))


def known_imported_values(
    requesting: Mapping[str, Outline], outlines: Mapping[str, Outline], modules: ModuleFinder
) -> Iterator[tuple[str, dict[str, object]]]:
    """For the files that request them, what other modules' outlines hold of the names imported from there."""
    for path, outline in requesting.items():
        found: dict[str, object] = {}
        for name in outline.requested_names:
            known = _known_value(path, name, outlines, modules)
            if known is not _NOT_KNOWN:
                found[name] = known
        if found:
            yield path, found


_NOT_KNOWN = object()


def _known_value(path: str, name: str, outlines: Mapping[str, Outline], modules: ModuleFinder) -> object:
    """What a module's outline holds of a name or a method, also where it imports that name from another module."""
    place: str | None = path
    for _ in range(MAX_HOPS):
        found = _defining_module(place, name, modules) if place is not None else None
        if found is None or (shape := outlines.get(found[0])) is None:
            return _NOT_KNOWN
        place, last = found
        if last in shape.known_values:
            return shape.known_values[last]
        first, dot, rest = last.partition(".")
        plain = first.removesuffix(CALL_MARK)
        behind = next((each.qualified_name for each in (*shape.imports, *shape.renamed) if each.name == plain), None)
        if behind is None:
            return _NOT_KNOWN
        name = f"{behind}{first[len(plain) :]}{dot}{rest}"
        if "." not in name.lstrip("."):  # an object of a class of the module itself
            return shape.known_values.get(name, _NOT_KNOWN)
    return _NOT_KNOWN


def _defining_module(importer: str, name: str, modules: ModuleFinder) -> tuple[str, str] | None:
    """The file from which a name is taken, or the class that it is a method of, and the rest of the name."""
    for parts in (1, 2):
        split = name.rsplit(".", parts)
        if len(split) > parts:
            owner = split[0] if split[0].strip(".") else f"{split[0]}."
            if (found := modules.file(importer, owner)) is not None:
                return found, ".".join(split[1:])
    return None


NameSource = tuple[str, str]
"""A file that something is taken from, and the name it has there; `*` for all names, or for the file as a whole."""


def import_sources(path: str, imports: Iterable[Import], modules: ModuleFinder) -> Iterator[NameSource]:
    """The files of the repository from which the imports of one file may get their names."""
    for each in imports:
        if (origin := modules.origin(path, each)) is not None:
            yield origin, each.qualified_name.rpartition(".")[2]
        if (whole := modules.whole(path, each)) is not None:
            yield whole, "*"


def next_sources(source: NameSource, outline: Outline, modules: ModuleFinder) -> Iterator[NameSource]:
    """The files from which a module may in turn import one of its names."""
    path, name = source
    for each in outline.imports:
        if each.name == name:
            yield from import_sources(path, [each], modules)
        elif each.name == "*" and (origin := modules.origin(path, each)) is not None:
            yield origin, name
