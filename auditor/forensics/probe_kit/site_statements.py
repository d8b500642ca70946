"""The statement that places share: with the names of what is called at them, and without the lines that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LINE_NUMBER = re.compile(r" \(line \d{1,9}\)")


def statement_without_lines(statement: str) -> str:
    """A statement without the lines that it names, which differ where code was moved."""
    return _LINE_NUMBER.sub("", statement)


_CALL = "{call}"
_MAX_CALLS = 3
_PLAIN_NAME = re.compile(r"[\w$@.:/?!#-][\w$@.:/?! #-]{0,59}")
"""Names that are shown whole; what is called on a longer expression is known by its last part."""


def named_statement(statement: str, calls: Iterable[str]) -> str:
    """A statement with the names of what was called in place of `{call}`: "`a`", "`a` or `b`", "`a`, `b`, `c` or 2 others"."""
    if _CALL not in statement:
        return statement
    shown = sorted({_shown_name(each) for each in calls})
    if len(shown) > _MAX_CALLS:
        shown = [*shown[:_MAX_CALLS], f"{len(shown) - _MAX_CALLS} other{'s' if len(shown) > _MAX_CALLS + 1 else ''}"]
    return statement.replace(_CALL, f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0])


def _shown_name(call: str) -> str:
    """The name of what was called as code, without the expression that it is called on."""
    if _PLAIN_NAME.fullmatch(call):
        return f"`{call}`"
    last = call.rpartition(".")[2].strip()
    return f"`.{last}`" if _PLAIN_NAME.fullmatch(last) else "a call"
