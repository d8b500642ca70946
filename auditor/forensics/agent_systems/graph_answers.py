"""Answers about the graph: topology, parallel stages, error routes, soundness of joins."""

from __future__ import annotations

from auditor.english_counts import pluralize
from auditor.forensics.agent_systems import graph_topology
from auditor.forensics.agent_systems.abstract_values import Unknown
from auditor.forensics.agent_systems.agent_graph import Graph
from auditor.forensics.agent_systems.count_phrases import name_some
from auditor.forensics.agent_systems.error_routes import error_route
from auditor.forensics.agent_systems.failure_names import names_error
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.node_concurrency import concurrent_places
from auditor.forensics.agent_systems.router_keys import missing_state_keys
from auditor.forensics.agent_systems.system_report_types import (
    END,
    ProbeAnswer,
    Route,
    RoutesData,
    SoundnessData,
    Spot,
    Stage,
    StagesData,
)

_NO_GRAPH = "No LangGraph graph is built in the product code."
_MAX_GRAPHS = 12
_PREBUILT_CONFIDENCE = 0.9
"""How sure the shape of a graph is that a library lays out."""
_CONCURRENT_NODES_CONFIDENCE = 0.75
"""How sure it is that there is no further stage, where nodes start several things at once by themselves."""
_MISSING_FIELD_CONFIDENCE = 0.8
"""How sure it is that what a router looks for is never there, where no field of the state bears the name."""
_MAX_TARGETS = 5
"""Ways of a router that are named."""
_UNUSED_TARGET_CONFIDENCE = 0.7
"""How sure it is that a router never decides for a node that its path map offers."""
_UNFOLLOWED_EDGES_CONFIDENCE = 0.5
"""How sure it is that nothing leads to a node, where not every edge could be followed."""


def graph_answers(study: ProgramStudy) -> Answers:
    """All answers about graphs."""
    main = study.main_graph
    if main is None:
        return dict.fromkeys(
            ("swarm.graph", "swarm.parallel_stages", "swarm.error_routes", "swarm.join_soundness"),
            (_no_graph_answer(study),),
        )
    if not main.handlers and main.unresolved:
        return _unnamed_nodes_answer(study, main)
    told = [each for each in study.live_graphs if each is main or each.handlers or each.edges]
    return {
        "swarm.graph": tuple(_topology_answer(study, each) for each in told[:_MAX_GRAPHS]) + tuple(_dead_graphs(study)),
        "swarm.parallel_stages": (_stages_answer(study, main),),
        "swarm.error_routes": (_error_routes_answer(study, main),),
        "swarm.join_soundness": (_soundness_answer(study, main),),
    }


def _no_graph_answer(study: ProgramStudy) -> ProbeAnswer:
    if not study.python:
        return ProbeAnswer(answer=None, statement="There is no product code in Python or for LangGraph.js.")
    return incomplete_reading_answer(study) or no_graph_answer(study, _NO_GRAPH)


def incomplete_reading_answer(study: ProgramStudy) -> ProbeAnswer | None:
    """No answer about a graph: the code that may build one was not read, or not come to."""
    if study.main_graph is None and study.program.dark:
        path = study.program.dark[0]
        statement = f"The graph that `{path}` may build could not be read: {study.program.unread[path]}."
        return ProbeAnswer(answer=None, unanswered=True, statement=statement)
    if not study.unread_builders:
        return None
    statement = (
        f"The code exceeds the analysis limit, so the graph that `{study.unread_builders}` may build was not analysed."
    )
    return ProbeAnswer(answer=None, unanswered=True, statement=statement)


def no_graph_answer(study: ProgramStudy, statement: str, *, of: float = 0.95) -> ProbeAnswer:
    """That there is no graph; bounds that were reached matter little where no code left unread calls a builder."""
    sure, why = study.doubt(of=of)
    if study.run.exhausted or study.run.cut:
        sure, why = 0.8, "the code exceeds the analysis limit, but none of it calls a builder by name"
    return ProbeAnswer(answer=False, statement=statement, confidence=sure, because=why)


