"""A GitHub workflow or composite action as jobs and steps.

Only what decides whether a step runs and whether its failure counts is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, Unread, read, shown, value
from auditor.lazy_regex import lazy_compile

MAX_STEPS = 1_000
_BLOCK = lazy_compile(r".*(?<=\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
"""The end of a line whose text begins on the next one."""


@dataclass(frozen=True)
class Step:
    """One step: its first line from 1, and the values of its keys as they are written."""

    line: int
    id: str = ""
    name: str = ""
    run: str = ""
    run_line: int = 0
    uses: str = ""
    condition: str = ""
    may_fail: str = ""
    shell: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """One job; `uses` names the workflow that it calls in place of steps of its own."""

    id: str
    line: int
    uses: str = ""
    condition: str = ""
    may_fail: str = ""
    runs_on: str = ""
    needs: tuple[str, ...] = ()
    matrix: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Workflow:
    """What starts it, each event with its filters, and its jobs. An action has one job and no event."""

    events: Mapping[str, Mapping[str, tuple[str, ...]]]
    jobs: tuple[Job, ...]


def read_workflow(text: str) -> Workflow | Unread:
    """The workflow or action in a text, or why there is none."""
    root = read(text)
    if isinstance(root, Unread):
        return root
    reader = _Reader(text.split("\n"))
    keys = _keys(root)
    workflow = reader.action(keys) if "runs" in keys and "jobs" not in keys else reader.workflow(keys)
    if sum(len(job.steps) + 1 for job in workflow.jobs) > MAX_STEPS:
        return Unread(f"it has more than {MAX_STEPS:,} steps")
    return workflow


@dataclass(frozen=True)
class _Reader:
    rows: Sequence[str]

    def workflow(self, keys: Mapping[str, Node]) -> Workflow:
        env, shell = _texts(keys.get("env")), _default_shell(keys)
        jobs = keys.get("jobs")
        entries = jobs.entries if isinstance(jobs, MapNode) else {}
        lines = jobs.lines if isinstance(jobs, MapNode) else {}
        read = (self._job(name, node, lines.get(name, node.line), env, shell) for name, node in entries.items())
        return Workflow(_events(keys.get("on")), tuple(read))

    def action(self, keys: Mapping[str, Node]) -> Workflow:
        runs = keys["runs"]
        return Workflow({}, (Job("", runs.line, steps=self._steps(_keys(runs).get("steps"), {}, "")),))

    def _job(self, name: str, node: Node, line: int, env: Mapping[str, str], shell: str) -> Job:
        keys = _keys(node)
        held = {**env, **_texts(keys.get("env"))}
        matrix = _keys(_keys(keys.get("strategy")).get("matrix"))
        return Job(
            id=name,
            line=line,
            uses=_text(keys.get("uses")),
            condition=_text(keys.get("if")),
            may_fail=_text(keys.get("continue-on-error")),
            runs_on=" ".join(_words(keys.get("runs-on"))),
            needs=_words(keys.get("needs")),
            matrix={key: _words(each) for key, each in matrix.items() if key not in {"include", "exclude"}},
            steps=self._steps(keys.get("steps"), held, _default_shell(keys) or shell),
        )

    def _steps(self, node: Node | None, env: Mapping[str, str], shell: str) -> tuple[Step, ...]:
        return tuple(self._step(each, env, shell) for each in (node.items if isinstance(node, ListNode) else ()))

    def _step(self, node: Node, env: Mapping[str, str], shell: str) -> Step:
        keys = _keys(node)
        run = keys.get("run")
        below = run is not None and run.line <= len(self.rows) and _BLOCK.match(self.rows[run.line - 1][:1_000])
        return Step(
            line=node.line,
            id=_text(keys.get("id")),
            name=_text(keys.get("name")),
            run=_text(run),
            run_line=(run.line if run is not None else 0) + (1 if below else 0),
            uses=_text(keys.get("uses")),
            condition=_text(keys.get("if")),
            may_fail=_text(keys.get("continue-on-error")),
            shell=_text(keys.get("shell")) or shell,
            env={**env, **_texts(keys.get("env"))},
            inputs=_texts(keys.get("with")),
        )


def _events(node: Node | None) -> dict[str, Mapping[str, tuple[str, ...]]]:
    if isinstance(node, MapNode):
        events = _keys(node).items()
        return {name: {key: _words(value) for key, value in _keys(each).items()} for name, each in events}
    return {name: {} for name in _words(node)}


def _default_shell(keys: Mapping[str, Node]) -> str:
    return _text(_keys(_keys(keys.get("defaults")).get("run")).get("shell"))


def _keys(node: Node | None) -> dict[str, Node]:
    """The nodes of a mapping; GitHub does not tell capital letters in its keys from small ones."""
    return {key.casefold(): each for key, each in node.entries.items()} if isinstance(node, MapNode) else {}


def _text(node: Node | None) -> str:
    return shown(value(node)) if isinstance(node, Scalar) else ""


def _texts(node: Node | None) -> dict[str, str]:
    """Values by name: names of variables are kept as they are written."""
    return {key: _text(each) for key, each in node.entries.items()} if isinstance(node, MapNode) else {}


def _words(node: Node | None) -> tuple[str, ...]:
    """A scalar as one word, a list as the scalars in it."""
    if isinstance(node, ListNode):
        return tuple(_text(each) for each in node.items)
    return (_text(node),) if isinstance(node, Scalar) else ()


__all__ = ["Job", "Step", "Unread", "Workflow", "read_workflow"]
