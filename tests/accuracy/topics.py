"""The file that a labelled case belongs to, by what it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from auditor.forensics.source_text.file_roles import is_code, language
from tests.accuracy.labelled import Case

_FILES_OF_THEIR_OWN = ("python", "javascript")
FILE = Path(__file__).with_name("topics.yaml")


class Topic(BaseModel):
    """A row of the table: what questions are asked in cases of this topic."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str
    probes: tuple[str, ...]
    by_language: bool = False

    def asks(self, probe: str) -> bool:
        """Is the question one of this topic?"""
        return any(fnmatchcase(probe, each) for each in self.probes)


def topics() -> tuple[Topic, ...]:
    """The rows, in their order."""
    return tuple(Topic(**each) for each in yaml.safe_load(FILE.read_text(encoding="utf-8")))


def file_name(case: Case, rows: tuple[Topic, ...]) -> str:
    """The name of the file, such as `injection_in_python.yaml`. Raises ValueError where no topic asks what the case asks."""
    counted = [(sum(map(row.asks, case.expect)), row) for row in rows]
    most, topic = max(counted, key=lambda each: each[0])
    if not most:
        raise ValueError(f"{case.name}: no topic asks {', '.join(case.expect)}")
    main = _main_language(case) if topic.by_language else ""
    part = main if main in _FILES_OF_THEIR_OWN else "other_languages"
    return f"{topic.topic}_in_{part}.yaml" if main else f"{topic.topic}.yaml"


def _main_language(case: Case) -> str:
    """The language that most of the code is in, or nothing. TypeScript counts as JavaScript: the same reader reads both."""
    lines: Counter[str] = Counter()
    lines.update(_lines_by_language(case.tree()))
    for commit in case.commits:
        lines.update(_lines_by_language(commit.files))
    return max(lines, key=lambda each: (lines[each], each), default="")


def _lines_by_language(files: Mapping[str, str | None]) -> Counter[str]:
    lines: Counter[str] = Counter()
    for path, text in files.items():
        if text and is_code(path):
            told = language(path)
            lines["javascript" if told == "typescript" else told] += text.count("\n") + 1
    return lines
