"""Calls over the network that may wait for ever."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.network_timeouts import (
    NetworkTimeouts,
    network_timeouts,
    network_timeouts_with_team_rows,
)
from auditor.forensics.library_models.team_rows import kept_by_team_rows
from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import last_name, receiver
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import arguments_of, names_of, positions_of

_ROWS = network_timeouts()
_SESSION_METHODS = names_of(_ROWS.request_methods)


class _Clients(NamedTuple):
    """Calls of clients by how they are given a timeout."""

    by_session: frozenset[str]
    requests: frozenset[str]
    with_default: frozenset[str]
    """Libraries with a default timeout, which can only be disabled."""
    by_argument: dict[str, tuple[str, int | None]]
    """Calls without a default timeout, and the argument with its position; None where it is keyword-only."""

    @property
    def calls(self) -> frozenset[str]:
        """All of them."""
        return frozenset({*self.requests, *self.with_default, *self.by_argument})


def _clients_of(rows: NetworkTimeouts) -> _Clients:
    """The clients of a table. A verb may be chosen at run time: `getattr(requests, method)(url)`."""
    sessions = names_of(rows.sessions)
    by_session = frozenset(f"{session}.{method}" for session in sessions for method in _SESSION_METHODS)
    requests = by_session | {f"{session}.*" for session in sessions} | names_of(rows.request_functions)
    return _Clients(by_session, requests, names_of(rows.default_timeouts), positions_of(rows.socket_timeouts))


@kept_by_team_rows
def _clients() -> _Clients:
    """All known clients, those of the team's rows among them."""
    return _clients_of(network_timeouts_with_team_rows())


_DATABASE_TIMEOUTS = arguments_of(_ROWS.database_timeouts)
"""Database clients without a default timeout, and the argument, or part of an address, that sets one."""
_NON_LOCAL_HOST = r"(?!localhost\b|127\.|\[?::1|/|$)"
_REMOTE_ADDRESS = re.compile(
    rf"\bhost(?:addr)?={_NON_LOCAL_HOST}|://(?:[^/@\s]{{0,200}}@{_NON_LOCAL_HOST}|(?![^/@\s]{{0,200}}@){_NON_LOCAL_HOST})"
)
"""An address of another machine."""
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1", ""})
_LOCAL_SCHEMES = ("file:", "data:")
_TIMEOUT_WRAPPERS = sorted(names_of(_ROWS.wrappers))
"""Calls that put a timeout around whatever is awaited in them."""
_ASYNC_LIBRARIES = names_of(_ROWS.async_libraries)
_MAX_CALLS = 50
"""Calls of a name that are examined for a timeout."""
_NO_TIMEOUT_STATEMENT = "No timeout on {call}: the call can hang forever"
_DISABLED_TIMEOUT_STATEMENT = "Timeout is turned off in {call}: the call can hang forever"


@site_probe(
    "code.no_timeout",
    none_statement="No network call without a timeout was found.",
    calls=(
        *_clients_of(_ROWS).calls,
        *_DATABASE_TIMEOUTS,
    ),
    second_look=("S113",),
    team_names=lambda: CalledNames(_clients().calls),
)
def no_timeout(match: Match) -> Iterator[Site]:
    """Can a network call hang forever?

    A call without a timeout is reported if its client has no default, and so is every timeout that is turned off. Clients with a default timeout are not, nor are calls inside a wider timeout such as `asyncio.timeout`.

    Set a timeout that is longer than any good answer takes, and handle the timeout error.
    """
    if match.name in _clients().with_default:
        if _is_switched_off(match) and not _wraps_timeouts(match.module):
            yield match.site(_DISABLED_TIMEOUT_STATEMENT)
    elif match.name in _clients().requests:
        yield from _by_requests(match)
    elif match.name in _DATABASE_TIMEOUTS:
        if _is_remote_without_timeout(match) and not _wraps_timeouts(match.module):
            yield match.site(
                "No timeout on {call}: a database query can hang forever",
                confidence=0.6,
                because="the database server may set a timeout",
            )
    elif not _limited_elsewhere(match):
        yield from _by_socket(match)


