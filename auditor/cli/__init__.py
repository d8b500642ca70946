"""People's way in: parses options, builds the real objects once, maps outcomes to exit codes."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from auditor import __version__
from auditor.child_process import NotStarted
from auditor.cli.action_command import action, doctor
from auditor.cli.audit_command import audit
from auditor.cli.audit_output import replace_unencodable, warn
from auditor.cli.compare_command import compare
from auditor.cli.exit_codes import BUG, EPILOGUE, EXIT_CODES, FAILED, INCONCLUSIVE, INTERRUPTED, MISTAKE, PASSED
from auditor.cli.explain_command import explain
from auditor.cli.fleet_command import fleet
from auditor.cli.replay_command import cost, replay
from auditor.cli.rubric_command import rubric, schema
from auditor.user_error import UserError

__all__ = ["BUG", "EXIT_CODES", "FAILED", "INCONCLUSIVE", "INTERRUPTED", "MISTAKE", "PASSED", "commands", "run"]


def run(arguments: Sequence[str]) -> int:
    """Run a command and give its exit code. Only a bug prints a traceback, and only with AUDITOR_DEBUG=1."""
    replace_unencodable()
    try:
        outcome = commands.main(list(arguments), prog_name="auditor", standalone_mode=False)
    except UserError as error:
        return _print_mistake(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return MISTAKE
    except click.ClickException as error:
        return _print_mistake(error.format_message(), usage=getattr(error, "ctx", None))
    except (KeyboardInterrupt, click.Abort):
        warn("auditor: interrupted; nothing was left behind.")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("AUDITOR_DEBUG"):
            raise
        warn(f"auditor: {_error_text(error)}")
        return BUG
    return outcome if isinstance(outcome, int) else PASSED


def _error_text(error: Exception) -> str:
    """The message for an error that is not the user's mistake."""
    if isinstance(error, NotStarted):
        return str(error)
    return (
        f"this is a bug in the tool, not a mistake of yours ({type(error).__name__}: {str(error)[:200]!r}). "
        "Set AUDITOR_DEBUG=1 for the traceback, and please report it."
    )


def _print_mistake(message: str, usage: click.Context | None = None) -> int:
    for line in message.strip().splitlines():
        warn(f"auditor: {line}")
    if usage is not None:
        warn(f"Try `{usage.command_path} --help`.")
    return MISTAKE


@click.group(epilog=EPILOGUE, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="auditor")
def commands() -> None:
    """Audit a change or a whole repository.

    Static analysis of code and history collects evidence. Three judges score every criterion of a rubric, and fixed
    decision rules turn the scores into a verdict that you can trace and replay.

    \b
    Examples:
      auditor audit .                            audit the whole tree of this repository
      auditor audit . --base main                audit what this branch changes
      auditor audit https://example.org/x.git    audit a remote repository
      auditor replay auditor-report/report.json  derive the verdict again, offline
      auditor compare old.json new.json          show what changed between two audits
      auditor fleet run targets.yaml --store s   audit many changes of many repositories
      auditor explain code.shell_execution       explain a rule: what it checks, what to do
      auditor doctor .                           check the workflows in this checkout
    """  # noqa: D301 - click reads the backspace as "do not wrap"


for _command in (audit, action, doctor, explain, compare, cost, fleet, replay, rubric, schema):
    commands.add_command(_command)
