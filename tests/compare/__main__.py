"""`python -m tests.compare OLD NEW REPO...`: the same changes, audited by two versions, and every difference.

OLD and NEW are revisions of this repository or paths of checkouts. What each version says is kept in the store, so a version
is asked about a change once. Ends with 0 when nothing differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.compare.changes import Audit, merged_changes, whole_tree
from tests.compare.differences import Difference, differences
from tests.compare.versions import Outcome, Version, checked_out, outcome

_WIDTH = 300
"""Characters shown of each side of a difference."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One audit by both versions, and how they differ."""

    audit: Audit
    old: Outcome
    new: Outcome
    differ: tuple[Difference, ...]

    @property
    def answers(self) -> tuple[Difference, ...]:
        """Differences that are more than words."""
        return tuple(each for each in self.differ if each.answer)


def compared(
    old: Version, new: Version, audit: Audit, *, prompts: bool = False, added: frozenset[str] = frozenset()
) -> Compared:
    """Ask both versions about one change."""
    before, after = (outcome(version, audit, prompts=prompts) for version in (old, new))
    found = [Difference("exit code", before.exit_code, after.exit_code, answer=True)] if before.exit_code != after.exit_code else []  # fmt: skip
    if before.errors != after.errors:
        found.append(Difference("standard error", before.errors, after.errors, answer=False))
    if before.prompts != after.prompts:
        found.append(Difference("prompts", len(before.prompts), len(after.prompts), answer=True))
    found += differences(before.record or {}, after.record or {}, added)
    return Compared(audit, before, after, tuple(found))


def main(arguments: list[str] | None = None) -> int:
    """Compare, print and count."""
    options = _parser().parse_args(arguments)
    store = options.store.resolve()
    old, new = checked_out(options.old, store), checked_out(options.new, store)
    audits = list(_audits(options))
    total = Counter[str]()
    with ThreadPoolExecutor(options.jobs) as pool:
        asked = pool.map(lambda each: compared(old, new, each, prompts=options.prompts, added=frozenset(options.added)), audits)  # fmt: skip
        for each in asked:
            total.update(_counts(each))
            for line in _lines(each, texts=options.texts):
                print(line, flush=True)  # noqa: T201 - a command that prints
    print(f"{len(audits)} audits: {total['identical']} identical, {total['texts']} differ in texts alone, {total['answers']} in answers.")  # noqa: T201  # fmt: skip
    for side in ("old", "new"):
        codes = ", ".join(f"{total[f'{side} {code}']} exit {code}" for code in range(5) if total[f"{side} {code}"])
        print(f"{side}: {codes}")  # noqa: T201
    return int(total["identical"] != len(audits))


def _counts(each: Compared) -> list[str]:
    kind = "answers" if each.answers else "texts" if each.differ else "identical"
    return [kind, f"old {each.old.exit_code}", f"new {each.new.exit_code}"]


def _lines(each: Compared, *, texts: bool) -> Iterator[str]:
    shown = each.differ if texts else each.answers
    if shown:
        yield f"# {each.audit.name}"
    for one in shown:
        yield f"  {one.place}"
        yield f"    - {str(one.old)[:_WIDTH]}"
        yield f"    + {str(one.new)[:_WIDTH]}"


def _audits(options: argparse.Namespace) -> Iterator[Audit]:
    for repository in options.repositories:
        for rubric in options.rubric or ["pull-request"]:
            yield from merged_changes(repository.resolve(), options.changes, options.skip, rubric)
    for repository in options.tree:
        for rubric in options.rubric or ["pull-request"]:
            yield whole_tree(repository.resolve(), rubric)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.compare", description=__doc__)
    parser.add_argument("old", metavar="OLD", help="a revision or a checkout of the auditor")
    parser.add_argument("new", metavar="NEW", help="the other one")
    parser.add_argument("repositories", nargs="*", type=Path, metavar="REPO", help="a git repository with real history")
    parser.add_argument("--tree", action="append", type=Path, default=[], metavar="REPO", help="audit this one's whole tree")  # fmt: skip
    parser.add_argument("--changes", type=int, default=30, help="merged changes a repository (default 30)")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of the newest changes")
    parser.add_argument("--rubric", action="append", help="rubrics to audit by (default pull-request)")
    parser.add_argument("--prompts", action="store_true", help="ask a model on loopback that keeps prompts and refuses")
    parser.add_argument("--texts", action="store_true", help="print differences in texts as well")
    parser.add_argument("--added", action="append", default=[], metavar="FIELD", help="a field that only NEW has")
    parser.add_argument("--store", type=Path, default=Path("compared"), help="where records are kept (default ./compared)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=2, help="audits at once (default 2)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
