"""What an offer that stayed gives, holds or takes otherwise than before, by the types that are written at it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator

from auditor.domain import Location
from auditor.forensics.public_api.breaking_changes import (
    INTERNAL_REASON,
    PARAMETER_ADDED,
    PARAMETER_REMOVED,
    PARAMETER_REQUIRED,
    PARAMETER_TYPE_NARROWED,
    PARAMETERS_REORDERED,
    RESULT_TYPE_CHANGED,
    BreakingChange,
    BreakKind,
    type_difference,
)
from auditor.forensics.public_api.known_types import known_types
from auditor.forensics.public_api.written_type_comparison import (
    has_unknown_alias,
    is_narrowed,
    is_same_type,
    is_widened,
    split_top_level,
)
from auditor.forensics.source_text.file_outline import Export
from auditor.forensics.source_text.file_roles import language

_TYPE_CHANGED = BreakKind(
    "Type of {} changed",
    "Type changed in {} public fields or type aliases, whose uses must be checked: {}",
    "; check its uses",
)
_BECAME_ASYNC = BreakKind("{} must now be awaited", "{} public functions must now be awaited: {}")
_BECAME_SYNC = BreakKind(
    "{} no longer returns a promise",
    "{} public functions no longer return a promise: {}",
)
_EXCEPTION_ADDED = BreakKind(
    "{} throws a new exception that callers must handle", "{} public methods throw new exceptions: {}"
)
PROPERTY_REQUIRED = BreakKind("New required property: {}", "{} new required properties: {}")
_ALIAS_REASON = "the new name may be an alias of the same or a narrower type"
CONSTRUCTION_REASON = "it may be created only inside the project"
_BECAME_UNSAFE = BreakKind("{} is now `unsafe`", "{} public functions are now `unsafe`: {}")


def find_type_changes(
    name: str, before: list[Export], after: list[tuple[str, Export]], at: Location, known: Container[str]
) -> Iterator[BreakingChange]:
    """Changed types of results, fields and types; of overloads, those with the same parameters are compared."""
    path = after[0][0]
    for old in before:
        others = [each for _, each in after if each.takes == old.takes or len(before) == len(after) == 1]
        if len(others) == 1 and old.kind == others[0].kind:
            yield from _compare_exports(name, old, others[0], at, language(path), known)


def _compare_exports(
    name: str, old: Export, new: Export, at: Location, language_name: str, known: Container[str]
) -> Iterator[BreakingChange]:
    shown = f"`{name}`"
    if old.takes is not None or new.takes is not None:
        compare = _COMPARE_BY_LANGUAGE.get(language_name)
        yield from () if compare is None else compare(shown, old, new, at, known)
        return
    if _has_other_type(old, new, language_name) and not (
        language_name == "typescript" and has_unknown_alias(old.gives, new.gives, known)
    ):
        yield BreakingChange(_TYPE_CHANGED, shown, at, 0.7, _ALIAS_REASON, type_difference(old.gives, new.gives))
    if old.kind == new.kind == "property" and new.required_count > old.required_count:
        yield BreakingChange(PROPERTY_REQUIRED, shown, at, 0.6, CONSTRUCTION_REASON)


def _compare_java(
    shown: str, old: Export, new: Export, at: Location, _known: Container[str]
) -> Iterator[BreakingChange]:
    (was, _, raised), (gives, _, raises) = (each.gives.partition("throws ") for each in (old, new))
    if is_widened(was.strip(), gives.strip()):
        yield BreakingChange(RESULT_TYPE_CHANGED, shown, at, 0.75, _ALIAS_REASON, type_difference(was, gives))
    known = set(split_top_level(raised, ","))
    if "Exception" not in known and any(
        _is_checked_exception(each) and each not in known for each in split_top_level(raises, ",")
    ):
        yield BreakingChange(_EXCEPTION_ADDED, shown, at, 0.7, "the exception may be unchecked")


def _compare_go(shown: str, old: Export, new: Export, at: Location, _known: Container[str]) -> Iterator[BreakingChange]:
    if not is_same_type(old.gives, new.gives):
        yield BreakingChange(RESULT_TYPE_CHANGED, shown, at, 0.85, _ALIAS_REASON, type_difference(old.gives, new.gives))


def _compare_rust(
    shown: str, old: Export, new: Export, at: Location, _known: Container[str]
) -> Iterator[BreakingChange]:
    one, other = (set(each.gives.split()) & {"async", "unsafe"} for each in (old, new))
    was, gives = _strip_modifiers(old.gives), _strip_modifiers(new.gives)
    if "async" in one ^ other:
        yield BreakingChange(_BECAME_ASYNC if "async" in other else _BECAME_SYNC, shown, at, 0.85, INTERNAL_REASON)
    elif "unsafe" in other - one:
        yield BreakingChange(_BECAME_UNSAFE, shown, at, 0.85, INTERNAL_REASON)
    elif is_widened(was, gives) and not _differs_only_by_self(shown, old, new):
        yield BreakingChange(RESULT_TYPE_CHANGED, shown, at, 0.8, _ALIAS_REASON, type_difference(was, gives))


def _has_other_type(old: Export, new: Export, language_name: str) -> bool:
    if not old.gives or not new.gives or (language_name == "go" and old.kind == "type"):
        return language_name == "rust" and old.kind == "type" and bool(old.gives) and old.gives != new.gives
    if old.kind == "type":  # of alternatives, those that may be passed count: one more is for who asks for all of them
        return language_name == "typescript" and "|" in old.gives and is_narrowed(old.gives, new.gives)
    if language_name == "typescript":
        return is_widened(old.gives, new.gives) or is_narrowed(old.gives, new.gives)
    return not is_same_type(old.gives, new.gives)


def _strip_modifiers(result_type: str) -> str:
    return re.sub(r"^(?:(?:async|unsafe)\s+)+", "", result_type)


def _differs_only_by_self(shown: str, old: Export, new: Export) -> bool:
    """Do the two differ only by `Self` in the place of the type's own name?"""
    owner = shown.strip("`").split("::")[-2:-1]
    one, other = (
        (re.sub(rf"\b(?:{re.escape(owner[0])}(?:<[^<>]*>)?)(?!\w)", "Self", each.gives) for each in (old, new))
        if owner
        else ("", ".")
    )
    return is_same_type(one, other)


