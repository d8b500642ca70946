"""A GitHub workflow or composite action as jobs and steps.

Only what decides whether a step runs and whether its failure counts is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

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
from auditor.lazy_regex import lazy_compile

MAX_STEPS = 1_000
_BLOCK_SCALAR = lazy_compile(r".*(?<=\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
"""The end of a line whose text begins on the next one."""


class LimitKind(IntEnum):
    """What keeps a job or step of another system from holding a change back; less is worse."""

    NOT_RUN = 0
    CANNOT_FAIL = 1
    AFTER_MERGE = 2
    NONE = 3


class Limit(NamedTuple):
    """What keeps a job or step from holding a change back, and why."""

    kind: LimitKind
    why: str


NO_LIMIT = Limit(LimitKind.NONE, "")


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
    continue_on_error: str = ""
    shell: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    limit: Limit = NO_LIMIT


@dataclass(frozen=True)
class Job:
    """One job; `uses` names the workflow that it calls in place of steps of its own."""

    id: str
    line: int
    uses: str = ""
    condition: str = ""
    continue_on_error: str = ""
    runs_on: str = ""
    needs: tuple[str, ...] = ()
    matrix: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    limit: Limit = NO_LIMIT
    file: str = ""
    """Where its commands are written; empty for the file of the workflow."""


@dataclass(frozen=True)
class Workflow:
    """What starts it, each event with its filters, and its jobs. An action has one job and no event."""

    events: Mapping[str, Mapping[str, tuple[str, ...]]]
    jobs: tuple[Job, ...]


def read_workflow(text: str) -> Workflow | UnreadableYaml:
    """The workflow or action in a text, or why there is none."""
    root = read_yaml(text)
    if isinstance(root, UnreadableYaml):
        return root
    reader = _WorkflowReader(text.split("\n"))
    keys = _lowercase_keys(root)
    workflow = reader.action(keys) if "runs" in keys and "jobs" not in keys else reader.workflow(keys)
    if sum(len(job.steps) + 1 for job in workflow.jobs) > MAX_STEPS:
        return UnreadableYaml(f"it has more than {MAX_STEPS:,} steps")
    return workflow


@dataclass(frozen=True)
class _WorkflowReader:
    rows: Sequence[str]

    def workflow(self, keys: Mapping[str, Node]) -> Workflow:
        env, shell = _scalar_texts(keys.get("env")), _default_shell(keys)
        jobs = keys.get("jobs")
        entries = jobs.entries if isinstance(jobs, MapNode) else {}
        lines = jobs.lines if isinstance(jobs, MapNode) else {}
        read = (self._read_job(name, node, lines.get(name, node.line), env, shell) for name, node in entries.items())
        return Workflow(_read_events(keys.get("on")), tuple(read))

    def action(self, keys: Mapping[str, Node]) -> Workflow:
        runs = keys["runs"]
        return Workflow({}, (Job("", runs.line, steps=self._steps(_lowercase_keys(runs).get("steps"), {}, "")),))

    def _read_job(self, name: str, node: Node, line: int, env: Mapping[str, str], shell: str) -> Job:
        keys = _lowercase_keys(node)
        held = {**env, **_scalar_texts(keys.get("env"))}
        matrix = _lowercase_keys(_lowercase_keys(keys.get("strategy")).get("matrix"))
        return Job(
            id=name,
            line=line,
            uses=_scalar_text(keys.get("uses")),
            condition=_scalar_text(keys.get("if")),
            continue_on_error=_scalar_text(keys.get("continue-on-error")),
            runs_on=" ".join(_string_list(keys.get("runs-on"))),
            needs=_string_list(keys.get("needs")),
            matrix={key: _string_list(each) for key, each in matrix.items() if key not in {"include", "exclude"}},
            steps=self._steps(keys.get("steps"), held, _default_shell(keys) or shell),
        )

    def _steps(self, node: Node | None, env: Mapping[str, str], shell: str) -> tuple[Step, ...]:
        return tuple(self._read_step(each, env, shell) for each in (node.items if isinstance(node, ListNode) else ()))

    def _read_step(self, node: Node, env: Mapping[str, str], shell: str) -> Step:
        keys = _lowercase_keys(node)
        run = keys.get("run")
        below = run is not None and run.line <= len(self.rows) and _BLOCK_SCALAR.match(self.rows[run.line - 1][:1_000])
        return Step(
            line=node.line,
            id=_scalar_text(keys.get("id")),
            name=_scalar_text(keys.get("name")),
            run=_scalar_text(run),
            run_line=(run.line if run is not None else 0) + (1 if below else 0),
            uses=_scalar_text(keys.get("uses")),
            condition=_scalar_text(keys.get("if")),
            continue_on_error=_scalar_text(keys.get("continue-on-error")),
            shell=_scalar_text(keys.get("shell")) or shell,
            env={**env, **_scalar_texts(keys.get("env"))},
            inputs=_scalar_texts(keys.get("with")),
        )


def _read_events(node: Node | None) -> dict[str, Mapping[str, tuple[str, ...]]]:
    if isinstance(node, MapNode):
        events = _lowercase_keys(node).items()
        return {
            name: {key: _string_list(value) for key, value in _lowercase_keys(each).items()} for name, each in events
        }
    return {name: {} for name in _string_list(node)}


def _default_shell(keys: Mapping[str, Node]) -> str:
    return _scalar_text(_lowercase_keys(_lowercase_keys(keys.get("defaults")).get("run")).get("shell"))


def _lowercase_keys(node: Node | None) -> dict[str, Node]:
    """The nodes of a mapping by lower-case key, because keys are case-insensitive on GitHub."""
    return {key.casefold(): each for key, each in node.entries.items()} if isinstance(node, MapNode) else {}


def _scalar_text(node: Node | None) -> str:
    return format_value(scalar_value(node)) if isinstance(node, Scalar) else ""


def _scalar_texts(node: Node | None) -> dict[str, str]:
    """Scalar values by name, which keeps its case."""
    return {key: _scalar_text(each) for key, each in node.entries.items()} if isinstance(node, MapNode) else {}


def _string_list(node: Node | None) -> tuple[str, ...]:
    """A scalar as one item, a list as the scalars in it."""
    if isinstance(node, ListNode):
        return tuple(_scalar_text(each) for each in node.items)
    return (_scalar_text(node),) if isinstance(node, Scalar) else ()


__all__ = ["NO_LIMIT", "Job", "Limit", "LimitKind", "Step", "UnreadableYaml", "Workflow", "read_workflow"]
