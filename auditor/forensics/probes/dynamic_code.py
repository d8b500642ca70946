"""Text that is run as code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import from_outside, function_with
from auditor.forensics.python.parsed_module import Module
from auditor.forensics.python.private_function_callers import outside_by_callers
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.string_building import Foreign, versions
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_types import Site

_CONSTANT = "the text is a constant that stands in the code"
_NAMED = "what may be named was not followed"
_EVALUATED = {
    "pandas.eval": "expr",
    "numexpr.evaluate": "ex",
    "sympy.parse_expr": "s",
    "sympy.parsing.sympy_parser.parse_expr": "s",
    "jinja2.Environment.compile_expression": "source",
    **dict.fromkeys(("js2py.eval_js", "js2py.EvalJs.eval", "js2py.EvalJs.execute", "js2py.translate_js"), "js"),
    **dict.fromkeys(("dukpy.evaljs", "dukpy.JSInterpreter.evaljs"), "code"),
    **dict.fromkeys(("py_mini_racer.MiniRacer.eval", "py_mini_racer.py_mini_racer.MiniRacer.eval"), "code"),
    **dict.fromkeys(("quickjs.Context.eval", "execjs.eval", "execjs.exec_", "execjs.compile"), "source"),
    **dict.fromkeys(("lupa.LuaRuntime.execute", "lupa.LuaRuntime.eval", "lupa.LuaRuntime.compile"), "lua_code"),
}
"""Calls that evaluate an expression by Python's own means, and the argument that holds it."""
_EVALUATES = "the library refuses some of what Python would run"
_ASKED = {
    **{f"pandas.{made}.{verb}": "expr" for made in (
        "DataFrame", "read_csv", "read_parquet", "read_excel", "read_json", "read_sql", "read_sql_query", "read_sql_table", "read_table", "read_feather", "concat", "merge",
    ) for verb in ("query", "eval")},
    ".query": "expr", ".eval": "expr", "sympy.sympify": "a", "sympy.core.sympify.sympify": "a",
}  # fmt: skip
"""Calls that evaluate an expression, told where an outsider writes it, and the argument that holds it."""
_TIMED = {
    "timeit.timeit": "stmt",
    "timeit.repeat": "stmt",
    "timeit.Timer": "stmt",
    "cProfile.run": "statement",
    "profile.run": "statement",
}
"""Calls that run a statement: text, or a function."""
_TEMPLATES = {
    "flask.render_template_string": "source", "quart.render_template_string": "source", "jinja2.Template": "source", "django.template.Template": "template_string", "django.template.base.Template": "template_string", "django.template.Engine.from_string": "template_code", "bottle.SimpleTemplate": "source",
    "jinja2.Environment.from_string": "source", "jinja2.environment.Environment.from_string": "source", "mako.template.Template": "text",
    "tornado.template.Template": "template_string", "jinja2.nativetypes.NativeEnvironment.from_string": "source", "jinja2.nativetypes.NativeTemplate": "source",
    "chameleon.PageTemplate": "body", "Cheetah.Template.Template": "source",
}  # fmt: skip
"""Calls that run a template, and the argument that holds it."""
_IN_TEMPLATE = "whether what is put into the template comes from outside was not followed"
_IMPORTED = {"importlib.import_module": "name", "__import__": "name", "django.utils.module_loading.import_string": "dotted_path", "pydoc.locate": "path",
             "werkzeug.utils.import_string": "import_name"}  # fmt: skip
"""Calls that import, and so run, what they are told by name."""
_BY_MODELS = frozenset(
    f"{package}.{name}"
    for package in (
        "langchain_experimental.utilities",
        "langchain_experimental.tools",
        "langchain_experimental.utilities.python",
        "langchain_experimental.tools.python.tool",
    )
    for name in ("PythonREPL", "PythonREPLTool", "PythonAstREPLTool")
)
"""Tools that run what a model writes."""
_OUTSIDE = "what the one outside may name was not followed"
_RUN_BY_NAME = {"runpy.run_path": "path_name", "runpy.run_module": "mod_name"}
_PASSED_ON = "it is passed on as a value, and where it is called was not followed"
_ANY_BUILTIN = "the name is made at run time, so it may be any builtin"
_COMPILED = "what is run was compiled elsewhere in the program"


