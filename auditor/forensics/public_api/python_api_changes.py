"""Whether what others call is still there after a change, and still takes what they pass."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.domain import CodeLocation, Location, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.breaking_changes import (
    EXPORT_GONE,
    FUNCTION_GONE,
    INTERNAL,
    METHOD_GONE,
    OPTION_GONE,
    PARAMETER_ASKED,
    PARAMETER_GONE,
    PARAMETER_RENAMED,
    PASSED,
    REORDERED,
    RESULT,
    UNSERVED,
    Break,
    Kind,
)
from auditor.forensics.public_api.exported_files import Surfaces
from auditor.forensics.public_api.framework_entry_points import (
    HANDED,
    answers_requests,
    applications,
    is_command,
    is_migration,
    tells_options,
)
from auditor.forensics.public_api.init_reexports import is_private, twin
from auditor.forensics.public_api.package_reachability import Served
from auditor.forensics.public_api.python_type_hints import Written, demanded, shapes, written
from auditor.forensics.public_api.type_narrowing import is_open, narrows, widens
from auditor.forensics.python.reexports import Modules
from auditor.forensics.source_text.comments import strip_comments_and_docstrings
from auditor.forensics.source_text.file_outline import Class, Function, Outline, Parameter, ParameterKind
from auditor.forensics.source_text.file_roles import Role, is_example, role

_DYNAMIC = "the module makes names at run time, so one that is gone may still be served"
_DECORATED = "a decorator may change what callers have to pass"


_MODULE = Kind("The public module {} is gone", "{} public modules are gone: {}")
_CLASS = Kind("The public class {} is gone", "{} public classes are gone: {}")
_CONSTANT = Kind("The public constant {} is gone", "{} public constants are gone: {}")
_SERVED = Kind("The package no longer serves {}", "{} names are no longer served by their package: {}")
_CALLABLE = Kind("The public class {} became a function", "{} public classes became functions: {}")
_ASYNCHRONOUS = Kind(
    "The public function {} became asynchronous, or stopped being so",
    "{} public functions became asynchronous, or stopped being so: {}",
)
_CALLED = Kind(
    "The public method {} became a property, or stopped being one",
    "{} public methods became properties, or stopped being some: {}",
)
_OF_CLASS = Kind(
    "The public method {} can no longer be called on its class",
    "{} public methods can no longer be called on their classes: {}",
)
_ASKED = Kind(
    "Whoever implements its class must now write {} too",
    "{} methods are newly asked of whoever implements their classes: {}",
)
_CAUGHT = Kind(
    "The public exception {} is no longer caught as what it was",
    "{} public exceptions are no longer caught as what they were: {}",
)
_FURTHER = Kind(
    "The public function {} no longer takes any further arguments",
    "{} public functions no longer take any further arguments: {}",
)
_DEFAULT = Kind("A parameter of a public function lost its default: {}", "{} parameters lost their defaults: {}")
_POSITION = Kind(
    "A parameter of a public function can no longer be passed by position: {}",
    "{} parameters of public functions can no longer be passed by position: {}",
)
_NAME = Kind(
    "A parameter of a public function can no longer be passed by name: {}",
    "{} parameters of public functions can no longer be passed by name: {}",
)
_BEFORE = Kind(
    "In the public function {} a new parameter stands before one that is passed by position",
    "In {} public functions a new parameter stands before one that is passed by position: {}",
)


def is_interface(path: str) -> bool:
    """Is the module one that others import? Private, test, example and script modules are not, nor are migrations."""
    return not is_private(path) and _may_be_imported(path)


def _may_be_imported(path: str) -> bool:
    """Is it the code of a package, whatever its name says?"""
    if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path):
        return False
    parts = path.removesuffix(".py").split("/")
    return (
        not is_migration(path)
        and parts[-1].isidentifier()
        and not any(part.startswith(".") for part in parts)
        and parts[-1] not in {"__main__", "setup", "noxfile", "tasks", "manage", "conftest"}
        and parts[0] not in {"scripts", "tools", "bin"}
    )


def importable(modules: PythonModules, tree: Tree, surfaces: Surfaces) -> dict[str, Outline]:
    """What others could import of each module before the change: all of one with a public name, of a private one what a front passes on."""
    own_use = applications((tree.base or tree.head).keys())
    given = _given_now(modules, surfaces)
    found = {}
    for path, shape in sorted(modules.base.items()):
        served = surfaces.base.get(path)
        if not own_use.hold(path) and _may_be_imported(path):
            if not is_private(path):
                found[path] = shape
            elif served is not None and (served.whole or served.names):
                now = modules.head.get(_imported_now(path, modules, tree), _NOTHING)
                found[path] = _passed_on(shape, now, served, modules, given.get(served.package, set()))
    return found


_NOTHING = Outline(has_docstring=False)


def _passed_on(shape: Outline, now: Outline, served: Served, modules: PythonModules, given: set[str]) -> Outline:
    """A private module as others know it by its front; left out is what they find there as before, or miss at the front itself."""
    elsewhere = given | _told_by(modules.base.get(served.package, _NOTHING))
    gone = _offered(shape) - _offered(now)
    moved = {name for name in gone if served.seen_as(name) <= elsewhere}
    if served.whole and not moved:
        return shape
    return _part(shape, (_offered(shape) if served.whole else served.names.keys()) - moved)


def _given_now(modules: PythonModules, surfaces: Surfaces) -> dict[str, set[str]]:
    """The names that files of the change offer through each front after it, wherever they stand."""
    given: dict[str, set[str]] = {}
    for path, served in surfaces.head.items():
        for name in _offered(modules.head[path]) if path in modules.head else ():
            given.setdefault(served.package, set()).update(served.seen_as(name))
    return given


def _told_by(front: Outline) -> set[str]:
    """The names whose loss is told of the front itself, which the change touches."""
    return set(front.exports) if front.exports is not None else _served_by(front)


def _part(shape: Outline, names: Container[str]) -> Outline:
    """A module as who sees only some of its names knows it."""
    return replace(
        shape,
        functions=tuple(each for each in shape.functions if each.qualname.partition(".")[0] in names),
        classes=tuple(each for each in shape.classes if each.qualname.partition(".")[0] in names),
        imports=tuple(each for each in shape.imports if each.name in names),
        names=tuple(each for each in shape.names if each in names),
        exports=None,
    )


def breaks(
    change: Change, modules: PythonModules, before: Mapping[str, Outline], tree: Tree, texts: Documents | None = None
) -> list[Break]:
    """All that the change takes from callers of what others could import before it; with the texts, what it does to types too."""
    renamed = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    found: list[Break] = []
    files = Modules({*tree.head, *tree.base})
    reached = frozenset(
        each.name
        for shape in modules.head.values()
        for each in shape.functions
        if each.decorators and answers_requests(each)
    )
    for path, shape in sorted(before.items()):
        new_path = renamed.get(path, path)
        here = _imported_now(path, modules, tree)
        now = modules.head.get(here)
        offered = _is_offered(path, shape, tree)
        if now is not None and (here != path or new_path == path):
            told = [*_broken(path, shape, now, reached), *_fields(path, shape, now)]
            if texts is not None and path in texts.base and here in texts.head:
                own = _taken_in(path, shape, files) | _taken_in(here, now, files)
                told += _retyped(path, (shape, texts.base[path]), (now, texts.head[here]), modules, own)
            found += (_standing(here, each if offered else _doubted(each)) for each in told)
        elif not is_private(path) and path not in tree.head and not _still_served(path, tree):
            gone = Break(
                _MODULE,
                _moved(path, new_path),
                code_location(path, side=Side.BASE),
                0.8,
                "it may have been internal in spite of its name",
            )
            found.append(gone if offered else _doubted(gone))
        elif is_private(path) and path not in tree.head and not _still_served(path, tree) and _defines(path, shape):
            found.append(Break(UNSERVED, f"`{path}`", code_location(path, side=Side.BASE), 0.7, INTERNAL))
    return _told_once(found)


def _defines(path: str, shape: Outline) -> bool:
    """Is there anything in a module that others could import?"""
    definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
    return any(map(is_public, definitions)) or any(_is_constant(each, path) for each in shape.names)


def _told_once(found: Sequence[Break]) -> list[Break]:
    """The breaks but for those of definitions whose loss is told of a front above them: who mends the one mends the other."""
    fronts = {
        (_place_of(each).removesuffix("__init__.py"), each.name)
        for each in found
        if each.kind in (EXPORT_GONE, _SERVED) and _place_of(each).endswith("__init__.py")
    }
    return [
        each
        for each in found
        if each.kind not in (_CLASS, FUNCTION_GONE)
        or not any((folder, each.name) in fronts for folder in _folders_above(_place_of(each)))
    ]


def _place_of(found: Break) -> str:
    return found.at.path if isinstance(found.at, CodeLocation) else ""


def _folders_above(path: str) -> list[str]:
    """The folders that a file lies in, each with its slash."""
    return [path[: at + 1] for at, letter in enumerate(path) if letter == "/"][:_DEEPEST]


_DEEPEST = 40

_UNOFFERED = 0.6


def _is_offered(path: str, shape: Outline, tree: Tree) -> bool:
    """Does anything say that other projects import the module: a list of exports, a package's front, a `py.typed`?

    Of a private module only what a front passes on is looked at.

    The modules of an application are as importable as those of a library, and nobody outside calls them.
    """
    if shape.exports is not None or path.endswith("/__init__.py") or is_private(path):
        return True
    folders = path.split("/")[:-1]
    marks = ("/".join((*folders[: depth + 1], "py.typed")) for depth in range(len(folders)))
    return any(mark in tree.head or mark in tree.base for mark in marks)


def _doubted(found: Break) -> Break:
    if found.confidence <= _UNOFFERED:
        return found
    return replace(
        found,
        confidence=_UNOFFERED,
        because="nothing says that other projects import it: no py.typed, no list of exports",
    )


def _moved(path: str, new_path: str) -> str:
    """A module by its path, and where the change has put it."""
    return f"`{path}`" if new_path == path else f"`{path}` (now `{new_path}`)"


def _still_served(path: str, tree: Tree) -> bool:
    """A module that became a package of the same name is still imported as before, and so is a package that became a module."""
    return twin(path) in tree.head


def _imported_now(path: str, modules: PythonModules, tree: Tree) -> str:
    """The file that is imported after the change where the module was before it."""
    became = path not in tree.head and twin(path) in modules.head and twin(path) not in tree.base
    return twin(path) if became else path


def _standing(path: str, found: Break) -> Break:
    """What is told of a module after the change, in the file that it is in now."""
    at = found.at
    if not isinstance(at, CodeLocation) or at.side is Side.BASE or at.path == path:
        return found
    return replace(found, at=at.model_copy(update={"path": path}))


def _paired(before: Sequence[Function], now: Sequence[Function]) -> list[Function | None]:
    """What became of each function. Where a name is defined in several ways, one for each platform, the ways keep their order."""
    after: dict[tuple[str, str], list[Function]] = {}
    for each in now:
        after.setdefault(_key(each), []).append(each)
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Function | None] = []
    for each in before:
        ways = after.get(_key(each), [])
        found.append(ways[min(seen[_key(each)], len(ways) - 1)] if ways else None)
        seen[_key(each)] += 1
    return found


def _broken(path: str, before: Outline, now: Outline, reached: frozenset[str]) -> Iterator[Break]:
    """What is gone or takes less; `reached` are the names of all functions that answer requests now, wherever they stand."""
    names = _offered(now)
    doubt = (
        (0.5, _DYNAMIC)
        if now.has_module_getattr or "*" in {each.name for each in now.imports}
        else (0.9, "it may have been internal in spite of its name")
    )
    after = _paired(before.functions, now.functions)
    after_classes = {each.qualname: each for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname not in after_classes and old.qualname.split(".")[0] not in names:
            yield Break(_CLASS, f"`{old.qualname}`", _place(path, old), *doubt)
    for number, function in enumerate(before.functions):
        if not is_public(function) or (not function.class_name and function.name.startswith("__")):
            continue
        new = after[number]
        if new is not None:
            yield from _narrowed(path, function, new)
        elif not _replaced(function, names, after_classes) and not (
            function.name in reached and answers_requests(function)
        ):
            kind = METHOD_GONE if function.class_name else FUNCTION_GONE
            yield Break(kind, f"`{function.qualname}`", _place(path, function), *doubt)
    yield from _changed_kind(path, before, now)
    yield from _newly_asked(path, before, now)
    yield from _no_longer_caught(path, before, after_classes)
    yield from _lost_names(path, before, now, names, doubt)


def _newly_asked(path: str, before: Outline, now: Outline) -> Iterator[Break]:
    """Abstract methods that are new in a class which had some: whoever implements it lacks them."""
    known = {each.qualname for each in before.functions}
    implemented = {each.class_name for each in before.functions if _is_abstract(each)}
    for each in now.functions:
        if each.class_name in implemented and each.qualname not in known and _is_abstract(each) and is_public(each):
            at = code_location(path, each.line, each.line, quote=f"def {each.name}")
            yield Break(_ASKED, f"`{each.qualname}`", at, 0.6, "nobody outside the project may implement it")


def _is_abstract(function: Function) -> bool:
    return any(name.rpartition(".")[2] == "abstractmethod" for name in function.decorators)


def _no_longer_caught(path: str, before: Outline, now: Mapping[str, Class]) -> Iterator[Break]:
    """Exceptions that stand on `Exception` alone now, and stood on a narrower one that callers may catch."""
    for old in before.classes:
        new = now.get(old.qualname)
        narrower = [each for each in old.bases if each.endswith(("Error", "Exception")) and each != "Exception"]
        if new is not None and is_public(old) and narrower and set(new.bases) == {"Exception"}:
            at = code_location(path, new.line, new.line, quote=new.qualname)
            yield Break(_CAUGHT, f"`{new.qualname}`", at, 0.7, "callers may catch it by its own name")


def _fields(path: str, before: Outline, now: Outline) -> Iterator[Break]:
    """What public classes held by name and hold no longer: members of enums, fields of records, constants.

    A field that `__init__` takes by its name is taken to be one still, for most keep what they are given.
    """
    classes = {each.qualname: each for each in now.classes}
    methods = {each.qualname: each for each in now.functions}
    for old in before.classes:
        new = classes.get(old.qualname)
        if (
            new is None
            or not is_public(old)
            or old.qualname.rpartition(".")[2] in _SETTINGS
            or set(new.bases) - set(old.bases)
        ):
            continue
        inherits = not set(old.bases) <= _PLAIN_BASES
        made = methods.get(f"{old.qualname}.__init__")
        kept = {*new.attributes, *(() if made is None else (each.name for each in made.parameters))}
        for name in old.attributes:
            if name not in kept and not name.startswith("_") and f"{old.qualname}.{name}" not in methods:
                sure, why = (
                    (0.6, "it may be inherited now")
                    if inherits
                    else (0.85, "it may have been internal in spite of its name")
                )
                yield Break(_FIELD, f"`{old.qualname}.{name}`", _place(path, old), sure, why)


_FIELD = Kind("A public class no longer has {}", "{} names are gone from public classes: {}")
_SETTINGS = frozenset({"Meta", "Config", "Media", "Params"})
"""Classes inside of others that hold settings, which nobody reads by name."""
_PLAIN_BASES = frozenset(
    {"object", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "str", "int", "typing.NamedTuple", "typing.TypedDict", "typing_extensions.TypedDict", "pydantic.BaseModel"}
)  # fmt: skip
_RECORDS = frozenset({"NamedTuple", "BaseModel", "Struct"})
_OF_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs"})
Shaped = tuple[Outline, str]


def _retyped(path: str, before: Shaped, now: Shaped, modules: PythonModules, own: frozenset[str]) -> Iterator[Break]:
    """Parameters and results of other types, by what is written; of records, fields that must newly be given."""
    sources = strip_comments_and_docstrings(before[1]).split("\n"), strip_comments_and_docstrings(now[1]).split("\n")
    after = _paired(before[0].functions, now[0].functions)
    kin = {each.qualname: each.bases for shape in modules.head.values() for each in shape.classes}
    for old, new in zip(before[0].functions, after, strict=True):
        if (
            new is None
            or sources[0][old.line - 1 : old.end] == sources[1][new.line - 1 : new.end]
            or not is_public(old)
            or (old.name.startswith("__") and old.name not in {"__init__", "__call__"})
        ):
            continue
        if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
            continue
        yield from _types(path, (old, written(sources[0], old)), (new, written(sources[1], new)), kin, own)
        if not old.has_return_annotation and not new.has_return_annotation and old.is_async == new.is_async:
            was, given = (
                shapes(rows, each, _inside(shape, each))
                for rows, each, (shape, _) in zip(sources, (old, new), (before, now), strict=True)
            )
            if _is_another(was, given) and not (old.decorators or new.decorators):
                yield Break(
                    RESULT,
                    f"`{new.qualname}`",
                    _defined(path, new),
                    0.7,
                    "what is given back was told by the form of it",
                )
    yield from _newly_given(path, before, (now[0], sources[1]))


def _taken_in(path: str, shape: Outline, files: Modules) -> frozenset[str]:
    """The classes, by the way they are called, that a module takes from other files of the repository."""
    return frozenset(
        each.name
        for each in shape.imports
        if _OF_CLASSES.fullmatch(each.name)
        and not each.name.endswith(_OF_ALIASES)
        and files.origin(path, each) is not None
    )


_OF_CLASSES = re.compile(r"[A-Z]\w*[a-z]\w*")
_OF_ALIASES = (
    "Type",
    "Types",
    "Like",
    "Dict",
    "Mapping",
    "Alias",
    "Json",
    "Args",
    "Kwargs",
    "Callback",
    "Union",
    "Row",
)
"""What other names of types that are no classes of their own end in, and dicts whose keys are told."""


def _types(
    path: str,
    before: tuple[Function, Written],
    now: tuple[Function, Written],
    kin: Mapping[str, tuple[str, ...]],
    own: frozenset[str],
) -> Iterator[Break]:
    old, new = before[1], now[1]
    function = now[0]
    at = _defined(path, function)
    was, gives = (re.sub(r"\bSelf\b", function.class_name or "Self", each.result) for each in (old, new))
    if was and gives and widens(was, gives) and not _descends(gives, was, kin):
        sure, why = _retold(was, gives, kin, own, 0.75)
        if sure:
            yield Break(RESULT, f"`{function.qualname}`", at, sure, why)
    taken = {each.name for each in passed(before[0])}
    for name, kind in old.types.items():
        if (
            name in taken
            and name in new.types
            and narrows(kind, new.types[name])
            and not _descends(kind, new.types[name], kin)
        ):
            sure, why = _retold(kind, new.types[name], kin, own, 0.7)
            if sure:
                yield Break(PASSED, f"`{function.qualname}` (`{name}`)", at, sure, why)


def _retold(
    was: str, now: str, kin: Mapping[str, tuple[str, ...]], own: frozenset[str], sure: float
) -> tuple[float, str]:
    """How sure it is that two written types are not the same; 0 where one of them may be another name of the other.

    A class of a file that the change leaves alone is held against built-in types only: what it is made from was not read.
    """
    if not is_open(was, now, kin):
        return sure, _ALIAS
    return (0.6, _UNREAD) if not is_open(was, "", ()) and not is_open(was, now, own) else (0.0, "")


_UNREAD = "the class stands in a file that the change leaves alone, and may be made from what was given before"
_ALIAS = "a name may stand for the same type, or for one that holds it"


def _descends(one: str, other: str, kin: Mapping[str, tuple[str, ...]]) -> bool:
    """Is the one class made from the other, as far as the changed modules tell? A typed dictionary is a dictionary."""
    name = one.strip("\"'")
    wanted = other.strip("\"'")
    plain = wanted.partition("[")[0].rpartition(".")[2]
    for _ in range(_GENERATIONS):
        bases = [each.rpartition(".")[2] for each in kin.get(name, ())]
        if wanted.rpartition(".")[2] in bases or any(plain in _IS_ALSO.get(each, ()) for each in bases):
            return True
        if len(bases) != 1:
            return False
        name = bases[0]
    return False


_GENERATIONS = 10
_IS_ALSO = {"TypedDict": ("dict", "Dict", "Mapping"), "NamedTuple": ("tuple", "Tuple")}


def _defined(path: str, function: Function) -> Location:
    return code_location(path, function.line, function.line, quote=f"def {function.name}")


def _inside(shape: Outline, function: Function) -> list[tuple[int, int]]:
    """The lines of what is defined inside a function."""
    return [(each.line, each.end) for each in shape.functions if function.line < each.line <= function.end]


def _is_another(was: frozenset[str], given: frozenset[str]) -> bool:
    """Does whoever takes apart or uses what was given fail on what is given now? What a call gives is not known."""
    if ("yield" in was) != ("yield" in given):
        return "nothing" not in was
    if "call" in was | given or "nothing" in was:
        return False
    counted = all(each.endswith("things") for each in given)
    return given == {"nothing"} or (counted and len(given) == 1 and was != given and len(was) == 1)


def _newly_given(path: str, before: Shaped, now: tuple[Outline, list[str]]) -> Iterator[Break]:
    old = {each.qualname: each for each in before[0].classes}
    made = {each.class_name for each in now[0].functions if each.name == "__init__"}
    for each in now[0].classes:
        known = old.get(each.qualname) if each.qualname not in made else None
        marks = {said.rpartition(".")[2] for said in (*each.bases, *each.decorators)}
        if known is None or not is_public(each) or not marks & (_RECORDS | _OF_RECORDS):
            continue
        asked = [name for name in demanded(now[1], each) if name not in known.attributes]
        if asked:
            about = f"{', '.join(f'`{name}`' for name in asked)} of `{each.qualname}`"
            at = code_location(path, each.line, each.line, quote=f"class {each.qualname.rpartition('.')[2]}")
            yield Break(PARAMETER_ASKED, about, at, 0.75, "nobody outside the project may make one")


def _changed_kind(path: str, before: Outline, now: Outline) -> Iterator[Break]:
    """A class that is a function now can no longer be inherited from or named in a check; one that lives on by import can.

    It is still called as before, so this is seldom more than a possible break.
    """
    functions = {each.qualname for each in now.functions if not each.class_name}
    classes = {each.qualname for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname in functions and old.qualname not in classes:
            yield Break(
                _CALLABLE,
                f"`{old.qualname}`",
                _place(path, old),
                0.6,
                "calls go on; only inheriting and type checks end",
            )


def _lost_names(path: str, before: Outline, now: Outline, names: set[str], doubt: tuple[float, str]) -> Iterator[Break]:
    """Exports, constants and, of a package, names that it served from its modules, all no longer there."""
    definitions: tuple[Function | Class, ...] = (*before.classes, *before.functions)
    told = {each.qualname for each in definitions if is_public(each)}
    exported = set(before.exports or ()) - set(now.exports or ()) - names - told
    for name in sorted(exported):
        yield _gone(EXPORT_GONE, path, name, 0.9, "it may be served from elsewhere")
    if before.exports is not None:
        return
    constants = {each for each in before.names if _is_constant(each, path)}
    for name in sorted(constants - names):
        sure, why = doubt
        yield _gone(_CONSTANT, path, name, min(sure, 0.7), why)
    if path.endswith("__init__.py"):
        for name in sorted(_served_by(before) - names - {"*"}):
            yield _gone(_SERVED, path, name, doubt[0], doubt[1])


def _served_by(front: Outline) -> set[str]:
    """What a package passes on of modules in the project; what those around it keep for themselves it only uses."""
    return {
        each.name
        for each in front.imports
        if each.qualified.startswith(".")
        and not each.name.startswith("_")
        and not (each.qualified.startswith("..") and is_private(each.qualified.replace(".", "/")))
    }


def _is_constant(name: str, path: str) -> bool:
    """Is a module-level name meant for others: one in capitals, or any that a package offers but its logger?"""
    if name.startswith("_") or len(name) < 2:
        return False
    return name.isupper() or (path.endswith("__init__.py") and name not in {"log", "logger", "LOG"})


def _gone(kind: Kind, path: str, name: str, confidence: float, because: str) -> Break:
    return Break(kind, f"`{name}`", code_location(path, side=Side.BASE, quote=name), confidence, because)


def definitions_before(modules: PythonModules) -> dict[tuple[str, str], Function | Class]:
    """What the base defined, by path and name, and by name alone for what moved."""
    known: dict[tuple[str, str], Function | Class] = {}
    for path, shape in modules.base.items():
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            known[path, each.qualname] = each
            known.setdefault(("", each.qualname), each)
    return known


def keeps_its_body(definition: Function | Class, written: Container[int]) -> bool:
    """Was nothing written of a definition but its first line, as when it gets another name?"""
    body = range(definition.line + 1, definition.end + 1)
    return len(body) > 0 and not any(line in written for line in body)


def _key(function: Function) -> tuple[str, str]:
    """A property's getter, setter and deleter share a name and are three functions."""
    accessors = [each.rpartition(".")[2] for each in function.decorators if each.endswith((".setter", ".deleter"))]
    return function.qualname, accessors[0] if accessors else ""


