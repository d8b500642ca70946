"""Data that is loaded as objects, by formats that can run code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.deserialization import deserialization
from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.function_references import (
    PASSED_MODULE_CONFIDENCE,
    PASSED_MODULE_REASON,
    passed_module_statement,
)
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.possible_aliases import may_refer_to
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import Scope, ScopedNode, walk_nodes
from auditor.forensics.python.taint_findings import passing_names, sink_names, team_sink_names, with_untrusted_input
from auditor.forensics.python.yaml_loaders import UNSAFE_LOADERS, loader_kinds, named_scopes
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import by_name, method_names, names_of, qualified_names

_ROWS = deserialization()
_MODULES = names_of(_ROWS.modules)
_PASSED_AS_VALUE_REASON = "it is passed as a value, and its calls were not analysed"
_LOADERS = {name: row.format for name, row in by_name(_ROWS.loaders).items()}
_YAML = names_of(_ROWS.yaml_calls)
_UNSAFE_ARGUMENTS = by_name(_ROWS.unsafe_arguments)
"""Calls with an argument that allows code to run."""
_UNSAFE_CALLS = names_of(_ROWS.unsafe_calls)
_UNSAFE_KEYWORDS = names_of(_ROWS.unsafe_keywords)
"""Arguments of any call that allow code to run while something is loaded."""
_YAML_UNSAFE = names_of(_ROWS.yaml_unsafe_calls)
_UNSAFE_BASES = UNSAFE_LOADERS | {name.rpartition(".")[2] for name in _LOADERS}
_BASE_KEYWORDS = register_keywords("Loader", "Constructor", "ickler", "Shelf")
"""One of them occurs in the name of every such class."""
_TAGS = names_of(_ROWS.tag_methods)
"""Methods that give a loader of YAML something to do for a tag."""
_UNKNOWN_ORIGIN_REASON = "the origin of the data is not known"
_MIN_CALLING_LENGTH = 16
"""Characters of the shortest text that names something and calls it."""
_CALLING_OPCODES = frozenset(b"ciRob\x81\x82\x83\x84\x92\x93")
"""Bytes by which pickled data names something, or calls it."""
_SERIALIZER = re.compile(r"(?:_serializer|accept_content)$", re.IGNORECASE)
"""Settings of task queues, caches and sessions that name the formats in which they take data."""
_SETTING_WORDS = register_keywords("erializer", "ERIALIZER", "ccept_content", "CCEPT_CONTENT")
_PICKLE = register_keywords("ickle")


def _filter_candidates(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Classes derived from an unsafe loader; settings and calls that change them, where pickle is mentioned."""
    if isinstance(shown[0][0], ast.ClassDef):
        if not module.says(_BASE_KEYWORDS):
            return []
        return [each for each in shown if any(may_refer_to(module, base, _UNSAFE_BASES) for base in each[0].bases)]
    if not module.says(_PICKLE) or not module.says(_SETTING_WORDS):
        return []
    settings = [each for each in shown if _SERIALIZER.search(last_name(each[0].targets[0]))]
    return [*settings, *(each for name in ("update", "Celery") for each in module.calls.get(name, ()))]


_PROBE = "code.unsafe_deserialization"


@site_probe(
    _PROBE,
    none_statement="No data is loaded in a format that can run code.",
    nodes=(ast.ClassDef, ast.Assign),
    node_filter=_filter_candidates,
    measured_nodes=(ast.Call,),
    calls=(
        *sink_names(_PROBE),
        *passing_names(_PROBE),
        *_LOADERS,
        *_YAML,
        *_YAML_UNSAFE,
        *_UNSAFE_ARGUMENTS,
        *_UNSAFE_CALLS,
        *qualified_names(_ROWS.keyword_calls),
    ),
    methods=(*method_names(_ROWS.keyword_calls), *_TAGS),
    references=(*_LOADERS, *_YAML_UNSAFE),
    modules=_MODULES,
    second_look=("S301", "S302", "S506"),
    team_names=lambda: CalledNames(team_sink_names(_PROBE)),
)
def unsafe_deserialization(match: Match) -> Iterator[Site]:
    """Is data loaded in a format that can run code?

    Formats that can run code while loading count: pickle and formats based on it, YAML with a loader that creates objects, and models stored in such formats. Writing such data does not count, nor do loaders that are restricted to plain values.

    Use JSON or another format that holds only data and no code.
    """
    yield from with_untrusted_input(match, _PROBE, _unsafe_deserialization_sites(match))


