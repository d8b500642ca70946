"""Lines as plain words: lower case, names taken apart, disguises taken off, punctuation brought down to five marks."""

from __future__ import annotations

import re
import unicodedata

from auditor.lazy_regex import lazy_compile

_PLAIN = re.compile(r"[a-zà-öø-ÿ]{2,}(?: [a-zà-öø-ÿ]{2,})*|[\u0430-\u044f\u0451]{2,}(?: [\u0430-\u044f\u0451]{2,})*")
"""Words that only need their marks taken off: most terms are that, and many lines of prose."""
_UPPER = "A-ZÀ-ÖØ-ÞА-ЯЁ"
_LOWER = "a-zß-öø-ÿа-яё"
_WIDE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Letters of Chinese, Japanese and Korean, which need no blanks between words."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0100-\U000e01ef]"
)
_TAGS = {0xE0000 + each: each for each in range(0x20, 0x7F)}
"""Tag characters, which show nothing, as the ASCII characters that they stand for."""
_FIRST_TAG = "\U000e0000"
_DISGUISED = lazy_compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\U000e0020-\U000e007e]"
    "|[A-Za-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][A-Za-z]|[\u4e00-\u9fff] [\u4e00-\u9fff] [\u4e00-\u9fff] "
)
_EDGES = " \t\r>*/#;%'\"|+!<-\\"
"""What opens or closes a comment or a string."""
_MIN_BLOB = 48
_ENDS = _EDGES.replace("+", "")
_BLOB = re.compile(r"(?=[A-Za-z/+]*\d)[A-Za-z\d+/=]{48,}")
"""Data in letters, which looks like a long row of short names."""
_ESCAPES = re.compile(r"\\[nrt]")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_](?: ?[.\-_*·|+~] ?| )){2,}[^\W_](?![^\W_])")
_SEPARATORS = re.compile(r"[ .\-_*·|+~]+")
_SEAMS = re.compile(rf"(?<=[{_LOWER}\d])(?=[{_UPPER}])|(?<=[{_UPPER}])(?=[{_UPPER}][{_LOWER}])")
_TOKENS = re.compile(
    r"""\d+(?:\s*/\s*\d+|\.\d+)+|[a-f]\+(?!\w)|[^\W_]+"""
    r"""|(?P<end>[.!?…]+(?=[\s)\]}"'»\u201d\u2019]|$)|[。｡…!?;])"""
    r"""|(?P<pause>(?<!\S)-{1,3}(?!\S)|---?|[\u2014\u2013|→⇒←,、]|\](?=\s)|[-=]>|<[-=])|(?P<colon>:+)|(?P<equals>=+)"""
)
_NEGATION = re.compile(r"n['\u2019]t\b")
_WIDE_LETTERS = lazy_compile(f"[{_WIDE}]")
_WIDE_EDGE = lazy_compile(rf"(?<=[{_WIDE}])(?=[A-Za-z\d])|(?<=[A-Za-z\d])(?=[{_WIDE}])")
_WIDE_GAP = lazy_compile(rf"(?<=[{_WIDE}])\s+(?=[{_WIDE}])")
_LETTER_AT_DIGIT = re.compile(r"[a-z]\d|\d[a-z]")
_DIGIT_WORD = re.compile(r"[a-z]*\d[a-z\d]*[a-z]|[a-z]{1,9}0|a1")
_DIGITS = str.maketrans("0134578", "oieastb")
_LATIN_LOOKALIKES = str.maketrans("аеорсухіѕјԁһӏкмтнвοαενκρτ", "aeopcyxisjdhlkmthboaevkpt")
_CYRILLIC_LOOKALIKES = str.maketrans("aeopcyxkmthb", "аеорсухкмтнв")
_TWO_SCRIPTS = re.compile(r"[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]")


def _accents() -> dict[int, str]:
    """Latin letters with marks as plain ones; the German ones as they are written without."""
    plain = {}
    for code in range(0xC0, 0x250):
        letter = unicodedata.normalize("NFD", chr(code))[0]
        if letter.isascii() and letter.isalpha():
            plain[code] = letter.lower()
    return {**plain, **str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ё": "\u0435"})}


_ACCENTS = _accents()


def is_disguised(content: str) -> bool:
    """Does a text hold characters that hide words: invisible or wide ones, or letters of two scripts in one word?"""
    return not content.isascii() and _DISGUISED.search(content) is not None


def visible_text(line: str) -> str:
    """A line without invisible characters, with plain letters for wide or slanted ones."""
    if line.isascii():
        return line
    if max(line) > _FIRST_TAG:
        line = line.translate(_TAGS)
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", line))


def fold_letters(text: str) -> str:
    """Lower case, and Latin letters without their marks."""
    lowered = text.lower()
    return lowered if lowered.isascii() else lowered.translate(_ACCENTS)


def plain_words(line: str) -> str:
    """The words of a line with one blank between them; `;`, `,`, `:` and `=` are words that end a sentence, a clause or a name."""
    return fold_letters(line) if _PLAIN.fullmatch(line) else take_apart(line)


def take_apart(line: str) -> str:
    """The plain words of a line that may hold anything."""
    text = visible_text(line).lstrip(_EDGES).rstrip(_ENDS)
    if len(text) > _MIN_BLOB:
        text = _BLOB.sub(" ", text)
    if "\\" in text:
        text = _ESCAPES.sub(" ; ", text)
    text = _SPACED.sub(lambda found: _SEPARATORS.sub("", found.group()), text)
    if not text.isascii() and _WIDE_LETTERS.search(text):
        text = _WIDE_EDGE.sub(" ", _WIDE_GAP.sub("", text))
    if not text.islower():
        text = _SEAMS.sub(" ", text)
    text = _NEGATION.sub(" not", fold_letters(text))
    words = [_MARKS.get(found.lastgroup or "") or found.group() for found in _TOKENS.finditer(text)]
    if not text.isascii():
        words = [each if each.isascii() else _one_script(each) for each in words]
    if _LETTER_AT_DIGIT.search(text):
        words = [_letters_for_digits(each) if _DIGIT_WORD.fullmatch(each) else each for each in words]
    return " ".join(words)


_MARKS = {"end": ";", "pause": ",", "colon": ":", "equals": "="}


def _one_script(word: str) -> str:
    """A word of two scripts in the one that all its letters may belong to."""
    if not _TWO_SCRIPTS.search(word):
        return word
    latin = word.translate(_LATIN_LOOKALIKES)
    return latin if latin.isascii() else word.translate(_CYRILLIC_LOOKALIKES)


def _letters_for_digits(word: str) -> str:
    """A word with letters for its digits; 1 may be an i or an l, so that both are given."""
    first = word.translate(_DIGITS)
    second = word.replace("1", "l").translate(_DIGITS)
    return first if first == second else f"{first} {second}"
