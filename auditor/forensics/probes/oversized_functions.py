"""Complex or long functions, and those that a change made so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import Fact, Location
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.renamed_functions import BaseFunctions
from auditor.forensics.source_text.file_outline import Function, Outline
from auditor.forensics.source_text.file_roles import Role, role

MAX_COMPLEXITY = 15
"""Cyclomatic complexity above which a function is hard to test. McCabe's own limit is 10; NIST SP 500-235 reports limits
of up to 15 used with success, and below that reviewers seldom agree. Counted as the common linters do: decisions and
loops, not the operators inside a condition."""
MAX_FUNCTION_LINES = 100
"""Lines of a function above which it is called long, docstring and all; twice the screenful that most style guides ask for."""
_GROWTH = 0.2
"""Share by which a function that was beyond a limit before has to grow until the change is charged with it."""
_BRANCHES, _LINES = 3, 15
"""The least growth that is charged."""
_MAX_NAMES = 3


@dataclass(frozen=True)
class _OversizedFunction:
    """A function beyond a limit, its size now and before the change; None when it is new."""

    path: str
    function: Function
    now: int
    before: int | None

    def told(self, unit: str) -> str:
        """Its name and its size, for a list."""
        return f"{self._named()} ({self.now:,} {unit}{self._history()})"

    def described(self, unit: str, *, in_change: bool) -> str:
        """What is said of it alone: `New function a has 20 branches`, or `Function a grew from 9 to 20 branches`."""
        what = self._named() if _is_anonymous(self.function) else f"function {self._named()}"
        size = f"{self.now:,} {unit}"
        if self.before is not None:
            return f"{what[:1].upper()}{what[1:]} grew from {self.before:,} to {size}"
        return f"New {what} has {size}" if in_change else f"{what[:1].upper()}{what[1:]} has {size}"

    def _named(self) -> str:
        """Its name as code; of one without a name, its line."""
        unnamed = _is_anonymous(self.function)
        return f"anonymous function at line {self.function.line}" if unnamed else f"`{self.function.qualname}`"

    def _history(self) -> str:
        return "" if self.before is None else f", {self.before:,} before"


def _is_anonymous(function: Function) -> bool:
    """Is it named by its line only, which does not say where it was before?"""
    return function.qualname.startswith("line ")


@probe("code.complexity")
def complexity(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Does a function have too many branches?

    A function with a cyclomatic complexity above 15 is reported. In a change, only new functions and functions that
    the change made clearly more complex are.

    Split the function where it does two things, or replace branches with a table or with one type per case.
    """
    examined, tangled = _find_oversized(change, modules, lambda each: each.complexity, MAX_COMPLEXITY, _BRANCHES)
    if not examined:
        yield not_applicable("No function in a supported language is in scope.")
    elif not tangled:
        yield not_found(
            f"No {'function exceeds' if change is None else 'changed function newly exceeds'} {MAX_COMPLEXITY} branches ({examined:,} checked)."
        )
    else:
        yield _oversized_fact(tangled, examined, change, MAX_COMPLEXITY, "branches")


