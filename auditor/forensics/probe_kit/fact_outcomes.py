"""Short ways to write a fact, one per outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from auditor.domain import CodeLocation, Fact, Location, Outcome, ProbeData, Side
from auditor.domain.english_lists import first_few


def found(
    statement: str,
    *,
    at: Iterable[Location] = (),
    confidence: float = 1.0,
    because: str = "",
    measure: float | None = None,
    introduced: bool | None = None,
    in_tests: bool = False,
    data: ProbeData | None = None,
) -> Fact:
    """The answer is yes, and this is where."""
    return Fact(
        outcome=Outcome.FOUND,
        statement=statement,
        locations=tuple(at),
        confidence=confidence,
        confidence_reason=because,
        measure=measure,
        introduced=introduced,
        in_tests=in_tests,
        data=data,
    )


def not_found(
    statement: str,
    *,
    at: Iterable[Location] = (),
    confidence: float = 1.0,
    because: str = "",
    measure: float | None = None,
    data: ProbeData | None = None,
) -> Fact:
    """The answer is no: all that could hold it was read, as far as `confidence` says."""
    return Fact(
        outcome=Outcome.NOT_FOUND,
        statement=statement,
        locations=tuple(at),
        confidence=confidence,
        confidence_reason=because,
        measure=measure,
        data=data,
    )


def not_applicable(statement: str) -> Fact:
    """The question makes no sense here, and why."""
    return Fact(outcome=Outcome.NOT_APPLICABLE, statement=statement)


def unavailable(statement: str, *, at: Iterable[Location] = (), data: ProbeData | None = None) -> Fact:
    """The question makes sense but could not be answered, and why."""
    return Fact(outcome=Outcome.UNAVAILABLE, statement=statement, locations=tuple(at), data=data)


def unread_files(reasons: Mapping[str, str]) -> Iterator[Fact]:
    """That files could not be read, with the reason of the first; nothing where there are none."""
    if reasons:
        says = f"{list_names(reasons)} could not be read: {next(iter(reasons.values()))}."
        yield unavailable(says, at=[code_location(path) for path in reasons])


def code_location(
    path: str, start: int | None = None, end: int | None = None, *, quote: str = "", side: Side = Side.HEAD
) -> CodeLocation:
    """Lines of a file; without a start, the whole file."""
    return CodeLocation(path=path, start=start, end=end if end is not None else start, quote=quote, side=side)


_MAX_NAMES = 3


def list_names(names: Iterable[str]) -> str:
    """The first few names as code, and how many more there are."""
    return first_few([f"`{each}`" for each in names], _MAX_NAMES)


def missing_paths(what: str, paths: Iterable[str]) -> str:
    """`Path named in a report does not exist: a`, or `2 paths named in a report do not exist: a, b`; each path once."""
    names = list(dict.fromkeys(paths))
    if len(names) == 1:
        return f"{what[:1].upper()}{what[1:]} does not exist: {list_names(names)}"
    return f"{len(names):,} {what.replace('path', 'paths', 1)} do not exist: {list_names(names)}"


_MAX_SHOWN = 60


def code_excerpt(text: str) -> str:
    """A line of code as it fits into a sentence: blanks collapsed, without backticks, cut at 60 characters."""
    plain = " ".join(text.replace("`", "'").split()).rstrip(" ,;")
    return plain if len(plain) <= _MAX_SHOWN else f"{plain[:_MAX_SHOWN]}..."
