"""Statements of a script in the form of Python's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import functions, modules
from auditor.forensics.agent_systems.javascript.assignment_targets import assignment_target, destructure
from auditor.forensics.agent_systems.javascript.assignments import assignment
from auditor.forensics.agent_systems.javascript.blocks import block, branch_body
from auditor.forensics.agent_systems.javascript.declarations import (
    class_declaration,
    enum_declaration,
    function_declaration,
    interface_declaration,
    pending_statements,
    variable_declaration,
)
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children

if TYPE_CHECKING:
    from tree_sitter import Node


def _expression(w: LoweringContext, node: Node) -> list[ast.stmt]:
    held = _unwrapped_statement(node)
    if held is None:
        return []
    special = _EXPRESSION_STATEMENTS.get(held.type)
    made = special(w, held) if special is not None else None
    return [w.at(node, ast.Expr(value=w.value(held)))] if made is None else made


def _unwrapped_statement(node: Node) -> Node | None:
    """What a statement does, out of its brackets and behind `await` where a call is awaited."""
    held = next(iter(significant_children(node)), None)
    while held is not None and held.type in {"parenthesized_expression", "await_expression"}:
        inner = next(iter(significant_children(held)), None)
        if inner is None or inner.type not in {"call_expression", "parenthesized_expression", "await_expression"}:
            break
        held = inner
    return held


def _assignment_statement(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """An assignment as a statement of its own."""
    made = assignment(w, node)
    return [*pending_statements(w), *made]


def _guarded_call(w: LoweringContext, node: Node) -> list[ast.stmt] | None:
    """`condition && act()` as a statement."""
    sign, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
    if sign is None or right is None or w.text(sign, 5) not in {"&&", "||"}:
        return None
    test = w.value(node.child_by_field_name("left"))
    if w.text(sign, 5) == "||":
        test = w.at(node, ast.UnaryOp(op=ast.Not(), operand=test))
    first = pending_statements(w)
    held = w.value(right)
    act: list[ast.stmt] = [*pending_statements(w), w.at(right, ast.Expr(value=held))]
    return [*first, w.at(node, ast.If(test=test, body=act, orelse=[]))]


def _for_each(w: LoweringContext, node: Node) -> list[ast.stmt] | None:
    """`list.forEach(...)` as a loop."""
    func = node.child_by_field_name("function")
    part = func.child_by_field_name("property") if func is not None else None
    held = node.child_by_field_name("arguments")
    given = significant_children(held)[:1] if held is not None else []
    if func is None or func.type != "member_expression" or part is None or w.text(part, 20) != "forEach":
        return None
    if not given or given[0].type not in functions.FUNCTION_KINDS:
        return None
    source = w.value(func.child_by_field_name("object"))
    callback = given[0]
    spec, opening = functions.parameters(w, callback)
    inner = callback.child_by_field_name("body")
    block_ = branch_body(w, inner) if inner is not None and inner.type == "statement_block" else None
    if block_ is None:
        first = pending_statements(w)
        value = w.value(inner)
        block_ = [*pending_statements(w), w.at(node, ast.Expr(value=value))]
        w.before[-1] += first
    names = [each.arg for each in spec.args[:2]] or [w.hidden(node, "an item")]
    targets: list[ast.expr] = [w.target(node, each) for each in names]
    if len(targets) == 2:
        where: ast.expr = w.at(node, ast.Tuple(elts=targets[::-1], ctx=ast.Store()))
        source = w.call(node, w.name(node, "enumerate"), source)
    else:
        where = targets[0]
    turns = [*opening, *_as_loop_body(block_)] or [w.at(node, ast.Pass())]
    return [w.at(node, ast.For(target=where, iter=source, body=turns, orelse=[]))]


def _as_loop_body(made: list[ast.stmt]) -> list[ast.stmt]:
    """A callback's statements as those of a loop: what returns continues with the next turn."""
    found: list[ast.stmt] = []
    for each in made:
        if isinstance(each, ast.Return):
            if each.value is not None:
                found.append(ast.copy_location(ast.Expr(value=each.value), each))
            found.append(ast.copy_location(ast.Continue(), each))
            continue
        if isinstance(each, ast.If):
            each.body, each.orelse = _as_loop_body(each.body), _as_loop_body(each.orelse)
        elif isinstance(each, ast.Try):
            each.body, each.finalbody = _as_loop_body(each.body), _as_loop_body(each.finalbody)
        found.append(each)
    return found


