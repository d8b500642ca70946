"""Matrices of GitHub workflows as the combinations that they stand for, by the rules of GitHub's own `MatrixBuilder`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from auditor.forensics.workflows.expression_evaluator import values
from auditor.forensics.workflows.partial_values import UNKNOWN, Context, Template, Value, below, equal, text
from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, value

MAX_COMBINATIONS = 256
"""GitHub starts no more jobs than that from one matrix."""
_MAX_EFFORT = 200_000
"""Combinations times values; a matrix beyond that is not worked out."""
_FILTERS = frozenset({"include", "exclude"})


@dataclass(frozen=True)
class Combination:
    """The values of one job of a matrix, and those of them that GitHub adds to its name."""

    matrix: Value
    segments: tuple[Template, ...]


NO_MATRIX = Combination(None, ())


def combinations(strategy: Node | None, context: Context) -> tuple[Combination, ...] | None:
    """The combinations of a job's `strategy`; None for a matrix that is only known at run time."""
    plain = as_value(strategy, context) if strategy is not None else None
    matrix = plain.get("matrix") if isinstance(plain, dict) else plain
    if matrix is None:
        return (NO_MATRIX,)
    try:
        return tuple(_combined(*_read(matrix))) or (NO_MATRIX,)
    except _UnknownError:
        return None


class _UnknownError(Exception):
    """The combinations are only known at run time, or are too many to be worked out."""


_Items = Sequence[dict[str, Value]]


def _read(matrix: Value) -> tuple[dict[str, list[Value]], _Items, _Items]:
    """The lists of a matrix, what it includes and what it excludes. Raises _UnknownError."""
    if not isinstance(matrix, dict) or any("${{" in key or _is_near_filter(key) for key in matrix):
        raise _UnknownError
    vectors = {key.casefold(): each for key, each in matrix.items() if key not in _FILTERS and isinstance(each, list)}
    if len(vectors) < len(matrix.keys() - _FILTERS):
        raise _UnknownError
    include, exclude = _items(matrix.get("include")), _items(matrix.get("exclude"))
    count = (prod(map(len, vectors.values())) if vectors else 0) + len(include)
    if count > MAX_COMBINATIONS or count * _size(matrix) > _MAX_EFFORT:
        raise _UnknownError
    return vectors, include, exclude


def _is_near_filter(key: str) -> bool:
    """Is it `Include` or the like? Whether GitHub takes that for a filter is not relied on."""
    return key not in _FILTERS and key.casefold() in _FILTERS


def _size(of: Value) -> int:
    return 1 + sum(map(_size, of.values() if isinstance(of, dict) else of)) if isinstance(of, dict | list) else 1


def _combined(vectors: Mapping[str, list[Value]], include: _Items, exclude: _Items) -> Iterator[Combination]:
    filters = [{key: each for key, each in item.items() if key in vectors} for item in include]
    fitted: set[int] = set()
    for chosen in product(*vectors.values()) if vectors else ():
        matrix = dict(zip(vectors, chosen, strict=True))
        if any(_fits(each, matrix) for each in exclude):
            continue
        fitting = [number for number, each in enumerate(filters) if _fits(each, matrix)]
        fitted.update(fitting)
        extra = {key: each for at in fitting for key, each in include[at].items() if key not in vectors}
        yield Combination({**matrix, **extra}, tuple(_segments(matrix)))
    for number, item in enumerate(include):
        if number not in fitted:
            matrix = {**filters[number], **item}
            yield Combination(matrix, tuple(_segments(matrix)))


def _fits(wanted: Value, there: Value) -> bool:
    """Does every leaf of a filter equal what is there? Raises _UnknownError."""
    if isinstance(wanted, dict):
        return all(_fits(each, below(there, key)) for key, each in wanted.items())
    if isinstance(wanted, list):
        held = there if isinstance(there, list) else []
        return all(_fits(each, held[at] if at < len(held) else None) for at, each in enumerate(wanted))
    alike = False if isinstance(there, dict | list) else equal(wanted, there)
    if alike is None:
        raise _UnknownError
    return alike


def _segments(of: Value) -> Iterator[Template]:
    """The leaves of a value that are no empty text, in their order."""
    if isinstance(of, dict | list):
        for each in of.values() if isinstance(of, dict) else of:
            yield from _segments(each)
    elif any((found := text(of)).parts) or not found.is_known:
        yield found


def _items(of: Value) -> _Items:
    """The items of `include` or `exclude`. Raises _UnknownError where they are only known at run time."""
    items = [] if of is None else of
    if not isinstance(items, list):
        raise _UnknownError
    found = [each for each in items if isinstance(each, dict) and not any("${{" in key for key in each)]
    if len(found) < len(items):
        raise _UnknownError
    return [{key.casefold(): value for key, value in each.items()} for each in found]


def as_value(node: Node, context: Context) -> Value:
    """A node with its expressions evaluated; what may be one of several values is unknown."""
    if isinstance(node, MapNode):
        return {key: as_value(each, context) for key, each in node.entries.items()}
    if isinstance(node, ListNode):
        return [as_value(each, context) for each in node.items]
    return _scalar(node, context)


def _scalar(node: Scalar, context: Context) -> Value:
    plain = value(node)
    if not isinstance(plain, str) or "${{" not in plain:
        return plain
    found = values(plain, context)
    return found[0] if len(found) == 1 else UNKNOWN
