"""Functions that pass records as plain dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.library_models.dict_records import dict_records
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.possible_aliases import may_refer_to
from auditor.forensics.python.scope_bindings import SELF_NAMES, last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.untyped_dict_arguments import (
    MIN_RECORD_KEYS,
    accessed_keys,
    functions_sharing_records,
    imported_records,
    is_built_elsewhere,
    names_used_as_non_dict,
    reads_keys,
    record_literals,
    record_readers,
)
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_PLAIN_DICT_NAMES = names_of(dict_records().plain_dicts)


_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "tuple"})


def _filter_dict_functions(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Functions that read a record of a parameter whose annotation could stand for a dict; of one that has none where the file writes records out."""
    reading = record_readers(module)
    elsewhere = imported_records(module) if reading else {}
    return [
        each
        for each in shown
        if reading
        and each[0] in reading
        and (
            next(_bare_parameters(each[0]), None) is not None
            or _may_have_dict_parameter(each[0].args, module)
            or bool(record_literals(module))
            or each[0] in elsewhere
        )
    ]


def _may_have_dict_parameter(own: ast.arguments, module: Module) -> bool:
    for each in (*own.posonlyargs, *own.args, *own.kwonlyargs) if own.posonlyargs or own.kwonlyargs else own.args:
        if each.annotation is not None and _may_be_a_dict(each.annotation, module):
            return True
    return False


def _may_be_a_dict(annotation: ast.expr | None, module: Module) -> bool:
    return annotation is not None and may_refer_to(module, _resolve_type_alias(annotation, module), _DICTS)


def _resolve_type_alias(annotation: ast.expr, module: Module) -> ast.expr:
    """The class of an annotation, also where the module defines an alias of it: `Trip = dict[str, Any]`."""
    if isinstance(annotation, ast.Name):
        bound = module.scopes[0].bindings().get(annotation.id, ())
        if len(bound) == 1 and isinstance(bound[0].value, (ast.Subscript, ast.BinOp)):
            return _unsubscripted(bound[0].value)
    return _unsubscripted(annotation)


def _unsubscripted(annotation: ast.expr) -> ast.expr:
    """The class in an annotation: `dict` in `dict[str, int]`, `dict | None` and `Optional[dict]`."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        empty = isinstance(annotation.right, ast.Constant) and annotation.right.value is None
        return _unsubscripted(annotation.left) if empty else annotation
    if isinstance(annotation, ast.Subscript):
        outer = annotation.value
        return _unsubscripted(annotation.slice) if last_name(outer) in {"Optional", *_LISTS} else outer
    return annotation


@site_probe(
    "code.dict_soup",
    none_statement="No dict is passed around as a record.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef),
    node_filter=_filter_dict_functions,
)
def dict_soup(match: Match) -> Iterator[Site]:
    """Are records passed around as plain dicts?

    A dict parameter that functions read by several fixed keys is reported. Lookup tables, counters, headers, settings and data that is serialised directly are not.

    Use a dataclass, a TypedDict or a model: type checkers then find misspelled keys, and readers see the fields.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if node.name == "__setstate__":
        return  # unpickling hands over a dict, and nothing else
    records = set(_dict_parameters(match, node))
    if keyed := _record_keys(node, records, match.module):
        yield match.site(
            "{calls} [uses|use] a dict parameter as a record: a dataclass or TypedDict would name its fields",
            at=node,
            call=f"{node.name}({', '.join(sorted(keyed))})",
            confidence=0.85,
            because="input and output data may have to stay a dict",
        )
        return
    if record_literals(match.module):
        read = _record_keys(node, set(_bare_parameters(node)), match.module)
        no_dicts = names_used_as_non_dict(node, match.module) if read else frozenset()
        if any(name not in no_dicts and is_built_elsewhere(keys, node, match.module) for name, keys in read.items()):
            yield match.site(
                "{calls} [uses|use] a dict built in this file as a record: a dataclass or TypedDict would name its fields",
                at=node,
                call=node.name,
                confidence=0.75,
                because="the parameter has no type annotation",
            )
            return
    if node in functions_sharing_records(
        match.module, lambda each: [*_bare_parameters(each), *_dict_parameters(match, each)]
    ):
        yield match.site(
            "{calls} [shares|share] a dict with fixed keys with other functions: a dataclass or TypedDict would name them",
            at=node,
            call=node.name,
            confidence=0.6,
            because="the parameter has no type annotation",
        )


def _bare_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Parameters without an annotation."""
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if each.annotation is None and each.arg not in _PLAIN_DICT_NAMES and each.arg not in SELF_NAMES:
            yield each.arg


def _record_keys(node: ast.AST, parameters: set[str], module: Module) -> dict[str, set[str]]:
    """Parameters, and loop variables over them, that are accessed by many constant keys, with these keys."""
    if not parameters:
        return {}
    return {
        name: seen
        for name, seen in accessed_keys(node, parameters, module).items()
        if len(seen) >= MIN_RECORD_KEYS and reads_keys(node, name, module)
    }


def _dict_parameters(match: Match, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if each.arg in _PLAIN_DICT_NAMES or each.annotation is None:
            continue
        inside = _resolve_type_alias(each.annotation, match.module)
        if match.may_refer_to(inside, _DICTS) and (match.resolve(inside) or "").rpartition(".")[2] in _DICTS:
            yield each.arg
