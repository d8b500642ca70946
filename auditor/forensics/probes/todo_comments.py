"""TODO comments without an issue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.probe_kit.probe_decorators import text_probe
from auditor.forensics.source_text.comments import COMMENTS_AND_STRINGS
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.programming_languages import comment_marks
from auditor.forensics.source_text.site_probe_types import Site, Text
from auditor.row_tables import names_of

_TODO_MARKER = re.compile(
    r"\b(?:TODO|FIXME|XXX|HACK)\b(?!-|\s*(?:list|comments?|markers?|items?|tags?|notes?|annotations?)\b)|\b(?:[tT]odo|[fF]ixme)(?=[:(])"
)
_MENTION_PREFIX = re.compile(
    r"(?:[\"'`]|[\w>})\]]/|\b(?:such as|like|e\.g\.,?|named|called|titled|files|words?|keywords?|markers?|tags?|says?|saying|contains?|containing|mentions?|mentioning):?\s+(?:[A-Z][A-Z\d_.]{1,20}(?:,?\s(?:or|and)\s|[,/|]\s?)){0,5})$"
)
"""Text before a marker that is only mentioned: a quote, a path, a list of files or words."""
_MENTION_SUFFIX = re.compile(
    r"\.(?:md|txt|rst|org)\b|(?:(?:\s?[,/|]\s?|,?\s(?:or|and)\s)(?:TODO|FIXME|XXX|HACK|BUG|NOTE)\b){1,5}(?!\s?[:(])"
)
"""Text after a marker that is only mentioned: a file suffix, or further markers."""
_MENTION_WINDOW = 160
_ISSUE_REFERENCE = re.compile(
    r"(?<!&)#\d+\b|(?i:\b(?:issues?|bug|ticket|task|story|gh|bpo|bz|rhbz|lp|pr|mr)[\s:#-]{1,3}\d+\b)|(?<![\w!])!\d{2,}\b|\bb/\d{4,}|\bcrbug[./]"
    r"|\b(?!(?:UTF|UCS|SHA|MD|ISO|IEC|RFC|PEP|AES|RSA|DES|EC|ES|HS|RS|PS|CRC|IEEE|IPV|HTTP|TLS|SSL|COVID|CP|BASE|ASCII|WINDOWS|GPT|FIPS|BCP|ECMA|LATIN|KOI|BLAKE|USB|PART|STEP|PHASE|LEVEL)-)(?=[A-Z0-9]*[A-Z][0-9]*[A-Z])[A-Z][A-Z0-9]+-\d+\b"
)
"""What names a place where work is tracked: the number or key of an issue; names of standards look like keys, too."""
_ADDRESS = re.compile(r"https?://[^\s/?#]{1,200}[^\s]{0,300}")
_ISSUE_URL_PATH = re.compile(
    r"/(?:issues?|browse|pulls?|merge_requests|work_items|_workitems|bugs?|tickets?|tasks?|discussions)/|show_bug|bugzilla|\bjira\b|linear\.app|trello\.com|asana\.com|clickup\.com|shortcut\.com|youtrack|redmine|phabricator|[/=]\w{0,20}\d[.,;)]*$"
)
_MAX_CONTINUATION_LINES = 4
"""Lines of a comment after a marker that may name its issue."""
_COMMENT_CONTINUATION = re.compile(r"\s*(?:#|//|\*(?!/)|--|;|<!--)")
_PROSE = names_of(project_files().note_languages)
_MARKUP_LANGUAGES = names_of(project_files().markup_languages)
"""Kinds of prose that have comments: in those alone a promise is one."""
_MARKER_WORDS = ("TODO", "FIXME", "XXX", "HACK", "todo:", "Todo:", "todo(", "fixme:", "Fixme:")


@text_probe("text.todo_added", none_statement="No `TODO` comment without an issue was found.")
def todo_added(text: Text) -> Iterator[Site]:
    """Is there a `TODO` comment without an issue?

    A comment with TODO, FIXME, XXX or HACK is reported if it names no issue. These words in strings, names and prose are not.

    Do the work now, or open an issue and name it in the comment.
    """
    if text.language in _PROSE - _MARKUP_LANGUAGES:
        return
    found = list(_python_comments(text) if text.language == "python" else _comments(text))
    shown = text.lines if found else ()
    for number, whole in found:
        comment = whole[:_LONG]
        if _has_issue_reference(comment) or any(
            _has_issue_reference(each) for each in _continuation_lines(shown, number)
        ):
            continue
        found_marker = _find_todo(comment)
        marker = "" if found_marker is None else found_marker[0]
        if _ADDRESS.search(comment):
            yield Site(
                number, number, "{call} comment with a URL that is not an issue link", marker, 0.4, _TRACKED_REASON
            )
        else:
            yield Site(number, number, "{call} comment without an issue link", marker)


def _has_issue_reference(comment: str) -> bool:
    """Does a comment name an issue, or its URL?"""
    return _ISSUE_REFERENCE.search(comment) is not None or any(
        _ISSUE_URL_PATH.search(each[0]) for each in _ADDRESS.finditer(comment)
    )


_TRACKED_REASON = "the work may be tracked at the URL"


def _continuation_lines(shown: Sequence[str], number: int) -> Iterator[str]:
    """The lines with which a comment continues after a marker, up to the next one."""
    for line in shown[number : number + _MAX_CONTINUATION_LINES]:
        if not _COMMENT_CONTINUATION.match(line) or _find_todo(line[:_LONG]):
            return
        yield line[:_LONG]


def _find_todo(text: str) -> re.Match[str] | None:
    """The first marker of deferred work that is not only mentioned as a word or the name of a file."""
    found = _TODO_MARKER.search(text)
    while found:
        named = _mention_end(text, found)
        if named is None:
            return found
        found = _TODO_MARKER.search(text, named)
    return None


def _mention_end(text: str, found: re.Match[str]) -> int | None:
    """The end of the mention of a marker that is only mentioned; None otherwise."""
    start, end = found.span()
    before = text[max(0, start - _MENTION_WINDOW) : start]
    if text[end : end + 1] in {":", "("} and not before.endswith(("'", '"', "`")):
        return None
    behind = _MENTION_SUFFIX.match(text, end)
    if behind:
        return behind.end()
    return end if _MENTION_PREFIX.search(before) else None


def _comments(text: Text) -> Iterator[tuple[int, str]]:
    """Lines on which a promise is behind a mark that opens a comment in that language."""
    if not any(word in text.content for word in _MARKER_WORDS):
        return
    marks = (
        ("<!--",) if text.language in _MARKUP_LANGUAGES else comment_marks(text.language) or ("#", "//", "/*", "<!--")
    )
    inside = False
    for number, line in enumerate(text.lines, start=1):
        shown = line[:_LONG]
        promise = _find_todo(shown)
        if promise and (inside or _opens(shown[: promise.start()], marks)):
            yield number, line
        if "/*" in marks:
            opened, closed = shown.rfind("/*"), shown.rfind("*/")
            inside = opened > closed or (inside and closed < 0)


def _opens(before: str, marks: tuple[str, ...]) -> bool:
    """Does a comment open in what is before? A mark inside quotes, or joined to what it follows, opens none."""
    return any(
        not (at and (before[at - 1].isalnum() or before[at - 1] in ":/$&\\")) and not _quoted(before[:at])
        for mark in marks
        for at in _each(mark, before)
    )


def _each(mark: str, text: str) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + len(mark))


def _quoted(text: str) -> bool:
    """Is a quote open at the end? An apostrophe between letters opens none."""
    plain = _APOSTROPHE.sub("", text.replace("\\\\", "").replace('\\"', "").replace("\\'", ""))
    return any(plain.count(quote) % 2 for quote in "\"'`")


_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_LONG = 2000


_MARKER_KEYWORDS = register_keywords("TODO", "FIXME", "XXX", "HACK", "odo:", "odo(", "ixme:", "ixme(")
_COMMENT_WITH_MARKER = re.compile(r"#(?:[^\n]*(TODO|FIXME|XXX|HACK|[tT]odo[:(]|[fF]ixme[:(])|[^\n]*)")
"""A marker after a hash, which may be a comment."""
_STRING_CONTINUATIONS = ('"""', "'''", "\\\n")
"""What may continue a Python string in the next line."""
_COMMENT_OR_QUOTE = re.compile(r"[#\"']")


