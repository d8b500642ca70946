"""`python -m tests.bench forensics PATH...`: every figure as a ratio, with its goal."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.bench.forensics import measure


def main() -> None:
    """Measure the forensic stages on real repositories."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("what", choices=["forensics"])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a git repository with real history")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case; the median counts (default 3)")
    options = parser.parse_args()
    for path in options.paths:
        for line in measure(path, options.repeat):
            print(line, flush=True)  # noqa: T201 - a command that prints figures


if __name__ == "__main__":
    main()
