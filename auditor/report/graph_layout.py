"""A directed graph in layers from top to bottom: the same graph always has the same drawing.

Sugiyama's method in its simplest form: cycles are cut, a node's layer is the longest way to it, long edges get a bend in
each layer between, and each layer is ordered by the mean place of its neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_NODES = 60
MAX_EDGES = 240
_MAX_BENDS = 1_500
_SWEEPS = 6
_LETTER = 7.3
"""Pixels of a letter at the size of the drawing's text."""
_PADDING, _HEIGHT, _GAP, _LAYER_GAP, _BEND, _MARGIN, _LANE = 14, 30, 18, 40, 8, 10, 16
MAX_LABEL = 28


@dataclass(frozen=True)
class Box:
    """A node: its name, the label in the drawing, and its rectangle in pixels."""

    name: str
    label: str
    x: float
    y: float
    width: float
    height: float = _HEIGHT


@dataclass(frozen=True)
class Curve:
    """An edge: the path of its line, that of its arrowhead, and whether it leads back to an earlier layer."""

    source: str
    target: str
    line: str
    head: str
    back: bool


@dataclass(frozen=True)
class Drawing:
    """Where everything of a graph is."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]


_Edge = tuple[str, str]


def draw_graph(nodes: Iterable[str], edges: Iterable[_Edge]) -> Drawing | None:
    """The drawing of a graph; None for an empty one and for one too large to be read."""
    listed = list(dict.fromkeys(edges))
    names = list(dict.fromkeys([*nodes, *(name for edge in listed for name in edge)]))
    if not names or len(names) > MAX_NODES or len(listed) > MAX_EDGES:
        return None
    back = _back_edges(names, listed)
    forward = [each for each in listed if each not in back]
    layer = _layers(names, forward)
    chains = _chains(forward, layer)
    if sum(map(len, chains.values())) - 2 * len(chains) > _MAX_BENDS:
        return None
    rows = _ordered(names, layer, chains)
    boxes = _boxes(rows)
    return _drawing(boxes, names, listed, chains)


def _back_edges(names: Sequence[str], edges: Sequence[_Edge]) -> set[_Edge]:
    """Edges that close a cycle, seen from the first nodes."""
    after: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        after[source].append(target)
    back = {each for each in edges if each[0] == each[1]}
    done: set[str] = set()
    for root in names:
        path: dict[str, int] = {}
        stack = [root] if root not in done else []
        while stack:
            name = stack[-1]
            at = path.setdefault(name, 0)
            if at == len(after[name]):
                done.add(name)
                del path[name]
                stack.pop()
                continue
            path[name] += 1
            target = after[name][at]
            if target in path:
                back.add((name, target))
            elif target not in done:
                stack.append(target)
    return back


def _layers(names: Sequence[str], forward: Sequence[_Edge]) -> dict[str, int]:
    """The longest way to each node, in edges."""
    after: dict[str, list[str]] = defaultdict(list)
    waiting = dict.fromkeys(names, 0)
    for source, target in forward:
        after[source].append(target)
        waiting[target] += 1
    layer = dict.fromkeys(names, 0)
    ready = [each for each in names if not waiting[each]]
    while ready:
        name = ready.pop(0)
        for target in after[name]:
            layer[target] = max(layer[target], layer[name] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return layer


def _chains(forward: Sequence[_Edge], layer: Mapping[str, int]) -> dict[_Edge, list[str]]:
    """Each edge as the way through all layers between: its ends and a bend in each. A bend's name begins with a zero byte."""
    return {
        (source, target): [
            source,
            *(f"\0{number}:{at}" for at in range(layer[source] + 1, layer[target])),
            target,
        ]
        for number, (source, target) in enumerate(forward)
    }