def _is_checked_exception(name: str) -> bool:
    return bool(name) and name.rpartition(".")[2] not in known_types("unchecked_exceptions")


def _compare_script(
    shown: str, old: Export, new: Export, at: Location, known: Container[str]
) -> Iterator[BreakingChange]:
    one, other = _is_awaitable(old), _is_awaitable(new)
    if one is not None and other is not None and one != other:
        passed_on, awaited = set(old.gives.split()[2:]), set(new.gives.split()[1:])
        if not (other and old.gives.startswith("at once ") and passed_on & awaited):
            kind = _BECAME_ASYNC if other else _BECAME_SYNC
            yield BreakingChange(kind, shown, at, 0.7, "callers may have awaited it before")
    elif (
        not old.gives.startswith(_INFERRED_RESULTS)
        and not new.gives.startswith(_INFERRED_RESULTS)
        and new.gives
        and is_widened(old.gives, new.gives)
        and not has_unknown_alias(old.gives, new.gives, known)
    ):
        yield BreakingChange(RESULT_TYPE_CHANGED, shown, at, 0.75, _ALIAS_REASON, type_difference(old.gives, new.gives))
    types = dict(zip(new.takes or (), new.types, strict=False))
    for name, was in zip(old.takes or (), old.types, strict=False):
        now = types.get(name, "")
        if (
            was
            and now
            and is_narrowed(was, now)
            and not has_unknown_alias(was, now, known)
            and not was.startswith("{") | now.startswith("{")
        ):
            difference = type_difference(was, now)
            yield BreakingChange(PARAMETER_TYPE_NARROWED, f"{shown} (`{name}`)", at, 0.7, _ALIAS_REASON, difference)


_INFERRED_RESULTS = ("async ", "at once")


def _is_awaitable(export: Export) -> bool | None:
    """Does it return a promise? None where neither its type nor its body says so."""
    if export.gives.startswith("async ") or re.match(r"Promise(?:Like)?\b", export.gives):
        return True
    if export.gives.startswith("at once"):
        return False
    return None if not export.gives or re.search(r"Promise|Awaitable|any|unknown|\b[A-Z]\b", export.gives) else False


def find_ruby_argument_changes(name: str, old: Export, new: Export, at: Location) -> Iterator[BreakingChange]:
    """Of Ruby: fewer or more positional arguments, and keywords that are removed or newly required."""
    before, after = old.takes or (), new.takes or ()
    shown = f"`{name}`"
    sure, why = (0.8, INTERNAL_REASON)
    most = [sum(not each.endswith(("*", ":", ":=")) for each in takes) for takes in (before, after)]
    words = {each.rstrip(":="): each.endswith(":=") for each in after if each.endswith((":", ":="))}
    known = {each.rstrip(":="): each.endswith(":=") for each in before if each.endswith((":", ":="))}
    gone = [each for each in known if each not in words and "**" not in after]
    asked = [each for each, optional in words.items() if not optional and (each not in known or known[each])]
    if gone or (most[1] < most[0] and not new.endless):
        yield BreakingChange(PARAMETER_REMOVED, shown, at, sure, why)
    elif asked or new.required_count > old.required_count:
        plain = [{each.rstrip(":=") for each in takes} for takes in (before, after)]
        yield BreakingChange(PARAMETER_REQUIRED if plain[1] <= plain[0] else PARAMETER_ADDED, shown, at, sure, why)
    else:
        placed = [
            [each.rstrip("=") for each in takes if not each.endswith(("*", ":", ":="))] for takes in (before, after)
        ]
        if placed[0] != placed[1] and sorted(placed[0]) == sorted(placed[1]):
            yield BreakingChange(PARAMETERS_REORDERED, shown, at, sure, why)


_COMPARE_BY_LANGUAGE: dict[str, Callable[[str, Export, Export, Location, Container[str]], Iterator[BreakingChange]]] = {
    "csharp": _compare_java,
    "java": _compare_java,
    "go": _compare_go,
    "rust": _compare_rust,
    "javascript": _compare_script,
    "typescript": _compare_script,
}
