"""The command that a workflow runs: everything it needs is in the environment."""

from __future__ import annotations

import click


@click.command(short_help="Act as the step of a GitHub workflow.")
def action() -> int:
    """Act as the step of a GitHub workflow: the entry point of the Action's image.

    Reads the runner's environment (GITHUB_*, INPUT_*) and the event, audits what the event asks for, publishes the
    verdict and ends with the code that the input fail-step asks for. It needs nothing else.
    """
    from auditor.action.course import main

    return main()
