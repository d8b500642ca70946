"""Text that is run as code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from auditor.forensics.library_models.dynamic_code import dynamic_code as dynamic_code_models
from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.constant_expressions import is_constant_expression, is_laid_out_constant
from auditor.forensics.python.function_references import (
    PASSED_MODULE_CONFIDENCE,
    PASSED_MODULE_REASON,
    passed_module_statement,
)
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.object_internals import calls_by_internals
from auditor.forensics.python.parameter_values import function_of_parameter, is_untrusted
from auditor.forensics.python.private_function_arguments import is_untrusted_by_callers
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.string_building import DynamicPart, text_variants
from auditor.forensics.python.taint_findings import (
    methods_without_own_formats,
    passing_names,
    sink_methods,
    sink_names,
    team_sink_names,
    with_untrusted_input,
)
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import arguments_of, method_names, names_of, qualified_names

_CONSTANT = "the text is a constant in the code"
_UNRESOLVED_NAME_REASON = "the origin of the name was not analysed"
_ROWS = dynamic_code_models()
_EVALUATING_CALLS = arguments_of(_ROWS.evaluating_calls)
"""Calls that evaluate an expression as Python, and the argument that holds it."""
_RESTRICTED_REASON = "the library rejects some Python code"
_QUERY_CALLS = arguments_of(_ROWS.outsider_expressions)
"""Calls that evaluate an expression, reported where an outsider writes it, and the argument that holds it."""
_STATEMENT_CALLS = arguments_of(_ROWS.statement_calls)
"""Calls that run a statement: text, or a function."""
_TEMPLATES = arguments_of(_ROWS.template_calls)
"""Calls that run a template, and the argument that holds it."""
_TEMPLATE_INPUT_REASON = "whether the template contains untrusted input was not analysed"
_IMPORT_CALLS = arguments_of(_ROWS.import_calls)
"""Calls that import, and so run, a module by its name."""
_MODEL_CODE_TOOLS = names_of(_ROWS.model_code_tools)
"""Tools that run code that a model writes."""
_OUTSIDE_NAME_REASON = "a check of the name may exist elsewhere"
_RUN_BY_NAME = arguments_of(_ROWS.named_code_calls)
_MODULES = names_of(_ROWS.modules)
_PASSED_AS_VALUE_REASON = "it is passed as a value, and its calls were not analysed"
_UNNAMED = {
    "": (
        "Code injection risk: a function is reached through the classes of an object, such as by `__subclasses__`",
        0.85,
        "which function it is was not analysed",
    ),
    "*": (
        "A builtin is looked up by a name built at run time",
        0.7,
        "the name is built at run time, so it may be any builtin",
    ),
}
"""What is said of calls of functions whose name is not known."""
_COMPILED = "the code was compiled elsewhere in the program"


_PROBE = "code.dynamic_code"


@site_probe(
    _PROBE,
    none_statement="No text is run as code.",
    file_selector=calls_by_internals,
    calls=(
        *sink_names(_PROBE),
        *passing_names(_PROBE),
        *names_of(_ROWS.running_calls),
        *_RUN_BY_NAME,
        *_EVALUATING_CALLS,
        *_TEMPLATES,
        *_IMPORT_CALLS,
        *_STATEMENT_CALLS,
        *qualified_names(_ROWS.outsider_expressions),
        *_MODEL_CODE_TOOLS,
        "*",
    ),
    methods=(*method_names(_ROWS.outsider_expressions), *sink_methods(_PROBE)),
    method_filter=methods_without_own_formats,
    references=("eval", "exec"),
    modules=_MODULES,
    second_look=("S102", "S307"),
    team_names=lambda: CalledNames(team_sink_names(_PROBE)),
)
def dynamic_code(match: Match) -> Iterator[Site]:
    """Is text run as code?

    Calls that run text as code count (`eval`, `exec`), as do templates built from data, expressions that libraries evaluate, and modules that untrusted input names. Parsing plain values does not count, nor do unrelated methods named `eval` or `exec`.

    Use a parser for plain values, or map the allowed names to functions.
    """
    yield from with_untrusted_input(match, _PROBE, _dynamic_code_sites(match))


def _dynamic_code_sites(match: Match) -> Iterator[Site]:
    if match.name in _MODULES:
        yield match.site(
            passed_module_statement(match.name), confidence=PASSED_MODULE_CONFIDENCE, because=PASSED_MODULE_REASON
        )
        return
    if not isinstance(match.node, ast.Call):
        yield match.site(
            "{call}, which runs text as code, is passed as a value", confidence=0.9, because=_PASSED_AS_VALUE_REASON
        )
        return
    if match.name in _UNNAMED:
        statement, confidence, reason = _UNNAMED[match.name]
        yield match.site(statement, confidence=confidence, because=reason)
        return
    if match.name in _HANDLERS:
        yield from _HANDLERS[match.name](match)
        return
    what = match.argument(_RUN_BY_NAME.get(match.name, "source"), 0) or match.argument("raw_cell")
    if what is None:
        return
    if match.name in _RUN_BY_NAME:
        if match.value(what) is UNKNOWN:
            yield match.site(
                "Code injection risk: {call} runs a file or module whose name is built at run time",
                confidence=0.85,
                because=_UNRESOLVED_NAME_REASON,
            )
        return
    verb = match.name.rpartition(".")[2]
    if is_laid_out_constant(match, _compiled_text(match, what)):
        yield match.site(f"`{verb}` runs constant text as code", confidence=0.5, because=_CONSTANT)
    elif _is_compiled_elsewhere(match, what):
        yield match.site(f"`{verb}` runs a compiled code object", confidence=0.7, because=_COMPILED)
    else:
        yield match.site(f"Code injection risk: `{verb}` runs text built at run time as code")


_ON_INPUT = frozenset({*sink_names(_PROBE), *(f".{name}" for name in sink_methods(_PROBE))}) - {
    *names_of(_ROWS.running_calls),
    *_RUN_BY_NAME,
    *_EVALUATING_CALLS,
    *_TEMPLATES,
    *_IMPORT_CALLS,
    *_STATEMENT_CALLS,
}
"""Calls that are reported only where untrusted input reaches them."""


def _template(match: Match) -> Iterator[Site]:
    text = match.argument(_TEMPLATES[match.name], 0)
    if _is_concatenated(match, text):
        yield match.site(
            "Template injection risk: {call} runs a template built at run time",
            confidence=0.7,
            because=_TEMPLATE_INPUT_REASON,
        )
    elif _is_parameter_part(match, text):
        yield match.site(
            "Template injection risk: {call} runs a template that the caller passes as text",
            confidence=0.5,
            because=_TEMPLATE_INPUT_REASON,
        )


_PASS_THROUGH_METHODS = frozenset({"get", "strip", "decode", "pop"})
_SETTING = re.compile(r"settings|config|conf$|options|args|self|cls", re.IGNORECASE)
"""Names of what holds what the program itself is set up with."""
_MAX_PARTS = 8


def _is_parameter_part(match: Match, text: ast.expr | None) -> bool:
    """Is it a parameter, or a part of one: `stored["body"]`, `letter.text`?"""
    if isinstance(text, ast.Name) and function_of_parameter(text.id, match.scope) is not None:
        return True
    text = match.module.behind(text, match.scope) if text is not None else None
    for _ in range(_MAX_PARTS):
        if isinstance(text, ast.Call):
            text = (
                text.func.value
                if isinstance(text.func, ast.Attribute) and text.func.attr in _PASS_THROUGH_METHODS
                else None
            )
        elif isinstance(text, (ast.Subscript, ast.Attribute)):
            text = text.value
        else:
            break
    return (
        isinstance(text, ast.Name)
        and not _SETTING.search(text.id)
        and function_of_parameter(text.id, match.scope) is not None
    )


def _by_evaluation(match: Match) -> Iterator[Site]:
    if match.name in _EVALUATING_CALLS:
        told = match.value(match.argument(_EVALUATING_CALLS[match.name], 0)) is UNKNOWN
    else:
        told = _is_from_outside(match)
    if told:
        yield match.site(
            "Code injection risk: {call} evaluates an expression built at run time",
            confidence=0.7,
            because=_RESTRICTED_REASON,
        )


def _by_import(match: Match) -> Iterator[Site]:
    named = match.argument(_IMPORT_CALLS[match.name], 0)
    if is_constant_expression(match, named):
        return
    if is_untrusted(match.module, named, match.scope):
        yield match.site(
            "Code injection risk: untrusted input chooses the module that {call} imports",
            confidence=0.7,
            because=_OUTSIDE_NAME_REASON,
        )
    elif _is_from_message(match, named):
        yield match.site(
            "Code injection risk: a message chooses the module that {call} imports",
            confidence=0.6,
            because=_OUTSIDE_NAME_REASON,
        )
    elif is_untrusted_by_callers(match.module, named, match.scope):
        yield match.site(
            "Code injection risk: untrusted input chooses the module that {call} imports",
            confidence=0.6,
            because=_OUTSIDE_NAME_REASON,
        )


_PARSE_CALLS = names_of(_ROWS.parsing_calls)
_MESSAGE_PARAMETERS = names_of(_ROWS.message_parameters)
"""Names of parameters that hold what was received."""


def _is_from_message(match: Match, named: ast.expr | None) -> bool:
    """Is a name taken from a message that the function got as a parameter?"""
    while isinstance(named, (ast.Subscript, ast.Call)):
        taken = named.func if isinstance(named, ast.Call) else named
        named = taken.value if isinstance(taken, (ast.Subscript, ast.Attribute)) else None
    made = match.module.behind(named, match.scope) if isinstance(named, ast.Name) else None
    if not isinstance(made, ast.Call) or not made.args or match.resolve(made.func) not in _PARSE_CALLS:
        return False
    given = made.args[0]
    return (
        isinstance(given, ast.Name)
        and given.id in _MESSAGE_PARAMETERS
        and function_of_parameter(given.id, match.scope) is not None
    )


def _by_timed_statement(match: Match) -> Iterator[Site]:
    if _is_concatenated(match, match.argument(_STATEMENT_CALLS[match.name], 0)):
        yield match.site(
            "Code injection risk: {call} runs a statement built at run time",
            confidence=0.8,
            because=_UNRESOLVED_NAME_REASON,
        )


def _by_model(match: Match) -> Iterator[Site]:
    yield match.site(
        "Code injection risk: {call} runs code that a model writes",
        confidence=0.7,
        because="the code may run in a sandbox",
    )


def _by_input_alone(_match: Match) -> Iterator[Site]:
    """A call that does no harm unless untrusted input reaches it."""
    yield from ()


_HANDLERS: dict[str, Callable[[Match], Iterator[Site]]] = {
    **dict.fromkeys(_ON_INPUT, _by_input_alone),
    **dict.fromkeys(_TEMPLATES, _template),
    **dict.fromkeys((*_EVALUATING_CALLS, *_QUERY_CALLS), _by_evaluation),
    **dict.fromkeys(_IMPORT_CALLS, _by_import),
    **dict.fromkeys(_STATEMENT_CALLS, _by_timed_statement),
    **dict.fromkeys(_MODEL_CODE_TOOLS, _by_model),
}
"""The function that reports a call of a library."""


_PANDAS = register_keywords("pandas")


def _mentions_pandas(module: Module) -> bool:
    """Does the file mention pandas? Most that query something do not."""
    return module.says(_PANDAS)


def _is_from_outside(match: Match) -> bool:
    """Does an expression come from outside; of a table of pandas, is it nothing that is in the code?"""
    if match.name[0] == "." and not _mentions_pandas(match.module):
        return False
    given = match.argument(_QUERY_CALLS[match.name], 0)
    if isinstance(given, _REFERENCE_NODES) and match.value(given) is UNKNOWN and _is_dataframe_query(match):
        return True
    return is_untrusted(match.module, given, match.scope)


_REFERENCE_NODES = (ast.Name, ast.Attribute, ast.Subscript)
"""Kinds of expressions that refer to a text and do not build it."""
_DATAFRAME_NAME = re.compile(r"(?:\w+_)?(?:df|dataframe|data_frame)\d?$", re.IGNORECASE)
_MAX_STEPS = 20
_DATAFRAME_METHODS = names_of(_ROWS.dataframe_methods)
"""Methods of a dataframe that return another one."""
_DATAFRAME_ARGUMENTS = names_of(_ROWS.dataframe_arguments)
"""Arguments that only dataframe expressions have."""


def _is_dataframe_query(match: Match) -> bool:
    """Is an expression evaluated by a dataframe, by its type, its name or the other arguments?"""
    if match.name.startswith("pandas.") or any(match.argument(each) is not None for each in _DATAFRAME_ARGUMENTS):
        return True
    waiting = [match.call.func.value] if isinstance(match.call.func, ast.Attribute) else []
    for _ in range(_MAX_STEPS):
        if not waiting:
            return False
        owner = waiting.pop()
        if isinstance(owner, ast.Call):
            if (match.resolve(owner.func) or "").startswith("pandas."):
                return True
            taken = owner.func if isinstance(owner.func, ast.Attribute) else None
            waiting += [taken.value] if taken is not None and taken.attr in _DATAFRAME_METHODS else []
        elif isinstance(owner, ast.Subscript):
            waiting.append(owner.value)
        elif isinstance(owner, (ast.Name, ast.Attribute)):
            if _DATAFRAME_NAME.match(last_name(owner)) or _is_annotated_as_dataframe(match, owner):
                return True
            waiting += _bound_values(match, owner)
    return False


def _bound_values(match: Match, owner: ast.Name | ast.Attribute) -> list[ast.expr]:
    """The values that a name is bound to; of an attribute its value, or its owner."""
    if isinstance(owner, ast.Name):
        bound = match.module.lookup(owner.id, match.scope)
        given = bound[1].bindings()[owner.id] if bound is not None else []
        return [each.value for each in given[:_MAX_PARTS] if each.value is not None]
    held = match.module.held(owner, match.scope)
    if held is not None:
        return [held[0]]
    return [owner.value] if owner.attr in _DATAFRAME_METHODS else []


def _is_annotated_as_dataframe(match: Match, owner: ast.expr) -> bool:
    found = match.module.lookup(owner.id, match.scope) if isinstance(owner, ast.Name) else None
    return found is not None and found[0].type is not None and match.resolve(found[0].type) == "pandas.DataFrame"


_MAX_PIECES = 4
"""Pieces of a text that are followed to their origin."""


def _is_concatenated(match: Match, template: ast.expr | None) -> bool:
    """Does a template consist of text and foreign values, or come from a request?"""
    if template is None or isinstance(template, ast.Constant):
        return False
    for pieces in text_variants(match.module, template, match.scope, match.call.lineno):
        foreign = [each for each in pieces if isinstance(each, DynamicPart)]
        written = any(isinstance(each, str) and each.strip() for each in pieces)
        if foreign and (
            written or any(is_untrusted(match.module, each.expression, each.scope) for each in foreign[:_MAX_PIECES])
        ):
            return True
    return False


def _compiled_text(match: Match, what: ast.expr) -> ast.expr:
    """The text behind a code object that `compile` makes; everything else as it is."""
    made = match.module.behind(what, match.scope)
    if not isinstance(made, ast.Call) or match.resolve(made.func) != "compile":
        return what
    named = next((each.value for each in made.keywords if each.arg == "source"), None)
    return named or (made.args[0] if made.args else what)


def _is_compiled_elsewhere(match: Match, what: ast.expr) -> bool:
    return match.resolve(what) in {"compile", "marshal.loads"}
