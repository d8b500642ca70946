"""Connections that are made without checking who answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from auditor.forensics.bindings import keyword, last_name
from auditor.forensics.module import Kept, Module
from auditor.forensics.parameters import default_of, function_with
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import Match, Site
from auditor.forensics.trusting import (
    COMMANDS,
    PAIRS,
    VARIABLES,
    WITH_K,
    loose_places,
    runs_loosely,
    speaks_of_checks,
    switches_off,
)
from auditor.forensics.usual import usual
from auditor.forensics.words import watched
from auditor.forensics.woven import Foreign, items, versions

_VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "request")
_REQUESTS = frozenset({*(f"requests.{verb}" for verb in _VERBS), *(f"requests.Session.{verb}" for verb in _VERBS),
                       *(f"requests.session.{verb}" for verb in _VERBS), *(f"requests.api.{verb}" for verb in _VERBS)})  # fmt: skip
_HTTPX = frozenset({*(f"httpx.{verb}" for verb in _VERBS), "httpx.stream", "httpx.Client", "httpx.AsyncClient"})
_UNVERIFIED = frozenset(
    {
        "ssl._create_unverified_context",
        "ssl._https_verify_certificates",
        "ssl._create_stdlib_context",
        "twisted.internet.ssl.ClientContextFactory",
        "neo4j.TrustAll",
    }
)
_HOST_KEYS = frozenset(
    {
        "paramiko.AutoAddPolicy",
        "paramiko.WarningPolicy",
        "paramiko.client.AutoAddPolicy",
        "paramiko.client.WarningPolicy",
    }
)


_SWITCHES = frozenset(
    {
        "verify_mode",
        "check_hostname",
        "verify",
        "verify_ssl",
        "ssl_verify",
        "_create_default_https_context",
        "hostkeys",
        "accept_insecure_certs",
        "cert_reqs",
        "assert_hostname",
    }
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
_PROCESSES = frozenset(
    {
        *(f"subprocess.{name}" for name in ("run", "call", "Popen", "check_call", "check_output")),
        "asyncio.create_subprocess_exec",
    }
)
_COMMAND_LINES = frozenset(
    {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell"}
)
_PROGRAMS = {
    **COMMANDS, "git": frozenset({"http.sslVerify=false", "http.sslverify=false"}),
    "ssh": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}), "scp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
    "sftp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
}  # fmt: skip
"""Programs, and the words that make them trust anybody."""
_BY_KEY = frozenset({*VARIABLES, *PAIRS, "cert_reqs", "assert_hostname", "verify", "verify_ssl"})
"""Keys under which a variable of the environment, or an argument that is handed on later, switches checks off."""
_HANDED_ON = re.compile(r"kw|options|opts|param|config|settings|session|request|args", re.IGNORECASE)
_LOOSE = re.compile(
    r"(?:verify_ssl|ssl_verify|verify_certs?|verify_tls|tls_verify|verify_certificates?)=False|(?:insecure_skip|skip_tls)_verify=True"
)
"""Arguments by which clients of all kinds are told to trust anybody. Files without one are told by this, and quickly."""
_LOOSE_WORDS = watched(
    "verify_ssl",
    "ssl_verify",
    "verify_cert",
    "verify_tls",
    "tls_verify",
    "skip_verify",
    '"verify"',
    "'verify'",
)
_VERIFYING = watched("verify=")
_GROUPED = frozenset({"options", "client_options", "client_kwargs", "session_kwargs", "request_kwargs", "requests_kwargs", "http_options", "transport_options"})  # fmt: skip
"""Arguments that hold others, which are handed on to a client."""


def _trusting_anybody(module: Module) -> list[Kept]:
    """Calls and settings that may switch checks off, whatever they are made on."""
    return [*_told_by_calls(module), *_told_by_key(module), *loose_places(module)]


def _turning_a_switch(shown: list[Kept], _module: Module) -> list[Kept]:
    """Assignments that may switch checks off."""
    return [
        each
        for each in shown
        if len(targets := each[0].targets) > 1 or (type(targets[0]) is not ast.Name and _is_switch(targets[0]))
    ]


def _told_by_key(module: Module) -> list[Kept]:
    """`options.setdefault("verify", False)`."""
    calls = module.calls.get("setdefault", ())
    return [each for each in calls if each[0].args and _is_key(each[0].args[0])]


def _is_key(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value in _BY_KEY


def _told_by_calls(module: Module) -> list[Kept]:
    """All calls with arguments by name in files that speak of such arguments; of `verify` alone, those that have it."""
    if module.says(_LOOSE_WORDS):
        return [each for calls in list(module.calls.values()) for each in calls if each[0].keywords]
    if not module.says(_VERIFYING) and not speaks_of_checks(module):
        return []
    return [
        each
        for calls in list(module.calls.values())
        for each in calls
        if any(named.arg == "verify" or named.arg in PAIRS for named in each[0].keywords)
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
    nodes=(ast.Assign,),
    glance=_turning_a_switch,
    sweep=_trusting_anybody,
    calls=(
        *_REQUESTS,
        *_HTTPX,
        *_UNVERIFIED,
        *_HOST_KEYS,
        *_DEFAULT_CONTEXT,
        *_OPTIONS,
        *_AIOHTTP,
        *_PROCESSES,
        *_COMMAND_LINES,
        "requests.Session.send",
        "requests.session.send",
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
        "ssl.SSLContext",
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
        yield from _by_argument(match) if isinstance(match.node, ast.Call) else _by_what_is_said(match)
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


def _by_what_is_said(match: Match) -> Iterator[Site]:
    """A dictionary, a text or a policy that makes whoever is given it trust anybody."""
    node = match.node
    if isinstance(node, ast.Dict):
        pairs = [
            (match.value(key), value) for key, value in zip(node.keys, node.values, strict=True) if key is not None
        ]
        if any(_switches_off(name, match.value(value)) for name, value in pairs):
            yield match.site(_BY_VARIABLE)
        elif any(_pair_is_off(match, name, value) for name, value in pairs) or _is_of_database(match, pairs):
            yield match.site(_OFF, confidence=0.85, because="what the setting belongs to was not followed")
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield match.site("Unknown SSH host keys are accepted by a policy of its own")
    else:
        yield match.site("A program or a client is told to trust whoever answers", confidence=0.9, because=_BY_TEXT)


_BY_TEXT = "where the text is used was not followed"


def _is_of_database(match: Match, pairs: list[tuple[object, ast.expr]]) -> bool:
    """`{"sslmode": "disable"}` where no database on the machine itself is spoken of."""
    loose = any(name == "sslmode" and match.value(value) in {"disable", "allow"} for name, value in pairs)
    return loose and not any(each in match.module.source for each in _HERE)


def _pair_is_off(match: Match, name: object, value: ast.expr) -> bool:
    said = match.value(value)
    return switches_off(name, said, match.resolve(value) or "")


def _by_argument(match: Match) -> Iterator[Site]:
    """A call of whatever client, told to trust anybody by the name of an argument."""
    name = last_name(match.call.func)
    if name == "setdefault":
        yield from _kept_for_later(match, match.call)
        return
    told = match.resolve(match.call.func) or ""
    if told in _TOLD:
        passed = [each for each in match.call.keywords if each.arg not in {"cert_reqs", _OPTIONS.get(told, ("",))[0]}]
        if any(_pair_is_off(match, each.arg, each.value) for each in passed):
            yield match.site(_OFF, confidence=0.9)
        return
    for each in match.call.keywords:
        if each.arg == "verify" and match.value(each.value) is False and _passes_on(match):
            yield match.site(_OFF, confidence=0.9, because=_BY_WRAPPER)
            return
        if (
            each.arg == "verify"
            and _CLIENT.search(_owner_name(match.call) if name == "send" else name)
            and _is_off(match.value(each.value))
            and not _is_of_tokens(match)
        ):
            yield match.site(_OFF, confidence=0.8, because="what is called was not followed to where it was made")
            return
        loose = _LOOSE.fullmatch(f"{each.arg}={match.value(each.value)}") or _pair_is_off(match, each.arg, each.value)
        if loose or (each.arg in _GROUPED and _switches(match, match.module.behind(each.value, match.scope))):
            yield match.site(_OFF, confidence=0.8, because="what is called was not followed to where it was made")
            return


def _kept_for_later(match: Match, call: ast.Call) -> Iterator[Site]:
    """`options.setdefault("verify", False)`, where nobody gave it before."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if len(call.args) > 1:
        key, value = match.value(call.args[0]), call.args[1]
        off = key not in PAIRS and _is_off(match.value(value)) and _HANDED_ON.search(last_name(owner))
        if off or _pair_is_off(match, key, value):
            yield match.site(_OFF, confidence=0.75, because="callers may ask for them")


