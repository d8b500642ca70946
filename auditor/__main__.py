"""`python -m auditor`, and the `auditor` command."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and end with its exit code.

    Its process lives for seconds and keeps what it makes: looking for cycles would be a tenth of a short run, and half as
    much again when the interpreter looks a last time before it ends.
    """
    gc.disable()
    try:
        from auditor.cli import run
    except KeyboardInterrupt:
        sys.exit(130)  # as when the command itself is interrupted; nothing has begun
    code = run(sys.argv[1:])
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