def _unnamed_nodes_answer(study: ProgramStudy, main: Graph) -> Answers:
    """Answers about a graph none of whose nodes is known: hardly any."""
    sure, why = reading_confidence(main)
    where = graph_spots(study, main)
    built = "A graph is built, but the names of its nodes are only known at run time."
    found = ProbeAnswer(answer=True, statement=built, data=main.data(), spots=where, confidence=sure, because=why)
    unseen = ProbeAnswer(answer=False, statement="None of the graph's nodes could be resolved.", spots=where[:1], confidence=min(sure, 0.4), because=why)  # fmt: skip
    told = "; ".join(dict.fromkeys(main.unresolved[:3]))
    unsound = ProbeAnswer(
        answer=None, unanswered=True, statement=f"None of the graph's nodes could be resolved: {told}.", spots=where[:1]
    )
    return {
        "swarm.graph": (found, *_dead_graphs(study)),
        "swarm.parallel_stages": (unseen.model_copy(update={"data": StagesData(stages=()), "measure": 0.0}),),
        "swarm.error_routes": (unseen.model_copy(update={"data": RoutesData(routes=())}),),
        "swarm.join_soundness": (unsound,),
    }


def reading_confidence(graph: Graph, *, base: float = 1.0) -> tuple[float, str]:
    """How sure a reading of a graph is, by what of it could not be followed."""
    missing = list(dict.fromkeys(graph.unresolved))
    if graph.builder.prebuilt and not missing and base > _PREBUILT_CONFIDENCE:
        return (
            _PREBUILT_CONFIDENCE,
            f"the graph that `{graph.builder.prebuilt}` builds depends on the library's version",
        )
    if missing:
        told = "; ".join(missing[:3])
        return round(max(0.35, min(base, 0.85) - 0.1 * len(missing)), 4), f"not fully resolved: {told}"
    return base, "" if base >= 1 else "run-time behavior was not analysed"


def graph_spots(study: ProgramStudy, graph: Graph) -> tuple[Spot, ...]:
    """Where a graph is built: its builder, then each step by its line."""
    places = [graph.builder.place, *(step.call.place for step in graph.builder.steps)]
    lines = {(place.unit.path, place.line): place for place in places}
    return tuple(study.place_spot(place) for place in list(lines.values())[:200])


def _topology_answer(study: ProgramStudy, graph: Graph) -> ProbeAnswer:
    data = graph.data()
    parallel = pluralize(len(data.fan_out), "fan-out") if data.fan_out else "no fan-out"
    shape = "a straight line" if data.linear else parallel
    which = "" if graph is study.main_graph else "Another graph"
    by = f", built by `{graph.builder.prebuilt}`," if graph.builder.prebuilt else ""
    size = f"{pluralize(len(data.nodes), 'node')} and {pluralize(len(data.edges), 'edge')}"
    statement = f"{which or 'The graph'}{by} has {size}: {shape}."
    sure, why = reading_confidence(graph)
    data = data.model_copy(update={"beside": concurrent_places(study, graph)})
    return ProbeAnswer(
        answer=True, statement=statement, data=data, spots=graph_spots(study, graph), confidence=sure, because=why
    )


def _dead_graphs(study: ProgramStudy) -> list[ProbeAnswer]:
    found = []
    for graph in study.graphs:
        if graph.dead and graph is not study.main_graph:
            place = graph.builder.place
            found.append(
                ProbeAnswer(
                    answer=True,
                    statement=f"A graph of {pluralize(len(graph.handlers), 'node')} is dead code: {graph.dead}.",
                    data=graph.data(),
                    spots=(study.place_spot(place),),
                    confidence=0.8,
                    because="code outside this repository may use it",
                )
            )
    return found[:_MAX_GRAPHS]


