"""`python -m tests.dossier.sensitive REPO...`: how many merged changes of real repositories have sensitive lines, and which words say so.

It reads both sides of each change and audits nothing, so a repository takes seconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from auditor.audit_builder import change_view
from auditor.domain import CodeLocation, SensitiveLines
from auditor.dossier.changed_file import changed_files
from auditor.dossier.sensitive_lines import searched
from auditor.forensics.sensitive_words.line_words import words_of
from auditor.repo.repository_opening import open_repository
from tests.compare.changes import Audit, merged_changes


@dataclass(frozen=True)
class Found:
    """A change and its sensitive lines."""

    audit: Audit
    lines: SensitiveLines

    @property
    def places(self) -> int:
        """How many places there are, those included that were left out."""
        return sum(len(each.places) + each.left_out for each in self.lines.areas)


def sensitive_lines(audit: Audit) -> Found:
    """The sensitive lines of one change."""
    with open_repository(str(audit.repository), base=audit.base, head=audit.head) as repo:
        view = change_view(repo)
        return Found(audit, searched(changed_files(view.changes, view.read, {}, with_locks=True)))


def _words(place: CodeLocation, area: str) -> list[str]:
    hits = words_of(place.path).hits(place.quote)
    return [each.word for each in hits if each.area == area] or ["(inside a block, or moved)"]


def figures(found: list[Found]) -> list[str]:
    """The share of changes with a sensitive line, places a change, and the words that say so most often."""
    touched = [each for each in found if each.places]
    words = Counter(
        f"{area.area}: {word[:80]}"
        for each in touched
        for area in each.lines.areas
        for place in area.places
        for word in _words(place, area.area)
    )
    median = statistics.median([each.places for each in touched]) if touched else 0
    share = len(touched) / len(found) if found else 0.0
    return [
        f"{len(touched)} of {len(found)} changes ({share:.0%}) have a sensitive line; {median:g} places in half of them.",
        *(f"{count:5} {word}" for word, count in words.most_common(30)),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the figures, and with `--lines` each place."""
    parser = argparse.ArgumentParser(prog="python -m tests.dossier.sensitive", description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO", help="a clone, bare or not")
    parser.add_argument("--count", type=int, default=20, help="newest changes of each repository (default: 20)")
    parser.add_argument("--skip", type=int, default=0, help="changes that are newer than those (default: 0)")
    parser.add_argument("--lines", action="store_true", help="print each place")
    options = parser.parse_args(arguments)
    found = [
        sensitive_lines(audit)
        for repository in options.repositories
        for audit in merged_changes(repository, options.count, options.skip, "pull-request")
    ]
    for each in found if options.lines else ():
        for area in each.lines.areas:
            for place in area.places:
                print(f"{each.audit.name}: {area.area} {place.spoken} {place.quote[:120]}")  # noqa: T201
    print("\n".join(figures(found)))  # noqa: T201 - a command that prints
    return 0


if __name__ == "__main__":
    sys.exit(main())
