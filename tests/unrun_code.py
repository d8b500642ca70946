"""`python -m tests.unrun_code LOG...`: functions and statements of `auditor/forensics` that no recording runs.

Recordings are made by `python -m tests.accuracy.covering` (labelled cases), `python -m tests.recorded_changes` (real
repositories) and `python -m tests.recorded_suite` (tests, such as those about hostile input). What is printed is a question, not an
answer: limits, hostile input and what critical rules need are kept though nothing real has needed them yet.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.branch_recorder import FORENSICS, ROOT, Branch, BranchLog, BranchRecorder

_NO_CODE = (ast.Global, ast.Nonlocal)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Unrun:
    """A function, or an outermost statement of a function, that never runs."""

    path: str
    start: int
    end: int
    name: str
    """Of the function; with `, in part` where only some of it never runs."""

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.end - self.start + 1


def unrun(path: str, source: str, run: set[int]) -> Iterator[Unrun]:
    """What of a file never runs, given the lines that do. A file that is never imported is one answer."""
    tree = ast.parse(source)
    if not run:
        yield Unrun(path, 1, source.count("\n"), "whole file")
        return
    yield from _unrun(path, tree.body, run, "")


def _unrun(path: str, body: list[ast.stmt], run: set[int], inside: str) -> Iterator[Unrun]:
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from _unrun(path, each.body, run, f"{inside}.{each.name}".lstrip("."))
        elif isinstance(each, _FUNCTIONS):
            yield from _unrun_function(path, each, run, f"{inside}.{each.name}".lstrip("."))
        elif _never_runs(each, run):
            yield Unrun(path, each.lineno, each.end_lineno or each.lineno, f"{inside or 'module'}, in part")
        elif not _is_type_checking(each):
            for inner in _bodies(each):
                yield from _unrun(path, inner, run, inside)


def _unrun_function(
    path: str, function: ast.FunctionDef | ast.AsyncFunctionDef, run: set[int], name: str
) -> Iterator[Unrun]:
    runs = any(not _never_runs(each, run) for each in function.body if _has_code(each))
    if runs or not any(map(_has_code, function.body)):
        yield from _unrun(path, function.body, run, name)
    else:
        first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
        yield Unrun(path, first, function.end_lineno or function.lineno, name)


def _has_code(statement: ast.stmt) -> bool:
    """Does the interpreter run anything for it? Not for a docstring, a declaration or `...`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return False
    return not isinstance(statement, _NO_CODE) and not (isinstance(statement, ast.AnnAssign) and not statement.value)


def _never_runs(statement: ast.stmt, run: set[int]) -> bool:
    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    return _has_code(statement) and not any(line in run for line in lines)


def _is_type_checking(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def imported() -> frozenset[Branch]:
    """What runs when every module is imported. In a process that has imported none before."""
    package = ".".join(FORENSICS.relative_to(ROOT).parts)
    with BranchRecorder().recording() as recording:
        for module in pkgutil.walk_packages([str(FORENSICS)], f"{package}."):
            importlib.import_module(module.name)
    return recording.branches


def lines_run(recordings: Iterable[Iterable[Branch]]) -> dict[str, set[int]]:
    """The lines of each file that some recording ran."""
    run: dict[str, set[int]] = defaultdict(set)
    for branches in recordings:
        for path, start, end in branches:
            run[path] |= {line for line in (start, end) if line > 0}
    return run


def main(arguments: list[str]) -> int:
    """Print what never runs, the files with the most of it first."""
    run = lines_run([imported(), *(BranchLog(Path(each)).branches for each in arguments)])
    found: dict[str, list[Unrun]] = {}
    for file in sorted(FORENSICS.rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        found[path] = list(unrun(path, file.read_text(encoding="utf-8"), run[path]))
    for path, several in sorted(found.items(), key=lambda each: -sum(part.lines for part in each[1])):
        for each in several:
            sys.stdout.write(f"{path}:{each.start}-{each.end} {each.name} ({each.lines})\n")
    total = sum(each.lines for several in found.values() for each in several)
    sys.stdout.write(f"{total} lines of {sum(map(len, found.values()))} functions and statements never run\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
