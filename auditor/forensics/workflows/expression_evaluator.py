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

from auditor.forensics.workflows.partial_values import (
    GAP,
    MAX_CHARACTERS,
    MAX_VALUES,
    TRUTHY,
    UNKNOWN,
    Context,
    Template,
    Value,
    Values,
    below,
    bounded,
    equal,
    joined,
    shortened,
    text,
    truth,
)

_MAX_TOKENS = 200
_MAX_DEPTH = 50
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>&&|\|\||==|!=|<=|>=|[!<>()\[\],.*])|'(?P<text>[^']*(?:''[^']*)*)'"
    r"|(?P<number>[-+]?(?:0x[0-9a-fA-F]{1,8}|[0-9]{1,300}(?:\.[0-9]{0,300})?(?:[eE][-+]?[0-9]{1,3})?))(?![\w.])|(?P<name>[A-Za-z_][\w-]*+))"
)


def texts(written: str, context: Context) -> tuple[Template, ...]:
    """All that a text with expressions may become."""
    if "${{" not in written:
        return (Template((written,)),)
    if len(written) > MAX_CHARACTERS:
        return (GAP,)
    pieces = [
        [Template((piece,))] if literal else [text(each) for each in _values(piece, context)]
        for literal, piece in _pieces(written)
    ]
    choices = islice(product(*pieces), MAX_VALUES + 1)
    found = dict.fromkeys(shortened(joined(each)) for each in choices)
    return tuple(found) if len(found) <= MAX_VALUES else (GAP,)


def values(written: str, context: Context) -> tuple[Value, ...]:
    """All values that a text with expressions may have; one that is an expression as a whole may be no text."""
    pieces = list(islice(_pieces(written), 2)) if len(written) <= MAX_CHARACTERS else []
    if len(pieces) == 1 and not pieces[0][0]:
        return _values(pieces[0][1], context)
    return tuple(each.parts[0] if each.is_known else each for each in texts(written, context))


def _pieces(written: str) -> Iterator[tuple[bool, str]]:
    """The pieces of a text, each with whether it is literal; the end of an expression is not looked for in quotes."""
    at = 0
    while (begin := written.find("${{", at)) >= 0:
        if begin > at:
            yield True, written[at:begin]
        end = _end(written, begin + 3)
        yield False, written[begin + 3 : end]
        at = end + 2
    if at < len(written):
        yield True, written[at:]


def _end(written: str, at: int) -> int:
    quoted = False
    for place in range(at, len(written) - 1):
        quoted ^= written[place] == "'"
        if not quoted and written.startswith("}}", place):
            return place
    return len(written)


def _values(expression: str, context: Context) -> tuple[Value, ...]:
    tokens = _tokens(expression)
    if tokens is None:
        return (UNKNOWN,)
    reader = _Reader(tokens, context)
    try:
        found = reader.either()
    except _InvalidError:
        return (UNKNOWN,)
    return found if reader.at == len(tokens) else (UNKNOWN,)


def _tokens(expression: str) -> list[tuple[str, str]] | None:
    """Tokens as pairs of their kind and what they are; None for what is no expression, or a very long one."""
    found: list[tuple[str, str]] = []
    at, expression = 0, expression.rstrip()
    while at < len(expression):
        token = _TOKEN.match(expression, at)
        if token is None or token.lastgroup is None or len(found) >= _MAX_TOKENS:
            return None
        found.append((token.lastgroup, token[token.lastgroup]))
        at = token.end()
    return found or None


class _InvalidError(Exception):
    """No expression that GitHub would take."""


@dataclass
class _Reader:
    """Evaluates while it reads, from the loosest operator down."""

    tokens: Sequence[tuple[str, str]]
    context: Context
    at: int = 0
    depth: int = 0

    def either(self) -> Values:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _InvalidError
        found = self._both()
        while self._take("||"):
            other = self._both()
            found = bounded(each for left in found for each in _kept(left, other, when=False))
        self.depth -= 1
        return found

    def _both(self) -> Values:
        found = self._compared()
        while self._take("&&"):
            other = self._compared()
            found = bounded(each for left in found for each in _kept(left, other, when=True))
        return found

    def _compared(self) -> Values:
        found = self._single()
        while sign := next(filter(self._take, ("==", "!=", "<=", ">=", "<", ">")), ""):
            other = self._single()
            if sign in {"==", "!="}:
                alike = (equal(*pair) for pair in product(found, other))
                found = bounded(each for one in alike for each in _truths(one, negated=sign == "!="))
            else:
                found = (True, False)
        return found

    def _single(self) -> Values:
        negations = 0
        while self._take("!"):
            negations += 1
        found = self._reached(self._primary())
        for _ in range(negations):
            found = bounded(each for one in found for each in _truths(truth(one), negated=True))
        return found

    def _primary(self) -> Values:
        if self._take("("):
            found = self.either()
            self._expect(")")
            return found
        if self.at >= len(self.tokens):
            raise _InvalidError
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return (word.replace("''", "'"),)
        if kind == "number":
            return (float(int(word, 16)) if "x" in word else float(word),)
        if kind != "name":
            raise _InvalidError
        if self._take("("):
            return _FUNCTIONS.get(word.lower(), _unknown)(self._arguments())
        named = {"true": True, "false": False, "null": None}
        return (named[word.lower()] if word.lower() in named else self.context.get(word.lower(), UNKNOWN),)

    def _reached(self, found: Values) -> Values:
        """What is below a value by names and indexes."""
        while True:
            if self._take("."):
                kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
                if kind != "name" and word != "*":
                    raise _InvalidError
                self.at += 1
                keys: Values = (word,) if kind == "name" else (UNKNOWN,)
            elif self._take("["):
                keys = (UNKNOWN,) if self._take("*") else self.either()
                self._expect("]")
            else:
                return found
            found = bounded(below(each, key) for each, key in product(found, keys))

    def _arguments(self) -> list[Values]:
        found: list[Values] = []
        if self._take(")"):
            return found
        found.append(self.either())
        while self._take(","):
            found.append(self.either())
        self._expect(")")
        return found

    def _take(self, sign: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == ("sign", sign):
            self.at += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise _InvalidError


def _kept(left: Value, right: Values, *, when: bool) -> Iterator[Value]:
    """Of `&&`, which goes on when the left side is true, or `||`, which does when it is not."""
    known = truth(left)
    if known is not when:
        yield from (left,) if known is not None else _FALSE if when else (TRUTHY,)
    if known is not (not when):
        yield from right


_FALSE: Values = ("", False, 0.0)
"""What an unknown value may be that is not true; null is written like the empty text."""


def _truths(known: bool | None, *, negated: bool) -> tuple[bool, ...]:
    return (True, False) if known is None else (known is not negated,)


def _unknown(_: list[Values]) -> Values:
    return (UNKNOWN,)


def _either(_: list[Values]) -> Values:
    return (True, False)


_PLACE = re.compile(r"\{\{|\}\}|\{(\d{1,3})\}|[{}]")


def _format(given: list[Values]) -> Values:
    choices = islice(product(*given), MAX_VALUES + 1)
    return bounded(_formatted(form, each) for form, *each in choices) if given else (UNKNOWN,)


def _formatted(form: Value, given: Sequence[Value]) -> Value:
    if not isinstance(form, str):
        return UNKNOWN
    whole, at = Template(("",)), 0
    for found in _PLACE.finditer(form):
        whole += Template((form[at : found.start()],))
        if (found[1] is None and len(found[0]) == 1) or (found[1] is not None and int(found[1]) >= len(given)):
            return UNKNOWN
        whole += Template((found[0][0],)) if found[1] is None else text(given[int(found[1])])
        at = found.end()
    return _plain(shortened(whole + Template((form[at:],))))


def _join(given: list[Values]) -> Values:
    if not 1 <= len(given) <= 2:
        return (UNKNOWN,)
    separators: Values = given[1] if len(given) == 2 else (",",)
    return bounded(_joined_by(each, by) for each, by in product(given[0], separators))


def _joined_by(of: Value, by: Value) -> Value:
    if not isinstance(of, list) or not isinstance(by, str):
        return UNKNOWN if of is UNKNOWN or isinstance(of, list) else _plain(text(of))
    whole = Template(("",))
    for number, each in enumerate(of[:_MAX_TOKENS]):
        whole += Template((by if number else "",)) + text(each)
    return _plain(shortened(whole)) if len(of) <= _MAX_TOKENS else UNKNOWN


def _plain(of: Template) -> Value:
    return of.parts[0] if of.is_known else of


def _from_json(given: list[Values]) -> Values:
    return bounded(_parsed(each) for each in given[0]) if len(given) == 1 else (UNKNOWN,)


def _parsed(of: Value) -> Value:
    if not isinstance(of, str):
        return UNKNOWN
    try:
        return _as_value(json.loads(of, parse_int=float))
    except (ValueError, RecursionError):
        return UNKNOWN


def _as_value(of: object) -> Value:
    """JSON as values. It is as deep as the text that it was read from is long, which is bounded."""
    if isinstance(of, dict):
        return {str(key): _as_value(each) for key, each in of.items()}
    if isinstance(of, list):
        return [_as_value(each) for each in of]
    return of if of is None or isinstance(of, str | float | bool) else UNKNOWN


_FUNCTIONS: Mapping[str, Callable[[list[Values]], Values]] = {
    "format": _format,
    "join": _join,
    "fromjson": _from_json,
    "contains": _either,
    "startswith": _either,
    "endswith": _either,
    "always": lambda _: (True,),
    "success": lambda _: (True,),
    "failure": lambda _: (False,),
    "cancelled": lambda _: (False,),
}
"""A status function has the value of a run without trouble: what only runs after another failure turns nothing red."""
