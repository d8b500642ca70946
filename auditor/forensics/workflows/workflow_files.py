"""Workflows and what governs changes, as probes are given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WorkflowFinding:
    """What zizmor reports of a workflow: its rule and sentence, the line from 1, its confidence and severity."""

    rule: str
    says: str
    line: int
    confidence: str
    severity: str


@dataclass(frozen=True)
class WorkflowFile:
    """A GitHub workflow or action: its text and zizmor's findings in it, or why there are none."""

    text: str
    findings: tuple[WorkflowFinding, ...] = ()
    unread: str = ""
    is_action: bool = False
    called: str = ""
    """Recipes and shell scripts of the repository that it calls."""

    def line(self, number: int) -> str:
        """A line, counted from 1; empty when there is none."""
        source = self.text.split("\n")
        return source[number - 1] if 0 < number <= len(source) else ""


@dataclass(frozen=True)
class WorkflowFiles:
    """The workflows and actions in scope, by path."""

    head: Mapping[str, WorkflowFile]
    base: Mapping[str, WorkflowFile] = field(default_factory=dict)


@dataclass(frozen=True)
class GovernanceFiles:
    """What governs changes at the base, whether or not the change touches it; empty without a base.

    `texts` are pipelines and instructions for agents by path, `links` are symbolic links among these and where they lead,
    `scripts` the shell scripts that the pipelines name, and those that these name.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    scripts: Mapping[str, str] = field(default_factory=dict)
    included: frozenset[str] = field(default=frozenset(), metadata={"doc": "paths of `texts` that pipelines include"})
    check_name: str = field(default="", metadata={"doc": "of the check run, where the Action knows it"})
    workflow_path: str = field(
        default="", metadata={"doc": "of the workflow that runs this audit, where the Action knows it"}
    )
