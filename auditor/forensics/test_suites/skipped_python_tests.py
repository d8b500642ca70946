"""Python tests that are switched off: by a mark of their own, of their class or of their module, or by how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.domain import Side
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.source_text.comments import strip_comments
from auditor.forensics.source_text.file_outline import Class, Function, Outline, RunCondition
from auditor.forensics.test_suites.python_test_bodies import lines_of, stops_early
from auditor.forensics.test_suites.python_test_inventory import Placed, Sources
from auditor.lazy_regex import lazy_compile

_NEVER = frozenset({"skip", "xfail", "expectedFailure"})
_UNDER_A_CONDITION = frozenset({"skipif", "skipIf", "skipUnless"})
_MARKED = re.compile(r"\b(?:skip|xfail|skip[iI]f)\b")
_GIVEN_AS = r"\(\s{0,20}(?:condition\s{0,5}=\s{0,5})?[\"'(]{0,3}"
_SURELY = lazy_compile(
    rf"\bskip[iI]f{_GIVEN_AS}(?:True|1|not\s{{1,5}}(?:False|0))\b(?!\s{{0,5}}(?:and\b|==|[<>.]))"
    rf"|\bskipUnless{_GIVEN_AS}(?:False|0|not\s{{1,5}}(?:True|1))\b(?!\s{{0,5}}(?:or\b|==|[<>.]))"
)
"""A condition that holds everywhere is none."""
_ASKED = lazy_compile(r"\bskip[iI]f\b|\bskipUnless\b|\bxfail\(\s{0,20}(?!reason\b|raises\b|strict\b|run\b|[\"')])")
_LEFT = re.compile(r"pytest\.skip\(|raise\s+(?:unittest\.)?SkipTest\b")
"""What keeps a whole module from being collected, where it stands at the margin."""
_WIDEST = 2_000
_MOST_LINES = 40
"""Lines of a mark, or of decorators, that are read."""


def switched_off(
    change: Change, modules: PythonModules, now: Sequence[Placed], before: Sequence[Placed], sources: Sources
) -> tuple[list[Placed], list[Placed]]:
    """The tests that the change keeps from running, and those that it newly puts under a condition.

    A new one that asks for a condition takes nothing away.
    """
    less = list(_running_less(change, _Files(modules.head, sources[Side.HEAD]), now, before, sources[Side.BASE]))
    names = {name for _, each, _ in less for name in (each.qualname, each.name)}
    kept = {each.qualname for _, each in now}
    files = _Files(modules.base, sources[Side.BASE])
    had: dict[str, RunCondition] = {}
    for path, each in before if less else ():
        moved = each.qualname not in kept
        if each.qualname in names or (moved and each.name in names):
            runs = files.runs(path, each)
            for name in (each.qualname, *((each.name,) if moved else ())):
                had[name] = max(runs, had.get(name, runs))
    off: dict[RunCondition, list[Placed]] = {RunCondition.NEVER: [], RunCondition.CONDITIONALLY: []}
    for path, each, runs in less:
        if runs > had.get(each.qualname, had.get(each.name, RunCondition.CONDITIONALLY)):
            off[runs].append((path, each))
    return off[RunCondition.NEVER], off[RunCondition.CONDITIONALLY]


class _Files:
    """The test files of one side of a change."""

    def __init__(self, shapes: Mapping[str, Outline], sources: Mapping[str, Sequence[str]]) -> None:
        self._shapes = shapes
        self._sources = sources
        self._whole: dict[str, RunCondition] = {}

    def source(self, path: str) -> Sequence[str]:
        """The lines of a file; none where its text is not at hand."""
        return self._sources.get(path, ())

    def marked(self, path: str, function: Function) -> RunCondition:
        """How far a test runs by the marks of its module, its class and its own."""
        shape, source = self._shapes[path], self.source(path)
        if path not in self._whole:
            self._whole[path] = _module(shape, source)
        return max(self._whole[path], _own(function, shape, source))

    def runs(self, path: str, function: Function) -> RunCondition:
        """The same, with how it begins."""
        runs = self.marked(path, function)
        return (
            RunCondition.NEVER if runs is not RunCondition.NEVER and stops_early(self.source(path), function) else runs
        )


def _running_less(
    change: Change, files: _Files, now: Sequence[Placed], before: Sequence[Placed], old: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Function, RunCondition]]:
    """Tests of the change's files that do not always run; one with the body that it had stops no earlier than it did."""
    known = {(path, each.qualname): each for path, each in before}
    for path, each in now:
        file = change.by_path.get(path)
        if file is None:
            continue
        came_from = file.base.path if file.base is not None else ""
        was = known.get((came_from, each.qualname))
        same = was is not None and lines_of(old.get(came_from, ()), was) == lines_of(files.source(path), each)
        runs = files.marked(path, each) if same else files.runs(path, each)
        if runs is not RunCondition.ALWAYS:
            yield path, each, runs


