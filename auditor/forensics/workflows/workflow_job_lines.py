"""The rows of a workflow by what they belong to: its own keys and its jobs, by their indentation.

Good for questions that need a few rows of a job and must hold on any text; nothing here reads YAML whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.forensics.workflows.yaml_line_indentation import indentation, parent_rows
from auditor.lazy_regex import lazy_compile

MAX_JOBS = 50
"""Jobs of a workflow that are read; of one with more, none is."""
KEY = re.compile(r"^\s*[\"']?(?P<key>[\w-]{1,100})[\"']?\s*:\s*(?P<value>.*)$")
"""A row that sets a key: its name, and what stands beside it."""
ANY_KEY = lazy_compile(
    r"(?:^|[\s{,])[\"']?(?P<key>[\w-]{1,100})[\"']?\s{0,4}:\s+(?P<value>(?:\$\{\{(?:(?!\}\})[^\n]){0,400}\}\}|[^\n,{}]){1,900})"
)
"""A key and its value, on a row of its own or among others in braces."""

_COMMENT = re.compile(r"[ \t]#")


class Job(NamedTuple):
    """A job: its name in the file, where its rows begin and end (from 0), and the row of each of its own keys."""

    name: str
    begin: int
    end: int
    keys: Mapping[str, int]


@dataclass(frozen=True)
class WorkflowRows:
    """The rows of a workflow, the parent of each row, the rows of its top-level keys, and its jobs."""

    rows: Sequence[str]
    above: Mapping[int, int]
    top_level_keys: Mapping[str, int]
    jobs: tuple[Job, ...]

    def row_with_children(self, key: int | None) -> frozenset[int]:
        """A row and those right below it."""
        return frozenset({key, *(number for number, at in self.above.items() if at == key)} if key is not None else ())

    def text(self, begin: int, end: int, excluded: frozenset[int] = frozenset()) -> str:
        """The rows in a range, without empty ones, comments and excluded rows."""
        said = (number for number in range(begin, end) if number in self.above and number not in excluded)
        return "\n".join(_COMMENT.split(self.rows[number], maxsplit=1)[0] for number in said)

    def block(self, key: int) -> str:
        """A key with all that is nested below it, without empty rows and comments."""
        return self.text(key, _block_end(self.rows, self.above, key))


def read_rows(text: str) -> WorkflowRows:
    """The rows of a workflow; without jobs where it has none, or too many."""
    rows = text.split("\n")
    above = parent_rows(rows)
    tops = _key_rows(rows, (number for number, at in above.items() if at == -1))
    begins = [number for number, at in above.items() if at == tops.get("jobs", -2)]
    jobs = (_read_job(rows, above, each) for each in begins) if len(begins) <= MAX_JOBS else ()
    return WorkflowRows(rows, above, tops, tuple(jobs))


def _read_job(rows: Sequence[str], above: Mapping[int, int], begin: int) -> Job:
    end = _block_end(rows, above, begin)
    inner = (number for number in range(begin + 1, end) if above.get(number) == begin)
    return Job(next(iter(_key_rows(rows, [begin])), ""), begin, end, _key_rows(rows, inner))


def _block_end(rows: Sequence[str], above: Mapping[int, int], begin: int) -> int:
    """The row after the last one that is indented further."""
    end = begin + 1
    while end < len(rows) and (end not in above or indentation(rows[end]) > indentation(rows[begin])):
        end += 1
    return end


def _key_rows(rows: Sequence[str], numbers: Iterable[int]) -> dict[str, int]:
    return {found["key"]: number for number in numbers if (found := KEY.match(rows[number]))}
