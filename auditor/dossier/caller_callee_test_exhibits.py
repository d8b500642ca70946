"""What a stretch of a change touches: callers of what it changes, definitions that it uses, and the tests that run it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.domain import Exhibit, ExhibitKind, ExhibitLine, LineMark, Side
from auditor.domain.frozen_model import Frozen
from auditor.dossier.code_search import CodeSearch, SearchedFile, tie_names
from auditor.dossier.hunk_exhibits import Stretch
from auditor.dossier.syntax import Definition
from auditor.forensics.source_text.file_roles import is_test
from auditor.row_tables import NameRows, name_reader

_MAX_CALLERS = 4
_MAX_CALLEES = 5
_MAX_TESTS = 2
_WHOLE = 40
"""Lines up to which a caller or a test is shown whole."""
_AROUND_CALL = 6
"""Lines around a call in a longer function."""
_SHORT_BODY = 25
"""Lines up to which the body of what is called is shown."""
_MAX_SERVED = 80
"""Lines of a definition that a judge asked for."""
_SIGNATURE = 8
"""Lines of a longer definition: its signature and the start of its documentation."""
_MIN_NAME = 3
"""Characters of a name that is looked for; shorter ones mean too many things."""
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_IMPORTS = re.compile(r"\b(?:import|require|from|use|include|mod|source)\b")
_MAX_IMPORT_LINES = 400
_MAX_NAMES = 15
"""Names of one stretch that are looked up."""


class _CommonNames(Frozen):
    names: NameRows


_common = name_reader(Path(__file__).with_name("common_names.yaml"), _CommonNames)


@dataclass(frozen=True)
class Fragment:
    """Lines of a file at the head that belong to a stretch."""

    kind: ExhibitKind
    file: SearchedFile
    first: int
    last: int
    definition: Definition | None = None
    gap_after: int = 0
    """The last line of a signature that is shown apart from the rest; 0 for none."""

    def exhibit(self, number: int, belongs_to: tuple[str, ...]) -> Exhibit:
        """It as an exhibit; the lines are not redacted yet."""
        head = range(self.definition.start, self.gap_after + 1) if self.definition and self.gap_after else range(0)
        numbers = sorted({*head, *range(self.first, self.last + 1)})
        lines = tuple(
            ExhibitLine(number=each, text=self.file.lines[each - 1])
            for each in numbers
            if 0 < each <= len(self.file.lines)
        )
        whole = self.definition is None or len(numbers) >= self.definition.length
        return Exhibit(
            id=f"{self.kind.value}#{number}",
            kind=self.kind,
            path=self.file.path,
            side=Side.HEAD,
            start=lines[0].number if lines else 1,
            end=lines[-1].number if lines else 1,
            definition=self.definition.qualified_name if self.definition else None,
            belongs_to=belongs_to,
            lines=lines,
            cut=not whole,
        )


def context(stretch: Stretch, search: CodeSearch) -> list[Fragment]:
    """What is shown beside a stretch, in the order in which it is read."""
    if stretch.side is Side.BASE and stretch.file.change.head is not None:
        return []
    return [*_own(stretch, search), *_callees(stretch, search), *_uses(stretch, search)]


def _own(stretch: Stretch, search: CodeSearch) -> Iterator[Fragment]:
    """The signature of a function that is too long to be shown whole."""
    long = stretch.long_function
    file = search.file(stretch.file.path) if long is not None else None
    if long is not None and file is not None:
        first = {each.number for each in stretch.lines}
        last = min(long.end, long.start + _SIGNATURE - 1)
        if not first.issuperset(range(long.start, last + 1)):
            yield Fragment(ExhibitKind.DEFINITION, file, long.start, last, long)


def _uses(stretch: Stretch, search: CodeSearch) -> list[Fragment]:
    """Calls of what the stretch changes, and tests that call it."""
    name = stretch.definition.name if stretch.definition is not None else ""
    if len(name) < _MIN_NAME or name in _common("names"):
        return []
    inside = range(stretch.span[0], stretch.span[1] + 1)
    return call_fragments(name, search, tie_names([stretch.file.path]), (stretch.file.path, inside))


def call_fragments(
    name: str, search: CodeSearch, ties: Collection[str], without: tuple[str, range] = ("", range(0))
) -> list[Fragment]:
    """Calls of a name in files tied to the change, those of product code before those of tests.

    `without` names lines of a file whose calls are left out.
    """
    found: dict[ExhibitKind, list[Fragment]] = {ExhibitKind.CALLER: [], ExhibitKind.TEST: []}
    most = {ExhibitKind.CALLER: _MAX_CALLERS, ExhibitKind.TEST: _MAX_TESTS}
    for file in search.calling(name, ties):
        kind = ExhibitKind.TEST if is_test(file.path) else ExhibitKind.CALLER
        seen: set[int] = set()
        for line, called in file.syntax.calls:
            if called != name or (file.path == without[0] and line in without[1]) or len(found[kind]) >= most[kind]:
                continue
            fragment = _around_call(kind, file, line)
            if fragment.first not in seen:
                seen.add(fragment.first)
                found[kind].append(fragment)
    return [*found[ExhibitKind.CALLER], *found[ExhibitKind.TEST]]


def definition_fragment(name: str, search: CodeSearch, ties: Collection[str]) -> Fragment | None:
    """The first definition of a name in files tied to the change, nearest first; None where there is none."""
    for file in search.defining(name, ties):
        for each in file.syntax.definitions:
            if each.name == name:
                return Fragment(
                    ExhibitKind.DEFINITION, file, each.start, min(each.end, each.start + _MAX_SERVED - 1), each
                )
    return None


def _around_call(kind: ExhibitKind, file: SearchedFile, line: int) -> Fragment:
    around = file.syntax.function_around(line, _WHOLE)
    if around is None:
        return Fragment(kind, file, max(1, line - 2), min(len(file.lines), line + 2), file.syntax.enclosing(line))
    if around.length <= _WHOLE:
        return Fragment(kind, file, around.start, around.end, around)
    first, last = max(around.start, line - _AROUND_CALL), min(around.end, line + _AROUND_CALL)
    return Fragment(
        kind, file, first, last, around, gap_after=min(around.start + 1, first - 1) if first > around.start else 0
    )


def _callees(stretch: Stretch, search: CodeSearch) -> Iterator[Fragment]:
    """Definitions of the repository that the changed lines name: same file first, then files tied to it."""
    file = search.file(stretch.file.path)
    if file is None:
        return
    shown = {each.number for each in stretch.lines}
    names, called, mentioned, given = _names(stretch, file), set(_called(stretch, file)), _imported_words(file), 0
    for name in names:
        if given >= _MAX_CALLEES:
            return
        found = _definition_of(name, file, mentioned, search, shown, is_called=name in called)
        if found is not None:
            given += 1
            where, definition = found
            last = definition.end if definition.length <= _SHORT_BODY else definition.start + _SIGNATURE - 1
            yield Fragment(ExhibitKind.CALLEE, where, definition.start, last, definition)


def _names(stretch: Stretch, file: SearchedFile) -> list[str]:
    """Names on the changed lines that are at the head, those that are called first."""
    own = stretch.definition.name if stretch.definition else ""
    lines = [each.number for each in stretch.changed if each.mark is LineMark.ADDED] or list(
        range(stretch.span[0], stretch.span[1] + 1)
    )
    called = _called(stretch, file)
    named = [
        name
        for line in lines
        if line <= len(file.lines)
        for name in _NAME.findall(file.lines[line - 1])
        if name[0].isupper()
    ]
    fitting = (
        each for each in [*called, *named] if len(each) >= _MIN_NAME and each not in _common("names") and each != own
    )
    return list(dict.fromkeys(fitting))[:_MAX_NAMES]


def _called(stretch: Stretch, file: SearchedFile) -> list[str]:
    changed = {each.number for each in stretch.changed if each.mark is LineMark.ADDED} or set(
        range(stretch.span[0], stretch.span[1] + 1)
    )
    return [name for line, name in file.syntax.calls if line in changed]


def _definition_of(
    name: str, file: SearchedFile, mentioned: set[str], search: CodeSearch, shown: set[int], *, is_called: bool
) -> tuple[SearchedFile, Definition] | None:
    local = [
        each for each in file.syntax.definitions if each.name == name and (is_called or each.is_type or each.is_value)
    ]
    if local:
        fresh = [each for each in local if each.start not in shown]
        return (file, fresh[0]) if fresh and len(fresh) == len(local) else None

    def may_be_meant(path: str) -> bool:
        tied = tie_names([path]) & mentioned or _same_folder(path, file.path)
        return path != file.path and bool(tied) and not is_test(path)

    for other in search.defining(name, mentioned, may_be_meant):
        matching = [
            each
            for each in other.syntax.definitions
            if each.name == name and (is_called or each.is_type or each.is_value)
        ]
        if len({each.start for each in matching}) == 1:
            return other, matching[0]
    return None


def _imported_words(file: SearchedFile) -> set[str]:
    """Words of the lines by which the file takes in others: names of modules are among them."""
    lines = (each for each in file.lines[:_MAX_IMPORT_LINES] if _IMPORTS.search(each))
    return {word for line in lines for word in _NAME.findall(line)}


def _same_folder(one: str, other: str) -> bool:
    return one.rpartition("/")[0] == other.rpartition("/")[0]


def without_repeats(fragments: Sequence[Fragment], shown: dict[str, set[int]]) -> list[Fragment]:
    """The fragments whose lines are not all shown already; `shown` takes in the others."""
    fresh = []
    for each in fragments:
        lines = set(range(each.first, each.last + 1))
        known = shown.setdefault(each.file.path, set())
        if not lines <= known:
            known |= lines
            fresh.append(each)
    return fresh
