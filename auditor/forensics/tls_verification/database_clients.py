"""Clients of databases and services with names of their own for it, and addresses that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.node_match import Match
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.disabling_settings import CONNECTION_STATEMENT, is_insecure_pair
from auditor.row_tables import by_name

CLIENT_OPTIONS = by_name(tls_verification().client_options)
"""Calls with a verification argument of their own: the argument, and the values that disable it."""


def by_client_option(match: Match) -> Iterator[Site]:
    """A client whose own option disables verification; one on the local machine needs no check."""
    row = CLIENT_OPTIONS[match.name]
    passed = match.argument(row.argument)
    is_off = passed is not None and (match.value(passed) in row.values or is_insecure_pair(match, row.argument, passed))
    if is_off and match.value(match.argument("host")) not in LOCAL_HOSTS:
        yield match.site(CONNECTION_STATEMENT)
    else:
        yield from by_database_address(match)


LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names of the local machine."""
_INSECURE_ADDRESS = re.compile(
    r"(?:^|[?&\s])(?:sslmode=(?:disable|allow|prefer)|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|ssl_cert_reqs=(?:CERT_)?none|ssl_check_hostname=false)\b",
    re.IGNORECASE,
)
_LOCAL_ADDRESS = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|host=/|^(?!.*(?:host=|://))", re.DOTALL)


def by_database_address(match: Match) -> Iterator[Site]:
    """A database address that disables verification."""
    address = match.value(match.call.args[0]) if match.call.args else None
    if isinstance(address, str) and _INSECURE_ADDRESS.search(address) and not _LOCAL_ADDRESS.search(address):
        yield match.site(CONNECTION_STATEMENT)