@probe("code.long_functions")
def long_functions(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Is a function too long?

    A function of more than 100 lines is reported. In a change, only new functions, functions that grow past the limit
    and functions that grow by a fifth are.

    Extract steps into named functions.
    """
    examined, long = _find_oversized(change, modules, _length, MAX_FUNCTION_LINES, _LINES)
    if not examined:
        yield not_applicable("No function in a supported language is in scope.")
    elif not long:
        yield not_found(
            f"No {'function exceeds' if change is None else 'changed function newly exceeds'} {MAX_FUNCTION_LINES} lines ({examined:,} checked)."
        )
    else:
        yield _oversized_fact(long, examined, change, MAX_FUNCTION_LINES, "lines", 0.9, _TABLES)


_TABLES = "long docstrings and tables count as lines too"


def _find_oversized(
    change: Change | None, modules: PythonModules, size: Callable[[Function], int], limit: int, least: int
) -> tuple[int, list[_OversizedFunction]]:
    """How many functions are in scope, and those beyond the limit, largest first.

    In a change only those count that are new or that it made a good deal larger: a line added to what was too large
    before, or that happens to be the one too many, is nobody's decision to tangle it. What goes by another name, or by
    none, is known by the lines that it kept.
    """
    functions = list(_functions(change, modules))
    large = [(path, each, now) for path, each in functions if (now := size(each)) > limit]
    names = frozenset(each.qualname for _, each, _ in large if not _is_anonymous(each))
    before = {} if change is None or not large else _before(modules, size, names)
    earlier = None if change is None else BaseFunctions(change, {**modules.base, **modules.other_languages_base})
    grown = []
    for path, function, now in large:
        was = before.get((path, function.qualname, function.line))
        old = earlier.function(path, function) if earlier is not None and was is None else None
        was = size(old) if old is not None else was
        if was is None or now - was >= max(least, _GROWTH * was if was > limit else 0):
            grown.append(_OversizedFunction(path, function, now, was))
    return len(functions), sorted(grown, key=lambda each: (-each.now, each.path, each.function.line))


def _oversized_fact(
    oversized: list[_OversizedFunction],
    examined: int,
    change: Change | None,
    limit: int,
    unit: str,
    confidence: float = 1.0,
    because: str = "",
) -> Fact:
    several = "functions have" if change is None else "changed functions now have"
    listed = first_few([each.told(unit) for each in oversized], _MAX_NAMES)
    statement = (
        f"{oversized[0].described(unit, in_change=change is not None)} (limit {limit})"
        if len(oversized) == 1
        else f"{len(oversized):,} {several} more than {limit} {unit}: {listed}"
    )
    return found(
        f"{statement}.",
        at=[_place(each.path, each.function) for each in oversized],
        confidence=confidence,
        because=because,
        measure=round(len(oversized) / examined, 4),
        introduced=None if change is None else True,
    )


def _before(
    modules: PythonModules, size: Callable[[Function], int], names: frozenset[str]
) -> dict[tuple[str, str, int], int]:
    """How large each function of these names was at the base, by its path, name and line; by name alone where it moved.

    Functions that share a name (overloads, one method of several types) are told apart by their order; where some
    came or went, each was as large as the largest, so that nothing is said to have grown that did not.
    """
    earlier: dict[tuple[str, str], list[Function]] = {}
    for path, named in _by_name({**modules.base, **modules.other_languages_base}, names):
        for name, functions in named.items():
            earlier[path, name] = functions
            earlier.setdefault(("", name), functions)
    known: dict[tuple[str, str, int], int] = {}
    for path, named in _by_name({**modules.head, **modules.others}, names):
        for name, functions in named.items():
            were = [size(each) for each in earlier.get((path, name)) or earlier.get(("", name)) or ()]
            if were and len(were) != len(functions):
                were = [max(were)] * len(functions)
            known.update({(path, name, now.line): was for now, was in zip(functions, were, strict=False)})
    return known


def _by_name(shapes: Mapping[str, Outline], names: frozenset[str]) -> Iterator[tuple[str, dict[str, list[Function]]]]:
    """The functions of these names in each file by their name, those of one name in their order."""
    for path, shape in shapes.items():
        named: dict[str, list[Function]] = {}
        wanted = [each for each in shape.functions if each.qualname in names]
        for function in sorted(wanted, key=lambda each: each.line):
            named.setdefault(function.qualname, []).append(function)
        yield path, named


def _functions(change: Change | None, modules: PythonModules) -> Iterator[tuple[str, Function]]:
    """Product functions in scope: all of them, or those with a line that the change wrote."""
    for path, shape in sorted((*modules.head.items(), *modules.others.items()), key=lambda item: item[0]):
        if role(path) is not Role.PRODUCT:
            continue
        written = None if change is None else change.added_lines(path)
        for function in shape.functions:
            if written is None or any(line in written for line in range(function.line, function.end + 1)):
                yield path, function


def _length(function: Function) -> int:
    return function.end - function.line + 1


def _place(path: str, function: Function) -> Location:
    return code_location(
        path,
        function.line,
        function.end,
        quote=f"def {function.name}" if path.endswith((".py", ".pyi", ".pyw")) else function.name,
    )
