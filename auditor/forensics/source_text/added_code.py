"""How much code a change writes: comments, docstrings, blank lines and code that only moved are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from auditor.domain import FileChange
from auditor.forensics.source_text.comments import code_by_line
from auditor.forensics.source_text.file_roles import language

READ = tuple(
    f"{folder}*.{suffix}"
    for suffix in ("py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "rs", "java", "kt", "scala",
                   "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "swift", "sh", "bash", "vue", "svelte")
    for folder in ("", "**/")
)  # fmt: skip
"""Files whose comments can be told from their code."""


class Written(NamedTuple):
    """New lines of code in some files, and of those how many test the file that they stand in, as is usual in Rust."""

    lines: int
    of_tests: int


def gone_lines(files: Iterable[FileChange], base: Mapping[str, str]) -> Counter[str]:
    """The lines of code that a change takes away, and how often: what comes again elsewhere has moved. `base` holds texts by path."""
    return Counter(line for file in files for line in _taken_away(file, base))


def written(files: Iterable[FileChange], moved: Counter[str], head: Mapping[str, str]) -> Written:
    """Lines of new code in `files`, whose texts `head` holds by path. A line that goes elsewhere in the change (one of `moved`) is none.

    Of a file whose text is not at hand, every added line counts.
    """
    gone = moved.copy()
    total = of_tests = 0
    for file in files:
        text = None if file.head is None else head.get(file.head.path)
        if text is None:
            total += file.added
            continue
        added = file.added_lines
        lines = code_by_line(text, language(file.path), added)
        tests_from = _tests_from(lines, language(file.path))
        for number in sorted(added):
            line = lines[number - 1] if number <= len(lines) else ""
            if gone[line] > 0:
                gone[line] -= 1
            elif line:
                total += 1
                of_tests += number >= tests_from
    return Written(total, of_tests)


def _taken_away(file: FileChange, base: Mapping[str, str]) -> list[str]:
    text = None if file.base is None else base.get(file.base.path)
    deleted = file.deleted_lines
    if file.base is None or text is None or not deleted:
        return []
    lines = code_by_line(text, language(file.base.path), deleted)
    return [lines[number - 1] for number in deleted if number <= len(lines)]


def _tests_from(lines: list[str], written_in: str) -> int:
    """The line on which a file's own tests begin; by custom they go on to its end."""
    if written_in == "rust" and "#[cfg(test)]" in lines:
        return len(lines) - lines[::-1].index("#[cfg(test)]")
    return len(lines) + 1