def is_public(definition: Function | Class) -> bool:
    """Can it be imported, or reached through what can?"""
    return definition.is_public and not definition.nested


def _offered(shape: Outline) -> set[str]:
    """Names that can be imported from a module, however it comes by them."""
    return {
        *(each.qualname for each in shape.functions if not each.class_name),
        *(each.qualname for each in shape.classes),
        *(each.name for each in shape.imports),
        *shape.names,
    }


def _replaced(function: Function, names: set[str], classes: Mapping[str, Class]) -> bool:
    """Is the name still there in another form: inherited, assigned, imported?"""
    if not function.class_name:
        return function.qualname in names
    owner = classes.get(function.class_name)
    if owner is None:
        return True  # the class itself is reported, or lives on by import
    return (
        bool([base for base in owner.bases if base not in {"object", "ABC", "abc.ABC"}])
        or function.name in owner.attributes
    )


def _place(path: str, definition: Function | Class) -> Location:
    return code_location(path, definition.line, definition.line, quote=definition.qualname, side=Side.BASE)


def _narrowed(path: str, old: Function, new: Function) -> Iterator[Break]:
    """Calls that worked before and no longer do."""
    at = code_location(path, new.line, new.line, quote=f"def {new.name}")
    sure, why = (0.6, _DECORATED) if new.decorators or old.decorators else (1.0, "")
    if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
        return
    name = f"`{new.qualname}`"
    if answers_requests(old):
        return  # it is reached by its address, and what that takes is not told by its parameters alone
    if old.is_async != new.is_async and not is_command(old):
        yield Break(_ASYNCHRONOUS, name, at, sure, why)
    if old.name.startswith("__") and old.name != "__init__":
        return
    was, now = _kind(old), _kind(new)
    if was != now and "property" in (was, now):
        yield Break(_CALLED, name, at, 0.9, _DECORATED)
    elif was and not now:
        yield Break(_OF_CLASS, name, at, 0.9, _DECORATED)
    if old.signature == new.signature and old.class_name == new.class_name:
        return
    renamed = {} if is_command(old) else _renamed(passed(old), passed(new))
    if renamed:
        about = f"{', '.join(f'`{was}` (now `{given}`)' for was, given in renamed.items())} of {name}"
        yield Break(PARAMETER_RENAMED, about, at, sure, why)
    before = [each._replace(name=renamed.get(each.name, each.name)) for each in passed(old)]
    for kind, parameters, confidence, because in _noticed(old, new, _passing(before, passed(new), sure, why)):
        about = f"{', '.join(f'`{each}`' for each in parameters)} of {name}" if parameters else name
        yield Break(kind, about, at, confidence, because)


