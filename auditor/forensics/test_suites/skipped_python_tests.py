"""Python tests that are switched off: by a mark of their own, of their class or of their module, or by how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.domain import Side
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.source_text.comments import strip_comments
from auditor.forensics.source_text.file_outline import Class, Function, Outline, RunCondition
from auditor.forensics.test_suites.pytest_names import pytest_names
from auditor.forensics.test_suites.python_test_bodies import always_skips, always_stops_early, function_lines
from auditor.forensics.test_suites.python_test_inventory import LocatedTest, SourceLines
from auditor.lazy_regex import lazy_compile

_SKIP_MARKS = frozenset({"skip", "xfail", "expectedFailure"})
_CONDITIONAL_SKIP_MARKS = frozenset({"skipif", "skipIf", "skipUnless"})
_SKIP_MARK = re.compile(r"\b(?:skip|xfail|skip[iI]f)\b")
_PARAMETRIZE = "parametrize"
_NO_PARAMETERS = lazy_compile(
    r"\bparametrize\(\s{0,20}(?:argnames\s{0,5}=\s{0,5})?(?:[\"'][^\"'\n]{0,200}[\"']|[\[(][^\[\]()\n]{0,200}[\])])\s{0,20},\s{0,20}"
    r"(?:argvalues\s{0,5}=\s{0,5})?(?:\[\s{0,20}\]|\(\s{0,20}\)|\{\s{0,20}\}|(?:list|tuple|set|dict)\(\s{0,20}\))\s{0,20}[,)]"
)
"""An empty list of parameters, for which pytest skips the test."""
_CONDITION_ARGUMENT = r"\(\s{0,20}(?:condition\s{0,5}=\s{0,5})?[\"'(]{0,3}"
_CONSTANT_CONDITION = lazy_compile(
    rf"\bskip[iI]f{_CONDITION_ARGUMENT}(?:True|1|not\s{{1,5}}(?:False|0))\b(?!\s{{0,5}}(?:and\b|==|[<>.]))"
    rf"|\bskipUnless{_CONDITION_ARGUMENT}(?:False|0|not\s{{1,5}}(?:True|1))\b(?!\s{{0,5}}(?:or\b|==|[<>.]))"
)
"""A skip condition that always holds."""
_CONDITIONAL_SKIP = lazy_compile(
    r"\bskip[iI]f\b|\bskipUnless\b|\bxfail\(\s{0,20}(?!reason\b|raises\b|strict\b|run\b|[\"')])"
)
_MODULE_SKIP = re.compile(r"pytest\.skip\(|raise\s+(?:unittest\.)?SkipTest\b")
"""A statement that keeps a whole module from being collected, at module level."""
_MAX_LINE_LENGTH = 2_000
_MAX_MARK_LINES = 40
"""Lines of a mark, or of decorators, that are read."""


def find_skipped_tests(
    change: Change,
    modules: PythonModules,
    head_tests: Sequence[LocatedTest],
    base_tests: Sequence[LocatedTest],
    sources: SourceLines,
) -> tuple[list[LocatedTest], list[LocatedTest]]:
    """The tests that the change skips, and those that it newly skips under a condition.

    A new one that asks for a condition takes nothing away.
    """
    less = list(
        _restricted_tests(
            change, _SideTestFiles(modules.head, sources[Side.HEAD]), head_tests, base_tests, sources[Side.BASE]
        )
    )
    names = {name for _, each, _ in less for name in (each.qualname, each.name)}
    kept = {each.qualname for _, each in head_tests}
    files = _SideTestFiles(modules.base, sources[Side.BASE])
    had: dict[str, RunCondition] = {}
    for path, each in base_tests if less else ():
        moved = each.qualname not in kept
        if each.qualname in names or (moved and each.name in names):
            runs = files.runs(path, each)
            for name in (each.qualname, *((each.name,) if moved else ())):
                had[name] = max(runs, had.get(name, runs))
    off: dict[RunCondition, list[LocatedTest]] = {RunCondition.NEVER: [], RunCondition.CONDITIONALLY: []}
    for path, each, runs in less:
        if runs > had.get(each.qualname, had.get(each.name, RunCondition.CONDITIONALLY)):
            off[runs].append((path, each))
    return off[RunCondition.NEVER], off[RunCondition.CONDITIONALLY]


class _SideTestFiles:
    """The test files of one side of a change."""

    def __init__(self, shapes: Mapping[str, Outline], sources: Mapping[str, Sequence[str]]) -> None:
        self._shapes = shapes
        self._sources = sources
        self._whole: dict[str, RunCondition] = {}
        self._skipped_classes: dict[tuple[str, str], bool] = {}

    def source(self, path: str) -> Sequence[str]:
        """The lines of a file; none where its text is not available."""
        return self._sources.get(path, ())

    def marked(self, path: str, function: Function) -> RunCondition:
        """The run condition of a test by the marks of its module, its class and its own."""
        shape, source = self._shapes[path], self.source(path)
        if path not in self._whole:
            self._whole[path] = _module_condition(shape, source)
        if self._is_skipped_by_its_class(path, function.class_name):
            return RunCondition.NEVER
        return max(self._whole[path], _own_condition(function, shape, source))

    def _is_skipped_by_its_class(self, path: str, class_name: str) -> bool:
        """Does what runs before each test of a class always skip it?"""
        key = (path, class_name)
        if class_name and key not in self._skipped_classes:
            before = pytest_names("class_preparations")
            own = (each for each in self._shapes[path].functions if each.class_name == class_name)
            self._skipped_classes[key] = any(
                each.name in before and always_skips(self.source(path), each) for each in own
            )
        return bool(class_name) and self._skipped_classes[key]

    def runs(self, path: str, function: Function) -> RunCondition:
        """The same, taking into account how the body begins."""
        runs = self.marked(path, function)
        return (
            RunCondition.NEVER
            if runs is not RunCondition.NEVER and always_stops_early(self.source(path), function)
            else runs
        )


def _restricted_tests(
    change: Change,
    files: _SideTestFiles,
    head_tests: Sequence[LocatedTest],
    base_tests: Sequence[LocatedTest],
    base_lines: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, Function, RunCondition]]:
    """Tests of the change's files that do not always run, unless an unchanged body already did not."""
    known = {(path, each.qualname): each for path, each in base_tests}
    for path, each in head_tests:
        file = change.by_path.get(path)
        if file is None:
            continue
        came_from = file.base.path if file.base is not None else ""
        was = known.get((came_from, each.qualname))
        same = was is not None and function_lines(base_lines.get(came_from, ()), was) == function_lines(
            files.source(path), each
        )
        runs = files.marked(path, each) if same else files.runs(path, each)
        if runs is not RunCondition.ALWAYS:
            yield path, each, runs


