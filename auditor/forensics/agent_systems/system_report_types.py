"""What was seen of an agent system: frozen values that probes attach to their facts.

Names of fields are the names in the report. `START` and `END` stand for the ends of a graph, whatever constants
the code uses for them.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ConfigDict, Field, SerializeAsAny

from auditor.domain import Frozen, ProbeData

START = "START"
END = "END"


class Closed(ProbeData):
    """Data of a probe that takes no further keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Spot(Frozen):
    """Lines of a file, with what is on the first of them."""

    path: str
    line: int
    end: int
    quote: str = ""


class Edge(Frozen):
    """One edge of a graph. `kind` says how it was written: edge, list, conditional, send, command."""

    source: str
    target: str
    kind: str = "edge"
    conditional: bool = False
    path: str = ""
    line: int = 1


class FanOut(Frozen):
    """A node from which several others run at the same time."""

    source: str
    branches: tuple[str, ...]


class FanIn(Frozen):
    """A node at which nodes that ran at the same time come together."""

    target: str
    sources: tuple[str, ...]


class Stage(Frozen):
    """A fan-out and the node that waits for its branches."""

    source: str
    branches: tuple[str, ...]
    join: str


class GraphData(Closed):
    """The topology of one graph."""

    builder: str = Field(description="path:line of the builder.")
    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    fan_out: tuple[FanOut, ...] = ()
    fan_in: tuple[FanIn, ...] = ()
    linear: bool = False
    unresolved: tuple[str, ...] = ()
    handlers: dict[str, str] = Field(default_factory=dict, description="Node -> path:line of its function.")
    subgraphs: tuple[str, ...] = Field(default=(), description="Nodes that are graphs of their own.")
    waiting: tuple[str, ...] = Field(default=(), description="Nodes that wait until nothing else runs (`defer`).")
    dead: str = Field(default="", description="Why this graph cannot run; empty when it can.")
    beside: tuple[str, ...] = Field(
        default=(), description="Where work runs in parallel inside a single node, which no edge shows."
    )


class StagesData(Closed):
    """Fan-out/fan-in stages, in the order of the graph."""

    stages: tuple[Stage, ...]


class Route(Frozen):
    """A conditional edge that looks at missing evidence or a failure."""

    source: str
    router: str
    targets: tuple[str, ...]
    handles: str = Field(description="What it looks at, in words of the code.")
    path: str
    line: int


class RoutesData(Closed):
    """Conditional edges that handle missing evidence or failed nodes."""

    routes: tuple[Route, ...]


class SoundnessData(Closed):
    """Joins that fire more than once, nodes that are on no way from START to END, and nodes without a function."""

    multiple_fires: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    missing: tuple[str, ...] = Field(
        default=(), description="Nodes whose function is imported from a file that has none of that name."
    )


class StateField(Frozen):
    """A field of the shared state. `reducer` is a qualified name, `custom:<name>` or `none`."""

    reducer: str
    line: int
    keeps_one: bool = Field(default=False, description="Does the reducer keep one of two values and drop the other?")

    @property
    def joined(self) -> bool:
        """Does what two nodes write at the same time both go into it?"""
        return self.reducer != "none" and not self.keeps_one


class StateData(Closed):
    """The class of the graph's shared state."""

    class_name: str
    kind: str
    path: str
    line: int
    fields: dict[str, StateField] = Field(default_factory=dict)
    unresolved: tuple[str, ...] = ()


class ReducersData(Closed):
    """Fields that parallel nodes write without a reducer."""

    unprotected: dict[str, tuple[str, ...]] = Field(default_factory=dict, description="Field -> nodes that write it.")
    protected: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class ModelEntry(Frozen):
    """A class that describes data."""

    name: str
    kind: str
    frozen: bool
    path: str
    line: int


class ModelsData(Closed):
    """Classes of evidence, opinions and what else describes data."""

    models: tuple[ModelEntry, ...]


class Clone(Frozen):
    """One place that clones a repository. `mechanism` is TemporaryDirectory, mkdtemp, none or unknown."""

    path: str
    line: int
    call: str
    mechanism: str
    deleted_before_use: bool = False
    dead: str = ""


class ClonesData(Closed):
    """All places that clone."""

    clones: tuple[Clone, ...]


class Where(Frozen):
    """A place and what was seen there."""

    path: str
    line: int
    what: str


