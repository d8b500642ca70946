"""The two parts of a file of rows, each readable without the other: `python`, and `other_languages` row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_SECTION = re.compile(r"^(?P<key>\w+):.*\n(?:[ \t#].*\n|\n)*", re.MULTILINE)
_ROW = re.compile(r"^    - languages: \[(?P<languages>[^\]\n]*)\]\n(?:      .*\n|\n)*", re.MULTILINE)


def python_section(text: str) -> str:
    """The text without rows for other languages; lines keep their numbers."""
    return _SECTION.sub(lambda found: _blank(found) if found["key"] == "other_languages" else found[0], text)


def rows_of_language(text: str, language: str) -> str:
    """The text without rows for Python and for languages other than this one; lines keep their numbers."""

    def of_row(found: re.Match[str]) -> str:
        return found[0] if language in re.split(r"[\s,]+", found["languages"].strip()) else _blank(found)

    own = _SECTION.sub(lambda found: _blank(found) if found["key"] == "python" else found[0], text)
    return _ROW.sub(of_row, own)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


@cache
def question_files() -> tuple[Path, ...]:
    """Files that have rows for other languages, in order."""
    return tuple(each for each in sorted(Path(__file__).parent.glob("*.yaml")) if _has_rows(each))


def _has_rows(path: Path) -> bool:
    return any(line.startswith("other_languages:") for line in _lines(path))


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as opened:
        yield from opened
