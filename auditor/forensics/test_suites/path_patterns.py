"""Patterns that test runners match paths with, evaluated in a time that no pattern can drive up."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache

PathTest = Callable[[str], bool]
_MAX_PATTERN = 300
_MAX_ALTERNATIVES = 64
_EXTENDED_GROUP = re.compile(r"[?@+]\(([^()]{0,200})\)")
_BRACES = re.compile(r"\{([^{}]{0,200})\}")
_UNBOUNDED = re.compile(r"(?<!\\)[*+]|\{\d{0,4},\d{0,4}\}")
_QUANTIFIED_GROUP = re.compile(r"\)[*+{]")
_OPTIONAL = re.compile(r"(?<![\\(])\?")
_MAX_UNBOUNDED, _MAX_OPTIONAL = 1, 4
"""A row of optional parts takes a time that doubles with each, as repeated ones take one that grows by a power."""
_FREE_ENDS = re.compile(r"^\^?(?:\.\*)+|(?:\.\*)+\$?$")
"""What a search needs not be told: anything may stand before and behind."""
_MAX_PATH = 250
"""Characters of a path that a regular expression is tried on."""
_MAX_SEGMENTS = 40


class UnknownPattern(ValueError):
    """A pattern that is not evaluated."""


@lru_cache(maxsize=2_000)
def _segment(pattern: str) -> re.Pattern[str]:
    """`translate` writes patterns without backtracking, by atomic groups."""
    return re.compile(translate(pattern))


def fits_name(text: str, pattern: str) -> bool:
    """Does a text fit a pattern as `fnmatch` reads it? `*` crosses slashes."""
    return len(pattern) <= _MAX_PATTERN and _segment(pattern).match(text) is not None


@lru_cache(maxsize=1_000)
def glob_test(pattern: str) -> PathTest:
    """A test of relative paths by a glob with `**`, braces and `?(x)`. Raises UnknownPattern for what is not evaluated."""
    pattern = pattern.removeprefix("<rootDir>").lstrip("/").removeprefix("./")
    if len(pattern) > _MAX_PATTERN or "!(" in pattern or "*(" in pattern:
        raise UnknownPattern(pattern)
    choices = [tuple(each.split("/")[:_MAX_SEGMENTS]) for each in _expand(pattern)]
    return lambda path: any(_fits_segments(path.split("/")[:_MAX_SEGMENTS], choice) for choice in choices)


def _expand(pattern: str) -> list[str]:
    """The patterns without braces and groups that one with them stands for."""
    waiting, done = [pattern], list[str]()
    while waiting:
        each = waiting.pop()
        group, braces = _EXTENDED_GROUP.search(each), _BRACES.search(each)
        found = group or braces
        if found is None:
            done.append(each)
            continue
        options = found[1].split("|") if found is group else found[1].split(",")
        if found is group and each[found.start()] == "?":
            options = ["", *options]
        waiting += [each[: found.start()] + option + each[found.end() :] for option in options]
        if len(waiting) + len(done) > _MAX_ALTERNATIVES:
            raise UnknownPattern(pattern)
    return done


def _fits_segments(parts: list[str], pattern: tuple[str, ...]) -> bool:
    """Reachable positions after each segment of the pattern: no backtracking."""
    reached = {0}
    for each in pattern:
        if each == "**":
            reached = set(range(min(reached, default=len(parts) + 1), len(parts) + 1))
        elif each:
            reached = {at + 1 for at in reached if at < len(parts) and _segment(each).match(parts[at]) is not None}
        if not reached:
            return False
    return len(parts) in reached


@lru_cache(maxsize=1_000)
def regex_test(pattern: str) -> PathTest:
    """A test of absolute paths by a regular expression that is found in them. Raises UnknownPattern for what may take long."""
    pattern = _FREE_ENDS.sub("", pattern.replace("<rootDir>", ""))
    if (
        len(pattern) > _MAX_PATTERN
        or _QUANTIFIED_GROUP.search(pattern)
        or len(_UNBOUNDED.findall(pattern)) > _MAX_UNBOUNDED
        or len(_OPTIONAL.findall(pattern)) > _MAX_OPTIONAL
        or "(?<" in pattern
        or re.search(r"\\[1-9]", pattern)
    ):
        raise UnknownPattern(pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnknownPattern(pattern) from error
    return lambda path: compiled.search(f"/{path[:_MAX_PATH]}") is not None


def is_below(path: str, folder: str) -> bool:
    """Does a path lie in a folder, or is it that file? The empty folder holds everything."""
    folder = folder.removeprefix("<rootDir>").removeprefix("./").strip("/")
    if any(sign in folder for sign in "*?["):
        parts = folder.split("/")
        return _fits_segments(path.split("/")[: len(parts)], tuple(parts)) or fits_name(path, f"{folder}/*")
    return folder in {"", "."} or path == folder or path.startswith(f"{folder}/")
