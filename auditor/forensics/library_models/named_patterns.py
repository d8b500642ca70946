"""Names in the patterns of tables: `{name}` stands for the text of another pattern.

A brace before a digit or behind a backslash is what it always is. Each table may use the names of `SHARED_PATTERNS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from auditor.forensics.library_models.shell_programs import UNIX_SHELL, WINDOWS_SHELL
from auditor.user_error import did_you_mean

_TOKEN = re.compile(r"\\.|\{(?P<name>[a-z]\w*)\}", re.DOTALL)
SHARED_PATTERNS: Mapping[str, str] = {"shell": UNIX_SHELL, "windows_shell": WINDOWS_SHELL}
"""What may be named in the patterns of each table."""


class UnknownName(ValueError):
    """A name that nothing stands for."""


def unknown_name(kind: str, name: str, known: set[str]) -> UnknownName:
    """The error for such a name, with one that may be meant."""
    return UnknownName(f"no {kind} is called {name!r}; {did_you_mean(name, sorted(known), 'it has to be defined.')}")


def replace_names(text: str, text_of: Callable[[str], str]) -> str:
    """The text of a pattern, each name in it replaced by what `text_of` gives."""
    return _TOKEN.sub(lambda found: found[0] if found["name"] is None else text_of(found["name"]), text)


def expand_pattern(text: str) -> str:
    """The text of a pattern, shared names replaced. Raises UnknownName."""
    return replace_names(text, _shared)


def _shared(name: str) -> str:
    if name not in SHARED_PATTERNS:
        raise unknown_name("pattern", name, set(SHARED_PATTERNS))
    return SHARED_PATTERNS[name]
