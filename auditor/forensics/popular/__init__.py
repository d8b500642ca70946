"""Names of the packages that most people install, to tell a name that only looks like one of them.

`pypi.txt` and `npm.txt` hold the 10,000 most downloaded packages of each registry, the most downloaded first, by the
registries' public download counts of November 2026; names of PyPI in their normal form. To make them anew, sort a
registry's packages by downloads, keep the first 10,000 names and write one a line.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def names(registry: str) -> tuple[str, ...]:
    """The known names of `pypi` or `npm`, the most downloaded first."""
    return tuple((Path(__file__).parent / f"{registry}.txt").read_text(encoding="utf-8").split())
