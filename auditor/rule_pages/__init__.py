"""A page for each rule: why it matters, code that breaks it and code that does not, and what it is known to miss.

What a rule checks and what to do about a finding are in the docstring of its probe; a page adds what a reader of a finding asks next.
The pages are rows of `*.yaml` beside this file; `accuracy.yaml` has what was measured of each rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from auditor import strict_yaml
from auditor.domain import Frozen

_FOLDER = Path(__file__).parent
_ACCURACY = _FOLDER / "accuracy.yaml"
_LANGUAGES = {"py": "python", "js": "javascript", "ts": "typescript", "go": "go", "java": "java", "rb": "ruby", "rs": "rust", "sh": "sh", "yml": "yaml", "yaml": "yaml", "toml": "toml", "json": "json", "md": "markdown", "Dockerfile": "dockerfile", "txt": "text", "mod": "go"}  # fmt: skip
"""By suffix. Rows of the languages that examples are written in."""
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


class Variant(Frozen):
    """Findings of a rule that differ from the others in their harm or in what to do. What it does not say is as for the rule."""

    about: tuple[str, ...] = Field(
        min_length=1, description="Words, one of which is in the statement of such a finding."
    )
    harm: str = Field(default="", max_length=_MAX_HARM)
    advice: str = Field(default="", max_length=300, description="What to do.")
    fine_if: str = Field(default="", max_length=_MAX_FINE_IF)


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

    def variant(self, statement: str) -> Variant:
        """Harm, advice and exception for a finding with this statement; the advice is empty where the general one fits."""
        found = next((each for each in self.variants if any(words in statement for words in each.about)), None)
        if found is None:
            return Variant(about=(self.title,), harm=self.harm, fine_if=self.fine_if)
        return Variant(
            about=found.about,
            harm=found.harm or self.harm,
            advice=found.advice,
            fine_if=found.fine_if or self.fine_if,
        )

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
    text = _ACCURACY.read_text(encoding="utf-8")
    return {each.id: each for each in strict_yaml.parse(_AccuracyFile, text, _ACCURACY.name).rules}


def _read(path: Path) -> tuple[RulePage, ...]:
    return strict_yaml.parse(_File, path.read_text(encoding="utf-8"), path.name).pages
