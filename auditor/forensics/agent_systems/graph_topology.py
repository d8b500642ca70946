"""Questions about a graph of nodes and edges, whatever it was read from: code or a diagram. Pure functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from auditor.forensics.agent_systems.failure_names import names_error
from auditor.forensics.agent_systems.system_report_types import END, START, Edge, FanIn, FanOut, GraphData, Stage

_MAX_WAYS = 256
"""Combinations of router decisions that are played through."""
_MAX_NODES = 400


@dataclass(frozen=True)
class RouterChoice:
    """One thing a router may decide: nodes that then run together. `many` says one of them may run many times over."""

    targets: tuple[str, ...]
    many: bool = False


@dataclass(frozen=True)
class Exits:
    """Where a node leads: always, and by each of its routers."""

    unconditional: tuple[str, ...] = ()
    routers: tuple[tuple[RouterChoice, ...], ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every node it may lead to, once."""
        ways = (target for router in self.routers for way in router for target in way.targets)
        return tuple(dict.fromkeys((*self.unconditional, *ways)))


@dataclass(frozen=True)
class Topology:
    """A graph: its nodes, their exits, and the joins that wait for all of their sources."""

    nodes: tuple[str, ...]
    exits: Mapping[str, Exits]
    barriers: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Sources and target of edges that wait for every source."""
    deferred: frozenset[str] = frozenset()
    end_joins: bool = False
    """Does END count as a join? In a graph inside a graph it does: the outer one goes on from there."""
    _reachable_nodes: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)

    def successors(self, node: str) -> tuple[str, ...]:
        """Every node that may come right after."""
        after = [target for sources, target in self.barriers if node in sources]
        return tuple(dict.fromkeys((*self.exits.get(node, Exits()).all, *after)))

    def predecessors(self, node: str) -> tuple[str, ...]:
        """Every node that may come right before."""
        return tuple(each for each in (START, *self.nodes) if node in self.successors(each))

    def reach(self, node: str) -> frozenset[str]:
        """A node and all that may come after it."""
        if node not in self._reachable_nodes:
            self._reachable_nodes[node] = frozenset(self.distances(node))
        return self._reachable_nodes[node]

    def distances(self, start: str, around: str = "") -> dict[str, int]:
        """Steps to every node that may come after, START counting 0; ways on from `around` are not taken."""
        far = {start: 0}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            if node == around and node != start:
                continue
            for each in self.successors(node):
                if each not in far:
                    far[each] = far[node] + 1
                    waiting.append(each)
        return far


def topology_of_edges(nodes: Iterable[str], edges: Iterable[Edge]) -> Topology:
    """A topology from plain edges; conditional edges of one source count as one router that picks one of them."""
    always: dict[str, list[str]] = {}
    picked: dict[str, list[RouterChoice]] = {}
    barriers: dict[tuple[str, int], tuple[list[str], str]] = {}
    for edge in edges:
        if edge.kind == "list":
            barriers.setdefault((edge.target, edge.line), ([], edge.target))[0].append(edge.source)
        elif edge.conditional and edge.kind != "send":
            picked.setdefault(edge.source, []).append(RouterChoice((edge.target,)))
        else:
            always.setdefault(edge.source, []).append(edge.target)
    exits = {
        node: Exits(tuple(always.get(node, ())), (tuple(picked[node]),) if node in picked else ())
        for node in (*always, *picked)
    }
    return Topology(tuple(nodes), exits, tuple((tuple(sources), target) for sources, target in barriers.values()))


def topology_of_data(data: GraphData) -> Topology:
    """The topology that a `swarm.graph` fact describes, as far as its plain edges show."""
    return topology_of_edges(data.nodes, data.edges)


def find_fan_outs(graph: Topology) -> tuple[FanOut, ...]:
    """Nodes after which several others run at the same time, nearest to START first."""
    found: list[FanOut] = []
    far = graph.distances(START)
    for node in sorted((START, *graph.nodes[:_MAX_NODES]), key=lambda each: (far.get(each, 10**6), each != START)):
        branches = _branches(graph, node)
        if branches:
            found.append(FanOut(source=node, branches=branches))
    return tuple(found)


def _branches(graph: Topology, node: str) -> tuple[str, ...]:
    """What runs at the same time after a node; empty when only one node does."""
    exits = graph.exits.get(node, Exits())
    always = [target for target in exits.unconditional if target not in {END, node}]
    widest = [max(router, key=lambda way: len(_live_targets(way.targets))) for router in exits.routers if router]
    many = any(way.many for router in exits.routers for way in router)
    width = len(set(always)) + sum(1 if way.many else len(set(_live_targets(way.targets))) for way in widest)
    if width < 2 and not many:
        return ()
    picked = [
        target
        for router in exits.routers
        for way in router
        for target in _live_targets(way.targets)
        if len(way.targets) > 1 or way.many or _meets_others(graph, target, always)
    ]
    together = tuple(dict.fromkeys((*always, *picked)))
    return together if len(together) > 1 or many else ()


def _live_targets(targets: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in targets if each != END)


def _meets_others(graph: Topology, target: str, others: Sequence[str]) -> bool:
    """Does a node come together with all of the others later on?"""
    if not others:
        return False
    common = frozenset.intersection(*(graph.reach(each) for each in others))
    return bool((common & graph.reach(target)) - {END})


def find_stages(graph: Topology) -> tuple[Stage, ...]:
    """Fan-outs whose branches meet again, one for each join, nearest to START first."""
    found: dict[str, Stage] = {}
    for fan_out in find_fan_outs(graph):
        join = join_of(graph, fan_out)
        if join is not None and join not in found:
            found[join] = Stage(source=fan_out.source, branches=fan_out.branches, join=join)
    return tuple(found.values())


def join_of(graph: Topology, fan_out: FanOut) -> str | None:
    """The first node where all branches meet; None when they do not, or only at END."""
    always = [each for each in graph.exits.get(fan_out.source, Exits()).unconditional if each in fan_out.branches]
    for branches in (fan_out.branches, tuple(always)):
        if len(branches) < 2 and branches != fan_out.branches:
            continue
        distances = [graph.distances(each, fan_out.source) for each in branches]
        common = set.intersection(*(set(each) for each in distances)) if distances else set()
        common -= set(branches)
        places = [each for each in common if each != START and (each != END or graph.end_joins)]
        if places:
            return min(
                places,
                key=lambda each: (
                    each in {fan_out.source, END},
                    max(far[each] for far in distances),
                    -len(graph.reach(each)),  # a node for failures is as near as the next step, but leads less far
                    names_error(each),
                    each,
                ),
            )
    return None


def find_fan_ins(graph: Topology) -> tuple[FanIn, ...]:
    """Nodes at which branches that ran at the same time come together."""
    pairs = parallel_pairs(graph)
    found: list[FanIn] = []
    for node in graph.nodes[:_MAX_NODES]:
        before = [each for each in graph.predecessors(node) if each != START]
        waited = next((sources for sources, target in graph.barriers if target == node and len(sources) > 1), ())
        met = [each for each in before if any((each, other) in pairs for other in before if other != each)]
        together = tuple(dict.fromkeys((*met, *waited)))
        if len(together) > 1:
            found.append(FanIn(target=node, sources=together))
    return tuple(found)


def parallel_pairs(graph: Topology) -> frozenset[tuple[str, str]]:
    """Ordered pairs of nodes that are on different branches of a fan-out; a node sent out many times pairs with itself."""
    pairs: set[tuple[str, str]] = set()
    for out in find_fan_outs(graph):
        join = join_of(graph, out)
        stops = frozenset({out.source, END, *((join,) if join else ())})
        members = {branch: _members(graph, branch, stops) for branch in out.branches}
        owners: dict[str, frozenset[str]] = {}
        for branch, nodes in members.items():
            for node in nodes:
                owners[node] = owners.get(node, frozenset()) | {branch}
        inside = list(owners)[:_MAX_NODES]
        steps = {} if join else _possible_steps(graph, members)
        pairs.update(
            (one, other)
            for one in inside
            for other in inside
            if one != other and not owners[one] & owners[other] and _run_together(steps, one, other)
        )
        many = {way.targets for router in graph.exits.get(out.source, Exits()).routers for way in router if way.many}
        pairs.update((node, node) for targets in many for target in targets for node in _members(graph, target, stops))
    return frozenset(pairs)


def _possible_steps(graph: Topology, members: Mapping[str, frozenset[str]]) -> dict[str, tuple[int, float]]:
    """In which steps after a fan-out a node may run, first and last, for branches that never meet again."""
    found: dict[str, tuple[int, float]] = {}
    for branch, nodes in members.items():
        far = graph.distances(branch)
        last = max((far[node] for node in nodes), default=0)
        loops = any(branch in graph.reach(each) for node in nodes for each in graph.successors(node))
        for node in nodes:
            found[node] = (far[node], float("inf") if loops else last)
    return found


def _run_together(steps: Mapping[str, tuple[int, float]], one: str, other: str) -> bool:
    """May two nodes run while both of their branches still go on? Without steps they are on branches that meet."""
    if not steps:
        return True
    return steps[one][0] <= steps[other][1] and steps[other][0] <= steps[one][1]


def _members(graph: Topology, branch: str, stops: frozenset[str]) -> frozenset[str]:
    """A branch and what is after it, up to its join or back to where it came from."""
    found = {branch}
    waiting = [branch]
    while waiting:
        for each in graph.successors(waiting.pop()):
            if each not in found and each not in stops:
                found.add(each)
                waiting.append(each)
    return frozenset(found)


def is_chain(graph: Topology) -> bool:
    """Does each node lead to one other at most, ways to END left out?"""
    if find_fan_outs(graph):
        return False
    return all(
        len([each for each in graph.successors(node) if each not in {END, node}]) <= 1 for node in (START, *graph.nodes)
    )


def is_linear(graph: Topology) -> bool:
    """Is it one line of nodes, ways to END left out? An edge back is no line."""
    far = graph.distances(START)
    return is_chain(graph) and not any(
        far.get(each, 0) <= far[node] for node in far for each in graph.successors(node) if each not in {END, node}
    )


def unreachable(graph: Topology) -> tuple[str, ...]:
    """Nodes that no way from START leads to, or that lead nowhere: to END neither, nor to a node that does."""
    from_start, loose = graph.reach(START), set(dead_ends(graph))
    ends = {END, *loose}
    return tuple(
        node for node in graph.nodes if node not in from_start or node in loose or not ends & graph.reach(node)
    )


def dead_ends(graph: Topology) -> tuple[str, ...]:
    """Nodes without any exit: a run ends there by itself."""
    return tuple(node for node in graph.nodes if not graph.successors(node))


def nodes_fired_twice(graph: Topology) -> tuple[str, ...]:
    """Nodes that run more than once in one pass, because branches of unlike length lead to them.

    The graph is played step by step, as LangGraph does it: all nodes that got a message run, then those they lead
    to. Loops are left out: what repeats on purpose is no fault.
    """
    deciding = [
        (node, number)
        for node in (START, *graph.nodes)
        for number in range(len(graph.exits.get(node, Exits()).routers))
    ]
    choices = [graph.exits[node].routers[number] or (RouterChoice(()),) for node, number in deciding]
    found: dict[str, None] = {}
    for decided in islice(product(*choices), _MAX_WAYS):
        taken = {place: way.targets for place, way in zip(deciding, decided, strict=True)}
        for node in _find_nodes_fired_twice(graph, taken):
            found.setdefault(node)
    return tuple(found)


def _find_nodes_fired_twice(graph: Topology, taken: Mapping[tuple[str, int], tuple[str, ...]]) -> list[str]:
    after = {
        node: tuple(
            dict.fromkeys(
                (
                    *graph.exits[node].unconditional,
                    *(t for n in range(len(graph.exits[node].routers)) for t in taken[node, n]),
                )
            )
        )
        for node in graph.exits
    }
    fired: dict[str, int] = {}
    arrived: dict[int, set[str]] = {number: set() for number in range(len(graph.barriers))}
    active, deferred = {START}, set[str]()
    for _ in range(2 * len(graph.nodes) + 4):
        coming: set[str] = set()
        for node in active:
            fired[node] = fired.get(node, 0) + 1
            coming.update(after.get(node, ()))
            coming.update(_released_targets(graph, arrived, node))
        coming.discard(END)
        deferred |= coming & graph.deferred
        active = coming - graph.deferred
        if not active:
            active, deferred = deferred, set()
        if not active:
            break
    twice = {node for node, count in fired.items() if count > 1 and not _is_on_loop(graph, node)}
    return [
        node for node in graph.nodes if node in twice and not any(each in twice for each in graph.predecessors(node))
    ]


def _released_targets(graph: Topology, arrived: dict[int, set[str]], node: str) -> set[str]:
    """Targets of waiting edges whose last source has just run."""
    targets: set[str] = set()
    for number, (sources, target) in enumerate(graph.barriers):
        if node in sources:
            arrived[number].add(node)
            if arrived[number] >= set(sources):
                arrived[number] = set()
                targets.add(target)
    return targets


def _is_on_loop(graph: Topology, node: str) -> bool:
    """Is a node on a loop, or after one?"""
    return any(
        each in graph.reach(after)
        for each in graph.nodes
        if node in graph.reach(each)
        for after in graph.successors(each)
    )
