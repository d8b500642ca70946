"""Functions and classes of a script in the form of Python's."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import blocks, type_annotations
from auditor.forensics.agent_systems.javascript.assignment_targets import destructure
from auditor.forensics.agent_systems.javascript.lowering_context import (
    FunctionScope,
    LoweringContext,
    significant_children,
)

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTION_KINDS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_PATTERN_KINDS = frozenset({"object_pattern", "array_pattern"})


def anonymous_function(w: LoweringContext, node: Node, hint: str) -> ast.expr:
    """A function where an expression is expected: a lambda if it is one, else one defined before the statement."""
    made = _function_definition(w, node, w.hidden(node, hint or "a function"))
    if isinstance(made, ast.Lambda):
        return made
    w.before[-1].append(made)
    return w.name(node, made.name)


def named_value(w: LoweringContext, node: Node, hint: str) -> ast.expr:
    """A value that has a name where it is: a function takes it over."""
    return anonymous_function(w, node, hint) if node.type in FUNCTION_KINDS else w.value(node)


def named_function(w: LoweringContext, node: Node, name: str, *, method: bool = False) -> ast.FunctionDef:
    """A function under a name; a method gets its object first."""
    made = _function_definition(w, node, name, method=method, whole=True)
    assert isinstance(made, ast.FunctionDef)
    return made


def _function_definition(
    w: LoweringContext, node: Node, name: str, *, method: bool = False, whole: bool = False
) -> ast.FunctionDef | ast.Lambda:
    body = node.child_by_field_name("body")
    scope = FunctionScope()
    w.scopes.append(scope)
    w.before.append([])
    spec, opening = parameters(w, node)
    opening = [*w.before[-1], *opening]
    w.before[-1].clear()
    if method:
        spec.args.insert(0, ast.arg(arg="self"))
    returns = type_annotations.announced_targets(w, node)
    held: ast.expr | None = None
    block: list[ast.stmt]
    if body is not None and body.type != "statement_block":
        held = w.value(body)
        block = [*w.before[-1], w.at(body, ast.Return(value=held))]
    else:
        block = blocks.block(w, significant_children(body)) if body is not None else []
    w.before.pop()
    w.scopes.pop()
    outer = sorted(scope.written - scope.declared)
    for each in outer:
        w.scopes[-1].written.add(each)
    if held is not None and not whole and len(block) == 1 and not opening and not outer and returns is None:
        return w.at(node, ast.Lambda(args=spec, body=held))
    first: list[ast.stmt] = [w.at(node, ast.Nonlocal(names=outer))] if outer else []
    whole_body = [*first, *opening, *block] or [w.at(node, ast.Pass())]
    return w.at(node, ast.FunctionDef(name=name, args=spec, body=whole_body, decorator_list=[], returns=returns))


def parameters(w: LoweringContext, node: Node) -> tuple[ast.arguments, list[ast.stmt]]:
    """The parameters of a function, and what takes apart those that are patterns."""
    spec = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    opening: list[ast.stmt] = []
    held = node.child_by_field_name("parameters")
    single = node.child_by_field_name("parameter")
    for each in [single] if single is not None else significant_children(held) if held is not None else []:
        pattern, default = _parameter_pattern(each)
        if pattern is None or pattern.type == "this":
            continue
        if pattern.type == "rest_pattern":
            spec.vararg = ast.arg(
                arg=w.text(significant_children(pattern)[-1], 200) if significant_children(pattern) else "rest"
            )
            w.declare(spec.vararg.arg)
            continue
        name = w.text(pattern, 200) if pattern.type == "identifier" else w.hidden(pattern, "a parameter")
        spec.args.append(ast.arg(arg=name))
        w.declare(name)
        if default is not None:
            spec.defaults.append(w.value(default))
        elif spec.defaults:
            spec.defaults.append(ast.Constant(value=None))
        if pattern.type in _PATTERN_KINDS:
            opening += destructure(w, pattern, w.name(pattern, name))
    return spec, opening


def _parameter_pattern(node: Node) -> tuple[Node | None, Node | None]:
    """What a parameter binds, and its default."""
    pattern, default = node, None
    if node.type in {"required_parameter", "optional_parameter"}:
        found = node.child_by_field_name("pattern")
        if found is None:
            return None, None
        pattern, default = found, node.child_by_field_name("value")
    if pattern.type == "assignment_pattern":
        left = pattern.child_by_field_name("left")
        default = pattern.child_by_field_name("right")
        return left, default
    return pattern, default


def class_definition(w: LoweringContext, node: Node, name: str) -> ast.ClassDef:
    """A class with its fields and methods."""
    body = node.child_by_field_name("body")
    block: list[ast.stmt] = []
    for each in significant_children(body) if body is not None else []:
        block += _class_member(w, each)
    made = ast.ClassDef(
        name=name, bases=_bases(w, node), keywords=[], body=block or [w.at(node, ast.Pass())], decorator_list=[]
    )
    return w.at(node, made)


def _bases(w: LoweringContext, node: Node) -> list[ast.expr]:
    heritage = next((each for each in node.named_children if each.type == "class_heritage"), None)
    if heritage is None:
        return []
    parts = significant_children(heritage)
    extends = next((each for each in parts if each.type == "extends_clause"), None)
    held = extends.child_by_field_name("value") if extends is not None else parts[0] if parts else None
    return [w.value(held)] if held is not None and held.type != "implements_clause" else []


def _class_member(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """A field or method of a class."""
    label = node.child_by_field_name("name") or node.child_by_field_name("property")
    if label is None or node.type not in {"method_definition", "public_field_definition", "field_definition"}:
        return []
    name = w.text(label, 200)
    static = any(each.type == "static" for each in node.children)
    held = node.child_by_field_name("value")
    if node.type == "method_definition" or (held is not None and held.type in FUNCTION_KINDS):
        made = named_function(w, node if node.type == "method_definition" else held or node, name, method=not static)
        if name == "constructor":
            made.name = "__init__"
            made.body = [*_parameter_properties(w, node), *made.body]
        kinds = {each.type for each in node.children}
        for mark, has in (("staticmethod", static), ("property", "get" in kinds)):
            if has:
                made.decorator_list.append(w.name(label, mark))
        return [] if "set" in kinds else [made]
    w.before.append([])
    value = w.value(held) if held is not None else None
    first = w.before.pop()
    kind = node.child_by_field_name("type")
    target = w.target(label, name)
    annotation = type_annotations.type_annotation(w, kind) if kind is not None else w.name(label, "unknown")
    return [*first, w.at(node, ast.AnnAssign(target=target, annotation=annotation, value=value, simple=1))]


def _parameter_properties(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """Fields that a constructor makes of its parameters: `constructor(private graph: Graph)`."""
    held = node.child_by_field_name("parameters")
    found: list[ast.stmt] = []
    for each in significant_children(held) if held is not None else []:
        pattern = each.child_by_field_name("pattern")
        marked = any(part.type in {"accessibility_modifier", "readonly"} for part in each.children)
        if marked and pattern is not None and pattern.type == "identifier":
            name = w.text(pattern, 200)
            target = w.at(each, ast.Attribute(value=w.name(each, "self"), attr=name, ctx=ast.Store()))
            found.append(w.at(each, ast.Assign(targets=[target], value=w.name(each, name))))
    return found