def _renamed(before: Sequence[Parameter], after: Sequence[Parameter]) -> dict[str, str]:
    """Parameters that have another name in the same place: who passes them by position notices nothing."""
    old, new = ({each.name for each in side} for side in (before, after))
    return {
        was.name: now.name
        for was, now in zip(before, after, strict=False)
        if was.kind is now.kind is ParameterKind.POSITIONAL and was.name not in new and now.name not in old
    }


Narrower = tuple[Kind, list[str], float, str]
"""What can no longer be passed as it was: its kind, the parameters to name, confidence and its reason."""


def _noticed(old: Function, new: Function, narrower: Iterable[Narrower]) -> Iterator[Narrower]:
    """Of what callers pass, what those of a command notice: an option that is gone, and one that is newly asked for.

    Where decorators tell the options, they also tell which must be given.
    """
    if not is_command(old):
        yield from narrower
        return
    kept = {PARAMETER_GONE} if tells_options(old, new) else {PARAMETER_GONE, PARAMETER_ASKED, _DEFAULT}
    for kind, parameters, sure, why in narrower:
        named = [each for each in parameters if each not in HANDED]
        if kind in kept and named:
            yield OPTION_GONE if kind is PARAMETER_GONE else kind, named, sure, why


def _passing(before: list[Parameter], after: list[Parameter], sure: float, why: str) -> Iterator[Narrower]:
    """What can no longer be passed as it was."""
    by_name = {each.name: each for each in after}
    takes_any = {each.kind for each in after}
    lost = [each.name for each in before if each.name not in by_name and not _swallowed(each, takes_any)]
    if lost:
        yield PARAMETER_GONE, lost, sure, why
    yield from ((kind, [name], sure, why) for kind, name in _tightened(before, by_name))
    if _STARS & {each.kind for each in before} - takes_any:
        named = len(after) > len(before)
        yield (
            _FURTHER,
            [],
            0.6 if named else min(sure, 0.9),
            "those that it used may be named now" if named else why or "nobody may have passed any",
        )
    known = {each.name for each in before}
    asked = [each.name for each in after if each.name not in known and not each.has_default]
    asks = len(after) > len(before) and bool(asked)
    if asks:
        yield PARAMETER_ASKED, asked, sure, why
    if not lost and not asks and (moved := _reordered(before, after)):
        yield moved, [], sure, why


