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
    EXPORT_REMOVED,
    FILE_UNEXPOSED,
    FUNCTION_REMOVED,
    INTERNAL_REASON,
    METHOD_REMOVED,
    OPTION_REMOVED,
    PARAMETER_ADDED,
    PARAMETER_REMOVED,
    PARAMETER_RENAMED,
    PARAMETER_TYPE_NARROWED,
    PARAMETERS_REORDERED,
    RESULT_TYPE_CHANGED,
    BreakingChange,
    BreakKind,
)
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.framework_entry_points import (
    INJECTED_PARAMETERS,
    declares_options,
    find_applications,
    is_cli_command,
    is_migration_path,
    is_request_handler,
)
from auditor.forensics.public_api.init_reexports import alternative_path, is_private_module
from auditor.forensics.public_api.package_reachability import Exposure
from auditor.forensics.public_api.python_type_hints import WrittenTypes, required_fields, result_shapes, written_types
from auditor.forensics.public_api.type_narrowing import has_unknown_alias, is_narrowed, is_widened
from auditor.forensics.python.reexports import ModuleFinder
from auditor.forensics.source_text.comments import strip_comments_and_docstrings
from auditor.forensics.source_text.file_outline import Class, Function, Outline, Parameter, ParameterKind
from auditor.forensics.source_text.file_roles import Role, is_example, role

_DYNAMIC_REASON = "the module makes names at run time, so one that is gone may still be served"
_DECORATOR_REASON = "a decorator may change what callers have to pass"


_MODULE_REMOVED = BreakKind("The public module {} is gone", "{} public modules are gone: {}")
_CLASS_REMOVED = BreakKind("The public class {} is gone", "{} public classes are gone: {}")
_CONSTANT_REMOVED = BreakKind("The public constant {} is gone", "{} public constants are gone: {}")
_PACKAGE_NAME_REMOVED = BreakKind(
    "The package no longer serves {}", "{} names are no longer served by their package: {}"
)
_CLASS_BECAME_FUNCTION = BreakKind("The public class {} became a function", "{} public classes became functions: {}")
_ASYNC_CHANGED = BreakKind(
    "The public function {} became asynchronous, or stopped being so",
    "{} public functions became asynchronous, or stopped being so: {}",
)
_PROPERTY_CHANGED = BreakKind(
    "The public method {} became a property, or stopped being one",
    "{} public methods became properties, or stopped being some: {}",
)
_NO_LONGER_CLASS_METHOD = BreakKind(
    "The public method {} can no longer be called on its class",
    "{} public methods can no longer be called on their classes: {}",
)
_ABSTRACT_METHOD_ADDED = BreakKind(
    "Whoever implements its class must now write {} too",
    "{} methods are newly asked of whoever implements their classes: {}",
)
_EXCEPTION_BASE_CHANGED = BreakKind(
    "The public exception {} is no longer caught as what it was",
    "{} public exceptions are no longer caught as what they were: {}",
)
_NO_LONGER_VARIADIC = BreakKind(
    "The public function {} no longer takes any further arguments",
    "{} public functions no longer take any further arguments: {}",
)
_DEFAULT_REMOVED = BreakKind(
    "A parameter of a public function lost its default: {}", "{} parameters lost their defaults: {}"
)
_NO_LONGER_POSITIONAL = BreakKind(
    "A parameter of a public function can no longer be passed by position: {}",
    "{} parameters of public functions can no longer be passed by position: {}",
)
_NO_LONGER_KEYWORD = BreakKind(
    "A parameter of a public function can no longer be passed by name: {}",
    "{} parameters of public functions can no longer be passed by name: {}",
)
_PARAMETER_INSERTED = BreakKind(
    "In the public function {} a new parameter stands before one that is passed by position",
    "In {} public functions a new parameter stands before one that is passed by position: {}",
)


def is_public_module(path: str) -> bool:
    """Can others import the module? Private, test, example and script modules, and migrations, do not count."""
    return not is_private_module(path) and _is_package_code(path)


def _is_package_code(path: str) -> bool:
    """Is it the code of a package, whatever its name says?"""
    if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path):
        return False
    parts = path.removesuffix(".py").split("/")
    return (
        not is_migration_path(path)
        and parts[-1].isidentifier()
        and not any(part.startswith(".") for part in parts)
        and parts[-1] not in {"__main__", "setup", "noxfile", "tasks", "manage", "conftest"}
        and parts[0] not in {"scripts", "tools", "bin"}
    )