def _unsafe_deserialization_sites(match: Match) -> Iterator[Site]:
    name = match.name
    if not name or name.removeprefix(".") in _TAGS:
        yield from _by_unsafe_setup(match)
        return
    if name in _MODULES:
        yield match.site(
            passed_module_statement(name), confidence=PASSED_MODULE_CONFIDENCE, because=PASSED_MODULE_REASON
        )
        return
    if not isinstance(match.node, ast.Call):
        yield from _by_reference(match)
        return
    if name in _LOADERS:
        if not _round_trip(match) and not _is_restricted_loader(match):
            yield match.site(
                f"Unsafe deserialization: `{_LOADERS[name]}` can run code from the data",
                confidence=0.85,
                because=_UNKNOWN_ORIGIN_REASON,
            )
    elif name in _YAML_UNSAFE:
        yield match.site(
            "Unsafe deserialization: {call} uses a YAML loader that can create any object",
            confidence=0.9,
            because=_UNKNOWN_ORIGIN_REASON,
        )
    elif name in _YAML:
        yield from _yaml(match)
    elif name in _UNSAFE_ARGUMENTS:
        yield from _by_unsafe_argument(match)
    elif name in _UNSAFE_CALLS or any(match.value(match.argument(each)) is True for each in _UNSAFE_KEYWORDS):
        yield match.site(
            "Unsafe deserialization: {call} is allowed to run code from the data",
            confidence=0.75,
            because=_UNKNOWN_ORIGIN_REASON,
        )


def _by_unsafe_argument(match: Match) -> Iterator[Site]:
    """A call with an argument that allows code to run."""
    row = _UNSAFE_ARGUMENTS[match.name]
    if match.value(match.argument(row.argument, row.position)) == row.value:
        yield match.site(row.statement, confidence=0.85, because=_UNKNOWN_ORIGIN_REASON)


def _is_restricted_loader(match: Match) -> bool:
    """Is it a class of the file that refuses some classes?"""
    own = named_scopes(match.module).get(last_name(match.call.func))
    return own is not None and isinstance(own.node, ast.ClassDef) and _refuses_classes(own.node)


def _round_trip(match: Match) -> bool:
    """Is what is loaded the result of a dump, or a constant that names nothing to run? Then no one else wrote it."""
    data = match.call.args[0] if match.call.args else None
    told = match.value(data)
    if isinstance(told, bytes):
        return not _CALLING_OPCODES.intersection(told)
    if isinstance(told, str):
        return len(told) < _MIN_CALLING_LENGTH
    if isinstance(data, ast.Name):
        found = match.module.lookup(data.id, match.scope)
        data = found[0].value if found is not None else None
    return isinstance(data, ast.Call) and (match.resolve(data.func) or "").rpartition(".")[2] == "dumps"


def _by_unsafe_setup(match: Match) -> Iterator[Site]:
    """What makes loading unsafe beforehand: classes, settings, and constructors for YAML tags."""
    node = match.node
    if isinstance(node, ast.ClassDef):
        yield from _loading_class(match, node)
    elif isinstance(node, ast.Assign):
        if _accepts_pickle(match, node.value):
            yield match.site(_PICKLE_ACCEPTED_STATEMENT, confidence=0.8, because=_UNKNOWN_ORIGIN_REASON)
    elif match.name:
        function = _local_function(match, match.argument("constructor", 1))
        if function is not None and _executes_code(match.module, function):
            yield match.site(
                "Unsafe deserialization: a YAML tag is registered that runs code",
                confidence=0.8,
                because=_UNKNOWN_ORIGIN_REASON,
            )
    elif any(_SERIALIZER.search(each.arg or "") and _accepts_pickle(match, each.value) for each in match.call.keywords):
        yield match.site(_PICKLE_ACCEPTED_STATEMENT, confidence=0.8, because=_UNKNOWN_ORIGIN_REASON)


_PICKLE_ACCEPTED_STATEMENT = (
    "Unsafe deserialization: messages, results or sessions are accepted as `pickle`, which can run code"
)


