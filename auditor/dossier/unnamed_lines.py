"""Lines that are sensitive for where they are, and for no word: code that handles requests, and files that no grammar reads.

Words are rows of a table, and no table has all of them. What an outsider can write here is shown to a reader whatever it says.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from auditor.domain import OmissionReason, Side
from auditor.dossier.changed_file import ChangedFile
from auditor.forensics.sensitive_words.unfollowed_uses import first_input
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import Role, is_code, is_example, language, role
from auditor.forensics.source_text.unparsed_languages import title_by_name

REQUEST_AREA, SCRIPT_AREA = "request_handling", "scripts"
OTHER_AREA, UNSEARCHED_AREA = "other_files", "unsearched_files"
AREAS = frozenset({REQUEST_AREA, SCRIPT_AREA, OTHER_AREA, UNSEARCHED_AREA})
"""Areas whose lines have no word of the table."""
_MAX_LINE = 2_000
"""Characters of a line in which names are looked for."""
_UNSEARCHED = frozenset(
    {OmissionReason.BINARY, OmissionReason.GENERATED, OmissionReason.UNREAD, OmissionReason.VENDORED}
)
_OTHER_ROLES = frozenset({Role.CONFIGURATION, Role.DATA, Role.GENERATED, Role.VENDORED})
_SHELL = "shell"
_NAME = re.compile(r"[^\W\d]\w*")
_INDEX_NAMES = frozenset({"", "__init__", "index", "lib", "main", "mod"})


def is_unsearched(file: ChangedFile) -> bool:
    """Does the change write a file whose content no rule and no judge reads, and which is no picture, sound or font?"""
    return file.omitted in _UNSEARCHED and file.change.head is not None and not _is_inert(file.path)


def is_other_file(file: ChangedFile) -> bool:
    """Is it settings, data or code that no grammar reads, and no text that nothing obeys?"""
    if is_example(file.path) or _is_inert(file.path):
        return False
    kind = role(file.path)
    return kind in _OTHER_ROLES or (kind is Role.PRODUCT and bool(title_by_name(file.path)))


def all_lines_area(file: ChangedFile) -> str | None:
    """The area of a file of which every written line is sensitive; none for other files."""
    if is_other_file(file):
        return OTHER_AREA
    return SCRIPT_AREA if is_parsed_code(file) and language(file.path) == _SHELL else None


def is_parsed_code(file: ChangedFile) -> bool:
    """Is it product code that a grammar reads?"""
    is_product = role(file.path) is Role.PRODUCT and not is_example(file.path)
    return is_product and is_code(file.path) and not title_by_name(file.path)


def unmatched_lines(file: ChangedFile, comments: Mapping[Side, Collection[int]]) -> Iterator[tuple[Side, int]]:
    """The changed lines with code on them that the other side does not have. Of a line that was edited, what it became."""
    before, after = ([*map(_without_blanks, lines)] for lines in (file.before, file.after))
    known = {Side.HEAD: frozenset(before), Side.BASE: frozenset(after)}
    texts = {Side.HEAD: after, Side.BASE: before}

    def new_lines(side: Side, start: int, count: int) -> list[tuple[Side, int]]:
        numbers = range(start, min(start + count, len(texts[side]) + 1))
        return [
            (side, number)
            for number in numbers
            if number not in comments[side]
            and (text := texts[side][number - 1]) not in known[side]
            and _NAME.search(text)
        ]

    for hunk in file.change.hunks:
        written = new_lines(Side.HEAD, hunk.head_start, hunk.head_count)
        yield from written or new_lines(Side.BASE, hunk.base_start, hunk.base_count)


def _without_blanks(line: str) -> str:
    return "".join(line.split())


def reads_requests(path: str, lines: Sequence[str], comments: Collection[int]) -> bool:
    """Do these lines of a file read input of requests, or declare what outsiders reach?"""
    code = ["" if number in comments else line for number, line in enumerate(lines, 1)]
    return first_input(path, code) is not None


def names_in(lines: Sequence[str]) -> set[str]:
    """The names that are written in some lines."""
    return {name for line in lines for name in _NAME.findall(line[:_MAX_LINE])}


def module_name(path: str) -> str:
    """The name by which other files name this one: its own without suffix, or that of its folder."""
    stem = posixpath.basename(path).partition(".")[0]
    return posixpath.basename(posixpath.dirname(path)) if stem in _INDEX_NAMES else stem


def _suffix(path: str) -> str:
    name = posixpath.basename(path)
    return name.rpartition(".")[2].lower() if "." in name else ""


def _is_inert(path: str) -> bool:
    return _suffix(path) in file_suffixes(FileKind.INERT)
