"""The command that a workflow runs: everything it needs is in the environment."""

from __future__ import annotations

import os
from pathlib import Path

import click

from auditor.cli.audit_output import say
from auditor.cli.exit_codes import EXIT_CODES, MISTAKE, exit_code_help
from auditor.cli.platform_support import require_unix


@click.command(short_help="Run as a step of a GitHub workflow.")
def action() -> int:
    """Run as a step of a GitHub workflow: the entry point of the container image of the Action.

    Reads the environment of the runner (GITHUB_*, INPUT_*) and the event, audits the pull request or commit, and
    publishes the verdict. The exit code depends on the input fail-step. You do not need this command on your machine.
    """
    require_unix()
    from auditor.action.entry_point import main

    return main()


@click.command(
    epilog=exit_code_help("no problem found", "at least one problem found", EXIT_CODES[MISTAKE]),
    short_help="Check the setup on GitHub and say how to fix it.",
)
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path())
def doctor(path: Path) -> int:
    """Check the setup on GitHub, and print a workflow that fixes what is wrong.

    On your machine, doctor checks the workflows and the configuration of the checkout at PATH. In a workflow, it checks
    the run: its event, the permissions of its token, whether the change is from a fork, whether there is a key for a
    model, and which check to require.

    \b
    Examples:
      auditor doctor                  check the checkout in this folder
      auditor doctor path/to/project  check another one
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.action.setup_doctor import run

    return run(os.environ, path, say)
