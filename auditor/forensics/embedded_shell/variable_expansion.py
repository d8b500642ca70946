"""Variables of a shell script that stand for commands, as in `$FETCH | $RUN`, replaced by those commands."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ASSIGNED = re.compile(
    r"(?:^|[;&])[ \t]*(?:(?:export|readonly|local|typeset|declare)[ \t]+(?:-\w+[ \t]+)?)?(?P<name>[A-Za-z_]\w{0,60})="
    r"(?:'(?P<raw>[^'\n]{1,2000})'|\"(?P<text>[^\"$`\\\n]{1,2000})\"|(?P<word>[\w@%+:,./-]{1,200}))[ \t]*(?=$|[;&#])",
    re.MULTILINE,
)
_AS_COMMAND = re.compile(
    r"(?P<before>(?:^|[|;&(`]|\b(?:then|do|else|exec|sudo))[ \t]*)(?P<quote>\"?)\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\})(?P=quote)(?=[\s|;&)]|$)",
    re.MULTILINE,
)
_MAX_LENGTH = 200_000


def expand_command_variables(text: str, environment: Mapping[str, str]) -> str:
    """The script with each variable that begins a command replaced by its constant value; line numbers stay as they are."""
    if "$" not in text or len(text) > _MAX_LENGTH:
        return text
    known = {name: value for name, value in environment.items() if "$" not in value and "\n" not in value}
    assigned: dict[str, set[str]] = {}
    for found in _ASSIGNED.finditer(text):
        value = found["raw"] or found["text"] or found["word"]
        assigned.setdefault(found["name"], set()).add(value)
    known |= {name: min(values) for name, values in assigned.items() if len(values) == 1}
    return _AS_COMMAND.sub(lambda found: _expanded(found, known), text)


def _expanded(found: re.Match[str], known: Mapping[str, str]) -> str:
    value = known.get(found["plain"] or found["braced"], "")
    return f"{found['before']}{value}" if value else found[0]