@site_probe(
    "code.dynamic_code",
    none_statement="No text is run as code.",
    calls=(
        "eval",
        "exec",
        "execfile",
        *_EVALUATED,
        *_TEMPLATES,
        *_IMPORTED,
        *_TIMED,
        *(name for name in _ASKED if name[0] != "."),
        *_BY_MODELS,
        "get_ipython.run_cell",
        "IPython.get_ipython.run_cell",
        "code.InteractiveInterpreter.runcode",
        "code.InteractiveInterpreter.runsource",
        "code.InteractiveConsole.push",
        *_RUN_BY_NAME,
        "*",
    ),
    methods=("query", "eval"),
    references=("eval", "exec"),
    second_look=("S102", "S307"),
)
def dynamic_code(match: Match) -> Iterator[Site]:
    """Is text run as code?

    Evaluating and executing text count, as do templates put together from data, expressions that libraries evaluate and modules that somebody outside names. Parsing plain values does not, nor do methods that are only called `eval` or `exec`.

    Parse the text with a real parser (for plain values `ast.literal_eval` in Python, `JSON.parse` in JavaScript), or map the allowed names to functions.
    """
    if not isinstance(match.node, ast.Call):
        yield match.site("A function that runs text as code is passed on", confidence=0.9, because=_PASSED_ON)
        return
    if match.name == "*":
        yield match.site("A builtin is chosen by a name made at run time", confidence=0.7, because=_ANY_BUILTIN)
        return
    if match.name in _SAYING:
        yield from _SAYING[match.name](match)
        return
    what = match.argument(_RUN_BY_NAME.get(match.name, "source"), 0) or match.argument("raw_cell")
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


def _template(match: Match) -> Iterator[Site]:
    text = match.argument(_TEMPLATES[match.name], 0)
    if _is_put_together(match, text):
        yield match.site("A template is put together from text and run", confidence=0.7, because=_IN_TEMPLATE)
    elif _is_given(match, text):
        yield match.site("A template that a caller gives as text is run", confidence=0.5, because=_IN_TEMPLATE)


_PASSING_ON = frozenset({"get", "strip", "decode", "pop"})
_SETTING = re.compile(r"settings|config|conf$|options|args|self|cls", re.IGNORECASE)
"""Names of what holds what the program itself is set up with."""
_MOST_PARTS = 8


def _is_given(match: Match, text: ast.expr | None) -> bool:
    """Is it a parameter, or a part of one: `stored["body"]`, `letter.text`?"""
    if isinstance(text, ast.Name) and function_with(text.id, match.scope) is not None:
        return True
    text = match.module.behind(text, match.scope) if text is not None else None
    for _ in range(_MOST_PARTS):
        if isinstance(text, ast.Call):
            text = text.func.value if isinstance(text.func, ast.Attribute) and text.func.attr in _PASSING_ON else None
        elif isinstance(text, (ast.Subscript, ast.Attribute)):
            text = text.value
        else:
            break
    return (
        isinstance(text, ast.Name) and not _SETTING.search(text.id) and function_with(text.id, match.scope) is not None
    )


def _evaluated(match: Match) -> Iterator[Site]:
    if match.name in _EVALUATED:
        told = match.value(match.argument(_EVALUATED[match.name], 0)) is UNKNOWN
    else:
        told = _is_written_outside(match)
    if told:
        yield match.site("An expression made at run time is evaluated", confidence=0.7, because=_EVALUATES)


def _imported(match: Match) -> Iterator[Site]:
    named = match.argument(_IMPORTED[match.name], 0)
    if from_outside(match.module, named, match.scope):
        yield match.site("A module that somebody outside names is run", confidence=0.7, because=_OUTSIDE)
    elif _is_sent(match, named):
        yield match.site("A module that a message names is run", confidence=0.6, because=_OUTSIDE)
    elif outside_by_callers(match.module, named, match.scope):
        yield match.site("A module that somebody outside names is run", confidence=0.6, because=_OUTSIDE)


_PARSES = frozenset(
    {"json.loads", "orjson.loads", "ujson.loads", "simplejson.loads", "msgpack.unpackb", "msgpack.loads"}
)
_SENT = frozenset({"raw", "body", "payload", "message", "msg", "event", "packet", "frame", "request_body"})
"""How parameters are called that hold what somebody sent."""


def _is_sent(match: Match, named: ast.expr | None) -> bool:
    """Is a name taken from what a message holds, which the function was given as it came?"""
    while isinstance(named, (ast.Subscript, ast.Call)):
        taken = named.func if isinstance(named, ast.Call) else named
        named = taken.value if isinstance(taken, (ast.Subscript, ast.Attribute)) else None
    made = match.module.behind(named, match.scope) if isinstance(named, ast.Name) else None
    if not isinstance(made, ast.Call) or not made.args or match.resolve(made.func) not in _PARSES:
        return False
    given = made.args[0]
    return isinstance(given, ast.Name) and given.id in _SENT and function_with(given.id, match.scope) is not None


def _measured(match: Match) -> Iterator[Site]:
    if _is_put_together(match, match.argument(_TIMED[match.name], 0)):
        yield match.site(
            "Text made at run time is run as code (a statement that is measured)", confidence=0.8, because=_NAMED
        )


