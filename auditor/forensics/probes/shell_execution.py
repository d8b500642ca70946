"""Commands that are run in a shell."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from auditor.forensics.library_models.shell_execution import shell_execution as shell_models
from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.command_arguments import (
    SHELL_FUNCTIONS,
    SPAWNING_CALLS,
    WORD_CALLS,
    WORD_LIST_CALLS,
    constant_words,
    is_shell_command_text,
    is_shell_with_script,
    script_of_shell,
    word_beginnings,
    words_of_command,
)
from auditor.forensics.python.command_texts import run_texts
from auditor.forensics.python.function_references import (
    PASSED_MODULE_CONFIDENCE,
    PASSED_MODULE_REASON,
    passed_module_statement,
)
from auditor.forensics.python.harmless_in_shell import constants_of_callers, is_safe_in_shell, names_its_program
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import function_of_parameter, parameter_names
from auditor.forensics.python.scope_bindings import last_name, receiver
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.shell_starters import BUILT_IN_STARTERS, command_of, shell_option, shell_starters
from auditor.forensics.python.shell_words import interpreter_code, reads_program_script, reads_script_from_input
from auditor.forensics.python.taint_findings import passing_names, sink_names, team_sink_names, with_untrusted_input
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.decode_and_run_commands import (
    DECODE_AND_RUN_COMMAND,
    DECODE_AND_RUN_STATEMENT,
    NOT_DECODED_REASON,
)
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import method_names, names_of, qualified_names

_ROWS = shell_models()
_REMOTE = names_of(_ROWS.remote_methods)
_SENDING_CALLS = names_of(_ROWS.sending_calls)
"""Calls that send text to a program that was started before."""
_TASK_DECORATORS = names_of(_ROWS.task_decorators)
"""Decorators of functions whose first parameter runs commands in a shell."""
_TASK_METHODS = names_of(_ROWS.task_methods)
_REDIRECTIONS = names_of(_ROWS.stream_redirections)
_SOCKET_DESCRIPTORS = names_of(_ROWS.socket_descriptors)
_PARTIALS = ("functools.partial", "functools.partialmethod")
_DYNAMIC_NAMES = names_of(_ROWS.any_function)
_MODULES = names_of(_ROWS.modules)
_PASSED_AS_VALUE_REASON = "it is passed as a value, and its calls were not analysed"
_ANY_NAME = "the name is built at run time, so it may be any function of the module"
_FIXED = "the command is a constant, so no input can reach the shell"
_UNKNOWN_SHELL_REASON = "the value of `shell` is not known"


_SHELL = register_keywords("shell=", "shell =")


def _find_shell_arguments(module: Module) -> list[ScopedNode]:
    """Calls of any function with a `shell` argument. A file without imports starts no program."""
    if not module.says(_SHELL) or not (module.nodes[ast.Import] or module.nodes[ast.ImportFrom]):
        return []
    return [
        each
        for word, calls in list(module.calls.items())
        for each in calls
        if any(named.arg == "shell" for named in each[0].keywords) and _STARTER_NAME.search(word)
    ]


_STARTER_NAME = re.compile(
    r"run|call|exec|popen|spawn|cmd|command|shell|output|proc|system|launch|start|invoke|wait|check|^sh$", re.IGNORECASE
)
"""Names of functions that start programs."""


_PROBE = "code.shell_execution"


@site_probe(
    _PROBE,
    none_statement="No command is run in a shell.",
    file_selector=_find_shell_arguments,
    calls=(
        *sink_names(_PROBE),
        *passing_names(_PROBE),
        *BUILT_IN_STARTERS.calls,
        *WORD_CALLS,
        *WORD_LIST_CALLS,
        *_SENDING_CALLS,
        *_DYNAMIC_NAMES,
        *qualified_names(_ROWS.programs),
        *SHELL_FUNCTIONS,
        *SPAWNING_CALLS,
        *_REDIRECTIONS,
    ),
    callable_factories=_PARTIALS,
    methods=(*method_names(_ROWS.remote_methods), *method_names(_ROWS.programs), *_TASK_METHODS),
    references=BUILT_IN_STARTERS.always,
    modules=_MODULES,
    second_look=("S602", "S604", "S605", "S609"),
    team_names=lambda: CalledNames(shell_starters().calls | team_sink_names(_PROBE)),
)
def shell_execution(match: Match) -> Iterator[Site]:
    """Are commands run in a shell?

    A command that a shell runs counts, including `sh -c`, `cmd /c` and shells on other machines; a constant command counts as a minor case. A program whose arguments are passed as a list does not count.

    Pass the program and its arguments as a list, without a shell. If a shell is needed, quote every value.
    """
    yield from with_untrusted_input(match, _PROBE, _shell_execution_sites(match))


def _shell_execution_sites(match: Match) -> Iterator[Site]:
    name = match.name
    if not isinstance(match.node, ast.Call):
        yield _passed_on(match)
        return
    if not name or name.removeprefix(".") in _TASK_METHODS:
        yield from _by_task(match) if name else _by_shell_argument(match)
        return
    if name in _HANDLERS:
        yield from _HANDLERS[name](match)
        return
    sent = list(_by_input(match)) if name in _SENDING_CALLS or name in shell_starters().by_option else []
    if sent or name in _SENDING_CALLS:
        yield from sent
        return
    if name in _DYNAMIC_NAMES:
        yield match.site(
            "A function that starts programs is looked up by a name built at run time",
            confidence=0.7,
            because=_ANY_NAME,
        )
        return
    command = command_of(match)
    if (
        name in _REMOTE
        or name in shell_starters().always
        or (name in shell_starters().for_text and isinstance(command, (ast.JoinedStr, ast.BinOp)))
    ):
        yield from _sites(match, command, f"`{name.removeprefix('.')}`")
    elif name in shell_starters().by_option and (shell := shell_option(match)) is not False:
        if shell is True:
            yield from _sites(match, command, f"`{name}(..., shell=True)`")
        elif shell is UNKNOWN and not _constant(match, command):
            yield match.site(
                "Shell injection risk: {call} runs a command in a shell if its `shell` argument is true",
                confidence=0.5,
                because=_UNKNOWN_SHELL_REASON,
            )
    else:
        yield from _by_command_words(match, command)


def _by_redirection(match: Match) -> Iterator[Site]:
    """`os.dup2(connection.fileno(), 0)`: what the program starts is controlled by the other side."""
    descriptor = match.argument("fd", 0)
    if isinstance(descriptor, ast.Call) and match.resolve(descriptor.func) in _SOCKET_DESCRIPTORS:
        yield match.site(
            "Reverse shell: {call} connects the standard streams to a socket",
            confidence=0.8,
            because="what is started afterwards was not analysed",
        )


def _passed_on(match: Match) -> Site:
    """The site of a function, or of a module as a whole, that is passed on as a value."""
    if match.name in _MODULES:
        return match.site(
            passed_module_statement(match.name), confidence=PASSED_MODULE_CONFIDENCE, because=PASSED_MODULE_REASON
        )
    return match.site(
        "{call}, which runs commands in a shell, is passed as a value", confidence=0.9, because=_PASSED_AS_VALUE_REASON
    )


def _by_shell_argument(match: Match) -> Iterator[Site]:
    """`run(command, shell=True)` of a function that was not followed."""
    called = match.resolve(match.call.func) or ""
    command = match.argument("cmd", 0) or match.argument("command") or match.argument("args")
    if (
        command is None
        or match.value(match.argument("shell")) is not True
        or called in _PARTIALS
        or called in shell_starters().calls
    ):
        return
    if _is_mock_expectation(match.call.func, called) or _is_parameter_call(match):
        return
    for site in _sites(match, command, "a call with `shell=True`"):
        yield replace(site, confidence=0.85 * site.confidence, reason=site.reason or _WRAPPER_REASON)


def _is_mock_expectation(func: ast.expr, called: str) -> bool:
    """Is it an expected call that a test double compares, and that is not made?"""
    owner = last_name(func.value) if isinstance(func, ast.Attribute) else ""
    name = last_name(func)
    return name.startswith(("assert", "called")) or (name == "call" and "mock" in (owner, *called.split(".")))


def _is_parameter_call(match: Match) -> bool:
    """Is it a function that callers pass?"""
    func = match.call.func
    return isinstance(func, ast.Name) and function_of_parameter(func.id, match.scope) is not None


_WRAPPER_REASON = "the definition of the called function was not analysed"


def _by_reference(match: Match) -> Iterator[Site]:
    if (
        (match.resolve(match.argument("", 0)) or "").removesuffix(".__init__") in shell_starters().by_option
        and shell_option(match) is True
        and not _is_called_in_scope(match)
    ):
        yield match.site(
            "Shell injection risk: `partial(..., shell=True)` makes a function that runs commands in a shell",
            confidence=0.85,
            because=_PASSED_AS_VALUE_REASON,
        )


_HANDLERS: dict[str, Callable[[Match], Iterator[Site]]] = {
    **dict.fromkeys(_PARTIALS, _by_reference),
    **dict.fromkeys(_REDIRECTIONS, _by_redirection),
}
"""The function that reports a call that starts nothing by itself."""


def _by_task(match: Match) -> Iterator[Site]:
    if _is_task_context(match):
        yield from _sites(match, command_of(match), f"`{match.name[1:]}` of a task")


def _is_task_context(match: Match) -> bool:
    """`c.run(...)` where `c` is the first parameter of a task of invoke or fabric."""
    owner = receiver(match.call)
    if not isinstance(owner, ast.Name) or not isinstance(match.scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    function = function_of_parameter(owner.id, match.scope)
    if function is None or parameter_names(function)[:1] != [owner.id]:
        return False
    decorators = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return any(match.resolve(each) in _TASK_DECORATORS for each in decorators)


_INPUT_STATEMENT = "Shell injection risk: a shell or interpreter reads text built at run time from its standard input"


def _by_input(match: Match) -> Iterator[Site]:
    """`run(["sh"], input=text)`, `Popen(["sh"]).communicate(text)`."""
    if match.name in _SENDING_CALLS:
        sent = match.argument("input", 0)
        owner = receiver(match.call)
        owner = owner.value if isinstance(owner, ast.Attribute) and owner.attr == "stdin" else owner
        made = match.module.behind(owner, match.scope) if owner is not None else None
        if not isinstance(made, ast.Call):
            return
        started = replace(match, node=made)
    else:
        sent, started = match.argument("input"), match
    command = started.argument("args", 0)
    if sent is None or command is None or match.value(sent) is not UNKNOWN:
        return
    text = match.value(command)
    words = text.split() if isinstance(text, str) else constant_words(started, words_of_command(started, command))
    if reads_script_from_input(words):
        yield match.site(_INPUT_STATEMENT)
    elif reads_program_script(words):
        yield match.site(
            f"Shell injection risk: `{words[0]}` reads a script built at run time, which can start programs",
            confidence=0.5,
            because="the origin of the script was not analysed",
        )


def _by_command_words(match: Match, command: ast.expr | None) -> Iterator[Site]:
    """A shell, another interpreter or another machine's shell among the words of a command."""
    if is_shell_with_script(match, command):
        yield from _sites(match, script_of_shell(match, command), "an explicit shell such as `sh -c`")
    elif (match.name in SPAWNING_CALLS or match.name == ".exec_run") and is_shell_command_text(match, command):
        yield from _sites(match, command, "an explicit shell such as `sh -c`")
    elif (interpreter := _interpreter(match, command)) is not None:
        yield _interpreted(match, command, interpreter)
    else:
        yield from _by_run_text(match, command)


