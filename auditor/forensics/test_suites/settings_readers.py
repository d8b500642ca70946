"""Settings files of test runners and coverage tools as keys with constant values, whatever their format."""

from __future__ import annotations

import json
import shlex
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from typing import Any, NamedTuple

from pydantic import RootModel

from auditor import strict_yaml
from auditor.forensics.source_text.xml_trees import parse_xml
from auditor.forensics.test_suites.javascript_settings import read_javascript
from auditor.forensics.test_suites.path_patterns import is_below
from auditor.forensics.test_suites.runner_table import Format
from auditor.forensics.test_suites.setting import Setting
from auditor.lazy_regex import lazy_compile
from auditor.user_error import UserError

MAX_SETTINGS_BYTES = 300_000
"""Bytes of a settings file that is read."""
_MAX_DEPTH = 12
_MAX_SUITES, _MAX_SUITE_PATHS = 200, 60
_MAX_SETTINGS = 5_000
_SECTION = lazy_compile(r"\s{0,8}\[([^\]\n]{1,120})\]")
_INI_PAIR = lazy_compile(r"([^\s=:#;\[][^=:\n]{0,120}?)[ \t]{0,20}[=:][ \t]{0,20}(.*)")
_JSON_COMMENT = lazy_compile(r'("(?>(?:[^"\\\n]|\\.)*)")|//[^\n]*|/\*(?>(?:[^*]++|\*(?!/))*)\*/')
_TRAILING_COMMA = lazy_compile(r",(?=\s{0,200}[}\]])")


class UnreadableSettings(NamedTuple):
    """Why a settings file was not read."""

    reason: str


def read_settings(format_: Format, text: str) -> tuple[Setting, ...] | UnreadableSettings:
    """The settings of a file in the order in which they are written."""
    if len(text) > MAX_SETTINGS_BYTES:
        return UnreadableSettings("it is larger than the limit for settings files")
    try:
        found = tuple(_READERS[format_](text))
    except (ValueError, UserError, RecursionError, tomllib.TOMLDecodeError):
        return UnreadableSettings(f"it is not valid {format_.value}")
    return found[:_MAX_SETTINGS]


def _read_ini(text: str) -> Iterator[Setting]:
    """Keys as `section.key`; an indented line continues the value above it."""
    section, key, line, values = "", "", 0, list[str]()
    for number, raw in enumerate(text.split("\n"), 1):
        stripped = raw.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if raw[0] in " \t" and key:
            values.append(stripped)
            continue
        if key:
            yield Setting(f"{section}.{key}", tuple(values), line)
        key, values = "", []
        if (header := _SECTION.match(raw)) is not None:
            section = header[1]
            yield Setting(section, (), number)
        elif (pair := _INI_PAIR.match(raw)) is not None:
            key, line, values = pair[1].strip(), number, [pair[2].split(" #")[0].strip()] if pair[2].strip() else []
    if key:
        yield Setting(f"{section}.{key}", tuple(values), line)


def _read_toml(text: str) -> Iterator[Setting]:
    return _flatten(tomllib.loads(text), text)


def _read_json(text: str) -> Iterator[Setting]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        plain = _JSON_COMMENT.sub(lambda found: found[1] or " ", text)
        data = json.loads(_TRAILING_COMMA.sub("", plain))
    return _flatten(data, text)


class _AnyYaml(RootModel[dict[str, Any]]):
    """Any mapping."""


def _read_yaml(text: str) -> Iterator[Setting]:
    return _flatten(strict_yaml.parse(_AnyYaml, text, "settings").root, text)


def _flatten(data: object, text: str) -> Iterator[Setting]:
    """Nested tables as dotted keys; an entry of a list of tables has `*` in its key."""
    lines = _KeyLines(text)
    used: dict[str, int] = {}

    def walk(value: object, path: tuple[str, ...], depth: int) -> Iterator[Setting]:
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, dict):
            if path:
                yield Setting(".".join(path), (), lines.find(path[-1], used.get(path[-1], 0)), is_table=True)
            for name, inner in value.items():
                yield from walk(inner, (*path, str(name)), depth + 1)
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for each in value:
                yield from walk(each, (*path, "*"), depth + 1)
        else:
            name = path[-1] if path else ""
            line = used[name] = lines.find(name, used.get(name, 0))
            yield Setting(".".join(path), tuple(_scalars(value)), line)

    return walk(data, (), 0)


def _scalars(value: object) -> Iterator[str]:
    for each in value if isinstance(value, list) else [value]:
        if each is not None and not isinstance(each, (dict, list)):
            yield str(each).lower() if isinstance(each, bool) else str(each)


