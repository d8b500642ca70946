"""`python -m auditor`, and the `auditor` command."""

from __future__ import annotations

import sys

from auditor.cli import run


def main() -> None:
    """Run the command line and end with its exit code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
