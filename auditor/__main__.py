"""`python -m auditor`, and the `auditor` command."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn


def main() -> None:
    """Run the command line and end with its exit code.

    Its process lives for seconds and keeps what it makes: looking for cycles would be a tenth of a short run.
    """
    gc.disable()
    try:
        from auditor.cli import run
    except KeyboardInterrupt:
        sys.exit(130)  # as when the command itself is interrupted; nothing has begun
    exit_process(run(sys.argv[1:]))


def exit_process(code: int) -> NoReturn:
    """End at once, with all that was said said: the system takes back in one step what Python would take apart by itself.

    That would be a twentieth of a run. Whatever is to be left tidy was tidied when the command returned.
    """
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        sys.exit(code)  # Python tells of it in its own way
    os._exit(code)


if __name__ == "__main__":
    main()
