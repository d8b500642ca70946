"""Expressions of GitHub workflows, evaluated as far as they are constant.

The result is all that a text may become: what depends on a run is a gap in it, and a condition that depends on a run
gives both of its outcomes. Where the evaluator is in doubt, there is a gap. The rules are those of GitHub's own
evaluator (actions/runner, `src/Sdk/Expressions`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from auditor.forensics.workflows.workflow_expression_values import (
    GAP,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    UNKNOWN,
    UNKNOWN_TRUTHY,
    Context,
    PartialText,
    PossibleValues,
    Value,
    child_value,
    concatenate,
    loosely_equal,
    normalize_gaps,
    truth_value,
    unique_values,
    value_as_text,
)

_MAX_TOKENS = 200
_MAX_DEPTH = 50
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>&&|\|\||==|!=|<=|>=|[!<>()\[\],.*])|'(?P<text>[^']*(?:''[^']*)*)'"
    r"|(?P<number>[-+]?(?:0x[0-9a-fA-F]{1,8}|[0-9]{1,300}(?:\.[0-9]{0,300})?(?:[eE][-+]?[0-9]{1,3})?))(?![\w.])|(?P<name>[A-Za-z_][\w-]*+))"
)


def possible_texts(written: str, context: Context) -> tuple[PartialText, ...]:
    """All texts that a text with expressions may become."""
    if "${{" not in written:
        return (PartialText((written,)),)
    if len(written) > MAX_TEXT_LENGTH:
        return (GAP,)
    pieces = [
        [PartialText((piece,))] if literal else [value_as_text(each) for each in _evaluate(piece, context)]
        for literal, piece in _split_expressions(written)
    ]
    choices = islice(product(*pieces), MAX_VALUES + 1)
    found = dict.fromkeys(normalize_gaps(concatenate(each)) for each in choices)
    return tuple(found) if len(found) <= MAX_VALUES else (GAP,)


def possible_values(written: str, context: Context) -> tuple[Value, ...]:
    """All values that a text with expressions may have; a single expression may give something other than text."""
    pieces = list(islice(_split_expressions(written), 2)) if len(written) <= MAX_TEXT_LENGTH else []
    if len(pieces) == 1 and not pieces[0][0]:
        return _evaluate(pieces[0][1], context)
    return tuple(each.parts[0] if each.is_known else each for each in possible_texts(written, context))


def _split_expressions(written: str) -> Iterator[tuple[bool, str]]:
    """The pieces of a text, each with whether it is literal; quotes are respected when looking for an end."""
    at = 0
    while (begin := written.find("${{", at)) >= 0:
        if begin > at:
            yield True, written[at:begin]
        end = _expression_end(written, begin + 3)
        yield False, written[begin + 3 : end]
        at = end + 2
    if at < len(written):
        yield True, written[at:]


def _expression_end(written: str, at: int) -> int:
    quoted = False
    for place in range(at, len(written) - 1):
        quoted ^= written[place] == "'"
        if not quoted and written.startswith("}}", place):
            return place
    return len(written)


def _evaluate(expression: str, context: Context) -> tuple[Value, ...]:
    tokens = _tokenize(expression)
    if tokens is None:
        return (UNKNOWN,)
    reader = _ExpressionEvaluator(tokens, context)
    try:
        found = reader.evaluate_or()
    except _InvalidExpressionError:
        return (UNKNOWN,)
    return found if reader.at == len(tokens) else (UNKNOWN,)


def _tokenize(expression: str) -> list[tuple[str, str]] | None:
    """Tokens as pairs of kind and text; None for what is no expression, or a very long one."""
    found: list[tuple[str, str]] = []
    at, expression = 0, expression.rstrip()
    while at < len(expression):
        token = _TOKEN.match(expression, at)
        if token is None or token.lastgroup is None or len(found) >= _MAX_TOKENS:
            return None
        found.append((token.lastgroup, token[token.lastgroup]))
        at = token.end()
    return found or None


class _InvalidExpressionError(Exception):
    """The text is not an expression that GitHub accepts."""


@dataclass
class _ExpressionEvaluator:
    """A recursive-descent evaluator, from the operator with the lowest precedence down."""

    tokens: Sequence[tuple[str, str]]
    context: Context
    at: int = 0
    depth: int = 0

    def evaluate_or(self) -> PossibleValues:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _InvalidExpressionError
        found = self._evaluate_and()
        while self._take("||"):
            other = self._evaluate_and()
            found = unique_values(each for left in found for each in _short_circuit(left, other, continues_when=False))
        self.depth -= 1
        return found

    def _evaluate_and(self) -> PossibleValues:
        found = self._compared()
        while self._take("&&"):
            other = self._compared()
            found = unique_values(each for left in found for each in _short_circuit(left, other, continues_when=True))
        return found

    def _compared(self) -> PossibleValues:
        found = self._evaluate_unary()
        while sign := next(filter(self._take, ("==", "!=", "<=", ">=", "<", ">")), ""):
            other = self._evaluate_unary()
            if sign in {"==", "!="}:
                alike = (loosely_equal(*pair) for pair in product(found, other))
                found = unique_values(each for one in alike for each in _possible_truths(one, negated=sign == "!="))
            else:
                found = (True, False)
        return found

    def _evaluate_unary(self) -> PossibleValues:
        negations = 0
        while self._take("!"):
            negations += 1
        found = self._evaluate_access(self._evaluate_primary())
        for _ in range(negations):
            found = unique_values(each for one in found for each in _possible_truths(truth_value(one), negated=True))
        return found

    def _evaluate_primary(self) -> PossibleValues:
        if self._take("("):
            found = self.evaluate_or()
            self._expect(")")
            return found
        if self.at >= len(self.tokens):
            raise _InvalidExpressionError
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return (word.replace("''", "'"),)
        if kind == "number":
            return (float(int(word, 16)) if "x" in word else float(word),)
        if kind != "name":
            raise _InvalidExpressionError
        if self._take("("):
            return _FUNCTIONS.get(word.lower(), _call_unknown)(self._evaluate_arguments())
        named = {"true": True, "false": False, "null": None}
        return (named[word.lower()] if word.lower() in named else self.context.get(word.lower(), UNKNOWN),)

    def _evaluate_access(self, found: PossibleValues) -> PossibleValues:
        """The values that properties and indexes of a value have."""
        while True:
            if self._take("."):
                kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
                if kind != "name" and word != "*":
                    raise _InvalidExpressionError
                self.at += 1
                keys: PossibleValues = (word,) if kind == "name" else (UNKNOWN,)
            elif self._take("["):
                keys = (UNKNOWN,) if self._take("*") else self.evaluate_or()
                self._expect("]")
            else:
                return found
            found = unique_values(child_value(each, key) for each, key in product(found, keys))

    def _evaluate_arguments(self) -> list[PossibleValues]:
        found: list[PossibleValues] = []
        if self._take(")"):
            return found
        found.append(self.evaluate_or())
        while self._take(","):
            found.append(self.evaluate_or())
        self._expect(")")
        return found

    def _take(self, sign: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == ("sign", sign):
            self.at += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise _InvalidExpressionError


def _short_circuit(left: Value, right: PossibleValues, *, continues_when: bool) -> Iterator[Value]:
    """The values of `&&`, which continues when the left side is true, or `||`, which does when it is false."""
    known = truth_value(left)
    if known is not continues_when:
        yield from (left,) if known is not None else _FALSY_VALUES if continues_when else (UNKNOWN_TRUTHY,)
    if known is not (not continues_when):
        yield from right


_FALSY_VALUES: PossibleValues = ("", False, 0.0)
"""The falsy values that an unknown value may have; null is written like the empty text."""


def _possible_truths(known: bool | None, *, negated: bool) -> tuple[bool, ...]:
    return (True, False) if known is None else (known is not negated,)


def _call_unknown(_: list[PossibleValues]) -> PossibleValues:
    return (UNKNOWN,)


def _call_boolean(_: list[PossibleValues]) -> PossibleValues:
    return (True, False)


_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\d{1,3})\}|[{}]")


def _call_format(arguments: list[PossibleValues]) -> PossibleValues:
    choices = islice(product(*arguments), MAX_VALUES + 1)
    return unique_values(_format_template(form, each) for form, *each in choices) if arguments else (UNKNOWN,)


def _format_template(form: Value, arguments: Sequence[Value]) -> Value:
    if not isinstance(form, str):
        return UNKNOWN
    whole, at = PartialText(("",)), 0
    for found in _PLACEHOLDER.finditer(form):
        whole += PartialText((form[at : found.start()],))
        if (found[1] is None and len(found[0]) == 1) or (found[1] is not None and int(found[1]) >= len(arguments)):
            return UNKNOWN
        whole += PartialText((found[0][0],)) if found[1] is None else value_as_text(arguments[int(found[1])])
        at = found.end()
    return _simplify_template(normalize_gaps(whole + PartialText((form[at:],))))


def _call_join(arguments: list[PossibleValues]) -> PossibleValues:
    if not 1 <= len(arguments) <= 2:
        return (UNKNOWN,)
    separators: PossibleValues = arguments[1] if len(arguments) == 2 else (",",)
    return unique_values(_join_items(each, by) for each, by in product(arguments[0], separators))


def _join_items(items: Value, separator: Value) -> Value:
    if not isinstance(items, list) or not isinstance(separator, str):
        return UNKNOWN if items is UNKNOWN or isinstance(items, list) else _simplify_template(value_as_text(items))
    whole = PartialText(("",))
    for number, each in enumerate(items[:_MAX_TOKENS]):
        whole += PartialText((separator if number else "",)) + value_as_text(each)
    return _simplify_template(normalize_gaps(whole)) if len(items) <= _MAX_TOKENS else UNKNOWN


def _simplify_template(of: PartialText) -> Value:
    return of.parts[0] if of.is_known else of


def _call_from_json(arguments: list[PossibleValues]) -> PossibleValues:
    return unique_values(_parse_json(each) for each in arguments[0]) if len(arguments) == 1 else (UNKNOWN,)


def _parse_json(of: Value) -> Value:
    if not isinstance(of, str):
        return UNKNOWN
    try:
        return _value_from_json(json.loads(of, parse_int=float))
    except (ValueError, RecursionError):
        return UNKNOWN


def _value_from_json(of: object) -> Value:
    """Parsed JSON as a value. Its depth is bounded by the length of its text."""
    if isinstance(of, dict):
        return {str(key): _value_from_json(each) for key, each in of.items()}
    if isinstance(of, list):
        return [_value_from_json(each) for each in of]
    return of if of is None or isinstance(of, str | float | bool) else UNKNOWN


_FUNCTIONS: Mapping[str, Callable[[list[PossibleValues]], PossibleValues]] = {
    "format": _call_format,
    "join": _call_join,
    "fromjson": _call_from_json,
    "contains": _call_boolean,
    "startswith": _call_boolean,
    "endswith": _call_boolean,
    "always": lambda _: (True,),
    "success": lambda _: (True,),
    "failure": lambda _: (False,),
    "cancelled": lambda _: (False,),
}
"""A status function has the value of a run without trouble: what only runs after another failure turns nothing red."""
