"""The Python tests of both sides of a change, with the lines that they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.domain import Side
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules
from auditor.forensics.source_text.file_outline import Function, Outline
from auditor.forensics.source_text.file_roles import is_expected_output, is_test

LocatedTest = tuple[str, Function]
"""A test, and the path of its file."""
SourceLines = Mapping[Side, Mapping[str, Sequence[str]]]
"""The lines of test files."""


@dataclass(frozen=True)
class PythonTests:
    """The tests of the files in scope, by where they are."""

    change: Change
    modules: PythonModules
    documents: Documents

    @cached_property
    def now(self) -> tuple[LocatedTest, ...]:
        """The tests of the head."""
        return _collect_tests(self.modules.head)

    @cached_property
    def known(self) -> tuple[LocatedTest, ...]:
        """The tests of the base."""
        return _collect_tests(self.modules.base)

    @cached_property
    def before(self) -> tuple[LocatedTest, ...]:
        """The tests of the base without those of files that cannot be read any more."""
        unread = frozenset(unreadable_test_files(self.modules))
        return tuple(each for each in self.known if each[0] not in unread)

    @cached_property
    def sources(self) -> SourceLines:
        """The lines of the files with tests."""
        return {Side.HEAD: _split_lines(self.documents.head), Side.BASE: _split_lines(self.documents.base)}


def unreadable_test_files(modules: PythonModules) -> list[str]:
    """The files with tests that cannot be read, in any language."""
    return sorted(path for path in modules.unreadable if is_test(path) and not is_expected_output(path))


def _collect_tests(outlines: Mapping[str, Outline]) -> tuple[LocatedTest, ...]:
    return tuple(
        (path, each)
        for path, shape in sorted(outlines.items())
        if is_test(path)
        for each in shape.functions
        if each.name.startswith("test") and not each.is_nested
    )


def _split_lines(texts: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    return {path: text.split("\n") for path, text in texts.items() if is_test(path)}
