"""Types of fields and attributes that callers see, before and after a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.public_api.breaking_changes import (
    PARAMETER_ADDED,
    PARAMETER_TYPE_NARROWED,
    RESULT_TYPE_CHANGED,
    BreakingChange,
    type_difference,
)
from auditor.forensics.public_api.known_types import alias_suffixes
from auditor.forensics.public_api.narrowed_signatures import caller_parameters
from auditor.forensics.public_api.outline_pairs import definition_location, is_public, pair_functions
from auditor.forensics.public_api.python_type_hints import WrittenTypes, required_fields, written_types
from auditor.forensics.public_api.removed_attributes import RECORD_BASES, RECORD_DECORATORS
from auditor.forensics.public_api.written_type_comparison import has_unknown_alias, is_narrowed, is_widened
from auditor.forensics.python.reexports import ModuleFinder
from auditor.forensics.source_text.comments import strip_comments_and_docstrings
from auditor.forensics.source_text.file_outline import Function, Outline

OutlineAndSource = tuple[Outline, str]


def changed_types(
    path: str, before: OutlineAndSource, now: OutlineAndSource, modules: PythonModules, own_classes: frozenset[str]
) -> Iterator[BreakingChange]:
    """Changed types of parameters and results, as they are written; of records, newly required fields."""
    sources = strip_comments_and_docstrings(before[1]).split("\n"), strip_comments_and_docstrings(now[1]).split("\n")
    after = pair_functions(before[0].functions, now[0].functions)
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
    yield from _newly_required_fields(path, before, (now[0], sources[1]))


def _imported_classes(path: str, outline: Outline, files: ModuleFinder) -> frozenset[str]:
    """The local names of classes that a module imports from other files of the repository."""
    return frozenset(
        each.name
        for each in outline.imports
        if _CLASS_NAME.fullmatch(each.name)
        and not each.name.endswith(alias_suffixes())
        and files.origin(path, each) is not None
    )


_CLASS_NAME = re.compile(r"[A-Z]\w*[a-z]\w*")


def _changed_annotations(
    path: str,
    before: tuple[Function, WrittenTypes],
    now: tuple[Function, WrittenTypes],
    bases: Mapping[str, tuple[str, ...]],
    own_classes: frozenset[str],
) -> Iterator[BreakingChange]:
    old, new = before[1], now[1]
    function = now[0]
    at = definition_location(path, function)
    was, gives = (re.sub(r"\bSelf\b", function.class_name or "Self", each.result) for each in (old, new))
    if was and gives and is_widened(was, gives) and not is_subclass(gives, was, bases):
        sure, why = _type_change_confidence(was, gives, bases, own_classes, 0.75)
        if sure:
            difference = type_difference(was, gives)
            yield BreakingChange(RESULT_TYPE_CHANGED, f"`{function.qualname}`", at, sure, why, difference)
    taken = {each.name for each in caller_parameters(before[0])}
    for name, kind in old.types.items():
        if (
            name in taken
            and name in new.types
            and is_narrowed(kind, new.types[name])
            and not is_subclass(kind, new.types[name], bases)
        ):
            sure, why = _type_change_confidence(kind, new.types[name], bases, own_classes, 0.7)
            if sure:
                shown, difference = f"`{function.qualname}` (`{name}`)", type_difference(kind, new.types[name])
                yield BreakingChange(PARAMETER_TYPE_NARROWED, shown, at, sure, why, difference)


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


_UNCHANGED_FILE_REASON = "the class is in an unchanged file and may accept the old value"
_ALIAS_REASON = "the new name may be an alias of the same or a wider type"


def is_subclass(one: str, other: str, kin: Mapping[str, tuple[str, ...]]) -> bool:
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


def _newly_required_fields(
    path: str, before: OutlineAndSource, now: tuple[Outline, list[str]]
) -> Iterator[BreakingChange]:
    old = {each.qualname: each for each in before[0].classes}
    made = {each.class_name for each in now[0].functions if each.name == "__init__"}
    for each in now[0].classes:
        known = old.get(each.qualname) if each.qualname not in made else None
        marks = {said.rpartition(".")[2] for said in (*each.bases, *each.decorators)}
        if known is None or not is_public(each) or not marks & (RECORD_BASES | RECORD_DECORATORS):
            continue
        asked = [name for name in required_fields(now[1], each) if name not in known.attributes]
        if asked:
            about = f"{', '.join(f'`{name}`' for name in asked)} of `{each.qualname}`"
            at = code_location(path, each.line, each.line, quote=f"class {each.qualname.rpartition('.')[2]}")
            yield BreakingChange(PARAMETER_ADDED, about, at, 0.75, "it may be created only inside the project")
