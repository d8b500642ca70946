"""`auditor explain`: what a rule checks, why it matters, and what to do about a finding."""

from __future__ import annotations

import io
import os
import re
import sys

import click

from auditor.cli.audit_output import say

_WIDTH = 100
_AUTOMATIC_LINK = re.compile(r"<(https://[^>\s]+)>")
"""An address that is its own text; a terminal would be shown it twice."""


@click.command(short_help="Explain a rule: what it checks, why it matters, what to do.")
@click.argument("rules", metavar="[RULE]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Explain all rules.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a page or a file.")
def explain(rules: tuple[str, ...], everything: bool, markdown: bool) -> None:
    """Explain a rule: what it checks, why it matters, what to do about a finding, and what it is known to miss.

    Without a rule, list all of them with the question that each one asks.

    \b
    Examples:
      auditor explain                        all rules, a line each
      auditor explain code.shell_execution   one rule
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from auditor.forensics.engine.rule_texts import list_rules, rules_markdown

    if not rules and not everything:
        say(list_rules())
        return
    text = rules_markdown(() if everything else rules)
    say(text if markdown else _for_terminal(text))


def _for_terminal(markdown: str) -> str:
    """The Markdown as a terminal shows it, in colour where there is one."""
    from rich.console import Console
    from rich.markdown import Markdown

    out = io.StringIO()
    console = Console(file=out, width=_WIDTH, force_terminal=_has_colour(), highlight=False)
    console.print(Markdown(_AUTOMATIC_LINK.sub(r"`\1`", markdown), hyperlinks=False))
    return out.getvalue().rstrip()


def _has_colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