def all_stages(study: ProgramStudy, graph: Graph) -> tuple[Stage, ...]:
    """The stages of a graph and of the graphs inside it; the latter by `node/inner`."""
    found = list(graph_topology.find_stages(graph.topology()))
    by_builder = {id(each.builder.place.node): each for each in study.graphs}
    for node, builder in graph.inner.items():
        inner = by_builder.get(id(builder.place.node))
        if inner is None or inner is graph:
            continue
        for stage in graph_topology.find_stages(inner.topology()):
            join = node if stage.join == END else f"{node}/{stage.join}"
            branches = tuple(f"{node}/{each}" for each in stage.branches)
            found.append(Stage(source=f"{node}/{stage.source}", branches=branches, join=join))
    return tuple(found)


def _stages_answer(study: ProgramStudy, graph: Graph) -> ProbeAnswer:
    stages = all_stages(study, graph)
    data = StagesData(stages=stages)
    told = "; ".join(f"{stage.source} to {', '.join(stage.branches)}, joined at {stage.join}" for stage in stages[:4])
    sure, why = reading_confidence(graph)
    where = graph_spots(study, graph)
    if len(stages) >= 2:
        statement = f"The graph has {len(stages)} fan-out/fan-in stages: {told}."
        return ProbeAnswer(
            answer=True, statement=statement, data=data, spots=where, confidence=sure, because=why, measure=1.0
        )
    shape = (
        "runs in a straight line"
        if graph_topology.is_linear(graph.topology())
        else "has no parallel nodes that join again"
    )
    statement = f"The graph has only one fan-out/fan-in stage: {told}." if stages else f"The graph {shape}."
    aside = concurrent_places(study, graph)
    if aside and not graph.builder.prebuilt:
        statement += f" Parallel work inside a single node ({name_some(aside)}) is not a stage of the graph."
        sure, why = (
            min(sure, _CONCURRENT_NODES_CONFIDENCE),
            why or "parallel work inside a node may be equivalent to a stage",
        )
    return ProbeAnswer(
        answer=False, statement=statement, data=data, spots=where, confidence=sure, because=why, measure=len(stages) / 2
    )


def _error_routes_answer(study: ProgramStudy, main: Graph) -> ProbeAnswer:
    graphs = [main, *(each for each in study.live_graphs if each is not main and each.is_subgraph)]
    routers = [(graph, router) for graph in graphs for router in graph.routers]
    every = [(graph, found) for graph, router in routers if (found := error_route(graph, router)) is not None]
    vain = {key for graph, found in every for key in missing_state_keys(study, graph, found.handles)}
    routes = [found for graph, found in every if not missing_state_keys(study, graph, found.handles)]
    data = RoutesData(routes=tuple(routes))
    sure, why = reading_confidence(main, base=0.95)
    if routes:
        told = "; ".join(f"after {each.source} to {_targets_phrase(each)} ({each.handles})" for each in routes[:3])
        places = tuple(
            study.line(study.program.units[each.path], each.line) for each in routes if each.path in study.program.units
        )
        return ProbeAnswer(
            answer=True,
            statement=f"Conditional edges handle errors or missing data: {told}.",
            data=data,
            spots=places,
            confidence=sure,
            because=why,
        )
    if vain:
        names = name_some(sorted(vain))
        statement = (
            f"Conditional edges check {names}, which is not a field of the state, so they never detect a failure."
        )
        places = tuple(
            study.line(study.program.units[found.path], found.line)
            for _, found in every
            if found.path in study.program.units
        )
        return ProbeAnswer(
            answer=False, statement=statement, data=data, spots=places, confidence=min(sure, _MISSING_FIELD_CONFIDENCE),
            because=why or "the key may be added to the state at run time",
        )  # fmt: skip
    if routers:
        statement = f"The graph has {pluralize(len(routers), 'conditional edge')}, but none handles missing evidence or a failure."
        places = tuple(study.place_spot(router.place) for _, router in routers[:20])
        return ProbeAnswer(
            answer=False,
            statement=statement,
            data=data,
            spots=places,
            confidence=min(sure, 0.8),
            because=why or "the condition of a router may not be visible",
        )
    statement = "The graph has no conditional edge: failed nodes and missing evidence are treated as success."
    return ProbeAnswer(
        answer=False, statement=statement, data=data, spots=graph_spots(study, main)[:1], confidence=sure, because=why
    )


