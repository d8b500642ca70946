"""`python -m auditor`, and the `auditor` command."""

from __future__ import annotations

import gc
import sys

from auditor.cli import run


def main() -> None:
    """Run the command line and end with its exit code.

    Its process lives for seconds and keeps what it makes: looking for cycles would be a tenth of a short run.
    """
    gc.disable()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
