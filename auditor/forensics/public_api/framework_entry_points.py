"""Python that a framework or a person calls, and no other project: services, Django projects, migrations, commands, answers to requests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.source_text.file_outline import Function
from auditor.lazy_regex import lazy_compile

_MIGRATION = lazy_compile(r"(?:^|/)(?:migrations/(?:versions/)?|alembic/(?:\w{1,80}/)?versions/)[^/]+\.py$")
_STARTS = re.compile(r"(?:^|/)(?:wsgi|asgi)\.py$")
_PACKAGED = ("setup.py", "setup.cfg", "pyproject.toml")
_DEPLOYED = ("Dockerfile", "Procfile", "app.yaml", "fly.toml", "render.yaml", "serverless.yml")
"""What tells how a program is started as a service."""


def is_migration(path: str) -> bool:
    """Is it a step from one form of a database to the next, which a tool finds by its place?"""
    return bool(_MIGRATION.search(path)) and not path.endswith("/__init__.py")


@dataclass(frozen=True)
class Applications:
    """The folders of a tree that belong to services and Django projects, which are started and imported by nobody outside."""

    folders: frozenset[str] = frozenset()
    deployed: frozenset[str] = frozenset()
    """Folders of what is started as a service."""
    packaged: frozenset[str] = frozenset()
    """Folders of which something makes a package, whatever is deployed around them."""

    def hold(self, path: str) -> bool:
        """Does a file belong to one of them?"""
        if not (self.folders or self.deployed):
            return False
        around = _around(path)
        return not self.folders.isdisjoint(around) or (
            not self.deployed.isdisjoint(around) and self.packaged.isdisjoint(around)
        )


def applications(paths: Collection[str]) -> Applications:
    """The applications of a tree, as far as its paths tell: Django projects, and what is deployed and no package."""
    deployed, packaged = (
        frozenset(
            path[: path.rfind("/") + 1] for path in paths if path.endswith(names) and path.rpartition("/")[2] in names
        )
        for names in (_DEPLOYED, _PACKAGED)
    )
    return Applications(frozenset(_django(paths, packaged)), deployed, packaged)


def _django(paths: Collection[str], packaged: frozenset[str]) -> set[str]:
    """What starts a server beside its settings, and all around it where nothing makes a package of it.

    A library with a project for its tests has the project only in that folder.
    """
    managed = {path.removesuffix("manage.py") for path in paths if path == "manage.py" or path.endswith("/manage.py")}
    if not managed:
        return set()
    served = {path.rpartition("/")[0] + "/" for path in paths if "/" in path and _STARTS.search(path)}
    found: set[str] = set()
    for place in served:
        for folder in _around(place) & managed:
            found.add(place)
            if packaged.isdisjoint({"", folder}):
                found.add(folder)
    return found


def _around(folder: str) -> set[str]:
    """A folder, and those that it lies in, each with its slash; the whole tree is the empty one."""
    parts = folder.split("/")[:_DEEPEST]
    return {"", *("/".join(parts[:depth]) + "/" for depth in range(1, len(parts)))}


_DEEPEST = 40
_OPTIONS = frozenset({"option", "argument", "password_option", "version_option", "confirmation_option"})
_COMMANDS = frozenset({"command", "group"})
_ANSWERS = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "trace", "route", "api_route", "websocket", "websocket_route", "exception_handler", "errorhandler", "middleware", "on_event", "before_request", "after_request", "teardown_request"}
)  # fmt: skip
HANDED = frozenset({"ctx", "context", "obj", "app", "state"})
"""Parameters of commands that their library fills in."""


def is_command(*versions: Function) -> bool:
    """Is a function a command, of which others know the options only?"""
    return bool(_marks(versions) & (_COMMANDS | _OPTIONS))


def tells_options(*versions: Function) -> bool:
    """Do decorators say which options a command has, and which of them must be given?"""
    return bool(_marks(versions) & _OPTIONS) or any(
        each.startswith(("click.", "rich_click.", "asyncclick.")) for version in versions for each in version.decorators
    )


def _marks(versions: Iterable[Function]) -> set[str]:
    return {each.rpartition(".")[2] for version in versions for each in version.decorators}


def answers_requests(*versions: Function) -> bool:
    """Is a function reached by an address, and by no call in code?"""
    return any(
        owner and name in _ANSWERS
        for version in versions
        for owner, _, name in (each.rpartition(".") for each in version.decorators)
    )


OF_MODELS = frozenset(
    {"validator", "field_validator", "model_validator", "root_validator", "field_serializer", "model_serializer", "validates"}
)  # fmt: skip
"""Decorators of methods that a model calls on its fields, and nobody else."""


def serves_a_model(function: Function) -> bool:
    """Is a method called by the model that it stands in, and by no one else?"""
    return not OF_MODELS.isdisjoint(_marks((function,)))


_HTTP = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "dispatch", "setup", "prepare", "on_get", "on_post", "on_put", "on_delete"})  # fmt: skip
_HOOKS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (
        re.compile(r"(?:View|ViewSet|Endpoint|Resource|Controller|RequestHandler|Mixin)$"),
        _HTTP
        | {"get_queryset", "get_context_data", "get_object", "get_serializer_class", "get_permissions", "get_form_kwargs", "form_valid", "form_invalid", "filter_queryset", "perform_create", "perform_update", "perform_destroy"},
    ),
    (re.compile(r"Permissions?$"), frozenset({"has_permission", "has_object_permission"})),
    (re.compile(r"Middleware$"), frozenset({"dispatch", "handle", "process_request", "process_response", "process_view", "process_exception", "process_template_response"})),
    (re.compile(r"Serializer$"), frozenset({"create", "update", "validate", "to_representation", "to_internal_value"})),
    (re.compile(r"(?:Admin|Inline|Filter)$"), frozenset({"lookups", "queryset", "filter_queryset", "get_queryset", "get_urls", "save_model", "has_add_permission", "has_change_permission", "has_delete_permission"})),
    (re.compile(r"Command$"), frozenset({"add_arguments", "handle", "run", "initialize_options", "finalize_options"})),
    (re.compile(r"(?:Thread|Process|Task)$"), frozenset({"run"})),
    (re.compile(r"Handler$"), frozenset({"emit", "handle", "close", "flush"})),
    (re.compile(r"(?:Formatter|Filter)$"), frozenset({"format", "formatException", "filter"})),
    (re.compile(r"Encoder$"), frozenset({"default", "encode", "iterencode"})),
    (re.compile(r"AppConfig$"), frozenset({"ready"})),
    (re.compile(r"Parser$"), frozenset({"handle_starttag", "handle_endtag", "handle_data", "error"})),
    (re.compile(r"(?:App|Screen|Widget|ModalScreen)$"), frozenset({"compose", "on_mount", "render"})),
)  # fmt: skip
"""How classes of frameworks and of the standard library are called, and the methods that these call by name."""
_VISITS = re.compile(r"(?:visit|leave|depart)_\w")
_VISITORS = re.compile(r"(?:Visitor|Transformer)$")
_GENERATIONS = 10
_MOST_ABOVE = 50
"""Classes above one that are asked. Those of one name in all files count as one, which a file may define a thousand times."""


class Kin:
    """The classes of the files in scope by their last names, and what each defines itself."""

    def __init__(self, modules: PythonModules) -> None:
        bases: dict[str, set[str]] = {}
        self._methods: dict[str, set[str]] = {}
        for side in (modules.base, modules.head):
            for shape in side.values():
                for each in shape.classes:
                    name = _last(each.qualname)
                    bases.setdefault(name, set()).update(each.bases)
                    self._methods.setdefault(name, set())
                self._take_methods(shape.functions)
        # as not all of many are asked, they are asked in an order that is the same in every run
        self._bases = {name: sorted(above) for name, above in bases.items()}

    def _take_methods(self, functions: Iterable[Function]) -> None:
        own, of_class = "", set[str]()
        for method in functions:
            if method.is_method:
                in_class, _, name = method.qualname.rpartition(".")
                if in_class != own:
                    own, of_class = in_class, self._methods.setdefault(_last(in_class), set())
                of_class.add(name)

    def overrides(self, method: Function) -> bool:
        """Does a method take the place of one that a class above it has, or that a framework calls by its name?"""
        own = _last(method.class_name)
        waiting = [(each, own, 0) for each in self._bases.get(own, ())] if own else []
        known: set[str] = set()
        while waiting:
            base, below, depth = waiting.pop()
            name = _last(base)
            if base in known or depth > _GENERATIONS:
                continue
            if len(known) >= _MOST_ABOVE:
                return False
            known.add(base)
            if name not in self._methods or name == below:  # a class of that name elsewhere, such as `logging.Handler`
                if _is_hook(name, method.name):
                    return True
            elif name != own and method.name in self._methods[name]:
                return True
            else:
                waiting += [(each, name, depth + 1) for each in self._bases.get(name, ())]
        return False


def _is_hook(base: str, method: str) -> bool:
    """Is a method one that a class of that name calls on what is made from it?"""
    if _VISITORS.search(base) and (_VISITS.match(method) or method == "generic_visit"):
        return True
    return any(method in names for called, names in _HOOKS if called.search(base))


def _last(qualname: str) -> str:
    return qualname.rpartition(".")[2]
