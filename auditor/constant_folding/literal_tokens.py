"""Tokens of source text as far as strings are concerned: the same for all languages, forgiving, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.constant_folding.escape_sequences import decode_with_numbers, string_escapes

STRING, NAME, NUMBER, SIGN, ESCAPED_NAME = "string", "name", "number", "sign", "escaped name"
MAX_TOKENS = 400_000
_HASH_LANGUAGES = frozenset(
    {"python", "ruby", "shell", "yml", "yaml", "toml", "perl", "r", "elixir", "julia", "nim", "crystal"}
)
_SLASH_LANGUAGES = frozenset(
    {"javascript", "typescript", "go", "java", "kotlin", "csharp", "c", "cpp", "rust", "swift", "scala", "dart", "vue", "svelte", "astro"}
)  # fmt: skip
JOINING_LANGUAGES = frozenset({"python", "ruby", "c", "cpp", "shell", ""})
"""Languages in which strings that are next to each other are one; of an unknown one they may be."""
_TOKEN = re.compile(
    r"""\s*+(?:(?P<comment>/\*|//[^\n]*+|\#(?![\w$]{1,60}+\s{0,3}[=(;])[^\n]*+)
    |(?P<prefix>[rRbBuUfF]{1,2}|[$@])?(?P<quote>\"\"\"|'''|["'`])
    |(?P<name>[^\W\d][\w$]*+(?>(?:(?:\.|\?\.|::)[^\W\d][\w$]*+)*)|\$[\w$]*+(?>(?:\.[^\W\d][\w$]*+)*))
    |(?P<number>0[xX](?:_?[0-9a-fA-F]){1,1000}|\d(?:_?\d){0,1000})
    |(?P<sign>\+=|=>|===?|!==?|\.\.\.?|::|<<|[^\s\w]))""",
    re.VERBOSE,
)
_ENDS = {
    '"': re.compile(r'(?>(?:[^"\\\n]|\\.)*)"', re.DOTALL),
    "'": re.compile(r"(?>(?:[^'\\\n]|\\.)*)'", re.DOTALL),
    "`": re.compile(r"(?>(?:[^`\\]|\\.)*)`", re.DOTALL),
    '"""': re.compile(r'(?>(?:[^"\\]|\\.|"(?!""))*)"""', re.DOTALL),
    "'''": re.compile(r"(?>(?:[^'\\]|\\.|'(?!''))*)'''", re.DOTALL),
}
_ESCAPED_NAME = re.compile(r"(?>(?:[\w$]|\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\}))+)")
_REGEX = re.compile(r"/(?![/*])(?>(?:[^/\\\n\[]|\\.|\[(?>(?:[^\]\\\n]|\\.){0,200})\]){1,500})/[a-z]{0,8}")
_BEFORE_REGEX = frozenset("(,=:[!&|?{};") | {"=>", "==", "===", "!=", "!==", "+="}
_WORDS_BEFORE_REGEX = frozenset({"return", "typeof", "case", "in", "of", "and", "or", "if", "unless", "when"})


class Token(NamedTuple):
    """A token: its kind, place and text. A string's text has its quotation marks."""

    kind: str
    start: int
    end: int
    text: str
    prefix: str = ""
    """Letters before the quotation mark of a string, in small letters."""


def tokens(source: str, language: str = "") -> list[Token]:
    """The tokens of a source, without comments and regular expressions; of an unknown language both kinds of comments are."""
    return list(_tokens(source, language))


def _tokens(source: str, language: str) -> Iterator[Token]:
    at, before = 0, ""
    unclosed: dict[str, int] = {}
    hashes, slashes = language not in _SLASH_LANGUAGES, language not in _HASH_LANGUAGES
    for _ in range(MAX_TOKENS):
        found = _TOKEN.match(source, at)
        if found is None:
            return
        kind, start = found.lastgroup, found.start(found.lastgroup or 0)
        at = found.end()
        if kind == "comment":
            at = _behind_comment(source, start, at) if (hashes if source[start] == "#" else slashes) else start + 1
            continue
        if source[start] == "#" and language in _HASH_LANGUAGES and before != "$":
            line = source.find("\n", at)
            at = len(source) if line < 0 else line
            continue
        if kind == "quote":
            end = _string_end(source, found["quote"], at, unclosed)
            at = end or found.end()
            token = Token(STRING, start, at, source[start:at], (found["prefix"] or "").lower()) if end else None
        elif source.startswith("\\u", start if kind == "sign" else at) and kind in {"name", "sign"}:
            escaped = _ESCAPED_NAME.match(source, start)
            at = escaped.end() if escaped is not None else at
            token = Token(ESCAPED_NAME, start, at, source[start:at])
        elif source[start] == "/" and (before in _BEFORE_REGEX or before in _WORDS_BEFORE_REGEX or not before):
            regex = _REGEX.match(source, start)
            at = regex.end() if regex is not None else at
            token = None
        else:
            token = Token(_KINDS[kind or "sign"], start, at, source[start:at])
        if token is not None:
            before = token.text if token.kind in {SIGN, NAME} else " "
            yield token


_KINDS = {"name": NAME, "number": NUMBER, "sign": SIGN}


def _behind_comment(source: str, start: int, end: int) -> int:
    if not source.startswith("/*", start):
        return end
    closed = source.find("*/", end)
    return len(source) if closed < 0 else closed + 2


def _string_end(source: str, quote: str, at: int, unclosed: dict[str, int]) -> int:
    """Where a string ends; 0 where nothing closes it. What was looked through in vain is not looked through again."""
    if at < unclosed.get(quote, 0):
        return 0
    found = _ENDS[quote].match(source, at)
    if found is not None:
        return found.end()
    line = source.find("\n", at)
    unclosed[quote] = len(source) if len(quote) == 3 or quote == "`" or line < 0 else line
    return 0


def unescaped(text: str) -> tuple[str, bool]:
    """The text without its escapes; was a plain letter, digit or `_` written by its number, which needs no escape?"""
    if "\\" not in text:
        return text, False
    decoded = decode_with_numbers(text, string_escapes())
    return decoded.text, any(each == "_" or (each.isascii() and each.isalnum()) for each in decoded.by_number)


def string_body(token: Token) -> tuple[int, int]:
    """Where the text between the quotation marks of a string begins and ends."""
    width = 3 if token.text[:3] in {'"""', "'''"} and len(token.text) >= 6 else 1
    return token.start + width, token.end - width
