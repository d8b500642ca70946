"""Answers about the graph: topology, parallel stages, error routes, soundness of joins."""

from __future__ import annotations

from auditor.forensics.agent_systems import graph_topology
from auditor.forensics.agent_systems.abstract_values import Unknown
from auditor.forensics.agent_systems.count_phrases import counted, some_of
from auditor.forensics.agent_systems.error_routes import route, speaks_of_trouble
from auditor.forensics.agent_systems.graph_construction import Graph
from auditor.forensics.agent_systems.node_concurrency import beside
from auditor.forensics.agent_systems.program_analysis import Answers, Study
from auditor.forensics.agent_systems.router_keys import keys_lacking
from auditor.forensics.agent_systems.system_report_types import (
    END,
    Judged,
    Route,
    RoutesData,
    SoundnessData,
    Spot,
    Stage,
    StagesData,
)

_NO_GRAPH = "No LangGraph graph is built in the product code."
_MAX_GRAPHS = 12
_LAID_OUT = 0.9
"""How sure the shape of a graph is that a library lays out."""
_INSIDE = 0.75
"""How sure it is that there is no further stage, where nodes start several things at once by themselves."""
_NO_FIELD = 0.8
"""How sure it is that what a router looks for is never there, where no field of the state bears the name."""
_MAX_TARGETS = 5
"""Ways of a router that are named."""
_AS_SET_UP = 0.7
"""How sure it is that a router never decides for a node that its path map offers."""
_HALF_FOLLOWED = 0.5
"""How sure it is that nothing leads to a node, where not every edge could be followed."""


def answers(study: Study) -> Answers:
    """All answers about graphs."""
    main = study.main
    if main is None:
        return dict.fromkeys(
            ("swarm.graph", "swarm.parallel_stages", "swarm.error_routes", "swarm.join_soundness"), (_none(study),)
        )
    if not main.handlers and main.unresolved:
        return _nameless(study, main)
    told = [each for each in study.live_graphs if each is main or each.handlers or each.edges]
    return {
        "swarm.graph": tuple(_topology(study, each) for each in told[:_MAX_GRAPHS]) + tuple(_dead(study)),
        "swarm.parallel_stages": (_stages(study, main),),
        "swarm.error_routes": (_error_routes(study, main),),
        "swarm.join_soundness": (_soundness(study, main),),
    }


def _none(study: Study) -> Judged:
    if not study.python:
        return Judged(
            answer=None, statement="There is no product code in Python or for LangGraph.js to read a graph from."
        )
    return cut_off(study) or silent(study, _NO_GRAPH)


def cut_off(study: Study) -> Judged | None:
    """No answer about a graph: the code that may build one was not read, or not come to."""
    if study.main is None and study.program.dark:
        path = study.program.dark[0]
        statement = f"The graph that {path} may build was not read: {study.program.unread[path]}."
        return Judged(answer=None, unanswered=True, statement=statement)
    if not study.overlooked:
        return None
    statement = f"There is more code than is followed, and the graph that {study.overlooked} may build was not reached."
    return Judged(answer=None, unanswered=True, statement=statement)


def silent(study: Study, statement: str, *, of: float = 0.95) -> Judged:
    """That there is no graph; bounds that were reached matter little where no code left unread calls a builder."""
    sure, why = study.doubt(of=of)
    if study.run.exhausted or study.run.cut:
        sure, why = 0.8, "there is more code than is followed, but none of it calls a builder by its name"
    return Judged(answer=False, statement=statement, confidence=sure, because=why)


def _nameless(study: Study, main: Graph) -> Answers:
    """Answers about a graph none of whose nodes could be told: hardly any."""
    sure, why = sureness(main)
    where = spots(study, main)
    built = "A graph is built; what its nodes are called only a run would tell."
    found = Judged(answer=True, statement=built, data=main.data(), spots=where, confidence=sure, because=why)
    unseen = Judged(answer=False, statement="None of the graph's nodes could be followed.", spots=where[:1], confidence=min(sure, 0.4), because=why)  # fmt: skip
    told = "; ".join(dict.fromkeys(main.unresolved[:3]))
    unsound = Judged(
        answer=None, unanswered=True, statement=f"None of the graph's nodes could be followed: {told}.", spots=where[:1]
    )
    return {
        "swarm.graph": (found, *_dead(study)),
        "swarm.parallel_stages": (unseen.model_copy(update={"data": StagesData(stages=()), "measure": 0.0}),),
        "swarm.error_routes": (unseen.model_copy(update={"data": RoutesData(routes=())}),),
        "swarm.join_soundness": (unsound,),
    }


