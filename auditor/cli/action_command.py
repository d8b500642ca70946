"""The command that a workflow runs: everything it needs is in the environment."""

from __future__ import annotations

import os
from pathlib import Path

import click

from auditor.cli.audit_output import say
from auditor.cli.exit_codes import EXIT_CODES, MISTAKE, exit_code_help
from auditor.cli.platform_support import require_unix


@click.command(short_help="Act as the step of a GitHub workflow.")
def action() -> int:
    """Act as the step of a GitHub workflow: the entry point of the Action's image.

    Reads the runner's environment (GITHUB_*, INPUT_*) and the event, audits what the event asks for, publishes the
    verdict and ends with the code that the input fail-step asks for. It needs nothing else.
    """
    require_unix()
    from auditor.action.entry_point import main

    return main()


@click.command(
    epilog=exit_code_help("nothing is wrong", "something is", EXIT_CODES[MISTAKE]),
    short_help="Say what is wrong with the set-up on GitHub, and how to mend it.",
)
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path())
def doctor(path: Path) -> int:
    """Say what is wrong with the set-up on GitHub, and print the YAML that mends it.

    On a developer's machine the workflows and the configuration of the checkout at PATH are examined. In a workflow, the
    run itself is: its event, what its token may write, whether the change is from a fork, whether there is a key, and
    which check to require.
    """
    require_unix()
    from auditor.action.setup_doctor import run

    return run(os.environ, path, say)
