"""`python -m tests.peers CLONE [--misses]`: how our rules answer where a clone of semgrep-rules marks lines of its own test files.

A second opinion, not a goal: a peer's audit rules report every call of a kind, ours report those that are dangerous, and its files are read one by one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from auditor.domain import CodeLocation, Outcome
from tests.auditing import asked
from tests.peers.semgrep_labels import Label, LabelledFile, labelled_files
from tests.repos import Drawing

Reported = Mapping[tuple[str, str], Mapping[int, float]]
"""(rule, file) -> the lines that are reported, and how sure the rule is of each."""
CONFIRMED = 0.8
"""Confidence from which a finding counts as confirmed: as in the decision rule `security_override`."""


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with `--misses` also every marked line that is not reported, and every clean one that is confirmed."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("clone", type=Path, help="a clone of https://github.com/semgrep/semgrep-rules")
    parser.add_argument(
        "--misses",
        action="store_true",
        help="list the marked lines that are not reported, and clean ones that are confirmed",
    )
    options = parser.parse_args(arguments)
    files = labelled_files(options.clone)
    with tempfile.TemporaryDirectory() as folder:
        reported = _reported_lines(Path(folder), files)
    _print_table([label for each in files for label in each.labels], reported, misses=options.misses)
    return 0


def _product_path(number: int, path: str) -> str:
    """Where a file is put: its name alone, in a folder of its own, so that nothing is taken for a test."""
    named = PurePosixPath(path)
    if named.suffix in {".yaml", ".yml"}:
        return f".github/workflows/labels{number}.yml"
    return f"shop/part{number}/handler{named.suffix}"


def _reported_lines(folder: Path, files: Sequence[LabelledFile]) -> Reported:
    placed = {_product_path(number, each.path): each for number, each in enumerate(files)}
    drawing = Drawing(folder)
    base = drawing.commit({"README.md": "# Shop\n"})
    drawing.commit({path: each.content for path, each in placed.items()})
    probes = {label.probe for each in files for label in each.labels}
    reported: dict[tuple[str, str], dict[int, float]] = {}
    for fact in asked(drawing.path, base, *sorted(probes)).evidence:
        if fact.outcome is not Outcome.FOUND:
            continue
        for place in fact.locations:
            if isinstance(place, CodeLocation) and place.path in placed and place.start is not None:
                lines = reported.setdefault((fact.probe, placed[place.path].path), {})
                for line in range(place.start, (place.end or place.start) + 1):
                    lines[line] = max(fact.confidence, lines.get(line, 0.0))
    return reported


def _confidence(label: Label, reported: Reported) -> float:
    """How sure our rule is of the lines of a label; 0 where it reports nothing."""
    lines = reported.get((label.probe, label.path), {})
    return max((lines.get(line, 0.0) for line in range(label.first, label.last + 1)), default=0.0)


def _print_table(labels: Sequence[Label], reported: Reported, *, misses: bool) -> None:
    out = sys.stdout.write
    out(
        f"{'rule':<28} {'marked':>7} {'reported':>9} {'confirmed':>10} {'clean':>6} {'reported':>9} {'confirmed':>10}\n"
    )
    for probe in sorted({each.probe for each in labels}):
        marked = [_confidence(each, reported) for each in labels if each.probe == probe and each.positive]
        clean = [_confidence(each, reported) for each in labels if each.probe == probe and not each.positive]
        out(f"{probe:<28} {len(marked):>7} {_above(marked, 0):>9} {_above(marked, CONFIRMED):>10}")
        out(f" {len(clean):>6} {_above(clean, 0):>9} {_above(clean, CONFIRMED):>10}\n")
    for each in labels if misses else ():
        confidence = _confidence(each, reported)
        if each.positive and not confidence:
            out(f"marked, not reported: {each.probe} {each.peer_rule} {each.path}:{each.first}\n")
        elif not each.positive and confidence >= CONFIRMED:
            out(f"clean, confirmed: {each.probe} {each.peer_rule} {each.path}:{each.first}\n")


def _above(confidences: Sequence[float], least: float) -> int:
    return sum(each >= least and each > 0 for each in confidences)


if __name__ == "__main__":
    sys.exit(main())
