"""Programs that are started with their checks of who answers switched off."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.string_building import items, versions
from auditor.forensics.source_text.site_types import Site
from auditor.forensics.tls_verification.disabling_settings import BY_VARIABLE, variable_is_off
from auditor.forensics.tls_verification.file_wide_settings import COMMANDS, WITH_K, runs_loosely

PROCESSES = frozenset(
    {
        *(f"subprocess.{name}" for name in ("run", "call", "Popen", "check_call", "check_output")),
        "asyncio.create_subprocess_exec",
    }
)
COMMAND_LINES = frozenset(
    {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell"}
)
_PROGRAMS = {
    **COMMANDS, "git": frozenset({"http.sslVerify=false", "http.sslverify=false"}),
    "ssh": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}), "scp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
    "sftp": frozenset({"StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no"}),
}  # fmt: skip
"""Programs, and the words that make them trust anybody."""


def by_program(match: Match) -> Iterator[Site]:
    """`subprocess.run(["curl", "-k", url])`, or with an environment that switches checks off."""
    given = match.call.args if match.name.endswith("_exec") else [match.argument("args", 0)]
    if _trusts_anybody(match, given):
        yield match.site("A program is started with its checks of who answers switched off")
    elif (environment := match.argument("env")) is not None and _is_told_so(match, environment):
        yield match.site(BY_VARIABLE)


def by_command_line(match: Match) -> Iterator[Site]:
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
        variable_is_off(each.arg, match.value(each.value)) for each in environment.keywords
    )


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