def _ordered(names: Sequence[str], layer: Mapping[str, int], chains: Mapping[_Edge, Sequence[str]]) -> list[list[str]]:
    """The nodes and bends of each layer from left to right."""
    rows: list[list[str]] = [[] for _ in range(max(layer.values()) + 1)]
    for name in names:
        rows[layer[name]].append(name)
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for chain in chains.values():
        for offset, (upper, lower) in enumerate(pairwise(chain), layer[chain[0]] + 1):
            below[upper].append(lower)
            above[lower].append(upper)
            if lower.startswith("\0"):
                rows[offset].append(lower)
    for sweep in range(_SWEEPS):
        neighbours, order = (above, rows[1:]) if sweep % 2 == 0 else (below, rows[-2::-1])
        place = {
            name: at / max(1, len(row) - 1) if len(row) > 1 else 0.5 for row in rows for at, name in enumerate(row)
        }
        for row in order:
            middle = {
                name: sum(place[each] for each in neighbours[name]) / len(neighbours[name])
                if neighbours[name]
                else place[name]
                for name in row
            }
            row.sort(key=middle.__getitem__)
            place.update((name, at / max(1, len(row) - 1) if len(row) > 1 else 0.5) for at, name in enumerate(row))
    return rows


def _boxes(rows: Sequence[Sequence[str]]) -> dict[str, Box]:
    """The rectangle of each node and bend; every layer is centred."""
    widths = {name: _width(name) for row in rows for name in row}
    spans = [sum(widths[name] for name in row) + _GAP * (len(row) - 1) for row in rows]
    whole = max(spans)
    boxes = {}
    for depth, (row, span) in enumerate(zip(rows, spans, strict=True)):
        x = _MARGIN + (whole - span) / 2
        y = _MARGIN + depth * (_HEIGHT + _LAYER_GAP)
        for name in row:
            boxes[name] = Box(name, _label(name), round(x, 1), y, widths[name])
            x += widths[name] + _GAP
    return boxes


def _label(name: str) -> str:
    return name if len(name) <= MAX_LABEL else f"{name[: MAX_LABEL - 1]}…"


def _width(name: str) -> float:
    return _BEND if name.startswith("\0") else round(2 * _PADDING + _LETTER * len(_label(name)), 1)


def _drawing(
    boxes: Mapping[str, Box], names: Sequence[str], edges: Sequence[_Edge], chains: Mapping[_Edge, Sequence[str]]
) -> Drawing:
    right = max(each.x + each.width for each in boxes.values())
    curves, lanes = [], 0
    for edge in edges:
        if edge in chains:
            curves.append(_down(edge, [boxes[name] for name in chains[edge]]))
        else:
            lanes += 1
            curves.append(_up(edge, boxes[edge[0]], boxes[edge[1]], right + lanes * _LANE))
    width = right + (lanes + 1) * _LANE if lanes else right
    height = max(each.y + each.height for each in boxes.values())
    return Drawing(round(width + _MARGIN), round(height + _MARGIN), tuple(boxes[name] for name in names), tuple(curves))


def _down(edge: _Edge, way: Sequence[Box]) -> Curve:
    """A line from the bottom of the first box through all bends to the top of the last."""
    parts = [f"M{_middle(way[0])} {way[0].y + _HEIGHT:g}"]
    for upper, lower in pairwise(way):
        start, end = upper.y + _HEIGHT, lower.y - (6 if lower is way[-1] else 0)
        half = (start + end) / 2
        parts.append(f"C{_middle(upper)} {half:g} {_middle(lower)} {half:g} {_middle(lower)} {end:g}")
        if lower is not way[-1]:
            parts.append(f"V{lower.y + _HEIGHT:g}")
    x, y = way[-1].x + way[-1].width / 2, way[-1].y
    return Curve(*edge, " ".join(parts), f"M{x - 4:g} {y - 7:g}L{x:g} {y:g}L{x + 4:g} {y - 7:g}Z", back=False)


def _up(edge: _Edge, source: Box, target: Box, lane: float) -> Curve:
    """A line along the right side, back to an earlier box or to the same one."""
    start, end = source.y + _HEIGHT * 0.65, target.y + _HEIGHT * 0.35
    x = target.x + target.width
    line = f"M{source.x + source.width:g} {start:g}C{lane:g} {start:g} {lane:g} {start:g} {lane:g} {(start + end) / 2:g}S{lane:g} {end:g} {x + 6:g} {end:g}"
    return Curve(*edge, line, f"M{x + 7:g} {end - 4:g}L{x:g} {end:g}L{x + 7:g} {end + 4:g}Z", back=True)


def _middle(box: Box) -> str:
    return f"{box.x + box.width / 2:g}"
