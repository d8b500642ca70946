"""Workflows that use the Action rightly, as text to be copied. The README shows the same."""

from __future__ import annotations

from collections.abc import Mapping

USES = "OWNER/automaton-auditor@v1"
TYPES = ("opened", "synchronize", "reopened", "ready_for_review", "edited")
RIGHTS = {"contents": "read", "checks": "write", "pull-requests": "write"}
"""What the job's token needs, by what it is needed for."""
_WHAT_FOR = {"contents": "git reads base and head", "checks": "the check run", "pull-requests": "the comment"}
LABEL = "audit"
KEY = {"anthropic-api-key": "${{ secrets.ANTHROPIC_API_KEY }}"}
"""Has a model judge once the secret is set. Until then it is empty, and the embedded bench judges."""


def untrusted(uses: str = USES, inputs: Mapping[str, str] | None = None) -> str:
    """The workflow for `pull_request`: with a fork's change it can only read."""
    return _workflow("pull_request", TYPES, uses, KEY if inputs is None else inputs)


def trusted(uses: str = USES, inputs: Mapping[str, str] | None = None) -> str:
    """The workflow for `pull_request_target`: it can write, and ask a model, for forks too."""
    asked = {**KEY, "label": LABEL, **(inputs or {})}
    return _workflow("pull_request_target", (*TYPES, "labeled"), uses, asked)


def _apart(label: str | None) -> str:
    """Keeps a label that decides nothing from cancelling the audit under way: its run gets a group of its own."""
    if label is None:
        return ""
    word = label.replace("'", "''")
    return f"${{{{ github.event.label.name != '{word}' && github.event.label.name || '' }}}}"


def _workflow(event: str, types: tuple[str, ...], uses: str, inputs: Mapping[str, str]) -> str:
    lines = [
        "name: Audit",
        "on:",
        f"  {event}:",
        f"    types: [{', '.join(types)}]",
        "  merge_group:",
        "permissions: {}",
        "concurrency:",
        f"  group: audit-${{{{ github.event.pull_request.number || github.sha }}}}{_apart(inputs.get('label'))}",
        "  cancel-in-progress: true",
        "jobs:",
        "  audit:",
        "    runs-on: ubuntu-latest",
        "    permissions:",
        *(f"      {f'{name}: {right}':<23} # {_WHAT_FOR[name]}" for name, right in RIGHTS.items()),
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
