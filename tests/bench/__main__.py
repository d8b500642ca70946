"""`python -m tests.bench forensics|judges|fleet PATH...`: every figure as a ratio, with its goal."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.bench import fleet, forensics, judges


def main() -> None:
    """Measure on real repositories: the forensic stages, what judges cost, or runs of many audits."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("what", choices=["forensics", "judges", "fleet"])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a git repository with real history")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case; the median counts (default 3)")
    parser.add_argument("--changes", type=int, default=40, help="fleet: real changes in all (default 40)")
    parser.add_argument("--few", type=int, default=40, help="fleet: tiny units of the small run (default 40)")
    parser.add_argument("--many", type=int, default=1_000, help="fleet: tiny units of the large run (default 1000)")
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=fleet.PARTS,
        default=fleet.PARTS,
        help="fleet: only these figures (default all); put them after the paths",
    )
    options = parser.parse_args()
    if options.what == "fleet":
        for line in fleet.measure(
            options.paths, fleet.Sizes(options.changes, options.few, options.many), options.parts
        ):
            print(line, flush=True)  # noqa: T201 - a command that prints figures
        return
    measure = {"forensics": forensics.measure, "judges": judges.measure}[options.what]
    for path in options.paths:
        for line in measure(path, options.repeat):
            print(line, flush=True)  # noqa: T201 - a command that prints figures


if __name__ == "__main__":
    main()
