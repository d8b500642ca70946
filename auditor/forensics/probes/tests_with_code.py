"""Whether new code has new tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from auditor.domain import Fact, FileChange
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.source_text.added_code import count_added_code, removed_lines
from auditor.forensics.source_text.definition_names import definition_names, unnested_names
from auditor.forensics.source_text.file_kinds import FileKind, file_patterns
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import Role, is_code, is_example, is_test, is_tooling, role

_MIN_PRODUCT_LINES = 10
"""Added product lines below which a change needs no test of its own."""
_MIN_NEW_PRODUCT_LINES = 5
"""The same where a function or class is new."""
_MAX_RENAMED_SHARE = 0.25
"""Share of new lines up to which a function with a new name is an old one."""
_MIN_TEST_LINE_RATIO = 0.05
"""Test lines to product lines from which tests count as added; below it they are only token tests."""
_MIN_TEST_FILE_RATIO = 0.1
"""Test files to product files from which a repository counts as tested."""


@probe("tests.changed_with_code", reads=file_patterns(FileKind.COMMENTED), only_changes=True)
def changed_with_code(
    change: Change | None, tree: Tree, documents: Documents, modules: PythonModules
) -> Iterator[Fact]:
    """Does new code have new tests?

    In a change, new lines of tests are counted for new lines of product code; comments and moved lines do not count,
    and fewer than ten lines (five with a new top-level function) need no test. In a tree, one test file is expected
    for ten files of product code.

    Add a test that fails without the change. If no test is needed, explain why in the description.
    """
    if change is None:
        yield from _whole_tree(tree)
        return
    product, tests = _files(change, tree, modules)
    gone = removed_lines((file for file in change.files if is_code(file.path)), documents.base)
    new = count_added_code(product, gone, documents.head)
    added = new.lines - new.test_lines
    if added:
        test_lines = count_added_code(tests, gone, documents.head).lines + new.test_lines
        fresh, worth = _new_definitions(product, change, modules)
        results = any(_is_test_data(file) for file in change.files)
        yield _tests_fact(_AddedFiles(product, tests, added, test_lines, fresh, worth, results))
    elif product:
        yield not_applicable("The change adds only comments and moved lines to product code.")
    else:
        yield not_applicable("The change adds no product code.")


def _files(change: Change, tree: Tree, modules: PythonModules) -> tuple[list[FileChange], list[FileChange]]:
    """The files of product code, and of tests, to which a change adds lines. Tools are product code where there is no other."""
    touched = [file for file in change.files if file.added]
    tooled = any(_is_product(path) and not is_tooling(path) for path in tree.head)
    product = [
        file
        for file in touched
        if (_is_product(file.path) and not (tooled and is_tooling(file.path))) or file.path in modules.served
    ]
    tests = [file for file in touched if _is_test_code(file.path) and file.path not in modules.served]
    return product, tests


class _AddedFiles(NamedTuple):
    """What a change adds: files of product code and of tests, lines of either, which definitions are new, if that is known, and whether data of tests changes."""

    product: list[FileChange]
    tests: list[FileChange]
    lines: int
    test_lines: int
    fresh: Sequence[str] | None
    min_product_lines: int
    """Product lines from which a test is expected."""
    results: bool = False


def _tests_fact(came: _AddedFiles) -> Fact:
    fresh = came.fresh
    code = f"{_lines_of(came.lines, 'new')} of product code{f' in {_definitions(fresh)}' if fresh else ''}"
    tests = _lines_of(came.test_lines, "new test") if came.test_lines else "No tests"
    share = came.test_lines / came.lines
    if share >= _MIN_TEST_LINE_RATIO:
        return found(
            f"{tests} for {code}.",
            at=[code_location(file.path) for file in came.tests[:10]],
            confidence=0.9,
            because="whether the tests run the new code was not analysed",
            measure=1.0,
        )
    if came.lines < came.min_product_lines:
        return not_applicable(f"{tests} for {code}, which is too little to need a test.")
    confidence, because = _missing_test_confidence(came)
    largest = sorted(came.product, key=lambda file: (-file.added, file.path))
    return not_found(
        f"Only {tests} for {code}." if came.test_lines else f"The change adds {code}, but no tests.",
        at=[code_location(file.path) for file in largest[:10] if file.head],
        confidence=confidence,
        because=because,
        measure=round(share, 4),
    )


def _missing_test_confidence(came: _AddedFiles) -> tuple[float, str]:
    """The confidence that nothing runs the new code, and the reason why it is not higher."""
    if came.fresh is not None and not came.fresh:
        return 0.6, _NO_NEW_CODE_REASON
    return (0.6, _TEST_DATA_REASON) if came.results else (0.9, "existing tests may run the new code")


_TEST_DATA_REASON = "test data changes too, so existing tests may run the new code"
_NO_NEW_CODE_REASON = "no function or class is new, so existing tests may run the changed code"


def _new_definitions(
    product: Sequence[FileChange], change: Change, modules: PythonModules
) -> tuple[Sequence[str] | None, int]:
    """The functions and classes that are new by name, and from how many lines on they need a test.

    None when a file of the change cannot be asked, or is new itself. A function within another one is run by its tests.
    """
    head = {path: each for path, each in {**modules.others, **modules.head}.items() if path in change.by_path}
    shapes = [head.get(file.path) for file in product]
    before, after = (
        Counter(name for each in side for name in definition_names(each))
        for side in ((*modules.base.values(), *modules.other_languages_base.values()), head.values())
    )
    more = after - before
    names = {name for each in shapes if each is not None for name in definition_names(each)}
    renamed = _renamed(product, head, more)
    fresh = [name for name in sorted(names) for _ in range(more[name] - renamed[name])]
    alone = {name for each in shapes if each is not None for name in unnested_names(each)}
    apart = bool(fresh) and any(more[name] > renamed[name] for name in alone)
    blind = None in shapes or any(file.base is None for file in product)
    return None if blind and not fresh else fresh, _MIN_NEW_PRODUCT_LINES if apart else _MIN_PRODUCT_LINES


def _renamed(product: Sequence[FileChange], head: Mapping[str, Outline], more: Counter[str]) -> Counter[str]:
    """How many of the functions whose names are there more often than before have a new first line above a body that is old, or nearly so."""
    found: Counter[str] = Counter()
    for file in product:
        shape = head.get(file.path)
        for each in shape.functions if shape is not None and file.base is not None else ():
            if more[each.name] > 0 and each.end > each.line and each.line in file.added_lines:
                body = range(each.line + 1, each.end + 1)
                fresh = sum(line in file.added_lines for line in body)
                found[each.name] += fresh <= _MAX_RENAMED_SHARE * len(body)
    return Counter({name: min(count, more[name]) for name, count in found.items()})


def _definitions(names: Sequence[str]) -> str:
    what = "1 new function or class" if len(names) == 1 else f"{len(names):,} new functions or classes"
    different = list(dict.fromkeys(names))
    like = "" if len(different) == len(names) else "such as "
    return f"{what} ({like}{list_names(different[:_MAX_LIKE] if like else different)})"


_MAX_LIKE = 3
"""Names where several definitions share one, so that the number of the others would not add up."""


def _lines_of(count: int, kind: str) -> str:
    return f"{count:,} {kind} {'line' if count == 1 else 'lines'}"


def _is_test_data(file: FileChange) -> bool:
    """Is it existing data of tests, such as expected results, that the change modifies?"""
    return file.base is not None and bool(file.added) and is_test(file.path) and not is_code(file.path)


def _is_test_code(path: str) -> bool:
    """Fixtures and data beside the tests check nothing; a script may have no suffix."""
    named = is_code(path) or "." not in path.rpartition("/")[2]
    return is_test(path) and named and not path.endswith("conftest.py")


def _is_product(path: str) -> bool:
    return role(path) is Role.PRODUCT and is_code(path) and not is_example(path)


def _whole_tree(tree: Tree) -> Iterator[Fact]:
    product = [path for path in tree.head if _is_product(path)]
    tests = [path for path in tree.head if is_test(path) and is_code(path)]
    if not product:
        yield not_applicable("There is no product code.")
        return
    share = len(tests) / len(product)
    there = f"{by_count(len(tests), 'is', 'are')} {pluralize(len(tests), 'test file')}" if tests else "is no test file"
    statement = f"There {there} for {pluralize(len(product), 'file')} of product code"
    if share >= _MIN_TEST_FILE_RATIO:
        yield found(
            f"{statement}.",
            confidence=0.9,
            because="whether the tests run the code was not analysed",
            measure=min(share, 1.0),
        )
    else:
        yield not_found(
            f"{statement}.", confidence=0.9, because="the tests may be in another repository", measure=share
        )
