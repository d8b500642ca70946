"""Connections: certificates that are not checked, and calls that may wait for ever."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from auditor.forensics.module import Module
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


def _turns_a_switch(assignment: ast.Assign, _module: Module) -> bool:
    target = assignment.targets[0]
    if len(assignment.targets) > 1:
        return True
    return isinstance(target, ast.Attribute) and target.attr in _SWITCHES


_DEFAULT_CONTEXT = {
    "imaplib.IMAP4_SSL": "ssl_context", "imaplib.IMAP4.starttls": "ssl_context", "smtplib.SMTP_SSL": "context",
    "smtplib.SMTP.starttls": "context", "poplib.POP3_SSL": "context", "poplib.POP3.stls": "context", "ftplib.FTP_TLS": "context",
}  # fmt: skip
"""Calls that make a context of their own when given none, and the argument that gives one. The standard library makes it by
`ssl._create_stdlib_context`, which does not verify."""


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
        *_DEFAULT_CONTEXT,
        "paramiko.SSHClient.set_missing_host_key_policy",
        "ssl.wrap_socket",
        "urllib3.PoolManager",
        "urllib3.disable_warnings",
        "aiohttp.TCPConnector",
    ),
    methods=("set_missing_host_key_policy",),
    second_look=("S501", "S323", "S507"),
)
def tls_verification_off(match: Match) -> Iterator[Site]:
    """Is a connection made without checking who answers?

    Leave verification on; for a private authority pass its certificate (`verify="ca.pem"`), for SSH load the known host keys.
    """
    if isinstance(match.node, ast.Assign):
        yield from _switched_off(match, match.node)
        return
    if match.name in _SURE:
        if _SURE[match.name][1](match):
            yield match.site(_SURE[match.name][0])
    elif match.name in _DEFAULT_CONTEXT:
        if match.argument(_DEFAULT_CONTEXT[match.name]) is None and not match.spreads:
            yield match.site(
                "A connection is made with the standard library's default context, which checks no certificate",
                confidence=0.75,
                because="newer versions of Python may check by default",
            )
    elif match.name == "urllib3.disable_warnings":
        yield match.site(
            "Warnings about unchecked certificates are silenced",
            confidence=0.6,
            because="the connection itself was not seen",
        )
    elif match.value(match.argument("verify")) is False:
        yield match.site(_OFF)


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


def _always(_match: Match) -> bool:
    return True


def _accepts_any_key(match: Match) -> bool:
    """Is a policy passed as a class? One that is made here is a call of its own."""
    policy = match.argument("policy", 0)
    return not isinstance(policy, ast.Call) and match.resolve(policy) in _HOST_KEYS


def _asks_for_none(match: Match) -> bool:
    """`ssl.wrap_socket` asks for no certificate unless it is told to."""
    asked = match.argument("cert_reqs")
    return (asked is None and not match.spreads) or _no_certificate(match, asked)


_OFF = "A connection is made with certificate checks switched off"
_SURE: dict[str, tuple[str, Callable[[Match], bool]]] = {
    **dict.fromkeys(_UNVERIFIED, ("A TLS context is made that checks no certificate", _always)),
    **dict.fromkeys(_HOST_KEYS, ("Unknown SSH host keys are accepted", _always)),
    ".set_missing_host_key_policy": ("Unknown SSH host keys are accepted", _accepts_any_key),
    "paramiko.SSHClient.set_missing_host_key_policy": ("Unknown SSH host keys are accepted", _accepts_any_key),
    "ssl.wrap_socket": (_OFF, _asks_for_none),
    "aiohttp.TCPConnector": (
        _OFF,
        lambda match: any(match.value(match.argument(each)) is False for each in ("ssl", "verify_ssl")),
    ),
    "urllib3.PoolManager": (_OFF, lambda match: _no_certificate(match, match.argument("cert_reqs"))),
}
"""What is said of a call, and when."""


def _is_client(match: Match, owner: ast.expr) -> bool:
    return match.resolve(owner) in {"requests.Session", "requests.session", "httpx.Client"}


def _no_certificate(match: Match, value: ast.expr | None) -> bool:
    if value is None:
        return False
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) == "CERT_NONE"


_TIMED = {
    "urllib.request.urlopen": 2, "smtplib.SMTP": 3, "smtplib.SMTP_SSL": 5, "ftplib.FTP": 4, "http.client.HTTPConnection": 2,
    "http.client.HTTPSConnection": None, "socket.create_connection": 1, "telnetlib.Telnet": 2, "poplib.POP3": 2, "poplib.POP3_SSL": None, "imaplib.IMAP4": 2, "imaplib.IMAP4_SSL": None, "ftplib.FTP_TLS": None,
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
