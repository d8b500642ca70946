"""Addresses that outsiders choose: of requests that the program sends, and of pages that it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.taint_findings import passing_names, sink_names, team_sink_names, with_untrusted_input
from auditor.forensics.source_text.site_probe_types import Site

_FORGERY = "code.request_forgery"
_REDIRECT = "code.open_redirect"


@site_probe(
    _FORGERY,
    none_statement="No outsider chooses where requests are sent.",
    calls=(*sink_names(_FORGERY), *passing_names(_FORGERY)),
    team_names=lambda: CalledNames(team_sink_names(_FORGERY)),
)
def request_forgery(match: Match) -> Iterator[Site]:
    """May an outsider choose the host that the program sends a request to?

    URLs of HTTP clients count whose host holds untrusted input (server-side request forgery). Input behind a fixed host and a slash does not count, nor does a URL whose host is compared with known ones.

    Send requests to known hosts only: compare the host of the parsed URL with a fixed set, or put the input behind a fixed host and a slash.
    """
    yield from with_untrusted_input(match, _FORGERY, ())


@site_probe(
    _REDIRECT,
    none_statement="No outsider chooses where a redirect leads.",
    calls=(*sink_names(_REDIRECT), *passing_names(_REDIRECT)),
    team_names=lambda: CalledNames(team_sink_names(_REDIRECT)),
)
def open_redirect(match: Match) -> Iterator[Site]:
    """May an outsider choose the site that a redirect leads to?

    Redirects count whose address begins with untrusted input. An address behind a fixed path, or a fixed host and a slash, does not count, nor does one that is checked to stay on the site.

    Redirect to the name of a route, or check first that the address has no host of its own.
    """
    yield from with_untrusted_input(match, _REDIRECT, ())
