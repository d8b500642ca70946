"""Marked lines of semgrep-rules (`ruleid: NAME`, `ok: NAME`) for the rules that ask what one of ours asks."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import yaml

_RULES = Path(__file__).with_name("semgrep_rules.yaml")
_MARK = re.compile(r"(?:#|//|/\*|<!--|--)\s*(?P<kind>ruleid|ok)\s*:\s*(?P<rules>[\w.-]+(?:\s*,\s*[\w.-]+)*)")
_ANY_MARK = re.compile(r"(?:#|//|/\*|<!--|--)\s*(?:todo)?(?:ruleid|ok)\s*:")
_FOLDERS = ("bash", "go", "java", "javascript", "python", "ruby", "rust", "typescript", "yaml/github-actions")
_MAX_LINES = 12
"""A label covers at most this many lines."""


@dataclass(frozen=True)
class Label:
    """Lines of a file where a rule of ours has to report something, or nothing."""

    path: str
    first: int
    last: int
    probe: str
    positive: bool
    peer_rule: str


@dataclass(frozen=True)
class LabelledFile:
    """A test file of semgrep-rules, and its labels that concern us."""

    path: str
    content: str
    labels: tuple[Label, ...]


def labelled_files(repository: Path) -> list[LabelledFile]:
    """The test files with labels of rules that have a row in `semgrep_rules.yaml`, read from a clone's HEAD."""
    rows: Mapping[str, list[str]] = yaml.safe_load(_RULES.read_text(encoding="utf-8"))
    found = []
    for path in _git(repository, "ls-tree", "-r", "--name-only", "HEAD", "--", *_FOLDERS).splitlines():
        if PurePosixPath(path).suffix in {".yaml", ".yml"} and ".test." not in path:
            continue  # the rule itself
        content = _git(repository, "show", f"HEAD:{path}")
        labels = tuple(_labels(path, content, rows))
        if labels:
            found.append(LabelledFile(path, content, labels))
    return found


def _labels(path: str, content: str, rows: Mapping[str, list[str]]) -> Iterable[Label]:
    lines = content.splitlines()
    for number, line in enumerate(lines, start=1):
        mark = _MARK.search(line)
        if mark is None:
            continue
        first = _first_code_line(lines, number)
        positive = mark["kind"] == "ruleid"
        last = _last_of_paragraph(lines, first) if positive else _last_of_statement(lines, first)
        for rule in re.split(r"\s*,\s*", mark["rules"]):
            for probe in _probes_of(rule, rows):
                yield Label(path, first, last, probe, positive, rule)


def _probes_of(rule: str, rows: Mapping[str, list[str]]) -> list[str]:
    return [probe for probe, patterns in rows.items() if any(fnmatchcase(rule, each) for each in patterns)]


def _first_code_line(lines: list[str], mark: int) -> int:
    """The first line below a mark that is no mark itself."""
    number = mark + 1
    while number <= len(lines) and (not lines[number - 1].strip() or _ANY_MARK.search(lines[number - 1])):
        number += 1
    return number


def _last_of_paragraph(lines: list[str], first: int) -> int:
    """The last line of the paragraph: a peer may mark the place where a text is built, and we the call that is given it."""
    for number in range(first + 1, min(first + _MAX_LINES, len(lines)) + 1):
        line = lines[number - 1]
        if not line.strip() or _ANY_MARK.search(line):
            return number - 1
    return min(first + _MAX_LINES, len(lines))


def _last_of_statement(lines: list[str], first: int) -> int:
    """The line where all brackets that the first line opens are closed."""
    depth = 0
    for number in range(first, min(first + _MAX_LINES, len(lines)) + 1):
        line = lines[number - 1]
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            return number
    return min(first + _MAX_LINES, len(lines))


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", errors="replace")
