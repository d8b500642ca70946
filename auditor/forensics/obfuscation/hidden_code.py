"""Places of a text in which code hides what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from auditor.constant_folding.decoded_literals import decode_once
from auditor.constant_folding.expression_folding import Folding
from auditor.constant_folding.folded_values import FoldedExpression
from auditor.constant_folding.literal_tokens import JOINING_LANGUAGES
from auditor.constant_folding.source_windows import anchors
from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.obfuscation.decoded_runs import runner_name, unreadable_runs
from auditor.forensics.obfuscation.escaped_names import (
    escaped_names,
    escaped_strings,
    generated_names,
    look_alike_names,
)
from auditor.forensics.obfuscation.expression_context import Use, call_aliases, uses
from auditor.forensics.obfuscation.hidden_line_breaks import hidden_line_breaks
from auditor.forensics.obfuscation.hidden_names import Names, hidden_names, named_in
from auditor.forensics.obfuscation.shell_disguises import SHELL_LANGUAGES, decoded_commands, disguised_commands
from auditor.forensics.obfuscation.shown_text import shown_text
from auditor.forensics.source_text.embedded_code import shebang_language
from auditor.forensics.source_text.site_probe_types import Site, Text

_CODE = frozenset({"python", "javascript", "typescript", "ruby", "vue", "svelte", "astro", "html", "htm", "ejs"})
"""Languages in which names are looked for."""
_DECODING = frozenset(
    {"base64", "hex", "rot13", "compressed", "character codes", "base32", "base85", "reversed", "replaced", "escapes"}
)
_ESCAPED_LETTER = re.compile(r"\\(?:x(?:[46][1-9A-Fa-f]|[57][0-9Aa])|1[0-7][0-7])")
"""A letter of ASCII that is written by its number."""
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$]*)*\Z")
_MIN_NAME, _MAX_NAME = 2, 60
_CODE_TEXT = re.compile(
    r"\b(?:__import__|eval|exec|execSync|system|popen|spawn|getattr|compile)\s{0,3}\(|\bimport\s+(?:os|sys|subprocess|socket|base64|requests|urllib)\b|\brequire\s{0,3}\(\s{0,3}['\"]|child_process"
    r"|\bsubprocess\.|\bos\.(?:system|popen|environ)|\b(?:curl|wget)\s[^\n]{0,200}\||\bprocess\.env\b|new\s+Function\b|/dev/tcp/|document\.cookie"
    rf"|(?:/bin/|\|\s{{0,3}}){UNIX_SHELL}\b"
)
"""Text that is code which starts something, imports something, or reads what is secret."""
_HIDDEN_NAME = "The name {call} is built at run time and cannot be found by a search: write it out"
_DECODED_RUN = "Encoded text is decoded and run: "
_DECODED_CODE = "Encoded text contains code: "
_MIN_CODE = 12
_MAX_EXPRESSIONS = 5_000


def obfuscations(text: Text) -> Iterator[Site]:
    """Every place of a text in which code hides what it does."""
    language = text.language or shebang_language(text.content)
    if language != text.language:
        text = Text(text.content, language)
    yield from hidden_line_breaks(text)
    if language in _CODE:
        yield from _in_code(text)
    if language in SHELL_LANGUAGES:
        yield from disguised_commands(text)
    yield from decoded_commands(text)


def _in_code(text: Text) -> Iterator[Site]:
    source = text.content
    yield from look_alike_names(text)
    yield from generated_names(text)
    names = hidden_names()
    if not _may_hide(source, text.language, names):
        return
    folding = Folding(source, text.language)
    yield from escaped_names(text, folding.tokens)
    aliases = call_aliases(folding.tokens, frozenset(chain(names.lookups, names.runners, names.tables)))
    lines: set[int] = set()
    for expression in folding.expressions[:_MAX_EXPRESSIONS]:
        site = _judged(text, expression, names, uses(folding.tokens, expression, aliases))
        if site is not None and site.line not in lines:
            lines.add(site.line)
            yield site
    others = chain(escaped_strings(text, folding.tokens), unreadable_runs(text, folding.tokens, names, aliases))
    for site in others:
        if site.line not in lines:
            lines.add(site.line)
            yield site


def _may_hide(source: str, language: str, names: Names) -> bool:
    """Does a source hold a sign without which nothing in it is hidden?"""
    return (
        "\\u" in source
        or _ESCAPED_LETTER.search(source) is not None
        or any(each in source for each in names.decoders)
        or bool(anchors(source, of_words=True, adjacent=language in JOINING_LANGUAGES))
    )


def _judged(text: Text, expression: FoldedExpression, names: Names, used: list[Use]) -> Site | None:
    """What is to be said of an expression that results in a constant text."""
    steps = expression.value.steps - {"name"}
    folded = expression.text
    if not steps or len(folded) < _MIN_NAME:
        return None
    lookup = any(_looks_up(each, names) for each in used)
    runner = any(runner_name(each.name, names) and each.argument >= 0 for each in used)
    certainty = (0.95, _ON_PURPOSE) if lookup else (0.85, _ELSEWHERE)
    if _is_hidden_name(expression, names, lookup=lookup):
        return Site(*_lines(text, expression), _HIDDEN_NAME, folded[:_MAX_NAME], *certainty)
    word = _split_word(expression, names, alone=lookup or runner)
    if word:
        return Site(*_lines(text, expression), _HIDDEN_NAME, word, *certainty)
    if steps & _DECODING - {"escapes", "replaced"} or (runner and steps & _DECODING):
        return _decoded(text, expression, runner=runner)
    return None


_ELSEWHERE = "where the name is used was not analysed"
_ON_PURPOSE = "a program may hide a name for an honest reason"


def _decoded(text: Text, expression: FoldedExpression, *, runner: bool) -> Site | None:
    """A text that had to be decoded: is it run, or does it read like code?"""
    folded = expression.text
    for _ in range(2):
        more = decode_once(folded)
        folded = folded if more is None else more[0]
    if runner and _is_readable(folded):
        return Site(*_lines(text, expression), f"{_DECODED_RUN}{shown_text(folded)}")
    if _is_readable(folded) and len(folded) > _MIN_CODE and _CODE_TEXT.search(folded):
        reason = "whether it is run was not analysed"
        return Site(*_lines(text, expression), f"{_DECODED_CODE}{shown_text(folded)}", "", 0.8, reason)
    return None


def _is_readable(text: str) -> bool:
    return sum(each.isprintable() or each in "\r\n\t" for each in text) > 0.95 * len(text)


def _looks_up(use: Use, names: Names) -> bool:
    if use.argument < 0:
        return use.called or bool(named_in(use.name, names.tables))
    named = named_in(use.name, names.lookups)
    return bool(named) and names.lookups[named] == use.argument


def _is_hidden_name(expression: FoldedExpression, names: Names, *, lookup: bool) -> bool:
    """Is a name hidden: a dangerous one anywhere, any other where it is looked up?"""
    folded = expression.text.strip()
    steps = expression.value.steps - {"name"}
    if folded in names.sensitive:
        return expression.complete and (
            not expression.value.named or lookup or bool(steps & _DECODING) or _is_split(expression)
        )
    if not lookup or not _IDENTIFIER.match(folded) or len(folded) > _MAX_NAME or not expression.complete:
        return False
    if steps & _DECODING:
        return True
    return not expression.value.named and _is_split(expression)


def _is_split(expression: FoldedExpression) -> bool:
    """Is a word cut in two, where no part of it ends?"""
    folded = expression.text
    return any(_is_inside_word(folded, at) for at in _joints(expression))


def _is_inside_word(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and not (before.islower() and after.isupper()) and not after.isdigit()


def _joints(expression: FoldedExpression) -> list[int]:
    """Places of the text at which two strings meet."""
    found, at = [], 0
    for each in expression.value.segments[:-1]:
        at += len(each.text)
        if 0 < at < len(expression.text):
            found.append(at)
    return found


_USED_BEFORE, _USED_BEHIND = re.compile(r"(?:\.|\bimport\s|\bfrom\s)\Z"), re.compile(r"\s?[(.\[]\w?")


def _split_word(expression: FoldedExpression, names: Names, *, alone: bool) -> str:
    """A dangerous name in a longer text that is cut in two, and used there as code uses names, unless all of the text is run."""
    joints = _joints(expression)
    if not joints:
        return ""
    for found in names.words.finditer(expression.text):
        if not any(found.start() < at < found.end() and _is_inside_word(expression.text, at) for at in joints):
            continue
        behind = _USED_BEHIND.match(expression.text, found.end())
        if alone or _USED_BEFORE.search(expression.text[: found.start()][-20:]) or behind is not None:
            return found[0]
    return ""


def _lines(text: Text, expression: FoldedExpression) -> tuple[int, int]:
    first = text.content.count("\n", 0, expression.start) + 1
    return first, first + text.content.count("\n", expression.start, expression.end)
