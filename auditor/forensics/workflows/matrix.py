"""Matrices of GitHub workflows as the combinations that they stand for, by the rules of GitHub's own `MatrixBuilder`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from auditor.forensics.workflows.expression_evaluator import possible_values
from auditor.forensics.workflows.workflow_expression_values import (
    UNKNOWN,
    Context,
    PartialText,
    Value,
    child_value,
    loosely_equal,
    value_as_text,
)
from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, scalar_value

MAX_COMBINATIONS = 256
"""GitHub starts no more jobs than that from one matrix."""
_MAX_COMBINATION_VALUES = 200_000
"""Combinations times values; a larger matrix is not expanded."""
_FILTER_KEYS = frozenset({"include", "exclude"})


@dataclass(frozen=True)
class Combination:
    """The values of one job of a matrix, and those of them that GitHub adds to its name."""

    matrix: Value
    segments: tuple[PartialText, ...]


NO_MATRIX = Combination(None, ())


def combinations(strategy: Node | None, context: Context) -> tuple[Combination, ...] | None:
    """The combinations of a job's `strategy`; None for a matrix that is only known at run time."""
    plain = evaluate_node(strategy, context) if strategy is not None else None
    matrix = plain.get("matrix") if isinstance(plain, dict) else plain
    if matrix is None:
        return (NO_MATRIX,)
    try:
        return tuple(_expand(*_split_matrix(matrix))) or (NO_MATRIX,)
    except _UnknownMatrixError:
        return None


class _UnknownMatrixError(Exception):
    """The combinations are only known at run time, or are too many to be expanded."""


_Items = Sequence[dict[str, Value]]


def _split_matrix(matrix: Value) -> tuple[dict[str, list[Value]], _Items, _Items]:
    """The lists of a matrix, what it includes and what it excludes. Raises _UnknownMatrixError."""
    if not isinstance(matrix, dict) or any("${{" in key or _is_misspelled_filter(key) for key in matrix):
        raise _UnknownMatrixError
    vectors = {
        key.casefold(): each for key, each in matrix.items() if key not in _FILTER_KEYS and isinstance(each, list)
    }
    if len(vectors) < len(matrix.keys() - _FILTER_KEYS):
        raise _UnknownMatrixError
    include, exclude = _filter_items(matrix.get("include")), _filter_items(matrix.get("exclude"))
    count = (prod(map(len, vectors.values())) if vectors else 0) + len(include)
    if count > MAX_COMBINATIONS or count * _value_count(matrix) > _MAX_COMBINATION_VALUES:
        raise _UnknownMatrixError
    return vectors, include, exclude


def _is_misspelled_filter(key: str) -> bool:
    """Is it `Include` or the like? Whether GitHub takes that for a filter is not relied on."""
    return key not in _FILTER_KEYS and key.casefold() in _FILTER_KEYS


def _value_count(of: Value) -> int:
    return 1 + sum(map(_value_count, of.values() if isinstance(of, dict) else of)) if isinstance(of, dict | list) else 1


def _expand(vectors: Mapping[str, list[Value]], include: _Items, exclude: _Items) -> Iterator[Combination]:
    filters = [{key: each for key, each in item.items() if key in vectors} for item in include]
    fitted: set[int] = set()
    for chosen in product(*vectors.values()) if vectors else ():
        matrix = dict(zip(vectors, chosen, strict=True))
        if any(_matches_filter(each, matrix) for each in exclude):
            continue
        fitting = [number for number, each in enumerate(filters) if _matches_filter(each, matrix)]
        fitted.update(fitting)
        extra = {key: each for at in fitting for key, each in include[at].items() if key not in vectors}
        yield Combination({**matrix, **extra}, tuple(_name_segments(matrix)))
    for number, item in enumerate(include):
        if number not in fitted:
            matrix = {**filters[number], **item}
            yield Combination(matrix, tuple(_name_segments(matrix)))


def _matches_filter(wanted: Value, there: Value) -> bool:
    """Does every leaf of a filter equal the value there? Raises _UnknownMatrixError."""
    if isinstance(wanted, dict):
        return all(_matches_filter(each, child_value(there, key)) for key, each in wanted.items())
    if isinstance(wanted, list):
        held = there if isinstance(there, list) else []
        return all(_matches_filter(each, held[at] if at < len(held) else None) for at, each in enumerate(wanted))
    alike = False if isinstance(there, dict | list) else loosely_equal(wanted, there)
    if alike is None:
        raise _UnknownMatrixError
    return alike


def _name_segments(of: Value) -> Iterator[PartialText]:
    """The leaves of a value that are no empty text, in their order."""
    if isinstance(of, dict | list):
        for each in of.values() if isinstance(of, dict) else of:
            yield from _name_segments(each)
    elif any((found := value_as_text(of)).parts) or not found.is_known:
        yield found


def _filter_items(of: Value) -> _Items:
    """The items of `include` or `exclude`. Raises _UnknownMatrixError where they are only known at run time."""
    items = [] if of is None else of
    if not isinstance(items, list):
        raise _UnknownMatrixError
    found = [each for each in items if isinstance(each, dict) and not any("${{" in key for key in each)]
    if len(found) < len(items):
        raise _UnknownMatrixError
    return [{key.casefold(): value for key, value in each.items()} for each in found]


def evaluate_node(node: Node, context: Context) -> Value:
    """A node with its expressions evaluated; what may be one of several values is unknown."""
    if isinstance(node, MapNode):
        return {key: evaluate_node(each, context) for key, each in node.entries.items()}
    if isinstance(node, ListNode):
        return [evaluate_node(each, context) for each in node.items]
    return _evaluate_scalar(node, context)


def _evaluate_scalar(node: Scalar, context: Context) -> Value:
    plain = scalar_value(node)
    if not isinstance(plain, str) or "${{" not in plain:
        return plain
    found = possible_values(plain, context)
    return found[0] if len(found) == 1 else UNKNOWN
