"""Connections that are made without checking who answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from auditor.forensics.bindings import last_name
from auditor.forensics.module import Kept, Module
from auditor.forensics.parameters import default_of, function_with
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import Match, Site
from auditor.forensics.woven import Foreign, items, versions

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
_NO_SSLMODE = ("disable", "allow", "prefer")
"""Modes in which a PostgreSQL client talks to whoever answers, without a certificate."""
_OPTIONS: dict[str, tuple[str, tuple[object, ...]]] = {
    **dict.fromkeys(
        (f"{module}.{name}" for module in ("elasticsearch", "opensearchpy") for name in ("Elasticsearch", "AsyncElasticsearch", "OpenSearch", "AsyncOpenSearch")),
        ("verify_certs", (False,)),
    ),
    **dict.fromkeys(("boto3.client", "boto3.resource", "boto3.Session.client", "boto3.session.Session.client", "hvac.Client"), ("verify", (False,))),
    **dict.fromkeys(("pymongo.MongoClient", "pymongo.mongo_client.MongoClient", "motor.motor_asyncio.AsyncIOMotorClient"), ("tlsAllowInvalidCertificates", (True,))),
    **dict.fromkeys(("redis.Redis", "redis.StrictRedis", "redis.from_url", "redis.Redis.from_url", "redis.asyncio.Redis.from_url", "redis.asyncio.Redis", "redis.asyncio.from_url"), ("ssl_cert_reqs", (None, "none"))),
    **dict.fromkeys(("pymysql.connect", "MySQLdb.connect", "mysql.connector.connect"), ("ssl_verify_cert", (False,))),
    **dict.fromkeys(("gitlab.Gitlab", "pyVim.connect.SmartConnect"), ("ssl_verify", (False,))),
    **dict.fromkeys(("tornado.httpclient.HTTPRequest", "tornado.httpclient.AsyncHTTPClient.fetch"), ("validate_cert", (False,))),
    **dict.fromkeys((f"{package}.connect" for package in ("psycopg", "psycopg2", "psycopg.Connection", "psycopg.AsyncConnection", "aiopg", "psycopg_pool")), ("sslmode", _NO_SSLMODE)),
    **dict.fromkeys(("asyncpg.connect", "asyncpg.create_pool"), ("ssl", (False, *_NO_SSLMODE))),
    **dict.fromkeys(("asyncssh.connect", "asyncssh.create_connection"), ("known_hosts", (None,))),
    **dict.fromkeys(("docker.tls.TLSConfig", "consul.Consul", "jenkins.Jenkins", "httpx.HTTPTransport", "httpx.AsyncHTTPTransport"), ("verify", (False,))),
    **dict.fromkeys(("influxdb.InfluxDBClient", "influxdb_client.InfluxDBClient", "proxmoxer.ProxmoxAPI", "pyzabbix.ZabbixAPI"), ("verify_ssl", (False,))),
    **dict.fromkeys(("kafka.KafkaProducer", "kafka.KafkaConsumer"), ("ssl_check_hostname", (False,))),
    **dict.fromkeys(("minio.Minio", "minio.api.Minio"), ("cert_check", (False,))),
    **dict.fromkeys(("winrm.Session", "winrm.Protocol", "winrm.protocol.Protocol"), ("server_cert_validation", ("ignore",))),
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


_BY_KEY = frozenset({*_ENVIRONMENT, "cert_reqs", "verify", "verify_ssl"})
"""Keys under which a variable of the environment, or an argument that is handed on later, switches checks off."""
_HANDED_ON = re.compile(r"kw|options|opts|param|config|settings|session|request|args", re.IGNORECASE)
_LOOSE = re.compile(
    r"(?:verify_ssl|ssl_verify|verify_certs?|verify_tls|tls_verify|verify_certificates?)=False|(?:insecure_skip|skip_tls)_verify=True"
)
"""Arguments by which clients of all kinds are told to trust anybody. Files without one are told by this, and quickly."""
_LOOSE_WORDS = (
    "verify_ssl",
    "ssl_verify",
    "verify_cert",
    "verify_tls",
    "tls_verify",
    "skip_verify",
    '"verify"',
    "'verify'",
)
_GROUPED = frozenset({"options", "client_options", "client_kwargs", "session_kwargs", "request_kwargs", "requests_kwargs", "http_options", "transport_options"})  # fmt: skip
"""Arguments that hold others, which are handed on to a client."""


def _turning_a_switch(shown: list[Kept], module: Module) -> list[Kept]:
    """Assignments that may switch checks off; asked of imports, once a file, the calls that may."""
    if not isinstance(shown[0][0], ast.Assign):
        return _told_by_calls(module) if module.memory.setdefault("transport.calls", shown) is shown else []
    return [
        each
        for each in shown
        if len(targets := each[0].targets) > 1 or (type(targets[0]) is not ast.Name and _is_switch(targets[0]))
    ]


def _told_by_calls(module: Module) -> list[Kept]:
    """All calls with arguments by name in files that speak of such arguments; of `verify` alone, those that have it."""
    if "verify" not in module.source:
        return []
    if any(each in module.source for each in _LOOSE_WORDS):
        return [each for calls in list(module.calls.values()) for each in calls if each[0].keywords]
    if "verify=" not in module.source:
        return []
    return [
        each
        for calls in list(module.calls.values())
        for each in calls
        if any(named.arg == "verify" for named in each[0].keywords)
    ]


def _is_switch(target: ast.expr) -> bool:
    if type(target) is ast.Subscript:
        return isinstance(target.slice, ast.Constant) and target.slice.value in _BY_KEY
    return type(target) is ast.Attribute and target.attr in _SWITCHES


_DEFAULT_CONTEXT = {
    "imaplib.IMAP4_SSL": "ssl_context", "imaplib.IMAP4.starttls": "ssl_context", "smtplib.SMTP_SSL": "context",
    "smtplib.SMTP.starttls": "context", "poplib.POP3_SSL": "context", "poplib.POP3.stls": "context", "ftplib.FTP_TLS": "context",
}  # fmt: skip
"""Calls that make a context of their own when given none, and the argument that gives one. The standard library makes it by
`ssl._create_stdlib_context`, which does not verify."""


_BY_SSLOPT = frozenset({"websocket.create_connection", "websocket.WebSocket", "websocket.WebSocketApp.run_forever"})


@site_probe(
    "code.tls_verification_off",
    none="No connection is made without checking who answers.",
    nodes=(ast.Assign, ast.Import, ast.ImportFrom),
    glance=_turning_a_switch,
    counted=(ast.Assign,),
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
        *_BY_SSLOPT,
        "ldap3.Tls",
        "ldap.set_option",
        "ldap.initialize.set_option",
        "urllib3.HTTPSConnectionPool",
        "urllib3.connectionpool.HTTPSConnectionPool",
        "os.environ.setdefault",
        "os.putenv",
        "sqlalchemy.create_engine",
        "sqlalchemy.ext.asyncio.create_async_engine",
        "paramiko.SSHClient.set_missing_host_key_policy",
        "ssl.wrap_socket",
        "urllib3.PoolManager",
        "urllib3.disable_warnings",
        "aiohttp.TCPConnector",
    ),
    makers=("functools.partial",),
    methods=("set_missing_host_key_policy", "tls_set", "tls_insecure_set", "set_verify", *_VERBS),
    method_glance=lambda shown, _module: [
        each for each in shown if each[0].keywords or each[0].func.attr not in _VERBS
    ],
    second_look=("S501", "S323", "S507"),
)
def tls_verification_off(match: Match) -> Iterator[Site]:
    """Is a connection made without checking who answers?

    Certificates, host names and the host keys of SSH count, switched off by an argument, a setting, an address, an option of a program or a variable of the environment. A private authority whose certificate is given does not.

    Leave verification on; for a private authority pass its certificate (`verify="ca.pem"`), for SSH load the known host keys.
    """
    if isinstance(match.node, ast.Assign):
        yield from _switched_off(match, match.node)
    elif not match.name:
        yield from _by_argument(match)
    elif match.name in _SAYING:
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
    else:
        yield from _by_verify(match)


def _by_argument(match: Match) -> Iterator[Site]:
    """A call of whatever client, told to trust anybody by the name of an argument."""
    if match.resolve(match.call.func) in _TOLD:
        return
    for each in match.call.keywords:
        if each.arg == "verify" and match.value(each.value) is False and _passes_on(match):
            yield match.site(_OFF, confidence=0.9, because=_BY_WRAPPER)
            return
        loose = _LOOSE.fullmatch(f"{each.arg}={match.value(each.value)}")
        if loose or (isinstance(each.value, ast.Dict) and each.arg in _GROUPED and _switches(match, each.value)):
            yield match.site(_OFF, confidence=0.8, because="what is called was not followed to where it was made")
            return


_BY_WRAPPER = "it is passed on by a function of another module"


def _passes_on(match: Match) -> bool:
    """Does the function that is called stand in another module of the repository, and hand `verify` to a client?"""
    known = match.module.known_elsewhere(match.call.func, match.scope)
    return isinstance(known, dict) and "verify" in known.get("passes", ())


def _note_passing(match: Match, passed: ast.expr | None) -> None:
    """Note, for those who import it, that a function of the module hands its own `verify` to a client, by itself or among what is left over."""
    around = match.scope.node
    if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or match.scope.qualname != around.name:
        return
    own = around.args
    rest = own.kwarg.arg if own.kwarg is not None else ""
    handed = any(
        each.arg is None and isinstance(each.value, ast.Name) and each.value.id == rest for each in match.call.keywords
    )
    named = isinstance(passed, ast.Name) and function_with(passed.id, match.scope) is around and passed.id == "verify"
    if named or (handed and passed is None):
        match.module.passing.setdefault(around.name, set()).add("verify")


def _switches(match: Match, given: ast.Dict) -> bool:
    pairs = zip(given.keys, given.values, strict=True)
    return any(
        key is not None and match.value(key) in {"verify", "verify_ssl"} and match.value(value) is False
        for key, value in pairs
    )


def _by_partial(match: Match) -> Iterator[Site]:
    """`partial(requests.get, verify=False)`."""
    if match.resolve(match.argument("", 0)) in _REQUESTS | _HTTPX:
        yield from _by_verify(match)


def _usual_values(match: Match, passed: ast.expr | None) -> list[object]:
    """What an attribute of `self`, or a parameter, stands for when nobody gives anything else."""
    if isinstance(passed, ast.UnaryOp) and isinstance(passed.op, ast.Not):
        opposite = [match.value(passed.operand), *_usual_values(match, passed.operand)]
        return [not each for each in opposite if isinstance(each, bool)]
    if not isinstance(passed, (ast.Name, ast.Attribute)):
        return []
    values: list[object] = [match.value(default_of(passed, match.scope)), _unset(match, passed)]
    for pieces in (
        versions(match.module, passed, match.scope, match.call.lineno) if isinstance(passed, ast.Attribute) else ()
    ):
        only = pieces[0] if len(pieces) == 1 else ""
        given = default_of(only.expression, only.scope) if isinstance(only, Foreign) else None
        values.append(match.value(given) if given is not None else False if only == "False" else only)
    return values


_MOST_STEPS = 6


def _unset(match: Match, passed: ast.expr) -> object:
    """What a setting comes to when its variable is not set: `os.getenv(NAME, "false").lower() == "true"`; None for anything else."""
    made = match.module.behind(passed, match.scope)
    if not isinstance(made, ast.Compare) or not isinstance(made.ops[0], (ast.Eq, ast.In)):
        return None
    asked: ast.expr = made.left
    for _ in range(_MOST_STEPS):
        if not isinstance(asked, ast.Call) or not isinstance(asked.func, ast.Attribute):
            return None
        if asked.func.attr in {"getenv", "get"}:
            usual = match.value(asked.args[1]) if len(asked.args) > 1 else None
            right = made.comparators[0]
            meant = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
            return isinstance(usual, str) and usual.lower() in {str(match.value(each)).lower() for each in meant}
        asked = asked.func.value
    return None


def _by_verify(match: Match) -> Iterator[Site]:
    """`verify=False`, by its value or by what a parameter stands for when nothing is passed."""
    passed = match.argument("verify")
    _note_passing(match, passed)
    if match.value(passed) is False:
        yield match.site(_OFF)
    elif any(each is False for each in _usual_values(match, passed)):
        yield match.site(
            "A connection is made with certificate checks switched off unless a caller asks for them",
            confidence=0.75,
            because="callers may ask for them",
        )


def _by_setting(match: Match) -> Iterator[Site]:
    """`os.environ.setdefault(name, value)` and `os.putenv`."""
    if _switches_off(match.value(match.argument("key", 0)), match.value(match.argument("value", 1))):
        yield match.site(_BY_VARIABLE)


def _by_unknown(match: Match) -> Iterator[Site]:
    """`.get(url, verify=False)` of something that is called like a client."""
    off = any(match.value(_keyword(match.call, each)) is False for each in ("verify", "ssl", "verify_ssl"))
    if off and _CLIENT.search(_owner_name(match.call)):
        yield match.site(_OFF, confidence=0.9, because="what is called was not followed to where it was made")


def _by_program(match: Match) -> Iterator[Site]:
    if _trusts_anybody(match, match.argument("args", 0)):
        yield match.site("A program is started with its checks of who answers switched off")
    elif (environment := match.argument("env")) is not None and _is_told_so(match, environment):
        yield match.site(_BY_VARIABLE)


def _is_told_so(match: Match, environment: ast.expr) -> bool:
    """Does an environment that a program is given, `{**os.environ, NAME: value}` or `dict(os.environ, NAME=value)`, switch checks off?"""
    if isinstance(environment, ast.Name):
        found = match.module.lookup(environment.id, match.scope)
        environment = found[0].value if found is not None and found[0].value is not None else environment
    if isinstance(environment, ast.BinOp):
        return _is_told_so(match, environment.right)
    if isinstance(environment, ast.Dict):
        pairs = zip(environment.keys, environment.values, strict=True)
        return any(key is not None and _switches_off(match.value(key), match.value(value)) for key, value in pairs)
    return isinstance(environment, ast.Call) and any(
        _switches_off(each.arg, match.value(each.value)) for each in environment.keywords
    )


def _by_option(match: Match) -> Iterator[Site]:
    keyword, off = _OPTIONS[match.name]
    passed = match.argument(keyword)
    if passed is not None and match.value(passed) in off and match.value(match.argument("host")) not in _HERE:
        yield match.site(_OFF)
    else:
        yield from _by_address(match)


_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that are the machine itself."""
_LOOSE_ADDRESS = re.compile(
    r"(?:^|[?&\s])(?:sslmode=(?:disable|allow|prefer)|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|ssl_cert_reqs=(?:CERT_)?none|ssl_check_hostname=false)\b",
    re.IGNORECASE,
)
_LOCAL_ADDRESS = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|host=/|^(?!.*(?:host=|://))", re.DOTALL)


def _by_address(match: Match) -> Iterator[Site]:
    """The address of a database that says not to ask who answers."""
    address = match.value(match.call.args[0]) if match.call.args else None
    if isinstance(address, str) and _LOOSE_ADDRESS.search(address) and not _LOCAL_ADDRESS.search(address):
        yield match.site(_OFF)


_SAYING: dict[str, Callable[[Match], Iterator[Site]]] = {
    **{f".{verb}": _by_unknown for verb in _VERBS},
    **dict.fromkeys(_PROCESSES, _by_program),
    **dict.fromkeys(_OPTIONS, _by_option),
    **dict.fromkeys(("os.environ.setdefault", "os.putenv"), _by_setting),
}
_SAYING |= {
    "sqlalchemy.create_engine": _by_address,
    "sqlalchemy.ext.asyncio.create_async_engine": _by_address,
    "functools.partial": _by_partial,
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
    name = program.rpartition("/")[2] if isinstance(program, str) else ""
    loose = _PROGRAMS.get(name)
    told = [match.value(each) for each in words[1:60] if loose and isinstance(each, (ast.Constant, ast.Name))]
    return loose is not None and any(
        each in loose or (name == "curl" and isinstance(each, str) and _WITH_K.fullmatch(each)) for each in told
    )


_WITH_K = re.compile(r"-[sSfLvigIN#]{0,9}k[sSfLvigIN#]{0,9}[oOHduX]?")
"""Options of curl written as one word, the one that trusts anybody among them."""


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
    key = match.value(target.slice)
    if key in _ENVIRONMENT:
        if _switches_off(key, match.value(value)):
            yield match.site(_BY_VARIABLE)
    elif key == "cert_reqs":
        if _no_certificate(match, value):
            yield match.site(_OFF)
    elif match.value(value) is False and _HANDED_ON.search(last_name(target.value)):
        yield match.site(_OFF, confidence=0.8, because="what the options are handed on to was not followed")


_BY_VARIABLE = "Certificate checks are switched off by a variable of the environment"


def _switches_off(key: object, told: object) -> bool:
    return (
        isinstance(key, str)
        and isinstance(told, str)
        and key in _ENVIRONMENT
        and told.lower() in {_ENVIRONMENT[key], "1" if key.startswith("GIT") else None}
    )


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


def _asks_ldap_for_none(match: Match) -> bool:
    option, asked = (
        match.resolve(match.argument(name, place)) or "" for place, name in enumerate(("option", "invalue"))
    )
    return option.endswith("OPT_X_TLS_REQUIRE_CERT") and asked.endswith(("OPT_X_TLS_NEVER", "OPT_X_TLS_ALLOW"))


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
    **dict.fromkeys(
        _AIOHTTP,
        (_OFF, lambda match: any(match.value(match.argument(each)) is False for each in ("ssl", "verify_ssl"))),
    ),
    ".tls_set": (_OFF, lambda match: _no_certificate(match, match.argument("cert_reqs", 3))),
    ".tls_insecure_set": (_OFF, lambda match: match.value(match.argument("value", 0)) is True),
    ".set_verify": (_OFF, lambda match: (match.resolve(match.argument("mode", 0)) or "").endswith("VERIFY_NONE")),
    "pycurl.Curl.setopt": (
        _OFF,
        lambda match: (
            (match.resolve(match.argument("option", 0)) or "").endswith(("SSL_VERIFYPEER", "SSL_VERIFYHOST"))
            and not match.value(match.argument("value", 1))
        ),
    ),
    **dict.fromkeys(_BY_SSLOPT, (_OFF, lambda match: _no_certificate_in(match, match.argument("sslopt")))),
    **dict.fromkeys(("ldap.set_option", "ldap.initialize.set_option"), (_OFF, _asks_ldap_for_none)),
    **dict.fromkeys(
        ("urllib3.PoolManager", "urllib3.HTTPSConnectionPool", "urllib3.connectionpool.HTTPSConnectionPool"),
        (_OFF, lambda match: _no_certificate(match, match.argument("cert_reqs"))),
    ),
    "ldap3.Tls": (_OFF, lambda match: _no_certificate(match, match.argument("validate"))),
}
"""What is said of a call, and when."""
_TOLD = frozenset({*_SAYING, *_SURE, *_DEFAULT_CONTEXT, *_REQUESTS, *_HTTPX})
"""Calls that are told of by their own names."""


def _no_certificate_in(match: Match, options: ast.expr | None) -> bool:
    return isinstance(options, ast.Dict) and any(_no_certificate(match, each) for each in options.values)


_CLIENTS = frozenset({"requests.Session", "requests.session", "requests.sessions.Session", "httpx.Client"})


def _is_client(match: Match, owner: ast.expr) -> bool:
    """Is it a client of a library, or an object whose own class is derived from one?"""
    if not isinstance(owner, ast.Name) or owner.id != "self":
        return match.resolve(owner) in _CLIENTS
    around = match.scope.parent
    bases = around.node.bases if around is not None and isinstance(around.node, ast.ClassDef) else []
    return any(match.module.resolve(each, match.scope) in _CLIENTS for each in bases)


def _no_certificate(match: Match, value: ast.expr | None) -> bool:
    if value is None:
        return False
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) == "CERT_NONE"
