"""Declarations of a script in the form of Python's: variables, functions, classes, enums, interfaces."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import functions, modules, type_annotations
from auditor.forensics.agent_systems.javascript.assignment_targets import assign_value, assignment_target
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.agent_systems.javascript.strings import string_value

if TYPE_CHECKING:
    from tree_sitter import Node


def variable_declaration(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """`const`, `let` and `var`."""
    found: list[ast.stmt] = []
    for each in significant_children(node):
        if each.type != "variable_declarator":
            continue
        pattern, held = each.child_by_field_name("name"), each.child_by_field_name("value")
        if pattern is None:
            continue
        found += _declaration(w, each, pattern, held)
    return found


def _declaration(w: LoweringContext, node: Node, pattern: Node, held: Node | None) -> list[ast.stmt]:
    name = w.text(pattern, 200) if pattern.type == "identifier" else ""
    if name:
        w.declare(name)
    if held is None:
        return (
            [w.at(node, ast.Assign(targets=[assignment_target(w, pattern)], value=w.constant(node, None)))]
            if name
            else []
        )
    imported = modules.require_declaration(w, node, pattern, held)
    if imported is not None:
        return imported
    if name and held.type in functions.FUNCTION_KINDS:
        return [functions.named_function(w, held, name)]
    if name and held.type == "class":
        return [functions.class_definition(w, held, name)]
    value = w.value(held)
    if name:
        made = w.at(node, ast.Assign(targets=[assignment_target(w, pattern)], value=value))
        return [*pending_statements(w), made]
    return [*pending_statements(w), *assign_value(w, pattern, value, declares=True)]


def pending_statements(w: LoweringContext) -> list[ast.stmt]:
    """What must run first, in its place among several declarations."""
    first = list(w.before[-1])
    w.before[-1].clear()
    return first


def function_declaration(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """A function with a name; one without is the default of its module."""
    name = node.child_by_field_name("name")
    told = w.text(name, 200) if name is not None else "default"
    w.declare(told)
    return [functions.named_function(w, node, told)]


def class_declaration(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """A class with a name; one without is the default of its module."""
    name = node.child_by_field_name("name")
    told = w.text(name, 200) if name is not None else "default"
    w.declare(told)
    made = functions.class_definition(w, node, told)
    return [*pending_statements(w), made]


def enum_declaration(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """An enum, as a class of its members."""
    name, held = node.child_by_field_name("name"), node.child_by_field_name("body")
    members: list[ast.stmt] = []
    for each in significant_children(held) if held is not None else []:
        label = each.child_by_field_name("name") or each
        value = each.child_by_field_name("value")
        key = string_value(w, label) if label.type == "string" else w.text(label, 200)
        given = w.value(value) if value is not None else w.constant(each, key)
        members.append(w.assign(each, key, given))
    told = w.text(name, 200) if name is not None else "enum"
    w.declare(told)
    made = ast.ClassDef(name=told, bases=[], keywords=[], body=members or [w.at(node, ast.Pass())], decorator_list=[])
    return [w.at(node, made)]


def interface_declaration(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """An interface, or a type that lists fields, as a class of those fields."""
    name = node.child_by_field_name("name")
    held = node.child_by_field_name("body") or node.child_by_field_name("value")
    if name is None or held is None or held.type not in {"interface_body", "object_type"}:
        return []
    fields: list[ast.stmt] = []
    for each in significant_children(held):
        label, kind = each.child_by_field_name("name"), each.child_by_field_name("type")
        if each.type == "property_signature" and label is not None and kind is not None:
            target_ = w.target(label, w.text(label, 200))
            fields.append(
                w.at(
                    each,
                    ast.AnnAssign(
                        target=target_, annotation=type_annotations.type_annotation(w, kind), value=None, simple=1
                    ),
                )
            )
    marked = [w.name(node, "interface")]
    made = ast.ClassDef(
        name=w.text(name, 200), bases=[], keywords=[], body=fields or [w.at(node, ast.Pass())], decorator_list=marked
    )
    return [w.at(node, made)]
