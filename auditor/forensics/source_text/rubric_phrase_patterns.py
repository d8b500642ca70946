"""Forms of words as a rubric writes them, made into patterns.

In a form, a blank stands for blanks, hyphens or underscores; `a|b` for either word; a star at the end of a word for any
further letters; three dots for up to eighty characters of the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from auditor.lazy_regex import lazy_compile

_LETTERS = "0-9A-Za-z\u00c0-\u024f\u0400-\u04ff"
"""Letters of scripts that put limits between words; beside others, such as Chinese, a word may stand anywhere."""
_GAP = r"[^.\u3002]{0,80}?"
_WORD_SEPARATOR = r"[\s_/\u2010-\u2015-]{1,4}"


def pattern(forms: Iterable[str]) -> re.Pattern[str]:
    """What finds any of the forms, case aside; nothing where there are none."""
    return combine_patterns(*(_form(each) for each in forms))


def combine_patterns(*expressions: str) -> re.Pattern[str]:
    """What finds any of several regular expressions, case aside; nothing where there are none."""
    return lazy_compile("|".join(expressions) if expressions else r"(?!)", re.IGNORECASE)


def _form(form: str) -> str:
    parts = [_phrase(each.split()) for each in form.split("...")]
    return _GAP.join(each for each in parts if each)


def _phrase(words: list[str]) -> str:
    if not words:
        return ""
    inner = _WORD_SEPARATOR.join(f"(?:{'|'.join(_word(each) for each in word.split('|') if each)})" for word in words)
    return rf"(?<![{_LETTERS}]){inner}"


def _word(word: str) -> str:
    more = word.endswith("*")
    plain = re.escape(word.removesuffix("*"))
    if not re.search(rf"[{_LETTERS}]$", word.removesuffix("*")):
        return plain
    return rf"{plain}[{_LETTERS}]*" if more else rf"{plain}(?![{_LETTERS}])"
