"""Hidden and look-alike characters, by their Unicode properties.

After the Trojan Source paper (Boucher and Anderson, 2021; CVE-2021-42574 and CVE-2021-42694). Right-to-left prose,
flags and joined emoji use some of the same characters for what they are meant for, and are left alone.
"""

from __future__ import annotations

import builtins
import re
import unicodedata
from collections.abc import Iterator

from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.probe_kit.probe_decorators import text_probe
from auditor.forensics.source_text.site_probe_types import Site, Text
from auditor.row_tables import names_of

_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,7}\U000e007f")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a]"
)
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_REPEATED_EMOJI_SELECTOR = re.compile(r"(?<!\w)\ufe0f{2,4}(?![\ufe00-\ufe0f\U000e0100-\U000e01ef])")
"""The same selector after an emoji again, as editors and translations leave it: it says nothing."""
_JOINERS = "\u200c\u200d\u200e\u200f"
_MARKS = "\u200e\u200f"
_NEAR = 12
_WORD = re.compile(r"\w*[^\W\d_]\w*")
_ESCAPE = re.compile(r"\\[abefnrtv]")
"""The letter of an escape belongs to no word, though the word's first letter may follow it at once."""
_SCRIPTS = (
    ("LATIN", "Latin"),
    ("CYRILLIC", "Cyrillic"),
    ("GREEK", "Greek"),
    ("ARMENIAN", "Armenian"),
    ("CHEROKEE", "Cherokee"),
)
_RECORDS = names_of(project_files().record_languages)
"""What is kept rather than read: answers, tables, pages that were fetched. Nobody takes a line of it for code."""
_PROSE = names_of(project_files().prose_languages) | _RECORDS


@text_probe("text.hidden_characters", none_statement="No hidden or look-alike character was found.")
def hidden_characters(text: Text) -> Iterator[Site]:
    r"""Does the text contain hidden or look-alike characters?

    Bidirectional controls, invisible and tag characters and runs of variation selectors are reported, and in code words that mix
    look-alike letters of several scripts. Right-to-left prose, flags, joined emoji, a byte order mark at the start of a file and soft
    hyphens in prose are not.

    Remove the character, or write it as an escape (`\u` and its number), so that reviewers see what runs.
    """
    content = text.content
    if content.isascii():
        return
    for number, line in enumerate(text.lines, start=1):
        if not line.isascii():
            yield from _in_line(number, line, text.language, first=number == 1)
            if text.language not in _PROSE and _holds_disguised_word(line, text):
                yield Site(
                    number,
                    number,
                    "Word is written in letters of another script that look like Latin ones",
                    "look-alike word",
                    0.9,
                    "it may be a word of another language",
                )


def _in_line(number: int, line: str, language: str, *, first: bool) -> Iterator[Site]:
    if _BIDI.search(line) and not (language in _PROSE and _is_balanced_bidi(line)):
        yield Site(
            number,
            number,
            "Bidirectional control character changes how the line reads",
            "bidirectional control",
            0.5 if language in _RECORDS else 1.0,
            "the line is recorded data, not code" if language in _RECORDS else "",
        )
    if _TAGS.search(_FLAG.sub("", line)):
        yield Site(number, number, "Invisible tag characters can hide text that only machines read", "tag characters")
    hiding = (each for each in _INVISIBLE.finditer(line) if _is_hiding(line, each.start(), language, first=first))
    if (found := next(hiding, None)) is not None:
        yield Site(
            number,
            number,
            f"Line contains an invisible character: {_named(found.group())}",
            "zero width",
            _confidence(language),
            _confidence_reason(language),
        )
    if any(_REPEATED_EMOJI_SELECTOR.match(line, each.start()) is None for each in _SELECTORS.finditer(line)):
        yield Site(number, number, "Run of variation selectors can hide data", "variation selectors")
    if language not in _PROSE:
        for word in _WORD.findall(_ESCAPE.sub(" ", line)):
            if not word.isascii() and len(_confusable_scripts(word)) > 1:
                yield Site(
                    number,
                    number,
                    "Word mixes look-alike letters of different scripts",
                    "mixed scripts",
                    0.9,
                    "a name may mix scripts on purpose",
                )
                return


def _named(character: str) -> str:
    """`U+200B` and the name of the character, where it has one."""
    first = character[0]
    return " ".join((f"`U+{ord(first):04X}`", unicodedata.name(first, "").lower())).rstrip()


def _confidence(language: str) -> float:
    return 0.6 if language in _PROSE else 0.9


def _confidence_reason(language: str) -> str:
    return (
        "in prose, editors often leave such a character"
        if language in _PROSE
        else "an editor may have left it by accident"
    )


