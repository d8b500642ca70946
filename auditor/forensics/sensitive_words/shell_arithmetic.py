r"""Operands that a shell evaluates: `[[ $x -gt 1 ]]` runs the command in an `x` of `a[$(command)]`, unless `x` is known to be a number.

Arithmetic takes the text of a variable for an expression, and that of a name (`unset "$x"`, `${!x}`) for an element of an array; both
expand the index. A variable is harmless where all that a script assigns to it is a number or a constant, or where the script compares
it with a form. See "Bash Pitfalls" 62 and https://www.gnu.org/software/bash/manual/bash.html#Shell-Arithmetic.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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


_READ = r"\"?\$\{?(?P<name>\w+)(?:[:-][^{}\n]{0,60})?\}?\"?"
_COMPARISONS = (
    re.compile(rf"{_READ}\s+(?:=~\s+\^|[!=]=\s+\*\[[!^]0-9)"),
    re.compile(rf"\bcase\s+{_READ}\s+in\b[^\n]*(?:\n[^\n]*){{0,3}}?\[[!^](?:0-9|\[:digit:\])"),
    re.compile(rf"{_READ}\s*\|\s*grep\s+-\w*[Eqx]\w*\s"),
)
"""The whole of a variable beside a form, or beside a search for what is no digit."""
_ASSIGNMENT = re.compile(
    r"(?<![\w$])(?:(?P<name>\w+)\+?=(?P<value>\"[^\"\n]*\"|'[^'\n]*'|\$\(\([^\n]*?\)\)|(?:\$\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|[^\s;&|)])*)"
    r"|for\s+(?P<each>\w+)\s+in\s(?P<listed>[^\n;]*)|\(\(\s*(?P<counted>\w+)\s*=(?!=))"
)
_FROM_ELSEWHERE = re.compile(r"\b(?:read|mapfile|readarray|getopts)\b(?P<names>[^\n;|]*)")
_DECLARATION = re.compile(r"\b(?:declare|local|typeset|readonly)\s+-(?P<flags>\w+)\s(?P<names>[^\n;]*)")


class ScriptVariables:
    """The variables of a script, and which of them are known to be numbers or constants."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._proved: dict[tuple[str, int], bool] = {}

    @cached_property
    def _text(self) -> str:
        return "\n".join(line[:_MAX_LINE] for line in self._lines)

    @cached_property
    def _assignments(self) -> Mapping[str, Sequence[str]]:
        """All that the script assigns to each variable; `$` for what is read from elsewhere."""
        given = defaultdict[str, list[str]](list)
        for found in _ASSIGNMENT.finditer(self._text):
            name = found["name"] or found["each"] or found["counted"]
            given[name].append(found["value"] or found["listed"] or "0")
        for read in _FROM_ELSEWHERE.finditer(self._text):
            for name in set(re.findall(r"(?<=\s)\w+", read["names"])):
                given[name].append("$")
        return given

    @cached_property
    def _compared(self) -> frozenset[str]:
        return frozenset(found["name"] for form in _COMPARISONS for found in form.finditer(self._text))

    @cached_property
    def _declared(self) -> Mapping[str, str]:
        """The flags that each variable is declared with."""
        flags = defaultdict[str, str](str)
        for found in _DECLARATION.finditer(self._text):
            for name in set(re.findall(r"\w+", found["names"])):
                flags[name] += found["flags"]
        return flags

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
        return "i" in self._declared.get(name, "")

    def is_associative(self, name: str) -> bool:
        """Is a variable a table by texts, whose keys are not calculated?"""
        return "A" in self._declared.get(name, "")

    def _is_proved(self, name: str, depth: int) -> bool:
        key = name, depth
        if key not in self._proved:
            self._proved[key] = _OWN_NUMBERS.match(name) is not None or name in self._compared or self._is_number(*key)
        return self._proved[key]

    def _is_number(self, name: str, depth: int) -> bool:
        given = self._assigned(name)
        return depth < _MAX_DEPTH and bool(given) and all(self._is_fixed(each, depth) for each in given)

    def _assigned(self, name: str) -> Sequence[str]:
        """All that the script assigns to a variable; nothing where it does not, `$` where it is read from elsewhere."""
        return ("$",) if name.isdecimal() else self._assignments.get(name, ())

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