def _own_condition(function: Function, outline: Outline, source: Sequence[str]) -> RunCondition:
    """The run condition of a test by its own marks and those of its class."""
    holder = function.class_name
    owners = [each for each in outline.classes if each.qualname == holder] if holder else []
    if any("__test__" in each.attributes for each in owners):
        return RunCondition.NEVER
    marked: tuple[Function | Class, ...] = (function, *owners)
    marks = {name.rpartition(".")[2] for each in marked for name in each.decorators}
    if not marks & (_SKIP_MARKS | _CONDITIONAL_SKIP_MARKS | {_PARAMETRIZE}):
        return RunCondition.ALWAYS
    text = "\n".join(_decorator_text(source, each.line) for each in marked)
    if _PARAMETRIZE in marks and _NO_PARAMETERS.search(text):
        return RunCondition.NEVER
    if not marks & (_SKIP_MARKS | _CONDITIONAL_SKIP_MARKS):
        return RunCondition.ALWAYS
    if marks & {"skip", "expectedFailure"} or _CONSTANT_CONDITION.search(text):
        return RunCondition.NEVER
    return (
        RunCondition.CONDITIONALLY
        if marks & _CONDITIONAL_SKIP_MARKS or _CONDITIONAL_SKIP.search(text)
        else RunCondition.NEVER
    )


def _decorator_text(source: Sequence[str], line: int) -> str:
    """The text above a definition, up to the next empty line."""
    first = line - 1
    while first > 0 and line - first <= _MAX_MARK_LINES and source[first - 1 : first] and source[first - 1].strip():
        first -= 1
    return "\n".join(source[first : line - 1])


def _module_condition(outline: Outline, source: Sequence[str]) -> RunCondition:
    """The run condition that a module sets for all of its tests."""
    if "__test__" in outline.names or any(_MODULE_SKIP.match(line) for line in source):
        return RunCondition.NEVER
    if "pytestmark" not in outline.names:
        return RunCondition.ALWAYS
    told = [_read_statement(source, number) for number, line in enumerate(source) if _PYTESTMARK.match(line)][
        :_MAX_MARK_STATEMENTS
    ]
    named = {name for text in told for name in _NAME.findall(text)}
    told += [
        _read_statement(source, number)
        for number, line in enumerate(source)
        if (given := _ASSIGNED_NAME.match(line)) is not None and given[1] in named and not _PYTESTMARK.match(line)
    ][:_MAX_MARK_STATEMENTS]
    return max(map(_mark_condition, told), default=RunCondition.ALWAYS)


_PYTESTMARK = lazy_compile(r"[ \t]{0,40}(?:\w{1,80}[ \t]{0,5}=[ \t]{0,5})?pytestmark\b")
_ASSIGNED_NAME = lazy_compile(r"(\w{1,80})[ \t]{0,5}=(?!=)")
_NAME = lazy_compile(r"(?<![\w.])[^\W\d]\w{0,79}")
_MAX_MARK_STATEMENTS = 100
"""Statements about a module's mark that are read: it may be given several times, added to, or kept under another name."""


def _mark_condition(text: str) -> RunCondition:
    """The run condition that one mark sets; many only name a plugin, a fixture or a group."""
    if not _SKIP_MARK.search(text):
        return RunCondition.ALWAYS
    return (
        RunCondition.CONDITIONALLY
        if _CONDITIONAL_SKIP.search(text) and not _CONSTANT_CONDITION.search(text)
        else RunCondition.NEVER
    )


def _read_statement(source: Sequence[str], start: int) -> str:
    """A statement that begins on a line, without its comments."""
    rows: list[str] = []
    depth = 0
    for line in source[start : start + _MAX_MARK_LINES]:
        said = strip_comments(line[:_MAX_LINE_LENGTH])
        rows.append(said)
        depth += sum(map(said.count, "([{")) - sum(map(said.count, ")]}"))
        if depth <= 0:
            break
    return "\n".join(rows)
