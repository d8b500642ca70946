"""Names of the packages that most people install, to recognize a name that only looks like one of them.

`pypi.txt` and `npm.txt` hold the 10,000 most downloaded packages of each registry, the most downloaded first, by the
registries' public download counts of November 2026; names of PyPI in their normal form. To make them anew, sort a
registry's packages by downloads, keep the first 10,000 names and write one a line.

`crates.txt`, `gems.txt`, `go.txt`, `maven.txt`, `packagist.txt`, `nuget.txt`, `pub.txt` and `hex.txt` are short: names that every project of the language meets,
written down by hand, in no order. A name belongs there only when it is known for certain; to add one, add a line.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def registries() -> tuple[str, ...]:
    """The registries of which there is a list."""
    return tuple(sorted(each.stem for each in _FOLDER.glob("*.txt")))


@cache
def names(registry: str) -> tuple[str, ...]:
    """The known names of a registry; for `pypi` and `npm` the most downloaded first."""
    return tuple((_FOLDER / f"{registry}.txt").read_text(encoding="utf-8").split())