def _by_model(match: Match) -> Iterator[Site]:
    yield match.site("What a model writes is run as code", confidence=0.7, because="where it runs was not followed")


_SAYING: dict[str, Callable[[Match], Iterator[Site]]] = {
    **dict.fromkeys(_TEMPLATES, _template),
    **dict.fromkeys((*_EVALUATED, *_ASKED), _evaluated),
    **dict.fromkeys(_IMPORTED, _imported),
    **dict.fromkeys(_TIMED, _measured),
    **dict.fromkeys(_BY_MODELS, _by_model),
}
"""What is said of a call of a library."""


_PANDAS = register_keywords("pandas")


def _knows_tables(module: Module) -> bool:
    """Does the file speak of pandas? Most that query something do not."""
    return module.says(_PANDAS)


def _is_written_outside(match: Match) -> bool:
    """Does an expression come from outside; of a table of pandas, is it nothing that stands in the code?"""
    if match.name[0] == "." and not _knows_tables(match.module):
        return False
    given = match.argument(_ASKED[match.name], 0)
    if isinstance(given, _NOT_WRITTEN_HERE) and match.value(given) is UNKNOWN and _is_asked_of_a_table(match):
        return True
    return from_outside(match.module, given, match.scope)


_NOT_WRITTEN_HERE = (ast.Name, ast.Attribute, ast.Subscript)
"""Kinds of expressions that hold a text and do not put it together."""
_FRAME = re.compile(r"(?:\w+_)?(?:df|dataframe|data_frame)\d?$", re.IGNORECASE)
_MOST_STEPS = 20
_GIVE_FRAMES = frozenset(
    {"copy", "reset_index", "set_index", "dropna", "fillna", "assign", "merge", "join", "rename", "astype", "sort_values", "sort_index",
     "drop", "drop_duplicates", "head", "tail", "sample", "replace", "filter", "loc", "iloc", "query", "eval", "pipe", "reindex", "explode"}
)  # fmt: skip
"""What of a table gives another one."""
_OF_TABLES = ("engine", "parser", "local_dict", "inplace")
"""Arguments that only an expression of a table has."""


def _is_asked_of_a_table(match: Match) -> bool:
    """Is an expression evaluated by a table of pandas, as far as its type, its name or the other arguments tell?"""
    if match.name.startswith("pandas.") or any(match.argument(each) is not None for each in _OF_TABLES):
        return True
    waiting = [match.call.func.value] if isinstance(match.call.func, ast.Attribute) else []
    for _ in range(_MOST_STEPS):
        if not waiting:
            return False
        owner = waiting.pop()
        if isinstance(owner, ast.Call):
            if (match.resolve(owner.func) or "").startswith("pandas."):
                return True
            taken = owner.func if isinstance(owner.func, ast.Attribute) else None
            waiting += [taken.value] if taken is not None and taken.attr in _GIVE_FRAMES else []
        elif isinstance(owner, ast.Subscript):
            waiting.append(owner.value)
        elif isinstance(owner, (ast.Name, ast.Attribute)):
            if _FRAME.match(last_name(owner)) or _is_typed_as_a_table(match, owner):
                return True
            waiting += _behind(match, owner)
    return False


def _behind(match: Match, owner: ast.Name | ast.Attribute) -> list[ast.expr]:
    """All that a name is given where it is bound; of an attribute what it holds, or what it is taken of."""
    if isinstance(owner, ast.Name):
        bound = match.module.lookup(owner.id, match.scope)
        given = bound[1].bindings()[owner.id] if bound is not None else []
        return [each.value for each in given[:_MOST_PARTS] if each.value is not None]
    held = match.module.held(owner, match.scope)
    if held is not None:
        return [held[0]]
    return [owner.value] if owner.attr in _GIVE_FRAMES else []


def _is_typed_as_a_table(match: Match, owner: ast.expr) -> bool:
    found = match.module.lookup(owner.id, match.scope) if isinstance(owner, ast.Name) else None
    return found is not None and found[0].type is not None and match.resolve(found[0].type) == "pandas.DataFrame"


_MOST_PIECES = 4
"""Pieces of a text that are followed to where they come from."""


def _is_put_together(match: Match, template: ast.expr | None) -> bool:
    """Is a template made of text and something foreign, or what a request says?"""
    if template is None or isinstance(template, ast.Constant):
        return False
    for pieces in versions(match.module, template, match.scope, match.call.lineno):
        foreign = [each for each in pieces if isinstance(each, Foreign)]
        written = any(isinstance(each, str) and each.strip() for each in pieces)
        if foreign and (
            written or any(from_outside(match.module, each.expression, each.scope) for each in foreign[:_MOST_PIECES])
        ):
            return True
    return False


def _compiled(match: Match, what: ast.expr) -> bool:
    return match.resolve(what) in {"compile", "marshal.loads"}