def _if(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """An `if` with all its `else if`, taken in a row."""
    rows: list[tuple[Node, ast.expr, list[ast.stmt]]] = []
    each: Node | None = node
    last: list[ast.stmt] = []
    while each is not None and each.type == "if_statement":
        test = w.value(each.child_by_field_name("condition"))
        rows.append((each, test, branch_body(w, each.child_by_field_name("consequence"))))
        other = each.child_by_field_name("alternative")
        parts = (
            significant_children(other)
            if other is not None and other.type == "else_clause"
            else [other]
            if other
            else []
        )
        each = parts[0] if parts else None
    if each is not None:
        last = branch_body(w, each)
    for place, test, held in reversed(rows):
        last = [w.at(place, ast.If(test=test, body=held, orelse=last))]
    return last


def _for_in(w: LoweringContext, node: Node) -> list[ast.stmt]:
    left = node.child_by_field_name("left")
    source = w.value(node.child_by_field_name("right"))
    if left is None:
        return []
    sign = node.child_by_field_name("operator")
    if sign is not None and w.text(sign, 5) == "in":
        source = w.method(node, source, "keys")
    opening: list[ast.stmt] = []
    if left.type == "identifier":
        w.declare(w.text(left, 200))
        where = assignment_target(w, left)
    else:
        name = w.hidden(left, "an item")
        where = w.target(left, name)
        if left.type in {"object_pattern", "array_pattern"}:
            opening = destructure(w, left, w.name(left, name))
    held = branch_body(w, node.child_by_field_name("body"))
    return [w.at(node, ast.For(target=where, iter=source, body=[*opening, *held], orelse=[]))]


def _for(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """A counting loop over known bounds as such, any other as one that runs as long as it may."""
    start, test = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    before = w.statement(start) if start is not None else []
    if test is not None and test.type == "expression_statement":
        test = significant_children(test)[0] if significant_children(test) else None
    bound = w.value(test) if test is not None else w.constant(node, True)
    held = branch_body(w, node.child_by_field_name("body"))
    first = before[-1] if before else None
    counts = (
        isinstance(bound, ast.Compare)
        and isinstance(bound.left, ast.Name)
        and isinstance(bound.ops[0], (ast.Lt, ast.LtE))
    )
    if (
        counts
        and isinstance(bound, ast.Compare)
        and isinstance(bound.left, ast.Name)
        and isinstance(first, ast.Assign)
        and isinstance(first.targets[0], ast.Name)
        and first.targets[0].id == bound.left.id
    ):
        over = w.call(node, w.name(node, "range"), first.value, bound.comparators[0])
        where = w.target(node, bound.left.id)
        return [*before, w.at(node, ast.For(target=where, iter=over, body=held, orelse=[]))]
    return [*before, w.at(node, ast.While(test=bound, body=held, orelse=[]))]


def _while(w: LoweringContext, node: Node) -> list[ast.stmt]:
    test = w.value(node.child_by_field_name("condition"))
    return [w.at(node, ast.While(test=test, body=branch_body(w, node.child_by_field_name("body")), orelse=[]))]


def _do(w: LoweringContext, node: Node) -> list[ast.stmt]:
    held = branch_body(w, node.child_by_field_name("body"))
    return [w.at(node, ast.While(test=w.constant(node, True), body=held, orelse=[]))]


def _switch(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """A `switch` as a chain of conditions; a case that falls through is joined with the next."""
    subject = w.value(node.child_by_field_name("value"))
    name = w.hidden(node, "a subject")
    plain = subject if isinstance(subject, (ast.Name, ast.Attribute)) else None
    held = node.child_by_field_name("body")
    rows: list[tuple[Node, ast.expr | None, list[ast.stmt]]] = []
    waiting: list[ast.expr] = []
    for case in significant_children(held) if held is not None else []:
        label = case.child_by_field_name("value")
        parts = [each for each in significant_children(case) if label is None or each.id != label.id]
        if label is not None:
            left = plain or w.name(case, name)
            waiting.append(w.at(case, ast.Compare(left=left, ops=[ast.Eq()], comparators=[w.value(label)])))
        if not parts and label is not None:
            continue
        flat = [
            inner
            for each in parts
            for inner in (significant_children(each) if each.type == "statement_block" else [each])
        ]
        inside = [each for each in block(w, flat) if not isinstance(each, ast.Break)] or [w.at(case, ast.Pass())]
        test = (
            None
            if label is None
            else waiting[0]
            if len(waiting) == 1
            else w.at(case, ast.BoolOp(op=ast.Or(), values=waiting))
        )
        rows.append((case, test, inside))
        waiting = []
    last: list[ast.stmt] = next((inside for _, test, inside in rows if test is None), [])
    for case, test, inside in reversed(rows):
        if test is not None:
            last = [w.at(case, ast.If(test=test, body=inside, orelse=last))]
    kept = w.assign(node, name, subject)
    return last if plain is not None else [kept, *last]


def _try(w: LoweringContext, node: Node) -> list[ast.stmt]:
    handler = node.child_by_field_name("handler")
    handlers: list[ast.ExceptHandler] = []
    held = branch_body(w, node.child_by_field_name("body"))
    if handler is not None:
        caught = handler.child_by_field_name("parameter")
        name = w.text(caught, 200) if caught is not None and caught.type == "identifier" else None
        if name:
            w.declare(name)
        handlers.append(
            w.at(
                handler,
                ast.ExceptHandler(type=None, name=name, body=branch_body(w, handler.child_by_field_name("body"))),
            )
        )
    last = node.child_by_field_name("finalizer")
    final = branch_body(w, last.child_by_field_name("body")) if last is not None else []
    return [w.at(node, ast.Try(body=held, handlers=handlers, orelse=[], finalbody=final))]


def _return(w: LoweringContext, node: Node) -> list[ast.stmt]:
    parts = significant_children(node)
    return [w.at(node, ast.Return(value=w.value(parts[0]) if parts else None))]


def _throw(w: LoweringContext, node: Node) -> list[ast.stmt]:
    parts = significant_children(node)
    return [w.at(node, ast.Raise(exc=w.value(parts[0]) if parts else None, cause=None))]


def _break(w: LoweringContext, node: Node) -> list[ast.stmt]:
    return [w.at(node, ast.Break() if node.type == "break_statement" else ast.Continue())]


_EXPRESSION_STATEMENTS: dict[str, Callable[[LoweringContext, Node], list[ast.stmt] | None]] = {
    "assignment_expression": _assignment_statement,
    "augmented_assignment_expression": _assignment_statement,
    "call_expression": _for_each,
    "binary_expression": _guarded_call,
    "update_expression": lambda _w, _node: [],
}
"""Expressions that mean more as statements."""
STATEMENTS: dict[str, Callable[[LoweringContext, Node], list[ast.stmt]]] = {
    "expression_statement": _expression,
    "lexical_declaration": variable_declaration,
    "variable_declaration": variable_declaration,
    "function_declaration": function_declaration,
    "generator_function_declaration": function_declaration,
    "class_declaration": class_declaration,
    "abstract_class_declaration": class_declaration,
    "enum_declaration": enum_declaration,
    "interface_declaration": interface_declaration,
    "type_alias_declaration": interface_declaration,
    "import_statement": modules.import_statement,
    "export_statement": modules.export_statement,
    "if_statement": _if,
    "for_statement": _for,
    "for_in_statement": _for_in,
    "while_statement": _while,
    "do_statement": _do,
    "switch_statement": _switch,
    "try_statement": _try,
    "return_statement": _return,
    "throw_statement": _throw,
    "break_statement": _break,
    "continue_statement": _break,
    "statement_block": lambda w, node: block(w, significant_children(node)),
}
