"""What others call in languages other than Python: what a change takes from them, by names and by what must be passed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from posixpath import dirname

from auditor.domain import CodeLocation, Location, Side
from auditor.forensics.languages.language_registry import reads_exports
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt, code_location
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.breaking_changes import (
    EXPORT_REMOVED,
    FILE_UNEXPOSED,
    FUNCTION_REMOVED,
    INTERNAL_REASON,
    METHOD_REMOVED,
    PARAMETER_ADDED,
    PARAMETER_REMOVED,
    PARAMETER_REQUIRED,
    PARAMETERS_REORDERED,
    BreakingChange,
    BreakKind,
)
from auditor.forensics.public_api.changed_signatures import (
    CONSTRUCTION_REASON,
    PROPERTY_REQUIRED,
    find_ruby_argument_changes,
    find_type_changes,
)
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.init_reexports import is_private_module
from auditor.forensics.public_api.package_reachability import Exposure
from auditor.forensics.source_text.definition_names import unqualified
from auditor.forensics.source_text.file_outline import Export, Outline
from auditor.forensics.source_text.file_roles import Role, is_example, language, role
from auditor.lazy_regex import lazy_compile

ExportsByName = Mapping[tuple[str, str], list[tuple[str, Export]]]
"""By scope (a package, a folder) and exported name: each file that exports it, with the export."""

_REMOVED_KINDS = {
    "function": FUNCTION_REMOVED,
    "method": METHOD_REMOVED,
    "asked": METHOD_REMOVED,
    "type": BreakKind("Public type {} was removed", "{} public types were removed: {}"),
    "value": BreakKind("Public name {} was removed", "{} public names were removed: {}"),
    "field": BreakKind("Public field {} was removed", "{} public fields were removed: {}"),
    "property": BreakKind("Public property {} was removed", "{} public properties were removed: {}"),
    "derived": BreakKind("Public type no longer derives {}", "Public types no longer derive {} traits: {}"),
    "passed": EXPORT_REMOVED,
}
_PARAMETERS_CHANGED = BreakKind(
    "Parameters of a public function changed: {}", "Parameters changed in {} public functions: {}"
)
_ABSTRACT_METHOD_ADDED = BreakKind(
    "Existing implementations lack the new required method {}",
    "Existing implementations lack {} new required methods: {}",
)
_FIELD_ADDED = BreakKind(
    "New field {} breaks struct literals",
    "{} new fields break struct literals: {}",
)
_VARIANT_ADDED = BreakKind("New variant {} breaks exhaustive matches", "{} new variants break exhaustive matches: {}")
_UNDECLARED_REASON = "no package declares whether others import the module"
_PROGRAM_REASON = "the module is a program, and its packages may have no other users"
_MOVED_REASON = "an unchanged file may export it now"
_INHERITED_REASON = "it may be inherited now, or internal to the project"
_WIDER_TYPE_REASON = "the new type may be wider or an alias, and still accept what callers pass"
_INTERNAL_PATH = lazy_compile(
    r"(?:^|/)(?:internal|impl|testdata|testing|cmd|mocks?|testutil|benchmarks?|jmh)/|Benchmarks?\.java$"
)


def is_exposed(path: str, exposures: Mapping[str, Exposure]) -> bool:
    """Can others reach the file at all?"""
    if role(path) is not Role.PRODUCT or is_example(path):
        return False
    if language(path) in {"csharp", "go", "java"}:
        return _INTERNAL_PATH.search(path) is None
    return reads_exports(language(path)) and path in exposures


def compared_base_files(modules: PythonModules, surfaces: PublicSurfaces) -> list[str]:
    """Changed files whose exports are compared; a program of Go exports nothing."""
    return [
        path
        for path, shape in modules.other_languages_base.items()
        if is_exposed(path, surfaces.base) and (shape.exported_symbols or language(path) != "go")
    ]


def find_export_breaks(
    change: Change, modules: PythonModules, surfaces: PublicSurfaces, paths: Collection[str] = frozenset()
) -> Iterator[BreakingChange]:
    """What the change breaks in files that others can reach. `paths` are those of the whole tree at the base."""
    programs: _GoPrograms | None = None
    for each in _export_breaks(change, modules, surfaces):
        path = each.at.path if isinstance(each.at, CodeLocation) else ""
        loose = any(path in side and side[path].is_undeclared for side in (surfaces.head, surfaces.base))
        if loose:
            yield replace(each, confidence=min(each.confidence, 0.6), because=_UNDECLARED_REASON)
        elif path.endswith(".go") and (programs := programs or _GoPrograms(paths)).contains(path):
            yield replace(each, confidence=min(each.confidence, 0.5), because=_PROGRAM_REASON)
        else:
            yield each


class _GoPrograms:
    """The Go modules that are programs: their `main.go` is in the folder of their `go.mod`."""

    def __init__(self, paths: Collection[str]) -> None:
        self.modules = _folders_of("go.mod", paths)
        self.programs = self.modules & _folders_of("main.go", paths)

    def contains(self, path: str) -> bool:
        """Is the nearest module around a file a program?"""
        parts = path.split("/")[:-1][:_MAX_FOLDER_DEPTH]
        folders = ("".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts), -1, -1))
        return next((folder in self.programs for folder in folders if folder in self.modules), False)


def _folders_of(name: str, paths: Collection[str]) -> frozenset[str]:
    named = (path.removesuffix(name) for path in paths if path.endswith(name))
    return frozenset(folder for folder in named if not folder or folder.endswith("/"))


_MAX_FOLDER_DEPTH = 40


def _export_breaks(change: Change, modules: PythonModules, surfaces: PublicSurfaces) -> Iterator[BreakingChange]:
    then, now = (
        _collect_exports(modules.other_languages_base, surfaces.base),
        _collect_exports(modules.others, surfaces.head),
    )
    aliases = {**_type_aliases(then), **_type_aliases(now)}
    if aliases:
        then, now = _resolve_aliases(aliases, then), _resolve_aliases(aliases, now)
    known = frozenset(
        each.name
        for side in (then, now)
        for kept in side.values()
        for _, each in kept
        if each.kind == "type" and not each.gives
    )
    grown = _has_new_whole_exposure(modules, surfaces)
    left = {(path, each.name) for path, shape in modules.others.items() for each in shape.exported_symbols}
    heads = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    for (scope, name), places in sorted(then.items()):
        path, old = _most_specific_export(places, left, heads)
        if heads.get(path, path) in modules.unreadable:
            continue
        kept = now.get((scope, name))
        if kept is None:
            owner = _owner_key(scope, name)
            if owner in now and all(_is_default_constructor(path, each) for path, each in places):
                continue  # a class without a constructor is made by the same calls
            if owner in then and (owner not in now or _became_value(now[owner])):
                continue  # the type is told, or is a name for another one, of which it has what that one has
            sure, why = (0.5, _MOVED_REASON) if grown else _removal_confidence(path, old)
            at = code_location(path, old.line, old.line, quote=_short_name(name), side=Side.BASE)
            yield BreakingChange(_REMOVED_KINDS[old.kind], f"`{name}`", at, sure, why)
        else:
            yield from _narrowed_export(name, [each for _, each in places], kept, known)
    yield from _newly_required(then, now)
    yield from _unexposed_files(modules, surfaces)


def _type_aliases(offers: ExportsByName) -> dict[str, str]:
    """Type aliases: name -> the type that it stands for."""
    told = (
        each for places in offers.values() for _, each in places if each.kind == "type" and each.gives.startswith("= ")
    )
    return {each.name: each.gives.removeprefix("= ") for each in islice(told, _MAX_ALIASES)}


_MAX_ALIASES = 50


def _resolve_aliases(aliases: Mapping[str, str], offers: ExportsByName) -> ExportsByName:
    """The exports with aliases replaced by their types, twice for aliases of aliases."""
    form = lazy_compile(rf"\b(?:{'|'.join(map(re.escape, aliases))})\b")

    def meant(text: str) -> str:
        once = form.sub(lambda found: aliases[found[0]], text)[:_MAX_TYPE_LENGTH]
        return form.sub(lambda found: aliases[found[0]], once)[:_MAX_TYPE_LENGTH]

    def turned(each: Export) -> Export:
        if each.kind == "type":
            return each
        return each._replace(gives=meant(each.gives), takes=each.takes and tuple(map(meant, each.takes)))

    return {key: [(path, turned(each)) for path, each in places] for key, places in offers.items()}


_MAX_TYPE_LENGTH = 2_000


def _most_specific_export(
    places: list[tuple[str, Export]], remaining: set[tuple[str, str]], new_paths: Mapping[str, str]
) -> tuple[str, Export]:
    """The most specific of several exports of a name: the definition rather than a re-export."""
    return min(
        places,
        key=lambda each: (
            (new_paths.get(each[0], each[0]), each[1].name) in remaining,
            each[1].kind == "passed",
            each[0],
        ),
    )


def _collect_exports(outlines: Mapping[str, Outline], exposures: Mapping[str, Exposure]) -> ExportsByName:
    found: dict[tuple[str, str], list[tuple[str, Export]]] = {}
    for path, shape in sorted(outlines.items()):
        if not is_exposed(path, exposures):
            continue
        for each in shape.exported_symbols:
            for scope, name in _exported_keys(path, each, exposures):
                found.setdefault((scope, name), []).append((path, each))
    return found


def _exported_keys(path: str, export: Export, exposures: Mapping[str, Exposure]) -> Iterator[tuple[str, str]]:
    if export.kind == "all":
        return
    if language(path) == "go":
        yield dirname(path), export.name
    elif language(path) in {"csharp", "java", "php", "ruby"}:
        yield "", export.name
    else:
        yield from ((exposures[path].package, name) for name in sorted(exposures[path].seen_as(export.name)))


def _is_default_constructor(path: str, export: Export) -> bool:
    """Is it a constructor without parameters, which every class without one of its own has?"""
    made_by = _CONSTRUCTOR_SUFFIXES.get(language(path), ".constructor")
    return export.name.endswith(made_by) and export.takes == () and not export.endless


_CONSTRUCTOR_SUFFIXES = {"csharp": ".new", "java": ".new", "php": "::__construct"}
"""How the name of a constructor ends where it is not `.constructor`, as in scripts."""


def _became_value(places: list[tuple[str, Export]]) -> bool:
    """Is what was a type now a name with a value, or a re-export?"""
    return all(each.kind in {"value", "passed"} for _, each in places)


def _owner_key(scope: str, name: str) -> tuple[str, str]:
    """The key of the type that a member belongs to."""
    return scope, re.split(r"(?:\.|::|#)(?=[^.:#]+$)", name)[0] if re.search(r"\.|::|#", name) else ""


def _removal_confidence(path: str, export: Export) -> tuple[float, str]:
    if export.kind in {"method", "asked", "field"} and language(path) in _INHERITING_LANGUAGES:
        return 0.6, _INHERITED_REASON
    return 0.85, INTERNAL_REASON


_INHERITING_LANGUAGES = frozenset({"csharp", "java", "javascript", "php", "ruby", "typescript"})
"""Languages in which a member that is gone from a type may be that of a parent now."""


def _short_name(name: str) -> str:
    return unqualified(name).rstrip("!") or name


def _has_new_whole_exposure(modules: PythonModules, surfaces: PublicSurfaces) -> bool:
    """Is an unchanged file exposed as a whole for the first time?"""
    return any(
        each.whole and path not in modules.others and not (path in surfaces.base and surfaces.base[path].whole)
        for path, each in surfaces.head.items()
    )


def _unexposed_files(modules: PythonModules, surfaces: PublicSurfaces) -> Iterator[BreakingChange]:
    """Unchanged files that were exposed as a whole before and are not exposed now."""
    for path, each in sorted(surfaces.base.items()):
        left_alone = path not in modules.other_languages_base and path not in modules.others
        if path.endswith(".py") and (
            not is_private_module(path) or (path in modules.base and path not in modules.head)
        ):
            continue  # a public module is imported by its own name; what became of one that is gone is told elsewhere
        if each.whole and left_alone and path not in surfaces.head and path not in modules.unreadable:
            yield BreakingChange(FILE_UNEXPOSED, f"`{path}`", code_location(path, side=Side.BASE), 0.7, INTERNAL_REASON)


def _narrowed_export(
    name: str, before: list[Export], after: list[tuple[str, Export]], known: frozenset[str]
) -> Iterator[BreakingChange]:
    """Calls that worked before and no longer do."""
    path, new = after[0]
    at = code_location(path, new.line, new.line, quote=_short_name(name))
    yield from find_type_changes(name, before, after, at, known)
    old_forms = {each.takes for each in before if each.takes is not None}
    new_forms = {each.takes for _, each in after if each.takes is not None}
    if not old_forms or not new_forms:
        return
    if language(path) in {"javascript", "php", "typescript"}:
        if len(before) == len(after) == 1:
            yield from _compare_positional(name, before[0], new, at)
        return
    if language(path) == "ruby":
        yield from find_ruby_argument_changes(name, before[0], new, at)
        return
    gone = {each for each in old_forms - new_forms if not any(_takes_old_calls(each, form) for form in new_forms)}
    if gone:
        was, now = (
            code_excerpt(f"({', '.join(form)})") for form in (min(gone), min(new_forms - old_forms or new_forms))
        )
        yield BreakingChange(_PARAMETERS_CHANGED, f"`{name}` (was `{was}`, now `{now}`)", at, 0.7, _WIDER_TYPE_REASON)


def _takes_old_calls(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Does the new signature only add a variadic parameter, or some that callers may leave out?"""
    if new[:-1] == old and new[-1:] != () and new[-1].startswith("..."):
        return True
    kept = all(now in {was, f"{was}="} for was, now in zip(old, new, strict=False))
    return kept and len(new) >= len(old) and all(each.endswith("=") for each in new[len(old) :])


