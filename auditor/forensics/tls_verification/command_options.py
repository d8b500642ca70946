"""Programs that are started with their checks of who answers switched off."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.list_items import list_items
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.string_building import text_variants
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.disabling_settings import VARIABLE_STATEMENT, is_insecure_variable
from auditor.forensics.tls_verification.file_wide_settings import (
    CURL_INSECURE_FLAGS,
    INSECURE_OPTIONS,
    is_insecure_command_line,
)
from auditor.row_tables import names_of

_ROWS = tls_verification()
PROCESS_CALLS = names_of(_ROWS.process_calls)
SHELL_CALLS = names_of(_ROWS.shell_calls)


def by_program(match: Match) -> Iterator[Site]:
    """`subprocess.run(["curl", "-k", url])`, or with an environment that switches checks off."""
    given = match.call.args if match.name.endswith("_exec") else [match.argument("args", 0)]
    if _is_insecure_command(match, given):
        yield match.site("Program is started with TLS or SSH host key checks turned off")
    elif (environment := match.argument("env")) is not None and _has_insecure_environment(match, environment):
        yield match.site(VARIABLE_STATEMENT)


def by_command_line(match: Match) -> Iterator[Site]:
    """`os.system("curl -k ...")`."""
    if _is_insecure_line(match, match.argument("command", 0) or match.argument("cmd")):
        yield match.site("Program is started with TLS or SSH host key checks turned off")


def _is_insecure_line(match: Match, line: ast.expr | None) -> bool:
    if not any(each in match.module.source for each in ("curl", "wget")) or line is None:
        return False
    texts = text_variants(match.module, line, match.scope, match.call.lineno)
    return any(
        is_insecure_command_line("".join(each if isinstance(each, str) else "x" for each in pieces)) for pieces in texts
    )


def _has_insecure_environment(match: Match, environment: ast.expr) -> bool:
    """Does an environment that a program is given, `dict(os.environ, NAME=value)`, switch checks off? One that is written with braces is reported separately."""
    if isinstance(environment, ast.Name):
        found = match.module.lookup(environment.id, match.scope)
        environment = found[0].value if found is not None and found[0].value is not None else environment
    if isinstance(environment, ast.BinOp):
        return _has_insecure_environment(match, environment.right)
    return isinstance(environment, ast.Call) and any(
        is_insecure_variable(each.arg, match.value(each.value)) for each in environment.keywords
    )


def _is_insecure_command(match: Match, arguments: Sequence[ast.expr | None]) -> bool:
    """`["curl", "-k", url]`, `"curl -k ..."` and the like."""
    words = [each for one in arguments for each in _command_words(match, one)]
    program = match.value(words[0]) if words else None
    name = program.rpartition("/")[2] if isinstance(program, str) else ""
    loose = INSECURE_OPTIONS.get(name)
    told = [match.value(each) for each in words[1:60] if loose and isinstance(each, (ast.Constant, ast.Name))]
    if loose is None:
        return (
            len(arguments) == 1
            and not isinstance(arguments[0], (ast.List, ast.Tuple))
            and _is_insecure_line(match, _split_source(arguments[0]))
        )
    return any(
        each in loose or (name == "curl" and isinstance(each, str) and CURL_INSECURE_FLAGS.fullmatch(each))
        for each in told
    )


def _command_words(match: Match, command: ast.expr | None) -> list[ast.expr]:
    """The words of a command, including those of lists that are unpacked into it."""
    if not isinstance(command, (ast.List, ast.Tuple)):
        whole = isinstance(command, ast.Constant)
        return [command] if whole and command is not None else list_items(match.module, command, match.scope)
    found: list[ast.expr] = []
    for each in command.elts:
        found += (
            _command_words(match, match.module.behind(each.value, match.scope))
            if isinstance(each, ast.Starred)
            else [each]
        )
    return found


def _split_source(expression: ast.expr | None) -> ast.expr | None:
    """The text in `shlex.split(text)` and `text.split()`."""
    if isinstance(expression, ast.Call) and last_name(expression.func) == "split":
        return (
            expression.args[0]
            if expression.args
            else expression.func.value
            if isinstance(expression.func, ast.Attribute)
            else None
        )
    return expression
