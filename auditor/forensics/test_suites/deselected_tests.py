"""Settings and commands by which a change leaves tests out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from auditor.domain import CodeLocation
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.lazy_regex import lazy_compile

TEST_RUNNER_FILES = (
    *(f"{folder}{name}" for folder in ("", "**/")
      for name in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "package.json", "jest.config.*", "vitest.config.*", "playwright.config.*", "pom.xml", "build.gradle",
                   "build.gradle.kts", "Makefile", "justfile", "Cargo.toml", ".rspec")),
    ".github/workflows/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml",
)  # fmt: skip
"""Files that configure which tests are run."""
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
        if text is None or (file.path.endswith(".py") and not file.path.endswith("conftest.py")):
            continue
        rows = text.split("\n")
        known = documents.base.get(file.base.path, "") if file.base is not None else None
        asked_for = _selected_groups(rows) if _DESELECTED_GROUP.search(text) else frozenset[str]()
        for number in sorted(file.added_lines):
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
