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

from auditor.forensics.workflows.expression_evaluator import texts
from auditor.forensics.workflows.matrix import Combination, as_value, combinations
from auditor.forensics.workflows.partial_values import GAP, UNKNOWN, Context, Template, Value
from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, Unread, read, shown, value

MAX_CHECKS = 2_000
"""Of one workflow; one with more is not read to its end."""
_MAX_CALLS = 10
"""How deep workflows call each other on GitHub."""
_MAX_NAME = 100
"""GitHub cuts a name with values of a matrix to that length."""
_LOCAL = re.compile(r"\./(\.github/workflows/[^/@]+)")
_BEHIND = Template((" / ",))
_EMPTY = Template(("",))


@dataclass(frozen=True)
class Check:
    """A check of a run: its name, and the jobs that it comes from, the calling ones first."""

    name: Template
    jobs: tuple[Job, ...]

    @property
    def content(self) -> tuple[str, ...]:
        """What the jobs say, however it is written."""
        return tuple(each.content for each in self.jobs)

    @property
    def paths(self) -> frozenset[str]:
        """The workflows that the check comes from."""
        return frozenset(each.path for each in self.jobs)


@dataclass(frozen=True)
class Job:
    """A job in its workflow, and a digest of all that stands below it."""

    path: str
    id: str
    line: int
    content: str
    node: MapNode = field(compare=False)


class Workflows:
    """Workflows by path, parsed when they are first asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read: dict[str, MapNode | Unread] = {}
        self._jobs: dict[str, tuple[Job, ...]] = {}
        self._named: dict[str, tuple[Check, ...] | Unread] = {}

    def root(self, path: str) -> MapNode | Unread | None:
        """The workflow of a path; None where there is none."""
        if path not in self._texts:
            return None
        if path not in self._read:
            self._read[path] = read(self._texts[path])
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

    def checks(self, path: str) -> tuple[Check, ...] | Unread:
        """The checks of a run of the workflow; none where it only runs when others call it."""
        if path not in self._named:
            self._named[path] = self._all_checks(path)
        return self._named[path]

    def _all_checks(self, path: str) -> tuple[Check, ...] | Unread:
        root = self.root(path)
        if isinstance(root, Unread):
            return root
        if self._events(path) == {"workflow_call"}:
            return ()
        found: list[Check] = []
        for each in self._checks(path, {"inputs": UNKNOWN}, ()):
            found.append(each)
            if len(found) > MAX_CHECKS:
                return Unread(f"it has more than {MAX_CHECKS:,} checks")
        return tuple(found)

    def _events(self, path: str) -> frozenset[str]:
        root = self.root(path)
        node = root.entries.get("on") if isinstance(root, MapNode) else None
        if isinstance(node, MapNode):
            return frozenset(node.entries)
        items = node.items if isinstance(node, ListNode) else (node,)
        return frozenset(each.text for each in items if isinstance(each, Scalar))

    def _checks(self, path: str, context: Context, calling: tuple[Job, ...]) -> Iterator[Check]:
        for job in self.jobs(path):
            trail = (*calling, job)
            for name, known in _names(job, context):
                yield Check(name, trail)
                if "uses" in job.node.entries:
                    for inner in self._called(job, known, trail):
                        yield Check(name + _BEHIND + inner.name, inner.jobs)

    def _called(self, job: Job, context: Context, trail: tuple[Job, ...]) -> Iterator[Check]:
        """The checks of the workflow that a job calls; a name with a gap where it is not to be read."""
        local = _LOCAL.fullmatch(job.node.text("uses"))
        root = self.root(local[1]) if local else None
        if local is None or not isinstance(root, MapNode) or len(trail) > _MAX_CALLS:
            yield Check(GAP, trail)
        else:
            yield from self._checks(local[1], {"inputs": _inputs(root, job.node, context)}, trail)


def _jobs(path: str, root: MapNode) -> Iterator[Job]:
    jobs = root.map("jobs")
    for name, node in jobs.entries.items():
        if isinstance(node, MapNode):
            yield Job(path, name, jobs.lines.get(name, node.line), _digest(node), node)


def _names(job: Job, context: Context) -> Iterator[tuple[Template, Context]]:
    """The names of a job's checks, each with what its expressions can see.

    A job that is skipped shows no values of its matrix, so that the name without them counts, too.
    """
    found = combinations(job.node.entries.get("strategy"), context)
    for each in (_AT_RUN_TIME,) if found is None else found:
        known: Context = {**context, "matrix": each.matrix}
        for name in dict.fromkeys(_of_combination(job, each, known)):
            yield name, known


_AT_RUN_TIME = Combination(UNKNOWN, (GAP,))


def _of_combination(job: Job, combination: Combination, context: Context) -> Iterator[Template]:
    written = job.node.text("name")
    if "${{" in written:
        named = texts(written, context)
        yield from (each for each in named if each != _EMPTY)
        if all(any(each.parts) for each in named):
            return
    base = Template((job.id if "${{" in written or not written else written,))
    yield base
    if combination.segments:
        yield _with_values(base, combination.segments)


def _with_values(base: Template, segments: tuple[Template, ...]) -> Template:
    whole = base + Template((" (",))
    for number, each in enumerate(segments):
        whole += Template((", " if number else "",)) + each
        if len(whole.parts[0]) > _MAX_NAME:
            break
    whole += Template((")",))
    cut = len(whole.parts[0]) > _MAX_NAME
    return Template((f"{whole.parts[0][: _MAX_NAME - 3]}...",)) if cut else whole


def _inputs(called: MapNode, caller: MapNode, context: Context) -> Value:
    """What a called workflow gets: values that the caller gives, and defaults."""
    on = called.map("on").map("workflow_call").map("inputs")
    defaults = {
        name: as_value(each.entries["default"], {}) if isinstance(each, MapNode) and "default" in each.entries else None
        for name, each in on.entries.items()
    }
    given = {name: as_value(each, context) for name, each in caller.map("with").entries.items()}
    return {**defaults, **given}


def _digest(node: Node) -> str:
    """A digest of what a node says: line, style and comments do not count, and keys are in no order."""
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
            said = each if isinstance(each, str) else f"s{shown(value(each))}"
            digest.update(f"{len(said)}:{said}".encode(errors="surrogatepass"))
    return digest.hexdigest()
