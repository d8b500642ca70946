"""Where documents in reStructuredText lead: pictures, files that they take in, and links to files by their whole name.

Names of pages without a suffix are not among them: a generator may make those pages, and knows them by other names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.lazy_regex import lazy_compile

_INCLUSION = lazy_compile(
    r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]{1,100}\|[ \t]+)?(?:image|figure|include|literalinclude|graphviz)::[ \t]+(\S{1,300})[ \t]*$"
)
_LINK = lazy_compile(r"`[^`<>\n]{0,300}<([^`<>\s]{1,300})>`_")
_NAMED_TARGET = lazy_compile(r"^[ \t]*\.\.[ \t]+_[^:\n]{1,200}:[ \t]+(\S{1,300})[ \t]*$")
_ROLE = lazy_compile(r":download:`(?:[^`<>\n]{0,300}<([^`<>\s]{1,300})>|([^`<>\s]{1,300}))`")
_FILE_NAME = lazy_compile(
    r"[^\s*?{}|$]{1,300}\.(?:rst|md|txt|inc|png|jpe?g|gif|svg|webp|pdf|ipynb|py|js|ts|c|h|sh|json|ya?ml|toml|cfg|ini|csv|dot)$",
    re.IGNORECASE,
)
"""Files that stand as such in a repository; pages in HTML are made."""
_LITERAL_BLOCK = lazy_compile(
    r"^[ \t]*\.\.[ \t]+(?:code(?:-block)?|sourcecode|parsed-literal|highlight|doctest|prompt|testcode)::"
)


_MARKERS = (">`_", ":download:", "image::", "figure::", "include::", "graphviz::")
_TARGET_MARKER = lazy_compile(r"\.\.[ \t]+_")
_MAX_LINE_LENGTH = 2_000


def targets(text: str) -> Iterator[tuple[str, int]]:
    """Where links, pictures and inclusions of a document lead, and the line (from 0) of each; samples of text do not count.

    Targets with an address of their own are none of them: most documents have no other.
    """
    starts = sorted({text.rfind("\n", 0, at) + 1 for at in _marker_positions(text)})
    led = [(start, files) for start in starts if (files := _linked_files(_line(text, start)))]
    # what stands at the margin is no part of a sample
    samples = _sample_lines(text) if any(text[start].isspace() for start, _ in led) else frozenset()
    number = before = 0
    for start, files in led:
        number += text.count("\n", before, start)
        before = start
        if number not in samples:
            yield from ((each, number) for each in files)


def _sample_lines(text: str) -> frozenset[int]:
    """The lines (from 0) inside blocks that show text as it is, such as samples of code."""
    held, inside = set(), -1
    for number, raw in enumerate(text.split("\n")):
        line = raw[:_MAX_LINE_LENGTH].rstrip()
        if not line:
            continue
        bare = line.lstrip()
        depth = len(line) - len(bare)
        if inside >= 0 and depth > inside:
            held.add(number)
            continue
        marked = bare.startswith("..")
        opens = _LITERAL_BLOCK.match(line) is not None if marked else bare.endswith("::") and not bare.endswith(":::")
        inside = depth if opens else -1
    return frozenset(held)


def _marker_positions(text: str) -> Iterator[int]:
    """Where the signs of anything that leads somewhere are, one of each kind in a line."""
    for sign in _MARKERS:
        at = text.find(sign)
        while at >= 0:
            yield at
            after = text.find("\n", at)
            at = text.find(sign, after) if after >= 0 else -1
    found = _TARGET_MARKER.search(text)
    while found is not None:
        yield found.start()
        after = text.find("\n", found.end())
        found = _TARGET_MARKER.search(text, after) if after >= 0 else None


def _line(text: str, start: int) -> str:
    return text[start : start + _MAX_LINE_LENGTH].partition("\n")[0].rstrip()


def _linked_files(line: str) -> list[str]:
    """The files that a line leads to."""
    found = (_INCLUSION.match(line) or _NAMED_TARGET.match(line)) if line.lstrip().startswith("..") else None
    named: list[str] = [found[1]] if found is not None else _LINK.findall(line) if ">`_" in line else []
    if ":download:" in line:
        named += [one or other for one, other in _ROLE.findall(line)]
    return [each for each in named if "://" not in each and _FILE_NAME.match(each)]
