r"""Operands that a shell evaluates: `[[ $x -gt 1 ]]` runs the command in an `x` of `a[$(command)]`, unless `x` is known to be a number.

Arithmetic takes the text of a variable for an expression, and that of a name (`unset "$x"`, `${!x}`) for an element of an array; both
expand the index. A variable is harmless where all that a script assigns to it is a number or a constant, or where the script compares
it with a form. See "Bash Pitfalls" 62 and https://www.gnu.org/software/bash/manual/bash.html#Shell-Arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

_MAX_DEPTH = 4
_MAX_LINE = 2_000
_SUBSTITUTION = re.compile(r"\$\((?!\()(?P<command>[^()]*(?:\([^()]*\)[^()]*)*)\)|`(?P<older>[^`]*)`")
_VARIABLE = re.compile(r"\$(?:\{(?P<length>#?)(?P<braced>\w+)(?P<rest>[^{}]*)\}|(?P<plain>\w+)|[#?$!@*-])")
_BARE_NAME = re.compile(r"(?<![\w$#'\"])[A-Za-z_]\w*(?!\w|\()")
_ONLY_DIGITS = re.compile(r"(?://\[(?:[!^]0-9|[!^]\[:digit:\])\]/?|%%\[[!^]0-9\]\*)$")
"""What takes all but digits away, as in `${x//[!0-9]/}`."""
_OWN_NUMBERS = re.compile(
    r"(?:BASHPID|BASH_SUBSHELL|COLUMNS|EPOCHSECONDS|EUID|GROUPS|HISTCMD|LINENO|LINES|OPTIND|PIPESTATUS|PPID|RANDOM|SECONDS|SHLVL|SRANDOM|UID)$"
)
_NUMBER_COMMAND = re.compile(
    r"\b(?:date\s[^|]*\+[\"']?%[-_0]?[CdHIjmMNsSuUVwWyY][\"']?|expr|id\s+-[ug]|nproc|seq|stat\s+-[cf]|tput\s+(?:cols|lines)|wc|grep\s+-\w*c\w*|du\s+-\w*s\w*|printf\s+[\"']?%\d*d|getconf|pgrep|jq\s[^|]*\blength\b[^|]*)\b[^|]*$"
    r"|\|\s*wc\b[^|]*(?:\|\s*tr\b[^|]*|\|\s*awk\b[^|]*)?$|\bcut\b[^|]*\bversion\b|\btr\s+-\w*c\w*d\w*\s+[\"']?(?:0-9|\[:digit:\])"
)
"""Programs that print a number, as the last of a pipeline or before it is trimmed."""
_CONSTANT = re.compile(r"[^$`]*$")


class ShellArithmetic:
    """The variables of a script, and which of them are known to be numbers or constants."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    @cached_property
    def _text(self) -> str:
        return "\n".join(line[:_MAX_LINE] for line in self._lines)

    def unproved_name(self, operands: str, *, are_names: bool) -> str:
        """The first variable in some operands that may hold any text; empty for none. Names are read through `$` alone."""
        without = _SUBSTITUTION.sub(" 0 ", operands)
        for found in _SUBSTITUTION.finditer(operands):
            command = found["command"] or found["older"] or ""
            if not _NUMBER_COMMAND.search(command):
                return command.split(" ")[0] or "$()"
        for name, rest in _read(without):
            if not _ONLY_DIGITS.search(rest) and not self._is_proved(name, 0):
                return name
        if are_names:
            return ""
        bare = _BARE_NAME.findall(_VARIABLE.sub(" ", without))
        return next((name for name in bare if self._assigned(name) and not self._is_proved(name, 0)), "")

    def is_integer(self, name: str) -> bool:
        """Is a variable declared to be a number, so that what is assigned to it is calculated?"""
        return re.search(rf"\b(?:declare|local|typeset|readonly)\s+-\w*i\w*\s[^\n;]*\b{name}\b", self._text) is not None

    def is_associative(self, name: str) -> bool:
        """Is a variable a table by texts, whose keys are not calculated?"""
        return re.search(rf"\b(?:declare|local|typeset|readonly)\s+-\w*A\w*\s[^\n;]*\b{name}\b", self._text) is not None

    def _is_proved(self, name: str, depth: int) -> bool:
        if _OWN_NUMBERS.match(name) or self._is_compared(name):
            return True
        given = self._assigned(name)
        return depth < _MAX_DEPTH and bool(given) and all(self._is_fixed(each, depth) for each in given)

    def _is_compared(self, name: str) -> bool:
        """Does the script compare the whole of a variable with a form, or look for what is no digit in it?"""
        read = rf"\"?\$\{{?{name}(?:[:-][^{{}}\n]*)?\}}?\"?"
        form = rf"{read}\s+=~\s+\^|\bcase\s+{read}\s+in\b[^\n]*(?:\n[^\n]*){{0,3}}?\[[!^](?:0-9|\[:digit:\])|{read}\s+[!=]=\s+\*\[[!^]0-9|{read}\s*\|\s*grep\s+-\w*[Eqx]\w*\s"
        return re.search(form, self._text) is not None

    def _assigned(self, name: str) -> list[str]:
        """All that the script assigns to a variable; nothing where it does not, `$` where it is read from elsewhere."""
        if name.isdecimal():
            return ["$"]
        form = rf"(?<![\w$])(?:{name}\+?=(?P<value>\"[^\"\n]*\"|'[^'\n]*'|\$\(\([^\n]*?\)\)|(?:\$\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|[^\s;&|)])*)|for\s+{name}\s+in\s(?P<listed>[^\n;]*)|(?P<counted>\(\(\s*{name}\s*=(?!=)))"
        found = [each["value"] or each["listed"] or "0" for each in re.finditer(form, self._text)]
        if re.search(rf"\b(?:read|mapfile|readarray|getopts)\b[^\n;|]*\s{name}\b", self._text):
            found.append("$")
        return found

    def _is_fixed(self, value: str, depth: int) -> bool:
        """Is an assigned text a constant, a number, or made of such?"""
        if _CONSTANT.match(value) or value.startswith("$(("):
            return value != "$"
        commands = [found["command"] or found["older"] or "" for found in _SUBSTITUTION.finditer(value)]
        if not all(map(_NUMBER_COMMAND.search, commands)):
            return False
        without = _SUBSTITUTION.sub("", value)
        names = [name for name, rest in _read(without) if not _ONLY_DIGITS.search(rest)]
        return value != "$" and all(self._is_proved(name, depth + 1) for name in names)


def _read(text: str) -> Iterator[tuple[str, str]]:
    """The variables that are read with a `$`, and what is written behind the name in the braces; none for what is a number anyway."""
    for found in _VARIABLE.finditer(text):
        name = found["braced"] or found["plain"]
        if name and not found["length"]:
            yield name, found["rest"] or ""
