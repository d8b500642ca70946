"""Keys that routers take from the state, and whether the state has them."""

from __future__ import annotations

import re

from auditor.forensics.agent_systems.abstract_values import Class
from auditor.forensics.agent_systems.agent_graph import Graph, function_of
from auditor.forensics.agent_systems.class_members import annotated_names, class_hierarchy
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.state_schemas import state_data
from auditor.forensics.code_facts.answer_memory import remembered

_STATE_KEY = re.compile(r"""\bstate(?:\.get\(\s*|\[\s*)(["'])(\w+)\1""")
_CLOSED_STATE_KINDS = frozenset({"TypedDict", "BaseModel", "dataclass"})
"""Kinds of state of which LangGraph keeps the fields they name, and no others."""


def missing_state_keys(study: ProgramStudy, graph: Graph, condition: str) -> tuple[str, ...]:
    """The keys of the state that a condition looks at, where the state has none of them; empty where it has one, or who knows."""
    keys = tuple(dict.fromkeys(found.group(2) for found in _STATE_KEY.finditer(condition)))
    if not keys or graph.builder.place.unit.is_script:
        return ()
    known = _state_field_names(study, graph)
    return keys if known and not known.intersection(keys) else ()


@remembered
def _state_field_names(study: ProgramStudy, graph: Graph) -> frozenset[str]:
    """The names of all fields of a graph's state; empty where not all are known."""
    data = state_data(study, graph)
    closed = data is not None and data.kind in _CLOSED_STATE_KINDS and not data.unresolved
    own = frozenset(data.fields) if data is not None and closed else frozenset()
    return own | _node_input_fields(study, graph) if own else own


def _node_input_fields(study: ProgramStudy, graph: Graph) -> frozenset[str]:
    """Fields of other classes that nodes say they take: LangGraph adds them to the state's."""
    names: set[str] = set()
    for function in map(function_of, graph.handlers.values()):
        if function is not None:
            spec = function.node.args
            for each in (*spec.posonlyargs, *spec.args):
                told = getattr(each.annotation, "id", getattr(each.annotation, "value", ""))
                cls = study.run.member(function.unit, told) if isinstance(told, str) and told.isidentifier() else None
                for one in class_hierarchy(study.run, cls) if isinstance(cls, Class) else ():
                    names.update(name for name, _ in annotated_names(one))
    return frozenset(names)
