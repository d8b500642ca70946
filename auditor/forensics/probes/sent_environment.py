"""Environment variables that leave the program."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.taint_findings import sink_methods, sink_names, team_sink_names, with_untrusted_input
from auditor.forensics.python.taint_models import environment_words
from auditor.forensics.source_text.site_probe_types import Site

_PROBE = "code.environment_sent"


def _where_it_is_read(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Calls of methods in a file that reads the environment."""
    return shown if module.says(environment_words()) else []


@site_probe(
    _PROBE,
    none_statement="Environment variables are not sent to other hosts.",
    calls=sink_names(_PROBE),
    methods=sink_methods(_PROBE),
    method_filter=_where_it_is_read,
    team_names=lambda: CalledNames(team_sink_names(_PROBE)),
)
def environment_sent(match: Match) -> Iterator[Site]:
    """Does the program send its environment variables to another host?

    Requests, messages and responses count that hold the whole environment, and those that hold a variable with a secret that no service asks for, such as `AWS_SECRET_ACCESS_KEY`. Other single variables do not count, nor does the environment of a child process.

    Send only the variables that the receiver needs, each by its name.
    """
    if match.module.says(environment_words()):
        yield from with_untrusted_input(match, _PROBE, ())
