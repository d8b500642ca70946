"""`python -m tests.bench forensics|judges PATH...`: every figure as a ratio, with its goal."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.bench import forensics, judges


def main() -> None:
    """Measure on real repositories: the forensic stages, or what judges cost."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("what", choices=["forensics", "judges"])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a git repository with real history")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case; the median counts (default 3)")
    options = parser.parse_args()
    measure = {"forensics": forensics.measure, "judges": judges.measure}[options.what]
    for path in options.paths:
        for line in measure(path, options.repeat):
            print(line, flush=True)  # noqa: T201 - a command that prints figures


if __name__ == "__main__":
    main()
