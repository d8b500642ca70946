r"""Characters that end a line or a comment for the compiler and not for a reader: what follows them is code that looks like a comment.

Java and older Scala replace `\u000a` by a line feed before they read tokens, comments included (JLS 3.3). JavaScript ends a line at
U+2028, C# at U+0085 as well, and many languages at a carriage return that no line feed follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from auditor.forensics.source_text.programming_languages import (
    comment_marks,
    languages_with_early_escapes,
    line_ends,
)
from auditor.forensics.source_text.site_probe_types import Site, Text

_TOKEN = re.compile(
    r"(?P<line>//[^\n]*+)|(?P<block>/\*(?>(?:[^*]++|\*(?!/))*)(?:\*/)?)"
    r'|"""(?>(?:[^"\\]++|\\[\s\S]|"(?!""))*)(?:""")?'
    r'|(?P<text>"(?>(?:[^"\\\n]++|\\[^\n])*)"?)'
    r"|'(?:\\u+[0-9a-fA-F]{4}|\\[^\n]|[^'\\\n])'"
)
"""Comments, texts and characters of Java, whichever starts first."""
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(?P<escape>\\u+00(?P<code>[0-7][0-9a-fA-F]))")
"""An escape of a character of ASCII: one behind an odd number of backslashes is none."""
_SLASH = re.compile(r"/|\\u+002[fF]")
_LINE_END = frozenset("\r\n")
_MAX_SITES = 20
_ESCAPED = (
    "The compiler replaces Unicode escape `{}` before it reads comments and strings, so that what follows is code"
)
_CHARACTER = "Character `{}` ends the comment for the compiler, not in an editor: what follows it on the line is code"
_NAMES = {"\r": "U+000D", "\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029"}


def hidden_line_breaks(text: Text) -> Iterator[Site]:
    """The places of a text at which code begins that looks like a part of a comment or a text."""
    if text.language in languages_with_early_escapes() and "\\u" in text.content:
        yield from _early_escapes(text.content)
    ends = line_ends(text.language)
    if any(each in text.content for each in ends):
        yield from _ended_comments(text, ends)


def _early_escapes(source: str) -> Iterator[Site]:
    """Escapes of characters that end a comment or a text, and those outside of both."""
    found = dict(_escapes(source))
    if not found:
        return
    spans = [(each.start(), each.end(), each.lastgroup) for each in _TOKEN.finditer(source)]
    at = 0
    sites = 0
    for place, escape in sorted(found.items()):
        while at < len(spans) and spans[at][1] <= place:
            at += 1
        kind = spans[at][2] or "other" if at < len(spans) and spans[at][0] <= place else "code"
        if sites < _MAX_SITES and _is_read_as_code(kind, source, place, escape):
            sites += 1
            line = source.count("\n", 0, place) + 1
            yield Site(line, line, _ESCAPED.format(escape))


def _escapes(source: str) -> Iterator[tuple[int, str]]:
    for found in _ESCAPE.finditer(source):
        yield found.start("escape"), found["escape"]


def _is_read_as_code(kind: str, source: str, place: int, escape: str) -> bool:
    """Does an escape end what it is in? One outside of texts and comments always is code."""
    character = chr(int(escape[-2:], 16))
    if kind == "line":
        return character in _LINE_END
    if kind == "block":
        before = source[max(0, place - 12) : place]
        ends = character == "*" and _SLASH.match(source, place + len(escape)) is not None
        return ends or (character == "/" and re.search(r"(?:\*|\\u+002[aA])$", before) is not None)
    return kind == "code" or (kind == "text" and character == '"')


def _ended_comments(text: Text, ends: frozenset[str]) -> Iterator[Site]:
    """Comments of one line that end before the line does."""
    sites = 0
    form = _ended_comment(text.language)
    for number, line in enumerate((each.rstrip("\r") for each in text.lines), start=1):
        if sites < _MAX_SITES and any(each in line for each in ends) and (found := form.match(line)) is not None:
            sites += 1
            statement = _CHARACTER.format(_NAMES[found["end"]])
            yield Site(number, number, statement, "", 0.95, "an editor may have left it by accident")


@cache
def _ended_comment(language: str) -> re.Pattern[str]:
    """A line with a comment that one of the characters ends, and something but a comment behind it."""
    marks = [each for each in comment_marks(language) or ("#",) if each not in {"/*", "<!--"}]
    either = "|".join(map(re.escape, marks))
    ends = "".join(map(re.escape, sorted(line_ends(language))))
    quoted = "|".join(rf"{quote}(?>(?:[^{quote}\\]++|\\.)*){quote}" for quote in "\"'`")
    before = rf"(?>(?:{quoted}|(?!{either})[\s\S])*)"
    return re.compile(rf"{before}(?:{either})[^{ends}]*+(?P<end>[{ends}])\s*(?!{either}|\s|\Z)")