def importable_modules(modules: PythonModules, tree: Tree, surfaces: PublicSurfaces) -> dict[str, Outline]:
    """What others could import before the change: public modules, and what packages re-export of private ones."""
    own_use = find_applications((tree.base or tree.head).keys())
    given = _exported_names_now(modules, surfaces)
    found = {}
    for path, shape in sorted(modules.base.items()):
        served = surfaces.base.get(path)
        if not own_use.contains(path) and _is_package_code(path):
            if not is_private_module(path):
                found[path] = shape
            elif served is not None and (served.whole or served.names):
                now = modules.head.get(_current_path(path, modules, tree), _EMPTY_OUTLINE)
                found[path] = _reexported_part(shape, now, served, modules, given.get(served.package, set()))
    return found


_EMPTY_OUTLINE = Outline(has_docstring=False)


def _reexported_part(
    outline: Outline, now: Outline, exposure: Exposure, modules: PythonModules, exported_now: set[str]
) -> Outline:
    """The part of a private module that its package re-exports, without names that are handled elsewhere."""
    elsewhere = exported_now | _names_reported_by(modules.base.get(exposure.package, _EMPTY_OUTLINE))
    gone = _importable_names(outline) - _importable_names(now)
    moved = {name for name in gone if exposure.seen_as(name) <= elsewhere}
    if exposure.whole and not moved:
        return outline
    return _restrict_outline(outline, (_importable_names(outline) if exposure.whole else exposure.names.keys()) - moved)


def _exported_names_now(modules: PythonModules, surfaces: PublicSurfaces) -> dict[str, set[str]]:
    """The names that the changed files export through each package after the change."""
    given: dict[str, set[str]] = {}
    for path, served in surfaces.head.items():
        for name in _importable_names(modules.head[path]) if path in modules.head else ():
            given.setdefault(served.package, set()).update(served.seen_as(name))
    return given


def _names_reported_by(package: Outline) -> set[str]:
    """The names whose removal is reported for the package itself, because the change touches it."""
    return set(package.exports) if package.exports is not None else _reexported_names(package)


def _restrict_outline(outline: Outline, names: Container[str]) -> Outline:
    """The outline restricted to some of its names."""
    return replace(
        outline,
        functions=tuple(each for each in outline.functions if each.qualname.partition(".")[0] in names),
        classes=tuple(each for each in outline.classes if each.qualname.partition(".")[0] in names),
        imports=tuple(each for each in outline.imports if each.name in names),
        names=tuple(each for each in outline.names if each in names),
        exports=None,
    )


def find_breaking_changes(
    change: Change, modules: PythonModules, before: Mapping[str, Outline], tree: Tree, texts: Documents | None = None
) -> list[BreakingChange]:
    """What the change breaks of the importable modules; with the texts, also changes of types."""
    renamed = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    found: list[BreakingChange] = []
    files = ModuleFinder({*tree.head, *tree.base})
    reached = frozenset(
        each.name
        for shape in modules.head.values()
        for each in shape.functions
        if each.decorators and is_request_handler(each)
    )
    for path, shape in sorted(before.items()):
        new_path = renamed.get(path, path)
        here = _current_path(path, modules, tree)
        now = modules.head.get(here)
        offered = _is_declared_public(path, shape, tree)
        if now is not None and (here != path or new_path == path):
            told = [*_removed_or_narrowed(path, shape, now, reached), *_removed_attributes(path, shape, now)]
            if texts is not None and path in texts.base and here in texts.head:
                own = _imported_classes(path, shape, files) | _imported_classes(here, now, files)
                told += _changed_types(path, (shape, texts.base[path]), (now, texts.head[here]), modules, own)
            found += (_at_current_path(here, each if offered else _lower_confidence(each)) for each in told)
        elif not is_private_module(path) and path not in tree.head and not _is_still_importable(path, tree):
            gone = BreakingChange(
                _MODULE_REMOVED,
                _module_name(path, new_path),
                code_location(path, side=Side.BASE),
                0.8,
                "it may have been internal in spite of its name",
            )
            found.append(gone if offered else _lower_confidence(gone))
        elif (
            is_private_module(path)
            and path not in tree.head
            and not _is_still_importable(path, tree)
            and _has_public_names(path, shape)
        ):
            found.append(
                BreakingChange(FILE_UNEXPOSED, f"`{path}`", code_location(path, side=Side.BASE), 0.7, INTERNAL_REASON)
            )
    return _deduplicate(found)


