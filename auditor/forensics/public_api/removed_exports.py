"""What others call in languages other than Python: what a change takes from them, by names and by what must be passed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from posixpath import dirname

from auditor.domain import CodeLocation, Location, Side
from auditor.forensics.languages.exports import COMPARED
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.breaking_changes import (
    EXPORT_GONE,
    FUNCTION_GONE,
    INTERNAL,
    METHOD_GONE,
    PARAMETER_ASKED,
    PARAMETER_GONE,
    PARAMETER_NEEDED,
    REORDERED,
    UNSERVED,
    Break,
    Kind,
)
from auditor.forensics.public_api.changed_signatures import GIVEN, OUTSIDE, by_place_and_name, given_otherwise
from auditor.forensics.public_api.exported_files import Surfaces
from auditor.forensics.public_api.init_reexports import is_private
from auditor.forensics.public_api.package_reachability import Served
from auditor.forensics.source_text.definition_names import unqualified
from auditor.forensics.source_text.file_outline import Export, Outline
from auditor.forensics.source_text.file_roles import Role, is_example, language, role
from auditor.lazy_regex import lazy_compile

Offers = Mapping[tuple[str, str], list[tuple[str, Export]]]
"""By scope (a package, a folder) and name as others see it: each place that offers it."""

_GONE = {
    "function": FUNCTION_GONE,
    "method": METHOD_GONE,
    "asked": METHOD_GONE,
    "type": Kind("The public type {} is gone", "{} public types are gone: {}"),
    "value": Kind("The public name {} is gone", "{} public names are gone: {}"),
    "field": Kind("The public field {} is gone", "{} public fields are gone: {}"),
    "property": Kind("The property {} of a public type is gone", "{} properties of public types are gone: {}"),
    "derived": Kind("A public type no longer derives {}", "Public types no longer derive {} traits: {}"),
    "passed": EXPORT_GONE,
}
_OTHER = Kind("The public function {} takes other parameters", "{} public functions take other parameters: {}")
_ASKED = Kind(
    "Whoever implements its type must now write {} too",
    "{} methods are newly asked of whoever implements their types: {}",
)
_EVERY_FIELD = Kind(
    "Whoever writes the type out must now give {} too",
    "{} fields must newly be given by whoever writes their types out: {}",
)
_EVERY_VARIANT = Kind(
    "Whoever tells all variants apart must now know {} too", "{} variants are new to whoever tells all apart: {}"
)
_UNDECLARED = "no package says whether others import the module"
_OF_A_PROGRAM = "the module is a program, whose packages may serve nobody else"
_ELSEWHERE = "a file that the change left alone may offer it now"
_INHERITED = "it may be inherited now, or have been meant for the project itself"
_WIDER = "a wider type, or another name of the same, may still take what callers pass"
_CLOSED = lazy_compile(
    r"(?:^|/)(?:internal|impl|testdata|testing|cmd|mocks?|testutil|benchmarks?|jmh)/|Benchmarks?\.java$"
)


def is_offered(path: str, served: Mapping[str, Served]) -> bool:
    """Can others reach the file at all?"""
    if role(path) is not Role.PRODUCT or is_example(path):
        return False
    if language(path) in {"go", "java"}:
        return _CLOSED.search(path) is None
    return language(path) in COMPARED and path in served


def compared_before(modules: PythonModules, surfaces: Surfaces) -> list[str]:
    """Changed files whose offers are compared; a program of Go offers nothing."""
    return [
        path
        for path, shape in modules.other_languages_base.items()
        if is_offered(path, surfaces.base) and (shape.exported_symbols or language(path) != "go")
    ]


def lost_offers(
    change: Change, modules: PythonModules, surfaces: Surfaces, paths: Collection[str] = frozenset()
) -> Iterator[Break]:
    """All that the change takes from callers of files that others can reach. `paths` are those of the whole tree before the change."""
    programs: _Programs | None = None
    for each in _lost(change, modules, surfaces):
        path = each.at.path if isinstance(each.at, CodeLocation) else ""
        loose = any(path in side and side[path].undeclared for side in (surfaces.head, surfaces.base))
        if loose:
            yield replace(each, confidence=min(each.confidence, 0.6), because=_UNDECLARED)
        elif path.endswith(".go") and (programs := programs or _Programs(paths)).hold(path):
            yield replace(each, confidence=min(each.confidence, 0.5), because=_OF_A_PROGRAM)
        else:
            yield each


class _Programs:
    """The modules of Go that are a program as a whole: their main file stands beside the file that makes them one."""

    def __init__(self, paths: Collection[str]) -> None:
        self.modules = _folders_of("go.mod", paths)
        self.programs = self.modules & _folders_of("main.go", paths)

    def hold(self, path: str) -> bool:
        """Does the nearest module around a file belong to them?"""
        parts = path.split("/")[:-1][:_DEEPEST]
        folders = ("".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts), -1, -1))
        return next((folder in self.programs for folder in folders if folder in self.modules), False)


def _folders_of(name: str, paths: Collection[str]) -> frozenset[str]:
    named = (path.removesuffix(name) for path in paths if path.endswith(name))
    return frozenset(folder for folder in named if not folder or folder.endswith("/"))


_DEEPEST = 40


def _lost(change: Change, modules: PythonModules, surfaces: Surfaces) -> Iterator[Break]:
    then, now = _offers(modules.other_languages_base, surfaces.base), _offers(modules.others, surfaces.head)
    aliases = {**_aliases(then), **_aliases(now)}
    if aliases:
        then, now = _without(aliases, then), _without(aliases, now)
    known = frozenset(
        each.name
        for side in (then, now)
        for kept in side.values()
        for _, each in kept
        if each.kind == "type" and not each.gives
    )
    grown = _newly_served(modules, surfaces)
    left = {(path, each.name) for path, shape in modules.others.items() for each in shape.exported_symbols}
    heads = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    for (scope, name), places in sorted(then.items()):
        path, old = _telling(places, left, heads)
        if heads.get(path, path) in modules.unreadable:
            continue
        kept = now.get((scope, name))
        if kept is None:
            owner = _owner(scope, name)
            if owner in now and all(_asks_nothing(path, each) for path, each in places):
                continue  # a class without a constructor is made by the same calls
            if owner in then and (owner not in now or _is_bound(now[owner])):
                continue  # the type is told, or is a name for another one, of which it has what that one has
            sure, why = (0.5, _ELSEWHERE) if grown else _doubt(path, old)
            at = code_location(path, old.line, old.line, quote=_word(name), side=Side.BASE)
            yield Break(_GONE[old.kind], f"`{name}`", at, sure, why)
        else:
            yield from _narrowed(name, [each for _, each in places], kept, known)
    yield from _newly_asked(then, now)
    yield from _unserved(modules, surfaces)


def _aliases(offers: Offers) -> dict[str, str]:
    """Names that only stand for another type -> that type."""
    told = (
        each for places in offers.values() for _, each in places if each.kind == "type" and each.gives.startswith("= ")
    )
    return {each.name: each.gives.removeprefix("= ") for each in islice(told, _MOST_ALIASES)}


_MOST_ALIASES = 50


def _without(aliases: Mapping[str, str], offers: Offers) -> Offers:
    """The offers with the types that such names stand for in their place, and in the place of those in turn."""
    form = lazy_compile(rf"\b(?:{'|'.join(map(re.escape, aliases))})\b")

    def meant(text: str) -> str:
        once = form.sub(lambda found: aliases[found[0]], text)[:_WIDEST]
        return form.sub(lambda found: aliases[found[0]], once)[:_WIDEST]

    def turned(each: Export) -> Export:
        if each.kind == "type":
            return each
        return each._replace(gives=meant(each.gives), takes=each.takes and tuple(map(meant, each.takes)))

    return {key: [(path, turned(each)) for path, each in places] for key, places in offers.items()}


_WIDEST = 2_000


def _telling(
    places: list[tuple[str, Export]], left: set[tuple[str, str]], heads: Mapping[str, str]
) -> tuple[str, Export]:
    """Of the places that offered a name, the one that says most: where it was, rather than where it was passed on."""
    return min(
        places,
        key=lambda each: ((heads.get(each[0], each[0]), each[1].name) in left, each[1].kind == "passed", each[0]),
    )


def _offers(outlines: Mapping[str, Outline], served: Mapping[str, Served]) -> Offers:
    found: dict[tuple[str, str], list[tuple[str, Export]]] = {}
    for path, shape in sorted(outlines.items()):
        if not is_offered(path, served):
            continue
        for each in shape.exported_symbols:
            for scope, name in _seen_as(path, each, served):
                found.setdefault((scope, name), []).append((path, each))
    return found


def _seen_as(path: str, export: Export, served: Mapping[str, Served]) -> Iterator[tuple[str, str]]:
    if export.kind == "all":
        return
    if language(path) == "go":
        yield dirname(path), export.name
    elif language(path) in {"java", "ruby"}:
        yield "", export.name
    else:
        yield from ((served[path].package, name) for name in sorted(served[path].seen_as(export.name)))


def _asks_nothing(path: str, export: Export) -> bool:
    """Is it a constructor that takes nothing, which every class without one of its own has?"""
    made_by = _MAKERS.get(language(path))
    return made_by is not None and export.name.endswith(made_by) and export.takes == () and not export.endless


_MAKERS = {"java": ".new", "javascript": ".constructor", "typescript": ".constructor"}


def _is_bound(places: list[tuple[str, Export]]) -> bool:
    """Is what was a type a name now that is given a value, or passed on?"""
    return all(each.kind in {"value", "passed"} for _, each in places)


def _owner(scope: str, name: str) -> tuple[str, str]:
    """The type that a member belongs to."""
    return scope, re.split(r"(?:\.|::|#)(?=[^.:#]+$)", name)[0] if re.search(r"\.|::|#", name) else ""


def _doubt(path: str, export: Export) -> tuple[float, str]:
    if export.kind in {"method", "asked", "field"} and language(path) in {"javascript", "typescript", "java", "ruby"}:
        return 0.6, _INHERITED
    return 0.85, INTERNAL


def _word(name: str) -> str:
    return unqualified(name).rstrip("!") or name


def _newly_served(modules: PythonModules, surfaces: Surfaces) -> bool:
    """Is a file that the change left alone passed on as a whole for the first time?"""
    return any(
        each.whole and path not in modules.others and not (path in surfaces.base and surfaces.base[path].whole)
        for path, each in surfaces.head.items()
    )


def _unserved(modules: PythonModules, surfaces: Surfaces) -> Iterator[Break]:
    """Files that the change left alone, served as a whole before and now in no way."""
    for path, each in sorted(surfaces.base.items()):
        left_alone = path not in modules.other_languages_base and path not in modules.others
        if path.endswith(".py") and (not is_private(path) or (path in modules.base and path not in modules.head)):
            continue  # a public module is imported by its own name; what became of one that is gone is told elsewhere
        if each.whole and left_alone and path not in surfaces.head and path not in modules.unreadable:
            yield Break(UNSERVED, f"`{path}`", code_location(path, side=Side.BASE), 0.7, INTERNAL)


def _narrowed(
    name: str, before: list[Export], after: list[tuple[str, Export]], known: frozenset[str]
) -> Iterator[Break]:
    """Calls that worked before and no longer do."""
    path, new = after[0]
    at = code_location(path, new.line, new.line, quote=_word(name))
    yield from given_otherwise(name, before, after, at, known)
    old_forms = {each.takes for each in before if each.takes is not None}
    new_forms = {each.takes for _, each in after if each.takes is not None}
    if not old_forms or not new_forms:
        return
    if language(path) in {"javascript", "typescript"}:
        if len(before) == len(after) == 1:
            yield from _by_position(name, before[0], new, at)
        return
    if language(path) == "ruby":
        yield from by_place_and_name(name, before[0], new, at)
        return
    gone = {each for each in old_forms - new_forms if not any(_extends(each, form) for form in new_forms)}
    if gone:
        yield Break(_OTHER, f"`{name}`", at, 0.7, _WIDER)


def _extends(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Does the new form only take any number of further arguments?"""
    return new[:-1] == old and new[-1:] != () and new[-1].startswith("...")


