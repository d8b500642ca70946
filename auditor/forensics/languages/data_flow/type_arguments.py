"""Types as they are written: the types between their angle brackets."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Za-z_]\w*")
_WRAPPERS = frozenset({"Option", "Vec", "Result", "List", "IEnumerable", "Nullable", "Optional"})


def type_arguments(written: str) -> list[str]:
    """The types that a type, or the name of a call, holds at its end: `u32` and `String` of `Path<(u32, String)>`."""
    if not written.rstrip(" ?").endswith(">") or "<" not in written:
        return []
    inner = written[written.index("<") + 1 :]
    return [each for each in _WORD.findall(inner) if each not in _WRAPPERS]
