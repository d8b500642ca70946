"""Diagrams that a page draws with lines and boxes: no image names them and no text holds them.

Told by their geometry: boxes that keep their distance from each other, and lines that lead from one of them to another.
Tables have cells that touch, and rules that join nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TOKEN = re.compile(
    rb"\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>|/[^\s/\[\]()<>{}%]*|[-+]?(?:\d+\.?\d*|\.\d+)|[A-Za-z'\"*]+"
)
_CLOSING_OPERATORS = frozenset({b"s", b"b", b"b*", b"f", b"F", b"f*", b"B", b"B*"})
_PAINTING_OPERATORS = frozenset({*_CLOSING_OPERATORS, b"S", b"n"})
_MAX_BYTES = 2_000_000
MAX_OPERATORS = 400_000
"""Drawing operators of a whole document that are looked at."""
_MAX_PAGE_OPERATORS = 40_000
_MAX_BOXES = 120
_MAX_LINES = 400
_MAX_DEPTH = 3
_MAX_FORMS = 20
_MIN_BOXES = 3
_MIN_LINES = 2
_WIDTH_RANGE, _HEIGHT_RANGE = (25.0, 430.0), (12.0, 320.0)
"""Points between which a box of a diagram lies; wider ones are frames and blocks of code."""
_SNAP_DISTANCE = 14.0
"""Points from the edge of a box within which a line still leads to it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A closed shape by its corners."""

    left: float
    bottom: float
    right: float
    high: float

    def distance_to(self, point: Point) -> float:
        """How far a point lies outside."""
        x, y = point
        return max(self.left - x, x - self.right, self.bottom - y, y - self.high, 0.0)

    def touches(self, other: Box) -> bool:
        """Do the two share an edge or overlap?"""
        return not (
            self.left > other.right + 1
            or other.left > self.right + 1
            or self.bottom > other.high + 1
            or other.bottom > self.high + 1
        )

    def holds(self, other: Box) -> bool:
        """Is the other box inside this one?"""
        return (
            self.left <= other.left + 1
            and self.right >= other.right - 1
            and self.bottom <= other.bottom + 1
            and self.high >= other.high - 1
        )


@dataclass
class Strokes:
    """What a page draws: closed shapes of the size of boxes, and where its open lines begin and end."""

    boxes: list[Box] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)


def find_diagram(page: Any, budget: list[int]) -> tuple[int, int] | None:
    """How many boxes and joining lines a page's drawing has; None when it draws no diagram.

    `budget` holds how many operators of the document may still be looked at; what is used is taken from it.
    """
    strokes = Strokes()
    left = [min(_MAX_PAGE_OPERATORS, budget[0])]
    before = left[0]
    if before > 0:
        _read_operators(page, _content(page), _IDENTITY, strokes, 0, left)
    budget[0] -= before - max(0, left[0])
    boxes = _separate_boxes(strokes.boxes)
    joins = {
        tuple(sorted((start, end)))
        for one, other in strokes.lines
        if (start := _nearest_box(boxes, one)) is not None
        and (end := _nearest_box(boxes, other)) is not None
        and start != end
    }
    return (len(boxes), len(joins)) if len(boxes) >= _MIN_BOXES and len(joins) >= _MIN_LINES else None


def _separate_boxes(boxes: list[Box]) -> list[Box]:
    """Boxes that touch no other; one drawn twice, for its filling and its edge, counts once."""
    kept: list[Box] = []
    for each in boxes:
        if not any(each.holds(known) and known.holds(each) for known in kept):
            kept.append(each)
    frames = [each for each in kept if sum(each.holds(other) for other in kept) > 2]
    inner = [each for each in kept if each not in frames]
    return [each for each in inner if not any(other is not each and each.touches(other) for other in inner)]


def _nearest_box(boxes: list[Box], point: Point) -> int | None:
    """The box that a point lies at, the nearest one."""
    away = [(box.distance_to(point), number) for number, box in enumerate(boxes)]
    nearest = min(away, default=(_SNAP_DISTANCE + 1, 0))
    return nearest[1] if nearest[0] <= _SNAP_DISTANCE else None


def _content(thing: Any) -> bytes:
    held = thing.get_contents() if hasattr(thing, "get_contents") else thing
    return bytes(held.get_data()[:_MAX_BYTES]) if held is not None else b""


def _read_operators(
    owner: Any, content: bytes, start: Matrix, strokes: Strokes, depth: int, remaining: list[int]
) -> None:
    """Go through the operators of a page or form; `remaining` counts how many more may be looked at."""
    matrix, saved = start, list[Matrix]()
    given: list[bytes] = []
    paths: list[list[Point]] = []
    for found in _TOKEN.finditer(content):
        token = found[0]
        if token[:1] in b"(</" or token[:1].isdigit() or token[:1] in b"-+.":
            given.append(token)
            continue
        remaining[0] -= 1
        if remaining[0] < 0:
            return
        numbers = [float(each) for each in given[-6:] if each[:1] not in b"(</"]
        if token == b"q":
            saved.append(matrix)
        elif token == b"Q":
            matrix = saved.pop() if saved else start
        elif token == b"cm" and len(numbers) == 6:
            matrix = _multiply((numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]), matrix)
        elif token == b"Do" and given and depth < _MAX_DEPTH:
            _read_form(owner, given[-1], matrix, strokes, depth, remaining)
        elif token in _PAINTING_OPERATORS:
            _paint_paths(paths, token, strokes)
            paths = []
        else:
            _extend_path(token, numbers, matrix, paths)
        given = []


def _extend_path(token: bytes, numbers: list[float], matrix: Matrix, paths: list[list[Point]]) -> None:
    """One operator that lays a path."""
    if token == b"re" and len(numbers) >= 4:
        x, y, width, height = numbers[-4:]
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
        paths.append([_transform(each, matrix) for each in corners])
    elif token == b"m" and len(numbers) >= 2:
        paths.append([_transform((numbers[-2], numbers[-1]), matrix)])
    elif token in {b"l", b"c", b"v", b"y"} and len(numbers) >= 2 and paths:
        paths[-1].append(_transform((numbers[-2], numbers[-1]), matrix))
    elif token == b"h" and paths and paths[-1]:
        paths[-1].append(paths[-1][0])


def _paint_paths(paths: list[list[Point]], token: bytes, strokes: Strokes) -> None:
    """Paths that are painted now, as boxes and lines."""
    for path in paths if token != b"n" else ():
        closed = len(path) >= 4 and (path[0] == path[-1] or token in _CLOSING_OPERATORS)
        xs, ys = [x for x, _ in path], [y for _, y in path]
        if closed:
            box = Box(min(xs), min(ys), max(xs), max(ys))
            fits = (
                _WIDTH_RANGE[0] <= box.right - box.left <= _WIDTH_RANGE[1]
                and _HEIGHT_RANGE[0] <= box.high - box.bottom <= _HEIGHT_RANGE[1]
            )
            if fits and len(strokes.boxes) < _MAX_BOXES:
                strokes.boxes.append(box)
        elif len(path) >= 2 and len(strokes.lines) < _MAX_LINES:
            strokes.lines.append((path[0], path[-1]))


def _read_form(owner: Any, name: bytes, matrix: Matrix, strokes: Strokes, depth: int, left: list[int]) -> None:
    """What a form draws that is put on the page."""
    if left[0] <= 0 or name[:1] != b"/":
        return
    left[0] -= _MAX_PAGE_OPERATORS // _MAX_FORMS
    for known, thing in _named_objects(owner):
        if known.encode("latin-1", errors="replace") == name and thing.get("/Subtype") == "/Form":
            own = [float(each) for each in thing.get("/Matrix", _IDENTITY)]
            inner = _multiply((own[0], own[1], own[2], own[3], own[4], own[5]), matrix) if len(own) == 6 else matrix
            _read_operators(thing, _content(thing), inner, strokes, depth + 1, left)
            return


def _named_objects(owner: Any) -> Iterator[tuple[str, Any]]:
    resources = dereference(owner.get("/Resources"))
    named: Any = dereference(resources.get("/XObject")) if hasattr(resources, "get") else None
    for name, thing in named.items() if hasattr(named, "items") else ():
        each = dereference(thing)
        if hasattr(each, "get"):
            yield str(name), each


def dereference(thing: Any) -> Any:
    """What a reference inside a PDF leads to, or the thing itself."""
    return thing.get_object() if hasattr(thing, "get_object") else thing


def _multiply(one: Matrix, other: Matrix) -> Matrix:
    """The transformation that does the first and then the second."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _transform(point: Point, matrix: Matrix) -> Point:
    x, y = point
    a, b, c, d, e, f = matrix
    return (round(a * x + c * y + e, 2), round(b * x + d * y + f, 2))