class _KeyLines:
    """Finds the lines in which keys are written."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, list[int]] = {}
        for number, line in enumerate(text.split("\n"), 1):
            for word in _WORD.findall(line[:_MAX_LINE])[:_MAX_LINE_WORDS]:
                self._lines.setdefault(word, []).append(number)

    def find(self, key: str, after: int) -> int:
        """The next line behind `after` with a key among its first words, else the first one."""
        numbers = self._lines.get(key, [])
        if not numbers:
            return 1
        place = bisect_right(numbers, after)
        return numbers[place] if place < len(numbers) else numbers[0]


_WORD = lazy_compile(r"[\w.@/*-]{1,120}")
_MAX_LINE = 400
_MAX_LINE_WORDS = 8


def _read_maven(text: str) -> Iterator[Setting]:
    """Properties, and the configuration of the plugins that run tests; profiles are left out."""
    root = parse_xml(text)
    lines = text.split("\n")
    places = [each for each in root if each.tag == "properties"]
    known = {each.tag: (each.text or "").strip() for place in places for each in place}
    for build in (each for each in root if each.tag == "build"):
        for plugin in build.iter("plugin"):
            if (plugin.findtext("artifactId") or "").strip() in _TEST_PLUGINS:
                places += list(plugin.iter("configuration"))
    for place in places:
        for each in place:
            values = [(inner.text or "").strip() for inner in each] or [(each.text or "").strip()]
            values = [_source_pattern(_with_properties(value, known)) for value in values]
            constant = tuple(value for value in values if value and "${" not in value)
            unknown = next((value for value in values if "${" in value), "")
            yield Setting(each.tag, constant, _tag_line(lines, each.tag), unknown)


def _with_properties(value: str, known: Mapping[str, str]) -> str:
    """A value with the properties of the file that it names, and those that these name."""
    for _ in range(_MAX_PROPERTIES):
        put = _PROPERTY.sub(lambda found: known.get(found[1], found[0]), value)[:_MAX_VALUE]
        if put == value:
            break
        value = put
    return value


_PROPERTY = lazy_compile(r"\$\{([\w.-]{1,100})\}")
_MAX_PROPERTIES = 5
_MAX_VALUE = 2_000


def _read_phpunit(text: str) -> Iterator[Setting]:
    """Globs of the files of all test suites, relative to the settings file, and of those that no suite holds in the end."""
    globs: list[str] = []
    suites: list[tuple[list[str], list[str]]] = []
    for suite in islice(parse_xml(text).iter("testsuite"), _MAX_SUITES):
        held: list[str] = []
        left_out: list[str] = []
        for each in suite:
            path = (each.text or "").strip().removeprefix("./").rstrip("/")
            suffix = each.get("suffix", "Test.php")
            if path and each.tag in {"directory", "file"}:
                held.append(path)
                globs.append(path if each.tag == "file" else f"{path}/**/*{suffix}")
            elif path and each.tag == "exclude":
                left_out.append(path)
        suites.append((held[:_MAX_SUITE_PATHS], left_out[:_MAX_SUITE_PATHS]))
    lines = text.split("\n")
    if globs:
        yield Setting("testsuites", tuple(globs), _tag_line(lines, "testsuites"))
    lost = [path for _, left_out in suites for path in left_out if not _is_held(path, suites)]
    if lost:
        patterns = tuple(pattern for path in lost for pattern in (path, f"{path}/**/*"))
        yield Setting("exclude", patterns, _tag_line(lines, "exclude"))


def _is_held(path: str, suites: Sequence[tuple[Sequence[str], Sequence[str]]]) -> bool:
    """Does a suite hold a path, or something below it, that it does not leave out?"""
    return any(
        is_below(each, path) or is_below(path, each)
        for held, left_out in suites
        if path not in left_out
        for each in held
    )


def _source_pattern(pattern: str) -> str:
    """The pattern of sources that one of classes stands for: `**/ATest.class` for `**/ATest.*`."""
    last = pattern.rpartition("/")[2]
    if pattern.endswith(".class"):
        return f"{pattern.removesuffix('.class')}.*"
    return f"{pattern}.*" if "/" in pattern and "." not in last and last != "**" else pattern


_TEST_PLUGINS = frozenset({"maven-surefire-plugin", "maven-failsafe-plugin"})


def _tag_line(lines: list[str], tag: str) -> int:
    return next((number for number, line in enumerate(lines, 1) if f"<{tag}>" in line), 1)


_ALL_TESTS = lazy_compile(r"(?:^|[.(\s])[\"']?test[\"']?(?:$|[\s)])|withType\s{0,5}[(<]\s{0,5}Test\b")
_SOME_TESTS = lazy_compile(r"\b[a-z]\w{0,40}Tests?\b")
_NEW_TASK = lazy_compile(r"\bregister|\bcreat|\btype\s{0,5}:|\btask\s")
_FOR_ANY_TASK = frozenset({"enabled", "onlyIf", "ignoreFailures"})
"""What says something of the tests also where it is set for one of several tasks."""
_GRADLE_STATEMENT = lazy_compile(r"(?:it\.)?(\w{1,40})\s{0,5}(?:\.set\s{0,5}\(|=(?!=)|\(|\{|\s)\s{0,5}(.{0,400})")
_QUOTED = lazy_compile(r"[\"']([^\"'\n]{0,300})[\"']")
_LITERAL = lazy_compile(r"\s{0,5}(true|false)\b")


class _Block(IntEnum):
    """Which tasks a block of a build script is about."""

    OTHER = 0
    SOME_TESTS = 1
    ALL_TESTS = 2


def _block(header: str) -> _Block:
    """What a block is about; a task that the script adds runs tests beside those that others run."""
    if _NEW_TASK.search(header):
        return _Block.OTHER
    if _ALL_TESTS.search(header):
        return _Block.ALL_TESTS
    return _Block.SOME_TESTS if _SOME_TESTS.search(header) else _Block.OTHER


def _read_gradle(text: str) -> Iterator[Setting]:
    """Statements in blocks of the tasks that run tests, by the name of what is set or called."""
    blocks: list[_Block] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.partition("//")[0].strip()[:_MAX_LINE]
        header, brace, rest = line.partition("{")
        own = _block(header.strip()) if brace else _Block.OTHER
        around = max(blocks, default=_Block.OTHER)
        about, body = (own, rest.rpartition("}")[0]) if own > around else (around, line)
        for setting in _gradle_statements(body, number) if about else _direct(line, number):
            if about is not _Block.SOME_TESTS or setting.key in _FOR_ANY_TASK:
                yield setting
        for sign in (each for each in line if each in "{}"):
            if sign == "{":
                blocks.append(own)
            elif blocks:
                blocks.pop()


def _gradle_statements(body: str, line: int) -> Iterator[Setting]:
    for statement in body.split(";"):
        yield from _gradle_statement(statement.strip(), line)
        if "{" in statement:
            yield from _gradle_statement(statement.partition("{")[2].strip(), line)


def _direct(line: str, number: int) -> Iterator[Setting]:
    found = _DIRECT.match(line)
    if found is not None:
        yield from _gradle_statement(found[1], number)


_DIRECT = lazy_compile(r"(?:tasks\.)?test\.(.{1,400})")
"""A property of a task that runs tests, set outside of a block."""


def _gradle_statement(statement: str, line: int) -> Iterator[Setting]:
    found = _GRADLE_STATEMENT.match(statement)
    if found is None:
        return
    quoted = tuple(_source_pattern(each) for each in _QUOTED.findall(found[2]))
    literal = _LITERAL.match(found[2].lstrip("{ "))
    values = quoted or ((literal[1],) if literal is not None else ())
    yield Setting(found[1], values, line, "" if values else found[2].strip(" {})")[:200])


def _read_words(text: str) -> Iterator[Setting]:
    rows = [(number, row.strip()) for number, row in enumerate(text.split("\n"), 1)]
    for number, row in rows:
        if row and not row.startswith("#"):
            yield Setting("words", (row,), number)


_READERS: Mapping[Format, Callable[[str], Iterable[Setting]]] = {
    Format.INI: _read_ini,
    Format.TOML: _read_toml,
    Format.JSON: _read_json,
    Format.YAML: _read_yaml,
    Format.JAVASCRIPT: read_javascript,
    Format.MAVEN: _read_maven,
    Format.PHPUNIT: _read_phpunit,
    Format.GRADLE: _read_gradle,
    Format.WORDS: _read_words,
}


def split_words(values: Iterable[str]) -> tuple[str, ...]:
    """The words of some values, as a shell splits them; where a quote is left open, at blanks."""
    words: list[str] = []
    for each in values:
        try:
            words += shlex.split(each, comments=False)
        except ValueError:
            words += each.split()
    return tuple(words)


def has_section(settings: Iterable[Setting], under: str) -> bool:
    """Is there a section or table of that name?"""
    return any(each.key == under or each.key.startswith(f"{under}.") for each in settings)


__all__ = ["MAX_SETTINGS_BYTES", "UnreadableSettings", "has_section", "read_settings", "split_words"]
