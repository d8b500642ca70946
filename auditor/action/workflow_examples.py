"""Workflows that use the Action rightly, as text to copy. README.md and .github/docs/forks.md show the same."""

from __future__ import annotations

from collections.abc import Mapping

ACTION_REFERENCE = "OWNER/automaton-auditor@v1"
EVENT_TYPES = ("opened", "synchronize", "reopened", "ready_for_review", "edited")
REVIEW_TYPES = ("submitted", "dismissed")
_REVIEW_GROUP = "${{ github.event.review.state }}"
"""A run for a review has a group of its own, so that a comment does not cancel the audit of a push."""
PERMISSIONS = {"contents": "read", "checks": "write", "pull-requests": "write"}
"""What the job's token needs, by what it is needed for."""
_PERMISSION_PURPOSES = {
    "contents": "git reads base and head",
    "checks": "the check run",
    "pull-requests": "the comment",
}
LABEL = "audit"
KEY_INPUT = {"anthropic-api-key": "${{ secrets.ANTHROPIC_API_KEY }}"}
"""Has a model judge once the secret is set. Until then it is empty, and the embedded bench judges."""


def pull_request_workflow(uses: str = ACTION_REFERENCE, inputs: Mapping[str, str] | None = None) -> str:
    """The workflow for `pull_request`: with a fork's change it can only read."""
    return _workflow("pull_request", EVENT_TYPES, uses, KEY_INPUT if inputs is None else inputs)


def pull_request_target_workflow(uses: str = ACTION_REFERENCE, inputs: Mapping[str, str] | None = None) -> str:
    """The workflow for `pull_request_target`: it can write, and ask a model, for forks too."""
    asked = {**KEY_INPUT, "label": LABEL, **(inputs or {})}
    return _workflow("pull_request_target", (*EVENT_TYPES, "labeled"), uses, asked)


def _label_group_suffix(label: str | None) -> str:
    """Keeps a label that decides nothing from cancelling the audit under way: its run gets a group of its own."""
    if label is None:
        return ""
    word = label.replace("'", "''")
    return f"${{{{ github.event.label.name != '{word}' && github.event.label.name || '' }}}}"


def _review_trigger(event: str) -> list[str]:
    """Starts an audit on a review. A run for a review of a fork can only read, so it is of no use to a workflow that writes."""
    return ["  pull_request_review:", f"    types: [{', '.join(REVIEW_TYPES)}]"] if event == "pull_request" else []


def _workflow(event: str, types: tuple[str, ...], uses: str, inputs: Mapping[str, str]) -> str:
    lines = [
        "name: Audit",
        "on:",
        f"  {event}:",
        f"    types: [{', '.join(types)}]",
        *_review_trigger(event),
        "  merge_group:",
        "permissions: {}",
        "concurrency:",
        f"  group: audit-${{{{ github.event.pull_request.number || github.sha }}}}{_REVIEW_GROUP if event == 'pull_request' else ''}{_label_group_suffix(inputs.get('label'))}",
        "  cancel-in-progress: true",
        "jobs:",
        "  audit:",
        "    runs-on: ubuntu-latest",
        "    permissions:",
        *(f"      {f'{name}: {right}':<23} # {_PERMISSION_PURPOSES[name]}" for name, right in PERMISSIONS.items()),
        "    steps:",
        f"      - uses: {uses}",
    ]
    if inputs:
        lines.append("        with:")
        for name, value in inputs.items():
            first, *rest = value.rstrip("\n").split("\n")
            if not rest:
                lines.append(f"          {name}: {first}")
                continue
            lines += [f"          {name}: |", *(f"            {line}" for line in (first, *rest))]
    return "\n".join(lines) + "\n"