def _by_requests(match: Match) -> Iterator[Site]:
    passed = match.argument("timeout")
    if passed is None and match.has_spread_arguments:
        yield from _by_spread_options(match)
    elif passed is not None:
        yield from _by_argument(match, passed)
    elif match.name not in _clients().by_session or not _session_has_limit(match.module):
        yield match.site(_NO_TIMEOUT_STATEMENT)


def _by_argument(match: Match, passed: ast.expr) -> Iterator[Site]:
    if match.value(passed) is None or _is_pair_of_none(match, passed):
        yield match.site(_DISABLED_TIMEOUT_STATEMENT)
    elif (usual := _by_default(match, passed)) is not None and match.value(usual) is None:
        yield match.site(
            _NO_TIMEOUT_STATEMENT, confidence=0.6, because="callers may pass a timeout instead of the default `None`"
        )


def _is_pair_of_none(match: Match, passed: ast.expr) -> bool:
    """Are both limits, to connect and to read, None? One alone is a decision: a long answer may be waited for."""
    pair = match.module.behind(passed, match.scope)
    return isinstance(pair, ast.Tuple) and bool(pair.elts) and all(match.value(each) is None for each in pair.elts)


def _by_default(match: Match, passed: ast.expr) -> ast.expr | None:
    """What a limit is where callers give none: the default of a parameter, also of one that was kept in an attribute."""
    if (usual := parameter_default(passed, match.scope)) is not None or isinstance(passed, ast.Name):
        return usual
    held = match.module.held(passed, match.scope)
    return parameter_default(*held) if held is not None else None


def _by_socket(match: Match) -> Iterator[Site]:
    """What the standard library waits for, and libraries that leave it to a default for all sockets."""
    passed = match.argument(*_clients().by_argument[match.name])
    if passed is None and match.has_spread_arguments:
        return
    if passed is None and (_made_with_limit(match) or _opens_local_url(match)):
        return
    if passed is None or match.value(passed) is None:
        yield match.site(
            _NO_TIMEOUT_STATEMENT, confidence=0.85, because="a default timeout for sockets may be set elsewhere"
        )


def _opens_local_url(match: Match) -> bool:
    """Does the address begin with a scheme of which nothing is sent over a network?"""
    address = match.argument("url", 0)
    first = address.values[0] if isinstance(address, ast.JoinedStr) and address.values else address
    if isinstance(first, ast.BinOp):
        first = first.left
    written = match.value(first)
    return isinstance(written, str) and written.lower().startswith(_LOCAL_SCHEMES)


def _is_remote_without_timeout(match: Match) -> bool:
    """Is it another machine, named here, that is called without a timeout?"""
    limit = _DATABASE_TIMEOUTS[match.name]
    if match.has_spread_arguments or match.argument(limit) is not None or match.argument("connection_pool") is not None:
        return False
    by_address = match.name.endswith(("connect", "from_url"))
    address = (
        match.argument("conninfo" if "connect" in limit else "url", 0) or match.argument("dsn") if by_address else None
    )
    if address is not None:
        written = match.value(address)
        return isinstance(written, str) and limit not in written and _REMOTE_ADDRESS.search(written) is not None
    host = match.argument("host", None if by_address else 0)
    return host is not None and match.value(host) not in _LOCAL_HOSTS


_NO_LIMIT = (None, 0)


def _is_switched_off(match: Match) -> bool:
    if match.name == "aiohttp.ClientTimeout":
        total = match.argument("total")
        return total is not None and match.value(total) in _NO_LIMIT and len(match.call.keywords) == 1
    if match.name == "httpx.Timeout" and len(match.call.args) + len(match.call.keywords) > 1:
        return False  # one of its limits is set
    passed = match.argument("timeout", 0 if match.name == "httpx.Timeout" else None)
    return passed is not None and match.value(passed) is None


@remembered
def _wraps_timeouts(module: Module) -> bool:
    names = (module.resolve(call.func, scope) or "" for call, scope in _calls(module, *_TIMEOUT_WRAPPERS))
    return any(_is_timeout_wrapper(each) for each in names)


