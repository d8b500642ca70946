"""The statement that places share: with the names of what it is about, in singular or plural, and without lines."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LINE_NUMBER = re.compile(r" \(line \d{1,9}\)")


def statement_without_lines(statement: str) -> str:
    """A statement without the lines that it names, which differ where code was moved."""
    return _LINE_NUMBER.sub("", statement)


_CALL, _CALLS, _TEST = "{call}", "{calls}", "{test}"
_MAX_CALLS = 3
_AGREEMENT = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_PLAIN_NAME = re.compile(r"[\w$@.:/?!#<-][\w$@.:/?! #<>=-]{0,59}")
"""Names that are shown whole; what is called on a longer expression is known by its last part."""
_SHOWN_ARGUMENT = re.compile(r"\((?:\.{3}, )?(?:\"[\w.:/ -]{1,40}\"|&?[\w.:]{1,40})\)$")
"""The argument of a call that is shown with its name."""


def agreeing(statement: str, count: int) -> str:
    """A statement about so many things: of `[is|are]` the first for one, else the second."""
    return _AGREEMENT.sub(lambda found: found[1] if count == 1 else found[2], statement)


def named_statement(statement: str, calls: Iterable[str]) -> str:
    """A statement with the names of what was called, and in singular or plural as their number asks.

    In place of `{call}` "`a`", "`a` or `b`", "`a`, `b`, `c` or 2 others"; of `{calls}` the same with "and"; of `{test}`
    "test `a`" or "tests `a` and `b`", where they have the names of functions: a title is free text of the author's.
    """
    if _TEST in statement:
        return _with_tests(statement, sorted({*calls}))
    if _CALL not in statement and _CALLS not in statement:
        return statement
    shown = sorted({_shown_name(each) for each in calls})
    text = agreeing(statement, len(shown))
    return text.replace(_CALL, _joined(shown, "or")).replace(_CALLS, _joined(shown, "and"))


def _with_tests(statement: str, names: list[str]) -> str:
    known = [f"`{each}`" for each in names if each]
    if not known:
        return statement.replace(_TEST, "a test")
    others = " and others" if len(known) < len(names) and len(known) <= _MAX_CALLS else ""
    tests = "test" if len(known) == 1 else "tests"
    return statement.replace(_TEST, f"{tests} {_joined(known, 'and')}{others}")


def _joined(shown: list[str], word: str) -> str:
    """`a`, `a or b`, `a, b, c or 2 others`."""
    if len(shown) > _MAX_CALLS:
        shown = [*shown[:_MAX_CALLS], f"{len(shown) - _MAX_CALLS} other{'s' if len(shown) > _MAX_CALLS + 1 else ''}"]
    return f"{', '.join(shown[:-1])} {word} {shown[-1]}" if len(shown) > 1 else shown[0]


def _shown_name(call: str) -> str:
    """The name of what was called as code, without the expression that it is called on."""
    shown = _SHOWN_ARGUMENT.search(call)
    name, argument = (call[: shown.start()], shown[0]) if shown else (call, "")
    if _PLAIN_NAME.fullmatch(name):
        return f"`{name}{argument}`"
    last = name.rpartition(".")[2].strip()
    return f"`.{last}{argument}`" if _PLAIN_NAME.fullmatch(last) else "a call"