def sureness(graph: Graph, *, base: float = 1.0) -> tuple[float, str]:
    """How sure a reading of a graph is, by what of it could not be followed."""
    missing = list(dict.fromkeys(graph.unresolved))
    if graph.builder.prebuilt and not missing and base > _LAID_OUT:
        return _LAID_OUT, f"the library lays out what {graph.builder.prebuilt} makes, by its version"
    if missing:
        told = "; ".join(missing[:3])
        return round(max(0.35, min(base, 0.85) - 0.1 * len(missing)), 4), f"not followed to the end: {told}"
    return base, "" if base >= 1 else "what happens at run time only is not seen"


def spots(study: Study, graph: Graph) -> tuple[Spot, ...]:
    """Where a graph is built: its builder, then each step by its line."""
    places = [graph.builder.place, *(step.call.place for step in graph.builder.steps)]
    lines = {(place.unit.path, place.line): place for place in places}
    return tuple(study.line(place.unit, place.line) for place in list(lines.values())[:200])


def _topology(study: Study, graph: Graph) -> Judged:
    data = graph.data()
    parallel = counted(len(data.fan_out), "fan-out") if data.fan_out else "no fan-out"
    shape = "a straight line" if data.linear else parallel
    which = "" if graph is study.main else "A further graph"
    by = f", laid out by {graph.builder.prebuilt}," if graph.builder.prebuilt else ""
    size = f"{counted(len(data.nodes), 'node')} and {counted(len(data.edges), 'edge')}"
    statement = f"{which or 'The graph'}{by} has {size}: {shape}."
    sure, why = sureness(graph)
    data = data.model_copy(update={"beside": beside(study, graph)})
    return Judged(answer=True, statement=statement, data=data, spots=spots(study, graph), confidence=sure, because=why)


def _dead(study: Study) -> list[Judged]:
    found = []
    for graph in study.graphs:
        if graph.dead and graph is not study.main:
            place = graph.builder.place
            found.append(
                Judged(
                    answer=True,
                    statement=f"A graph of {counted(len(graph.handlers), 'node')} is dead code: {graph.dead}.",
                    data=graph.data(),
                    spots=(study.line(place.unit, place.line),),
                    confidence=0.8,
                    because="something outside this repository may use it",
                )
            )
    return found[:_MAX_GRAPHS]


def all_stages(study: Study, graph: Graph) -> tuple[Stage, ...]:
    """The stages of a graph and of the graphs inside it; the latter by `node/inner`."""
    found = list(graph_topology.stages(graph.topology()))
    by_builder = {id(each.builder.place.node): each for each in study.graphs}
    for node, builder in graph.inner.items():
        inner = by_builder.get(id(builder.place.node))
        if inner is None or inner is graph:
            continue
        for stage in graph_topology.stages(inner.topology()):
            join = node if stage.join == END else f"{node}/{stage.join}"
            branches = tuple(f"{node}/{each}" for each in stage.branches)
            found.append(Stage(source=f"{node}/{stage.source}", branches=branches, join=join))
    return tuple(found)


def _stages(study: Study, graph: Graph) -> Judged:
    stages = all_stages(study, graph)
    data = StagesData(stages=stages)
    told = "; ".join(f"{stage.source} to {', '.join(stage.branches)}, joined at {stage.join}" for stage in stages[:4])
    sure, why = sureness(graph)
    where = spots(study, graph)
    if len(stages) >= 2:
        statement = f"The graph has {len(stages)} fan-out/fan-in stages: {told}."
        return Judged(
            answer=True, statement=statement, data=data, spots=where, confidence=sure, because=why, measure=1.0
        )
    shape = (
        "runs in a straight line"
        if graph_topology.is_linear(graph.topology())
        else "never runs two nodes side by side that meet again"
    )
    statement = f"The graph has one fan-out/fan-in stage only: {told}." if stages else f"The graph {shape}."
    aside = beside(study, graph)
    if aside and not graph.builder.prebuilt:
        statement += f" Inside single nodes work runs side by side ({some_of(aside)}), which is no stage of the graph."
        sure, why = min(sure, _INSIDE), why or "work that a node starts itself may amount to a stage"
    return Judged(
        answer=False, statement=statement, data=data, spots=where, confidence=sure, because=why, measure=len(stages) / 2
    )


# -- error routes ---------------------------------------------------------------------------------------------------


