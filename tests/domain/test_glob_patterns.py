"""Globs as configuration files write them."""

from __future__ import annotations

import pytest

from auditor.domain.glob_patterns import matches, matches_any

PATTERNS = (
    "**/*.py",
    "*.md",
    "docs/",
    "/b/*.c",
    "a/**/b",
    "x?y",
    "a|b",
    "(c)",
    "a",
    "/a",
    "**/b",
    "*",
    "**/*",
    "*.",
    "a/b",
    "/",
    "",
    "**",
)
PATHS = (
    "a.py",
    "x/a.py",
    "d/README.md",
    "docs/z",
    "b/x.c",
    "b/c/x.c",
    "a/b",
    "a/x/b",
    "xay",
    "a|b",
    "(c)",
    "",
    "q\nw.py",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_fits_several_globs_as_soon_as_it_matches_one(path: str) -> None:
    for start in range(len(PATTERNS) + 1):
        some = PATTERNS[start:]
        assert matches_any(path, some) is any(matches(path, each) for each in some)
