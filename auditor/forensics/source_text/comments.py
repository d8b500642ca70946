"""Telling comments and docstrings from code, without a parser."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

_COMMENT = r"#[^\n]*+"
_LONG = r"""\"{3}[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)(?:\"{3}|\\?\Z)|'{3}[^'\\]*+(?>(?:(?:\\.|'(?!''))[^'\\]*+)*)(?:'{3}|\\?\Z)"""
_SHORT = r"""(?!\"{3}|'{3})(?:"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"?+|'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'?+)"""
LEXEMES = re.compile(f"{_COMMENT}|{_LONG}|{_SHORT}", re.DOTALL)
"""Comments and strings of Python, whichever starts first. Ten times as fast as splitting the source into tokens."""
_NEXT = re.compile(rf"""(?>(?:[^#"']++|{_SHORT})*)(?P<told>{_COMMENT}|{_LONG}|)""", re.DOTALL)
"""All up to the next comment or long string, and that; it fits everywhere, so no place is tried twice."""
_MOST_INDENTED = 400
"""Blanks before a docstring: looked back further, a line of nothing but strings would take the square of its length."""


def without_comments(code: str) -> str:
    """Some lines of Python without their comments: a note beside code, `# noqa` say, does not make it other code."""
    if "#" not in code:
        return code
    return LEXEMES.sub(lambda found: "" if found.group().startswith("#") else found.group(), code)


def code_alone(source: str) -> tuple[str, ...]:
    """The lines of a Python source without comments and docstrings; what stands before a string is code."""
    return tuple(line.rstrip() for line in bare(source).split("\n") if line.strip())


def bare(source: str) -> str:
    """A Python source without its comments and docstrings, on the same number of lines."""
    kept: list[str] = []
    end = 0
    for found in _NEXT.finditer(source):
        start, after = found.span("told")
        if start < after and (source[start] == "#" or _starts_its_line(source, start)):
            kept += (source[end:start], "\n" * source.count("\n", start, after))
            end = after
    return "".join((*kept, source[end:]))


def _starts_its_line(source: str, start: int) -> bool:
    """Does nothing stand before it on its line, as before docstrings?"""
    before = source[max(0, start - _MOST_INDENTED) : start]
    line = before.rpartition("\n")[2]
    return not line.strip() and (len(line) < len(before) or start <= _MOST_INDENTED)


_C_LIKE = ("//", "/*")
COMMENT_MARKS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("javascript", "typescript", "go", "rust", "java", "kotlin", "c", "cpp", "csharp", "swift", "scala", "dart"),
        _C_LIKE,
    ),
    **dict.fromkeys(
        (
            "shell",
            "ruby",
            "yaml",
            "yml",
            "toml",
            "perl",
            "r",
            "julia",
            "elixir",
            "exs",
            "dockerfile",
            "make",
            "mk",
            "powershell",
            "cfg",
            "conf",
            "tf",
            "nim",
            "crystal",
            "coffeescript",
        ),
        ("#",),
    ),
    **dict.fromkeys(("php", "hcl"), ("#", *_C_LIKE)),
    **dict.fromkeys(("css",), ("/*",)),
    **dict.fromkeys(
        ("scss", "less", "objective-c", "proto", "groovy", "gradle", "solidity", "systemverilog", "cuda"), _C_LIKE
    ),
    **dict.fromkeys(("vue", "svelte"), ("<!--", *_C_LIKE)),
    "cython": ("#",),
    "vim": ('"',),
    "sql": ("--", "/*"),
    **dict.fromkeys(("lua", "ada", "vhdl", "elm"), ("--",)),
    "fortran": ("!",),
    "ocaml": ("(*",),
    "fsharp": ("//", "(*"),
    "zig": ("//",),
    "pascal": ("//", "{", "(*"),
    "visual-basic": ("'",),
    "cobol": ("*>",),
    "assembly": (";", "#"),
    "haskell": ("--", "{-"),
    "tex": ("%",),
    "erlang": ("%",),
    "ini": (";", "#"),
    "clojure": (";",),
}
"""What opens a comment, by language. Python has its own way of telling, and is not among them."""


def code_by_line(source: str, language: str, wanted: Collection[int]) -> list[str]:
    """What of each line is code, blanks left out: the same for a line that was only indented; empty for a comment.

    Of Python only the lines `wanted`, counted from 1, are given; others are empty, and none stand behind the last. In languages beside Python a comment counts only where it has the line to itself.
    """
    if language == "python":
        last = max(wanted, default=0)
        given = bare("\n".join(source.split("\n", last)[:last])).split("\n")
        return ["".join(line.split()) if number in wanted else "" for number, line in enumerate(given, start=1)]
    return ["".join(line.split()) for line in _beside_comments(source, COMMENT_MARKS.get(language, ()))]


def code_of_lines(source: str, language: str) -> list[str]:
    """The lines of a source, their comments cut off; blanks at both ends may go, too. A mark counts behind a blank and outside of quotes."""
    if language == "python":
        return bare(source).split("\n")
    marks = COMMENT_MARKS.get(language, ())
    if not marks:
        return source.split("\n")
    before = _before(marks)
    return [
        found[0] if any(map(line.__contains__, marks)) and (found := before.match(line)) else line
        for line in _beside_comments(source, marks)
    ]


@cache
def _before(marks: tuple[str, ...]) -> re.Pattern[str]:
    """All of a line up to a comment; it fits every line, and no place of it is tried twice."""
    either = "|".join(map(re.escape, marks))
    quoted = "|".join(rf"{quote}(?>(?:[^{quote}\\]++|\\.)*){quote}" for quote in "\"'`")
    return re.compile(rf"(?>(?:[^\s\"'`\\]++|\\.|{quoted}|\s(?!{either})|[\"'`\\])*)", re.DOTALL)


def _beside_comments(source: str, marks: tuple[str, ...]) -> Iterator[str]:
    """The lines, those that are comments left blank."""
    inside = ""
    for line in source.split("\n"):
        text = line.strip()
        if inside:
            inside, text = ("", text.partition(inside)[2]) if inside in text else (inside, "")
        else:
            opened = next((mark for mark in marks if text.startswith(mark)), "")
            closing = _CLOSED_BY.get(opened, "")
            if closing and closing not in text[len(opened) :]:
                inside = closing
            text = "" if opened else text
        yield text


_CLOSED_BY = {"/*": "*/", "<!--": "-->", "{-": "-}"}
