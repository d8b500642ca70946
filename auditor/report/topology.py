"""The graphs of an agent system on a page: those that the code builds, beside those that its documents draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from auditor.domain import AuditReport, Evidence
from auditor.report.graph_layout import Box, Curve, Drawing, draw_graph

MAX_GRAPHS = 4
_ENDS = ("START", "END")
MAX_LISTED = 60
"""Edges and notes of one graph that are written out."""


class _Data(BaseModel):
    """What is read of a fact's data, whatever else is in it."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Edge(_Data):
    source: str
    target: str
    conditional: bool = False


class _FanOut(_Data):
    source: str
    branches: tuple[str, ...]


class _FanIn(_Data):
    target: str
    sources: tuple[str, ...]


class _Graph(_Data):
    nodes: tuple[str, ...]
    edges: tuple[_Edge, ...]
    fan_out: tuple[_FanOut, ...] = ()
    fan_in: tuple[_FanIn, ...] = ()
    unresolved: tuple[str, ...] = ()
    subgraphs: tuple[str, ...] = ()
    dead: str = ""


class _Soundness(_Data):
    multiple_fires: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class _Diagram(_Data):
    source: str
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    matches_code: bool | None = None


class _Diagrams(_Data):
    diagrams: tuple[_Diagram, ...]


@dataclass(frozen=True)
class NodeShape:
    """A node of a drawing and how it is drawn."""

    box: Box
    kind: str
    """dead; or those of end, fan_out and fan_in that it is, with blanks between."""


@dataclass(frozen=True)
class EdgeShape:
    """An edge of a drawing and how it is drawn."""

    curve: Curve
    kind: str
    """conditional or plain, dead where it is not run."""


@dataclass(frozen=True)
class GraphView:
    """One graph: its title, a drawing if it can be drawn, and all of it in words."""

    title: str
    statement: str
    drawing: Drawing | None
    nodes: tuple[NodeShape, ...]
    edges: tuple[EdgeShape, ...]
    notes: tuple[str, ...]
    listed: tuple[str, ...]
    left: int


def built_graphs(report: AuditReport) -> tuple[GraphView, ...]:
    """The graphs that the code builds, as the probe of graphs has recorded them."""
    soundness = _soundness(report.evidence)
    found = ((each, _read(_Graph, each)) for each in report.evidence if each.probe == "swarm.graph")
    views = [_built(evidence, graph, soundness) for evidence, graph in found if graph is not None]
    return tuple(views[:MAX_GRAPHS])


def claimed_graphs(report: AuditReport) -> tuple[GraphView, ...]:
    """The graphs that documents draw."""
    views = [
        _claimed(evidence, diagram)
        for evidence in report.evidence
        if evidence.probe == "diagrams.parallel" and (data := _read(_Diagrams, evidence)) is not None
        for diagram in data.diagrams
        if diagram.nodes or diagram.edges
    ]
    return tuple(views[:MAX_GRAPHS])


_D = TypeVar("_D", bound=_Data)


def _read(kind: type[_D], evidence: Evidence) -> _D | None:
    """The data of a fact; None where it has none of that form. A record may come from anywhere."""
    if evidence.data is None:
        return None
    try:
        return kind.model_validate(evidence.data.model_dump())
    except ValidationError:
        return None


def _soundness(evidence: Iterable[Evidence]) -> _Soundness:
    found = [_read(_Soundness, each) for each in evidence if each.probe == "swarm.join_soundness"]
    known = [each for each in found if each is not None]
    return _Soundness(
        multiple_fires=tuple(name for each in known for name in each.multiple_fires),
        unreachable=tuple(name for each in known for name in each.unreachable),
        missing=tuple(name for each in known for name in each.missing),
    )


