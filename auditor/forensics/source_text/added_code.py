"""How much code a change writes: comments, docstrings, blank lines and code that only moved are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from auditor.domain import FileChange
from auditor.forensics.source_text.comments import compact_code_by_line
from auditor.forensics.source_text.file_roles import language


class AddedCode(NamedTuple):
    """How many lines of code some files gained, and how many of those are tests in the file itself (usual in Rust)."""

    lines: int
    test_lines: int


def removed_lines(files: Iterable[FileChange], base: Mapping[str, str]) -> Counter[str]:
    """The lines of code that a change removes, counted; one added elsewhere has moved. `base` maps paths to texts."""
    return Counter(line for file in files for line in _removed_lines(file, base))


def count_added_code(files: Iterable[FileChange], removed: Counter[str], head: Mapping[str, str]) -> AddedCode:
    """Lines of new code in `files`, whose texts `head` holds by path. A line that was moved elsewhere in the change (one of `removed`) is none.

    Of a file whose text is not at hand, every added line counts.
    """
    gone = removed.copy()
    total = of_tests = 0
    for file in files:
        text = None if file.head is None else head.get(file.head.path)
        if text is None:
            total += file.added
            continue
        added = file.added_lines
        lines = compact_code_by_line(text, language(file.path), added)
        tests_from = _first_test_line(lines, language(file.path))
        for number in sorted(added):
            line = lines[number - 1] if number <= len(lines) else ""
            if gone[line] > 0:
                gone[line] -= 1
            elif line:
                total += 1
                of_tests += number >= tests_from
    return AddedCode(total, of_tests)


def _removed_lines(file: FileChange, base: Mapping[str, str]) -> list[str]:
    text = None if file.base is None else base.get(file.base.path)
    deleted = file.deleted_lines
    if file.base is None or text is None or not deleted:
        return []
    lines = compact_code_by_line(text, language(file.base.path), deleted)
    return [lines[number - 1] for number in deleted if number <= len(lines)]


def _first_test_line(lines: list[str], language_name: str) -> int:
    """The line on which a file's own tests begin; by custom they go on to its end."""
    if language_name == "rust" and "#[cfg(test)]" in lines:
        return len(lines) - lines[::-1].index("#[cfg(test)]")
    return len(lines) + 1
