"""Diagrams of a system, compared with the graph that its code builds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ConfigDict

from auditor.domain import Fact, Frozen, Location, ProbeData
from auditor.english_counts import by_count, pluralize
from auditor.forensics.agent_systems.system_report_types import END, START, AgentSystem, GraphData
from auditor.forensics.documents.mermaid import Diagram, ParallelStage, parallel_stages, parse
from auditor.forensics.documents.passages import DRAWING_PREFIX, Document, Image, Passage, PassageKind
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.lazy_regex import lazy_compile

_MIN_SHARED_NODES = 0.4
"""Share of the code's nodes that a diagram must name to show that graph."""
_MIN_IMAGE_PIXELS = 200
"""Pixels of the shorter side from which an image may be a diagram rather than an ornament."""


_STARTS = frozenset({"start", "begin", "entry", "startstate"})
_ENDS = frozenset({"end", "finish", "done", "stop", "exit", "endstate"})


class DrawnStage(Frozen):
    """A fan-out and its join as a diagram shows them."""

    source: str
    branches: tuple[str, ...]
    join: str


class DiagramData(Frozen):
    """One diagram. `matches_code` is null when there is nothing to compare it with, or nobody can look at it."""

    source: str
    kind: str
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    parallel_stages: tuple[DrawnStage, ...] = ()
    matches_code: bool | None = None


class Diagrams(ProbeData):
    """All diagrams of a fact."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    diagrams: tuple[DiagramData, ...]


@dataclass(frozen=True)
class _LocatedDrawing:
    """A diagram and its location."""

    document: Document
    passage: Passage
    drawing: Diagram

    @property
    def stages(self) -> tuple[ParallelStage, ...]:
        return parallel_stages(self.drawing)


@probe("diagrams.parallel")
def parallel(reports: Reports, system: AgentSystem) -> Iterator[Fact]:
    """Do the diagrams show the parallel branches of the code?

    Counts: a Mermaid diagram in a report that names enough nodes of the largest graph in the code and shows at least as many fan-outs
    that join again. Does not count: a diagram of something else, a chain where the code runs in parallel, and parallel branches
    that the code does not have. Images are shown to a model that can read them, or are reported as not viewed.

    Draw the graph that the code builds: each fan-out with all its branches, the node that waits for them, and the order of the stages.
    """
    shown = [each for document in reports.documents for each in _drawings(document)]
    pictures = [(document, image) for document in reports.documents for image in document.images if _may_show(image)]
    announced = [each for document in reports.documents for each in _captions_without_image(document)]
    graph = _main_graph(system)
    if shown:
        yield _answer(shown, graph)
    if pictures:
        yield unavailable(
            _unseen_text(pictures),
            at=[_image_at(document, image) for document, image in pictures[:50]],
            data=Diagrams(
                diagrams=tuple(
                    DiagramData(source=_source(document, image.page or image.line), kind="image")
                    for document, image in pictures
                )
            ),
        )
    elif announced and not shown:
        yield unavailable(
            f"{pluralize(len(announced), 'caption')} without an image: {by_count(len(announced), 'the diagram is', 'the diagrams are')} drawn with lines, which are not read.",
            at=[document.at(passage) for document, passage in announced[:50]],
        )
    elif not shown and any(not document.problem for document in reports.documents):
        yield not_found(
            "No document shows a diagram of the system.",
            confidence=0.8,
            because="diagrams drawn with characters are not read",
        )
    elif not shown:
        yield unavailable(reports.absence)


def _unseen_text(pictures: list[tuple[Document, Image]]) -> str:
    """A sentence about images and pages with diagrams that were not viewed."""
    drawn = [(document.name, image.page) for document, image in pictures if image.name.startswith(DRAWING_PREFIX)]
    images = len(pictures) - len(drawn)
    said = [_unseen_images(images)] if images else []
    if drawn:
        pages = len(set(drawn))
        hold = "1 page has a diagram" if pages == 1 else f"{pages} pages have diagrams"
        said.append(f"{hold} drawn with lines, which could not be viewed: pages are not rendered.")
    return " ".join(said)


def _unseen_images(count: int) -> str:
    if count == 1:
        return "1 image may be a diagram and was not viewed."
    return f"{count} images may be diagrams and were not viewed."


def _answer(shown: list[_LocatedDrawing], graph: GraphData | None) -> Fact:
    data = Diagrams(diagrams=tuple(_data(each, graph) for each in shown))
    expected = _code_stages(graph)
    right = [
        each
        for each, about in zip(shown, data.diagrams, strict=True)
        if each.stages and (about.matches_code or graph is None)
    ]
    places = [each.document.at(each.passage) for each in (right or shown)[:20]]
    if right:
        most = max(len(each.stages) for each in right)
        stages = "stage" if (expected if graph is not None else most) == 1 else "stages"
        return found(
            f"A diagram shows the parallel {stages} of the code."
            if graph is not None
            else f"A diagram shows {most} parallel {stages}.",
            at=places,
            confidence=0.9 if graph is not None else 0.6,
            because="nodes were compared by name" if graph is not None else "the code has no graph to compare it with",
            data=data,
        )
    if graph is not None and not expected and any(each.stages for each in shown):
        statement = "A diagram shows parallel stages that the graph in the code does not have."
    elif expected:
        most = max(len(each.stages) for each in shown)
        statement = f"No diagram shows the {expected} parallel {'stage' if expected == 1 else 'stages'} of the code; the best shows {most or 'none'}."
    elif any(about.matches_code for about in data.diagrams):
        statement = "No diagram shows a parallel stage, and the code has none either."
    else:
        statement = "No diagram shows a parallel stage."
    return not_found(statement, at=places, confidence=0.8, because="nodes were compared by name", data=data)


def _drawings(document: Document) -> Iterator[_LocatedDrawing]:
    for passage in document.passages:
        if passage.kind is PassageKind.CODE and (passage.language == "mermaid" or not passage.language):
            drawing = parse(passage.text)
            if drawing is not None and drawing.arrows:
                yield _LocatedDrawing(document, passage, drawing)


_CAPTION = lazy_compile(
    r"^(?:fig(?:ure|\.|ura)?\s*\d|abbildung\s*\d|(?:[\d.]+\s+)?[\w\s-]{0,60}\bdiagrams?(?::.*)?$)", re.IGNORECASE
)


def _captions_without_image(document: Document) -> Iterator[tuple[Document, Passage]]:
    """Captions of diagrams without an image: PDF draws them with lines that no text extraction sees."""
    for passage in document.passages:
        if passage.page is not None and len(passage.text) < 200 and _CAPTION.match(passage.text):
            yield document, passage


def _main_graph(system: AgentSystem) -> GraphData | None:
    """The largest graph of the code that can run."""
    graphs = [
        each.data
        for each in system.answers.get("swarm.graph", ())
        if isinstance(each.data, GraphData) and not each.data.dead
    ]
    return max(graphs, key=lambda each: len(each.nodes)) if graphs else None


def _code_stages(graph: GraphData | None) -> int:
    """Fan-outs of the code whose branches meet again."""
    if graph is None:
        return 0
    joined = [set(each.sources) for each in graph.fan_in]
    return sum(any(len(set(each.branches) & sources) > 1 for sources in joined) for each in graph.fan_out) or len(
        graph.fan_out
    )


def _data(each: _LocatedDrawing, graph: GraphData | None) -> DiagramData:
    return DiagramData(
        source=_source(each.document, each.passage.page or each.passage.line),
        kind="mermaid",
        nodes=tuple(each.drawing.nodes.values()),
        edges=tuple((arrow.source, arrow.target) for arrow in each.drawing.arrows),
        parallel_stages=tuple(
            DrawnStage(source=stage.source, branches=stage.branches, join=stage.join) for stage in each.stages
        ),
        matches_code=None if graph is None else _matches(each, graph),
    )


def _matches(each: _LocatedDrawing, graph: GraphData) -> bool:
    """Does it name enough of the code's nodes, and show as many parallel stages, or none where the code has none?"""
    drawn = [_normalize_name(word) for item in each.drawing.nodes.items() for word in item]
    nodes = [_normalize_name(name) for name in graph.nodes if name not in (START, END)]
    named = sum(any(_may_mean(name, word) for word in drawn) for name in nodes)
    if not nodes or named < _MIN_SHARED_NODES * len(nodes):
        return False
    expected = _code_stages(graph)
    return len(each.stages) >= expected if expected else not each.stages and _same_edges(each.drawing, graph)