def _has_public_names(path: str, outline: Outline) -> bool:
    """Is there anything in a module that others could import?"""
    definitions: tuple[Function | Class, ...] = (*outline.functions, *outline.classes)
    return any(map(is_public, definitions)) or any(_is_public_constant(each, path) for each in outline.names)


def _deduplicate(found: Sequence[BreakingChange]) -> list[BreakingChange]:
    """The breaking changes without those of definitions whose removal is reported for a package above them."""
    fronts = {
        (_path_of(each).removesuffix("__init__.py"), each.name)
        for each in found
        if each.kind in (EXPORT_REMOVED, _PACKAGE_NAME_REMOVED) and _path_of(each).endswith("__init__.py")
    }
    return [
        each
        for each in found
        if each.kind not in (_CLASS_REMOVED, FUNCTION_REMOVED)
        or not any((folder, each.name) in fronts for folder in _parent_folders(_path_of(each)))
    ]


def _path_of(found: BreakingChange) -> str:
    return found.at.path if isinstance(found.at, CodeLocation) else ""


def _parent_folders(path: str) -> list[str]:
    """The folders that a file lies in, each with its slash."""
    return [path[: at + 1] for at, letter in enumerate(path) if letter == "/"][:_MAX_FOLDER_DEPTH]


_MAX_FOLDER_DEPTH = 40

_UNDECLARED_CONFIDENCE = 0.6


def _is_declared_public(path: str, outline: Outline, tree: Tree) -> bool:
    """Does anything say that other projects import the module: a list of exports, a package's front, a `py.typed`?

    Of a private module only what a front passes on is looked at.

    The modules of an application are as importable as those of a library, and nobody outside calls them.
    """
    if outline.exports is not None or path.endswith("/__init__.py") or is_private_module(path):
        return True
    folders = path.split("/")[:-1]
    marks = ("/".join((*folders[: depth + 1], "py.typed")) for depth in range(len(folders)))
    return any(mark in tree.head or mark in tree.base for mark in marks)


def _lower_confidence(found: BreakingChange) -> BreakingChange:
    if found.confidence <= _UNDECLARED_CONFIDENCE:
        return found
    return replace(
        found,
        confidence=_UNDECLARED_CONFIDENCE,
        because="nothing says that other projects import it: no py.typed, no list of exports",
    )


def _module_name(path: str, new_path: str) -> str:
    """The path of a module as code, and its new path where it was moved."""
    return f"`{path}`" if new_path == path else f"`{path}` (now `{new_path}`)"


def _is_still_importable(path: str, tree: Tree) -> bool:
    """Is a module importable as a package of the same name now, or a package as a module?"""
    return alternative_path(path) in tree.head


def _current_path(path: str, modules: PythonModules, tree: Tree) -> str:
    """The file that is imported after the change where the module was before it."""
    became = (
        path not in tree.head and alternative_path(path) in modules.head and alternative_path(path) not in tree.base
    )
    return alternative_path(path) if became else path


def _at_current_path(path: str, found: BreakingChange) -> BreakingChange:
    """A breaking change with its location in the file that the module is in now."""
    at = found.at
    if not isinstance(at, CodeLocation) or at.side is Side.BASE or at.path == path:
        return found
    return replace(found, at=at.model_copy(update={"path": path}))


def _pair_functions(before: Sequence[Function], now: Sequence[Function]) -> list[Function | None]:
    """The successor of each function. Several definitions of one name are paired in order."""
    after: dict[tuple[str, str], list[Function]] = {}
    for each in now:
        after.setdefault(_function_key(each), []).append(each)
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Function | None] = []
    for each in before:
        ways = after.get(_function_key(each), [])
        found.append(ways[min(seen[_function_key(each)], len(ways) - 1)] if ways else None)
        seen[_function_key(each)] += 1
    return found