def _accepts_pickle(match: Match, value: ast.expr | None) -> bool:
    each = value.elts if isinstance(value, (ast.List, ast.Tuple, ast.Set)) else [value]
    names = [name for one in each if isinstance(name := match.value(one), str)]
    return any(
        name in {"pickle", "application/x-python-serialize"} or name.endswith("PickleSerializer") for name in names
    )


def _loading_class(match: Match, node: ast.ClassDef) -> Iterator[Site]:
    bases = [match.resolve(each) or "" for each in node.bases]
    if any(each in _LOADERS for each in bases):
        if not _refuses_classes(node):
            yield match.site(
                "Unsafe deserialization: `find_class` is not restricted, so the data can name any class",
                confidence=0.75,
                because="its use was not analysed",
            )
    elif any(each.partition(".")[0] == "yaml" and each.rpartition(".")[2] in UNSAFE_LOADERS for each in bases) and not (
        _has_load_call(match, node.name)
    ):
        yield match.site(
            "Unsafe deserialization: a YAML loader inherits from one that can create any object",
            confidence=0.7,
            because="its use was not analysed",
        )


def _has_load_call(match: Match, loader: str) -> bool:
    """Does a reported call in the file load YAML with a class of that name?"""
    return loader in _loaders(match.module)


@remembered
def _loaders(module: Module) -> frozenset[str]:
    """The classes with which calls of the file load YAML."""
    return frozenset(
        last_name(each)
        for word in ("load", "load_all")
        for call, scope in module.calls.get(word, ())
        if module.resolve(call.func, scope) in _YAML
        for each in (*call.args[1:], *(each.value for each in call.keywords))
    )


def _refuses_classes(node: ast.ClassDef) -> bool:
    """Does `find_class`, which is asked for each class that the data names, ever refuse?"""
    return any(
        isinstance(each, ast.FunctionDef)
        and each.name == "find_class"
        and any(isinstance(inner, ast.Raise) for inner in walk_nodes(*each.body))
        for each in node.body
    )


def _by_reference(match: Match) -> Iterator[Site]:
    if not _is_base(match):
        yield match.site(
            "{call}, which can run code from the data, is passed as a value",
            confidence=0.75,
            because=_PASSED_AS_VALUE_REASON,
        )


def _is_base(match: Match) -> bool:
    return match.node in _bases(match.module)


@remembered
def _bases(module: Module) -> frozenset[ast.expr]:
    """The expressions that classes of the file are derived from."""
    return frozenset(base for each, _ in module.nodes[ast.ClassDef] for base in each.bases)


_EXECUTING_CALLS = {
    name.rpartition(".")[2]: "" if name.startswith(".") else name for name in names_of(_ROWS.code_calls)
}
"""Calls that run or import what they are given, by their last word."""


def _local_function(match: Match, given: ast.expr | None) -> ast.AST | None:
    """The function of the file, or the lambda, that is passed on."""
    if isinstance(given, ast.Lambda):
        return given
    found = named_scopes(match.module).get(last_name(given)) if given is not None else None
    return found.node if found is not None and isinstance(found.node, ast.FunctionDef) else None


def _executes_code(module: Module, function: ast.AST) -> bool:
    for word, name in _EXECUTING_CALLS.items():
        for call, scope in module.calls.get(word, ()):
            if _is_defined_in(scope, function) and (not name or module.resolve(call.func, scope) == name):
                return True
    return False


def _is_defined_in(scope: Scope, function: ast.AST) -> bool:
    place: Scope | None = scope
    while place is not None and place.node is not function:
        place = place.parent
    return place is not None


def _yaml(match: Match) -> Iterator[Site]:
    loader = match.argument("Loader", 1)
    if loader is None:
        if not match.has_spread_arguments:
            yield match.site("Unsafe deserialization: {call} is called without a safe YAML loader")
        return
    kinds = set(loader_kinds(match.module, parameter_default(loader, match.scope) or loader, match.scope))
    if "free" in kinds:
        yield match.site(
            "Unsafe deserialization: {call} uses a YAML loader that can create any object",
            confidence=0.9,
            because=_UNKNOWN_ORIGIN_REASON,
        )
    elif "" in kinds:
        yield match.site(
            "{call} uses a custom YAML loader",
            confidence=0.4,
            because="the class of the loader could not be resolved",
        )