_RUN_TEXTS = {
    "code": ("Code injection risk: `{}` runs code built at run time", 0.9, "the origin of the code was not analysed"),
    "command": (
        "Shell injection risk: `{}` runs a command built at run time",
        0.9,
        "the origin of the command was not analysed",
    ),
    "remote command": (
        "Shell injection risk: `{}` runs a command built at run time in a shell on another machine",
        0.85,
        "the login shell of the other machine is not known",
    ),
}
"""What is said of a text that a program runs, by what it runs it as."""


def _by_run_text(match: Match, command: ast.expr | None) -> Iterator[Site]:
    """A word that the started program itself runs: `["ssh", host, text]`, `["su", "-c", text]`."""
    words = words_of_command(match, command)
    for found in run_texts(word_beginnings(match, words)):
        if not is_safe_in_shell(match, words[found.at]):
            statement, confidence, reason = _RUN_TEXTS[found.runs]
            yield match.site(statement.format(found.program), confidence=confidence, because=reason)
            return


def _is_called_in_scope(match: Match) -> bool:
    """Is a name bound to this callable called in the same scope, where the call is reported itself?"""
    names = {name for name, bound in match.scope.bindings().items() if any(each.value is match.call for each in bound)}
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in names
        for each in ast.walk(match.scope.node)
    )