_STARS = frozenset({ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD})


def _kind(function: Function) -> str:
    """How a method is reached: plain, as a property, or without an instance."""
    marks = {each.rpartition(".")[2] for each in function.decorators}
    kinds = ("staticmethod", "classmethod", "property")
    return next((kind for kind in kinds if kind in marks), "property" if "cached_property" in marks else "")


def _tightened(before: list[Parameter], by_name: Mapping[str, Parameter]) -> Iterator[tuple[Kind, str]]:
    """What parameters that stayed no longer allow."""
    for each in before:
        kept = by_name.get(each.name)
        if kept is None:
            continue
        if each.has_default and not kept.has_default:
            yield _DEFAULT, each.name
        if each.kind in _BY_POSITION and kept.kind is ParameterKind.KEYWORD_ONLY:
            yield _POSITION, each.name
        if each.kind in _BY_NAME and kept.kind is ParameterKind.POSITIONAL_ONLY:
            yield _NAME, each.name


_BY_POSITION = frozenset({ParameterKind.POSITIONAL, ParameterKind.POSITIONAL_ONLY})
_BY_NAME = frozenset({ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY})


def _reordered(before: list[Parameter], after: list[Parameter]) -> Kind | None:
    """Does a parameter that callers pass by position stand in another place? New ones at the end move none."""
    old = [each.name for each in before if each.kind in _BY_POSITION]
    new = [each.name for each in after if each.kind in _BY_POSITION]
    common = [name for name in old if name in new]
    if common != [name for name in new if name in old]:
        return REORDERED
    if any(old.index(name) < new.index(name) for name in common):
        return _BEFORE
    return None


def passed(function: Function) -> list[Parameter]:
    """What a caller passes: all parameters but a method's own instance or class."""
    own = list(function.parameters)
    return own[1:] if function.class_name and own and own[0].name in {"self", "cls", "mcs"} else own


def _swallowed(parameter: Parameter, kinds: set[ParameterKind]) -> bool:
    """Is a parameter that is gone still accepted by `*args` or `**kwargs`? Those themselves never count as lost."""
    if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL):
        return True
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return ParameterKind.VAR_POSITIONAL in kinds
    return ParameterKind.VAR_KEYWORD in kinds
