"""`python -m tests.accuracy.covering LOG [--lines N] [--write]`: the fewest labelled cases that run what all of them run.

Every case goes through the real engine once, and the branches of `auditor/forensics` that it runs are kept in LOG, so that a
second call takes seconds. Chosen are, in this order: every case of `cases/`, and every other with an answer that is wrong; greedily, whatever case runs the
most new branches for its lines; and the shortest cases for each question and each expected answer of which there are few.
Whether an answer is right helps no case to be chosen but the first, so the figures of the chosen cases are lower than those
of all cases, never higher. With `--write` the chosen cases are written to a file for each topic.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.accuracy.labelled import ROOT
from tests.accuracy.measuring import Checked, figures
from tests.accuracy.recording import RecordedCase, all_cases, record
from tests.accuracy.topics import file_name, topics
from tests.branch_recorder import BranchLog

FOLDERS = ("cases", "independent_cases")
KEPT_WHOLE = "cases"
"""Cases beside the probes: many show an answer that was once wrong, and the files do not say which."""
MOST_LINES = 39_000
"""Lines of the cases that are chosen."""
MOST_LINES_WRITTEN = 40_000
"""Lines that they may have with the cases that were added since. With more, choose again."""
SHARE_FOR_BRANCHES = 0.9
"""Of the lines: the rest is for answers of which there are few among the cases that were kept for their branches."""
OF_EACH_ANSWER = (2, 4, 6, 8)
"""Cases that are wanted for each question and each expected answer, so that figures mean something: first two of each, and so on."""


def choose(recorded: Sequence[RecordedCase], lines: int = MOST_LINES) -> list[RecordedCase]:
    """The cases to keep, in their order; no more lines than these, but for those of `cases/` and others that are answered wrongly."""
    kept = {
        place
        for place, each in enumerate(recorded)
        if each.written.file.parent.name == KEPT_WHOLE or any(not answer.hit for answer in each.answers)
    }
    _add(recorded, kept, round(lines * SHARE_FOR_BRANCHES), _Branches(0))
    for enough in OF_EACH_ANSWER:
        _add(recorded, kept, lines, _Answers(enough))
    _add(recorded, kept, lines, _Branches(0))
    return [recorded[place] for place in sorted(kept)]


def _add(recorded: Sequence[RecordedCase], kept: set[int], lines: int, wanted: _Wanted) -> None:
    """Keep more cases, up to so many lines in all, for what is wanted and the kept ones do not bring."""
    for place in kept:
        wanted.take(recorded[place])
    others = {place: each for place, each in enumerate(recorded) if place not in kept}
    kept |= _greedy(others, lines - sum(recorded[place].written.lines for place in kept), wanted)


def _answers(each: RecordedCase) -> list[tuple[str, str, str]]:
    """What is asked and expected, apart for each folder: only what stands in `independent_cases` says how good a probe is."""
    folder = each.written.file.parent.name
    return [(folder, answer.probe, str(answer.expected)) for answer in each.answers]


class _Wanted(Protocol):
    """What is still to be gained from cases."""

    def gain(self, each: RecordedCase) -> int:
        """How much the case would bring; never more than when it was asked before."""

    def take(self, each: RecordedCase) -> None:
        """Count what the case brings."""


@dataclass
class _Answers:
    """Enough cases for each question and answer."""

    enough: int
    counted: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def gain(self, each: RecordedCase) -> int:
        return sum(self.counted[key] < self.enough for key in _answers(each))

    def take(self, each: RecordedCase) -> None:
        self.counted.update(_answers(each))


@dataclass
class _Branches:
    """Every branch, run by some case."""

    covered: int

    def gain(self, each: RecordedCase) -> int:
        return (each.bits & ~self.covered).bit_count()

    def take(self, each: RecordedCase) -> None:
        self.covered |= each.bits


def _greedy(recorded: Mapping[int, RecordedCase], lines: int, wanted: _Wanted) -> set[int]:
    """The cases that bring most for their lines, one after another, until nothing is wanted or the lines are used up."""
    queue = [(-wanted.gain(each) / each.written.lines, place) for place, each in recorded.items()]
    heapq.heapify(queue)
    chosen = set()
    while queue:
        _, place = heapq.heappop(queue)
        each = recorded[place]
        gain = wanted.gain(each) / each.written.lines
        if not gain or each.written.lines > lines:
            continue
        if queue and -queue[0][0] > gain:
            heapq.heappush(queue, (-gain, place))
            continue
        chosen.add(place)
        wanted.take(each)
        lines -= each.written.lines
    return chosen


def branches(cases: Iterable[RecordedCase]) -> int:
    """All branches that the cases run, a bit each."""
    covered = 0
    for each in cases:
        covered |= each.bits
    return covered


def comparison(full: Sequence[RecordedCase], chosen: Sequence[RecordedCase]) -> str:
    """A table: for each probe the answers, the share that is wrong, precision and recall, of all cases and of the chosen."""
    columns = f"{'wrong':>6} {'prec.':>6} {'recall':>6}"
    before, after = _figures(full), _figures(chosen)
    rows = (f"{probe:<38} {before[probe]}   {after.get(probe, '')}\n" for probe in before)
    return "".join([f"{'probe':<38} {'all':>5} {columns}   {'kept':>5} {columns}\n", *rows])


def _figures(cases: Sequence[RecordedCase]) -> dict[str, str]:
    """For each probe how many answers, which share of them is wrong, precision and recall."""
    wrong = Counter(each.probe for each in _answered(cases) if not each.hit)
    return {
        each.probe: f"{each.positives + each.negatives:>5} {wrong[each.probe] / (each.positives + each.negatives):>6.3f}"
        f" {_share(each.precision):>6} {_share(each.recall):>6}"
        for each in figures(_answered(cases))
    }


def _answered(cases: Iterable[RecordedCase]) -> list[Checked]:
    return [answer for each in cases for answer in each.answers]


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def write(chosen: Iterable[RecordedCase], root: Path = ROOT) -> None:
    """Write the cases to a file for each topic, in the folder each comes from, and delete all other files of cases there."""
    rows = topics()
    texts: dict[Path, list[str]] = defaultdict(list)
    for each in chosen:
        texts[root / each.written.file.parent.name / file_name(each.written.case, rows)].append(each.written.text)
    for folder in FOLDERS:
        for file in (root / folder).glob("*.yaml"):
            file.unlink()
    for file, cases in texts.items():
        file.write_text("\n".join(cases), encoding="utf-8")


def _summary(title: str, cases: Sequence[RecordedCase]) -> str:
    answers = _answered(cases)
    lines = sum(each.written.lines for each in cases)
    wrong = sum(not each.hit for each in answers)
    run = branches(cases).bit_count()
    return f"{title}: {len(cases)} cases, {lines} lines, {run} branches, {len(answers)} answers, {wrong} wrong\n"


def main(arguments: list[str]) -> int:
    """Record what is not recorded yet, choose, print how the chosen cases compare with all, and write where asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy.covering", description=__doc__)
    parser.add_argument("log", type=Path, help="file of recordings, continued where it exists")
    parser.add_argument("--lines", type=int, default=MOST_LINES, help="most lines of YAML to keep")
    parser.add_argument("--write", action="store_true", help="replace the files of cases")
    asked = parser.parse_args(arguments)
    recorded = record(all_cases(FOLDERS), BranchLog(asked.log))
    chosen = choose(recorded, asked.lines)
    for folder in FOLDERS:
        full, kept = (
            [each for each in cases if each.written.file.parent.name == folder] for cases in (recorded, chosen)
        )
        sys.stdout.write(
            f"\n{_summary(f'{folder}, all', full)}{_summary(f'{folder}, chosen', kept)}{comparison(full, kept)}"
        )
    sys.stdout.write(f"\n{_summary('all', recorded)}{_summary('chosen', chosen)}")
    if asked.write:
        write(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