def _interpreter(match: Match, command: ast.expr | None) -> str | None:
    """The interpreter that is to run a text: `[sys.executable, "-c", ...]`."""
    code = interpreter_code(constant_words(match, words_of_command(match, command)))
    return code[0] if code is not None else None


def _interpreted(match: Match, command: ast.expr | None, interpreter: str) -> Site:
    words = words_of_command(match, command)
    code = interpreter_code(constant_words(match, words))
    if code is not None and match.value(words[code[1]]) is UNKNOWN:
        return match.site(f"Code injection risk: `{interpreter}` runs code built at run time")
    return match.site(f"`{interpreter}` runs constant code", confidence=0.4, because=_FIXED)


def _constant(match: Match, command: ast.expr | None) -> bool:
    if isinstance(command, (ast.List, ast.Tuple)) and command.elts:
        words = command.elts
        return all(match.value(each) is not UNKNOWN for each in words)
    return command is not None and match.value(command) is not UNKNOWN


_DECODES = re.compile(DECODE_AND_RUN_COMMAND, re.DOTALL)
_MAX_COMMAND = 10_000


def _sites(match: Match, command: ast.expr | None, how: str) -> Iterator[Site]:
    """Nothing where the program is a constant and each of its arguments is quoted or a number."""
    if is_shell_with_script(match, command):
        command, how = script_of_shell(match, command), "an explicit shell such as `sh -c`"
    constants = [str(match.value(command))] if _constant(match, command) else constants_of_callers(match, command)
    if constants:
        if any(_DECODES.search(each[:_MAX_COMMAND]) for each in constants):
            yield match.site(f"{DECODE_AND_RUN_STATEMENT} ({how})", confidence=0.95, because=NOT_DECODED_REASON)
        else:
            yield match.site(f"Constant command is run in a shell by {how}", confidence=0.6, because=_FIXED)
    elif not is_safe_in_shell(match, command):
        yield match.site(f"Shell injection risk: {how} runs a command built at run time")
    elif not names_its_program(match, command):
        yield match.site(
            f"Command with quoted values is run in a shell by {how}, and one of them may be run as a command",
            confidence=0.4,
            because=_QUOTED,
        )


_QUOTED = "every value in the command is quoted or a number"
