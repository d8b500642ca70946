"""The names that GitHub gives to the checks of a workflow's jobs.

A job shows its `name`, or else its id; with a matrix and no expression in the name, the values of the matrix follow in
parentheses; a job of a called workflow shows behind the job that calls it. Names are `Template`s: what only a run can
decide is a gap.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from auditor.forensics.workflows.expression_evaluator import possible_texts
from auditor.forensics.workflows.matrix import Combination, combinations, evaluate_node
from auditor.forensics.workflows.workflow_expression_values import GAP, UNKNOWN, Context, PartialText, Value
from auditor.forensics.workflows.workflow_yaml import (
    ListNode,
    MapNode,
    Node,
    Scalar,
    UnreadableYaml,
    format_value,
    read_yaml,
    scalar_value,
)

MAX_CHECKS = 2_000
"""Of one workflow; one with more is not read to its end."""
_MAX_CALL_DEPTH = 10
"""How deep workflows call each other on GitHub."""
_MAX_NAME_LENGTH = 100
"""GitHub truncates a name with matrix values to that length."""
_LOCAL_WORKFLOW = re.compile(r"\./(\.github/workflows/[^/@]+)")
_CALL_SEPARATOR = PartialText((" / ",))
_EMPTY_NAME = PartialText(("",))


@dataclass(frozen=True)
class CheckRun:
    """A check run: its name, and the jobs that it comes from, the calling ones first."""

    name: PartialText
    jobs: tuple[Job, ...]

    @property
    def content(self) -> tuple[str, ...]:
        """The digests of its jobs, which do not depend on how they are formatted."""
        return tuple(each.content for each in self.jobs)


@dataclass(frozen=True)
class Job:
    """A job in its workflow, and a digest of all that is below it."""

    path: str
    id: str
    line: int
    content: str
    node: MapNode = field(compare=False)


class WorkflowParser:
    """Workflows by path, parsed on first use."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read: dict[str, MapNode | UnreadableYaml] = {}
        self._jobs: dict[str, tuple[Job, ...]] = {}
        self._named: dict[str, tuple[CheckRun, ...] | UnreadableYaml] = {}

    def root(self, path: str) -> MapNode | UnreadableYaml | None:
        """The workflow of a path; None where there is none."""
        if path not in self._texts:
            return None
        if path not in self._read:
            self._read[path] = read_yaml(self._texts[path])
        return self._read[path]

    def jobs(self, path: str) -> tuple[Job, ...]:
        """The jobs of a workflow; none where it cannot be read."""
        if path not in self._jobs:
            root = self.root(path)
            self._jobs[path] = tuple(_jobs(path, root)) if isinstance(root, MapNode) else ()
        return self._jobs[path]

    def is_callable(self, path: str) -> bool:
        """May other workflows call it?"""
        return "workflow_call" in self._events(path)

    def checks(self, path: str) -> tuple[CheckRun, ...] | UnreadableYaml:
        """The checks of a run of the workflow; none where it only runs when others call it."""
        if path not in self._named:
            self._named[path] = self._read_check_runs(path)
        return self._named[path]

    def _read_check_runs(self, path: str) -> tuple[CheckRun, ...] | UnreadableYaml:
        root = self.root(path)
        if isinstance(root, UnreadableYaml):
            return root
        if self._events(path) == {"workflow_call"}:
            return ()
        found: list[CheckRun] = []
        for each in self._expand_jobs(path, {"inputs": UNKNOWN}, ()):
            found.append(each)
            if len(found) > MAX_CHECKS:
                return UnreadableYaml(f"it has more than {MAX_CHECKS:,} checks")
        return tuple(found)

    def _events(self, path: str) -> frozenset[str]:
        root = self.root(path)
        node = root.entries.get("on") if isinstance(root, MapNode) else None
        if isinstance(node, MapNode):
            return frozenset(node.entries)
        items = node.items if isinstance(node, ListNode) else (node,)
        return frozenset(each.text for each in items if isinstance(each, Scalar))

    def _expand_jobs(self, path: str, context: Context, callers: tuple[Job, ...]) -> Iterator[CheckRun]:
        for job in self.jobs(path):
            trail = (*callers, job)
            for name, known in _check_names(job, context):
                yield CheckRun(name, trail)
                if "uses" in job.node.entries:
                    for inner in self._called(job, known, trail):
                        yield CheckRun(name + _CALL_SEPARATOR + inner.name, inner.jobs)

    def _called(self, job: Job, context: Context, callers: tuple[Job, ...]) -> Iterator[CheckRun]:
        """The checks of the workflow that a job calls; a name with a gap where it cannot be read."""
        local = _LOCAL_WORKFLOW.fullmatch(job.node.text("uses"))
        root = self.root(local[1]) if local else None
        if local is None or not isinstance(root, MapNode) or len(callers) > _MAX_CALL_DEPTH:
            yield CheckRun(GAP, callers)
        else:
            yield from self._expand_jobs(local[1], {"inputs": _call_inputs(root, job.node, context)}, callers)


