"""Text that is run as code, and data that is loaded as objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.bindings import Binding
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


_LOADERS = {
    "pickle.load": "pickle", "pickle.loads": "pickle", "pickle.Unpickler": "pickle", "_pickle.load": "pickle", "_pickle.loads": "pickle",
    "cPickle.load": "pickle", "cPickle.loads": "pickle", "dill.load": "dill", "dill.loads": "dill", "cloudpickle.load": "cloudpickle",
    "cloudpickle.loads": "cloudpickle", "dill.Unpickler": "dill", "_pickle.Unpickler": "pickle", "cPickle.Unpickler": "pickle", "pickle5.loads": "pickle",
    "pickle5.load": "pickle", "jsonpickle.loads": "jsonpickle", "jsonpickle.unpickler.decode": "jsonpickle", "sklearn.externals.joblib.load": "joblib",
    "shelve.DbfilenameShelf": "shelve", "hickle.load": "hickle", "marshal.load": "marshal", "marshal.loads": "marshal", "shelve.open": "shelve",
    "joblib.load": "joblib", "jsonpickle.decode": "jsonpickle", "pandas.read_pickle": "pandas.read_pickle",
}  # fmt: skip
_YAML = {"yaml.load": 1, "yaml.load_all": 1, "ruamel.yaml.load": 1, "ruamel.yaml.load_all": 1}
_WITH_CODE = "A model is loaded with the code that it brings (safe_mode=False)"
_ALLOWING: dict[str, tuple[str, int | None, object, str]] = {
    **dict.fromkeys(
        (f"{each}.load_model" for each in ("keras.models", "keras.saving", "tensorflow.keras.models", "tf_keras.models")),
        ("safe_mode", None, False, _WITH_CODE),
    ),
    "torch.load": ("weights_only", None, False, "Model weights are loaded together with code (torch.load)"),
    "numpy.load": ("allow_pickle", 2, True, "Arrays are loaded with pickle allowed (numpy.load)"),
    "ruamel.yaml.YAML": ("typ", None, "unsafe", "YAML is loaded with a loader that can build any object"),
}  # fmt: skip
"""Calls that run code when an argument allows it: which, where, with what value, and what is said then."""
_ALWAYS = frozenset(
    {"keras.config.enable_unsafe_deserialization", "tensorflow.keras.config.enable_unsafe_deserialization"}
)
_SWITCHED = ("allow_dangerous_deserialization", "trust_remote_code")
"""Arguments that allow code to be run while something is loaded, whatever the call."""
_YAML_UNSAFE = frozenset({"yaml.unsafe_load", "yaml.unsafe_load_all", "yaml.full_load", "yaml.full_load_all"})
_YAML_SAFE = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_TRUST = "whether the data comes from outside could not be told"


@site_probe(
    "code.unsafe_deserialization",
    none="No data is loaded in a format that can run code.",
    calls=(
        *_LOADERS,
        *_YAML,
        *_YAML_UNSAFE,
        *_ALLOWING,
        *_ALWAYS,
        "datasets.load_dataset",
        "transformers.pipeline",
    ),
    methods=("load_local", "from_pretrained"),
    references=(*_LOADERS, *_YAML_UNSAFE),
    second_look=("S301", "S302", "S506"),
)
def unsafe_deserialization(match: Match) -> Iterator[Site]:
    """Is data loaded in a format that can run code while it loads?

    Load JSON, or a format with a schema; for YAML use `yaml.safe_load`; for model weights `weights_only=True`.
    """
    name = match.name
    if not isinstance(match.node, ast.Call):
        yield match.site("A function that loads objects from data is passed on", confidence=0.75, because=_PASSED_ON)
        return
    if name in _LOADERS and _round_trip(match):
        return
    if name in _LOADERS:
        yield match.site(f"Objects are loaded from data with {_LOADERS[name]}", confidence=0.85, because=_TRUST)
    elif name in _YAML_UNSAFE:
        yield match.site("YAML is loaded with a loader that can build any object", confidence=0.9, because=_TRUST)
    elif name in _YAML:
        yield from _yaml(match)
    elif name in _ALLOWING:
        keyword, position, allowed, statement = _ALLOWING[name]
        if match.value(match.argument(keyword, position)) == allowed:
            yield match.site(statement, confidence=0.85, because=_TRUST)
    elif name in _ALWAYS or any(match.value(match.argument(each)) is True for each in _SWITCHED):
        yield match.site("What is loaded may bring code, and the program allows it", confidence=0.75, because=_TRUST)


def _round_trip(match: Match) -> bool:
    """Is what is loaded the direct result of a dump? Then it never left the program."""
    data = match.call.args[0] if match.call.args else None
    return isinstance(data, ast.Call) and (match.resolve(data.func) or "").rpartition(".")[2] == "dumps"


def _yaml(match: Match) -> Iterator[Site]:
    loader = match.argument("Loader", 1)
    if loader is None:
        if not match.spreads:
            yield match.site("YAML is loaded without naming a safe loader")
        return
    names = _loaders(match, loader)
    if names and all(each in _YAML_SAFE for each in names):
        return
    name = names[0] if names else ""
    if name in {"Loader", "UnsafeLoader", "FullLoader", "CLoader", "CFullLoader"}:
        yield match.site("YAML is loaded with a loader that can build any object", confidence=0.9, because=_TRUST)
    elif name not in _YAML_SAFE and "safe" not in name.lower():
        yield match.site(
            "YAML is loaded with a loader of its own",
            confidence=0.4,
            because="the loader's own class could not be followed",
        )


def _loaders(match: Match, loader: ast.expr) -> list[str]:
    """The classes that a loader may be: a name can be bound to the fast one or, where that is missing, to the plain one."""
    resolved = match.resolve(loader)
    if resolved is not None:
        return [resolved.rpartition(".")[2]]
    if not isinstance(loader, ast.Name):
        return []
    bound: list[Binding] = []

    def keep(several: list[Binding]) -> Binding:
        bound.extend(several)
        return several[0]

    match.module.lookup(loader.id, match.scope, keep)
    names = [each.qualified or match.resolve(each.value) or "" for each in bound]
    return [each.rpartition(".")[2] for each in names]
