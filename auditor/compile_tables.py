"""`python -m auditor.compile_tables`: keep what is worked out of all shipped tables, as `compileall` does with modules.

For an installation that nobody writes to afterwards, such as the image of the Action.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Load every table and every language. Returns the exit code."""
    if sys.dont_write_bytecode:
        sys.stderr.write("auditor: nothing is kept where PYTHONDONTWRITEBYTECODE is set: unset it.\n")
        return 2
    from auditor.compiled_data import plain_data
    from auditor.forensics.engine.probe_discovery import discover_probes
    from auditor.forensics.languages.kept_needs import prepare_language
    from auditor.forensics.languages.language_registry import covered_languages

    for path in sorted(Path(__file__).parent.rglob("*.yaml")):
        plain_data(path.read_text(encoding="utf-8"), path)
    discover_probes()  # reads the rows for Python
    for name in covered_languages():
        prepare_language(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
