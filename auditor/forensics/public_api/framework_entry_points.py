"""Python that a framework or a person calls, and no other project: services, Django projects, migrations, commands, answers to requests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.source_text.folders import folders_above
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, NameSet, Row, Source, name_reader, read_table

_MIGRATION_PATH = lazy_compile(r"(?:^|/)(?:migrations/(?:versions/)?|alembic/(?:\w{1,80}/)?versions/)[^/]+\.py$")
_SERVER_ENTRY_POINT = re.compile(r"(?:^|/)(?:wsgi|asgi)\.py$")
_PACKAGING_FILES = ("setup.py", "setup.cfg", "pyproject.toml")
_DEPLOYMENT_FILES = ("Dockerfile", "Procfile", "app.yaml", "fly.toml", "render.yaml", "serverless.yml")
"""Files that say how a program is started as a service."""


def is_migration_path(path: str) -> bool:
    """Is it a database migration, which a tool finds by its path?"""
    return bool(_MIGRATION_PATH.search(path)) and not path.endswith("/__init__.py")


@dataclass(frozen=True)
class Applications:
    """The folders of a tree that belong to services and Django projects, which are started and imported by nobody outside."""

    folders: frozenset[str] = frozenset()
    deployed_folders: frozenset[str] = frozenset()
    """Folders of what is started as a service."""
    package_folders: frozenset[str] = frozenset()
    """Folders that are built as a package, whatever is deployed around them."""

    def contains(self, path: str) -> bool:
        """Does a file belong to one of them?"""
        if not (self.folders or self.deployed_folders):
            return False
        around = _enclosing_folders(path)
        return not self.folders.isdisjoint(around) or (
            not self.deployed_folders.isdisjoint(around) and self.package_folders.isdisjoint(around)
        )


def find_applications(paths: Collection[str]) -> Applications:
    """The applications of a tree by its paths: Django projects, and services that are not packaged."""
    deployed, packaged = (
        frozenset(
            path[: path.rfind("/") + 1] for path in paths if path.endswith(names) and path.rpartition("/")[2] in names
        )
        for names in (_DEPLOYMENT_FILES, _PACKAGING_FILES)
    )
    return Applications(frozenset(_django_folders(paths, packaged)), deployed, packaged)


def _django_folders(paths: Collection[str], packaged: frozenset[str]) -> set[str]:
    """Folders of Django entry points, and the folders above them that are not packaged.

    A library with a project for its tests has the project only in that folder.
    """
    managed = {path.removesuffix("manage.py") for path in paths if path == "manage.py" or path.endswith("/manage.py")}
    if not managed:
        return set()
    served = {path.rpartition("/")[0] + "/" for path in paths if "/" in path and _SERVER_ENTRY_POINT.search(path)}
    found: set[str] = set()
    for place in served:
        for folder in _enclosing_folders(place) & managed:
            found.add(place)
            if packaged.isdisjoint({"", folder}):
                found.add(folder)
    return found


def _enclosing_folders(folder: str) -> set[str]:
    """A folder and its parents, each with its slash; the whole tree is the empty one."""
    return {"", *(f"{each}/" for each in folders_above(folder))}


_DATA = Path(__file__).with_name("framework_entry_points.yaml")


class _Hooks(Row):
    classes: str
    methods: NameSet
    source: Source


class _EntryPoints(Frozen):
    route_decorators: NameRows
    option_decorators: NameRows
    model_decorators: NameRows
    hooks: tuple[_Hooks, ...]


_names = name_reader(_DATA, _EntryPoints)


@cache
def _framework_hooks() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    """Class name patterns of frameworks and the standard library, with the methods that these call by name."""
    return tuple((re.compile(row.classes), row.methods) for row in read_table(_DATA, _EntryPoints).hooks)


_COMMAND_DECORATORS = frozenset({"command", "group"})
INJECTED_PARAMETERS = frozenset({"ctx", "context", "obj", "app", "state"})
"""Parameters of commands that the framework passes."""


def is_cli_command(*versions: Function) -> bool:
    """Is a function a command, of which users know the options only?"""
    return bool(_decorator_names(versions) & (_COMMAND_DECORATORS | _names("option_decorators")))


def declares_options(*versions: Function) -> bool:
    """Do decorators declare the options of a command, and which of them are required?"""
    return bool(_decorator_names(versions) & _names("option_decorators")) or any(
        each.startswith(("click.", "rich_click.", "asyncclick.")) for version in versions for each in version.decorators
    )


def _decorator_names(versions: Iterable[Function]) -> set[str]:
    return {each.rpartition(".")[2] for version in versions for each in version.decorators}


def is_request_handler(*versions: Function) -> bool:
    """Is a function called for an address, and not by other code?"""
    return any(
        owner and name in _names("route_decorators")
        for version in versions
        for owner, _, name in (each.rpartition(".") for each in version.decorators)
    )


def model_decorators() -> frozenset[str]:
    """Decorators of methods that a model calls on its fields, and nobody else."""
    return _names("model_decorators")


def is_model_method(function: Function) -> bool:
    """Is a method called only by the model that defines it?"""
    return not model_decorators().isdisjoint(_decorator_names((function,)))


_VISITOR_METHOD = re.compile(r"(?:visit|leave|depart)_\w")
_VISITOR_CLASS = re.compile(r"(?:Visitor|Transformer)$")
_MAX_INHERITANCE_DEPTH = 10
_MAX_BASE_CLASSES = 50
"""Classes above one that are asked. Those of one name in all files count as one, which a file may define a thousand times."""


class ClassHierarchy:
    """The classes of the files in scope by their last names, and the methods that each defines itself."""

    def __init__(self, modules: PythonModules) -> None:
        bases: dict[str, set[str]] = {}
        self._methods: dict[str, set[str]] = {}
        for side in (modules.base, modules.head):
            for shape in side.values():
                for each in shape.classes:
                    name = _last_name(each.qualname)
                    bases.setdefault(name, set()).update(each.bases)
                    self._methods.setdefault(name, set())
                self._add_methods(shape.functions)
        # as not all of many are asked, they are asked in an order that is the same in every run
        self._bases = {name: sorted(above) for name, above in bases.items()}

    def _add_methods(self, functions: Iterable[Function]) -> None:
        own, of_class = "", set[str]()
        for method in functions:
            if method.is_method:
                in_class, _, name = method.qualname.rpartition(".")
                if in_class != own:
                    own, of_class = in_class, self._methods.setdefault(_last_name(in_class), set())
                of_class.add(name)

    def is_override(self, method: Function) -> bool:
        """Does a method override one of a base class, or one that a framework calls by its name?"""
        own = _last_name(method.class_name)
        waiting = [(each, own, 0) for each in self._bases.get(own, ())] if own else []
        known: set[str] = set()
        while waiting:
            base, below, depth = waiting.pop()
            name = _last_name(base)
            if base in known or depth > _MAX_INHERITANCE_DEPTH:
                continue
            if len(known) >= _MAX_BASE_CLASSES:
                return False
            known.add(base)
            if name not in self._methods or name == below:  # a class of that name elsewhere, such as `logging.Handler`
                if _is_framework_hook(name, method.name):
                    return True
            elif name != own and method.name in self._methods[name]:
                return True
            else:
                waiting += [(each, name, depth + 1) for each in self._bases.get(name, ())]
        return False


def _is_framework_hook(base: str, method: str) -> bool:
    """Is a method one that a framework calls on subclasses of a class with that name?"""
    if _VISITOR_CLASS.search(base) and (_VISITOR_METHOD.match(method) or method == "generic_visit"):
        return True
    return any(method in names for called, names in _framework_hooks() if called.search(base))


def _last_name(qualname: str) -> str:
    return qualname.rpartition(".")[2]