def _is_of_tokens(match: Match) -> bool:
    """Signed tokens are verified by a word of the same name."""
    return (match.resolve(match.call.func) or "").partition(".")[0] in {"jwt", "jose", "authlib", "itsdangerous"}


def _is_off(value: object) -> bool:
    """Is it False, or a zero that stands for it?"""
    return value is False or (type(value) is int and value == 0)


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


def _switches(match: Match, given: ast.expr) -> bool:
    if not isinstance(given, ast.Dict):
        return False
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
    """What an attribute of `self`, a setting or a parameter stands for when nobody gives anything else."""
    if passed is None or isinstance(passed, ast.Constant):
        return []
    values = [usual(match.module, passed, match.scope)]
    if not isinstance(passed, ast.Attribute):
        return values
    for pieces in versions(match.module, passed, match.scope, match.call.lineno):
        only = pieces[0] if len(pieces) == 1 else ""
        given = default_of(only.expression, only.scope) if isinstance(only, Foreign) else None
        values.append(match.value(given) if given is not None else False if only == "False" else only)
    return values


def _by_verify(match: Match) -> Iterator[Site]:
    """`verify=False`, by its value or by what a parameter stands for when nothing is passed."""
    passed = match.argument("verify")
    _note_passing(match, passed)
    if _is_off(match.value(passed)):
        yield match.site(_OFF)
    elif any(_is_off(each) for each in _usual_values(match, passed)):
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
    off = any(match.value(keyword(match.call, each)) is False for each in ("verify", "ssl", "verify_ssl"))
    if off and _CLIENT.search(_owner_name(match.call)):
        yield match.site(_OFF, confidence=0.9, because="what is called was not followed to where it was made")


