"""Commands of a shell that are written so that a search does not find them, and encoded text that is piped into one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.constant_folding.literal_tokens import unescaped
from auditor.constant_folding.text_calls import decode_base64, decode_hex
from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.obfuscation.hidden_names import hidden_names
from auditor.forensics.obfuscation.shown_text import shown_text
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_COMMAND
from auditor.forensics.source_text.site_probe_types import Site, Text

SHELL_LANGUAGES = frozenset({"", "shell", "ksh", "dash", "yml", "yaml", "mk", "dockerfile"})
"""Languages and suffixes of files that hold commands; those without one are scripts, Makefiles and Dockerfiles."""
_DECODE_AND_RUN = re.compile(DECODE_AND_RUN_COMMAND)
_DECODE_WORDS = ("base64", "base32", "xxd", "openssl", "uudecode")
_PAYLOAD = re.compile(r"(?<![\w+/=-])([A-Za-z0-9+/]{12,20000}={0,2})(?![\w+/=-])")
_MAX_LINES = 20_000
_MAX_LINE = 20_000
_COMMAND_START = r"(?:^|[;&|(`]|\bthen|\bdo|\belse|\bexec|\bsudo|\benv|\$\(|-\s?run:|\brun:)[ \t]{0,20}"
_PIECES = re.compile(
    _COMMAND_START + r"""((?:[a-z0-9]|\\[a-z]|""|''|"[a-z0-9]{1,12}"|'[a-z0-9]{1,12}'){2,40})(?=[ \t;|&)]|$)"""
)
_ESCAPED_WORD = re.compile(r"""\$'((?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\u[0-9a-fA-F]{4}|[\w /.-]){2,400})'""")
_ESCAPED_PRINT = re.compile(
    r"""\b(?:printf|echo\s{1,3}-n?e)\s{1,3}["']((?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\u[0-9a-fA-F]{4}|[\w /.:-]){4,4000})(?:\\n)?["']\s{0,3}\|\s{0,3}(?:sudo\s)?(?:/bin/|/usr/bin/)?"""
    rf"{UNIX_SHELL}\b"
)
_REVERSED = re.compile(
    r"""(?:\brev\s{0,3}<<<\s{0,3}["']?([^"'\n|;)]{2,400})["']?|\becho\s{1,3}["']?([^"'\n|;)]{2,400}?)["']?\s{0,3}\|\s{0,3}rev\b)[^\n]{0,60}?"""
    rf"(?:\|\s{{0,3}}{UNIX_SHELL}\b|\))"
)
_FIELD_SEPARATOR = re.compile(r"(?<=[a-z])\$(?:\{IFS(?:%\?\?)?\}|IFS(?:\$9)?)(?=[\w/'\"$.-])")
_VARIABLE = re.compile(
    r"""(?:^|[;\s])([A-Za-z_]\w{0,30})=(?:"([\w/.-]{1,40})"|'([\w/.-]{1,40})'|([\w/.-]{1,40}))(?=[\s;]|$)"""
)
_JOINED_VARIABLES = re.compile(
    _COMMAND_START
    + r"""["']?((?:\$\{?[A-Za-z_]\w{0,30}\}?){2,8}|(?>(?:\$\{[A-Za-z_]\w{0,30}\}|[a-z]{1,8}+){2,8}))["']?(?=[ \t;|&)]|$)"""
)
_STATEMENT = "The command {call} is written in pieces, so a search for it finds nothing: write it out"


def disguised_commands(text: Text) -> Iterator[Site]:
    """Commands that are written in pieces, escaped or reversed."""
    names = hidden_names().commands
    variables = _variables(text)
    for number, line in enumerate(text.lines[:_MAX_LINES], start=1):
        if line.lstrip().startswith("#") or len(line) > _MAX_LINE or not _may_hide(line):
            continue
        for command in _hidden_commands(line, variables):
            if command.split(" ")[0].rpartition("/")[2] in names:
                yield Site(number, number, _STATEMENT, command[:60], 0.9, _NO_SHELL)
                break
        if _FIELD_SEPARATOR.search(line) and "IFS=" not in line:
            yield Site(
                number,
                number,
                "`$IFS` takes the place of a space, which hides the words of a command",
                "",
                0.8,
                _FILTER,
            )
        yield from _printed(number, line)


_NO_SHELL = "whether a shell reads the line was not analysed"
_FILTER = "it may be needed to get around a filter for a test"


def _may_hide(line: str) -> bool:
    return "'" in line or '"' in line or "\\" in line or "$" in line or "rev" in line


def _variables(text: Text) -> dict[str, str]:
    found: dict[str, str] = {}
    if "=" not in text.content or "$" not in text.content:
        return found
    for each in _VARIABLE.finditer(text.content):
        found[each[1]] = next(value for value in each.groups()[1:] if value is not None)
    return found


def _hidden_commands(line: str, variables: dict[str, str]) -> Iterator[str]:
    for found in _PIECES.finditer(line):
        written = found[1]
        plain = re.sub(r"[\"'\\]", "", written)
        whole = written.strip("\"'") == plain and written[0] in "\"'"
        if plain != written and not whole:
            yield plain
    for found in _ESCAPED_WORD.finditer(line):
        plain, needless = unescaped(found[1])
        if needless:
            yield plain
    for found in _REVERSED.finditer(line):
        yield (found[1] or found[2]).strip()[::-1]
    for found in _JOINED_VARIABLES.finditer(line):
        parts = re.findall(r"\$\{?([A-Za-z_]\w*)\}?|([a-z]+)", found[1])
        values = [variables.get(name, "") if name else plain for name, plain in parts]
        if len(values) > 1 and all(values) and _cuts_name(values):
            yield "".join(values)


def _cuts_name(values: list[str]) -> bool:
    """Is the name of a command cut, and not only its folder put before it?"""
    return "/" not in values[-1] and not values[-2].endswith("/")


def _printed(number: int, line: str) -> Iterator[Site]:
    """Escaped text that is printed into a shell."""
    for found in _ESCAPED_PRINT.finditer(line):
        plain, needless = unescaped(found[1])
        if needless:
            yield Site(number, number, f"Encoded text is decoded and run: {shown_text(plain)}")


def decoded_commands(text: Text) -> Iterator[Site]:
    """Command lines of any file that decode a text that is written there, and run it: with that text."""
    if not any(word in text.content for word in _DECODE_WORDS):
        return
    for number, line in enumerate(text.lines[:_MAX_LINES], start=1):
        if (
            len(line) > _MAX_LINE
            or line.lstrip().startswith(("#", "//"))
            or not any(word in line for word in _DECODE_WORDS)
        ):
            continue
        if _DECODE_AND_RUN.search(line) is None:
            continue
        for payload in _PAYLOAD.finditer(line):
            plain = decode_hex(payload[1]) if "xxd" in line else decode_base64(payload[1])
            if (
                plain is not None
                and plain.isascii()
                and plain.strip()
                and all(each.isprintable() or each in "\r\n\t" for each in plain)
            ):
                yield Site(number, number, f"Encoded text is decoded and run: {shown_text(plain)}")
                break
