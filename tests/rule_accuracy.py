"""`python -m tests.rule_accuracy`: measures every rule on the independently written cases, and writes the figures that its page shows."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from auditor.forensics.engine.probe_discovery import discover_probes
from tests.accuracy.labelled import files, read
from tests.accuracy.measuring import Figures, figures, run

FILE = Path(__file__).resolve().parents[1] / "auditor/rule_pages/accuracy.yaml"
_HEADER = """\
# How often rules are right on the labelled cases of tests/accuracy/independent_cases. Written by `python -m tests.rule_accuracy`.
# `positives` are cases with a finding, `negatives` cases without; what cannot be computed is left out.
rules:
"""


def to_yaml(measured: Iterable[Figures]) -> str:
    """The data file: a row for each rule that exists, in the order of the ids."""
    known = discover_probes()
    return _HEADER + "".join(f"  - {{{_row(each)}}}\n" for each in measured if each.probe in known)


def _row(each: Figures) -> str:
    values = {"id": each.probe, "positives": each.positives, "negatives": each.negatives}
    shares = {"precision": each.precision, "recall": each.recall}
    rounded = {name: f"{share:.2f}" for name, share in shares.items() if share is not None}
    return ", ".join(f"{name}: {value}" for name, value in (values | rounded).items())


def main() -> int:
    """Run these cases, which takes minutes, and write the file."""
    checked = [each for path in files("independent_cases") for case in read(path) for each in run(case)]
    FILE.write_text(to_yaml(figures(checked)), encoding="utf-8")
    sys.stdout.write(f"{FILE.name}: {len(checked)} answers. Next: python -m tests.test_rule_pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
