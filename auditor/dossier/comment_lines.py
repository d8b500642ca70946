"""Which lines are nothing but a comment. A line that has code as well is never one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from auditor.forensics.source_text.comments import strip_comments_and_docstrings
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.source_text.programming_languages import comment_marks

_COMMENT_ENDS = {"/*": "*/", "<!--": "-->", "{-": "-}", "(*": "*)"}
_ENDS_A_COMMENT = re.compile("[\r\v\f\x85\u2028\u2029]|\\?>|%>")
"""Within a line: other ends of a line, as some languages take them, and ends of embedded code."""


def comment_lines(path: str, lines: Sequence[str]) -> Collection[int]:
    """The numbers of lines that are nothing but a comment, or part of a docstring of Python.

    Beside Python a comment of several lines counts only where each begins with a star: one that opens above may stand in a text.
    """
    name = language(path)
    if name == "python":
        return _comments_of_python(lines)
    marks = comment_marks(name) or (("#",) if not name else ())
    found: set[int] = set()
    starred = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        is_comment = (starred and text.startswith("*")) or _is_whole_comment(text, marks)
        starred = is_comment and "*/" not in text and (starred or text.startswith("/*"))
        closed_first = "*/" in text[:-2] and text.startswith("*")
        if is_comment and not closed_first and not _ENDS_A_COMMENT.search(text):
            found.add(number)
    return found


def _comments_of_python(lines: Sequence[str]) -> Collection[int]:
    code = strip_comments_and_docstrings("\n".join(lines)).split("\n")
    return {
        number
        for number, (line, left) in enumerate(zip(lines, code, strict=False), 1)
        if not left.strip() and line.strip() and not _ENDS_A_COMMENT.search(line)
    }


def _is_whole_comment(text: str, marks: Sequence[str]) -> bool:
    opened = next((each for each in marks if text.startswith(each)), "")
    if not opened:
        return False
    end = _COMMENT_ENDS.get(opened, "")
    at = text.find(end, len(opened)) if end else -1
    return at < 0 or at + len(end) == len(text)