def _error_routes(study: Study, main: Graph) -> Judged:
    graphs = [main, *(each for each in study.live_graphs if each is not main and each.is_inner)]
    routers = [(graph, router) for graph in graphs for router in graph.routers]
    every = [(graph, found) for graph, router in routers if (found := route(graph, router)) is not None]
    vain = {key for graph, found in every for key in keys_lacking(study, graph, found.handles)}
    routes = [found for graph, found in every if not keys_lacking(study, graph, found.handles)]
    data = RoutesData(routes=tuple(routes))
    sure, why = sureness(main, base=0.95)
    if routes:
        told = "; ".join(f"after {each.source} to {_to(each)} ({each.handles})" for each in routes[:3])
        places = tuple(
            study.line(study.program.units[each.path], each.line) for each in routes if each.path in study.program.units
        )
        return Judged(
            answer=True,
            statement=f"Conditional edges handle what goes wrong: {told}.",
            data=data,
            spots=places,
            confidence=sure,
            because=why,
        )
    if vain:
        names = some_of(sorted(vain))
        statement = f"Conditional edges look for {names}, which the state does not have: they never see that anything went wrong."
        places = tuple(
            study.line(study.program.units[found.path], found.line)
            for _, found in every
            if found.path in study.program.units
        )
        return Judged(
            answer=False, statement=statement, data=data, spots=places, confidence=min(sure, _NO_FIELD),
            because=why or "a key that no field has may come in by a way the code does not show",
        )  # fmt: skip
    if routers:
        statement = f"The graph decides {'once' if len(routers) == 1 else f'{len(routers)} times'} where to go, but never on missing evidence or a failure."
        places = tuple(study.line(router.place.unit, router.place.line) for _, router in routers[:20])
        return Judged(
            answer=False,
            statement=statement,
            data=data,
            spots=places,
            confidence=min(sure, 0.8),
            because=why or "a router may hide what it looks at",
        )
    statement = "The graph has no conditional edge: a failed node or missing evidence goes on like success."
    return Judged(
        answer=False, statement=statement, data=data, spots=spots(study, main)[:1], confidence=sure, because=why
    )


def _to(found: Route) -> str:
    """Where a route leads, in words."""
    if len(found.targets) <= _MAX_TARGETS:
        return " or ".join(found.targets)
    return f"one of {len(found.targets)} ways"


# -- soundness --------------------------------------------------------------------------------------------------------


def _unsound_joins(main: Graph) -> tuple[str, ...]:
    """Nodes that run more than once in a pass; what several failures lead to, each on its own condition, is no join."""
    sure = {edge.target for edge in main.edges if not edge.conditional}
    return tuple(
        each for each in graph_topology.multiple_fires(main.topology()) if each in sure or not speaks_of_trouble(each)
    )


def _missing(study: Study, main: Graph) -> dict[str, str]:
    """Nodes whose function is imported from a file of the project that has none of that name."""
    found: dict[str, str] = {}
    for node, handler in main.handlers.items():
        if isinstance(handler, Unknown) and node in main.places:
            path = study.run.imports.lacking.get((main.places[node].unit.path, handler.hint))
            if path is not None:
                found[node] = path
    return found


def _soundness(study: Study, main: Graph) -> Judged:
    shape = main.topology()
    twice, lost = _unsound_joins(main), graph_topology.unreachable(shape)
    loose = [node for node in graph_topology.loose_ends(shape) if node in lost]
    missing = _missing(study, main)
    data = SoundnessData(multiple_fires=twice, unreachable=lost, missing=tuple(missing))
    sure, why = sureness(main, base=0.95)
    if not twice and not lost and not missing:
        met = "Every join fires once" if graph_topology.fan_ins(shape) else "No branches meet"
        return Judged(
            answer=True, statement=f"{met}, and every node lies on a way from START to END.", data=data,
            spots=spots(study, main)[:1], confidence=sure, because=why,
        )  # fmt: skip
    if lost and main.unresolved and not twice:
        sure = min(sure, _HALF_FOLLOWED)
    said = []
    if twice:
        runs = "runs" if len(twice) == 1 else "run"
        said.append(f"{', '.join(twice)} {runs} more than once in a pass, since ways of unlike length lead there")
    listed = [
        node
        for node in lost
        if node not in loose and node not in graph_topology.unreachable(graph_topology.of_data(main.data()))
    ]
    far = [node for node in lost if node not in loose and node not in listed]
    if far:
        said.append(f"{', '.join(far)} {'is' if len(far) == 1 else 'are'} on no way from START to END")
    if listed:
        said.append(
            f"{', '.join(listed)} {'is' if len(listed) == 1 else 'are'} offered to a router that, as it is set up, never decides for {'it' if len(listed) == 1 else 'them'}"
        )
        if not twice and not far and not missing:
            sure, why = min(sure, _AS_SET_UP), "set up in another way, a router may decide otherwise"
    if loose:
        said.append(f"{', '.join(loose)} {'has' if len(loose) == 1 else 'have'} no edge to END")
    said += [
        f"the function of {node} is imported from {path}, which defines none of that name"
        for node, path in missing.items()
    ]
    if not twice and not far and not listed and not missing:
        sure, why = min(sure, 0.6), why or "LangGraph ends a run at a node without an exit by itself"
    places = tuple(
        study.line(main.places[node].unit, main.places[node].line)
        for node in (*twice, *lost, *missing)
        if node in main.places
    )
    return Judged(
        answer=False,
        statement=f"The graph is not sound: {'; '.join(said)}.",
        data=data,
        spots=places or spots(study, main)[:1],
        confidence=sure,
        because=why,
    )
