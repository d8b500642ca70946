"""Regular expressions that are compiled when they are first asked something.

A run needs few of those that the modules hold: what descriptions, manifests or workflows say is looked for only where there
are some. Compiled at import, they took a fifth of the time until the first file was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast


def lazy_compile(expression: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use, for callers that use only its methods. A function is asked for the expression then, too.

    Not for what workers ask: each of them would compile it anew, which a fork of the compiled one saves. A faulty
    expression raises `re.error` at the first question instead of at import; a test compiles them all.
    """
    return cast("re.Pattern[str]", _LazyPattern(expression, flags))


class _LazyPattern:
    def __init__(self, expression: str | Callable[[], str], flags: int) -> None:
        self._expression = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Asked only as long as nothing is held: what the compiled expression can do is held from then on."""
        if name not in _PATTERN_ATTRIBUTES:
            raise AttributeError(name)
        expression = self._expression if isinstance(self._expression, str) else self._expression()
        compiled = re.compile(expression, self._flags)
        for each in _PATTERN_ATTRIBUTES:
            setattr(self, each, getattr(compiled, each))
        return getattr(self, name)


_PATTERN_ATTRIBUTES = (
    "pattern",
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "split",
    "sub",
    "subn",
    "flags",
    "groups",
    "groupindex",
)
