"""Connections: certificates that are not checked, and calls that may wait for ever."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from auditor.forensics.module import Kept, Module
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import Match, Site
from auditor.forensics.woven import items

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


_SWITCHES = frozenset(
    {"verify_mode", "check_hostname", "verify", "verify_ssl", "ssl_verify", "_create_default_https_context"}
)
_AIOHTTP = frozenset({*(f"aiohttp.ClientSession.{verb}" for verb in (*_VERBS, "ws_connect")), "aiohttp.request"})
_OPTIONS: dict[str, tuple[str, tuple[object, ...]]] = {
    **dict.fromkeys(
        (f"{module}.{name}" for module in ("elasticsearch", "opensearchpy") for name in ("Elasticsearch", "AsyncElasticsearch", "OpenSearch", "AsyncOpenSearch")),
        ("verify_certs", (False,)),
    ),
    **dict.fromkeys(("boto3.client", "boto3.resource", "boto3.Session.client", "boto3.session.Session.client", "hvac.Client"), ("verify", (False,))),
    **dict.fromkeys(("pymongo.MongoClient", "pymongo.mongo_client.MongoClient", "motor.motor_asyncio.AsyncIOMotorClient"), ("tlsAllowInvalidCertificates", (True,))),
    **dict.fromkeys(("redis.Redis", "redis.StrictRedis", "redis.from_url", "redis.asyncio.Redis", "redis.asyncio.from_url"), ("ssl_cert_reqs", (None, "none"))),
    **dict.fromkeys(("pymysql.connect", "MySQLdb.connect", "mysql.connector.connect"), ("ssl_verify_cert", (False,))),
    **dict.fromkeys(("gitlab.Gitlab", "pyVim.connect.SmartConnect"), ("ssl_verify", (False,))),
    **dict.fromkeys(("tornado.httpclient.HTTPRequest", "tornado.httpclient.AsyncHTTPClient.fetch"), ("validate_cert", (False,))),
    **dict.fromkeys(("aiosmtplib.SMTP", "aiosmtplib.send"), ("validate_certs", (False,))),
}  # fmt: skip
"""Calls of libraries that have a name of their own for it: the argument, and the values that switch it off."""
_PROCESSES = frozenset(f"subprocess.{name}" for name in ("run", "call", "Popen", "check_call", "check_output"))
_PROGRAMS = {
    "curl": frozenset({"-k", "--insecure"}), "wget": frozenset({"--no-check-certificate"}), "git": frozenset({"http.sslVerify=false", "http.sslverify=false"}),
    "ssh": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}), "scp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
    "sftp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
}  # fmt: skip
"""Programs, and the words that make them trust anybody."""
_ENVIRONMENT = {
    "PYTHONHTTPSVERIFY": "0", "GIT_SSL_NO_VERIFY": "true", "NODE_TLS_REJECT_UNAUTHORIZED": "0", "CURL_CA_BUNDLE": "", "REQUESTS_CA_BUNDLE": "",
    "SSL_CERT_VERIFY": "0",
}  # fmt: skip
"""Variables that switch checks off for a program and all that it starts, with the value that does."""


def _turning_a_switch(shown: list[Kept], _module: Module) -> list[Kept]:
    return [each for each in shown if len(targets := each[0].targets) > 1 or _is_switch(targets[0])]


def _is_switch(target: ast.expr) -> bool:
    if type(target) is ast.Subscript:
        return isinstance(target.slice, ast.Constant) and target.slice.value in _ENVIRONMENT
    return type(target) is ast.Attribute and target.attr in _SWITCHES


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
    glance=_turning_a_switch,
    calls=(
        *_REQUESTS,
        *_HTTPX,
        *_UNVERIFIED,
        *_HOST_KEYS,
        *_DEFAULT_CONTEXT,
        *_OPTIONS,
        *_AIOHTTP,
        *_PROCESSES,
        "pycurl.Curl.setopt",
        "websocket.create_connection",
        "ldap3.Tls",
        "paramiko.SSHClient.set_missing_host_key_policy",
        "ssl.wrap_socket",
        "urllib3.PoolManager",
        "urllib3.disable_warnings",
        "aiohttp.TCPConnector",
    ),
    methods=("set_missing_host_key_policy", "tls_insecure_set", "set_verify", *_VERBS),
    second_look=("S501", "S323", "S507"),
)
def tls_verification_off(match: Match) -> Iterator[Site]:
    """Is a connection made without checking who answers?

    Leave verification on; for a private authority pass its certificate (`verify="ca.pem"`), for SSH load the known host keys.
    """
    if isinstance(match.node, ast.Assign):
        yield from _switched_off(match, match.node)
        return
    if match.name in _SAYING:
        yield from _SAYING[match.name](match)
    elif match.name in _SURE:
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


def _by_unknown(match: Match) -> Iterator[Site]:
    """`.get(url, verify=False)` of something that is called like a client."""
    off = any(match.value(_keyword(match.call, each)) is False for each in ("verify", "ssl", "verify_ssl"))
    if off and _CLIENT.search(_owner_name(match.call)):
        yield match.site(_OFF, confidence=0.9, because="what is called was not followed to where it was made")


def _by_program(match: Match) -> Iterator[Site]:
    if _trusts_anybody(match, match.argument("args", 0)):
        yield match.site("A program is started with its checks of who answers switched off")


def _by_option(match: Match) -> Iterator[Site]:
    keyword, off = _OPTIONS[match.name]
    passed = match.argument(keyword)
    if passed is not None and match.value(passed) in off:
        yield match.site(_OFF)


_SAYING: dict[str, Callable[[Match], Iterator[Site]]] = {
    **{f".{verb}": _by_unknown for verb in _VERBS},
    **dict.fromkeys(_PROCESSES, _by_program),
    **dict.fromkeys(_OPTIONS, _by_option),
}
_CLIENT = re.compile(r"session|client|http|requests", re.IGNORECASE)
"""Names of what makes connections."""


def _owner_name(call: ast.Call) -> str:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == name), None)


def _trusts_anybody(match: Match, command: ast.expr | None) -> bool:
    """`["curl", "-k", url]` and the like."""
    words = command.elts if isinstance(command, (ast.List, ast.Tuple)) else items(match.module, command, match.scope)
    program = match.value(words[0]) if words else None
    loose = _PROGRAMS.get(program.rpartition("/")[2]) if isinstance(program, str) else None
    return loose is not None and any(
        match.value(each) in loose for each in words[1:60] if isinstance(each, (ast.Constant, ast.Name))
    )


def _switched_off(match: Match, assignment: ast.Assign) -> Iterator[Site]:
    for target in assignment.targets:
        if isinstance(target, ast.Subscript):
            yield from _told_by_environment(match, target, assignment.value)
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
        elif target.attr in {"verify_ssl", "ssl_verify"} and match.value(assignment.value) is False:
            yield match.site(_OFF, confidence=0.85, because="what the setting belongs to was not followed")
        elif target.attr == "_create_default_https_context" and match.resolve(assignment.value) in _UNVERIFIED:
            yield match.site("Certificate checks are switched off for the whole process")


def _told_by_environment(match: Match, target: ast.Subscript, value: ast.expr) -> Iterator[Site]:
    key, told = match.value(target.slice), match.value(value)
    if (
        isinstance(key, str)
        and isinstance(told, str)
        and told.lower() in {_ENVIRONMENT.get(key), "1" if key.startswith("GIT") else None}
    ):
        yield match.site("Certificate checks are switched off by a variable of the environment")


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
    **dict.fromkeys(
        _AIOHTTP,
        (_OFF, lambda match: any(match.value(match.argument(each)) is False for each in ("ssl", "verify_ssl"))),
    ),
    ".tls_insecure_set": (_OFF, lambda match: match.value(match.argument("value", 0)) is True),
    ".set_verify": (_OFF, lambda match: (match.resolve(match.argument("mode", 0)) or "").endswith("VERIFY_NONE")),
    "pycurl.Curl.setopt": (
        _OFF,
        lambda match: (
            (match.resolve(match.argument("option", 0)) or "").endswith(("SSL_VERIFYPEER", "SSL_VERIFYHOST"))
            and not match.value(match.argument("value", 1))
        ),
    ),
    "websocket.create_connection": (_OFF, lambda match: _no_certificate_in(match, match.argument("sslopt"))),
    "ldap3.Tls": (_OFF, lambda match: _no_certificate(match, match.argument("validate"))),
}
"""What is said of a call, and when."""


def _no_certificate_in(match: Match, options: ast.expr | None) -> bool:
    return isinstance(options, ast.Dict) and any(_no_certificate(match, each) for each in options.values)


def _is_client(match: Match, owner: ast.expr) -> bool:
    return match.resolve(owner) in {"requests.Session", "requests.session", "httpx.Client"}


def _no_certificate(match: Match, value: ast.expr | None) -> bool:
    if value is None:
        return False
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) == "CERT_NONE"


_TIMED = {
    "urllib.request.urlopen": 2, "smtplib.SMTP": 3, "smtplib.SMTP_SSL": 5, "ftplib.FTP": 4, "http.client.HTTPConnection": 2,
    "http.client.HTTPSConnection": None, "socket.create_connection": 1, "telnetlib.Telnet": 2, "poplib.POP3": 2, "poplib.POP3_SSL": None, "imaplib.IMAP4": 2, "imaplib.IMAP4_SSL": None, "ftplib.FTP_TLS": None,
    "urllib.request.urlretrieve": None, "urllib3.PoolManager.request": None, "urllib3.request": None, "paramiko.SSHClient.connect": None,
    "socket.socket.connect": None,
}  # fmt: skip


@site_probe(
    "code.no_timeout",
    none="No network call was seen that may wait for ever.",
    calls=(*_REQUESTS, *_HTTPX, *_TIMED, "aiohttp.ClientTimeout"),
    second_look=("S113",),
)
def no_timeout(match: Match) -> Iterator[Site]:
    """May a network call wait for ever?

    Pass `timeout=` in seconds, and handle its exception where the caller can do something about it.
    """
    if match.name == "aiohttp.ClientTimeout":
        if (
            (total := match.argument("total")) is not None
            and match.value(total) is None
            and len(match.call.keywords) == 1
        ):
            yield match.site("A network call is made with its timeout switched off")
        return
    if match.name not in _REQUESTS | _HTTPX and "setdefaulttimeout" in match.module.calls:
        return
    if match.name == "socket.socket.connect" and "settimeout" in match.module.calls:
        return
    position = _TIMED.get(match.name)
    if match.name in _REQUESTS:
        position = None
    passed = match.argument("timeout", position)
    if match.name in _HTTPX:
        if passed is not None and match.value(passed) is None:
            yield match.site("A network call is made with its timeout switched off")
        return
    if passed is None and match.spreads:
        yield from _handed_on(match)
    elif passed is None or match.value(passed) is None:
        yield match.site("A network call is made without a timeout", confidence=_sureness(match), because=_why(match))


def _handed_on(match: Match) -> Iterator[Site]:
    """A call into which options are spread may get its timeout from them."""
    if match.name in _REQUESTS and _nobody_passes(match, "timeout"):
        yield match.site(
            "A network call passes on its caller's options, and no caller in the file gives a timeout",
            confidence=0.55,
            because="callers in other files may give one",
        )


def _nobody_passes(match: Match, name: str) -> bool:
    """Is all that is spread into a call what the function around it was given by keyword, and do callers in the file leave this one out?"""
    around = match.scope.node
    if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or around.args.kwarg is None:
        return False
    spread = [each.value for each in match.call.keywords if each.arg is None]
    own = around.args.kwarg.arg
    if any(isinstance(each, ast.Starred) for each in match.call.args) or not all(
        isinstance(each, ast.Name) and each.id == own for each in spread
    ):
        return False
    if any(each.arg == name for each in (*around.args.args, *around.args.kwonlyargs)) or name in (
        ast.get_source_segment(match.module.source, around) or name
    ):
        return False
    calls = [node for node, _ in match.module.calls.get(around.name, ())]
    return bool(calls) and not any(each.arg in {None, name} for call in calls for each in call.keywords)


def _sureness(match: Match) -> float:
    return 1.0 if match.name in _REQUESTS else 0.85


def _why(match: Match) -> str:
    return "" if match.name in _REQUESTS else "a default for all sockets may be set elsewhere"