class WhereData(Closed):
    """Places, each with what was seen there."""

    where: tuple[Where, ...]


class ModelCall(Frozen):
    """One call of a language model."""

    path: str
    line: int
    method: str
    schema_name: str = ""
    node: str = ""


class OutputsData(Closed):
    """How the judges' model calls return data; `method` is that of the weakest call."""

    method: str
    schema_: str = Field(default="", alias="schema")
    calls: tuple[ModelCall, ...] = ()
    bound_elsewhere: bool = Field(default=False, description="Is a model call that is no judge's bound to a schema?")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class Prompt(Frozen):
    """A persona's prompt."""

    persona: str
    path: str
    line: int
    words: int


class PersonasData(Closed):
    """Prompts by persona, and how much of the shorter one each pair shares, 0 to 1."""

    prompts: tuple[Prompt, ...]
    overlap: dict[str, float] = Field(default_factory=dict)


class SynthesisData(Closed):
    """The function that decides the final scores."""

    function: str
    path: str
    line: int
    model_calls: int = 0
    model_sets_scores: bool = False


class Rule(Frozen):
    """How far a named rule is there: present, partial, unfollowed (whether it is called could not be determined), dead or absent."""

    state: str
    path: str = ""
    line: int = 0
    reason: str = ""


class RulesData(Closed):
    """The named rules of the synthesis."""

    security_override: Rule
    fact_supremacy: Rule
    functionality_weight: Rule
    variance_re_evaluation: Rule
    dissent: Rule


RULES = ("security_override", "fact_supremacy", "functionality_weight", "variance_re_evaluation", "dissent")


class ProbeAnswer(Frozen):
    """One answer of the analysis: what it says, how sure it is, and where it looked.

    `answer` is True or False, or None when the question does not apply or could not be followed to an answer
    (`unanswered`); then `statement` says why.
    """

    answer: bool | None
    statement: str
    data: SerializeAsAny[ProbeData] | None = None
    spots: tuple[Spot, ...] = ()
    confidence: float = 1.0
    because: str = ""
    measure: float | None = None
    unanswered: bool = Field(default=False, description="Was the code cut off before there was an answer?")


NO_PRODUCT_CODE = ProbeAnswer(answer=None, statement="There is no product code in Python or for LangGraph.js.")
"""The answer of every question about code where there is none to follow."""


class AgentSystem(Frozen):
    """All answers by probe id, or why there are none."""

    answers: Mapping[str, tuple[ProbeAnswer, ...]] = Field(default_factory=dict)
    failed: str = Field(default="", description="Why the code could not be followed at all.")
    unread: dict[str, str] = Field(default_factory=dict, description="Path -> why that file could not be read.")
    foreign: str = Field(
        default="", description="The main language, where that is not Python and hardly any Python is there."
    )

    @property
    def elsewhere(self) -> bool:
        """Would an agent system of this repository are in a language that is not read?"""
        graph = self.answers.get("swarm.graph", ())
        return bool(self.foreign) and not any(each.answer for each in graph)


DATA_TYPES: Mapping[str, type[Closed]] = {
    "swarm.graph": GraphData,
    "swarm.parallel_stages": StagesData,
    "swarm.error_routes": RoutesData,
    "swarm.join_soundness": SoundnessData,
    "swarm.state": StateData,
    "swarm.reducers": ReducersData,
    "swarm.models": ModelsData,
    "code.clone_in_temporary_directory": ClonesData,
    "code.url_validated": WhereData,
    "code.auth_errors_handled": WhereData,
    "swarm.structured_output": OutputsData,
    "swarm.output_retry": WhereData,
    "swarm.personas": PersonasData,
    "swarm.synthesis": SynthesisData,
    "swarm.synthesis_rules": RulesData,
    "swarm.report_written": WhereData,
}
"""What each probe attaches."""


def restore_data_types(system: AgentSystem) -> AgentSystem:
    """A system read back from JSON, with the data of each probe as that probe's own type again."""
    answers = {
        probe: tuple(
            each
            if each.data is None
            else each.model_copy(update={"data": DATA_TYPES[probe].model_validate(each.data.model_dump())})
            for each in judged
        )
        for probe, judged in system.answers.items()
        if probe in DATA_TYPES
    }
    return system.model_copy(update={"answers": answers})
