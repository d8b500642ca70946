"""A directed graph in layers from top to bottom: the same graph always has the same drawing.

Sugiyama's method in its simplest form: cycles are cut, a node's layer is the longest way to it, long edges get a bend in
each layer between, each layer is ordered by the mean place of its neighbours, and within that order everything moves to
where its neighbours are, bends before nodes, so that long edges run straight.
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
_STRAIGHTENING_SWEEPS = 12
_BEND_WEIGHT = 8.0
"""How much more a bend asks for its place than a node does."""
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
    boxes = _boxes(rows, chains)
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
    for chain in chains.values():
        for offset, name in enumerate(chain[1:-1], layer[chain[0]] + 1):
            rows[offset].append(name)
    above, below = _neighbours(chains)
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


def _neighbours(chains: Mapping[_Edge, Sequence[str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What is joined to each node and bend in the layer above, and in the layer below."""
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for chain in chains.values():
        for upper, lower in pairwise(chain):
            below[upper].append(lower)
            above[lower].append(upper)
    return above, below


def _boxes(rows: Sequence[Sequence[str]], chains: Mapping[_Edge, Sequence[str]]) -> dict[str, Box]:
    """The rectangle of each node and bend."""
    widths = {name: _width(name) for row in rows for name in row}
    middles: dict[str, float] = {}
    for row in rows:
        x = -(sum(widths[name] for name in row) + _GAP * (len(row) - 1)) / 2
        for name in row:
            middles[name] = x + widths[name] / 2
            x += widths[name] + _GAP
    above, below = _neighbours(chains)
    for sweep in range(_STRAIGHTENING_SWEEPS):
        neighbours, order = (above, rows) if sweep % 2 == 0 else (below, rows[::-1])
        for row in order:
            wanted = [
                sum(middles[each] for each in neighbours[name]) / len(neighbours[name])
                if neighbours[name]
                else middles[name]
                for name in row
            ]
            middles.update(zip(row, _spread(row, wanted, widths), strict=True))
    left = min(middles[name] - widths[name] / 2 for name in widths)
    return {
        name: Box(
            name,
            _label(name),
            round(_MARGIN + middles[name] - widths[name] / 2 - left, 1),
            _MARGIN + depth * (_HEIGHT + _LAYER_GAP),
            widths[name],
        )
        for depth, row in enumerate(rows)
        for name in row
    }


def _spread(row: Sequence[str], wanted: Sequence[float], widths: Mapping[str, float]) -> list[float]:
    """The middles nearest to those wanted, in the least squares, that keep the order of a layer and its gaps.

    Without the room that each needs this is a monotone regression, which pools neighbours that would pass each other.
    """
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + (widths[one] + widths[other]) / 2 + _GAP)
    pools: list[tuple[float, float, int]] = []
    for name, want, offset in zip(row, wanted, offsets, strict=True):
        value, weight, count = want - offset, _BEND_WEIGHT if name.startswith("\0") else 1.0, 1
        while pools and pools[-1][0] > value:
            before, heavy, many = pools.pop()
            value = (before * heavy + value * weight) / (heavy + weight)
            weight, count = heavy + weight, count + many
        pools.append((value, weight, count))
    places = [value for value, _, count in pools for _ in range(count)]
    return [place + offset for place, offset in zip(places, offsets, strict=True)]


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