def _python_comments(text: Text) -> Iterator[tuple[int, str]]:
    """Comments that put work off, with their lines. Only lines where something notable is are split, and each once."""
    if not text.says(_MARKER_KEYWORDS):
        return  # as for most files
    source = text.content
    promised = [found.end() for found in _COMMENT_WITH_MARKER.finditer(source) if found[1]]
    if not promised:
        return
    before = source[: promised[-1]]
    line, last, position = 1, 0, 0
    for notable in sorted([*promised, *(at for mark in _STRING_CONTINUATIONS for at in _each(mark, before))]):
        if notable < position:
            continue
        position = max(position, source.rfind("\n", 0, notable) + 1)
        end = _line_end(source, position)
        while opener := _COMMENT_OR_QUOTE.search(source, position, end):
            lexeme = COMMENTS_AND_STRINGS.match(source, opener.start())
            assert lexeme is not None, "a quote or a hash opens something"
            whole = lexeme.group()
            if whole.startswith("#") and _find_todo(whole[:_LONG]):
                line += source.count("\n", last, lexeme.start())
                last = lexeme.start()
                yield line, whole
            position = lexeme.end()
            if position > end:
                end = _line_end(source, position)
        position = end + 1


def _line_end(source: str, position: int) -> int:
    """Where the line ends that holds a position."""
    end = source.find("\n", position)
    return len(source) if end < 0 else end
