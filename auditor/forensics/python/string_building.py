"""Text that a file puts together piece by piece: what of it is in the code, and what is put in at run time.

Follows names through the assignments that reach a use, text added with `+=`, lists that are filled and joined, attributes
of `self`, functions of the same file, `format`, `%`, `replace`, `join`, templates and f-strings. What it cannot follow
is a piece put in.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from itertools import count, zip_longest
from typing import Any, NamedTuple

from auditor.constant_folding.format_fields import NUMBER_VERBS, field_verbs, filled_as_text
from auditor.forensics.library_models.sql_queries import sql_queries
from auditor.forensics.library_models.text_methods import text_methods
from auditor.forensics.python.bound_names import SELF_NAMES
from auditor.forensics.python.harmless_values import is_number_field
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_aliases import follow_links
from auditor.forensics.python.scope_bindings import FunctionNode
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.text_assignments import (
    ASSIGNMENT_NODES,
    Assignment,
    ScopedExpression,
    appended_items,
    assignments_by_name,
    assignments_in,
    called_function,
    reaching_assignments,
    returns,
    self_assignments,
)
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import names_of

_MAX_STEPS = 1_000
"""Expressions that are followed for one text. A query that copies a table of fifty columns, each told by a call, takes seven hundred."""
_FORMAT_FIELD = re.compile(r"(?<!\{)\{(\w{0,60})(?:[!:][^{}]{0,60})?\}")
_MAX_FIELDS = 60
"""Fields of a text that are filled in their places."""
_MAX_DEPTH = 14
_MAX_VARIANTS = 6
"""Texts that one expression may stand for; of more, the first are told."""


_TEMPORARY_FOLDER = "/tmp"  # noqa: S108 - where temporary files go unless something else is set


class DynamicPart(NamedTuple):
    """An expression that is inserted into a text at run time, and its scope."""

    expression: ast.expr
    scope: Scope
    has_unknown_position: bool = False
    """Whether the text that has a field for it stands in another file: it is not known where it goes."""


TextPart = str | DynamicPart


def text_variants(module: Module, expression: ast.expr, scope: Scope, line: int) -> list[list[TextPart]]:
    """The texts that an expression may stand for, each as its parts in order; several where branches bind names.

    `line` is where the statement begins that uses it.
    """
    written = module.lines[line - 1] if 0 < line <= len(module.lines) else ""
    return _TextBuilder(module, len(written) - len(written.lstrip())).versions(expression, scope, _MAX_DEPTH)


def may_be_text(module: Module, expression: ast.expr) -> bool:
    """May an expression stand for text of the file? A fast check that is never wrongly no."""
    word = _source_name(expression, _function_names(module))
    return word == _TEXT_SIGN or (word != "" and _may_hold_text(module, word))


def _may_hold_text(module: Module, name: str) -> bool:
    """May a name, or an attribute of `self`, hold text, wherever it is? Only what leads to it is looked at, and once a file."""
    known: dict[str, bool] = module.memory.setdefault("woven.holding", {})  # type: ignore[assignment]
    if name in known:
        return known[name]
    functions, given = _function_names(module), _assigned_values(module)
    taken: list[tuple[str, str]] = []
    waiting, seen = [name], {name}
    while waiting:
        each = waiting.pop()
        for value in (*given.get(each, ()), *given.get(f"self.{each}", ())):
            if word := _source_name(value, functions):
                taken.append((word, each))
                if word not in seen and word not in known:
                    seen.add(word)
                    waiting.append(word)
    holding = follow_links(taken, {_TEXT_SIGN, *(word for word, _ in taken if known.get(word))})
    known.update((each, each in holding) for each in seen)
    return known[name]


def _function_names(module: Module) -> Container[str]:
    """The functions, methods and named lambdas of a file, wherever they are; worked out once."""
    known = module.memory.get("woven.functions by name")
    if not isinstance(known, set):
        nodes: list[Any] = [each.node for each in module.scopes]
        known = {each.name for each in nodes if type(each) is ast.FunctionDef or type(each) is ast.AsyncFunctionDef}
        if any(type(each) is ast.Lambda for each in nodes):
            given = _assigned_values(module).items()
            known.update(name for name, values in given if any(type(each) is ast.Lambda for each in values))
        module.memory["woven.functions by name"] = known
    return known


def _assigned_values(module: Module) -> dict[str, list[ast.expr]]:
    """The values that names, and attributes of `self`, are given anywhere in a file; worked out once."""
    known = module.memory.get("woven.given anywhere")
    if isinstance(known, dict):
        return known
    given: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for kind in ASSIGNMENT_NODES:
        for node, scope in module.nodes[kind]:
            target = node.targets[0] if kind is ast.Assign and len(node.targets) == 1 else None
            if type(target) is ast.Name:  # as most are
                given[target.id].append(node.value)
            elif type(target) is ast.Attribute:
                if type(target.value) is ast.Name and target.value.id == "self":
                    given[f"self.{target.attr}"].append(node.value)
            elif type(target) is not ast.Subscript:
                for each in assignments_in(node, scope):
                    if each.value is not None:
                        given[each.name].append(each.value)
    module.memory["woven.given anywhere"] = given
    return given


_TEXT_SIGN = "?"
_TEXT_NODES = frozenset({ast.JoinedStr, ast.BinOp, ast.IfExp, ast.BoolOp, ast.NamedExpr})
"""Kinds of expressions that text is put together by, or chosen by."""


def _source_name(value: ast.expr, functions: Container[str]) -> str:
    """The name from which an expression takes its value, or the sign of text; empty where neither is known."""
    kind = type(value)
    named = value.func if isinstance(value, ast.Call) else value
    if isinstance(named, ast.Attribute):
        name, own = named.attr, type(named.value) is ast.Name and named.value.id in SELF_NAMES
    elif isinstance(named, ast.Name):
        name, own = named.id, True
    else:
        return (
            _TEXT_SIGN if kind in _TEXT_NODES or (isinstance(value, ast.Constant) and value.value is not None) else ""
        )
    if kind is ast.Call:
        return _TEXT_SIGN if name in _TEXT_CALLS or (own and name in functions) else ""
    return name if own else ""


def list_items(module: Module, expression: ast.expr | None, scope: Scope) -> list[ast.expr]:
    """The elements of a list that is built and filled in the file; none when they are not known."""
    if not isinstance(expression, (ast.Name, ast.BinOp, ast.Call)):
        return []
    return [each for each, _ in _TextBuilder(module, 0).items(expression, scope, _MAX_DEPTH) or ()]


class _TextBuilder:
    """Follows one expression. Every step is counted, so that no file can make it long."""

    def __init__(self, module: Module, column: int) -> None:
        self._module = module
        self._column = column
        """How far the statement is indented that is being followed."""
        self._left = _MAX_STEPS
        self._busy: set[tuple[int, str]] = set()
        self._given: dict[tuple[int, str], list[TextPart]] = {}

    def versions(self, expression: ast.expr, scope: Scope, depth: int) -> list[list[TextPart]]:
        """Like `whole`, with what is in different branches kept apart."""
        self._left -= 1
        if depth <= 0 or self._left <= 0:
            return [[DynamicPart(expression, scope)]]
        if isinstance(expression, ast.NamedExpr):
            return self.versions(expression.value, scope, depth - 1)
        if isinstance(expression, (ast.IfExp, ast.BoolOp)):
            either = [expression.body, expression.orelse] if isinstance(expression, ast.IfExp) else expression.values
            return [each for part in either for each in self.versions(part, scope, depth - 1)][:_MAX_VARIANTS]
        if isinstance(expression, (ast.Name, ast.Attribute)):
            return self._named(expression, scope, depth)
        if isinstance(expression, ast.Call):
            return self._called(expression, scope, depth)
        return [self._plain(expression, scope, depth)]

    def whole(self, expression: ast.expr, scope: Scope, depth: int) -> list[TextPart]:
        """All pieces of an expression inside a text: of every branch, for any of them may be put in."""
        return [piece for each in self.versions(expression, scope, depth) for piece in each]

    def _plain(self, expression: ast.expr, scope: Scope, depth: int) -> list[TextPart]:
        """An expression that is neither a name nor a call nor a choice."""
        if isinstance(expression, ast.Constant):
            return [_constant_text(expression.value)]
        if isinstance(expression, ast.JoinedStr):
            return [piece for each in expression.values for piece in self._formatted_value(each, scope, depth - 1)]
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
            return [piece for each in _summands(expression) for piece in self.whole(each, scope, depth - 1)]
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Div):
            return self._path([expression.left, expression.right], scope, depth)
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Mod):
            left = self.whole(expression.left, scope, depth - 1)
            if any(isinstance(each, str) for each in left):
                return [*left, *self._all(_percent_arguments(left, expression.right), scope, depth - 1)]
        return [DynamicPart(expression, scope)]

    def _formatted_value(self, part: ast.expr, scope: Scope, depth: int) -> list[TextPart]:
        if not isinstance(part, ast.FormattedValue):
            return self.whole(part, scope, depth)
        if is_number_field(part):
            return ["0"]
        return self._expanded(part.value, scope, depth)

    def _all(self, expressions: Iterable[ast.expr], scope: Scope, depth: int) -> list[TextPart]:
        return [piece for each in expressions for piece in self._expanded(each, scope, depth)]

    def _expanded(self, expression: ast.expr, scope: Scope, depth: int) -> list[TextPart]:
        """What is inserted into a text: its own pieces where text of the code is among them, else the expression itself."""
        pieces = self.whole(expression, scope, depth)
        apart = any(isinstance(each, str) and each.strip(" ,'\"") for each in pieces)
        return pieces if apart or not pieces else [DynamicPart(expression, scope)]

    # names

    def _named(self, expression: ast.Name | ast.Attribute, scope: Scope, depth: int) -> list[list[TextPart]]:
        value = self._module.value(expression, scope)
        if value is not UNKNOWN:
            return [[_constant_text(value)]]
        place = self._owner(expression, scope)
        if place is None:
            return [[DynamicPart(expression, scope)]]
        holder, name = place
        key = (id(holder), name)
        if key in self._busy:
            return [[]]  # `sql = sql + x`: what the name stood for before is told by its other assignments
        if key in self._given:
            return [self._given[key] or [DynamicPart(expression, scope)]]
        self._busy.add(key)
        try:
            return self._texts(expression, name, holder, scope, depth)
        finally:
            self._busy.discard(key)

    def _texts(
        self, expression: ast.Name | ast.Attribute, name: str, holder: Scope, scope: Scope, depth: int
    ) -> list[list[TextPart]]:
        line = expression.lineno if holder is scope else 0
        starts, added = reaching_assignments(self._assignments_to(expression, name, holder), name, line, self._column)
        texts = [text for each in starts for text in self._assigned_texts(each, depth) if text or not added]
        more = [piece for each in added for text in self._assigned_texts(each, depth) for piece in text]
        if not texts:
            texts = [[DynamicPart(expression, scope)] if not more else []]
        return [[*text, *more] for text in texts[:_MAX_VARIANTS]]

    def _assigned_texts(self, assigned: Assignment, depth: int) -> list[list[TextPart]]:
        if assigned.value is None:
            return []
        around, self._column = self._column, assigned.column
        try:
            return self.versions(assigned.value, assigned.scope, depth - 1)
        finally:
            self._column = around

    def _owner(self, expression: ast.Name | ast.Attribute, scope: Scope) -> tuple[Scope, str] | None:
        """The scope that binds a name, or the class that holds an attribute of `self` or `cls`."""
        if isinstance(expression, ast.Name):
            found = self._module.lookup(expression.id, scope)
            return (found[1], expression.id) if found is not None else None
        if not isinstance(expression.value, ast.Name) or expression.value.id not in SELF_NAMES:
            return None
        around = scope.enclosing_class
        return (around, f"self.{expression.attr}") if around is not None else None

    def _assignments_to(self, expression: ast.expr, name: str, holder: Scope) -> list[Assignment]:
        if isinstance(expression, ast.Name):
            return assignments_by_name(self._module, holder).get(name, [])
        at_class_level = assignments_by_name(self._module, holder).get(name.removeprefix("self."), ())
        return [*self_assignments(self._module).get((id(holder), name), ()), *at_class_level]

    # calls

    def _called(  # noqa: PLR0911 - a table of the ways in which texts are made
        self, call: ast.Call, scope: Scope, depth: int
    ) -> list[list[TextPart]]:
        func = call.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        owner = func.value if isinstance(func, ast.Attribute) else None
        if name not in _TEXT_CALLS:
            made = called_function(self._module, func, scope)
            return [[DynamicPart(call, scope)]] if made is None else self._returned_texts(made, call, scope, depth)
        if owner is not None and name in _UNCHANGING_METHODS:
            return self.versions(owner, scope, depth - 1)
        if name in _WRAPPER_CALLS and call.args:
            return self.versions(call.args[0], scope, depth - 1)
        if (
            owner is not None
            and name in _COMPOSING_METHODS
            and self._module.resolve(func, scope) in _SQL_COMPOSING_CALLS
        ):
            return [
                [*text, *self._composed_parts(call, scope, depth)] for text in self.versions(owner, scope, depth - 1)
            ]
        if (
            owner is not None
            and name in _TEMPLATE_METHODS
            and (filled := self._fill_template(call, owner, name, scope, depth))
        ):
            return filled
        if name in _PATH_CALLS and call.args and (len(call.args) > 1 or name != "join"):
            return [
                self._path([*([owner] if owner is not None and name == "joinpath" else []), *call.args], scope, depth)
            ]
        if owner is not None and name == "join" and len(call.args) == 1:
            return [self._joined(call, call.args[0], scope, depth)]
        made = called_function(self._module, func, scope)
        if made is not None:
            return self._returned_texts(made, call, scope, depth)
        return [[_TEMPORARY_FOLDER if name == "gettempdir" else DynamicPart(call, scope)]]

    def _composed_parts(self, call: ast.Call, scope: Scope, depth: int) -> list[TextPart]:
        """What text was made a piece of a query as it is before it is inserted into a composed one."""
        pieces: list[TextPart] = []
        for each in _expand_arguments([*call.args, *(named.value for named in call.keywords)]):
            for value, place in self.items(each, scope, depth - 1) or [(each, scope)]:
                made = self._sql_call(value, place)
                if made is not None:
                    pieces += self.whole(made, place, depth - 1)
        return pieces

    def _sql_call(self, value: ast.expr, scope: Scope) -> ast.Call | None:
        """The call of `SQL` that an expression, or a name bound once, stands for."""
        if isinstance(value, ast.Name):
            found = self._module.lookup(value.id, scope)
            value = found[0].value if found is not None and found[0].value is not None else value
        is_sql = (
            isinstance(value, ast.Call)
            and self._module.resolve(value.func, scope) in _SQL_TEXT_CALLS | _SQL_COMPOSING_CALLS
        )
        return value if is_sql and isinstance(value, ast.Call) else None

    def _fill_template(
        self, call: ast.Call, owner: ast.expr, name: str, scope: Scope, depth: int
    ) -> list[list[TextPart]]:
        """A text with what a method puts into it; nothing when it is called on something else."""
        texts = self.versions(owner, scope, depth - 1)
        if not any(isinstance(each, str) for text in texts for each in text):
            return []
        template = texts[0][0] if name == "format" and len(texts) == 1 == len(texts[0]) else None
        if isinstance(template, str) and (placed := self._fill_fields(template, call, scope, depth)):
            return [placed]
        given = [*call.args[1 if name == "replace" else 0 :], *(each.value for each in call.keywords)]
        more = self._all(_expand_arguments(given), scope, depth - 1)
        if name == "format":
            return [
                [*text, *(_with_unknown_position(more) if _may_have_other_fields(text) else more)] for text in texts
            ]
        return [[*text, *more] for text in texts]

    def _fill_fields(self, template: str, call: ast.Call, scope: Scope, depth: int) -> list[TextPart]:
        """A text with each argument of `format` in its place; nothing where that cannot be determined."""
        given = {each.arg: each.value for each in call.keywords}
        given.update((str(number), each) for number, each in enumerate(call.args))
        parts = _FORMAT_FIELD.split(template)
        unnamed = map(str, count())
        names = [each or next(unnamed) for each in parts[1::2]]
        if None in given or len(names) > _MAX_FIELDS or not given.keys() >= set(names):
            return []
        held = {each: self._expanded(given[each], scope, depth - 1) for each in dict.fromkeys(names)}
        pieces: list[TextPart] = []
        for text, name in zip_longest(parts[::2], names):
            pieces += [text] if text else []
            pieces += held.get(name, ())
        return pieces

    def _path(self, parts: list[ast.expr], scope: Scope, depth: int) -> list[TextPart]:
        """Parts of a path with slashes between them."""
        pieces: list[TextPart] = []
        for each in parts:
            pieces += ["/", *self.whole(each, scope, depth - 1)] if pieces else self.whole(each, scope, depth - 1)
        return pieces

    def _joined(self, call: ast.Call, what: ast.expr, scope: Scope, depth: int) -> list[TextPart]:
        items = self.items(what, scope, depth - 1)
        if items is None:
            return [DynamicPart(call, scope)]
        pieces = [piece for value, place in items for piece in [*self.whole(value, place, depth - 1), " "]]
        told = any(isinstance(each, str) and each.strip() for each in pieces)
        return pieces if told or not pieces else [DynamicPart(call, scope)]

    def items(self, what: ast.expr, scope: Scope, depth: int) -> list[ScopedExpression] | None:
        """What a list is made of, as far as the file shows; None when it does not."""
        self._left -= 1
        if depth <= 0 or self._left <= 0:
            return None
        found: list[ScopedExpression] | None = None
        if isinstance(what, (ast.List, ast.Tuple, ast.Set)):
            found = [(each.value if isinstance(each, ast.Starred) else each, scope) for each in what.elts]
        elif isinstance(what, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
            found = self._comprehension_items(what, scope, depth)
        elif isinstance(what, ast.BinOp) and isinstance(what.op, ast.Add):
            left, right = (self.items(each, scope, depth - 1) for each in (what.left, what.right))
            found = None if left is None or right is None else [*left, *right]
        elif isinstance(what, ast.Call) and isinstance(what.func, ast.Name) and what.args:
            passes = what.func.id in {"list", "tuple", "filter"}
            found = self.items(what.args[-1], scope, depth - 1) if passes else None
        elif isinstance(what, (ast.Name, ast.Attribute)):
            place = self._owner(what, scope)
            if place is not None and (id(place[0]), place[1]) not in self._busy:
                found = self._items_of_name(what, *place, depth)
        return found

    def _items_of_name(self, what: ast.expr, holder: Scope, name: str, depth: int) -> list[ScopedExpression] | None:
        key = (id(holder), name)
        self._busy.add(key)
        try:
            return self._items_of_assignments(self._assignments_to(what, name, holder), key, depth)
        finally:
            self._busy.discard(key)

    def _items_of_assignments(
        self, assigned: list[Assignment], key: tuple[int, str], depth: int
    ) -> list[ScopedExpression] | None:
        items: list[ScopedExpression] = []
        known = False
        for each in sorted(assigned, key=lambda each: each.line):
            some = self.items(each.value, each.scope, depth - 1) if each.value is not None else None
            if some is None:
                return None
            known, items = True, [*items, *some]
        filled = sorted(appended_items(self._module).get(key, ()), key=lambda each: each[0].lineno)
        return [*items, *filled] if known else None

    def _comprehension_items(
        self, made: ast.GeneratorExp | ast.ListComp | ast.SetComp, scope: Scope, depth: int
    ) -> list[ScopedExpression] | None:
        """The element of a comprehension; of `part for part in parts` those of the list."""
        loop = made.generators[0]
        if isinstance(made.elt, ast.Name) and isinstance(loop.target, ast.Name) and made.elt.id == loop.target.id:
            return self.items(loop.iter, scope, depth - 1)
        return [(made.elt, scope)]

    def _returned_texts(self, made: Scope, call: ast.Call, scope: Scope, depth: int) -> list[list[TextPart]]:
        key = (id(made), "")
        node = made.node
        if key in self._busy or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return [[DynamicPart(call, scope)]]
        for name, pieces in self._parameter_texts(node, call, scope, depth).items():
            self._given[id(made), name] = pieces
        self._busy.add(key)
        try:
            ends = [node.body] if isinstance(node, ast.Lambda) else returns(self._module, node)
            texts = [text for each in ends for text in self.versions(each, made, depth - 2)]
        finally:
            self._busy.discard(key)
        told = any(isinstance(each, str) for text in texts for each in text)
        return texts[:_MAX_VARIANTS] if told else [[DynamicPart(call, scope)]]

    def _parameter_texts(
        self, node: FunctionNode | ast.Lambda, call: ast.Call, scope: Scope, depth: int
    ) -> Mapping[str, list[TextPart]]:
        """What the parameters of a function stand for in one call."""
        own = node.args
        names = [each.arg for each in (*own.posonlyargs, *own.args)]
        if names[:1] in (["self"], ["cls"]):
            names = names[1:]
        values: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
        values |= {each.arg: each.value for each in call.keywords if each.arg is not None}
        given = {name: self._expanded(value, scope, depth - 2) for name, value in values.items()}
        defaults = dict(zip(reversed(names), reversed(own.defaults), strict=False))
        for name, default in defaults.items():
            if name not in given:
                given[name] = self._plain(default, scope, 1)
        return given


def _may_have_other_fields(text: list[TextPart]) -> bool:
    """Has what is known of a text no field to fill, while another piece of it may have some?"""
    return any(isinstance(each, DynamicPart) for each in text) and not any(
        isinstance(each, str) and _FORMAT_FIELD.search(each) for each in text
    )


def _with_unknown_position(pieces: list[TextPart]) -> list[TextPart]:
    return [each._replace(has_unknown_position=True) if isinstance(each, DynamicPart) else each for each in pieces]


def _summands(sum_of: ast.BinOp) -> list[ast.expr]:
    """The parts of a sum in order, however long it is."""
    parts: list[ast.expr] = []
    waiting: list[ast.expr] = [sum_of]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
            waiting += [each.right, each.left]
        else:
            parts.append(each)
    return parts


def _percent_arguments(left: list[TextPart], right: ast.expr) -> list[ast.expr]:
    """The arguments that `%` puts into a text, without those for numbers."""
    form = "".join(each for each in left if isinstance(each, str))
    verbs = field_verbs(form)
    if verbs and NUMBER_VERBS.issuperset(verbs):
        return []
    if isinstance(right, ast.Dict):
        return right.values
    if not isinstance(right, ast.Tuple):
        return [right]
    return filled_as_text(form, right.elts) if len(verbs) == len(right.elts) else right.elts


def _expand_arguments(given: list[ast.expr]) -> list[ast.expr]:
    """Arguments of a call, those in a dictionary or behind a star among them."""
    plain: list[ast.expr] = []
    for each in given:
        inner = each.value if isinstance(each, ast.Starred) else each
        plain += inner.values if isinstance(inner, ast.Dict) else [inner]
    return plain


def _constant_text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)[:200]


_ROWS = text_methods()
_UNCHANGING_METHODS = names_of(_ROWS.unchanging_methods)
_PATH_CALLS = names_of(_ROWS.path_calls)
_WRAPPER_CALLS = names_of(_ROWS.wrapper_calls)
_COMPOSING_METHODS = frozenset({"format", "join"})
_SQL_COMPOSING_CALLS = names_of(sql_queries().composing_calls)
"""Take no text, only what was made a name or a literal of the database before: nothing foreign is put in as it is."""
_SQL_TEXT_CALLS = names_of(sql_queries().text_calls)
"""Makes any text a piece of a query, as it is."""
_TEMPLATE_METHODS = names_of(_ROWS.template_methods)
_TEXT_CALLS = (
    _UNCHANGING_METHODS | _PATH_CALLS | _WRAPPER_CALLS | _COMPOSING_METHODS | _TEMPLATE_METHODS | {"gettempdir"}
)
"""Calls that text is followed through by their names."""
