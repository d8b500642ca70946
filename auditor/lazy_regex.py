"""Regular expressions that are compiled when they are first asked something.

A run needs few of those that the modules and tables hold: what descriptions, manifests or workflows say is looked for only where
there are some. Compiled at import, they took a fifth of the time until the first file was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, cast

_GLOBAL_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
"""Flags for all of an expression, at its beginning."""


def lazy_compile(expression: AnyStr | Callable[[], AnyStr], flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern that is compiled at its first use, for callers that use only its methods. A function is asked for the expression then, too.

    Not for what every worker asks: each of them would compile it anew, which a fork of the compiled one saves. A faulty
    expression raises `re.error` at the first question instead of at import; a test compiles them all.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(expression, flags))


class _LazyPattern:
    def __init__(self, expression: str | bytes | Callable[[], str | bytes], flags: int) -> None:
        self._expression = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Asked only as long as nothing is held: what the expression is, and what the compiled one can do, is held from then on."""
        if name == "pattern":
            self.pattern = self._expression() if callable(self._expression) else self._expression
        elif name == "flags":
            self.flags = _effective_flags(self.pattern, self._flags)
        elif name in _PATTERN_METHODS:
            compiled = re.compile(self.pattern, self._flags)
            for each in _PATTERN_METHODS:
                setattr(self, each, getattr(compiled, each))
        else:
            raise AttributeError(name)
        return self.__dict__[name]


def _effective_flags(expression: str | bytes, flags: int) -> int:
    """What `flags` of the compiled expression is."""
    text = expression if isinstance(expression, str) else expression.decode("latin-1")
    found = _GLOBAL_FLAGS.match(text)
    for letter in found[1] if found is not None else "":
        flags |= _FLAGS[letter]
    return flags | re.UNICODE if isinstance(expression, str) and not flags & re.ASCII else flags


_FLAGS = {
    "a": re.ASCII,
    "i": re.IGNORECASE,
    "L": re.LOCALE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "u": re.UNICODE,
    "x": re.VERBOSE,
}
_PATTERN_METHODS = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "split",
    "sub",
    "subn",
    "groups",
    "groupindex",
)
