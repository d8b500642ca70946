"""Text that a file puts together piece by piece: what of it is in the code, and what is put in at run time.

Follows names through the assignments that reach a use, text added with `+=`, lists that are filled and joined, attributes
of `self`, functions of the same file, `format`, `%`, `replace`, `join`, templates and f-strings. What it cannot follow
is a piece put in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import NamedTuple

from auditor.constant_folding.format_fields import NUMBER_VERBS, brace_fields, field_verbs, filled_as_text
from auditor.forensics.library_models.sql_queries import sql_queries
from auditor.forensics.python.harmless_values import is_number_field
from auditor.forensics.python.list_items import MAX_DEPTH, ListItems
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_texts import (
    COMPOSING_METHODS,
    PATH_CALLS,
    QUOTING_JOINS,
    TEMPLATE_METHODS,
    TEXT_CALLS,
    UNCHANGING_METHODS,
    WRAPPER_CALLS,
)
from auditor.forensics.python.scope_bindings import (
    FunctionNode,
    arguments_by_name,
    last_name,
    own_parameters,
    parameter_defaults,
)
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.text_assignments import (
    Assignment,
    called_function,
    reaching_assignments,
    returns,
)
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import names_of

_MAX_FIELDS = 60
"""Fields of a text that are filled in their places."""
_MAX_VARIANTS = 6
"""Texts that one expression may stand for; further ones are dropped."""


_TEMPORARY_FOLDER = "/tmp"  # noqa: S108 - where temporary files go unless something else is set


class DynamicPart(NamedTuple):
    """An expression that is inserted into a text at run time, and its scope."""

    expression: ast.expr
    scope: Scope
    has_unknown_position: bool = False
    """Whether the text that has a field for it is in another file: its position is not known."""


TextPart = str | DynamicPart


def text_variants(module: Module, expression: ast.expr, scope: Scope, line: int) -> list[list[TextPart]]:
    """The texts that an expression may stand for, each as its parts in order; several where branches bind names.

    `line` is where the statement begins that uses it.
    """
    written = module.lines[line - 1] if 0 < line <= len(module.lines) else ""
    return _TextBuilder(module, len(written) - len(written.lstrip())).versions(expression, scope, MAX_DEPTH)


class _TextBuilder(ListItems):
    """Follows one expression through its texts."""

    def __init__(self, module: Module, column: int) -> None:
        super().__init__(module)
        self._column = column
        """How far the statement is indented that is being followed."""
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
            return [[]]  # `sql = sql + x`: the earlier value of the name is read from its other assignments
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

    # calls

    def _called(  # noqa: PLR0911 - a table of the ways in which texts are made
        self, call: ast.Call, scope: Scope, depth: int
    ) -> list[list[TextPart]]:
        func = call.func
        name = last_name(func)
        owner = func.value if isinstance(func, ast.Attribute) else None
        if name not in TEXT_CALLS:
            made = called_function(self._module, func, scope)
            return [[DynamicPart(call, scope)]] if made is None else self._returned_texts(made, call, scope, depth)
        if owner is not None and name in UNCHANGING_METHODS:
            return self.versions(owner, scope, depth - 1)
        if name in WRAPPER_CALLS and call.args:
            return self.versions(call.args[0], scope, depth - 1)
        if (
            owner is not None
            and name in COMPOSING_METHODS
            and self._module.resolve(func, scope) in _SQL_COMPOSING_CALLS
        ):
            return [
                [*text, *self._composed_parts(call, scope, depth)] for text in self.versions(owner, scope, depth - 1)
            ]
        if (
            owner is not None
            and name in TEMPLATE_METHODS
            and (filled := self._fill_template(call, owner, name, scope, depth))
        ):
            return filled
        if name in PATH_CALLS and call.args and (len(call.args) > 1 or name != "join"):
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
        around, names = brace_fields(template)
        if None in given or len(names) > _MAX_FIELDS or not given.keys() >= set(names):
            return []
        held = {each: self._expanded(given[each], scope, depth - 1) for each in dict.fromkeys(names)}
        pieces: list[TextPart] = []
        for text, name in zip_longest(around, names):
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
        if self._module.resolve(call.func, scope) in QUOTING_JOINS:
            items = [(self._quoted(call.func, value, place), place) for value, place in items]
        pieces = [piece for value, place in items for piece in [*self.whole(value, place, depth - 1), " "]]
        told = any(isinstance(each, str) and each.strip() for each in pieces)
        return pieces if told or not pieces else [DynamicPart(call, scope)]

    def _quoted(self, quoting: ast.expr, word: ast.expr, scope: Scope) -> ast.expr:
        """A word that a function quotes, as a call of that function; a constant is left as it is."""
        known = self._module.value(word, scope) is not UNKNOWN
        return word if known else ast.copy_location(ast.Call(quoting, [word], []), word)

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
        values, names = arguments_by_name(node, call), own_parameters(node)
        given = {name: self._expanded(value, scope, depth - 2) for name, value in values.items()}
        for name, default in parameter_defaults(node.args).items():
            if name in names and name not in given:
                given[name] = self._plain(default, scope, 1)
        return given


def _may_have_other_fields(text: list[TextPart]) -> bool:
    """Has what is known of a text no field to fill, while another piece of it may have some?"""
    return any(isinstance(each, DynamicPart) for each in text) and not any(
        isinstance(each, str) and brace_fields(each)[1] for each in text
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


_SQL_COMPOSING_CALLS = names_of(sql_queries().composing_calls)
"""Take no text, only what was made a name or a literal of the database before: nothing foreign is put in as it is."""
_SQL_TEXT_CALLS = names_of(sql_queries().text_calls)
"""Makes any text a piece of a query, as it is."""
