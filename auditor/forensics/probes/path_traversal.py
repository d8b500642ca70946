"""Files that outsiders choose by their path."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.taint_findings import (
    methods_near_input,
    passing_names,
    sink_methods,
    sink_names,
    team_sink_names,
    with_untrusted_input,
)
from auditor.forensics.python.taint_models import sinks_of
from auditor.forensics.source_text.site_probe_types import Site

_PROBE = "code.path_traversal"
_UNKNOWN_ORIGIN_REASON = "where the archive comes from was not analysed"


@site_probe(
    _PROBE,
    none_statement="No outsider chooses the path of a file.",
    calls=(*sink_names(_PROBE), *passing_names(_PROBE)),
    methods=sink_methods(_PROBE),
    method_filter=methods_near_input,
    team_names=lambda: CalledNames(team_sink_names(_PROBE)),
)
def path_traversal(match: Match) -> Iterator[Site]:
    """May an outsider choose which file is read, written or deleted?

    Paths that hold untrusted input count, as do archives that are unpacked under the names that they give their members. A path that is reduced to its last part, resolved and then compared with its folder, or taken from a fixed set does not count, nor does one that the person who starts the program gives.

    Use only the last part of the name, or resolve the path and check that it is inside the intended folder.
    """
    yield from with_untrusted_input(match, _PROBE, _unpacked(match))


def _unpacked(match: Match) -> Iterator[Site]:
    """An archive that is unpacked without a filter, which may hold names such as `../../etc/passwd`."""
    limits = {name for each in sinks_of(_PROBE).get(match.name, ()) for name in each.unless}
    if not limits or match.has_spread_arguments or any(match.argument(each) is not None for each in sorted(limits)):
        return
    if len(match.call.args) > 1:
        return  # the members that are unpacked were chosen
    yield match.site(
        "Path traversal risk: {call} unpacks an archive without checking the paths of its members",
        confidence=0.6,
        because=_UNKNOWN_ORIGIN_REASON,
    )
