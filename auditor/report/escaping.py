"""Foreign text made harmless for where it is shown. One function a sink."""

from __future__ import annotations

import html
import re
import unicodedata

_MARKUP = re.compile(r"([\\`*_{}\[\]!|<>~$])")
_AT_START = re.compile(r"^([-+=#.:/]|\d+(?=[.)]))")
_EMOJI = re.compile(r":(?=[\w+-]+:)")
_REFERENCE = re.compile(r"@|#(?=\w)|www(?=\.)|:(?=//)|(?:mailto|xmpp)(?=:)|GH(?=-\d)", re.IGNORECASE)
"""No word border is asked for: an address is recognised behind an underscore or a digit, too."""
_SHA = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])")
_COMMAND = re.compile(r":(?=:)|#(?=#\[)")
_WORD_JOINER = "\u2060"
"""A word joiner: invisible, no space, and enough to keep a mention or an address from being recognised."""
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
"""Code between two single backticks."""
_NON_ASCII = re.compile(r"[^ -~]+")
_SELECTOR = re.compile("\ufe0f")
_ELLIPSIS = "\u2026"
_MAX_TERMINAL_LENGTH = 4_000
"""Characters of one text on a terminal."""
_MAX_MARKS = 4
"""Marks on one letter; more than any script needs are drawn over the lines around."""
_ASTRAL_CHARACTER = re.compile("([\U00010000-\U0010ffff])\ufe0f?")


def visible(text: str) -> str:
    """Control, format and other unseen characters written out as `⟨U+202E⟩`; blanks and line ends become blanks."""
    if text.isascii() and text.isprintable():
        return text
    return _NON_ASCII.sub(_show_run, text)


def _show_run(found: re.Match[str]) -> str:
    """A run of characters beyond plain ASCII, of which most texts have few."""
    run = found.group()
    if run.isprintable() and not _SELECTOR.search(run) and not any(map(unicodedata.combining, run)):
        return "".join(each if not _is_invisible(each, "") else _escape_code_point(each) for each in run)
    pieces: list[str] = []
    marks = 0
    before = found.string[found.start() - 1 : found.start()] or " "
    for character in run:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MAX_MARKS:
            pieces.append(_show_character(character, before))
        elif marks == _MAX_MARKS + 1:
            pieces.append(_ELLIPSIS)
        before = character
    return "".join(pieces)


def _escape_code_point(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _show_character(character: str, before: str) -> str:
    if character in "\t\n\r\v\f\x85\u2028\u2029":
        return " "
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Cs", "Co", "Cn"} or _is_invisible(character, before):
        return _escape_code_point(character)
    if category == "Zs" and character != " ":
        return " "
    return character


def _is_invisible(character: str, before: str) -> bool:
    """Characters of visible categories that show nothing: fillers, blanks, selectors of variants but for a coloured sign."""
    number = ord(character)
    if number == 0xFE0F:
        return unicodedata.category(before) != "So"
    return (
        character in "\u115f\u1160\u3164\uffa0\u034f\u2800\u17b4\u17b5"
        or 0xFE00 <= number <= 0xFE0E
        or 0xE0100 <= number <= 0xE01EF
    )


def clip(text: str, limit: int) -> str:
    """The text, or its first `limit` characters and an ellipsis. Cut before escaping, never after."""
    return text if len(text) <= limit else f"{text[:limit].rstrip()}{_ELLIPSIS}"


def for_plain(text: str) -> str:
    """Foreign text for a sink that shows plain words and may still recognise mentions, numbers and addresses."""
    return _break_references(visible(text)).strip()


def _break_references(shown: str) -> str:
    guarded = _REFERENCE.sub(lambda found: f"{found.group()}{_WORD_JOINER}", shown)
    guarded = _COMMAND.sub(lambda found: f"{found.group()}{_WORD_JOINER}", guarded)
    guarded = _SHA.sub(
        lambda found: _split_word(found.group()) if _may_be_commit_id(found.group()) else found.group(), guarded
    )
    return _EMOJI.sub(f":{_WORD_JOINER}", guarded)


def for_markdown(text: str) -> str:
    """Foreign text as plain words in GitHub Markdown: no mention, link, image, HTML, emphasis, table or emoji results from it.

    What stands between two single backticks is shown as code, in which nothing is recognised either; but as plain words
    where it has a bar, which would divide a cell of a table.
    """
    shown = visible(text).strip()
    pieces = CODE.split(shown)
    escaped = "".join(
        for_code_span(each) if index % 2 and "|" not in each else _escape_markdown(each)
        for index, each in enumerate(pieces)
    )
    return _AT_START.sub(_escape_start, escaped)


def _escape_markdown(shown: str) -> str:
    return _MARKUP.sub(r"\\\1", _break_references(shown).replace("&", "&amp;"))


def _escape_start(found: re.Match[str]) -> str:
    """A first character that would open a list, a heading, a rule or a bot's command."""
    first = found.group()
    return f"{first}{_WORD_JOINER}" if first.isdigit() else f"\\{first}"


def _split_word(word: str) -> str:
    """In pieces too short to be a commit id."""
    return _WORD_JOINER.join(word[at : at + 6] for at in range(0, len(word), 6))


def _may_be_commit_id(word: str) -> bool:
    """Could it be a commit id: digits and letters together?"""
    return any(each.isdigit() for each in word) and any(each.isalpha() for each in word)


def for_code_span(text: str, *, in_table: bool = False) -> str:
    """Foreign text as an inline code span, whatever backticks it holds. In a code span nothing is recognised.

    A table is divided into cells before code is looked for, so a bar needs an escape there, and only there.
    """
    shown = visible(text) or " "
    if in_table:
        shown = shown.replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def for_html(text: str) -> str:
    """Foreign text as HTML text or attribute value."""
    return html.escape(visible(text), quote=True)


def for_html_in_markdown(text: str) -> str:
    """Foreign text between HTML tags of ours in GitHub Markdown: references are looked for there as everywhere."""
    shown = html.escape(for_plain(text), quote=True).replace("$", "<span>$</span>")
    return shown.replace("[", f"[{_WORD_JOINER}")


def for_check(text: str) -> str:
    """Rendered text for a check run, whose API has refused characters above U+FFFF."""
    if text.isascii():
        return text
    return _ASTRAL_CHARACTER.sub(lambda found: _escape_code_point(found[1]), text)


def for_command_message(text: str) -> str:
    """Foreign text as the message of a workflow command: one line, and no second command in it."""
    return for_plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def for_command_property(text: str) -> str:
    """Foreign text as a property of a workflow command, such as `file`, exact to the byte once the runner decodes it."""
    encoded = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return encoded.replace(":", "%3A").replace(",", "%2C")


def for_terminal(text: str) -> str:
    """Foreign text for a terminal: no control or escape sequence, no line end, no turned direction."""
    return visible(clip(text, _MAX_TERMINAL_LENGTH))


def for_link_target(path: str) -> str:
    """A path inside a URL that we build."""
    from urllib.parse import quote

    return quote(path.encode("utf-8", errors="surrogatepass"), safe="/")