def _is_balanced_bidi(line: str) -> bool:
    """Does a line isolate text of the other direction next to such letters, and close every isolate again?"""
    opened = sum(line.count(each) for each in "\u2066\u2067\u2068")
    others = any(each in line for each in "\u202a\u202b\u202c\u202d\u202e")
    return not others and opened == line.count("\u2069") and _has_rtl(line)


def _has_rtl(line: str) -> bool:
    return any(unicodedata.bidirectional(each) in {"R", "AL"} for each in line)


def _is_hiding(line: str, position: int, language: str, *, first: bool) -> bool:
    character = line[position]
    before, after = line[position - 1 : position], line[position + 1 : position + 2]
    if character == "\ufeff":
        return not (first and position == 0)
    if character == "\u00ad":
        return not (language in _PROSE and before.isalpha() and after.isalpha())  # where a long word may be divided
    if character in _MARKS and _is_beside_rtl(line, position):
        return False
    if character in _JOINERS:
        return not (_is_joinable(before) and (_is_joinable(after) or not after.strip()))
    return True


def _is_beside_rtl(line: str, position: int) -> bool:
    """Is the nearest letter on either side one that runs right to left? Between them only blanks and punctuation are."""
    near = line[max(0, position - _NEAR) : position][::-1], line[position + 1 : position + 1 + _NEAR]
    letters = (next((each for each in side if each.isalnum()), "") for side in near)
    return any(each and unicodedata.bidirectional(each) in {"R", "AL"} for each in letters)


def _is_joinable(character: str) -> bool:
    """May a joiner or a direction mark are beside it: an emoji, or a letter of a script that joins or runs right to left?"""
    if not character:
        return False
    if character in "\ufe0f\u20e3\u200d" or unicodedata.category(character) in {"So", "Sk", "Mn", "Mc"}:
        return True
    return unicodedata.bidirectional(character) in {"R", "AL"} or 0x0900 <= ord(character) <= 0x0DFF


def _confusable_scripts(word: str) -> set[str]:
    """The scripts of the letters in a word that are confusable with one another."""
    scripts = set()
    for part in word.split("_"):
        if len(part.rstrip("0123456789")) == 1 and part[0] in _GREEK_SYMBOLS and part != word:
            continue
        scripts |= {script for letter in part if (script := _script(letter))}
    return scripts


_LATIN_LOOKS = str.maketrans(
    "\u0430\u0432\u0435\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0455\u0441\u0442\u0443\u0445\u0501\u04bb\u051b\u051d"
    "\u0410\u0412\u0415\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0405\u0421\u0422\u0425\u03bf\u03b9\u03bd\u03c1\u03b1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03a5\u0396",
    "abeijkmhopsctyxdhqwABEIJKMHOPSCTXoivpaABEHIKMNOPTXYZ",
)
"""Letters of other scripts, and the Latin ones that look the same. After the confusables of Unicode TR 39."""
_MIN_DISGUISED = 3
_LETTERS = re.compile(r"[^\W\d_]+")


def _holds_disguised_word(line: str, text: Text) -> bool:
    """Is a word written wholly in letters that look Latin, while the file or Python has the same word in Latin ones?"""
    for found in _LETTERS.finditer(line):
        word = found[0]
        if len(word) < _MIN_DISGUISED or not all(map(_script, word)) or any(each.isascii() for each in word):
            continue
        plain = word.translate(_LATIN_LOOKS)
        if plain.isascii() and (hasattr(builtins, plain) or re.search(rf"(?<![^\W_]){plain}(?![^\W_])", text.content)):
            return True
    return False


_SYMBOLS = frozenset("\u00b5\u03a9\u0394\u03c0\u03c3\u03bc\u03bb\u03b1\u03b2\u03b3\u03b4\u03b5\u03b8\u03a3")
"""Greek letters that mathematics uses inside of words."""
_GREEK_SYMBOLS = frozenset(
    "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9\u03ba\u03bb\u03bc\u03bd\u03be\u03c0\u03c1\u03c3\u03c2\u03c4\u03c5\u03c6\u03c7\u03c8\u03c9\u03d1\u03d5\u03f5\u0393\u0394\u0398\u039b\u039e\u03a0\u03a3\u03a6\u03a8\u03a9"
)
"""Greek letters that are names of their own in formulas, as in `\u03c4_rate`; those that look just like Latin ones are none."""


def _script(letter: str) -> str:
    """The script of a letter that may be taken for one of another; empty for others."""
    if letter in _SYMBOLS:
        return ""
    name = unicodedata.name(letter, "")
    return next((script for prefix, script in _SCRIPTS if name.startswith(prefix)), "")
