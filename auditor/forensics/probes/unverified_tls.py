"""Connections that are made without checking who answers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.command_options import PROCESS_CALLS, SHELL_CALLS, by_command_line, by_program
from auditor.forensics.tls_verification.database_clients import (
    CLIENT_OPTIONS,
    LOCAL_HOSTS,
    by_client_option,
    by_database_address,
)
from auditor.forensics.tls_verification.disabling_arguments import (
    by_argument_name,
    by_client_name,
    by_partial,
    by_setdefault,
    by_uncommon_argument,
    by_verify_argument,
)
from auditor.forensics.tls_verification.disabling_settings import (
    CONNECTION_STATEMENT,
    VARIABLE_STATEMENT,
    by_assignment,
    by_attribute_call,
    by_attribute_loop,
    by_environment_call,
    is_cert_none,
    is_insecure_pair,
    is_insecure_variable,
)
from auditor.forensics.tls_verification.file_wide_settings import (
    INSECURE_SETTINGS,
    INSECURE_VARIABLES,
    find_insecure_settings,
    mentions_verification,
)
from auditor.forensics.tls_verification.http_clients import (
    HTTP_METHODS,
    HTTPX_CALLS,
    REQUESTS_CALLS,
    UNVERIFIED_CONTEXTS,
)
from auditor.forensics.tls_verification.reflected_attributes import (
    attribute_setting_calls,
    attribute_setting_loops,
    item_setting,
    settings_of,
)
from auditor.row_tables import arguments_of, method_names, names_of, positions_of, qualified_names

_ROWS = tls_verification()
_HOST_KEYS = names_of(_ROWS.host_key_policies)
_VERIFICATION_ATTRIBUTES = names_of(_ROWS.attributes)
_VERIFICATION_KEYS = frozenset(
    {*INSECURE_VARIABLES, *INSECURE_SETTINGS, "cert_reqs", "assert_hostname", "verify", "verify_ssl"}
)
"""Keys of an environment variable, or of an argument passed later, that disable verification."""
_VERIFICATION_KEYWORDS = register_keywords(
    "verify_ssl",
    "ssl_verify",
    "verify_cert",
    "verify_tls",
    "tls_verify",
    "skip_verify",
    '"verify"',
    "'verify'",
)
_PARTIALS = ("functools.partial", "functools.partialmethod")
_VERIFY_KEYWORD = register_keywords("verify=")


def _find_candidates(module: Module) -> list[ScopedNode]:
    """Calls and settings that may disable verification, whatever they are made on."""
    setting = attribute_setting_calls(module)
    known = {id(node) for node, _ in setting}
    others = [each for each in (*_keyword_calls(module), *_setdefault_calls(module)) if id(each[0]) not in known]
    return [*setting, *attribute_setting_loops(module), *others, *find_insecure_settings(module)]


def _filter_assignments(candidates: list[ScopedNode], _module: Module) -> list[ScopedNode]:
    """Assignments that may disable verification."""
    return [
        each
        for each in candidates
        if len(targets := each[0].targets) > 1
        or (type(targets[0]) is not ast.Name and _is_verification_attribute(targets[0]))
    ]


def _setdefault_calls(module: Module) -> list[ScopedNode]:
    """`options.setdefault("verify", False)`."""
    calls = module.calls.get("setdefault", ())
    return [each for each in calls if each[0].args and _is_key(each[0].args[0])]


def _is_key(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value in _VERIFICATION_KEYS


def _keyword_calls(module: Module) -> list[ScopedNode]:
    """Calls with keyword arguments in files that mention such arguments; of `verify` alone, those that have it."""
    if module.says(_VERIFICATION_KEYWORDS):
        return [each for calls in list(module.calls.values()) for each in calls if each[0].keywords]
    if not module.says(_VERIFY_KEYWORD) and not mentions_verification(module):
        return []
    return [
        each
        for calls in list(module.calls.values())
        for each in calls
        if any(named.arg == "verify" or named.arg in INSECURE_SETTINGS for named in each[0].keywords)
    ]


def _is_verification_attribute(target: ast.expr) -> bool:
    if type(target) is ast.Subscript:
        keyed = isinstance(target.slice, ast.Constant) and target.slice.value in _VERIFICATION_KEYS
        return keyed or item_setting(target, target) is not None
    return type(target) is ast.Attribute and target.attr in _VERIFICATION_ATTRIBUTES


_DEFAULT_CONTEXT = arguments_of(_ROWS.context_arguments)
"""Calls that make a context of their own when given none, and the argument that gives one. The standard library makes it by
`ssl._create_stdlib_context`, which does not verify."""
_SSL_ARGUMENT_CALLS = names_of(_ROWS.ssl_argument_calls)
_ENVIRONMENT_CALLS = names_of(_ROWS.environment_calls)
_CERT_NONE_ARGUMENTS = positions_of(_ROWS.cert_none_arguments)
_BY_SSLOPT = names_of(_ROWS.sslopt_calls)
_DATABASE_ADDRESS_CALLS = names_of(_ROWS.database_address_calls)
_LDAP_OPTION_CALLS = names_of(_ROWS.ldap_option_calls)


def _without_plain_requests(shown: list[ScopedNode], _module: Module) -> list[ScopedNode]:
    """Calls of methods; those of the usual names of requests only where they have options."""
    return [each for each in shown if each[0].keywords or last_name(each[0].func) not in HTTP_METHODS]


@site_probe(
    "code.tls_verification_off",
    none_statement="No connection skips TLS or SSH host key verification.",
    nodes=(ast.Assign,),
    node_filter=_filter_assignments,
    file_selector=_find_candidates,
    calls=(
        *REQUESTS_CALLS,
        *HTTPX_CALLS,
        *UNVERIFIED_CONTEXTS,
        *_HOST_KEYS,
        *_DEFAULT_CONTEXT,
        *CLIENT_OPTIONS,
        *_SSL_ARGUMENT_CALLS,
        *PROCESS_CALLS,
        *SHELL_CALLS,
        *names_of(_ROWS.sending_calls),
        *qualified_names(_ROWS.cert_none_arguments),
        *_ENVIRONMENT_CALLS,
        "pycurl.Curl.setopt",
        *_BY_SSLOPT,
        *_LDAP_OPTION_CALLS,
        *_DATABASE_ADDRESS_CALLS,
        *qualified_names(_ROWS.host_key_policy_calls),
        "ssl.wrap_socket",
        "ssl.SSLContext",
        "urllib3.disable_warnings",
    ),
    callable_factories=_PARTIALS,
    methods=(
        *method_names(_ROWS.host_key_policy_calls),
        *method_names(_ROWS.cert_none_arguments),
        "tls_insecure_set",
        "set_verify",
        *HTTP_METHODS,
    ),
    method_filter=_without_plain_requests,
    second_look=("S501", "S323", "S507"),
)
def tls_verification_off(match: Match) -> Iterator[Site]:
    """Is TLS or SSH host key verification turned off?

    Checks of certificates, host names and SSH host keys that are turned off by an argument, a setting, a URL, a command-line option or an environment variable are reported. A custom certificate authority is not.

    Leave verification on. For a private certificate authority, trust its certificate.
    """
    if isinstance(match.node, ast.Assign):
        yield from by_assignment(match, match.node)
    elif not match.name:
        yield from _by_call(match) if isinstance(match.node, ast.Call) else _by_insecure_setting(match)
    elif match.name in _HANDLERS:
        yield from _HANDLERS[match.name](match)
    elif match.name in _STATEMENTS:
        if _STATEMENTS[match.name][1](match):
            yield match.site(_STATEMENTS[match.name][0])
    elif match.name in _DEFAULT_CONTEXT:
        if match.argument(_DEFAULT_CONTEXT[match.name]) is None and not match.has_spread_arguments:
            yield match.site(
                "{call} without a context does not verify the TLS certificate",
                confidence=0.75,
                because="newer versions of Python may verify by default",
            )
    elif match.name == "urllib3.disable_warnings":
        yield match.site(
            "Warnings about unverified certificates are silenced",
            confidence=0.6,
            because="the connection itself was not found",
        )
    else:
        yield from by_verify_argument(match)


def _by_call(match: Match) -> Iterator[Site]:
    """A call by its arguments alone: its name says nothing, or is asked about by itself."""
    if any(True for _ in settings_of(match.call)):
        yield from by_attribute_call(match)
    elif last_name(match.call.func) == "setdefault":
        yield from by_setdefault(match)
    elif (name := match.resolve(match.call.func) or "") in _KNOWN_CALLS:
        yield from by_uncommon_argument(match, name)
    else:
        yield from by_argument_name(match)


def _by_insecure_setting(match: Match) -> Iterator[Site]:
    """A dictionary, a text or a policy that disables verification where it is used."""
    node = match.node
    if isinstance(node, ast.Dict):
        pairs = [
            (match.value(key), value) for key, value in zip(node.keys, node.values, strict=True) if key is not None
        ]
        if any(is_insecure_variable(name, match.value(value)) for name, value in pairs):
            yield match.site(VARIABLE_STATEMENT)
        elif any(is_insecure_pair(match, name, value) for name, value in pairs) or _is_of_database(match, pairs):
            yield match.site(
                CONNECTION_STATEMENT, confidence=0.85, because="what the setting belongs to was not analysed"
            )
    elif isinstance(node, ast.For):
        yield from by_attribute_loop(match)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield match.site("Unknown SSH host keys are accepted by a custom policy")
    else:
        yield match.site(
            "Program or client is set to skip TLS or SSH host key checks", confidence=0.9, because=_TEXT_USE_REASON
        )


_TEXT_USE_REASON = "where the text is used was not analysed"


def _is_of_database(match: Match, pairs: list[tuple[object, ast.expr]]) -> bool:
    """`{"sslmode": "disable"}` where no database on the machine itself is spoken of."""
    loose = any(name == "sslmode" and match.value(value) in {"disable", "allow"} for name, value in pairs)
    return loose and not any(each in match.module.source for each in LOCAL_HOSTS)


_HANDLERS: dict[str, Callable[[Match], Iterator[Site]]] = {
    **{f".{verb}": by_client_name for verb in HTTP_METHODS},
    **dict.fromkeys(PROCESS_CALLS, by_program),
    **dict.fromkeys(SHELL_CALLS, by_command_line),
    **dict.fromkeys(CLIENT_OPTIONS, by_client_option),
    **dict.fromkeys(_ENVIRONMENT_CALLS, by_environment_call),
    **dict.fromkeys(_DATABASE_ADDRESS_CALLS, by_database_address),
    **dict.fromkeys(_PARTIALS, by_partial),
}


def _always(_match: Match) -> bool:
    return True


def _is_policy_class(match: Match) -> bool:
    """Is a policy passed as a class? An instance is reported as a call of its own."""
    policy = match.argument("policy", 0)
    return not isinstance(policy, ast.Call) and match.resolve(policy) in _HOST_KEYS


def _has_no_cert_reqs(match: Match) -> bool:
    """`ssl.wrap_socket` requires no certificate unless an option says so."""
    asked = match.argument("cert_reqs")
    return (asked is None and not match.has_spread_arguments) or is_cert_none(match, asked)


_ONE_SIDED_PROTOCOLS = ("PROTOCOL_TLS_CLIENT", "PROTOCOL_TLS_SERVER")


def _is_unverified_context(match: Match) -> bool:
    """Is it a context of the old kind, in a file that neither serves nor enables verification?"""
    kind = match.argument("protocol", 0)
    name = (match.resolve(kind) or "").rpartition(".")[2] if kind is not None else "PROTOCOL_TLS"
    if not name.startswith("PROTOCOL_") or name in _ONE_SIDED_PROTOCOLS:
        return False
    return not any(
        each in match.module.source for each in ("load_cert_chain", "verify_mode", "server_side", *_ONE_SIDED_PROTOCOLS)
    )


def _asks_ldap_for_none(match: Match) -> bool:
    option, asked = (
        match.resolve(match.argument(name, place)) or "" for place, name in enumerate(("option", "invalue"))
    )
    return option.endswith("OPT_X_TLS_REQUIRE_CERT") and asked.endswith(("OPT_X_TLS_NEVER", "OPT_X_TLS_ALLOW"))


_STATEMENTS: dict[str, tuple[str, Callable[[Match], bool]]] = {
    **dict.fromkeys(UNVERIFIED_CONTEXTS, ("{call} creates a TLS context without certificate checks", _always)),
    **dict.fromkeys(_HOST_KEYS, ("Unknown SSH host keys are accepted", _always)),
    **dict.fromkeys(names_of(_ROWS.host_key_policy_calls), ("Unknown SSH host keys are accepted", _is_policy_class)),
    "ssl.wrap_socket": (CONNECTION_STATEMENT, _has_no_cert_reqs),
    "ssl.SSLContext": ("{call} creates a TLS context that verifies no certificate by default", _is_unverified_context),
    **dict.fromkeys(
        _SSL_ARGUMENT_CALLS,
        (
            CONNECTION_STATEMENT,
            lambda match: any(match.value(match.argument(each)) is False for each in ("ssl", "verify_ssl")),
        ),
    ),
    **dict.fromkeys(
        _CERT_NONE_ARGUMENTS,
        (
            CONNECTION_STATEMENT,
            lambda match: is_cert_none(match, match.argument(*_CERT_NONE_ARGUMENTS[match.name])),
        ),
    ),
    ".tls_insecure_set": (CONNECTION_STATEMENT, lambda match: match.value(match.argument("value", 0)) is True),
    ".set_verify": (
        CONNECTION_STATEMENT,
        lambda match: (match.resolve(match.argument("mode", 0)) or "").endswith("VERIFY_NONE"),
    ),
    "pycurl.Curl.setopt": (
        CONNECTION_STATEMENT,
        lambda match: (
            (match.resolve(match.argument("option", 0)) or "").endswith(("SSL_VERIFYPEER", "SSL_VERIFYHOST"))
            and not match.value(match.argument("value", 1))
        ),
    ),
    **dict.fromkeys(
        _BY_SSLOPT, (CONNECTION_STATEMENT, lambda match: _no_certificate_in(match, match.argument("sslopt")))
    ),
    **dict.fromkeys(_LDAP_OPTION_CALLS, (CONNECTION_STATEMENT, _asks_ldap_for_none)),
}
"""The statement about a call, and its condition."""
_KNOWN_CALLS = frozenset({*_HANDLERS, *_STATEMENTS, *_DEFAULT_CONTEXT, *REQUESTS_CALLS, *HTTPX_CALLS})
"""Calls that are reported by their own names."""


def _no_certificate_in(match: Match, options: ast.expr | None) -> bool:
    return isinstance(options, ast.Dict) and any(is_cert_none(match, each) for each in options.values)
