"""Coverage that is asked for before and after a change: least percentages, and files that are not measured.

The tools are rows of `coverage_settings.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.test_suites.path_patterns import UnknownPattern, fits_name, glob_test, regex_test
from auditor.forensics.test_suites.runner_table import SettingsFile
from auditor.forensics.test_suites.setting import Setting
from auditor.forensics.test_suites.settings_readers import UnreadableSettings, read_settings, split_words
from auditor.row_tables import read_table

_DATA = Path(__file__).with_name("coverage_settings.yaml")


class CoverageTool(Frozen):
    """A row of the table."""

    name: str
    family: str
    files: tuple[SettingsFile, ...] = Field(min_length=1)
    words: str = ""
    minimums: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    omits: tuple[str, ...] = ()
    regexes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    source: str = Field(pattern="^https://")


class _Table(Frozen):
    tools: tuple[CoverageTool, ...]


@cache
def coverage_tools() -> tuple[CoverageTool, ...]:
    """Every known tool."""
    return read_table(_DATA, _Table).tools


@cache
def coverage_file_names() -> frozenset[str]:
    """The names of all files that a known tool is configured in."""
    return frozenset(file.name for tool in coverage_tools() for file in tool.files)


class LoweredCoverage(NamedTuple):
    """What is asked for less than before, where, and how sure it is."""

    says: str
    path: str
    line: int | None
    confidence: float
    because: str


class _Placed(NamedTuple):
    setting: Setting
    path: str


_Kept = dict[str, _Placed]
_DOUBT = "a command may ask for another percentage"
_SURE, _UNKNOWN = 0.9, 0.6


def find_lowered_coverage(
    before: Mapping[str, str], after: Mapping[str, str], changed_product: Sequence[str]
) -> Iterator[LoweredCoverage]:
    """Compare the settings files that a change touches. `changed_product` are product files that it touches."""
    folders = sorted({path.rpartition("/")[0] for path in (*before, *after)})
    for folder in folders:
        sides = {tool: (_settings(tool, folder, before), _settings(tool, folder, after)) for tool in coverage_tools()}
        for tool, (old, new) in sides.items():
            if old or new:
                if not _is_replaced(tool, sides):
                    yield from _lowered(tool, old, new)
                yield from _omitted(tool, folder, old, new, changed_product)
                yield from _all_left_out(tool, folder, old, new, changed_product)


def _is_replaced(tool: CoverageTool, sides: Mapping[CoverageTool, tuple[_Kept, _Kept]]) -> bool:
    """Does another tool of the family newly ask for what this one no longer does?"""
    if _least(tool, sides[tool][1]):
        return False
    others = (each for each in sides if each is not tool and each.family == tool.family)
    wanted = min(_least(tool, sides[tool][0]), default=0.0)
    return any(
        not _least(each, sides[each][0]) and min(_least(each, sides[each][1]), default=-1.0) >= wanted
        for each in others
    )


def _least(tool: CoverageTool, kept: _Kept) -> list[float]:
    values = (_number(each.setting) for key, each in kept.items() if _matches(key, tool.minimums))
    return [each for each in values if each is not None]


def _settings(tool: CoverageTool, folder: str, texts: Mapping[str, str]) -> _Kept:
    """The settings of a tool in a folder, by key."""
    found: _Kept = {}
    for place in tool.files:
        path = f"{folder}/{place.name}" if folder else place.name
        read = read_settings(place.format, texts[path]) if path in texts else ()
        if isinstance(read, UnreadableSettings):
            continue
        for each in read:
            key = _inside(each.key, place.under)
            if key is None or each.is_table:
                continue
            if tool.words and key == tool.words:
                found.update(_from_words(tool, each, path))
            else:
                found.setdefault(key, _Placed(each, path))
    return found


def _inside(key: str, under: str) -> str | None:
    """The rest of a key below a section; `coverage:report.fail_under` is below `coverage`."""
    if not under:
        return key
    return key[len(under) + 1 :] if key.startswith((f"{under}.", f"{under}:")) else None


def _from_words(tool: CoverageTool, setting: Setting, path: str) -> _Kept:
    words = split_words(setting.values)
    found: _Kept = {}
    for place, word in enumerate(words):
        name, sign, value = word.partition("=")
        if name in tool.minimums:
            given = value if sign else next(iter(words[place + 1 : place + 2]), "")
            found[name] = _Placed(Setting(name, (given,), setting.line), path)
    return found


def _lowered(tool: CoverageTool, old: _Kept, new: _Kept) -> Iterator[LoweredCoverage]:
    for key, was in old.items():
        now = new.get(key)
        where = now.path if now is not None else was.path
        line = now.setting.line if now is not None else None
        if _matches(key, tool.minimums):
            yield from _less(key, was, now, where, line)
        elif _matches(key, tool.guards) and was.setting.is_true and not (now is not None and now.setting.is_true):
            yield LoweredCoverage(
                f"`{key}` is switched off in `{where}`: coverage is no longer enforced.", where, line, _SURE, _DOUBT
            )
    for key, now_ in new.items():
        earlier = _number(old[key].setting) if key in old else 0.0
        if _matches(key, tool.allowed) and (value := _number(now_.setting)) is not None and value > (earlier or 0.0):
            says = f"`{key}` in `{now_.path}` lets coverage drop by {value:g} instead of {earlier or 0.0:g} percent."
            yield LoweredCoverage(says, now_.path, now_.setting.line, _SURE, _DOUBT)
        elif _matches(key, tool.disabled) and now_.setting.is_true and not (key in old and old[key].setting.is_true):
            says = f"`{key}` in `{now_.path}` is switched on: coverage is no longer enforced."
            yield LoweredCoverage(says, now_.path, now_.setting.line, _SURE, _DOUBT)


def _less(key: str, was: _Placed, now: _Placed | None, where: str, line: int | None) -> Iterator[LoweredCoverage]:
    """A least percentage that is lower, gone or computed."""
    before = _number(was.setting)
    if before is None or before <= 0:
        return
    if now is None:
        yield LoweredCoverage(f"`{key}` ({before:g} percent) is removed from `{was.path}`.", where, line, _SURE, _DOUBT)
        return
    after = _number(now.setting)
    if after is None:
        if now.setting.unknown or now.setting.values != was.setting.values:
            says = f"`{key}` in `{where}` was {before:g} percent and is no longer a number."
            yield LoweredCoverage(says, where, line, _UNKNOWN, "the value could not be evaluated")
    elif after < before:
        yield LoweredCoverage(
            f"`{key}` in `{where}` is lowered from {before:g} to {after:g} percent.", where, line, _SURE, _DOUBT
        )


def _number(setting: Setting) -> float | None:
    try:
        return float(setting.values[-1].rstrip("% ")) if setting.values else None
    except ValueError:
        return None


def _matches(key: str, patterns: Iterable[str]) -> bool:
    parts = key.count(".")
    return any(pattern.count(".") == parts and fnmatchcase(key, pattern) for pattern in patterns)


def _omitted(
    tool: CoverageTool, folder: str, old: _Kept, new: _Kept, changed_product: Sequence[str]
) -> Iterator[LoweredCoverage]:
    """New patterns that take changed product files out of the measurement."""
    for key, now in new.items():
        is_regex = _matches(key, tool.regexes)
        if not is_regex and not _matches(key, tool.omits):
            continue
        known = set(_patterns(old[key].setting)) if key in old else set()
        for pattern in _patterns(now.setting):
            hit = [path for path in changed_product if pattern not in known and _fits(path, folder, pattern, is_regex)]
            if hit:
                more = f" and {len(hit) - 1} more" if len(hit) > 1 else ""
                says = f"`{key}` in `{now.path}` takes `{hit[0]}`{more}, which the change touches, out of the coverage."
                yield LoweredCoverage(says, now.path, now.setting.line, _SURE, _DOUBT)


def _all_left_out(
    tool: CoverageTool, folder: str, old: _Kept, new: _Kept, changed_product: Sequence[str]
) -> Iterator[LoweredCoverage]:
    """New patterns that leave out every file though the change touches none of them, or ordinary lines of any file."""
    for key, now in new.items():
        is_regex, of_lines = _matches(key, tool.regexes), _matches(key, tool.lines)
        if not (is_regex or of_lines or _matches(key, tool.omits)):
            continue
        known = old[key].setting.values if key in old else ()
        for pattern in (each for each in now.setting.values if each not in known):
            touched = not of_lines and any(_fits(path, folder, pattern, is_regex) for path in changed_product)
            if not touched and (_takes_ordinary_lines(pattern) if of_lines else _takes_every_file(pattern, is_regex)):
                what = "ordinary lines" if of_lines else "every file"
                says = f"`{key}` in `{now.path}` takes {what} out of the coverage."
                yield LoweredCoverage(says, now.path, now.setting.line, _SURE, _DOUBT)
                break


_ANY_FILES = ("a", "a/b", "a/b/c")
_ENDINGS = ("py", "js", "ts")
_ORDINARY_LINES = ("def total(prices):", "    return total", "price = 1", "if price:")


def _takes_every_file(pattern: str, is_regex: bool) -> bool:
    return any(all(_fits(f"{name}.{ending}", "", pattern, is_regex) for name in _ANY_FILES) for ending in _ENDINGS)


def _takes_ordinary_lines(pattern: str) -> bool:
    try:
        fits = regex_test(pattern)
    except UnknownPattern:
        return False
    return any(fits(line) for line in _ORDINARY_LINES)


def _patterns(setting: Setting) -> list[str]:
    return [part.strip().lstrip("!") for value in setting.values for part in value.split(",") if part.strip()]


def _fits(path: str, folder: str, pattern: str, is_regex: bool) -> bool:
    start = f"{folder}/" if folder else ""
    if not path.startswith(start):
        return False
    inside = path[len(start) :]
    try:
        if is_regex:
            return regex_test(pattern)(inside)
        return (
            fits_name(inside, pattern)
            or fits_name(f"/{inside}", pattern)
            or glob_test(pattern)(inside)
            or inside.startswith(f"{pattern.rstrip('/*')}/")
        )
    except UnknownPattern:
        return False


def is_measured_product(path: str) -> bool:
    """Is it product code, whose coverage counts?"""
    return role(path) is Role.PRODUCT
