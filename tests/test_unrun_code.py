"""What never ran is named with its lines; what holds no code, or ran, is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.branch_recorder import FORENSICS, BranchLog, BranchRecorder, Recording
from tests.unrun_code import Unrun, lines_run, unrun

_SOURCE = '''\
"""A module."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import os
class A:
    def ran(self, n):
        """Run in part."""
        if n:
            return 1
        for each in range(n):
            print(each)
            print(n)
        return 2
    @property
    def never(self):
        return (
            3
        )
def declared():
    ...
'''
_IMPORT = {1, 2, 3, 5, 6, 14, 15, 19}


def _parts(run: set[int]) -> list[tuple[int, int, str]]:
    return [(each.start, each.end, each.name) for each in unrun("a.py", _SOURCE, run)]


def test_a_function_that_never_runs_is_named_with_its_decorators() -> None:
    assert (14, 18, "A.never") in _parts(_IMPORT)


def test_of_a_function_that_runs_the_statements_are_named_that_never_do() -> None:
    assert _parts({*_IMPORT, 8, 10, 13, 16}) == [
        (9, 9, "A.ran, in part"),
        (11, 11, "A.ran, in part"),
        (12, 12, "A.ran, in part"),
    ]


def test_docstrings_declarations_and_imports_for_type_checkers_are_not_missed() -> None:
    assert _parts({*_IMPORT, 8, 9, 10, 11, 12, 13, 17}) == []


def test_a_file_that_nobody_imports_is_one_answer() -> None:
    assert _parts(set()) == [(1, 20, "whole file")]
    assert Unrun("a.py", 3, 5, "f").lines == 3


def test_the_lines_at_both_ends_of_a_branch_ran() -> None:
    assert lines_run([[("a.py", -1, 4), ("a.py", 4, 6)], [("b.py", 2, -1)]]) == {"a.py": {4, 6}, "b.py": {2}}


def test_a_log_is_continued_and_keeps_branches_notes_and_names(tmp_path: Path) -> None:
    first, second = ("a.py", 1, 2), ("a.py", 2, 3)
    BranchLog(tmp_path / "log").add("one", Recording(frozenset({first})), {"note": 1})
    BranchLog(tmp_path / "log").add("two", Recording(frozenset({first, second})))
    log = BranchLog(tmp_path / "log")
    assert (log.names, log.bits, log.notes, log.branches) == (
        ["one", "two"],
        [0b1, 0b11],
        [{"note": 1}, None],
        [first, second],
    )


def test_branches_are_recorded_for_each_run_alone() -> None:
    pytest.importorskip("coverage", reason="branches are recorded by coverage, which is installed for that alone")
    from auditor.forensics.source_text import file_roles

    recorder = BranchRecorder(FORENSICS / "source_text")
    with recorder.recording() as asked:
        file_roles.language("a.py")
    with recorder.recording() as silent:
        pass
    assert "auditor/forensics/source_text/file_roles.py" in {path for path, _, _ in asked.branches}
    assert silent.branches == frozenset()
