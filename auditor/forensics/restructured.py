"""Where documents in reStructuredText lead: pictures, files that they take in, and links to files by their whole name.

Names of pages without a suffix are not among them: a generator may make those pages, and knows them by other names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.late import late

_TAKES_IN = late(
    r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]{1,100}\|[ \t]+)?(?:image|figure|include|literalinclude|graphviz)::[ \t]+(\S{1,300})[ \t]*$"
)
_LINK = late(r"`[^`<>\n]{0,300}<([^`<>\s]{1,300})>`_")
_NAMED = late(r"^[ \t]*\.\.[ \t]+_[^:\n]{1,200}:[ \t]+(\S{1,300})[ \t]*$")
_ROLE = late(r":download:`(?:[^`<>\n]{0,300}<([^`<>\s]{1,300})>|([^`<>\s]{1,300}))`")
_SUFFIXED = late(
    r"[^\s*?{}|$]{1,300}\.(?:rst|md|txt|inc|png|jpe?g|gif|svg|webp|pdf|ipynb|py|js|ts|c|h|sh|json|ya?ml|toml|cfg|ini|csv|dot)$",
    re.IGNORECASE,
)
"""Files that stand as such in a repository; pages in HTML are made."""
_BLOCK = late(r"^[ \t]*\.\.[ \t]+(?:code(?:-block)?|sourcecode|parsed-literal|highlight|doctest|prompt|testcode)::")


def targets(text: str) -> Iterator[tuple[str, int]]:
    """Where links, pictures and inclusions of a document lead, and the line (from 0) of each; samples of text do not count."""
    inside = -1
    for number, raw in enumerate(text.split("\n")):
        line = raw[:2_000].rstrip()
        if not line:
            continue
        bare = line.lstrip()
        depth = len(line) - len(bare)
        if inside >= 0 and depth > inside:
            continue
        marked = bare.startswith("..")
        opens = _BLOCK.match(line) is not None if marked else bare.endswith("::") and not bare.endswith(":::")
        inside = depth if opens else -1
        yield from ((each, number) for each in _named(line, marked=marked) if _SUFFIXED.match(each))


def _named(line: str, *, marked: bool) -> list[str]:
    """What a line leads to. Most hold none of the signs that lead somewhere, and are asked no more."""
    found = (_TAKES_IN.match(line) or _NAMED.match(line)) if marked else None
    named: list[str] = [found[1]] if found is not None else _LINK.findall(line) if ">`_" in line else []
    if ":download:" in line:
        named += [one or other for one, other in _ROLE.findall(line)]
    return named
