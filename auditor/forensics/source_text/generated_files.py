"""What a file says at its top, and how its lines look, when a tool wrote it or somebody else did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.source_text.generated_notices import notice_pattern
from auditor.lazy_regex import lazy_compile

_HEADER_CHARACTERS = 1_500
_HEADER_LINES = 25
_COMMENT = lazy_compile(r"^\s*(?:#|//|/\*|\*|<!--|--|;|%|\(\*)\s?")
_DOCSTRING_START = lazy_compile(r"^\s*[rRuU]?(\"\"\"|\'\'\')")
_MAX_COMMENT_LENGTH = 500
_MAX_HANDWRITTEN_LINE = 2_000
"""Characters of a line that no one writes by hand in code for browsers."""


def has_generated_notice(text: str) -> bool:
    """Does a comment at the top say that a tool made the file? Words in code, such as those of a generator, do not."""
    said = list(_header_comments(text[:_HEADER_CHARACTERS]))
    if any(notice_pattern("generated").search(each) for each in said):
        return True
    whole = " ".join(said)
    return (
        notice_pattern("do_not_edit").search(whole) is not None
        and notice_pattern("produced_by").search(whole) is not None
    )


def has_copied_notice(text: str) -> bool:
    """Does a comment at the top say that the file was taken from another project as it is?"""
    return any(
        notice_pattern("copied").search(each[:_MAX_COMMENT_LENGTH])
        for each in _header_comments(text[:_HEADER_CHARACTERS])
    )


def _header_comments(text: str) -> Iterator[str]:
    """The comments in the first lines, one per line, and a module docstring that precedes all code."""
    quotes, written_out, coded = "", "", False
    for number, row in enumerate(text.split("\n")[:_HEADER_LINES]):
        if written_out:
            written_out = "" if written_out in row else written_out
        elif quotes:
            yield row.partition(quotes)[0]
            quotes = "" if quotes in row else quotes
        elif (opened := _DOCSTRING_START.match(row)) is not None and not number:
            rest = row[opened.end() :]
            yield rest.partition(opened[1])[0]
            quotes = "" if opened[1] in rest else opened[1]
        elif (comment := _COMMENT.match(row)) is None:
            written_out = next((each for each in _MULTILINE_STRING_QUOTES if row.count(each) % 2), "")
            coded = coded or bool(row.strip())
        elif not (coded and row[:1].isspace() and not row.lstrip().startswith("*")):
            yield row[comment.end() :]  # one inside of code speaks of a table or a line of it


_MULTILINE_STRING_QUOTES = ('"""', "'''", "`")
"""What opens a text of several lines in code: the template of a generator speaks of the files that it makes."""


def is_bundled(path: str, text: str) -> bool:
    """Is it code for browsers in lines that nobody writes, or under the banner of a library with its version and license?"""
    if not path.endswith((".js", ".mjs", ".cjs", ".css")):
        return False
    long = (
        row
        for row in text[:200_000].split("\n")
        if len(row) > _MAX_HANDWRITTEN_LINE and not row.lstrip().startswith("//")
    )
    if any(len(row) > _MAX_HANDWRITTEN_LINE and row.count(" ") < len(row) / 8 for row in map(_strip_data_urls, long)):
        return True
    if _VERSIONED_FILE_NAME.search(path) and not _MIGRATION_FILE_NAME.search(path):
        return True
    return (
        notice_pattern("banner").match(text[:_HEADER_CHARACTERS]) is not None
        and notice_pattern("license").search(text[:_HEADER_CHARACTERS]) is not None
    )


def _strip_data_urls(row: str) -> str:
    """A row without the pictures and fonts that are in it: those are pasted by hand as well."""
    return _DATA_URL.sub("", row)


_DATA_URL = lazy_compile(r"\bdata:[\w/+.-]{1,80};(?:charset=[\w-]{1,20};)?base64,[A-Za-z0-9+/=]*")
_VERSIONED_FILE_NAME = lazy_compile(
    r"(?:^|/)[a-z][\w.]{0,40}(?:[-_.][a-z]\w{0,40}){0,4}[-.@]v?\d{1,3}\.\d{1,4}\.\d{1,4}(?:[-.][\w.-]{1,40})?\.(?:[cm]?js|css)$",
    re.IGNORECASE,
)
"""The name of a release: nobody names what he writes himself by its version, but for what brings others to one."""
_MIGRATION_FILE_NAME = lazy_compile(
    r"(?:^|[/_.-])(?:migrat|upgrad|updat|patch|changelog|releases?|schema)\w{0,8}[-_./@v\d][^/]{0,80}$", re.IGNORECASE
)


def is_third_party_library(path: str, text: str) -> bool:
    """Is it a library under the name, licence and address of somebody else, made to be loaded in whatever way there is?"""
    top = text[:_HEADER_CHARACTERS]
    if not path.endswith((".js", ".mjs", ".cjs")) or not top.lstrip().startswith("/*"):
        return False
    comment, _, rest = text[:_LOADER_SEARCH_CHARACTERS].partition("*/")
    return bool(
        notice_pattern("license").search(comment)
        and _PROJECT_URL.search(comment)
        and _UNIVERSAL_MODULE_LOADER.search(rest)
    )


_LOADER_SEARCH_CHARACTERS = 6_000
_PROJECT_URL = lazy_compile(
    r"https?://(?!(?:www\.)?(?:apache|opensource|gnu|mozilla|creativecommons)\.org)[\w.-]{1,100}/?"
)
_UNIVERSAL_MODULE_LOADER = lazy_compile(
    r"\bdefine\.amd\b|typeof exports\s*={2,3}\s*[\"']object|typeof module\s*!={1,2}\s*[\"']undefined|typeof module\s*={2,3}\s*[\"']object"
)
