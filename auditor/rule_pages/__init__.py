"""A page for each rule: why it matters, code that breaks it and code that does not, and what it is known to miss.

What a rule checks and what to do about a finding are in the docstring of its probe; a page adds what a reader of a finding asks next.
The pages are rows of `*.yaml` beside this file; `accuracy.yaml` has what was measured of each rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from auditor.domain import Frozen
from auditor.row_tables import read_table

_FOLDER = Path(__file__).parent
_ACCURACY = _FOLDER / "accuracy.yaml"
_LANGUAGES = {"py": "python", "js": "javascript", "ts": "typescript", "go": "go", "java": "java", "rb": "ruby", "rs": "rust", "sh": "sh", "yml": "yaml", "yaml": "yaml", "toml": "toml", "json": "json", "md": "markdown", "Dockerfile": "dockerfile", "txt": "text", "mod": "go"}  # fmt: skip
"""By suffix. Rows of the languages that examples are written in."""
_CODE = re.compile(r"`[^`]*`")
_MAX_HARM = 110
_MAX_FINE_IF = 130
_RULE = r"^[a-z]+\.[a-z_]+$"


class Example(Frozen):
    """Code that breaks a rule, and the same code after a fix."""

    file: str = Field(description="A name that such a file may have.")
    bad: str = Field(min_length=1)
    good: str = Field(min_length=1)

    @property
    def language(self) -> str:
        """The name that a Markdown code block has for it: the suffix, or the whole name of a file without one."""
        name = self.file.rpartition("/")[2]
        return _LANGUAGES.get(name.rpartition(".")[2], "text")


def strip_quoted_code(statement: str) -> str:
    """A statement without the code that it quotes, so that the author of the code cannot choose the advice with it."""
    return _CODE.sub("``", statement)


class Variant(Frozen):
    """Findings of a rule that differ from the others in their harm or in what to do. What it does not say is as for the rule.

    It is for findings with one of the words in their statement and in one of the files; the first variant that fits counts.
    """

    about: tuple[str, ...] = Field(
        default=(),
        description="Words of statements; in quoted code only those with a backtick. Without any: every statement.",
    )
    files: tuple[str, ...] = Field(default=(), description="Globs of file names. Without any: every file.")
    harm: str = Field(default="", max_length=_MAX_HARM)
    advice: str = Field(default="", max_length=300, description="What to do.")
    fine_if: str = Field(default="", max_length=_MAX_FINE_IF)

    @model_validator(mode="after")
    def _is_for_some_findings(self) -> Self:
        if not self.about and not self.files:
            raise ValueError("a variant needs `about` or `files`")
        return self

    def fits(self, statement: str, path: str) -> bool:
        """Is it for a finding with this statement in this file?"""
        name = path.rpartition("/")[2]
        told = strip_quoted_code(statement)
        said = not self.about or any(words in (statement if "`" in words else told) for words in self.about)
        return said and (not self.files or any(fnmatchcase(name, each) for each in self.files))


@dataclass(frozen=True, slots=True)
class FindingText:
    """What is said beside one finding. The advice is empty where that of the rule fits."""

    harm: str = ""
    advice: str = ""
    fine_if: str = ""


class RulePage(Frozen):
    """The page of one rule."""

    id: str = Field(pattern=_RULE)
    title: str = Field(min_length=3, max_length=70, description="What a finding of the rule is called.")
    harm: str = Field(
        default="", max_length=_MAX_HARM, description="What can go wrong, in one short sentence beside a finding."
    )
    fine_if: str = Field(
        default="",
        max_length=_MAX_FINE_IF,
        description="When a finding may stay: what follows `Fine if`, without a full stop.",
    )
    variants: tuple[Variant, ...] = ()
    why: str = Field(min_length=20, description="What can go wrong.")
    example: Example | None = None
    limits: tuple[str, ...] = Field(default=(), description="What the rule misses, or reports and should not.")
    cwe: tuple[int, ...] = Field(default=(), description="Weaknesses of the Common Weakness Enumeration.")
    references: tuple[str, ...] = ()

    def text(self, statement: str, path: str) -> FindingText:
        """What to say beside a finding with this statement in this file."""
        found = next((each for each in self.variants if each.fits(statement, path)), None)
        if found is None:
            return FindingText(harm=self.harm, fine_if=self.fine_if)
        return FindingText(found.harm or self.harm, found.advice, found.fine_if or self.fine_if)

    @property
    def cwe_tags(self) -> tuple[str, ...]:
        """The weaknesses as code scanning tags them."""
        return tuple(f"external/cwe/cwe-{number:03d}" for number in self.cwe)


class RuleAccuracy(Frozen):
    """How often a rule is right on the labelled cases of this project."""

    id: str = Field(pattern=_RULE)
    positives: int = Field(ge=0, description="Cases with a finding.")
    negatives: int = Field(ge=0, description="Cases without one.")
    precision: float | None = Field(default=None, ge=0, le=1)
    recall: float | None = Field(default=None, ge=0, le=1)


class _File(Frozen):
    pages: tuple[RulePage, ...]


class _AccuracyFile(Frozen):
    rules: tuple[RuleAccuracy, ...]


def finding_text(rule: str, statement: str, path: str) -> FindingText:
    """What the page of a rule says beside a finding; nothing for a rule without a page."""
    page = rule_pages().get(rule)
    return page.text(statement, path) if page is not None else FindingText()


@cache
def rule_pages() -> Mapping[str, RulePage]:
    """The page of each rule, by its id, in the order of the ids."""
    pages = [each for path in sorted(_FOLDER.glob("*.yaml")) if path != _ACCURACY for each in _read(path)]
    found = {each.id: each for each in sorted(pages, key=lambda each: each.id)}
    assert len(found) == len(pages), "a rule has two pages"
    return found


@cache
def rule_accuracy() -> Mapping[str, RuleAccuracy]:
    """What was measured of each rule, by its id; rules without a labelled case are missing."""
    return {each.id: each for each in read_table(_ACCURACY, _AccuracyFile).rules}


def _read(path: Path) -> tuple[RulePage, ...]:
    return read_table(path, _File).pages