def _by_program(match: Match) -> Iterator[Site]:
    given = match.call.args if match.name.endswith("_exec") else [match.argument("args", 0)]
    if _trusts_anybody(match, given):
        yield match.site("A program is started with its checks of who answers switched off")
    elif (environment := match.argument("env")) is not None and _is_told_so(match, environment):
        yield match.site(_BY_VARIABLE)


def _by_command_line(match: Match) -> Iterator[Site]:
    """`os.system("curl -k ...")`."""
    if _is_loose_line(match, match.argument("command", 0) or match.argument("cmd")):
        yield match.site("A program is started with its checks of who answers switched off")


def _is_loose_line(match: Match, line: ast.expr | None) -> bool:
    if not any(each in match.module.source for each in ("curl", "wget")) or line is None:
        return False
    texts = versions(match.module, line, match.scope, match.call.lineno)
    return any(runs_loosely("".join(each if isinstance(each, str) else "x" for each in pieces)) for pieces in texts)


def _is_told_so(match: Match, environment: ast.expr) -> bool:
    """Does an environment that a program is given, `dict(os.environ, NAME=value)`, switch checks off? One that is written with braces is told of by itself."""
    if isinstance(environment, ast.Name):
        found = match.module.lookup(environment.id, match.scope)
        environment = found[0].value if found is not None and found[0].value is not None else environment
    if isinstance(environment, ast.BinOp):
        return _is_told_so(match, environment.right)
    return isinstance(environment, ast.Call) and any(
        _switches_off(each.arg, match.value(each.value)) for each in environment.keywords
    )


def _by_option(match: Match) -> Iterator[Site]:
    name, off = _OPTIONS[match.name]
    passed = match.argument(name)
    is_off = passed is not None and (match.value(passed) in off or _pair_is_off(match, name, passed))
    if is_off and match.value(match.argument("host")) not in _HERE:
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
    **dict.fromkeys(_COMMAND_LINES, _by_command_line),
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


def _trusts_anybody(match: Match, given: Sequence[ast.expr | None]) -> bool:
    """`["curl", "-k", url]`, `"curl -k ..."` and the like."""
    words = [each for one in given for each in _words(match, one)]
    program = match.value(words[0]) if words else None
    name = program.rpartition("/")[2] if isinstance(program, str) else ""
    loose = _PROGRAMS.get(name)
    told = [match.value(each) for each in words[1:60] if loose and isinstance(each, (ast.Constant, ast.Name))]
    if loose is None:
        return (
            len(given) == 1
            and not isinstance(given[0], (ast.List, ast.Tuple))
            and _is_loose_line(match, _split(given[0]))
        )
    return any(each in loose or (name == "curl" and isinstance(each, str) and WITH_K.fullmatch(each)) for each in told)


