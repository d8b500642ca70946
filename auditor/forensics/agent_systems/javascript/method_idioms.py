"""Methods of lists and functions of a script, in the form of Python's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import functions
from auditor.forensics.agent_systems.javascript.call_arguments import arguments
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.python.scope_bindings import last_name

if TYPE_CHECKING:
    from tree_sitter import Node


def _callback(node: Node) -> Node | None:
    held = node.child_by_field_name("arguments")
    parts = significant_children(held) if held is not None and held.type == "arguments" else []
    return parts[0] if parts else None


def _callback_parameters(w: LoweringContext, node: Node) -> tuple[ast.expr, ast.expr, bool] | None:
    """The target and the value of each turn of a callback, and whether it counts the turns."""
    given = _callback(node)
    if given is None:
        return None
    func = w.value(given)
    names = [each.arg for each in func.args.args] if isinstance(func, ast.Lambda) else []
    if isinstance(func, ast.Lambda) and 1 <= len(names) <= 2 and not func.args.vararg and not func.args.defaults:
        targets: list[ast.expr] = [w.target(node, name) for name in names]
        item = targets[0] if len(names) == 1 else w.at(node, ast.Tuple(elts=targets[::-1], ctx=ast.Store()))
        return item, func.body, len(names) == 2
    name = w.hidden(node, "an item")
    return w.target(node, name), w.call(node, func, w.name(node, name)), False


def _generators(
    w: LoweringContext, node: Node, target: ast.expr, source: ast.expr, counted: bool
) -> list[ast.comprehension]:
    over = w.call(node, w.name(node, "enumerate"), source) if counted else source
    return [ast.comprehension(target=target, iter=over, ifs=[], is_async=0)]


def _map(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    turn = _callback_parameters(w, node)
    if turn is None:
        return None
    target, value, counted = turn
    return w.at(node, ast.ListComp(elt=value, generators=_generators(w, node, target, base, counted)))


def _flat_map(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    """`list.flatMap(one => [...])`: the elements of what each turn gives."""
    turn = _callback_parameters(w, node)
    if turn is None:
        return None
    target, value, counted = turn
    name = w.hidden(node, "an element")
    inner = ast.comprehension(target=w.target(node, name), iter=_as_list(w, node, value), ifs=[], is_async=0)
    generators = [*_generators(w, node, target, base, counted), inner]
    return w.at(node, ast.ListComp(elt=w.name(node, name), generators=generators))


def _as_list(w: LoweringContext, node: Node, value: ast.expr) -> ast.expr:
    """What a turn of `flatMap` gives as a list: a list itself, or the one thing made there."""
    made = isinstance(value, (ast.Constant, ast.Dict)) or (
        isinstance(value, ast.Call) and last_name(value.func) in {"Send", "Command"}
    )
    return w.at(node, ast.List(elts=[value], ctx=ast.Load())) if made else value


def _filter(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    given = _callback(node)
    if given is not None and given.type == "identifier" and w.text(given, 20) == "Boolean":
        return base
    turn = _callback_parameters(w, node)
    if turn is None:
        return None
    target, test, counted = turn
    generators = _generators(w, node, target, base, counted)
    generators[0].ifs.append(test)
    item = target.elts[1] if isinstance(target, ast.Tuple) else target
    assert isinstance(item, ast.Name)
    return w.at(node, ast.ListComp(elt=w.name(node, item.id), generators=generators))


def _any(name: str) -> Callable[[LoweringContext, Node, ast.expr], ast.expr | None]:
    def made(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
        turn = _callback_parameters(w, node)
        if turn is None:
            return None
        target, test, counted = turn
        held = w.at(node, ast.GeneratorExp(elt=test, generators=_generators(w, node, target, base, counted)))
        return w.call(node, w.name(node, name), held)

    return made


def _reduce(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    """`list.reduce((all, one) => ..., first)` as a loop before the statement."""
    held = node.child_by_field_name("arguments")
    parts = significant_children(held) if held is not None else []
    if len(parts) != 2 or parts[0].type not in functions.FUNCTION_KINDS:
        return None
    func = w.value(parts[0])
    so_far, item = w.hidden(node, "so far"), w.hidden(node, "an item")
    store = w.target(node, so_far)
    again = w.call(node, func, w.name(node, so_far), w.name(node, item))
    w.before[-1] += [
        w.at(node, ast.Assign(targets=[store], value=w.value(parts[1]))),
        w.at(
            node,
            ast.For(
                target=w.target(node, item), iter=base, orelse=[],
                body=[w.assign(node, so_far, again)],
            ),
        ),
    ]  # fmt: skip
    return w.name(node, so_far)


def _push(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    args = arguments(w, node)
    if len(args) == 1 and not isinstance(args[0], ast.Starred):
        return w.method(node, base, "append", args[0])
    return w.method(node, base, "extend", w.at(node, ast.List(elts=args, ctx=ast.Load())))


def _concat(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    result = base
    for each in arguments(w, node):
        result = w.at(node, ast.BinOp(left=result, op=ast.Add(), right=each))
    return result


def _pipe(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    args = arguments(w, node)
    return w.at(node, ast.BinOp(left=base, op=ast.BitOr(), right=args[0])) if len(args) == 1 else None


def _join(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    args = arguments(w, node)
    if len(args) > 1 or isinstance(base, ast.Name):
        given = args or [w.constant(node, ",")]
        if len(given) > 1 or (isinstance(base, ast.Name) and base.id in w.imports):
            return w.at(node, ast.Call(func=w.attribute(node, base, "join"), args=args, keywords=[]))
        return w.method(node, given[0], "join", base)
    return w.method(node, args[0] if args else w.constant(node, ","), "join", base)


def _includes(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    args = arguments(w, node)
    return w.at(node, ast.Compare(left=args[0], ops=[ast.In()], comparators=[base])) if args else None


def _has(w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    """`set.has(one)`; an object with a method of that name is asked in the same way, and nothing is known of it."""
    return _includes(w, node, base) if len(arguments(w, node)) == 1 else None


def _bind(_w: LoweringContext, node: Node, base: ast.expr) -> ast.expr | None:
    given = _callback(node)
    return base if given is not None and given.type in {"this", "null", "undefined"} else None


IDIOMS: dict[str, Callable[[LoweringContext, Node, ast.expr], ast.expr | None]] = {
    "map": _map,
    "flatMap": _flat_map,
    "filter": _filter,
    "some": _any("any"),
    "every": _any("all"),
    "find": _any("next"),
    "reduce": _reduce,
    "push": _push,
    "concat": _concat,
    "pipe": _pipe,
    "join": _join,
    "includes": _includes,
    "has": _has,
    "bind": _bind,
}