def _targets_phrase(found: Route) -> str:
    """Where a route leads, in words."""
    if len(found.targets) <= _MAX_TARGETS:
        return " or ".join(found.targets)
    return f"one of {len(found.targets)} nodes"


def _unsound_joins(main: Graph) -> tuple[str, ...]:
    """Nodes that run more than once in a pass; what several failures lead to, each on its own condition, is no join."""
    sure = {edge.target for edge in main.edges if not edge.conditional}
    return tuple(
        each for each in graph_topology.nodes_fired_twice(main.topology()) if each in sure or not names_error(each)
    )


def _nodes_without_function(study: ProgramStudy, main: Graph) -> dict[str, str]:
    """Nodes whose function is imported from a file of the project that has none of that name."""
    found: dict[str, str] = {}
    for node, handler in main.handlers.items():
        if isinstance(handler, Unknown) and node in main.places:
            path = study.run.imports.lacking.get((main.places[node].unit.path, handler.hint))
            if path is not None:
                found[node] = path
    return found


def _soundness_answer(study: ProgramStudy, main: Graph) -> ProbeAnswer:
    shape = main.topology()
    twice, lost = _unsound_joins(main), graph_topology.unreachable(shape)
    loose = [node for node in graph_topology.dead_ends(shape) if node in lost]
    missing = _nodes_without_function(study, main)
    data = SoundnessData(multiple_fires=twice, unreachable=lost, missing=tuple(missing))
    sure, why = reading_confidence(main, base=0.95)
    if not twice and not lost and not missing:
        met = "Every join runs once" if graph_topology.find_fan_ins(shape) else "No branches join"
        return ProbeAnswer(
            answer=True, statement=f"{met}, and every node is on a path from START to END.", data=data,
            spots=graph_spots(study, main)[:1], confidence=sure, because=why,
        )  # fmt: skip
    if lost and main.unresolved and not twice:
        sure = min(sure, _UNFOLLOWED_EDGES_CONFIDENCE)
    said = []
    if twice:
        runs = "runs" if len(twice) == 1 else "run"
        said.append(
            f"{', '.join(twice)} {runs} more than once in a pass, because branches of different length lead there"
        )
    listed = [
        node
        for node in lost
        if node not in loose and node not in graph_topology.unreachable(graph_topology.topology_of_data(main.data()))
    ]
    far = [node for node in lost if node not in loose and node not in listed]
    if far:
        said.append(f"{', '.join(far)} {'is' if len(far) == 1 else 'are'} on no path from START to END")
    if listed:
        said.append(
            f"{', '.join(listed)} {'is a target' if len(listed) == 1 else 'are targets'} that no router ever selects"
        )
        if not twice and not far and not missing:
            sure, why = (
                min(sure, _UNUSED_TARGET_CONFIDENCE),
                "a router may decide differently with another configuration",
            )
    if loose:
        said.append(f"{', '.join(loose)} {'has' if len(loose) == 1 else 'have'} no edge to END")
    said += [
        f"the function of {node} is imported from `{path}`, which does not define it" for node, path in missing.items()
    ]
    if not twice and not far and not listed and not missing:
        sure, why = min(sure, 0.6), why or "LangGraph itself ends a run at a node without an outgoing edge"
    places = tuple(study.place_spot(main.places[node]) for node in (*twice, *lost, *missing) if node in main.places)
    return ProbeAnswer(
        answer=False,
        statement=f"The graph is not sound: {'; '.join(said)}.",
        data=data,
        spots=places or graph_spots(study, main)[:1],
        confidence=sure,
        because=why,
    )