def _words(match: Match, given: ast.expr | None) -> list[ast.expr]:
    """The words of a command, those of lists that are spread into it among them."""
    if not isinstance(given, (ast.List, ast.Tuple)):
        whole = isinstance(given, ast.Constant)
        return [given] if whole and given is not None else items(match.module, given, match.scope)
    found: list[ast.expr] = []
    for each in given.elts:
        found += (
            _words(match, match.module.behind(each.value, match.scope)) if isinstance(each, ast.Starred) else [each]
        )
    return found


def _split(given: ast.expr | None) -> ast.expr | None:
    """The text behind `shlex.split(text)` and `text.split()`."""
    if isinstance(given, ast.Call) and last_name(given.func) == "split":
        return given.args[0] if given.args else given.func.value if isinstance(given.func, ast.Attribute) else None
    return given


def _switched_off(match: Match, assignment: ast.Assign) -> Iterator[Site]:
    for target in assignment.targets:
        if isinstance(target, ast.Subscript):
            yield from _told_by_environment(match, target, assignment.value)
        elif isinstance(target, ast.Attribute):
            yield from _by_attribute(match, target, assignment.value)


def _by_attribute(match: Match, target: ast.Attribute, value: ast.expr) -> Iterator[Site]:
    """`context.verify_mode = ssl.CERT_NONE` and what else is set like it."""
    name, said = target.attr, match.value(value)
    if name == "verify_mode" and _no_certificate(match, value):
        yield match.site("A TLS context is told to check no certificate")
    elif name == "check_hostname" and said is False:
        yield match.site(
            "A TLS context is told not to compare host names",
            confidence=0.8,
            because="certificates may be checked by other means",
        )
    elif name == "verify" and _is_client(match, target.value) and _is_off(said):
        yield match.site("A connection is made with certificate checks switched off")
    elif name == "hostkeys" and said is None and match.resolve(target.value) == "pysftp.CnOpts":
        yield match.site("Unknown SSH host keys are accepted")
    elif name == "accept_insecure_certs" and said is True:
        yield match.site("A browser is told to take any certificate")
    elif _sets_off(match, name, value):
        yield match.site(_OFF, confidence=0.85, because="what the setting belongs to was not followed")
    elif name == "_create_default_https_context" and match.resolve(value) in _UNVERIFIED:
        yield match.site("Certificate checks are switched off for the whole process")


def _sets_off(match: Match, name: str, value: ast.expr) -> bool:
    """`configuration.verify_ssl = False`, `connection.cert_reqs = "CERT_NONE"`."""
    if name in {"cert_reqs", "assert_hostname"}:
        return _pair_is_off(match, name, value)
    return name in {"verify_ssl", "ssl_verify"} and match.value(value) is False


def _told_by_environment(match: Match, target: ast.Subscript, value: ast.expr) -> Iterator[Site]:
    key = match.value(target.slice)
    if key in VARIABLES:
        if _switches_off(key, match.value(value)):
            yield match.site(_BY_VARIABLE)
    elif _pair_is_off(match, key, value):
        yield match.site(_OFF)
    elif key not in PAIRS and match.value(value) is False and _HANDED_ON.search(last_name(target.value)):
        yield match.site(_OFF, confidence=0.8, because="what the options are handed on to was not followed")


_SAME: dict[str, frozenset[str]] = {"true": frozenset({"true", "1", "yes"}), "false": frozenset({"false", "0", "no"})}
"""Words of a variable that say the same."""
_BY_VARIABLE = "Certificate checks are switched off by a variable of the environment"


def _switches_off(key: object, told: object) -> bool:
    return (
        isinstance(key, str)
        and isinstance(told, str)
        and key in VARIABLES
        and told.lower() in _SAME.get(VARIABLES[key], {VARIABLES[key]})
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


_ONE_SIDED = ("PROTOCOL_TLS_CLIENT", "PROTOCOL_TLS_SERVER")


def _is_bare_context(match: Match) -> bool:
    """Is it a context of the old kind, in a file that neither serves nor tells a context to check?"""
    kind = match.argument("protocol", 0)
    name = (match.resolve(kind) or "").rpartition(".")[2] if kind is not None else "PROTOCOL_TLS"
    if not name.startswith("PROTOCOL_") or name in _ONE_SIDED:
        return False
    return not any(
        each in match.module.source for each in ("load_cert_chain", "verify_mode", "server_side", *_ONE_SIDED)
    )


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
    "ssl.SSLContext": ("A TLS context is made that checks no certificate unless it is told to", _is_bare_context),
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
