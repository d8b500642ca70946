"""Names of judges and criteria that a rule asks for and nothing has: such a rule can never fire."""

from __future__ import annotations

import ast
import re

from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import assigned_names, descendants, vocabulary
from auditor.forensics.agent_systems.value_contents import options, text_of
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import text_constants

_NAME_FIELD = re.compile(r"judge|criterion|crit|dim|persona|role|name|id$|rule|category|type|key", re.IGNORECASE)
_CRITERION_FIELD = re.compile(r"crit|dim|^id$", re.IGNORECASE)
_COLLECTION_NODES = (ast.Tuple, ast.List, ast.Set)


@remembered
def _used_names(study: ProgramStudy) -> frozenset[str]:
    """Texts that product code or its data files give to something, comparisons and docstrings left out."""
    found: set[str] = set()
    only_asked = _names_only_compared(study)
    for unit in study.program.product:
        for node in unit.nodes_of_kinds(ast.Constant):
            value = node.value  # type: ignore[attr-defined]
            if isinstance(value, str) and len(value) < 80 and not is_compared(unit, node):
                if only_asked and _constant_of(unit, node) in only_asked:
                    continue  # it only gives a name to what is asked for
                found.add(value)
    for path, text in study.program.data.items():
        if path.endswith((".json", ".yaml", ".yml", ".toml")):
            found.update(re.findall(r"[\w .-]{2,60}", text[:200_000]))
    return frozenset(each.strip() for each in found)


def is_compared(unit: Unit, node: ast.AST) -> bool:
    """Is a text only compared with something, or a docstring?"""
    parent = unit.parents.get(node)
    while isinstance(parent, _COLLECTION_NODES):
        parent = unit.parents.get(parent)
    return isinstance(parent, (ast.Compare, ast.Expr))


def _names_only_compared(study: ProgramStudy) -> frozenset[str]:
    """Names that product code uses for nothing but comparisons."""
    compared: set[str] = set()
    used: set[str] = set()
    for unit in study.program.product:
        for node in unit.nodes_of_kinds(ast.Name, ast.Attribute):
            if isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                name = node.id if isinstance(node, ast.Name) else node.attr  # type: ignore[attr-defined]
                (compared if isinstance(unit.parents.get(node), ast.Compare) else used).add(name)
    return frozenset(compared - used)


def _constant_of(unit: Unit, node: ast.AST) -> str:
    """The name that a module gives to a text; empty when it does something else with it."""
    parent = unit.parents.get(node)
    if isinstance(parent, (ast.Assign, ast.AnnAssign)) and isinstance(unit.parents.get(parent), ast.Module):
        return assigned_names(parent)
    return ""


@remembered
def _has_criteria_list(study: ProgramStudy) -> bool:
    """Does the repository itself say which criteria there are? Otherwise any name may come with a run."""
    spoken = re.compile(r"criteri|dimension|rubric", re.IGNORECASE)
    in_data = any(spoken.search(path) or spoken.search(text[:20_000]) for path, text in study.program.data.items()
                  if path.endswith((".json", ".yaml", ".yml", ".toml")))  # fmt: skip
    lists = (
        node for unit in study.program.product for node in unit.nodes_of_kinds(ast.List, ast.Tuple, ast.Set, ast.Dict)
    )
    return in_data or any(_lists_criteria(study, node) for node in lists)


def _lists_criteria(study: ProgramStudy, node: ast.AST) -> bool:
    """Is it a list of texts under a name of criteria?"""
    items = list(getattr(node, "elts", None) or getattr(node, "keys", None) or ())
    if not any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in items):
        return False
    for unit in study.program.product:
        parent = unit.parents.get(node)
        if parent is not None:
            if isinstance(parent, ast.Dict):
                key = next((key for key, value in zip(parent.keys, parent.values, strict=True) if value is node), None)
                return bool(re.search(r"criteri|dimension", str(getattr(key, "value", "")), re.IGNORECASE))
            return bool(re.search(r"criteri|dimension|rubric", assigned_names(parent), re.IGNORECASE))
    return False


def undefined_name_reason(study: ProgramStudy, unit: Unit, node: ast.AST) -> str:
    """Why a rule can never fire: it asks for a judge or criterion by a name that nothing has."""
    test = getattr(node, "test", None)
    if test is None:
        return ""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    for part in parts:
        if not isinstance(part, ast.Compare) or len(part.ops) != 1 or not isinstance(part.ops[0], (ast.Eq, ast.In)):
            continue
        left, right = part.left, part.comparators[0]
        if not isinstance(left, (ast.Name, ast.Attribute, ast.Subscript)) or isinstance(right, ast.Dict):
            continue
        called = " ".join(vocabulary(left))
        if _CRITERION_FIELD.search(called) and not _has_criteria_list(study):
            continue  # its values come with a run
        asked = _compared_texts(study, unit, right) if _NAME_FIELD.search(called) else []
        if asked and not any(each in _used_names(study) for each in asked):
            return f"it compares with {asked[0]!r}, a name that nothing else uses"
    return ""


def _compared_texts(study: ProgramStudy, unit: Unit, right: ast.expr) -> list[str]:
    """The texts that something is compared with, also by the name of a constant."""
    asked = text_constants(descendants(right))
    return texts_of_name(study, unit, right) if not asked and isinstance(right, ast.Name) else asked


def texts_of_name(study: ProgramStudy, unit: Unit, name: ast.Name) -> list[str]:
    """The texts that a name of a module stands for; empty where it may stand for something else as well."""
    known = [text_of(each) for each in options(study.run.value(name, Frame(unit, unit.tree, study.run.module(unit))))]
    return [each for each in known if each is not None] if None not in known else []
