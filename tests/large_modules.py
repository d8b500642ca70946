"""`python -m tests.large_modules`: the longest modules and those imported most, with why each is one thing."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

import auditor
from tests.imports import imports_of, module_files

LONG = 400
"""Lines from which a module needs a reason."""
MOST_IMPORTED = 15
"""How many of the modules that others import most need one."""
_REASONS = Path(__file__).with_name("module_reasons.yaml")


@dataclass(frozen=True)
class LargeModule:
    """A module that is long or imported by many: its lines, its importers, and the reason on file (may be empty)."""

    name: str
    lines: int
    importers: int
    reason: str


@cache
def large_modules() -> list[LargeModule]:
    """The modules over `LONG` lines and the `MOST_IMPORTED` with most importers, the longest first."""
    package = Path(auditor.__file__).parent
    importers = Counter(target for targets in imports_of(package).values() for target in targets)
    lines = {name: len(path.read_bytes().splitlines()) for name, path in module_files(package).items()}
    most_imported = set(sorted(importers, key=lambda name: (-importers[name], name))[:MOST_IMPORTED])
    chosen = most_imported | {name for name, count in lines.items() if count > LONG}
    reasons = module_reasons()
    found = [LargeModule(name, lines[name], importers[name], reasons.get(name, "")) for name in chosen]
    return sorted(found, key=lambda each: (-each.lines, each.name))


def module_reasons() -> dict[str, str]:
    """The reasons on file, by module."""
    reasons: dict[str, str] = yaml.safe_load(_REASONS.read_text(encoding="utf-8"))
    return reasons


def main() -> int:
    """Print a line for each."""
    for each in large_modules():
        print(f"{each.lines:5} lines  {each.importers:4} importers  {each.name}: {each.reason}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
