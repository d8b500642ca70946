"""What an offer that stayed gives, holds or takes otherwise than before, by the types that are written at it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator

from auditor.domain import Location
from auditor.forensics.public_api.breaking_changes import (
    INTERNAL,
    PARAMETER_ASKED,
    PARAMETER_GONE,
    PARAMETER_NEEDED,
    PASSED,
    REORDERED,
    RESULT,
    Break,
    Kind,
)
from auditor.forensics.public_api.type_narrowing import is_open, narrows, same, split, widens
from auditor.forensics.source_text.file_outline import Export
from auditor.forensics.source_text.file_roles import language

_KEPT = Kind("{} holds something of another type", "{} public fields or types hold something of another type: {}")
_AWAITED = Kind("{} has to be awaited now", "{} public functions have to be awaited now: {}")
_AT_ONCE = Kind(
    "{} gives no promise any more, but its result at once",
    "{} public functions give no promise any more, but their results at once: {}",
)
_THROWN = Kind("Whoever calls {} must handle a further exception", "{} public methods throw further exceptions: {}")
GIVEN = Kind(
    "Whoever makes an object must now give {} too", "{} properties must newly be given by whoever makes an object: {}"
)
_ALIAS = "a name may stand for the same type, or for a narrower one"
OUTSIDE = "nobody outside the project may make one"
_UNSAFE = Kind("{} can be called as unsafe only", "{} public functions can be called as unsafe only: {}")


def given_otherwise(
    name: str, before: list[Export], after: list[tuple[str, Export]], at: Location, known: Container[str]
) -> Iterator[Break]:
    """Results, fields and types that hold something else now; of several functions of a name, those that take the same."""
    path = after[0][0]
    for old in before:
        others = [each for _, each in after if each.takes == old.takes or len(before) == len(after) == 1]
        if len(others) == 1 and old.kind == others[0].kind:
            yield from _compared(name, old, others[0], at, language(path), known)


def _compared(name: str, old: Export, new: Export, at: Location, spoken: str, known: Container[str]) -> Iterator[Break]:
    shown = f"`{name}`"
    if old.takes is not None or new.takes is not None:
        compare = _BY_LANGUAGE.get(spoken)
        yield from () if compare is None else compare(shown, old, new, at, known)
        return
    if _holds_another(old, new, spoken) and not (spoken == "typescript" and is_open(old.gives, new.gives, known)):
        yield Break(_KEPT, shown, at, 0.7, _ALIAS)
    if old.kind == new.kind == "property" and new.required_count > old.required_count:
        yield Break(GIVEN, shown, at, 0.6, OUTSIDE)


def _java(shown: str, old: Export, new: Export, at: Location, _known: Container[str]) -> Iterator[Break]:
    (was, _, raised), (gives, _, raises) = (each.gives.partition("throws ") for each in (old, new))
    if widens(was.strip(), gives.strip()):
        yield Break(RESULT, shown, at, 0.75, _ALIAS)
    known = set(split(raised, ","))
    if "Exception" not in known and any(_is_checked(each) and each not in known for each in split(raises, ",")):
        yield Break(_THROWN, shown, at, 0.7, "the exception may be one that need not be handled")


def _go(shown: str, old: Export, new: Export, at: Location, _known: Container[str]) -> Iterator[Break]:
    if not same(old.gives, new.gives):
        yield Break(RESULT, shown, at, 0.85, _ALIAS)


def _rust(shown: str, old: Export, new: Export, at: Location, _known: Container[str]) -> Iterator[Break]:
    one, other = (set(each.gives.split()) & {"async", "unsafe"} for each in (old, new))
    if "async" in one ^ other:
        yield Break(_AWAITED if "async" in other else _AT_ONCE, shown, at, 0.85, INTERNAL)
    elif "unsafe" in other - one:
        yield Break(_UNSAFE, shown, at, 0.85, INTERNAL)
    elif widens(_unmarked(old.gives), _unmarked(new.gives)) and not _is_itself(shown, old, new):
        yield Break(RESULT, shown, at, 0.8, _ALIAS)


def _holds_another(old: Export, new: Export, spoken: str) -> bool:
    if not old.gives or not new.gives or (spoken == "go" and old.kind == "type"):
        return spoken == "rust" and old.kind == "type" and bool(old.gives) and old.gives != new.gives
    if old.kind == "type":  # of alternatives, those that may be passed count: one more is for who asks for all of them
        return spoken == "typescript" and "|" in old.gives and narrows(old.gives, new.gives)
    if spoken == "typescript":
        return widens(old.gives, new.gives) or narrows(old.gives, new.gives)
    return not same(old.gives, new.gives)


def _unmarked(gives: str) -> str:
    return re.sub(r"^(?:(?:async|unsafe)\s+)+", "", gives)


def _is_itself(shown: str, old: Export, new: Export) -> bool:
    """Do the two differ only by `Self` in the place of the type's own name?"""
    owner = shown.strip("`").split("::")[-2:-1]
    one, other = (
        (re.sub(rf"\b(?:{re.escape(owner[0])}(?:<[^<>]*>)?)(?!\w)", "Self", each.gives) for each in (old, new))
        if owner
        else ("", ".")
    )
    return same(one, other)


