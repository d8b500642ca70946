"""Settings and commands by which a change leaves tests out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from auditor.domain import CodeLocation
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.lazy_regex import lazy_compile

RUNNERS = (
    *(f"{folder}{name}" for folder in ("", "**/")
      for name in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "package.json", "jest.config.*", "vitest.config.*", "playwright.config.*", "pom.xml", "build.gradle",
                   "build.gradle.kts", "Makefile", "justfile", "Cargo.toml", ".rspec")),
    ".github/workflows/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml",
)  # fmt: skip
"""Where it is said which tests are run."""
_LEFT_OUT = re.compile(
    r"--ignore(?:-glob)?[= ]\S{0,200}(?:test|spec)|--deselect\b|\bcollect_ignore(?:_glob)?\s*[+=]|norecursedirs\s*=.{0,200}(?:test|spec)|testPathIgnorePatterns|\btestIgnore\b"
    r"|(?<!/)\b(?:skipTests|skipITs|maven\.test\.skip)\b(?!\W{1,3}false)|\bgradlew?\b.{0,200}\s-x\s+\w*[tT]est|\s-[km]\s*[=\s]?\s*\\?[\"']not\s|-skip[= ]\S{0,10}Test|\btest\b.{0,200}\s--skip\s"
    r"|--exclude(?:-pattern)?[= ]\S{0,200}(?:test|spec)|--passWithNoTests|\"test\"\s*:\s*\"(?:echo\b|true\b|exit 0)|^\s*test\s*=\s*false\b|\btests?\b.{0,40}\benabled\s*=\s*false"
)
"""Forms by which a setting or a command leaves tests out."""


def left_out(change: Change, documents: Documents) -> Iterator[CodeLocation]:
    """New lines in settings of tests, and in what runs them, by which some are left out."""
    for file in change.files:
        text = documents.head.get(file.path) if file.head is not None else None
        if text is None or (file.path.endswith(".py") and not file.path.endswith("conftest.py")):
            continue
        rows = text.split("\n")
        known = documents.base.get(file.base.path, "") if file.base is not None else None
        asked_for = _asked_for(rows) if _GROUP.search(text) else frozenset[str]()
        for number in sorted(file.added_lines):
            row = rows[number - 1][:_WIDEST] if number <= len(rows) else ""
            told = _LEFT_OUT.search(row)
            if (
                told is not None
                and known is not None
                and not row.lstrip().startswith(("#", "//"))
                and told[0] not in known
                and not _is_run_apart(row, asked_for)
            ):
                yield code_location(file.path, number, number, quote=row.strip())


_WIDEST = 1_000
_GROUP = lazy_compile(r"\s-[km]\s{0,5}=?\s{0,5}\\?[\"']not\s{1,5}(?P<group>\w{1,80})\\?[\"']")
_ASKED_FOR = lazy_compile(r"\s-[km][=\s]\s{0,5}\\?[\"']?(\w{1,80})\b")


def _asked_for(rows: Iterable[str]) -> frozenset[str]:
    """The groups of tests that the commands of a file ask for; a comment runs none."""
    told = (row.partition(" #")[0] for row in rows if not row.lstrip().startswith(("#", "//")))
    return frozenset(group for row in told for group in _ASKED_FOR.findall(row))


def _is_run_apart(row: str, asked_for: Container[str]) -> bool:
    """Is all that a command leaves out a group of tests that another one of the same file asks for?"""
    left = _GROUP.findall(row)
    return bool(left) and all(group in asked_for for group in left) and _LEFT_OUT.search(_GROUP.sub(" ", row)) is None
