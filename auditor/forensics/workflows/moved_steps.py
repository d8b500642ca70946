"""Whether workflows only had steps, jobs or files moved and renamed, with every step under the same terms as before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from auditor.forensics.workflows.workflow_yaml import (
    ListNode,
    MapNode,
    Node,
    UnreadableYaml,
    format_value,
    read_yaml,
    scalar_value,
)

_IGNORED_WORKFLOW_KEYS = frozenset({"name", "run-name", "jobs"})
_IGNORED_JOB_KEYS = frozenset({"name", "steps", "needs"})
_IGNORED_STEP_KEYS = frozenset({"name"})


def is_only_moved(before: Iterable[str], after: Iterable[str]) -> bool:
    """Do both sides have the same steps, each with the same triggers, permissions and keys of its job?"""
    sides = [_count_steps(before), _count_steps(after)]
    return sides[0] is not None and sides[0] == sides[1]


def _count_steps(texts: Iterable[str]) -> Counter[Hashable] | None:
    """Every step with the settings around it; None where a workflow cannot be read."""
    counted = Counter[Hashable]()
    for text in texts:
        root = read_yaml(text)
        if isinstance(root, UnreadableYaml):
            return None
        counted.update(_steps_with_context(root))
    return counted


def _steps_with_context(root: MapNode) -> Iterator[Hashable]:
    around = hash(_node_values(root, _IGNORED_WORKFLOW_KEYS))
    for job in root.mapping_at("jobs").entries.values():
        inner = hash(_node_values(job, _IGNORED_JOB_KEYS))
        steps = job.items_at("steps") if isinstance(job, MapNode) else ()
        for step in steps or (job,):
            yield around, inner, _node_values(step, _IGNORED_STEP_KEYS if steps else _IGNORED_JOB_KEYS)


def _node_values(node: Node, excluded_keys: frozenset[str] = frozenset()) -> Hashable:
    """A node by its values alone, without some of its keys."""
    if isinstance(node, MapNode):
        return frozenset((key, _node_values(each)) for key, each in node.entries.items() if key not in excluded_keys)
    if isinstance(node, ListNode):
        return tuple(map(_node_values, node.items))
    return format_value(scalar_value(node))
