"""The files of a repository as one program: which module a name leads to, and what is around a node.

Python stands for itself; a script is there in the form that `is_script` gives it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from posixpath import normpath

from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript.library_names import PACKAGE_MARK, SCRIPT_SUFFIXES, is_script
from auditor.forensics.agent_systems.parsed_unit import Unit, dotted_path, read_unit
from auditor.forensics.source_text.file_roles import is_test

MAX_ALL_NODES = 1_500_000
"""Nodes of all files; five megabytes of hand-written code have fewer."""
_DATA = re.compile(r"\.(?:json|ya?ml|toml|md|markdown|txt|prompt|j2|jinja2?|tmpl|template|mustache)$", re.IGNORECASE)
_GRAPH_CONSTRUCTOR = re.compile(
    r"\b(?:StateGraph|MessageGraph|create_supervisor|create_swarm|create_agent|create_react_agent)\s*[(<]"
)
_PATHS = re.compile(r'"paths"\s*:\s*\{([^{}]{1,20000})\}')
_BASE = re.compile(r'"baseUrl"\s*:\s*"([\w./-]{1,100})"')
_PATH_ALIAS = re.compile(r'"([\w@~#$./-]{1,80}/)\*"\s*:\s*\[\s*"([\w@./-]{1,200}/)\*"')
_MAX_ALIASES = 100


@dataclass(frozen=True)
class Program:
    """All modules that could be read, the data files beside them, and what could not be read."""

    units: Mapping[str, Unit]
    data: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    """Path of a Python file -> why it could not be read."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Path of a file that was given up so that the others can be followed -> why; these are unread too."""
    dark: tuple[str, ...] = ()
    """Product files that lay out a graph by their words, and were not read."""

    @cached_property
    def product(self) -> tuple[Unit, ...]:
        """Product code by path."""
        return tuple(unit for _, unit in sorted(self.units.items()) if unit.product)

    @cached_property
    def _modules_by_ending(self) -> Mapping[str, tuple[Unit, ...]]:
        """Modules by every ending of their dotted names: `nodes.judges` and `judges` for `src/nodes/judges.py`."""
        ends: dict[str, list[Unit]] = {}
        for path, unit in sorted(self.units.items()):
            parts = path.rpartition(".")[0].split("/")
            if parts[-1] == "__init__":
                parts = parts[:-1]
            for start in range(max(0, len(parts) - 10), len(parts)):
                ends.setdefault(".".join(parts[start:]), []).append(unit)
        return {name: tuple(units) for name, units in ends.items()}

    def module(self, dotted: str, importer: Unit) -> Unit | None:
        """The module of the repository that a dotted name means in a file; relative names start with dots."""
        if importer.is_script:
            return (
                self._script(dotted.removeprefix(PACKAGE_MARK), importer) if dotted.startswith(PACKAGE_MARK) else None
            )
        if dotted.startswith("."):
            return self._relative(dotted, importer)
        found = self._modules_by_ending.get(dotted, ())
        if not found:
            return None
        if "." not in dotted and any(unit is importer for unit in found):
            found = tuple(unit for unit in found if unit is not importer)
        whole = [unit for unit in found if dotted_path(unit.path) == dotted]
        near = sorted(
            whole or found, key=lambda unit: (-_shared_folders(unit.path, importer.path), len(unit.path), unit.path)
        )
        if not near:
            return None
        if (
            not whole
            and "." not in dotted
            and _shared_folders(near[0].path, importer.path) < importer.package.count("/") - 1
        ):
            return None  # a single word that some far module ends in is rather a library
        return near[0]

    def _relative(self, dotted: str, importer: Unit) -> Unit | None:
        level = len(dotted) - len(dotted.lstrip("."))
        folder = importer.package
        for _ in range(level - 1):
            folder = folder.rpartition("/")[0]
        rest = dotted[level:].replace(".", "/")
        base = normpath(f"{folder}/{rest}" if folder else rest) if rest else folder
        for path in (f"{base}.py", f"{base}/__init__.py", "__init__.py" if not base else ""):
            if path in self.units:
                return self.units[path]
        return None

    def _script(self, wanted: str, importer: Unit) -> Unit | None:
        """The script that an import means: by its path, by an alias of a folder, or by the name of a package of this repository."""
        key = (wanted, importer.package)
        if key not in self._scripts:
            self._scripts[key] = next((self.units[each] for each in self._likely_script(wanted, importer)), None)
        return self._scripts[key]

    def _likely_script(self, wanted: str, importer: Unit) -> Iterator[str]:
        if wanted.startswith("."):
            yield from self._at(normpath(f"{importer.package}/{wanted}" if importer.package else wanted))
            return
        alias = re.match(r"(?:[@~#]|\$\w+)?/(.+)|#(.+)", wanted)
        if alias is not None:
            yield from self._modules_ending_with(alias[1] or alias[2], importer)
            return
        for near, start, folder in self._aliases:
            if wanted.startswith(start) and importer.path.startswith(near):
                yield from self._at(normpath(f"{folder}{wanted.removeprefix(start)}"))
        for name, folder in self._packages.items():
            if wanted == name or wanted.startswith(f"{name}/"):
                rest = wanted.removeprefix(name).strip("/") or "index"
                for part in ("", "src/", "lib/"):
                    yield from self._at(f"{folder}{part}{rest}")
        if "/" in wanted and not wanted.startswith("@"):
            folder = importer.package
            while folder:
                folder = folder.rpartition("/")[0]
                yield from self._at(f"{folder}/{wanted}" if folder else wanted)

    def _at(self, base: str) -> Iterator[str]:
        """The scripts that a path without its suffix may mean; a compiled file's name means its source."""
        bare = re.sub(r"\.[cm]?jsx?$", "", base)
        names = [
            base,
            *(f"{each}{end}" for each in dict.fromkeys((bare, base, f"{base}/index")) for end in SCRIPT_SUFFIXES),
        ]
        yield from (each for each in names if each in self.units)

    def _modules_ending_with(self, end: str, importer: Unit) -> Iterator[str]:
        found = [
            path
            for path in self.units
            if is_script(path)
            for each in self._path_variants(end)
            if path == each or path.endswith(f"/{each}")
        ]
        yield from sorted(found, key=lambda path: (-_shared_folders(path, importer.path), len(path), path))

    @staticmethod
    def _path_variants(end: str) -> Iterator[str]:
        bare = re.sub(r"\.[cm]?jsx?$", "", end)
        yield from (f"{each}{suffix}" for each in (bare, f"{end}/index") for suffix in SCRIPT_SUFFIXES)

    @cached_property
    def _scripts(self) -> dict[tuple[str, str], Unit | None]:
        return {}

    @cached_property
    def _packages(self) -> Mapping[str, str]:
        """Packages of this repository by name, each with its folder."""
        found: dict[str, str] = {}
        for path, text in sorted(self.data.items()):
            name = re.search(r'"name"\s*:\s*"([^"]{1,200})"', text) if path.endswith("package.json") else None
            if name is not None:
                found[name[1]] = path.removesuffix("package.json")
        return found

    @cached_property
    def _aliases(self) -> tuple[tuple[str, str, str], ...]:
        """How `tsconfig.json` files name folders: for scripts below which folder, how the name begins, and the folder it means."""
        found: list[tuple[str, str, str]] = []
        for path, text in sorted(self.data.items()):
            name = path.rpartition("/")[2]
            paths = (
                _PATHS.search(text) if name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json") else None
            )
            if paths is not None:
                base = _BASE.search(text)
                near = path.removesuffix(name)
                start = f"{near}{base[1] if base else '.'}"
                named = islice(_PATH_ALIAS.finditer(paths[1]), _MAX_ALIASES)
                found += [(near, each[1], f"{start}/{each[2]}") for each in named]
        return tuple(found)

    def file(self, path: str, near: str = "") -> str | None:
        """The path of the data file meant by the end of a path, the nearest to `near` first; None when none fits."""
        wanted = [part for part in path.replace("\\", "/").split("/") if part not in {"", ".", ".."}]
        if not wanted:
            return None
        fitting = [each for each in self.data if each.split("/")[-len(wanted) :] == wanted]
        return min(fitting, key=lambda each: (-_shared_folders(each, near), len(each), each), default=None)

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often product code uses each name: loads of names and attributes, imports left out."""
        counted: Counter[str] = Counter()
        for unit in self.product:
            for node in unit.nodes_of_kinds(ast.Name):
                if isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                    counted[node.id] += 1  # type: ignore[attr-defined]
            for node in unit.nodes_of_kinds(ast.Attribute):
                counted[node.attr] += 1  # type: ignore[attr-defined]
            for node in unit.nodes_of_kinds(ast.Constant):
                value = node.value  # type: ignore[attr-defined]
                if (
                    isinstance(value, str)
                    and len(value) < 200
                    and (":" in value or "." in value or value.isidentifier())
                ):
                    counted[re.split(r"[:.]", value)[-1]] += 1
        for path, text in self.data.items():
            if path.rpartition("/")[2] in {"langgraph.json", "pyproject.toml", "setup.cfg"}:
                counted.update(re.findall(r":(\w+)", text))
        return counted


def parse_program(
    sources: Iterable[Source],
    starting: Callable[[str], None] = lambda _path: None,
    left_out: Mapping[str, str] | None = None,
) -> Program:
    """Parse what can be parsed: product code first, short files before long ones, so that no file takes room from a smaller one.

    `starting` is told each path before it is read; files in `left_out` are passed by for the reason given there.
    """
    given_up = dict(left_out or {})
    units: dict[str, Unit] = {}
    unread: dict[str, str] = {}
    data: dict[str, str] = {}
    dark: list[str] = []
    total = 0
    for source in sorted(sources, key=lambda each: (is_test(each.path), len(each.text), each.path)):
        if not source.path.endswith((".py", ".pyi")) and not is_script(source.path):
            if _DATA.search(source.path):
                data[source.path] = source.text
            continue
        if source.path in given_up:
            read: Unit | str = given_up[source.path]
        else:
            starting(source.path)
            read = read_unit(source, MAX_ALL_NODES - total)
        if isinstance(read, str):
            unread[source.path] = read
            dark += [source.path] if builds_graph(source.path, source.text) else []
        else:
            units[source.path] = read
            total += len(read.parents)
    return Program(units, data, unread, given_up, tuple(dark))


def builds_graph(path: str, text: str) -> bool:
    """Does product code lay out a graph, by its words?"""
    return (
        not is_test(path)
        and ("langgraph" in text or "langchain" in text)
        and _GRAPH_CONSTRUCTOR.search(text) is not None
    )


def _shared_folders(one: str, other: str) -> int:
    """How many folders two paths share from the root on."""
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count