def _compare_positional(name: str, old: Export, new: Export, at: Location) -> Iterator[BreakingChange]:
    assert old.takes is not None
    assert new.takes is not None
    shown = f"`{name}`"
    if len(new.takes) < len(old.takes) and not new.endless:
        yield BreakingChange(PARAMETER_REMOVED, shown, at, 0.85, INTERNAL_REASON)
    elif new.required_count > old.required_count:
        known = "{}" not in new.takes and set(new.takes) <= set(old.takes)
        yield BreakingChange(PARAMETER_REQUIRED if known else PARAMETER_ADDED, shown, at, 0.85, INTERNAL_REASON)
    elif sorted(old.takes) == sorted(new.takes) and old.takes != new.takes:
        yield BreakingChange(PARAMETERS_REORDERED, shown, at, 0.85, INTERNAL_REASON)


_OPTIONS_TYPE_NAME = lazy_compile(
    r"(?:Options|Opts|Props|Config|Configuration|Settings|Input|Params|Parameters|Args|Arguments|Request|Init|Payload|Query|Filter|Draft)$"
)
"""Names of types whose values callers create."""


def _newly_required(before: ExportsByName, after: ExportsByName) -> Iterator[BreakingChange]:
    passed = {
        word
        for places in after.values()
        for _, each in places
        for said in each.types
        for word in re.findall(r"[A-Za-z_$][\w$]*", said)
    }
    for (scope, name), places in sorted(after.items()):
        path, new = places[0]
        owner = before.get(_owner_key(scope, name), [])
        if (scope, name) in before or not owner:
            continue
        at = code_location(path, new.line, new.line, quote=_short_name(name))
        made = _owner_key(scope, name)[1]
        if (
            new.kind == "property"
            and new.required_count
            and (made.rpartition(".")[2] in passed or _OPTIONS_TYPE_NAME.search(made))
        ):
            yield BreakingChange(PROPERTY_REQUIRED, f"`{name}`", at, 0.6, CONSTRUCTION_REASON)
        elif new.kind == "field" and owner[0][1].gives == "fields" and language(path) == "rust":
            yield BreakingChange(_FIELD_ADDED, f"`{name}`", at, 0.6, CONSTRUCTION_REASON)
        elif new.kind == "value" and owner[0][1].gives == "variants" and language(path) == "rust":
            yield BreakingChange(_VARIANT_ADDED, f"`{name}`", at, 0.6, CONSTRUCTION_REASON)
        if new.kind == "asked" and (scope, name) not in before and _owner_key(scope, name) in before:
            at = code_location(path, new.line, new.line, quote=_short_name(name))
            yield BreakingChange(
                _ABSTRACT_METHOD_ADDED, f"`{name}`", at, 0.6, "it may have no implementations outside the project"
            )


def uncompared_languages(change: Change) -> list[str]:
    """Languages of changed product code whose exports are only determined at run time."""
    seen = {
        language(file.path) for file in change.files if role(file.path) is Role.PRODUCT and not is_example(file.path)
    }
    return sorted(each for each in seen - {"python", "shell"} if not reads_exports(each))