def _built(evidence: Evidence, graph: _Graph, soundness: _Soundness) -> GraphView:
    drawing = draw_graph(_from_start(graph), ((each.source, each.target) for each in graph.edges))
    dead = set(graph.nodes) if graph.dead else set(soundness.unreachable) | set(soundness.missing)
    out, joins = {each.source for each in graph.fan_out}, {each.target for each in graph.fan_in}
    conditional = {(each.source, each.target) for each in graph.edges if each.conditional}
    place = evidence.locations[0].spoken if evidence.locations else evidence.id
    return GraphView(
        title=place,
        statement=evidence.statement,
        drawing=drawing,
        nodes=tuple(NodeShape(each, _node_kind(each.name, dead, out, joins)) for each in drawing.boxes)
        if drawing
        else (),
        edges=tuple(EdgeShape(each, _edge_kind(each, dead, conditional)) for each in drawing.curves) if drawing else (),
        notes=tuple(_notes(graph, soundness))[:MAX_LISTED],
        listed=tuple(_sentence(each, dead) for each in graph.edges[:MAX_LISTED]),
        left=max(0, len(graph.edges) - MAX_LISTED),
    )


def _from_start(graph: _Graph) -> list[str]:
    """The nodes with the start first, so that cycles are cut where they return."""
    ends = {name for each in graph.edges for name in (each.source, each.target)}
    return [*(["START"] if "START" in ends else []), *graph.nodes]


def _node_kind(name: str, dead: set[str], out: set[str], joins: set[str]) -> str:
    if name in dead:
        return "dead"
    kinds = [kind for kind, names in (("end", _ENDS), ("fan_out", out), ("fan_in", joins)) if name in names]
    return " ".join(kinds)


def _edge_kind(curve: Curve, dead: set[str], conditional: set[tuple[str, str]]) -> str:
    if {curve.source, curve.target} & dead:
        return "dead"
    return "conditional" if (curve.source, curve.target) in conditional else "plain"


def _sentence(edge: _Edge, dead: set[str]) -> str:
    notes = [
        *(["conditional"] if edge.conditional else []),
        *(["never runs"] if {edge.source, edge.target} & dead else []),
    ]
    listed = f" ({', '.join(notes)})" if notes else ""
    return f"{edge.source} → {edge.target}{listed}"


def _notes(graph: _Graph, soundness: _Soundness) -> Iterator[str]:
    if graph.dead:
        yield f"Never runs: {graph.dead}"
    for each in graph.fan_out:
        yield f"Fan-out: {each.source} → {', '.join(each.branches)}"
    for join in graph.fan_in:
        yield f"Join: {join.target} ← {', '.join(join.sources)}"
    known = {*graph.nodes, "START", "END"}
    for title, names in (
        ("On no path from START to END", soundness.unreachable),
        ("Function is missing", soundness.missing),
        ("Runs more than once", soundness.multiple_fires),
        ("Graphs of their own", graph.subgraphs),
        ("Not resolved", graph.unresolved),
    ):
        named = [each for each in names if each in known or names is graph.unresolved]
        if named:
            yield f"{title}: {', '.join(named)}"
    yield from _without_edges(graph.nodes, ((each.source, each.target) for each in graph.edges))


def _without_edges(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The nodes that no edge names, which the list of edges therefore leaves out."""
    joined = {name for edge in edges for name in edge}
    if lone := [each for each in nodes if each not in joined]:
        yield f"No edges: {', '.join(lone)}"


def _claimed(evidence: Evidence, diagram: _Diagram) -> GraphView:
    drawing = draw_graph(diagram.nodes, diagram.edges)
    return GraphView(
        title=diagram.source,
        statement=evidence.statement,
        drawing=drawing,
        nodes=tuple(NodeShape(each, _node_kind(each.name, set(), set(), set())) for each in drawing.boxes)
        if drawing
        else (),
        edges=tuple(EdgeShape(each, "plain") for each in drawing.curves) if drawing else (),
        notes=tuple(_without_edges(diagram.nodes, diagram.edges)),
        listed=tuple(f"{source} → {target}" for source, target in diagram.edges[:MAX_LISTED]),
        left=max(0, len(diagram.edges) - MAX_LISTED),
    )
