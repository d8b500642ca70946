"""`python -m auditor`, and the `auditor` command."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and end with its exit code.

    Its process lives for seconds and keeps what it makes: looking for cycles would be a tenth of a short run.
    """
    gc.disable()
    try:
        from auditor.cli import run
    except KeyboardInterrupt:
        sys.exit(130)  # as when the command itself is interrupted; nothing has begun
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
