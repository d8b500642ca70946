"""Foreign text made harmless for where it is shown. One function a sink."""

from __future__ import annotations

import html
import re
import unicodedata

_MARKUP = re.compile(r"([\\`*_{}\[\]!|<>~$])")
_AT_START = re.compile(r"^(\s*)([-+=#.:]|\d+(?=[.)]))")
_EMOJI = re.compile(r":(?=[\w+-]+:)")
_WORDS = re.compile(
    r"(?P<at>@)|(?P<number>#)(?=\w)|(?P<www>\bwww)(?=\.)|(?P<scheme>\b(?:https?|ftp|mailto|xmpp))(?=:)|(?P<issue>\bGH)(?=-\d)",
    re.IGNORECASE,
)
_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
_BREAK = "\u2060"
"""A word joiner: invisible, no space, and enough to keep a mention or an address from being recognised."""


def visible(text: str) -> str:
    """Control, format and other unseen characters written out as `⟨U+202E⟩`; blanks and line ends become blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\t\n\r\v\f\x85\u2028\u2029":
        return " "
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Cs", "Co", "Cn"} or _unseen(character):
        return f"⟨U+{ord(character):04X}⟩"
    if category == "Zs" and character != " ":
        return " "
    return character


def _unseen(character: str) -> bool:
    """Characters of visible categories that show nothing: fillers, blanks, selectors of variants."""
    number = ord(character)
    return (
        character in "\u115f\u1160\u3164\uffa0\u034f\u2800\u17b4\u17b5"
        or 0xFE00 <= number <= 0xFE0E
        or 0xE0100 <= number <= 0xE01EF
    )


def for_markdown(text: str) -> str:
    """Foreign text as plain words in GitHub Markdown: no mention, link, image, HTML, emphasis, table or emoji comes of it."""
    shown = visible(text)
    guarded = _WORDS.sub(lambda found: f"{found.group()}{_BREAK}", shown)
    guarded = _SHA.sub(
        lambda found: f"{found.group()[:3]}{_BREAK}{found.group()[3:]}" if _mixed(found.group()) else found.group(),
        guarded,
    )
    escaped = _MARKUP.sub(r"\\\1", guarded.replace("&", "&amp;"))
    return _AT_START.sub(_inert_start, _EMOJI.sub(f":{_BREAK}", escaped))


def _inert_start(found: re.Match[str]) -> str:
    """A first character that would open a list, a heading or a rule."""
    blank, first = found.groups()
    return f"{blank}{first}{_BREAK}" if first.isdigit() else f"{blank}\\{first}"


def _mixed(word: str) -> bool:
    """Could it be a commit id: digits and letters together?"""
    return any(each.isdigit() for each in word) and any(each.isalpha() for each in word)


def for_code_span(text: str) -> str:
    """Foreign text as an inline code span, whatever backticks it holds. In a code span nothing is recognised."""
    shown = visible(text).replace("|", "\\|") or " "
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def for_html(text: str) -> str:
    """Foreign text as HTML text or attribute value."""
    return html.escape(visible(text), quote=True)


def for_terminal(text: str) -> str:
    """Foreign text for a terminal: no control or escape sequence, no line end, no turned direction."""
    return visible(text)


def for_link_target(path: str) -> str:
    """A path inside a URL that we build."""
    from urllib.parse import quote

    return quote(path.encode("utf-8", errors="surrogatepass"), safe="/")