def _jobs(path: str, root: MapNode) -> Iterator[Job]:
    jobs = root.mapping_at("jobs")
    for name, node in jobs.entries.items():
        if isinstance(node, MapNode):
            yield Job(path, name, jobs.lines.get(name, node.line), _content_digest(node), node)


def _check_names(job: Job, context: Context) -> Iterator[tuple[PartialText, Context]]:
    """The names of a job's checks, each with what its expressions can see.

    A job that is skipped shows no values of its matrix, so that the name without them counts, too.
    """
    found = combinations(job.node.entries.get("strategy"), context)
    for each in (_UNKNOWN_COMBINATION,) if found is None else found:
        known: Context = {**context, "matrix": each.matrix}
        for name in dict.fromkeys(_combination_names(job, each, known)):
            yield name, known


_UNKNOWN_COMBINATION = Combination(UNKNOWN, (GAP,))


def _combination_names(job: Job, combination: Combination, context: Context) -> Iterator[PartialText]:
    written = job.node.text("name")
    if "${{" in written:
        named = possible_texts(written, context)
        yield from (each for each in named if each != _EMPTY_NAME)
        if all(any(each.parts) for each in named):
            return
    base = PartialText((job.id if "${{" in written or not written else written,))
    yield base
    if combination.segments:
        yield _append_matrix_values(base, combination.segments)


def _append_matrix_values(base: PartialText, segments: tuple[PartialText, ...]) -> PartialText:
    whole = base + PartialText((" (",))
    for number, each in enumerate(segments):
        whole += PartialText((", " if number else "",)) + each
        if len(whole.parts[0]) > _MAX_NAME_LENGTH:
            break
    whole += PartialText((")",))
    cut = len(whole.parts[0]) > _MAX_NAME_LENGTH
    return PartialText((f"{whole.parts[0][: _MAX_NAME_LENGTH - 3]}...",)) if cut else whole


def _call_inputs(called: MapNode, caller: MapNode, context: Context) -> Value:
    """The inputs of a called workflow: the values that the caller passes, and defaults."""
    on = called.mapping_at("on").mapping_at("workflow_call").mapping_at("inputs")
    defaults = {
        name: evaluate_node(each.entries["default"], {})
        if isinstance(each, MapNode) and "default" in each.entries
        else None
        for name, each in on.entries.items()
    }
    given = {name: evaluate_node(each, context) for name, each in caller.mapping_at("with").entries.items()}
    return {**defaults, **given}


def _content_digest(node: Node) -> str:
    """A digest of a node's content that ignores lines, style, comments and the order of keys."""
    digest = hashlib.sha256()
    waiting: list[Node | str] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, MapNode):
            pairs = sorted(each.entries.items())
            waiting.extend(["}", *(part for key, below in reversed(pairs) for part in (below, f"k{key}")), "{"])
        elif isinstance(each, ListNode):
            waiting.extend(["]", *reversed(each.items), "["])
        else:
            said = each if isinstance(each, str) else f"s{format_value(scalar_value(each))}"
            digest.update(f"{len(said)}:{said}".encode(errors="surrogatepass"))
    return digest.hexdigest()
