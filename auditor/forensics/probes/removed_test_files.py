"""Whether a change removes or switches off a whole test file."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact, FileChange
from auditor.english_counts import pluralize
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.test_suites.lost_test_files import LostTestFile, find_lost_test_files
from auditor.forensics.test_suites.other_language_comparison import find_lost_tests_of_other_languages
from auditor.forensics.test_suites.python_test_comparison import find_lost_python_tests
from auditor.forensics.test_suites.python_test_inventory import PythonTests

_READS = tuple(
    f"**/*.{suffix}"
    for suffix in ("py", "go", "rs", "rb", "java", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "kt", "cs", "php", "swift", "scala", "bats")
)  # fmt: skip
_MAX_SHOWN = 20


@probe("tests.file_removed", reads=("*.py", *_READS))
def file_removed(change: Change, modules: PythonModules, documents: Documents) -> Iterator[Fact]:
    """Is a whole test file removed or switched off while its code stays?

    Counts: a deleted test file, and one whose tests are all newly skipped. Does not count: a file that is moved or renamed, tests
    that continue in another file, and tests of code that the change removes too; where this is only likely, the confidence is lower.

    Restore the file. If its tests fail, fix the code that they test. Remove it together with that code, or name the tests that cover the same behaviour.
    """
    if not any(_is_test_file(path) for file in change.files for path in _paths(file)):
        yield not_applicable("The change touches no test file.")
        return
    lost = find_lost_python_tests(PythonTests(change, modules, documents)) + find_lost_tests_of_other_languages(
        change, modules
    )
    files = list(find_lost_test_files(change, modules, documents, lost))[:_MAX_SHOWN]
    for each in files:
        yield _fact(each)
    if not files:
        yield not_found("No test file is removed or switched off.", confidence=0.9, because="skips with a condition were not evaluated")  # fmt: skip


def _fact(file: LostTestFile) -> Fact:
    tests = f" with {pluralize(file.tests, 'test')}" if file.tests else ""
    if not file.deleted:
        statement = f"All {file.tests} tests of `{file.at.path}` are now skipped." if file.tests > 1 else f"The only test of `{file.at.path}` is now skipped."  # fmt: skip
        return found(statement, at=[file.at], confidence=0.9, because="a condition on the mark was not evaluated", introduced=True)  # fmt: skip
    statement = f"Test file `{file.at.path}`{tests} is deleted"
    if file.doubt:
        return found(f"{statement}.", at=[file.at], confidence=0.5, because=file.doubt, introduced=True)
    return found(
        f"{statement}, but the code that it tests stays.",
        at=[file.at],
        confidence=0.85,
        because="the code that it tests was looked for by name",
        introduced=True,
    )


def _paths(file: FileChange) -> list[str]:
    return [entry.path for entry in (file.base, file.head) if entry is not None]


def _is_test_file(path: str) -> bool:
    return is_test(path) and is_code(path)