def _is_timeout_wrapper(name: str) -> bool:
    """Is it of an async library, or of another module here? A method of anything may be called so."""
    return name.startswith(".") or name.partition(".")[0] in _ASYNC_LIBRARIES


def _calls(module: Module, *words: str) -> list[tuple[ast.Call, Scope]]:
    return [each for word in words for each in module.calls.get(word, ())[:_MAX_CALLS]]


def _limited_elsewhere(match: Match) -> bool:
    """Is a default set for all sockets, for this one, or around what is waited for?"""
    if any(_sets_limit(match, call) for call, _ in _calls(match.module, "setdefaulttimeout")):
        return True
    if match.name in {"socket.socket.connect", "websocket.WebSocket.connect"}:
        return any(_sets_limit(match, call) for call, _ in _calls(match.module, "settimeout", "setblocking"))
    return match.name == "asyncio.open_connection" and _wraps_timeouts(match.module)


def _sets_limit(match: Match, call: ast.Call) -> bool:
    """Is a limit given, rather than taken away?"""
    given = [*call.args, *(each.value for each in call.keywords)]
    return bool(given) and match.value(given[0]) is not None


_WITH_LIMIT = re.compile(r"timeout", re.IGNORECASE)


def _made_with_limit(match: Match) -> bool:
    """Was what the method is called on made with a limit?"""
    owner = receiver(match.call)
    if isinstance(owner, ast.Name):
        found = match.module.lookup(owner.id, match.scope)
        owner = found[0].value if found is not None else None
    return isinstance(owner, ast.Call) and any(_WITH_LIMIT.search(each.arg or "") for each in owner.keywords)


@remembered
def _session_has_limit(module: Module) -> bool:
    """Is a limit given to all calls of a session in the file: by a partial, or by an adapter of its own?"""
    return any(_binds_limit(call) for call, _ in module.calls.get("partial", ())) or any(
        _is_timeout_adapter(argument, module.source)
        for call, _ in module.calls.get("mount", ())
        for argument in call.args[1:]
    )


def _binds_limit(call: ast.Call) -> bool:
    verb = last_name(call.args[0]) if call.args else ""
    return verb in _SESSION_METHODS and any(each.arg == "timeout" for each in call.keywords)


def _is_timeout_adapter(adapter: ast.expr, source: str) -> bool:
    written = "" if isinstance(adapter, (ast.Dict, ast.List)) else ast.get_source_segment(source, adapter) or ""
    return _WITH_LIMIT.search(written[:200]) is not None


def _by_spread_options(match: Match) -> Iterator[Site]:
    """A call into which options are unpacked may get its timeout from them."""
    if all(_is_complete_options(match, each) for each in match.call.keywords if each.arg is None) and not any(
        isinstance(each, ast.Starred) for each in match.call.args
    ):
        yield match.site(_NO_TIMEOUT_STATEMENT, confidence=0.9, because="the options may change before they are used")
    elif match.name in _clients().requests and _is_never_passed(match, "timeout"):
        yield match.site(
            "{call} forwards `**kwargs`, and no caller in this file passes a timeout",
            confidence=0.55,
            because="callers in other files may pass one",
        )


def _is_complete_options(match: Match, spread: ast.keyword) -> bool:
    """Are the unpacked options a literal, and never added to in the file?"""
    made = match.module.behind(spread.value, match.scope)
    if not isinstance(made, ast.Dict) or len(made.keys) > _MAX_OPTIONS:
        return False
    return all(isinstance(each, ast.Constant) for each in made.keys) and not _is_mutated(
        match.module, last_name(spread.value)
    )


_MAX_OPTIONS = 100
"""Options that are examined; after more of them a timeout may go unseen."""


@remembered
def _is_mutated(module: Module, name: str) -> bool:
    """Is something of that name added to anywhere in the file? Cached by name."""
    return any(f"{name}{each}" in module.source for each in ("[", ".update(", ".setdefault(", " |="))


def _is_never_passed(match: Match, name: str) -> bool:
    """Are the unpacked options the function's own `**kwargs`, and do callers in the file leave this one out?"""
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
