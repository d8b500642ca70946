"""The lines of product and configuration files that a change writes and takes away, comments apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.domain import FileChange
from auditor.forensics.source_text.comments import lines_without_comments
from auditor.forensics.source_text.embedded_code import script_language
from auditor.forensics.source_text.file_roles import Role, is_example, is_expected_output, is_test, role
from auditor.lazy_regex import lazy_compile

MAX_LINES = 20_000
"""Lines of one file that are compared; longer files are data."""
_OTHER_ROLES = frozenset({Role.TEST, Role.DOCUMENTATION, Role.LOCK, Role.GENERATED, Role.VENDORED})
_FOR_DEVELOPERS = lazy_compile(
    r"(?i)(?:^|[/._-])(?:dev|devel|development|local|debug|tests?|testing|ci|samples?|(?<!com/)(?<!org/)(?<!net/)examples?|templates?|dist)(?=[/._-]|$)"
)
"""Words of paths whose settings are for the machine of a developer, or are to be copied and edited; `com/example` is a package."""

_OBEYED = {
    "go": lazy_compile(r"(?m)^//go:generate[ \t]+\S"),
    "r": lazy_compile(r"(?m)^#[*'][ \t]*@(?:delete|filter|get|head|options|patch|post|put|use)\b"),
    "shell": lazy_compile(r"\A#!"),
}
"""Comments that are obeyed, by `go generate`, the routes of plumber and the system."""


@dataclass(frozen=True)
class ChangedFile:
    """One file on both sides, as lines without comments and without white space around them."""

    path: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    added: frozenset[int]
    """Numbers of lines, from 1, that the change wrote."""
    deleted: frozenset[int]
    """Numbers of lines, from 1, that it took away."""


class Edit(NamedTuple):
    """Lines that one edit took away, and those that it wrote in their place."""

    old: Sequence[str]
    new: Sequence[tuple[int, str]]
    """Each with its number."""
    after: Sequence[tuple[int, str]]
    """All lines of the file as it is now."""
    start: int
    """Where in `after` the new lines begin, or what is behind the removed ones."""


def edits_of(file: ChangedFile) -> Iterator[Edit]:
    """The edits of a file that is on both sides, by the lines that git calls added and removed; empty lines and comments aside."""
    after = [(number, line) for number, line in enumerate(file.after, start=1) if line]
    old: list[str] = []
    new: list[tuple[int, str]] = []
    place = 0
    for was, number, line in _aligned(file) if after else ():
        if was and line:  # kept: it ends an edit
            if old != [each for _, each in new]:
                yield Edit(old, new, after, place - len(new))
            old, new = [], []
        elif was:
            old.append(was)
        elif line:
            new.append((number, line))
        place += line != ""
    if old != [each for _, each in new]:
        yield Edit(old, new, after, place - len(new))


def _aligned(file: ChangedFile) -> Iterator[tuple[str, int, str]]:
    """Each line as it was, its number from 1 now, and as it is; empty where it is not on that side. Removed ones come first."""
    before_at = after_at = 0
    while before_at < len(file.before) or after_at < len(file.after):
        if before_at < len(file.before) and before_at + 1 in file.deleted:
            yield file.before[before_at], 0, ""
            before_at += 1
        elif after_at < len(file.after) and after_at + 1 in file.added:
            yield "", after_at + 1, file.after[after_at]
            after_at += 1
        else:
            if after_at < len(file.after):
                yield file.after[after_at], after_at + 1, file.after[after_at]
            before_at, after_at = before_at + 1, after_at + 1


def changed_files(
    files: Iterable[FileChange],
    base: Mapping[str, str],
    head: Mapping[str, str],
    wanted: Callable[[str], bool] | None = None,
) -> list[ChangedFile]:
    """The files with paths that are wanted: all that configure or protect what users run, where nothing else is asked for."""
    wanted = wanted or is_of_interest
    found: list[ChangedFile] = []
    for file in files:
        if file.head is None or file.head.path not in head or not wanted(file.head.path):
            continue
        before = base.get(file.base.path, "") if file.base is not None else ""
        after = lines_of(head[file.head.path], file.head.path)
        if len(after) <= MAX_LINES:
            earlier = lines_of(before, file.head.path) if before else ()
            found.append(ChangedFile(file.head.path, earlier, after, file.added_lines, file.deleted_lines))
    return found


def is_of_interest(path: str) -> bool:
    """Does a file of that path configure or protect what users run? Settings of developers do not."""
    return serves_users(path) and (role(path) is Role.WORKFLOW or _FOR_DEVELOPERS.search(path) is None)


def serves_users(path: str) -> bool:
    """Is it no test, example, document, lock file, generated or vendored file by its path?"""
    others = is_test(path) or is_example(path) or is_expected_output(path)
    return role(path) not in _OTHER_ROLES and not others


def moved_lines(files: Iterable[ChangedFile]) -> Counter[str]:
    """How often each line stood in the files before: one that is written again has moved."""
    return Counter(line for file in files for line in file.before if line)


def lines_of(text: str, path: str) -> tuple[str, ...]:
    """The lines of a file without comments and without white space around them; what a tool obeys is no comment."""
    written_in = script_language(path, text)
    kept = (line.strip() for line in lines_without_comments(text, written_in))
    obeyed = _OBEYED.get(written_in)
    if obeyed is None or obeyed.search(text) is None:
        return tuple(kept)
    written = (line.strip() for line in text.split("\n"))
    return tuple(whole if obeyed.match(whole) else line for line, whole in zip(kept, written, strict=False))
