"""Whether workflows only had steps, jobs or files moved and renamed, with every step under the same terms as before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Unread, read, shown, value

_OF_WORKFLOW = frozenset({"name", "run-name", "jobs"})
_OF_JOB = frozenset({"name", "steps", "needs"})
_OF_STEP = frozenset({"name"})


def only_moved(before: Iterable[str], after: Iterable[str]) -> bool:
    """Do both sides have the same steps, each with the same triggers, permissions and keys of its job?"""
    sides = [_steps_of_all(before), _steps_of_all(after)]
    return sides[0] is not None and sides[0] == sides[1]


def _steps_of_all(texts: Iterable[str]) -> Counter[Hashable] | None:
    """Every step with what surrounds it; None where a workflow cannot be read."""
    counted = Counter[Hashable]()
    for text in texts:
        root = read(text)
        if isinstance(root, Unread):
            return None
        counted.update(_steps(root))
    return counted


def _steps(root: MapNode) -> Iterator[Hashable]:
    around = hash(_plain(root, _OF_WORKFLOW))
    for job in root.map("jobs").entries.values():
        inner = hash(_plain(job, _OF_JOB))
        steps = job.list("steps") if isinstance(job, MapNode) else ()
        for step in steps or (job,):
            yield around, inner, _plain(step, _OF_STEP if steps else _OF_JOB)


def _plain(node: Node, without: frozenset[str] = frozenset()) -> Hashable:
    """A node by its values alone, without some of its keys."""
    if isinstance(node, MapNode):
        return frozenset((key, _plain(each)) for key, each in node.entries.items() if key not in without)
    if isinstance(node, ListNode):
        return tuple(map(_plain, node.items))
    return shown(value(node))
