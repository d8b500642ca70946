"""Text that is run as code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.probe import site_probe
from auditor.forensics.sites import UNKNOWN, Match, Site
from auditor.forensics.woven import Foreign, versions

_CONSTANT = "the text is a constant that stands in the code"
_NAMED = "what may be named was not followed"
_EVALUATED = {
    "pandas.eval": "expr",
    "numexpr.evaluate": "ex",
    "sympy.parse_expr": "s",
    "sympy.parsing.sympy_parser.parse_expr": "s",
}
"""Calls that evaluate an expression by Python's own means, and the argument that holds it."""
_EVALUATES = "the library refuses some of what Python would run"
_TEMPLATES = {
    "flask.render_template_string": "source", "quart.render_template_string": "source", "jinja2.Template": "source",
    "jinja2.Environment.from_string": "source", "jinja2.environment.Environment.from_string": "source", "mako.template.Template": "text",
}  # fmt: skip
"""Calls that run a template, and the argument that holds it."""
_IN_TEMPLATE = "whether what is put into the template comes from outside was not followed"
_RUN_BY_NAME = {"runpy.run_path": "path_name", "runpy.run_module": "mod_name"}
_PASSED_ON = "it is passed on as a value, and where it is called was not followed"
_ANY_BUILTIN = "the name is made at run time, so it may be any builtin"
_COMPILED = "what is run was compiled elsewhere in the program"


@site_probe(
    "code.dynamic_code",
    none="No text is run as code.",
    calls=(
        "eval",
        "exec",
        "execfile",
        *_EVALUATED,
        *_TEMPLATES,
        "code.InteractiveInterpreter.runcode",
        "code.InteractiveInterpreter.runsource",
        "code.InteractiveConsole.push",
        *_RUN_BY_NAME,
        "*",
    ),
    references=("eval", "exec"),
    second_look=("S102", "S307"),
)
def dynamic_code(match: Match) -> Iterator[Site]:
    """Is text run as code?

    Parse the text with a real parser (for plain values `ast.literal_eval` in Python, `JSON.parse` in JavaScript), or map the allowed names to functions.
    """
    if not isinstance(match.node, ast.Call):
        yield match.site("A function that runs text as code is passed on", confidence=0.9, because=_PASSED_ON)
        return
    if match.name == "*":
        yield match.site("A builtin is chosen by a name made at run time", confidence=0.7, because=_ANY_BUILTIN)
        return
    if match.name in _TEMPLATES or match.name in _EVALUATED:
        yield from _by_library(match)
        return
    what = match.argument(_RUN_BY_NAME.get(match.name, "source"), 0)
    if what is None:
        return
    if match.name in _RUN_BY_NAME:
        if match.value(what) is UNKNOWN:
            yield match.site(
                "A file or module named at run time is run as code (runpy)", confidence=0.85, because=_NAMED
            )
        return
    verb = match.name.rpartition(".")[2]
    if match.value(what) is not UNKNOWN:
        yield match.site(f"Constant text is run as code ({verb})", confidence=0.5, because=_CONSTANT)
    elif _compiled(match, what):
        yield match.site(f"A compiled code object is run ({verb})", confidence=0.7, because=_COMPILED)
    else:
        yield match.site(f"Text made at run time is run as code ({verb})")


def _by_library(match: Match) -> Iterator[Site]:
    """Templates that are put together, and expressions, that a library runs."""
    if match.name in _TEMPLATES:
        if _is_put_together(match, match.argument(_TEMPLATES[match.name], 0)):
            yield match.site("A template is put together from text and run", confidence=0.7, because=_IN_TEMPLATE)
    elif match.value(match.argument(_EVALUATED[match.name], 0)) is UNKNOWN:
        yield match.site("An expression made at run time is evaluated", confidence=0.7, because=_EVALUATES)


def _is_put_together(match: Match, template: ast.expr | None) -> bool:
    """Is a template made of text and something foreign, or what a request says?"""
    if template is None or isinstance(template, ast.Constant):
        return False
    for pieces in versions(match.module, template, match.scope, match.call.lineno):
        foreign = [each for each in pieces if isinstance(each, Foreign)]
        written = any(isinstance(each, str) and each.strip() for each in pieces)
        if foreign and (written or any(_of_a_request(each) for each in foreign)):
            return True
    return False


def _of_a_request(piece: Foreign) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "request" for each in ast.walk(piece.expression))


def _compiled(match: Match, what: ast.expr) -> bool:
    return match.resolve(what) in {"compile", "marshal.loads"}
