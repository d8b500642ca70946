"""Code of changed files that keeps tests from running: hooks of pytest, `load_tests`, `TestMain`, conditions of Rust, hooks around tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from auditor.domain import FileChange
from auditor.english_counts import pluralize
from auditor.forensics.probe_kit.fact_outcomes import code_location, list_names
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES, ParseFailure, parse_source
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.test_suites.collection_losses import NOT_FOLLOWED, CollectionLoss
from auditor.forensics.test_suites.exit_hooks import find_exit_hooks
from auditor.forensics.test_suites.path_patterns import fits_name, is_below
from auditor.forensics.test_suites.pytest_hooks import (
    BY_ENVIRONMENT,
    CERTAIN,
    CodeSwitch,
    IgnoredEntry,
    find_ignored,
    find_switches,
)
from auditor.forensics.test_suites.wrapping_hooks import find_wrapping_hooks
from auditor.lazy_regex import lazy_compile

_CONDITION = "whether the condition holds where the tests are run was not followed"
_CHOSEN = "which tests are chosen was not followed"
_MAX_FILES = 50_000


def find_code_switches(
    files: Iterable[FileChange], base: Mapping[str, str], head: Mapping[str, str], kept_paths: frozenset[str]
) -> Iterator[CollectionLoss]:
    """What changed code switches off. The texts are those of changed files, `kept_paths` the files of both sides."""
    for file in files:
        text = head.get(file.path) if file.head is not None else None
        if text is None:
            continue
        old = base.get(file.base.path, "") if file.base is not None else ""
        name = file.path.rpartition("/")[2]
        if name.endswith(".py"):
            yield from _python_switches(file.path, old, text, kept_paths)
        elif name.endswith("_test.go"):
            yield from _newly(file.path, _go_switches(old), _go_switches(text))
        elif name.endswith(".rs"):
            yield from _newly(file.path, _rust_switches(old), _rust_switches(text))
        yield from _newly(file.path, find_exit_hooks(file.path, old), find_exit_hooks(file.path, text))
        if is_test(file.path):
            before, after = find_wrapping_hooks(file.path, old), find_wrapping_hooks(file.path, text)
            yield from _newly(file.path, before, after)


def _newly(path: str, before: Iterable[CodeSwitch], after: Iterable[CodeSwitch]) -> Iterator[CollectionLoss]:
    """The switches of the head that are more, or more certain, than at the base."""
    had = Counter((each.kind, each.confidence) for each in before)
    for each in sorted(after, key=lambda switch: -switch.confidence):
        if had[each.kind, each.confidence] > 0:
            had[each.kind, each.confidence] -= 1
            continue
        because = (
            NOT_FOLLOWED if each.confidence == CERTAIN else _CONDITION if each.confidence == BY_ENVIRONMENT else _CHOSEN
        )
        yield CollectionLoss(f"{each.says} (`{path}`).", (code_location(path, each.line),), each.confidence, because)


def _python_switches(path: str, old: str, text: str, kept_paths: frozenset[str]) -> Iterator[CollectionLoss]:
    is_conftest = path.rpartition("/")[2] == "conftest.py"
    if len(text) > MAX_PYTHON_BYTES or not (is_conftest or "def load_tests" in text):
        return
    before, after = parse_source(old[:MAX_PYTHON_BYTES]), parse_source(text)
    if isinstance(after, ParseFailure):
        return
    was = () if isinstance(before, ParseFailure) else tuple(find_switches(before, is_conftest=is_conftest))
    yield from _newly(path, was, find_switches(after, is_conftest=is_conftest))
    if is_conftest:
        ignored = () if isinstance(before, ParseFailure) else find_ignored(before)
        known = {(each.pattern, each.is_glob) for each in ignored}
        fresh = [each for each in find_ignored(after) if (each.pattern, each.is_glob) not in known]
        yield from _ignored_files(path, fresh, kept_paths)


def _ignored_files(path: str, entries: Iterable[IgnoredEntry], kept_paths: frozenset[str]) -> Iterator[CollectionLoss]:
    folder = path.rpartition("/")[0]
    start = f"{folder}/" if folder else ""
    for each in entries:
        lost = [
            other
            for other in islice(sorted(kept_paths), _MAX_FILES)
            if other.startswith(start) and _is_python_test(other) and _is_ignored(other[len(start) :], each)
        ]
        if lost:
            name = "collect_ignore_glob" if each.is_glob else "collect_ignore"
            says = f"`{name}` in `{path}` leaves out {pluralize(len(lost), 'test file')} that ran before: {list_names(lost)}."
            at = (code_location(path, each.line), *(code_location(other) for other in lost[:20]))
            yield CollectionLoss(says, at, each.confidence, NOT_FOLLOWED if each.confidence == CERTAIN else _CONDITION)


def _is_python_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return (name.endswith(".py") and name.startswith("test_")) or name.endswith("_test.py")


def _is_ignored(path: str, entry: IgnoredEntry) -> bool:
    if entry.is_glob:
        return fits_name(path, entry.pattern) or fits_name(path, f"{entry.pattern.rstrip('/')}/*")
    return is_below(path, entry.pattern)


_TEST_MAIN = lazy_compile(r"^func TestMain\((\w{1,40}) \*testing\.M\) \{(?:[ \t]{0,10}\}|(.*)$)", re.MULTILINE)


def _go_switches(text: str) -> Iterator[CodeSwitch]:
    """A `TestMain` that runs no test, chooses which ones, or forgets how they ended."""
    found = _TEST_MAIN.search(text)
    if found is None:
        return
    for chosen in islice(_CHOSEN_TESTS.finditer(text), 50):
        flag = next(filter(None, (chosen["set"], chosen["paired"], chosen["counted"], chosen["given"])))
        says = f"The test binary sets its own flag `test.{flag}`, which leaves tests out"
        yield CodeSwitch("TestMain flag", says, text.count("\n", 0, chosen.start()) + 1, CERTAIN)
    end = text.find("\n}", found.end())
    body = (found[2] or "") + (text[found.end() : end if end >= 0 else len(text)] if found[2] is not None else "")
    code = "\n".join(row.partition("//")[0] for row in body.split("\n"))
    line = text.count("\n", 0, found.start()) + 1
    name = found[1]
    passed_on = re.search(rf"[(,]\s{{0,10}}{name}\s{{0,10}}[,)]", code)
    if f"{name}.Run()" not in code and passed_on is None:
        yield CodeSwitch("TestMain", "`TestMain` never calls `m.Run`, so no test of the package runs", line, CERTAIN)
    elif (
        "os.Exit(0)" in code
        and f"{name}.Run()" in code
        and (re.search(rf"(?:^|\n|;)\s{{0,40}}(?:_ = )?{name}\.Run\(\)", code) or not _OTHER_ENDING.search(code))
    ):
        yield CodeSwitch("TestMain exit", "`TestMain` exits with 0 whatever `m.Run` returns", line, CERTAIN)


_CHOSEN_TESTS = lazy_compile(
    r"""\b(?:Set\([ \t]*"test\.|Lookup\([ \t]*"test\.(?=\w{1,20}"\)\.Value\.Set\())(?P<set>run|skip|list)\b"""
    r"""|"test\.(?P<paired>run|skip|list)":[ \t]*["`]"""
    r"""|"test\.(?P<counted>count)"(?:\)\.Value\.Set\(|[:,])[ \t]*["`]0["`]"""
    r"""|"--?test\.(?P<given>count=0|(?:run|skip|list)=)"""
)
"""Flags of the test binary by which its own code leaves tests out; code that only reads one is none."""
_OTHER_ENDING = lazy_compile(r"\bos\.Exit\((?!0\))|\blog\.Fatal|\bpanic\(|\bruntime\.Goexit\(|\bsyscall\.Exit\(")


_NEVER_BUILT = lazy_compile(
    r"#!?\[cfg\(\s{0,5}(?:all\(\s{0,5}test\s{0,5},\s{0,5})?(?:any\(\s{0,5}\)|FALSE|false|not\(\s{0,5}(?:test|all\(\s{0,5}\))\s{0,5}\))"
)


def _rust_switches(text: str) -> Iterator[CodeSwitch]:
    """Conditions that never hold, above tests: the item behind one holds a test, or its name says so."""
    holds_tests = "#[test]" in text or "::test]" in text
    for found in islice(_NEVER_BUILT.finditer(text), 50):
        item = text[found.end() : found.end() + 300]
        is_whole_file = text[found.start() : found.start() + 2] == "#!"
        if holds_tests and (is_whole_file or _RUST_TEST_ITEM.search(item)):
            line = text.count("\n", 0, found.start()) + 1
            yield CodeSwitch("cfg", "A `cfg` that never holds keeps tests from being built", line, CERTAIN)


_RUST_TEST_ITEM = lazy_compile(
    r"\A[^{;]{0,200}(?:mod\s{1,5}\w{0,40}tests?\w{0,40}\s{0,5}[{;]|#\[(?:\w{1,40}::)?test\]|fn\s{1,5}test)"
)
