"""Questions that stay open: a change reaches outsiders, adds a line that runs what it is given, and no rule has an answer about it.

Rules follow values, and no rule follows all of them. A report in which such a line looks like clean code would be wrong, so the
rule says that it could not answer. A line about which the rule itself reports something new is left out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from auditor.domain import CodeLocation, EntryKind, Fact, FileChange, Outcome, Side, TreeEntry
from auditor.forensics.engine.gathering_context import read_texts
from auditor.forensics.probe_kit.fact_outcomes import code_location, unavailable
from auditor.forensics.protections.changed_lines import (
    ChangedFile,
    changed_files,
    lines_of,
    moved_lines,
    serves_users,
)
from auditor.forensics.sensitive_words.unfollowed_uses import (
    UnfollowedUse,
    first_input,
    may_name_endpoints,
    open_questions,
    unfollowed_uses,
)
from auditor.forensics.source_text.file_roles import language
from auditor.repo.git_objects import BlobReader

_CONFIRMED = 0.8
"""Confidence from which the built-in rubrics count a finding as confirmed."""
_ENTRY_NAMES = frozenset({"", "__init__", "index", "lib", "main", "mod"})
_MAX_FILES, _MAX_FILE_BYTES = 2_000, 256 * 1024
"""Unchanged files that are searched for input, and the size of one."""
_MAX_PLACES = 10
_NEIGHBOURS = 2
"""Lines before and after a finding that it answers for: the parts of one call."""


@dataclass(frozen=True)
class OpenUses:
    """Lines that are not given constants alone, and the files in which outsiders may reach them."""

    uses: tuple[tuple[str, UnfollowedUse, str], ...]
    """With the path and the text of the line."""
    files: tuple[ChangedFile, ...]
    reached_elsewhere: tuple[str, int] | None = None
    """A line of an unchanged file that outsiders reach, and that uses one of these."""

    @cached_property
    def reached(self) -> tuple[str, int] | None:
        """The first line that outsiders reach. It is looked for when somebody asks: few changes have such a use or doubt."""
        found = ((file.path, first_input(file.path, file.after)) for file in self.files)
        return next(((path, line) for path, line in found if line is not None), self.reached_elsewhere)


def texts_for_open_questions(probe_ids: Iterable[str], changes: Sequence[FileChange] | None) -> tuple[str, ...]:
    """Globs of the files that are read for them: none where no such rule is asked, and of a whole tree."""
    return () if changes is None or open_questions().keys().isdisjoint(probe_ids) else ("*", "**/*")


def find_open_uses(changes: Iterable[FileChange], base: Mapping[str, str], head: Mapping[str, str]) -> OpenUses:
    """The uses on lines that the change writes into product files. The texts are by path."""
    files = changed_files(changes, base, head, serves_users)
    moved = moved_lines(files)
    uses = [
        (file.path, use, _line_of(head[file.path], use.line))
        for file in files
        for use in unfollowed_uses(file.path, file.after, file.added)
        if not moved[file.after[use.line - 1]]
    ]
    return OpenUses(tuple(uses), tuple(files))


def with_unchanged_users(
    open_uses: OpenUses, head: Mapping[str, TreeEntry], changes: Iterable[FileChange], reader: BlobReader
) -> OpenUses:
    """The uses with a file that outsiders reach and that names a file of them, where the change touches none itself."""
    if not open_uses.uses or open_uses.reached is not None:
        return open_uses
    using = {path for path, _, _ in open_uses.uses}
    names = {_module_name(path) for path in using}
    folders = {posixpath.dirname(path) for path in using}
    changed = {each.path for each in changes}
    languages = {language(path) for path in using}
    others = {
        path: entry
        for path, entry in head.items()
        if entry.kind is EntryKind.FILE
        and path not in changed
        and (language(path) in languages or may_name_endpoints(path))
        and serves_users(path)
    }
    by_distance = sorted(
        others.items(), key=lambda each: (language(each[0]) not in languages, posixpath.dirname(each[0]) not in folders)
    )
    for path, text in read_texts(dict(islice(by_distance, _MAX_FILES)), reader, _MAX_FILE_BYTES).items():
        is_code = language(path) in languages
        is_near = is_code and posixpath.dirname(path) in folders
        if text is None or not (is_near or any((name if is_code else f"{name}.") in text for name in names)):
            continue
        if (line := first_input(path, lines_of(text, path))) is not None:
            return replace(open_uses, reached_elsewhere=(path, line))
    return open_uses


def _module_name(path: str) -> str:
    """The name by which other files import a file: its own without the suffix, or that of its folder where every folder has one such."""
    stem = posixpath.basename(path).partition(".")[0]
    return posixpath.basename(posixpath.dirname(path)) if stem in _ENTRY_NAMES else stem


def add_open_questions(answers: Mapping[str, list[Fact]], open_uses: OpenUses) -> dict[str, list[Fact]]:
    """The answers, and what each asked rule could not answer about the uses and about findings of its own that are not sure."""
    found = dict(answers)
    for name, question in open_questions().items():
        if name not in answers:
            continue
        reported = _reported_lines(answers[name])
        uses = [each for each in open_uses.uses if each[1].question == name and (each[0], each[1].line) not in reported]
        said = [(each.statement.rstrip("."), each.locations) for each in answers[name] if _is_in_doubt(each)]
        if uses:
            places = tuple(code_location(path, use.line, quote=text) for path, use, text in uses[:_MAX_PLACES])
            said.append((f"`{uses[0][1].word}` {question.does}, and no rule could follow what it is given", places))
        if said and (question.anywhere or open_uses.reached):
            unanswered = [unavailable(_with_reach(each, open_uses), at=places) for each, places in said]
            found[name] = [*answers[name], *unanswered]
    return found


def _with_reach(statement: str, open_uses: OpenUses) -> str:
    """The statement, and where outsiders reach the code."""
    if open_uses.reached is None:
        return f"{statement}."
    path, line = open_uses.reached
    return f"{statement}. Outsiders reach `{path}:{line}`."


def _is_in_doubt(fact: Fact) -> bool:
    """Is it a new finding in product code that is not sure enough to count as confirmed?"""
    is_new = fact.outcome is Outcome.FOUND and fact.introduced is True and not fact.in_tests
    return is_new and fact.confidence < _CONFIRMED


def _line_of(text: str, number: int) -> str:
    return text.split("\n")[number - 1].strip()


def _reported_lines(facts: Iterable[Fact]) -> set[tuple[str, int]]:
    """The lines at which, or next to which, a rule reports something that the change brings in."""
    return {
        (place.path, line)
        for fact in facts
        if fact.outcome is Outcome.FOUND and fact.introduced is not False and not fact.in_tests
        for place in fact.locations
        if isinstance(place, CodeLocation) and place.start is not None and place.side is Side.HEAD
        for line in range(place.start - _NEIGHBOURS, (place.end or place.start) + _NEIGHBOURS + 1)
    }
