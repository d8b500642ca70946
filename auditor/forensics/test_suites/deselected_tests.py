"""Settings and commands by which a change leaves tests out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from auditor.domain import CodeLocation, FileChange
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.test_suites.runner_table import settings_file_names
from auditor.lazy_regex import lazy_compile

_DESELECTION = re.compile(
    r"--ignore(?:-glob)?[= ]\S{0,200}(?:test|spec)|--deselect\b|\bcollect_ignore(?:_glob)?\s*[+=]|norecursedirs\s*=.{0,200}(?:test|spec)|testPathIgnorePatterns|\btestIgnore\b"
    r"|(?<!/)\b(?:skipTests|skipITs|maven\.test\.skip)\b(?!\W{1,3}false)|\bgradlew?\b.{0,200}\s-x\s+\w*[tT]est|\s-[km]\s*[=\s]?\s*\\?[\"']not\s|-skip[= ]\S{0,10}Test|\btest\b.{0,200}\s--skip\s"
    r"|--exclude(?:-pattern)?[= ]\S{0,200}(?:test|spec)|--passWithNoTests|\"test\"\s*:\s*\"(?:echo\b|true\b|exit 0)|^\s*test\s*=\s*false\b|\btests?\b.{0,40}\benabled\s*=\s*false"
)
"""Settings and options that deselect tests."""


def find_deselections(change: Change, documents: Documents) -> Iterator[CodeLocation]:
    """New lines in test settings, and in what runs tests, that deselect some of them."""
    for file in change.files:
        text = documents.head.get(file.path) if file.head is not None else None
        if text is None or file.path.endswith(".py") or file.path.rpartition("/")[2] in _SETTINGS_ONLY:
            continue
        rows = text.split("\n")
        known = documents.base.get(file.base.path, "") if file.base is not None else None
        asked_for = _selected_groups(rows) if _DESELECTED_GROUP.search(text) else frozenset[str]()
        for number in sorted(file.added_lines):
            if _is_evaluated(rows, number) or _is_of_new_target(file, rows, number):
                continue
            row = rows[number - 1][:_MAX_LINE_LENGTH] if number <= len(rows) else ""
            told = _DESELECTION.search(row)
            if (
                told is not None
                and known is not None
                and not row.lstrip().startswith(("#", "//"))
                and told[0] not in known
                and not _is_run_separately(row, asked_for)
            ):
                yield code_location(file.path, number, number, quote=row.strip())


_SETTINGS_ONLY = settings_file_names() - {"package.json", "pyproject.toml", "tox.ini"}
"""Files of which `tests.not_collected` evaluates all that bears on tests: they hold no commands."""
_SECTION = lazy_compile(r"\s{0,8}\[([^\]\n]{1,120})\]\s{0,80}(?:[#;].{0,200})?$")
_EVALUATED_SECTIONS = ("pytest", "tool.pytest", "tool:pytest")
_EVALUATED_KEY = lazy_compile(r"\s{0,40}\"?testPathIgnorePatterns\"?\s{0,10}:")
_TARGET = lazy_compile(r"([\w.-]{1,80})(?:[ \t]{1,5}[\w+=*'\"-]{1,40}){0,5}[ \t]{0,5}:(?![=:])")
_MAX_ROWS_ABOVE = 400


def _is_evaluated(rows: Sequence[str], number: int) -> bool:
    """Is a line in settings that are evaluated, of which it is known what they leave out?"""
    if number > len(rows) or _EVALUATED_KEY.match(rows[number - 1][:_MAX_LINE_LENGTH]) is not None:
        return True
    above = reversed(rows[max(0, number - _MAX_ROWS_ABOVE) : number - 1])
    header = next((found[1] for row in above if (found := _SECTION.match(row[:_MAX_LINE_LENGTH])) is not None), "")
    return header.startswith(_EVALUATED_SECTIONS)


def _is_of_new_target(file: FileChange, rows: Sequence[str], number: int) -> bool:
    """Is it a command of a Makefile's target that the change adds, beside those that there were?"""
    if file.path.rpartition("/")[2].lower() not in {"makefile", "gnumakefile", "justfile"}:
        return False
    row = rows[number - 1]
    for above in range(number - 1, max(0, number - _MAX_ROWS_ABOVE), -1):
        found = _TARGET.match(rows[above - 1][:_MAX_LINE_LENGTH])
        if found is not None:
            return row[:1] in {"\t", " "} and above in file.added_lines and file.deleted == 0
    return False


_MAX_LINE_LENGTH = 1_000
_DESELECTED_GROUP = lazy_compile(r"\s-[km]\s{0,5}=?\s{0,5}\\?[\"']not\s{1,5}(?P<group>\w{1,80})\\?[\"']")
_SELECTED_GROUP = lazy_compile(r"\s-[km][=\s]\s{0,5}\\?[\"']?(\w{1,80})\b")


def _selected_groups(rows: Iterable[str]) -> frozenset[str]:
    """The groups of tests that the commands of a file select; comments are skipped."""
    told = (row.partition(" #")[0] for row in rows if not row.lstrip().startswith(("#", "//")))
    return frozenset(group for row in told for group in _SELECTED_GROUP.findall(row))


def _is_run_separately(row: str, selected_groups: Container[str]) -> bool:
    """Is the only thing that a command deselects a group that another command of the same file selects?"""
    left = _DESELECTED_GROUP.findall(row)
    return (
        bool(left)
        and all(group in selected_groups for group in left)
        and _DESELECTION.search(_DESELECTED_GROUP.sub(" ", row)) is None
    )
