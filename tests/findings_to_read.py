"""`python -m tests.findings_to_read STORE [COUNT]`: findings as a comment shows them, for readers who get nothing else.

STORE was filled by `auditor fleet run`. Rules that few records report are printed first, each rule once, and at most two findings of a
repository. A reader is asked of each: what is wrong, where is it, and what is to be done?
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.fleet.store import Store
from auditor.report.escaped_templates import markdown_templates
from auditor.report.github_links import Links
from auditor.report.page_content import page
from auditor.report.report_json import from_json
from auditor.report.size_limits import DETAIL_STEPS

_COUNT = 10
_OF_ONE_REPOSITORY = 2


@dataclass(frozen=True)
class ShownFinding:
    """A finding in the words of a comment."""

    rule: str
    repository: str
    text: str


def shown_findings(store: Store) -> Iterator[ShownFinding]:
    """Every finding that comments on the records of a store show."""
    template = markdown_templates().get_template("parts/fix.md.j2")
    for record in store.records():
        assert record.about is not None, "a record of a run has its description"
        shown = page(from_json(record.path.read_bytes(), str(record.path)), Links(), DETAIL_STEPS[1])
        for fix in (*shown.first, *shown.further):
            yield ShownFinding(fix.rule, record.about.unit.repository, template.render(fix=fix).strip())


def choose(found: Sequence[ShownFinding], count: int) -> list[ShownFinding]:
    """So many findings of different rules, those of rare rules first."""
    times = Counter(each.rule for each in found)
    rules, repositories = set[str](), Counter[str]()
    chosen: list[ShownFinding] = []
    for each in sorted(found, key=lambda each: (times[each.rule], each.rule, each.repository, each.text)):
        if len(chosen) < count and each.rule not in rules and repositories[each.repository] < _OF_ONE_REPOSITORY:
            rules.add(each.rule)
            repositories[each.repository] += 1
            chosen.append(each)
    return chosen


def main(arguments: Sequence[str]) -> None:
    """Print the chosen findings."""
    found = list(shown_findings(Store.open(Path(arguments[0]))))
    for number, each in enumerate(choose(found, int(arguments[1]) if len(arguments) > 1 else _COUNT), start=1):
        sys.stdout.write(f"--- {number} ({Path(each.repository).name})\n{each.text}\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
