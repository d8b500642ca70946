"""Text that is run as code, and data that is loaded as objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.probe import site_probe
from auditor.forensics.sites import UNKNOWN, Match, Site

_CONSTANT = "the text is a constant that stands in the code"
_NAMED = "what may be named was not followed"
_RUN_BY_NAME = {"runpy.run_path": "path_name", "runpy.run_module": "mod_name"}
_PASSED_ON = "it is passed on as a value, and where it is called was not followed"
_ANY_BUILTIN = "the name is made at run time, so it may be any builtin"
_COMPILED = "what is run was compiled elsewhere in the program"


@site_probe(
    "code.dynamic_code",
    none="No text is run as code.",
    calls=("eval", "exec", "code.InteractiveInterpreter.runsource", "code.InteractiveConsole.push", *_RUN_BY_NAME, "*"),
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


def _compiled(match: Match, what: ast.expr) -> bool:
    return match.resolve(what) in {"compile", "marshal.loads"}


_LOADERS = {
    "pickle.load": "pickle", "pickle.loads": "pickle", "pickle.Unpickler": "pickle", "_pickle.load": "pickle", "_pickle.loads": "pickle",
    "cPickle.load": "pickle", "cPickle.loads": "pickle", "dill.load": "dill", "dill.loads": "dill", "cloudpickle.load": "cloudpickle",
    "cloudpickle.loads": "cloudpickle", "marshal.load": "marshal", "marshal.loads": "marshal", "shelve.open": "shelve",
    "joblib.load": "joblib", "jsonpickle.decode": "jsonpickle", "pandas.read_pickle": "pandas.read_pickle",
}  # fmt: skip
_YAML = {"yaml.load": 1, "yaml.load_all": 1}
_YAML_UNSAFE = frozenset({"yaml.unsafe_load", "yaml.unsafe_load_all", "yaml.full_load", "yaml.full_load_all"})
_YAML_SAFE = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_TRUST = "whether the data comes from outside could not be told"


@site_probe(
    "code.unsafe_deserialization",
    none="No data is loaded in a format that can run code.",
    calls=(*_LOADERS, *_YAML, *_YAML_UNSAFE, "torch.load", "numpy.load"),
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
    elif name == "torch.load" and match.value(match.argument("weights_only")) is False:
        yield match.site("Model weights are loaded together with code (torch.load)", confidence=0.85, because=_TRUST)
    elif name == "numpy.load" and match.value(match.argument("allow_pickle", 2)) is True:
        yield match.site("Arrays are loaded with pickle allowed (numpy.load)", confidence=0.85, because=_TRUST)


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
    name = (match.resolve(loader) or "").rpartition(".")[2]
    if name in {"Loader", "UnsafeLoader", "FullLoader", "CLoader", "CFullLoader"}:
        yield match.site("YAML is loaded with a loader that can build any object", confidence=0.9, because=_TRUST)
    elif name not in _YAML_SAFE and "safe" not in name.lower():
        yield match.site(
            "YAML is loaded with a loader of its own",
            confidence=0.4,
            because="the loader's own class could not be followed",
        )