def _removed_or_narrowed(
    path: str, before: Outline, now: Outline, request_handlers: frozenset[str]
) -> Iterator[BreakingChange]:
    """What is removed or accepts less; `reached` are the names of all functions that handle requests now."""
    names = _importable_names(now)
    doubt = (
        (0.5, _DYNAMIC_REASON)
        if now.has_module_getattr or "*" in {each.name for each in now.imports}
        else (0.9, "it may have been internal in spite of its name")
    )
    after = _pair_functions(before.functions, now.functions)
    after_classes = {each.qualname: each for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname not in after_classes and old.qualname.split(".")[0] not in names:
            yield BreakingChange(_CLASS_REMOVED, f"`{old.qualname}`", _base_location(path, old), *doubt)
    for number, function in enumerate(before.functions):
        if not is_public(function) or (not function.class_name and function.name.startswith("__")):
            continue
        new = after[number]
        if new is not None:
            yield from _narrowed_signature(path, function, new)
        elif not _is_still_available(function, names, after_classes) and not (
            function.name in request_handlers and is_request_handler(function)
        ):
            kind = METHOD_REMOVED if function.class_name else FUNCTION_REMOVED
            yield BreakingChange(kind, f"`{function.qualname}`", _base_location(path, function), *doubt)
    yield from _changed_kind(path, before, now)
    yield from _added_abstract_methods(path, before, now)
    yield from _changed_exception_bases(path, before, after_classes)
    yield from _removed_names(path, before, now, names, doubt)


def _added_abstract_methods(path: str, before: Outline, now: Outline) -> Iterator[BreakingChange]:
    """New abstract methods in a class which had some: implementations lack them."""
    known = {each.qualname for each in before.functions}
    implemented = {each.class_name for each in before.functions if _is_abstract(each)}
    for each in now.functions:
        if each.class_name in implemented and each.qualname not in known and _is_abstract(each) and is_public(each):
            at = code_location(path, each.line, each.line, quote=f"def {each.name}")
            yield BreakingChange(
                _ABSTRACT_METHOD_ADDED, f"`{each.qualname}`", at, 0.6, "nobody outside the project may implement it"
            )


def _is_abstract(function: Function) -> bool:
    return any(name.rpartition(".")[2] == "abstractmethod" for name in function.decorators)


def _changed_exception_bases(path: str, before: Outline, now: Mapping[str, Class]) -> Iterator[BreakingChange]:
    """Exceptions that now derive from `Exception` alone, and derived from a narrower one before."""
    for old in before.classes:
        new = now.get(old.qualname)
        narrower = [each for each in old.bases if each.endswith(("Error", "Exception")) and each != "Exception"]
        if new is not None and is_public(old) and narrower and set(new.bases) == {"Exception"}:
            at = code_location(path, new.line, new.line, quote=new.qualname)
            yield BreakingChange(
                _EXCEPTION_BASE_CHANGED, f"`{new.qualname}`", at, 0.7, "callers may catch it by its own name"
            )


def _removed_attributes(path: str, before: Outline, now: Outline) -> Iterator[BreakingChange]:
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
            or old.qualname.rpartition(".")[2] in _SETTINGS_CLASSES
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
                yield BreakingChange(
                    _ATTRIBUTE_REMOVED, f"`{old.qualname}.{name}`", _base_location(path, old), sure, why
                )


_ATTRIBUTE_REMOVED = BreakKind("A public class no longer has {}", "{} names are gone from public classes: {}")
_SETTINGS_CLASSES = frozenset({"Meta", "Config", "Media", "Params"})
"""Nested classes that hold settings, which nobody reads by name."""
_PLAIN_BASES = frozenset(
    {"object", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "str", "int", "typing.NamedTuple", "typing.TypedDict", "typing_extensions.TypedDict", "pydantic.BaseModel"}
)  # fmt: skip
_RECORD_BASES = frozenset({"NamedTuple", "BaseModel", "Struct"})
_RECORD_DECORATORS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs"})
OutlineAndSource = tuple[Outline, str]


def _changed_types(
    path: str, before: OutlineAndSource, now: OutlineAndSource, modules: PythonModules, own_classes: frozenset[str]
) -> Iterator[BreakingChange]:
    """Changed types of parameters and results, as they are written; of records, newly required fields."""
    sources = strip_comments_and_docstrings(before[1]).split("\n"), strip_comments_and_docstrings(now[1]).split("\n")
    after = _pair_functions(before[0].functions, now[0].functions)
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
        yield from _changed_annotations(
            path, (old, written_types(sources[0], old)), (new, written_types(sources[1], new)), kin, own_classes
        )
        if not old.has_return_annotation and not new.has_return_annotation and old.is_async == new.is_async:
            was, given = (
                result_shapes(rows, each, _inner_ranges(shape, each))
                for rows, each, (shape, _) in zip(sources, (old, new), (before, now), strict=True)
            )
            if _is_other_shape(was, given) and not (old.decorators or new.decorators):
                yield BreakingChange(
                    RESULT_TYPE_CHANGED,
                    f"`{new.qualname}`",
                    _definition_location(path, new),
                    0.7,
                    "what is given back was told by the form of it",
                )
    yield from _newly_required_fields(path, before, (now[0], sources[1]))


def _imported_classes(path: str, outline: Outline, files: ModuleFinder) -> frozenset[str]:
    """The local names of classes that a module imports from other files of the repository."""
    return frozenset(
        each.name
        for each in outline.imports
        if _CLASS_NAME.fullmatch(each.name)
        and not each.name.endswith(_ALIAS_SUFFIXES)
        and files.origin(path, each) is not None
    )


_CLASS_NAME = re.compile(r"[A-Z]\w*[a-z]\w*")
_ALIAS_SUFFIXES = (
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
"""Suffixes of type names that are aliases, or dictionaries with known keys, rather than classes."""


def _changed_annotations(
    path: str,
    before: tuple[Function, WrittenTypes],
    now: tuple[Function, WrittenTypes],
    bases: Mapping[str, tuple[str, ...]],
    own_classes: frozenset[str],
) -> Iterator[BreakingChange]:
    old, new = before[1], now[1]
    function = now[0]
    at = _definition_location(path, function)
    was, gives = (re.sub(r"\bSelf\b", function.class_name or "Self", each.result) for each in (old, new))
    if was and gives and is_widened(was, gives) and not _is_subclass(gives, was, bases):
        sure, why = _type_change_confidence(was, gives, bases, own_classes, 0.75)
        if sure:
            yield BreakingChange(RESULT_TYPE_CHANGED, f"`{function.qualname}`", at, sure, why)
    taken = {each.name for each in caller_parameters(before[0])}
    for name, kind in old.types.items():
        if (
            name in taken
            and name in new.types
            and is_narrowed(kind, new.types[name])
            and not _is_subclass(kind, new.types[name], bases)
        ):
            sure, why = _type_change_confidence(kind, new.types[name], bases, own_classes, 0.7)
            if sure:
                yield BreakingChange(PARAMETER_TYPE_NARROWED, f"`{function.qualname}` (`{name}`)", at, sure, why)


def _type_change_confidence(
    before: str, now: str, bases: Mapping[str, tuple[str, ...]], own_classes: frozenset[str], confidence: float
) -> tuple[float, str]:
    """How sure it is that two written types differ; 0 where one may be another name of the other.

    A class of a file that the change leaves alone is held against built-in types only: what it is made from was not read.
    """
    if not has_unknown_alias(before, now, bases):
        return confidence, _ALIAS_REASON
    return (
        (0.6, _UNCHANGED_FILE_REASON)
        if not has_unknown_alias(before, "", ()) and not has_unknown_alias(before, now, own_classes)
        else (0.0, "")
    )


_UNCHANGED_FILE_REASON = (
    "the class stands in a file that the change leaves alone, and may be made from what was given before"
)
_ALIAS_REASON = "a name may stand for the same type, or for one that holds it"


def _is_subclass(one: str, other: str, kin: Mapping[str, tuple[str, ...]]) -> bool:
    """Is the one class derived from the other, by the changed modules? A typed dictionary is a dictionary."""
    name = one.strip("\"'")
    wanted = other.strip("\"'")
    plain = wanted.partition("[")[0].rpartition(".")[2]
    for _ in range(_MAX_INHERITANCE_DEPTH):
        bases = [each.rpartition(".")[2] for each in kin.get(name, ())]
        if wanted.rpartition(".")[2] in bases or any(plain in _IMPLICIT_BASES.get(each, ()) for each in bases):
            return True
        if len(bases) != 1:
            return False
        name = bases[0]
    return False


_MAX_INHERITANCE_DEPTH = 10
_IMPLICIT_BASES = {"TypedDict": ("dict", "Dict", "Mapping"), "NamedTuple": ("tuple", "Tuple")}


def _definition_location(path: str, function: Function) -> Location:
    return code_location(path, function.line, function.line, quote=f"def {function.name}")


def _inner_ranges(outline: Outline, function: Function) -> list[tuple[int, int]]:
    """The line ranges of what is defined inside a function."""
    return [(each.line, each.end) for each in outline.functions if function.line < each.line <= function.end]


def _is_other_shape(before: frozenset[str], after: frozenset[str]) -> bool:
    """Would code that uses the old result fail on the new one? The shape of a call's result is not known."""
    if ("yield" in before) != ("yield" in after):
        return "nothing" not in before
    if "call" in before | after or "nothing" in before:
        return False
    counted = all(each.endswith("things") for each in after)
    return after == {"nothing"} or (counted and len(after) == 1 and before != after and len(before) == 1)


def _newly_required_fields(
    path: str, before: OutlineAndSource, now: tuple[Outline, list[str]]
) -> Iterator[BreakingChange]:
    old = {each.qualname: each for each in before[0].classes}
    made = {each.class_name for each in now[0].functions if each.name == "__init__"}
    for each in now[0].classes:
        known = old.get(each.qualname) if each.qualname not in made else None
        marks = {said.rpartition(".")[2] for said in (*each.bases, *each.decorators)}
        if known is None or not is_public(each) or not marks & (_RECORD_BASES | _RECORD_DECORATORS):
            continue
        asked = [name for name in required_fields(now[1], each) if name not in known.attributes]
        if asked:
            about = f"{', '.join(f'`{name}`' for name in asked)} of `{each.qualname}`"
            at = code_location(path, each.line, each.line, quote=f"class {each.qualname.rpartition('.')[2]}")
            yield BreakingChange(PARAMETER_ADDED, about, at, 0.75, "nobody outside the project may make one")


def _changed_kind(path: str, before: Outline, now: Outline) -> Iterator[BreakingChange]:
    """A class that is a function now can no longer be inherited from or named in a check; one that lives on by import can.

    It is still called as before, so this is seldom more than a possible break.
    """
    functions = {each.qualname for each in now.functions if not each.class_name}
    classes = {each.qualname for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname in functions and old.qualname not in classes:
            yield BreakingChange(
                _CLASS_BECAME_FUNCTION,
                f"`{old.qualname}`",
                _base_location(path, old),
                0.6,
                "calls go on; only inheriting and type checks end",
            )


def _removed_names(
    path: str, before: Outline, now: Outline, names: set[str], doubt: tuple[float, str]
) -> Iterator[BreakingChange]:
    """Removed exports, constants and, of a package, names that it re-exported from its modules."""
    definitions: tuple[Function | Class, ...] = (*before.classes, *before.functions)
    told = {each.qualname for each in definitions if is_public(each)}
    exported = set(before.exports or ()) - set(now.exports or ()) - names - told
    for name in sorted(exported):
        yield _removed_name(EXPORT_REMOVED, path, name, 0.9, "it may be served from elsewhere")
    if before.exports is not None:
        return
    constants = {each for each in before.names if _is_public_constant(each, path)}
    for name in sorted(constants - names):
        sure, why = doubt
        yield _removed_name(_CONSTANT_REMOVED, path, name, min(sure, 0.7), why)
    if path.endswith("__init__.py"):
        for name in sorted(_reexported_names(before) - names - {"*"}):
            yield _removed_name(_PACKAGE_NAME_REMOVED, path, name, doubt[0], doubt[1])


def _reexported_names(package: Outline) -> set[str]:
    """The public names that a package imports from modules of the project."""
    return {
        each.name
        for each in package.imports
        if each.qualified_name.startswith(".")
        and not each.name.startswith("_")
        and not (each.qualified_name.startswith("..") and is_private_module(each.qualified_name.replace(".", "/")))
    }


def _is_public_constant(name: str, path: str) -> bool:
    """Is a module-level name public: one in capitals, or any in a package but its logger?"""
    if name.startswith("_") or len(name) < 2:
        return False
    return name.isupper() or (path.endswith("__init__.py") and name not in {"log", "logger", "LOG"})


def _removed_name(kind: BreakKind, path: str, name: str, confidence: float, because: str) -> BreakingChange:
    return BreakingChange(kind, f"`{name}`", code_location(path, side=Side.BASE, quote=name), confidence, because)


def base_definitions(modules: PythonModules) -> dict[tuple[str, str], Function | Class]:
    """The definitions of the base, by path and name, and by name alone for what was moved."""
    known: dict[tuple[str, str], Function | Class] = {}
    for path, shape in modules.base.items():
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            known[path, each.qualname] = each
            known.setdefault(("", each.qualname), each)
    return known


def is_only_header_changed(definition: Function | Class, changed_lines: Container[int]) -> bool:
    """Was nothing of a definition changed but its first line, as when it is renamed?"""
    body = range(definition.line + 1, definition.end + 1)
    return len(body) > 0 and not any(line in changed_lines for line in body)


def _function_key(function: Function) -> tuple[str, str]:
    """A key that tells a property's getter, setter and deleter apart, which share a name."""
    accessors = [each.rpartition(".")[2] for each in function.decorators if each.endswith((".setter", ".deleter"))]
    return function.qualname, accessors[0] if accessors else ""


def is_public(definition: Function | Class) -> bool:
    """Can it be imported, or reached through what can?"""
    return definition.is_public and not definition.is_nested


def _importable_names(outline: Outline) -> set[str]:
    """Names that can be imported from a module, however it defines them."""
    return {
        *(each.qualname for each in outline.functions if not each.class_name),
        *(each.qualname for each in outline.classes),
        *(each.name for each in outline.imports),
        *outline.names,
    }


def _is_still_available(function: Function, names: set[str], classes: Mapping[str, Class]) -> bool:
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


def _base_location(path: str, definition: Function | Class) -> Location:
    return code_location(path, definition.line, definition.line, quote=definition.qualname, side=Side.BASE)


def _narrowed_signature(path: str, old: Function, new: Function) -> Iterator[BreakingChange]:
    """Calls that worked before and no longer do."""
    at = code_location(path, new.line, new.line, quote=f"def {new.name}")
    sure, why = (0.6, _DECORATOR_REASON) if new.decorators or old.decorators else (1.0, "")
    if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
        return
    name = f"`{new.qualname}`"
    if is_request_handler(old):
        return  # it is reached by its address, and what that takes is not told by its parameters alone
    if old.is_async != new.is_async and not is_cli_command(old):
        yield BreakingChange(_ASYNC_CHANGED, name, at, sure, why)
    if old.name.startswith("__") and old.name != "__init__":
        return
    was, now = _binding_kind(old), _binding_kind(new)
    if was != now and "property" in (was, now):
        yield BreakingChange(_PROPERTY_CHANGED, name, at, 0.9, _DECORATOR_REASON)
    elif was and not now:
        yield BreakingChange(_NO_LONGER_CLASS_METHOD, name, at, 0.9, _DECORATOR_REASON)
    if old.signature == new.signature and old.class_name == new.class_name:
        return
    renamed = {} if is_cli_command(old) else _renamed_parameters(caller_parameters(old), caller_parameters(new))
    if renamed:
        about = f"{', '.join(f'`{was}` (now `{given}`)' for was, given in renamed.items())} of {name}"
        yield BreakingChange(PARAMETER_RENAMED, about, at, sure, why)
    before = [each._replace(name=renamed.get(each.name, each.name)) for each in caller_parameters(old)]
    for kind, parameters, confidence, because in _command_relevant(
        old, new, _narrowed_parameters(before, caller_parameters(new), sure, why)
    ):
        about = f"{', '.join(f'`{each}`' for each in parameters)} of {name}" if parameters else name
        yield BreakingChange(kind, about, at, confidence, because)


def _renamed_parameters(before: Sequence[Parameter], after: Sequence[Parameter]) -> dict[str, str]:
    """Parameters with another name in the same position, old -> new."""
    old, new = ({each.name for each in side} for side in (before, after))
    return {
        was.name: now.name
        for was, now in zip(before, after, strict=False)
        if was.kind is now.kind is ParameterKind.POSITIONAL and was.name not in new and now.name not in old
    }


NarrowedParameters = tuple[BreakKind, list[str], float, str]
"""Parameters that can no longer be passed as before: the kind, their names, confidence and its reason."""


def _command_relevant(
    old: Function, new: Function, narrowed: Iterable[NarrowedParameters]
) -> Iterator[NarrowedParameters]:
    """Of the narrowed parameters of a command, those that its users notice: options removed or newly required.

    Where decorators tell the options, they also tell which must be given.
    """
    if not is_cli_command(old):
        yield from narrowed
        return
    kept = {PARAMETER_REMOVED} if declares_options(old, new) else {PARAMETER_REMOVED, PARAMETER_ADDED, _DEFAULT_REMOVED}
    for kind, parameters, sure, why in narrowed:
        named = [each for each in parameters if each not in INJECTED_PARAMETERS]
        if kind in kept and named:
            yield OPTION_REMOVED if kind is PARAMETER_REMOVED else kind, named, sure, why


def _narrowed_parameters(
    before: list[Parameter], after: list[Parameter], confidence: float, because: str
) -> Iterator[NarrowedParameters]:
    """Parameters that can no longer be passed as they were."""
    by_name = {each.name: each for each in after}
    takes_any = {each.kind for each in after}
    lost = [each.name for each in before if each.name not in by_name and not _is_still_accepted(each, takes_any)]
    if lost:
        yield PARAMETER_REMOVED, lost, confidence, because
    yield from ((kind, [name], confidence, because) for kind, name in _restricted_parameters(before, by_name))
    if _VARIADIC_KINDS & {each.kind for each in before} - takes_any:
        named = len(after) > len(before)
        yield (
            _NO_LONGER_VARIADIC,
            [],
            0.6 if named else min(confidence, 0.9),
            "those that it used may be named now" if named else because or "nobody may have passed any",
        )
    known = {each.name for each in before}
    asked = [each.name for each in after if each.name not in known and not each.has_default]
    asks = len(after) > len(before) and bool(asked)
    if asks:
        yield PARAMETER_ADDED, asked, confidence, because
    if not lost and not asks and (moved := _reordering_kind(before, after)):
        yield moved, [], confidence, because


_VARIADIC_KINDS = frozenset({ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD})


def _binding_kind(function: Function) -> str:
    """How a method is accessed: plain, as a property, or without an instance."""
    marks = {each.rpartition(".")[2] for each in function.decorators}
    kinds = ("staticmethod", "classmethod", "property")
    return next((kind for kind in kinds if kind in marks), "property" if "cached_property" in marks else "")


def _restricted_parameters(
    before: list[Parameter], by_name: Mapping[str, Parameter]
) -> Iterator[tuple[BreakKind, str]]:
    """What parameters that remain no longer allow."""
    for each in before:
        kept = by_name.get(each.name)
        if kept is None:
            continue
        if each.has_default and not kept.has_default:
            yield _DEFAULT_REMOVED, each.name
        if each.kind in _POSITIONAL_KINDS and kept.kind is ParameterKind.KEYWORD_ONLY:
            yield _NO_LONGER_POSITIONAL, each.name
        if each.kind in _KEYWORD_KINDS and kept.kind is ParameterKind.POSITIONAL_ONLY:
            yield _NO_LONGER_KEYWORD, each.name


_POSITIONAL_KINDS = frozenset({ParameterKind.POSITIONAL, ParameterKind.POSITIONAL_ONLY})
_KEYWORD_KINDS = frozenset({ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY})


def _reordering_kind(before: list[Parameter], after: list[Parameter]) -> BreakKind | None:
    """The kind of break where a positional parameter changed its position; new ones at the end move none."""
    old = [each.name for each in before if each.kind in _POSITIONAL_KINDS]
    new = [each.name for each in after if each.kind in _POSITIONAL_KINDS]
    common = [name for name in old if name in new]
    if common != [name for name in new if name in old]:
        return PARAMETERS_REORDERED
    if any(old.index(name) < new.index(name) for name in common):
        return _PARAMETER_INSERTED
    return None


def caller_parameters(function: Function) -> list[Parameter]:
    """All parameters but a method's own instance or class."""
    own = list(function.parameters)
    return own[1:] if function.class_name and own and own[0].name in {"self", "cls", "mcs"} else own


def _is_still_accepted(parameter: Parameter, kinds: set[ParameterKind]) -> bool:
    """Is a removed parameter still accepted by `*args` or `**kwargs`? Those themselves never count as lost."""
    if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL):
        return True
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return ParameterKind.VAR_POSITIONAL in kinds
    return ParameterKind.VAR_KEYWORD in kinds
