"""What each kind of expression stands for."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from auditor.forensics.agent_systems import library_call_values, library_names, value_properties
from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    MAX_ITEMS,
    MAX_TEXT,
    Call,
    Class,
    Const,
    External,
    Function,
    Instance,
    Item,
    Map,
    ModuleValue,
    Op,
    Place,
    Seq,
    Text,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.attribute_values import attribute_value
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.name_bindings import assign
from auditor.forensics.agent_systems.value_contents import choice, constant, text_of

SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
    ast.Not: "not", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~", ast.And: "and", ast.Or: "or",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_MAX_OPERANDS = 400
_MAX_NUMBER = 1_000_000
_NEVER_NONE = (Function, Class, Instance, Seq, Map, Text, ModuleValue)
"""Values that are no constant, so surely not `None`."""
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """What an expression stands for in a frame."""
    return _EXPRESSIONS.get(type(node), _unknown)(run, node, frame)


def fold_operation(sign: str, left: Value, right: Value) -> Value:
    """An operation on two values, worked out where both are known texts or lists."""
    numbers = _small_numbers(left, right)
    if numbers is not None and sign in _ARITHMETIC:
        return Const(_ARITHMETIC[sign](*numbers))
    if sign == "+":
        one, other = text_of(left), text_of(right)
        if one is not None and other is not None and len(one) + len(other) < MAX_TEXT:
            return Const(one + other, left.place if isinstance(left, Const) else None)
        if isinstance(left, Seq) and isinstance(right, Seq):
            both = Seq(list(left.items), left.open, left.place)
            both.add(right)
            return both
        if isinstance(left, (Const, Text)) and isinstance(right, (Const, Text, Unknown, Call)):
            return Text((left, right))
    if sign == "|" and isinstance(left, Map) and isinstance(right, Map):
        merged = Map(list(left.items), left.open, left.place)
        merged.add(right.items, open=right.open)
        return merged
    return Op(sign, (left, right))


def _small_numbers(left: Value, right: Value) -> tuple[int, int] | None:
    """Two small whole numbers, where both are known."""
    one, other = constant(left), constant(right)
    if type(one) is int and type(other) is int and abs(one) < _MAX_NUMBER and abs(other) < _MAX_NUMBER:
        return one, other
    return None


def _unknown(_run: Interpreter, _node: ast.expr, _frame: Frame) -> Value:
    return Unknown()


def _constant(_run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Constant)
    value = node.value
    if isinstance(value, str) and not value.isascii():
        value = value.encode("utf-8", errors="backslashreplace").decode("utf-8")  # lone surrogates
    return Const(value, Place(frame.unit, node))


def _name(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Name)
    found = frame.env.find(node.id)
    if found is not None:
        return found
    if node.id in frame.unit.defined:
        return run.member(frame.unit, node.id)
    if node.id in library_names.BUILTINS:
        return External(node.id)
    return run.star_imported_name(node.id, frame.unit)


def _attribute(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Attribute)
    return attribute_value(run, run.value(node.value, frame), node.attr, frame.unit)


def _subscript(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Subscript)
    if isinstance(node.slice, ast.Slice):
        return _slice_value(run.value(node.value, frame), node.slice, run, frame)
    return value_properties.element_value(run.value(node.value, frame), run.value(node.slice, frame))


def _slice_value(base: Value, part: ast.Slice, run: Interpreter, frame: Frame) -> Value:
    """Part of a list, between known whole numbers; the list itself as one that may hold others where they are not known."""
    ends = [None if each is None else run.value(each, frame) for each in (part.lower, part.upper, part.step)]
    bounds = [constant(each) for each in ends]
    known = all(each is None or type(bound) is int for each, bound in zip(ends, bounds, strict=True))
    if not isinstance(base, Seq) or not known or bounds[2] == 0:
        return Item(base, Unknown())
    start, stop, step = (each if isinstance(each, int) else None for each in bounds)
    return Seq(base.items[start:stop:step], base.open, base.place, base.may_be_empty)


def _call(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Call)
    func = run.value(node.func, frame)
    args: list[Value] = []
    for each in node.args:
        if isinstance(each, ast.Starred):
            args += value_properties.iterated_elements(run.value(each.value, frame)).items[
                : max(0, MAX_ITEMS - len(args))
            ]
        else:
            args.append(run.value(each, frame))
    named: list[tuple[str, Value]] = []
    for keyword in node.keywords:
        value = run.value(keyword.value, frame)
        if keyword.arg is not None:
            named.append((keyword.arg, value))
        elif isinstance(value, Map):
            more = value.items[: max(0, MAX_ITEMS - len(named))]
            named += [(key, each) for known, each in more if (key := text_of(known)) is not None]
    return library_call_values.call_value(
        run, Call(func, tuple(args[:MAX_ITEMS]), tuple(named), Place(frame.unit, node)), frame
    )


def _list_display(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.List, ast.Tuple, ast.Set))
    made = Seq([], len(node.elts) > MAX_ITEMS, Place(frame.unit, node))
    for each in node.elts[:MAX_ITEMS]:
        if isinstance(each, ast.Starred):
            made.add(value_properties.iterated_elements(run.value(each.value, frame)))
        else:
            made.add(Seq([run.value(each, frame)]))
    return made


def _dict_display(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Dict)
    made = Map([], len(node.keys) > MAX_ITEMS, Place(frame.unit, node))
    for key, value in zip(node.keys[:MAX_ITEMS], node.values[:MAX_ITEMS], strict=True):
        known = run.value(value, frame)
        if key is not None:
            made.add([(run.value(key, frame), known)])
        elif isinstance(known, Map):
            made.add(known.items, open=known.open)
        else:
            made.add([(Op("**", (known,)), known)], open=True)
    return made


def _format_string(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.JoinedStr)
    parts = [
        run.value(each.value, frame) if isinstance(each, ast.FormattedValue) else run.value(each, frame)
        for each in node.values[:_MAX_OPERANDS]
    ]
    known = [text_of(each) for each in parts]
    if all(each is not None for each in known) and sum(len(each or "") for each in known) < MAX_TEXT:
        return Const("".join(each or "" for each in known), Place(frame.unit, node))
    return Text(tuple(parts))


def _binary(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """A chain such as `a + b + c`, taken in a row, so that its length costs no depth."""
    rights: list[tuple[str, ast.expr]] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        rights.append((SIGNS.get(type(left.op), "?"), left.right))
        left = left.left
    result = run.value(left, frame)
    for sign, right in rights[::-1][:_MAX_OPERANDS]:
        result = fold_operation(sign, result, run.value(right, frame))
    return result


def _boolean(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.BoolOp)
    either = isinstance(node.op, ast.Or)
    kept: list[Value] = []
    for each in node.values[:_MAX_OPERANDS]:
        value = run.value(each, frame)
        truth = value_properties.truth_value(value)
        if truth is either:
            kept.append(value)
            break
        if truth is None or not either:
            kept.append(value)
        if truth is False and not either:
            return value
    if not kept:
        return Const(None)
    return choice(*kept) if either else kept[-1] if len(kept) == 1 else Op("and", tuple(kept))


def _unary(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.UnaryOp)
    value = run.value(node.operand, frame)
    if isinstance(node.op, ast.Not):
        truth = value_properties.truth_value(value)
        return Op("not", (value,)) if truth is None else Const(not truth)
    known = constant(value)
    if isinstance(node.op, ast.USub) and isinstance(known, (int, float)):
        return Const(-known, Place(frame.unit, node))
    return Op(SIGNS.get(type(node.op), "?"), (value,))


def _compare(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Compare)
    values = [run.value(each, frame) for each in (node.left, *node.comparators[:_MAX_OPERANDS])]
    if len(node.ops) == 1:
        left, right = values
        equal = isinstance(node.ops[0], (ast.Eq, ast.Is))
        if (
            isinstance(left, Const)
            and isinstance(right, Const)
            and isinstance(node.ops[0], (ast.Eq, ast.Is, ast.NotEq, ast.IsNot))
        ):
            return Const((left.value == right.value) is equal)
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(right, Const) and isinstance(left, _NEVER_NONE):
            return Const(not equal)
        if (
            isinstance(node.ops[0], (ast.In, ast.NotIn))
            and (held := value_properties.contains(right, left)) is not None
        ):
            return Const(held is isinstance(node.ops[0], ast.In))
        sign = SIGNS.get(type(node.ops[0]), "?")
        numbers = _small_numbers(left, right)
        return (
            Const(_COMPARISONS[sign](*numbers))
            if numbers is not None and sign in _COMPARISONS
            else Op(sign, (left, right))
        )
    return Op("compare", tuple(values))


def _conditional_expression(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.IfExp)
    truth = value_properties.truth_value(run.value(node.test, frame))
    if truth is not None:
        return run.value(node.body if truth else node.orelse, frame)
    return choice(run.value(node.body, frame), run.value(node.orelse, frame))


def _lambda(_run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Lambda)
    return Function(frame.unit, node, frame.env)


def _named_expression(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.NamedExpr)
    value = run.value(node.value, frame)
    assign(run, node.target, value, frame)
    return value


def _awaited(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.Await, ast.FormattedValue, ast.Starred))
    return run.value(node.value, frame)


def _yielded(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.Yield, ast.YieldFrom))
    value = run.value(node.value, frame) if node.value is not None else Const(None)
    more = value_properties.iterated_elements(value).items if isinstance(node, ast.YieldFrom) else [value]
    frame.yields += more[: max(0, MAX_ITEMS - len(frame.yields))]
    return Unknown()


def _comprehension(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """A list, set or generator made by a comprehension."""
    assert isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp))
    made = Seq([], False, Place(frame.unit, node))
    turns = _run_comprehension_loops(run, node.generators, frame, lambda: made.add(Seq([run.value(node.elt, frame)])))
    made.open = made.open or turns
    return made


def _dict_comprehension(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.DictComp)
    made = Map([], False, Place(frame.unit, node))
    turns = _run_comprehension_loops(
        run,
        node.generators,
        frame,
        lambda: made.add([(run.value(node.key, frame), run.value(node.value, frame))]),
    )
    made.open = made.open or turns
    return made


def _run_comprehension_loops(
    run: Interpreter, generators: list[ast.comprehension], frame: Frame, body: Callable[[], None]
) -> bool:
    """Go through the loops of a comprehension; says whether a run may take other turns than these."""
    before = dict(frame.env.names)
    is_open = _run_comprehension_loop(run, generators, frame, body)
    frame.env.names = before
    return is_open


def _run_comprehension_loop(
    run: Interpreter, generators: list[ast.comprehension], frame: Frame, body: Callable[[], None]
) -> bool:
    if not generators:
        body()
        return False
    first, rest = generators[0], generators[1:]
    source = run.value(first.iter, frame)
    listed = value_properties.iterated_elements(source, count=True)
    is_open = listed.open
    if not listed.items:
        listed, is_open = Seq([Item(source, Unknown())]), True
    for item in listed.items[:_MAX_OPERANDS]:
        assign(run, first.target, item, frame)
        truths = [value_properties.truth_value(run.value(test, frame)) for test in first.ifs]
        if False in truths:
            continue
        is_open = is_open or None in truths
        is_open = _run_comprehension_loop(run, rest, frame, body) or is_open
        if run.is_exhausted():
            return True
    return is_open


_EXPRESSIONS: dict[type[ast.expr], Callable[[Interpreter, ast.expr, Frame], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.List: _list_display,
    ast.Tuple: _list_display,
    ast.Set: _list_display,
    ast.Dict: _dict_display,
    ast.JoinedStr: _format_string,
    ast.FormattedValue: _awaited,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.IfExp: _conditional_expression,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named_expression,
    ast.Await: _awaited,
    ast.Starred: _awaited,
    ast.Yield: _yielded,
    ast.YieldFrom: _yielded,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
}