def _by_position(name: str, old: Export, new: Export, at: Location) -> Iterator[Break]:
    assert old.takes is not None
    assert new.takes is not None
    shown = f"`{name}`"
    if len(new.takes) < len(old.takes) and not new.endless:
        yield Break(PARAMETER_GONE, shown, at, 0.85, INTERNAL)
    elif new.required_count > old.required_count:
        known = "{}" not in new.takes and set(new.takes) <= set(old.takes)
        yield Break(PARAMETER_NEEDED if known else PARAMETER_ASKED, shown, at, 0.85, INTERNAL)
    elif sorted(old.takes) == sorted(new.takes) and old.takes != new.takes:
        yield Break(REORDERED, shown, at, 0.85, INTERNAL)


_ASKING = lazy_compile(
    r"(?:Options|Opts|Props|Config|Configuration|Settings|Input|Params|Parameters|Args|Arguments|Request|Init|Payload|Query|Filter|Draft)$"
)
"""How types are called that callers make."""


def _newly_asked(then: Offers, now: Offers) -> Iterator[Break]:
    passed = {
        word
        for places in now.values()
        for _, each in places
        for said in each.types
        for word in re.findall(r"[A-Za-z_$][\w$]*", said)
    }
    for (scope, name), places in sorted(now.items()):
        path, new = places[0]
        owner = then.get(_owner(scope, name), [])
        if (scope, name) in then or not owner:
            continue
        at = code_location(path, new.line, new.line, quote=_word(name))
        made = _owner(scope, name)[1]
        if (
            new.kind == "property"
            and new.required_count
            and (made.rpartition(".")[2] in passed or _ASKING.search(made))
        ):
            yield Break(GIVEN, f"`{name}`", at, 0.6, OUTSIDE)
        elif new.kind == "field" and owner[0][1].gives == "fields" and language(path) == "rust":
            yield Break(_EVERY_FIELD, f"`{name}`", at, 0.6, OUTSIDE)
        elif new.kind == "value" and owner[0][1].gives == "variants" and language(path) == "rust":
            yield Break(_EVERY_VARIANT, f"`{name}`", at, 0.6, OUTSIDE)
        if new.kind == "asked" and (scope, name) not in then and _owner(scope, name) in then:
            at = code_location(path, new.line, new.line, quote=_word(name))
            yield Break(_ASKED, f"`{name}`", at, 0.6, "nobody outside the project may implement it")


def not_compared(change: Change) -> list[str]:
    """Languages of changed product code whose offers are settled only when they run."""
    seen = {
        language(file.path) for file in change.files if role(file.path) is Role.PRODUCT and not is_example(file.path)
    }
    return sorted(seen - COMPARED - {"python", "shell"})
