"""Names in code that are written so that a search does not find them: escapes, letters of other alphabets, generated names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from auditor.constant_folding.literal_tokens import ESCAPED_NAME, NAME, STRING, Token, string_body, tokens, unescaped
from auditor.forensics.obfuscation.hidden_names import hidden_names
from auditor.forensics.source_text.site_probe_types import Site, Text

_ESCAPE_LANGUAGES = frozenset({"javascript", "typescript", "vue", "svelte", "astro", "html", "htm", "ejs"})
"""Languages in which a name may hold escapes."""
_MIN_LETTERS = 3
_GENERATED_NAME = re.compile(r"\b_0x[0-9a-f]{2,8}\b")
_MIN_GENERATED = 12
_MIN_NEGATED_LISTS = 3
"""`![]` is how such code writes `false`; nobody else does so again and again."""
_ONLY_SIGNS = re.compile(r"[\[\]()!+]{50,}")


def escaped_names(text: Text, found: Iterable[Token]) -> Iterator[Site]:
    r"""Names with letters written as escapes, which need none: `\u0065val`."""
    if text.language not in _ESCAPE_LANGUAGES:
        return
    for token in found:
        if token.kind == ESCAPED_NAME:
            name, needless = unescaped(token.text)
            if needless and name.isascii() and name.replace("$", "_").isidentifier() and len(name) >= _MIN_LETTERS:
                yield _escaped(text, token, name)


def _escaped(text: Text, token: Token, name: str, confidence: float = 1.0, reason: str = "") -> Site:
    line = text.content.count("\n", 0, token.start) + 1
    statement = "The name {call} is written with escapes, so a search for it finds nothing: write it out"
    return Site(line, line, statement, name, confidence, reason)


def escaped_strings(text: Text, found: Iterable[Token]) -> Iterator[Site]:
    r"""Dangerous names in strings with letters written as escapes, such as `"\x65val"`, wherever they are kept."""
    for token in found:
        if token.kind == STRING and "\\" in token.text and "r" not in token.prefix:
            start, end = string_body(token)
            name, needless = unescaped(text.content[start:end])
            if needless and name in hidden_names().sensitive:
                yield _escaped(text, token, name, 0.85, "where the name is used was not analysed")


def look_alike_names(text: Text) -> Iterator[Site]:
    r"""Names of Python in letters that the interpreter takes for plain ones: `\uff45val` is `eval`."""
    if text.language != "python" or text.content.isascii():
        return
    if text.plain == text.content:
        return
    for token in tokens(text.content, "python"):
        if token.kind == NAME and not token.text.isascii():
            name = unicodedata.normalize("NFKC", token.text)
            changed = sum(not each.isascii() for each in token.text)
            if name.isascii() and len(name) >= _MIN_LETTERS and changed and _is_word(token.text):
                line = text.content.count("\n", 0, token.start) + 1
                yield Site(
                    line,
                    line,
                    "The name {call} is written in other letters that Python reads as these: write it in plain letters",
                    name,
                )


def _is_word(name: str) -> bool:
    """Is more written in such letters than one sign of mathematics, as in `x_\u2095`?"""
    return sum(not each.isascii() for each in name) > 1 or any(
        "FULLWIDTH" in unicodedata.name(each, "") for each in name
    )


def generated_names(text: Text) -> Iterator[Site]:
    """Marks of programs that make JavaScript unreadable."""
    if text.language not in _ESCAPE_LANGUAGES:
        return
    source = text.content
    if "_0x" in source:
        found = list(_GENERATED_NAME.finditer(source))
        if len(found) >= _MIN_GENERATED:
            line = source.count("\n", 0, found[0].start()) + 1
            yield Site(
                line,
                line,
                "Names such as {call} were made by an obfuscator: commit the source instead",
                found[0][0],
                0.9,
                "a person may have chosen them",
            )
    runs = _ONLY_SIGNS.finditer(source) if "![]" in source else iter(())
    signs = next((each for each in runs if each[0].count("![]") >= _MIN_NEGATED_LISTS), None)
    if signs is not None:
        line = source.count("\n", 0, signs.start()) + 1
        yield Site(line, line, "Code is written in brackets and signs only, so nobody can review it")