_UNCHECKED = frozenset(
    {"RuntimeException", "IllegalArgumentException", "IllegalStateException", "NullPointerException", "UnsupportedOperationException", "IndexOutOfBoundsException",
     "ArithmeticException", "ClassCastException", "NumberFormatException", "ConcurrentModificationException", "UncheckedIOException", "DateTimeException", "Error"}
)  # fmt: skip


def _is_checked(name: str) -> bool:
    return bool(name) and name.rpartition(".")[2] not in _UNCHECKED


def _script(shown: str, old: Export, new: Export, at: Location, known: Container[str]) -> Iterator[Break]:
    one, other = _promise(old), _promise(new)
    if one is not None and other is not None and one != other:
        passed_on, awaited = set(old.gives.split()[2:]), set(new.gives.split()[1:])
        if not (other and old.gives.startswith("at once ") and passed_on & awaited):
            kind = _AWAITED if other else _AT_ONCE
            yield Break(kind, shown, at, 0.7, "what it calls may have been awaited by callers before")
    elif (
        not old.gives.startswith(_UNWRITTEN)
        and not new.gives.startswith(_UNWRITTEN)
        and new.gives
        and widens(old.gives, new.gives)
        and not is_open(old.gives, new.gives, known)
    ):
        yield Break(RESULT, shown, at, 0.75, _ALIAS)
    types = dict(zip(new.takes or (), new.types, strict=False))
    for name, was in zip(old.takes or (), old.types, strict=False):
        now = types.get(name, "")
        if (
            was
            and now
            and narrows(was, now)
            and not is_open(was, now, known)
            and not was.startswith("{") | now.startswith("{")
        ):
            yield Break(PASSED, f"{shown} (`{name}`)", at, 0.7, _ALIAS)


_UNWRITTEN = ("async ", "at once")


def _promise(export: Export) -> bool | None:
    """Has a result to be awaited? None where neither its type nor its body tells."""
    if export.gives.startswith("async ") or re.match(r"Promise(?:Like)?\b", export.gives):
        return True
    if export.gives.startswith("at once"):
        return False
    return None if not export.gives or re.search(r"Promise|Awaitable|any|unknown|\b[A-Z]\b", export.gives) else False


def by_place_and_name(name: str, old: Export, new: Export, at: Location) -> Iterator[Break]:
    """Of Ruby: fewer or more arguments by place, keywords that are gone or newly asked for."""
    before, after = old.takes or (), new.takes or ()
    shown = f"`{name}`"
    sure, why = (0.8, INTERNAL)
    most = [sum(not each.endswith(("*", ":", ":=")) for each in takes) for takes in (before, after)]
    words = {each.rstrip(":="): each.endswith(":=") for each in after if each.endswith((":", ":="))}
    known = {each.rstrip(":="): each.endswith(":=") for each in before if each.endswith((":", ":="))}
    gone = [each for each in known if each not in words and "**" not in after]
    asked = [each for each, optional in words.items() if not optional and (each not in known or known[each])]
    if gone or (most[1] < most[0] and not new.endless):
        yield Break(PARAMETER_GONE, shown, at, sure, why)
    elif asked or new.required_count > old.required_count:
        plain = [{each.rstrip(":=") for each in takes} for takes in (before, after)]
        yield Break(PARAMETER_NEEDED if plain[1] <= plain[0] else PARAMETER_ASKED, shown, at, sure, why)
    else:
        placed = [
            [each.rstrip("=") for each in takes if not each.endswith(("*", ":", ":="))] for takes in (before, after)
        ]
        if placed[0] != placed[1] and sorted(placed[0]) == sorted(placed[1]):
            yield Break(REORDERED, shown, at, sure, why)


_BY_LANGUAGE: dict[str, Callable[[str, Export, Export, Location, Container[str]], Iterator[Break]]] = {
    "java": _java,
    "go": _go,
    "rust": _rust,
    "javascript": _script,
    "typescript": _script,
}
