"""Test files that a change deletes or switches off as a whole, while the code that they test stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import CodeLocation, FileChange, Side, Status
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules
from auditor.forensics.source_text.file_roles import is_code, is_expected_output, is_test
from auditor.forensics.test_suites.lost_tests import LostTests
from auditor.forensics.test_suites.removed_test_reasons import removed_product_names

_TEST_MARK = re.compile(r"(?:^|[._-])(?:tests?|spec|it)(?=[._-]|$)|(?<=[a-z0-9])(?:Tests?|Spec|IT)$")
_CODE_NOTE = re.compile(r"(?://|#)[^\n]*")
_WORD = re.compile(r"\w{4,80}")
_MEMBER = re.compile(r"(?m)^[\w$]{1,80}(?:\.[\w$]{1,80}){0,4}\.(\w{4,80})[ \t]*=(?!=)")
"""An assignment to a member that is a statement of the module."""


@dataclass(frozen=True)
class LostTestFile:
    """A test file that is deleted, or whose tests are all skipped; how many tests it had, and why it may be obsolete."""

    at: CodeLocation
    tests: int
    deleted: bool
    doubt: str = ""


def find_lost_test_files(
    change: Change, modules: PythonModules, documents: Documents, lost: LostTests
) -> Iterator[LostTestFile]:
    """The test files of which a change leaves no test that runs, deleted ones first."""
    before = _tests_by_path(modules)
    gone, along = _by_path(lost.gone), _by_path(lost.along)
    switched_off = _by_path(lost.skipped)
    dropped = removed_product_names(
        {**modules.base, **modules.other_languages_base}, {**modules.head, **modules.others}
    )
    unknown = {each.path for each in lost.files}
    for file in sorted(change.files, key=lambda each: (each.status is not Status.DELETED, each.path)):
        if file.base is None or not _holds_tests(file.base.path):
            continue
        path = file.base.path
        count = before.get(path, 0)
        if file.status is Status.DELETED and (path in unknown or (count and gone[path] > along[path])):
            doubt = _doubt(path, change, documents, dropped)
            yield LostTestFile(code_location(path, side=Side.BASE), count, True, doubt)
        elif file.head is not None and count and switched_off[file.head.path] >= count:
            yield LostTestFile(code_location(file.head.path), count, False)


def _holds_tests(path: str) -> bool:
    return is_test(path) and is_code(path) and not is_expected_output(path)


def _tests_by_path(modules: PythonModules) -> Mapping[str, int]:
    python = {
        path: sum(each.name.startswith("test") and not each.is_nested for each in shape.functions)
        for path, shape in modules.base.items()
        if is_test(path)
    }
    return {**python, **{path: len(shape.tests) for path, shape in modules.other_languages_base.items()}}


def _by_path(places: tuple[CodeLocation, ...]) -> Counter[str]:
    return Counter(each.path for each in places)


def _doubt(path: str, change: Change, documents: Documents, dropped: set[str]) -> str:
    """Why a deleted test file may be obsolete, or continued elsewhere; empty where nothing in the change says so."""
    subject, text = _subject(path), documents.base.get(path, "")
    deleted = [file.base.path for file in change.files if file.base is not None and file.status is Status.DELETED]
    words = set(_WORD.findall(text))
    if any(_stem(each) == subject or _stem(each) in words for each in deleted if _is_product(each)):
        return "the change also deletes code that it names"
    if words & (dropped | _members_dropped(change, documents)):
        return "the change also removes functions that it names"
    if words & _words_dropped(change, documents, subject):
        return "the code of the same name no longer uses what it names"
    if any(_continues(file, subject) for file in change.files):
        return "the change also adds tests that may continue it"
    return ""


def _members_dropped(change: Change, documents: Documents) -> set[str]:
    """Members that files give an object beside its definition, such as `req.accepts = deprecate(...)`, and that none gives it any more."""
    files = [file for file in change.files if any(_is_product(each.path) for each in (file.base, file.head) if each)]
    before = {name for file in files if file.base for name in _MEMBER.findall(documents.base.get(file.base.path, ""))}
    return before - {
        name for file in files if file.head for name in _MEMBER.findall(documents.head.get(file.head.path, ""))
    }


def _words_dropped(change: Change, documents: Documents, subject: str) -> set[str]:
    """Names that product files called like the test no longer hold, comments left out."""
    paths = [file.base.path for file in change.files if file.base is not None and _is_product(file.base.path)]
    own = [each for each in paths if _stem(each) == subject and each in documents.base]
    if not own:
        return set()
    before = {word for each in own for word in _WORD.findall(_CODE_NOTE.sub("", documents.base[each]))}
    return before - {word for each in own for word in _WORD.findall(documents.head.get(each, ""))}


def _continues(file: FileChange, subject: str) -> bool:
    """Does a change of another test file add what the deleted one may have held?"""
    if file.head is None or not _holds_tests(file.head.path):
        return False
    return file.base is None or len(file.added_lines) > _MANY_LINES or _subject(file.head.path) == subject


_MANY_LINES = 15
"""Lines added to a test file from which tests of another one may be among them."""


def _is_product(path: str) -> bool:
    return is_code(path) and not is_test(path)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2].partition(".")[0]
    return (
        path.rstrip("/").rpartition("/")[0].rpartition("/")[2] if name in {"index", "mod", "lib", "__init__"} else name
    )


def _subject(path: str) -> str:
    """The name of what a test file tests, by its own: `cart` of `test_cart.py`, `cart.spec.ts` and `CartTest.java`."""
    name = path.rpartition("/")[2].rpartition(".")[0]
    return _TEST_MARK.sub("", name).strip("._-")
