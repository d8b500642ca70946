"""Whether what is inserted into a shell command can do no harm there: it is quoted for a shell, or a number."""

from __future__ import annotations

import ast
import re
from itertools import takewhile

from auditor.forensics.python.harmless_values import is_number
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.private_function_arguments import arguments_from_callers
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.shell_words import interpreter_code, runs_arguments, shell_script
from auditor.forensics.python.string_building import DynamicPart, TextPart, text_variants
from auditor.forensics.python.taint_models import harmless_calls
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.python.validated_fields import is_validated_field

_PROBE = "code.shell_execution"
_CONSTANT_PROGRAM = re.compile(r"\s*[^\s=]+\s")


def is_safe_in_shell(match: Match, command: ast.expr | None) -> bool:
    """Is every value that is inserted into a command quoted for a shell, or a number, and for no shell inside the shell?

    A list counts as the text of its words: where a shell is asked for, some systems join them.
    """
    texts = text_variants(match.module, _joined(match, command), match.scope, match.call.lineno) if command else []
    put_in = [each for text in texts for each in text if isinstance(each, DynamicPart)]
    return (
        bool(put_in)
        and all(
            is_number(match.module, each.expression, each.scope)
            or is_validated_field(match.module, each.expression, each.scope)
            or _is_shell_quoting(match, each)
            for each in put_in
        )
        and all(_is_safe_in_inner_shell(match, text) for text in texts)
    )


def constants_of_callers(match: Match, command: ast.expr | None) -> list[str]:
    """The constants that a command is built of, where all callers of a private function pass those; none otherwise."""
    texts = text_variants(match.module, command, match.scope, match.call.lineno) if command is not None else []
    passed: list[str] = []
    for part in (each for text in texts for each in text if isinstance(each, DynamicPart)):
        name = part.expression.id if isinstance(part.expression, ast.Name) else ""
        given = [match.module.value(*each) for each in arguments_from_callers(match.module, name, part.scope)]
        if not given or UNKNOWN in given:
            return []
        passed += map(str, given)
    return passed


def _joined(match: Match, command: ast.expr) -> ast.expr:
    """A list as the text of its words; what is no list stays as it is."""
    if not isinstance(match.module.behind(command, match.scope), (ast.List, ast.Tuple)):
        return command
    join = ast.Attribute(ast.Constant(" "), "join", ast.Load())
    return ast.copy_location(ast.Call(join, [command], []), command)


def _is_safe_in_inner_shell(match: Match, text: list[TextPart]) -> bool:
    """Is what a shell or interpreter in a command runs as a text constant, or safe there too: `bash -c VALUE`?"""
    words = [word for part in text for word in (part.split() if isinstance(part, str) else [part])]
    code = interpreter_code(words)
    at = shell_script(words) if code is None else code[1]
    run = words[at] if at is not None else None
    if not isinstance(run, DynamicPart):
        return True
    quoted = run.expression.args[0] if isinstance(run.expression, ast.Call) and run.expression.args else None
    return quoted is not None and (
        match.module.value(quoted, run.scope) is not UNKNOWN or (code is None and is_safe_in_shell(match, quoted))
    )


def _beginning(text: list[TextPart]) -> str:
    """What a text begins with, up to the first value that is inserted."""
    return "".join(part for part in takewhile(lambda part: isinstance(part, str), text) if isinstance(part, str))


def _is_shell_quoting(match: Match, piece: DynamicPart) -> bool:
    """Is it the result of a function that quotes for a shell, or a list of such results, joined or spread?"""
    made = match.module.behind(piece.expression, piece.scope)
    joined = isinstance(made, ast.Call) and last_name(made.func) == "join" and len(made.args) == 1
    quoting = _quoting_of_items(made.args[0] if joined and isinstance(made, ast.Call) else made)
    if quoting is None and isinstance(made, ast.Call):
        quoting = made.func
    return match.module.resolve(quoting, piece.scope) in harmless_calls(_PROBE)


def _quoting_of_items(made: ast.AST | None) -> ast.expr | None:
    """The function that gives each item of a comprehension or of a `map`."""
    if isinstance(made, ast.Call) and last_name(made.func) == "map" and made.args:
        return made.args[0]
    item = made.elt if isinstance(made, (ast.GeneratorExp, ast.ListComp)) else None
    return item.func if isinstance(item, ast.Call) else None


def names_its_program(match: Match, command: ast.expr | None) -> bool:
    """Does every text that it may be begin with a constant program, and with none that runs its arguments as code?"""
    texts = text_variants(match.module, _joined(match, command), match.scope, match.call.lineno) if command else []
    return all(
        _CONSTANT_PROGRAM.match(_beginning(text)) is not None
        and not any(runs_arguments(word) for part in text if isinstance(part, str) for word in part.split())
        for text in texts
        if text
    )
