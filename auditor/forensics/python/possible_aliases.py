"""Other names that a file gives to what it imports or makes: by the last part of what they stand for, and by what they hang on.

Names are collected without asking what they mean where: a call under one of them is then resolved properly. A name
too many costs a look, one too few would hide a call.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.expression_roots import DYNAMIC_NAME, REFERENCE_NODES, root_and_last_part, root_of
from auditor.forensics.python.scope_bindings import (
    NAME_NODES,
    SELF_NAMES,
    is_compatibility_package,
    parameter_defaults,
    standard_library_name,
)

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module

ALIAS_NODES = frozenset(
    {ast.Dict, ast.Subscript, ast.ImportFrom, ast.Import, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.withitem,
     ast.For, ast.comprehension}
)  # fmt: skip
"""Nodes that are looked up by several: those that give names to things, dicts and what is taken by a key."""


NameLink = tuple[str, str]
"""A word, and a name that is assigned to what the word names."""


class ModuleAliases(NamedTuple):
    """The names that a file assigns to something."""

    by_last_part: list[NameLink]
    """The word is the last part of what the name stands for."""
    by_root: list[NameLink]
    """The word is the name, or the attribute of `self`, that it hangs on: `a` for `c = a(x).b`."""


def find_aliases(module: Module, words: Container[str]) -> set[str]:
    """All aliases of what ends in one of the words, aliases of aliases included."""
    given = module_aliases(module).by_last_part
    return follow_links(given, {name for word, name in given if word in words or word == DYNAMIC_NAME})


def names_leading_to(module: Module, prefixes: frozenset[str]) -> Container[str]:
    """Every name, and attribute of `self`, that may lead to something with one of the prefixes.

    `prefixes` are qualified names that are looked for, and every name that one of them begins with.
    """
    if module.renamed or not prefixes.isdisjoint(module.stars):
        return _ANY_NAME
    found = {*_imported_names(module, prefixes), *_root_names(prefixes)}
    found = follow_links(module_aliases(module).by_root, found)
    return _ANY_NAME if "self" in found else found


class _AnyName:
    """Where any name may lead to what is looked for."""

    def __contains__(self, _: object) -> bool:
        return True


_ANY_NAME = _AnyName()


_NAMESPACES = frozenset({DYNAMIC_NAME, "__builtins__", "globals", "locals"})


@lru_cache(maxsize=8)
def _root_names(beginnings: frozenset[str]) -> frozenset[str]:
    """The prefixes that are single names, and names from which anything may be taken."""
    return frozenset({*(each for each in beginnings if "." not in each), *_NAMESPACES})


def follow_links(links: Iterable[NameLink], found: set[str]) -> set[str]:
    """The names found, and every name linked to one of them."""
    new = {name for word, name in links if word in found} - found
    if new:
        by_word: defaultdict[str, list[str]] = defaultdict(list)
        for word, name in links:
            by_word[word].append(name)
        waiting = list(new)
        found |= new
        while waiting:
            more = set(by_word.get(waiting.pop(), ())) - found
            found |= more
            waiting += more
    return found


@remembered
def cached_aliases(module: Module, words: frozenset[str]) -> set[str]:
    """The same, worked out once a file."""
    return find_aliases(module, words)


def may_refer_to(module: Module, expression: ast.expr | None, words: frozenset[str]) -> bool:
    """Can an expression stand for something whose name ends in one of the words? Fast, and never wrongly no."""
    if isinstance(expression, ast.Name):
        return expression.id in words or expression.id in cached_aliases(module, words)
    return not isinstance(expression, ast.Attribute) or expression.attr in words or _is_self(expression.value)


def _is_self(owner: ast.expr) -> bool:
    """Attributes of `self`, and of its class, are names of their own."""
    return isinstance(owner, ast.Name) and owner.id in SELF_NAMES


@remembered
def module_aliases(module: Module) -> ModuleAliases:
    """The aliases of a file."""
    return _collect_aliases(module)


def _collect_aliases(  # noqa: C901 - one loop, for every call saved counts
    module: Module,
) -> ModuleAliases:
    """All assignments of a file, by root and by last part."""
    ending = [
        (alias.name.rpartition(".")[2], alias.asname)
        for node, _ in (*module.nodes[ast.ImportFrom], *module.nodes[ast.Import])
        for alias in node.names
        if alias.asname
    ]
    hanging = [(each, parameter.arg) for parameter in module.typed for each in _annotated_roots(parameter.annotation)]
    hanging += [
        (each, f"self.{node.target.id}")
        for node, scope in module.nodes[ast.AnnAssign]
        if type(scope.node) is ast.ClassDef and type(node.target) is ast.Name
        for each in _annotated_roots(node.annotation)
    ]
    hanging += _links_to_results(module)
    _add_loop_links(module, ending, hanging)
    _add_definition_links(module, ending, hanging)
    naming, name, attribute, in_class = REFERENCE_NODES, ast.Name, ast.Attribute, ast.ClassDef
    for nodes, targets_of, value_of in _ASSIGNMENTS:
        for node, scope in module.nodes[nodes]:
            value = value_of(node)
            if type(value) not in naming:
                if type(value) in _CHOICE_NODES:
                    _add_choice_links(_choices(value), targets_of(node), ending, hanging)
                continue
            for target in targets_of(node):
                if type(target) is name:
                    root, last = root_and_last_part(value)
                    hanging.append((root, target.id))
                    if type(scope.node) is in_class:
                        hanging.append((root, f"self.{target.id}"))
                        hanging.append((root, scope.node.name))
                    if last is not None:
                        ending.append((last, target.id))
                elif type(target) is attribute and _is_self(target.value):
                    root, last = root_and_last_part(value)
                    hanging.append((root, f"self.{target.attr}"))
                    if last is not None:
                        ending.append((last, target.attr))
    return ModuleAliases(ending, hanging)


_CHOICE_NODES = frozenset({ast.Dict, ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Lambda})
_MAX_CHOICES = 12


def _choices(value: Any) -> list[Any]:
    """What a table of functions, or a choice between things, may give."""
    if type(value) is ast.Dict:
        if not value.values or type(value.values[0]) not in NAME_NODES:
            return []
        return [each for each in value.values[:_MAX_CHOICES] if type(each) in NAME_NODES]
    if type(value) is ast.Tuple or type(value) is ast.List:
        return [each for each in value.elts[:_MAX_CHOICES] if type(each) in NAME_NODES]
    if type(value) is ast.Lambda:
        return [value.body] if type(value.body) in REFERENCE_NODES else []
    either = value.values if type(value) is ast.BoolOp else (value.body, value.orelse)
    return [each for each in either[:_MAX_CHOICES] if type(each) in REFERENCE_NODES]


def _add_choice_links(
    choices: list[Any], targets: Iterable[Any], by_last_part: list[NameLink], by_root: list[NameLink]
) -> None:
    """Note that names, and attributes of `self`, may stand for one of several values."""
    if not choices:
        return
    plain = [each for target in targets for each in _single_targets(target)]
    for root, last in map(root_and_last_part, choices):
        for target in plain:
            if type(target) is ast.Name:
                own, name = target.id, target.id
            elif type(target) is ast.Attribute and _is_self(target.value):
                own, name = f"self.{target.attr}", target.attr
            else:
                continue
            by_root.append((root, own))
            if last is not None:
                by_last_part.append((last, name))


def _single_targets(target: Any) -> Iterable[Any]:
    """The names and attributes that an assignment to one target gives something to."""
    return target.elts if type(target) is ast.Tuple or type(target) is ast.List else (target,)


def _add_loop_links(module: Module, by_last_part: list[NameLink], by_root: list[NameLink]) -> None:
    """Note what a loop over a tuple or list that is written out gives to its names."""
    for kind in (ast.For, ast.comprehension):
        for node, _ in module.nodes[kind]:
            drawn = node.iter
            if (type(drawn) is ast.Tuple or type(drawn) is ast.List) and drawn.elts:
                inner = [part for each in drawn.elts[:_MAX_CHOICES] for part in _single_targets(each)]
                members = [each for each in inner if type(each) in NAME_NODES]
                _add_choice_links(members, _single_targets(node.target), by_last_part, by_root)


def _add_definition_links(module: Module, by_last_part: list[NameLink], by_root: list[NameLink]) -> None:
    """Note what defaults give to parameters, and what classes are derived from."""
    for scope in module.scopes:
        node: Any = scope.node
        kind = type(node)
        if kind is ast.ClassDef:
            given = [(node.name, base) for base in node.bases]
        elif kind is not ast.Module and (node.args.defaults or node.args.kw_defaults):
            given = [*parameter_defaults(node.args).items()]
        else:
            continue
        for name, value in given:
            if type(value) in NAME_NODES:
                root, last = root_and_last_part(value)
                by_root.append((root, name))
                if last is not None:
                    by_last_part.append((last, name))


def _links_to_results(module: Module) -> list[NameLink]:
    """What hangs on what a function gives back: by its annotation, or without one by the value that it returns last."""
    found: list[NameLink] = []
    for scope in module.scopes:
        node: Any = scope.node
        if type(node) is not ast.FunctionDef and type(node) is not ast.AsyncFunctionDef:
            continue
        told, last = node.returns, node.body[-1]
        if type(told) is ast.Name:
            words: Iterable[str] = (told.id,)
        elif told is not None and type(told) is not ast.Constant:
            words = _annotated_roots(told)
        elif type(last) is ast.Return and type(last.value) in REFERENCE_NODES:
            words = (root_of(last.value),)
        else:
            continue
        own = node.name if type(scope.parent.node) is not ast.ClassDef else f"self.{node.name}"  # type: ignore[union-attr]
        found += [(each, own) for each in words]
    return found


def _one_target(node: Any) -> tuple[Any]:
    return (node.target,)


_ASSIGNMENTS: tuple[tuple[type[ast.AST], Callable[[Any], Iterable[Any]], Callable[[Any], Any]], ...] = (
    (ast.Assign, attrgetter("targets"), attrgetter("value")),
    (ast.AnnAssign, _one_target, attrgetter("value")),
    (ast.NamedExpr, _one_target, attrgetter("value")),
    (ast.withitem, lambda node: (node.optional_vars,), attrgetter("context_expr")),
)
"""Kinds of nodes that give names, what they give them to, and what is given."""


def _imported_names(module: Module, beginnings: frozenset[str]) -> Iterator[str]:
    """The names of what is imported and begins like this."""
    for node, _ in module.nodes[ast.Import]:
        for alias in node.names:
            own = alias.asname or alias.name.partition(".")[0]
            if (standard_library_name(alias.name) if alias.asname else own) in beginnings:
                yield own
    for node, _ in module.nodes[ast.ImportFrom]:
        passing = not node.level and (node.module in beginnings or is_compatibility_package(node.module))
        for alias in node.names:
            if alias.name in beginnings or (
                passing and standard_library_name(f"{node.module}.{alias.name}") in beginnings
            ):  # `from shutil import os` gives the same module
                yield alias.asname or alias.name


def _annotated_roots(annotation: ast.expr | None) -> tuple[str, ...]:
    """What the classes hang on that an annotation may name."""
    if isinstance(annotation, ast.Name):
        return (annotation.id,)
    if isinstance(annotation, ast.Constant):
        return (str(annotation.value).strip().partition(".")[0],)
    if isinstance(annotation, ast.BinOp):
        return root_of(annotation.left), root_of(annotation.right)
    return (root_of(annotation.slice if isinstance(annotation, ast.Subscript) else annotation),)
