"""Whether what others call is still there after a change, and still takes what they pass."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.domain import CodeLocation, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.breaking_changes import (
    EXPORT_REMOVED,
    FUNCTION_REMOVED,
    METHOD_REMOVED,
    BreakingChange,
    BreakKind,
)
from auditor.forensics.public_api.changed_annotations import _imported_classes, changed_types
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.framework_entry_points import (
    find_applications,
    is_migration_path,
    is_request_handler,
)
from auditor.forensics.public_api.init_reexports import alternative_path, is_private_module
from auditor.forensics.public_api.narrowed_signatures import narrowed_signature
from auditor.forensics.public_api.outline_pairs import base_location, is_public, pair_functions
from auditor.forensics.public_api.package_reachability import Exposure
from auditor.forensics.public_api.removed_attributes import removed_attributes
from auditor.forensics.python.reexports import ModuleFinder
from auditor.forensics.source_text.file_outline import Class, Function, Outline
from auditor.forensics.source_text.file_roles import Role, is_example, role
from auditor.forensics.source_text.folders import folders_above

_DYNAMIC_REASON = "the module defines names at run time, so the name may still exist"


_MODULE_REMOVED = BreakKind("Public module {} was removed", "{} public modules were removed: {}")
_CLASS_REMOVED = BreakKind("Public class {} was removed", "{} public classes were removed: {}")
_CONSTANT_REMOVED = BreakKind("Public constant {} was removed", "{} public constants were removed: {}")
_PACKAGE_NAME_REMOVED = BreakKind(
    "The package no longer re-exports {}", "{} names are no longer re-exported by their package: {}"
)
_ABSTRACT_METHOD_ADDED = BreakKind(
    "Existing subclasses lack the new abstract method {}",
    "Existing subclasses lack {} new abstract methods: {}",
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
            told = [*_removed_or_narrowed(path, shape, now, reached), *removed_attributes(path, shape, now)]
            if texts is not None and path in texts.base and here in texts.head:
                own = _imported_classes(path, shape, files) | _imported_classes(here, now, files)
                told += changed_types(path, (shape, texts.base[path]), (now, texts.head[here]), modules, own)
            found += (_at_current_path(here, each if offered else _lower_confidence(each)) for each in told)
        elif not is_private_module(path) and path not in tree.head and not _is_still_importable(path, tree):
            gone = BreakingChange(
                _MODULE_REMOVED,
                _module_name(path, new_path),
                code_location(path, side=Side.BASE),
                0.8,
                "it may have been internal despite its name",
            )
            found.append(gone if offered else _lower_confidence(gone))
    return _deduplicate(found)


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
        or not any((f"{folder}/", each.name) in fronts for folder in folders_above(_path_of(each)))
    ]


def _path_of(found: BreakingChange) -> str:
    return found.at.path if isinstance(found.at, CodeLocation) else ""


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
        because="it may be internal: the package has no `py.typed` and no list of exports",
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


def _removed_or_narrowed(
    path: str, before: Outline, now: Outline, request_handlers: frozenset[str]
) -> Iterator[BreakingChange]:
    """What is removed or accepts less; `reached` are the names of all functions that handle requests now."""
    names = _importable_names(now)
    doubt = (
        (0.5, _DYNAMIC_REASON)
        if now.has_module_getattr or "*" in {each.name for each in now.imports}
        else (0.9, "it may have been internal despite its name")
    )
    after = pair_functions(before.functions, now.functions)
    after_classes = {each.qualname: each for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname not in after_classes and old.qualname.split(".")[0] not in names:
            yield BreakingChange(_CLASS_REMOVED, f"`{old.qualname}`", base_location(path, old), *doubt)
    for number, function in enumerate(before.functions):
        if not is_public(function) or (not function.class_name and function.name.startswith("__")):
            continue
        new = after[number]
        if new is not None:
            yield from narrowed_signature(path, function, new)
        elif not _is_still_available(function, names, after_classes) and not (
            function.name in request_handlers and is_request_handler(function)
        ):
            kind = METHOD_REMOVED if function.class_name else FUNCTION_REMOVED
            yield BreakingChange(kind, f"`{function.qualname}`", base_location(path, function), *doubt)
    yield from _added_abstract_methods(path, before, now)
    yield from _removed_names(path, before, now, names, doubt)


def _added_abstract_methods(path: str, before: Outline, now: Outline) -> Iterator[BreakingChange]:
    """New abstract methods in a class which had some: implementations lack them."""
    known = {each.qualname for each in before.functions}
    implemented = {each.class_name for each in before.functions if _is_abstract(each)}
    for each in now.functions:
        if each.class_name in implemented and each.qualname not in known and _is_abstract(each) and is_public(each):
            at = code_location(path, each.line, each.line, quote=f"def {each.name}")
            yield BreakingChange(
                _ABSTRACT_METHOD_ADDED, f"`{each.qualname}`", at, 0.6, "it may have no subclasses outside the project"
            )


def _is_abstract(function: Function) -> bool:
    return any(name.rpartition(".")[2] == "abstractmethod" for name in function.decorators)


def _removed_names(
    path: str, before: Outline, now: Outline, names: set[str], doubt: tuple[float, str]
) -> Iterator[BreakingChange]:
    """Removed exports, constants and, of a package, names that it re-exported from its modules."""
    definitions: tuple[Function | Class, ...] = (*before.classes, *before.functions)
    told = {each.qualname for each in definitions if is_public(each)}
    exported = set(before.exports or ()) - set(now.exports or ()) - names - told
    for name in sorted(exported):
        yield _removed_name(EXPORT_REMOVED, path, name, 0.9, "another module may export it now")
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


def is_only_header_changed(definition: Function | Class, changed_lines: Container[int]) -> bool:
    """Was nothing of a definition changed but its first line, as when it is renamed?"""
    body = range(definition.line + 1, definition.end + 1)
    return len(body) > 0 and not any(line in changed_lines for line in body)


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