def _may_mean(name: str, word: str) -> bool:
    """May a drawn word mean a node of the code?"""
    return bool(name) and (name in word or (len(word) > 3 and word in name))


def _same_edges(drawing: Diagram, graph: GraphData) -> bool:
    """Is at least half of the code's edges drawn, and at least half of what is drawn between its nodes in the code?"""
    meant = {key: _node_for(key, label, graph) for key, label in drawing.nodes.items()}
    drawn = {(meant.get(arrow.source, ""), meant.get(arrow.target, "")) for arrow in drawing.arrows}
    drawn = {pair for pair in drawn if all(pair) and pair[0] != pair[1]}
    ends = {end for pair in drawn for end in pair}
    code = {(edge.source, edge.target) for edge in graph.edges if {edge.source, edge.target} - {START, END} <= ends}
    code = {pair for pair in code if ends.issuperset(pair) or not {START, END}.isdisjoint(pair)}
    if START not in ends:
        code = {pair for pair in code if pair[0] != START}
    if END not in ends:
        code = {pair for pair in code if pair[1] != END}
    both = len(drawn & code)
    return both > 0 and 2 * both >= len(code) and 2 * both >= len(drawn)


def _node_for(key: str, label: str, graph: GraphData) -> str:
    """The node of the code that a drawn one stands for; START and END by their usual names."""
    words = [_normalize_name(key), _normalize_name(label)]
    if any(word in _STARTS for word in words):
        return START
    if any(word in _ENDS for word in words):
        return END
    nodes = {name: _normalize_name(name) for name in graph.nodes if name not in (START, END)}
    exact = next((name for name, plain in nodes.items() if plain in words), "")
    return exact or next((name for name, plain in nodes.items() if any(_may_mean(plain, word) for word in words)), "")


def _normalize_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]|node$", "", name.lower())


def _may_show(image: Image) -> bool:
    if image.width and image.height:
        return min(image.width, image.height) >= _MIN_IMAGE_PIXELS
    return not re.search(r"shields\.io|badge|logo|avatar|\.ico$", image.name, re.IGNORECASE)


def _image_at(document: Document, image: Image) -> Location:
    place = Passage(PassageKind.PARAGRAPH, image.name[:200], page=image.page, line=image.line)
    return document.at(place) if image.page or image.line else code_location(document.name, quote=image.name[:200])


def _source(document: Document, place: int | None) -> str:
    return f"{document.name}:{place}" if place else document.name
