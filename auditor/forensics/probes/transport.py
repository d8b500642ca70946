"""Connections: certificates that are not checked, and calls that may wait for ever."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.probe import site_probe
from auditor.forensics.sites import Match, Site

_VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "request")
_REQUESTS = frozenset({*(f"requests.{verb}" for verb in _VERBS), *(f"requests.Session.{verb}" for verb in _VERBS),
                       *(f"requests.session.{verb}" for verb in _VERBS), *(f"requests.api.{verb}" for verb in _VERBS)})  # fmt: skip
_HTTPX = frozenset({*(f"httpx.{verb}" for verb in _VERBS), "httpx.stream", "httpx.Client", "httpx.AsyncClient"})
_UNVERIFIED = frozenset({"ssl._create_unverified_context", "ssl._https_verify_certificates"})
_HOST_KEYS = frozenset(
    {
        "paramiko.AutoAddPolicy",
        "paramiko.WarningPolicy",
        "paramiko.client.AutoAddPolicy",
        "paramiko.client.WarningPolicy",
    }
)


_SWITCHES = frozenset({"verify_mode", "check_hostname", "verify", "_create_default_https_context"})


def _turns_a_switch(assignment: ast.Assign) -> bool:
    target = assignment.targets[0]
    if len(assignment.targets) > 1:
        return True
    return isinstance(target, ast.Attribute) and target.attr in _SWITCHES


@site_probe(
    "code.tls_verification_off",
    none="No connection is made without checking who answers.",
    nodes=(ast.Assign,),
    glance=_turns_a_switch,
    calls=(
        *_REQUESTS,
        *_HTTPX,
        *_UNVERIFIED,
        *_HOST_KEYS,
        "urllib3.PoolManager",
        "urllib3.disable_warnings",
        "aiohttp.TCPConnector",
    ),
    second_look=("S501", "S323", "S507"),
)
def tls_verification_off(match: Match) -> Iterator[Site]:
    """Is a connection made without checking who answers?

    Leave verification on; for a private authority pass its certificate (`verify="ca.pem"`), for SSH load the known host keys.
    """
    if isinstance(match.node, ast.Assign):
        yield from _switched_off(match, match.node)
        return
    name = match.name
    if name in _UNVERIFIED:
        yield match.site("A TLS context is made that checks no certificate")
    elif name in _HOST_KEYS:
        yield match.site("Unknown SSH host keys are accepted")
    elif name == "urllib3.disable_warnings":
        yield match.site(
            "Warnings about unchecked certificates are silenced",
            confidence=0.6,
            because="the connection itself was not seen",
        )
    elif name == "aiohttp.TCPConnector":
        if any(match.value(match.argument(each)) is False for each in ("ssl", "verify_ssl")):
            yield match.site("A connection is made with certificate checks switched off")
    elif name == "urllib3.PoolManager":
        if _no_certificate(match, match.argument("cert_reqs")):
            yield match.site("A connection is made with certificate checks switched off")
    elif match.value(match.argument("verify")) is False:
        yield match.site("A connection is made with certificate checks switched off")


def _switched_off(match: Match, assignment: ast.Assign) -> Iterator[Site]:
    for target in assignment.targets:
        if not isinstance(target, ast.Attribute):
            continue
        if target.attr == "verify_mode" and _no_certificate(match, assignment.value):
            yield match.site("A TLS context is told to check no certificate")
        elif target.attr == "check_hostname" and match.value(assignment.value) is False:
            yield match.site(
                "A TLS context is told not to compare host names",
                confidence=0.8,
                because="certificates may be checked by other means",
            )
        elif target.attr == "verify" and _is_client(match, target.value) and match.value(assignment.value) is False:
            yield match.site("A connection is made with certificate checks switched off")
        elif target.attr == "_create_default_https_context" and match.resolve(assignment.value) in _UNVERIFIED:
            yield match.site("Certificate checks are switched off for the whole process")


def _is_client(match: Match, owner: ast.expr) -> bool:
    return match.resolve(owner) in {"requests.Session", "requests.session", "httpx.Client"}


def _no_certificate(match: Match, value: ast.expr | None) -> bool:
    if value is None:
        return False
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) == "CERT_NONE"


_TIMED = {
    "urllib.request.urlopen": 2, "smtplib.SMTP": 3, "smtplib.SMTP_SSL": 5, "ftplib.FTP": 4, "http.client.HTTPConnection": 2,
    "http.client.HTTPSConnection": None, "socket.create_connection": 1, "telnetlib.Telnet": 2, "poplib.POP3": 2, "imaplib.IMAP4": 2,
}  # fmt: skip


@site_probe(
    "code.no_timeout",
    none="No network call was seen that may wait for ever.",
    calls=(*_REQUESTS, *_HTTPX, *_TIMED),
    second_look=("S113",),
)
def no_timeout(match: Match) -> Iterator[Site]:
    """May a network call wait for ever?

    Pass `timeout=` in seconds, and handle its exception where the caller can do something about it.
    """
    position = _TIMED.get(match.name)
    if match.name in _REQUESTS:
        position = None
    passed = match.argument("timeout", position)
    if match.name in _HTTPX:
        if passed is not None and match.value(passed) is None:
            yield match.site("A network call is made with its timeout switched off")
        return
    if passed is None and match.spreads:
        return
    if passed is None or match.value(passed) is None:
        yield match.site("A network call is made without a timeout", confidence=_sureness(match), because=_why(match))


def _sureness(match: Match) -> float:
    return 1.0 if match.name in _REQUESTS else 0.85


def _why(match: Match) -> str:
    return "" if match.name in _REQUESTS else "a default for all sockets may be set elsewhere"
