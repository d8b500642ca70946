"""Definitions of one file before and after a change, paired by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from auditor.domain import Location, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.source_text.file_outline import Class, Function


def pair_functions(before: Sequence[Function], now: Sequence[Function]) -> list[Function | None]:
    """The successor of each function. Several definitions of one name are paired in order."""
    after: dict[tuple[str, str], list[Function]] = {}
    for each in now:
        after.setdefault(_function_key(each), []).append(each)
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Function | None] = []
    for each in before:
        ways = after.get(_function_key(each), [])
        found.append(ways[min(seen[_function_key(each)], len(ways) - 1)] if ways else None)
        seen[_function_key(each)] += 1
    return found


def definition_location(path: str, function: Function) -> Location:
    """Where a function is at the head."""
    return code_location(path, function.line, function.line, quote=f"def {function.name}")


def base_definitions(modules: PythonModules) -> dict[tuple[str, str], Function | Class]:
    """The definitions of the base, by path and name, and by name alone for what was moved."""
    known: dict[tuple[str, str], Function | Class] = {}
    for path, shape in modules.base.items():
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            known[path, each.qualname] = each
            known.setdefault(("", each.qualname), each)
    return known


def _function_key(function: Function) -> tuple[str, str]:
    """A key that distinguishes a property's getter, setter and deleter, which share a name."""
    accessors = [each.rpartition(".")[2] for each in function.decorators if each.endswith((".setter", ".deleter"))]
    return function.qualname, accessors[0] if accessors else ""


def is_public(definition: Function | Class) -> bool:
    """Can it be imported, or reached through what can?"""
    return definition.is_public and not definition.is_nested


def base_location(path: str, definition: Function | Class) -> Location:
    """Where a definition stood at the base."""
    return code_location(path, definition.line, definition.line, quote=definition.qualname, side=Side.BASE)