def _own(function: Function, shape: Outline, source: Sequence[str]) -> RunCondition:
    """How far a test runs by its own marks and those of its class."""
    holder = function.class_name
    owners = [each for each in shape.classes if each.qualname == holder] if holder else []
    if any("__test__" in each.attributes for each in owners):
        return RunCondition.NEVER
    marked: tuple[Function | Class, ...] = (function, *owners)
    marks = {name.rpartition(".")[2] for each in marked for name in each.decorators}
    if not marks & (_NEVER | _UNDER_A_CONDITION):
        return RunCondition.ALWAYS
    text = "\n".join(_decorators(source, each.line) for each in marked)
    if marks & {"skip", "expectedFailure"} or _SURELY.search(text):
        return RunCondition.NEVER
    return RunCondition.CONDITIONALLY if marks & _UNDER_A_CONDITION or _ASKED.search(text) else RunCondition.NEVER


def _decorators(source: Sequence[str], line: int) -> str:
    """What stands above a definition, up to the next empty line."""
    first = line - 1
    while first > 0 and line - first <= _MOST_LINES and source[first - 1 : first] and source[first - 1].strip():
        first -= 1
    return "\n".join(source[first : line - 1])


def _module(shape: Outline, source: Sequence[str]) -> RunCondition:
    """How far the tests of a module run by what it says of all of them."""
    if "__test__" in shape.names or any(_LEFT.match(line) for line in source):
        return RunCondition.NEVER
    if "pytestmark" not in shape.names:
        return RunCondition.ALWAYS
    told = [_statement(source, number) for number, line in enumerate(source) if _IS_MARK.match(line)][:_MOST_MARKS]
    named = {name for text in told for name in _NAME.findall(text)}
    told += [
        _statement(source, number)
        for number, line in enumerate(source)
        if (given := _GIVEN.match(line)) is not None and given[1] in named and not _IS_MARK.match(line)
    ][:_MOST_MARKS]
    return max(map(_says, told), default=RunCondition.ALWAYS)


_IS_MARK = lazy_compile(r"[ \t]{0,40}(?:\w{1,80}[ \t]{0,5}=[ \t]{0,5})?pytestmark\b")
_GIVEN = lazy_compile(r"(\w{1,80})[ \t]{0,5}=(?!=)")
_NAME = lazy_compile(r"(?<![\w.])[^\W\d]\w{0,79}")
_MOST_MARKS = 100
"""Statements about a module's mark that are read: it may be given several times, added to, or kept under another name."""


def _says(text: str) -> RunCondition:
    """What one of them says: many only name a plugin, a fixture or a group."""
    if not _MARKED.search(text):
        return RunCondition.ALWAYS
    return RunCondition.CONDITIONALLY if _ASKED.search(text) and not _SURELY.search(text) else RunCondition.NEVER


def _statement(source: Sequence[str], start: int) -> str:
    """A statement that begins on a line, without its comments."""
    rows: list[str] = []
    depth = 0
    for line in source[start : start + _MOST_LINES]:
        said = strip_comments(line[:_WIDEST])
        rows.append(said)
        depth += sum(map(said.count, "([{")) - sum(map(said.count, ")]}"))
        if depth <= 0:
            break
    return "\n".join(rows)
