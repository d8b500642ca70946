"""Whether what is inserted into a shell command can do no harm there: it is quoted for a shell, or a number."""

from __future__ import annotations

import ast
import re

from auditor.forensics.python.harmless_values import is_number
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.shell_words import runs_arguments
from auditor.forensics.python.string_building import DynamicPart, text_variants
from auditor.forensics.python.taint_models import harmless_calls
from auditor.forensics.python.validated_fields import is_validated_field

_PROBE = "code.shell_execution"
_CONSTANT_PROGRAM = re.compile(r"\s*[^\s=]+\s")


def is_safe_in_shell(match: Match, command: ast.expr | None) -> bool:
    """Is every value that is inserted into a command quoted for a shell, or a number?"""
    texts = text_variants(match.module, command, match.scope, match.call.lineno) if command is not None else []
    put_in = [each for text in texts for each in text if isinstance(each, DynamicPart)]
    return bool(put_in) and all(
        is_number(match.module, each.expression, each.scope)
        or is_validated_field(match.module, each.expression, each.scope)
        or _is_shell_quoting(match, each)
        for each in put_in
    )


def _is_shell_quoting(match: Match, piece: DynamicPart) -> bool:
    """Is it the result of a function that quotes for a shell, or a list of such results, joined?"""
    made = match.module.behind(piece.expression, piece.scope)
    if not isinstance(made, ast.Call):
        return False
    joined = made.args[0] if last_name(made.func) == "join" and len(made.args) == 1 else None
    quoting: ast.AST = made.func
    if isinstance(joined, ast.Call) and last_name(joined.func) == "map" and joined.args:
        quoting = joined.args[0]
    elif isinstance(joined, (ast.GeneratorExp, ast.ListComp)) and isinstance(joined.elt, ast.Call):
        quoting = joined.elt.func
    return match.module.resolve(quoting, piece.scope) in harmless_calls(_PROBE)


def names_its_program(match: Match, command: ast.expr | None) -> bool:
    """Does every text that it may be begin with a constant program, and with none that runs its arguments as code?"""
    texts = text_variants(match.module, command, match.scope, match.call.lineno) if command is not None else []
    return all(
        isinstance(text[0], str)
        and _CONSTANT_PROGRAM.match(text[0]) is not None
        and not any(runs_arguments(word) for part in text if isinstance(part, str) for word in part.split())
        for text in texts
        if text
    )
