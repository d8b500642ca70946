"""The test runners that are known: their settings files, and what each setting does to what is collected.

The rows stand in `test_runners.yaml`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import read_table

_DATA = Path(__file__).with_name("test_runners.yaml")
_URL = Field(pattern="^https://")


class Effect(StrEnum):
    """What a setting does to the tests that a runner collects."""

    ROOTS = "roots"
    """Folders or files, relative to the settings file, below which tests are looked for."""
    ROOT = "root"
    """The folder that other settings are relative to."""
    NAMES = "names"
    """Globs of the names of files that hold tests, as `fnmatch` reads them."""
    GLOBS = "globs"
    """Globs of the paths of files that hold tests, with `**`, braces and `?(x)`."""
    REGEXES = "regexes"
    """Regular expressions found in the paths of files that hold tests."""
    SKIP_FOLDERS = "skip_folders"
    SKIP_NAMES = "skip_names"
    SKIP_PATHS = "skip_paths"
    SKIP_GLOBS = "skip_globs"
    SKIP_MATCHES = "skip_matches"
    """`fnmatch` over the whole path, where `*` crosses slashes."""
    SKIP_REGEXES = "skip_regexes"
    CLASSES = "classes"
    FUNCTIONS = "functions"
    KEYWORD = "keyword"
    """An expression over the names of tests."""
    MARKER = "marker"
    """An expression over the marks of tests."""
    DESELECTED = "deselected"
    """The beginning of a test's id: path, class, name."""
    TITLE = "title"
    """A filter on titles, groups or tags that is not evaluated test by test."""
    DISABLED = "disabled"
    """No test is run where the value is true, or one of `values`."""
    ENABLED = "enabled"
    """No test is run where the value is false."""
    PARTLY_ENABLED = "partly_enabled"
    """Some tests, the setting does not say which, are not run where the value is false."""
    CONDITION = "condition"
    """Some tests are run only where something is asked for that is not the default."""
    PASSES = "passes"
    """The run succeeds although tests failed, or although there are none."""
    GUARD = "guard"
    """The run fails, or tests are run, only where the value is true."""
    OPTIONS = "options"
    """Options of the command line."""
    OVERRIDE = "override"
    """`key=value`, as in the settings file."""


INCLUDING = frozenset({Effect.NAMES, Effect.GLOBS, Effect.REGEXES})
"""The effects that say which files hold tests: what is set of these replaces all defaults of these."""
SKIPPING = frozenset({Effect.SKIP_FOLDERS, Effect.SKIP_NAMES, Effect.SKIP_PATHS, Effect.SKIP_GLOBS, Effect.SKIP_MATCHES, Effect.SKIP_REGEXES})  # fmt: skip
FILTERING = frozenset({Effect.CLASSES, Effect.FUNCTIONS, Effect.KEYWORD, Effect.MARKER, Effect.DESELECTED})
"""The effects that choose among the tests of a file, and are evaluated test by test."""


class Format(StrEnum):
    """How a settings file is written."""

    INI = "ini"
    TOML = "toml"
    JSON = "json"
    YAML = "yaml"
    JAVASCRIPT = "javascript"
    MAVEN = "maven"
    PHPUNIT = "phpunit"
    GRADLE = "gradle"
    WORDS = "words"


class SettingsFile(Frozen):
    """A place of settings. `under` is the section or key that holds them."""

    name: str
    format: Format
    under: str = ""
    whole: bool = False


class Key(Frozen):
    """What a key of a settings file does.

    `scope` limits its effect to some files, `unless` names a table that replaces it, `is_on` says that a guard is on by
    default, and `says` what follows from it where the effect does not tell.
    """

    key: str
    effect: Effect
    form: str = Field("list", pattern="^(?:list|words)$")
    falls_back: bool = False
    scope: str = ""
    unless: str = ""
    is_on: bool = False
    says: str = ""
    source: str = _URL


class Option(Frozen):
    """What an option of the command line does; `values` limits the effect to some of its values."""

    names: tuple[str, ...] = Field(min_length=1)
    effect: Effect
    key: str = ""
    flag: bool = False
    values: tuple[str, ...] = ()
    source: str = _URL


class Runner(Frozen):
    """A row of the table."""

    name: str
    family: str
    suffixes: tuple[str, ...]
    holds_tests: str
    always: bool = False
    needs: str = ""
    files: tuple[SettingsFile, ...] = ()
    defaults: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    options: tuple[Option, ...] = ()
    flags: tuple[str, ...] = ()
    positional: Effect | None = None

    @cached_property
    def test_pattern(self) -> re.Pattern[str]:
        """Found in the text of a file that holds tests."""
        return re.compile(self.holds_tests, re.MULTILINE)

    @cached_property
    def key_rows(self) -> dict[str, Key]:
        """Keys by name."""
        return {each.key: each for each in self.keys}

    @cached_property
    def option_rows(self) -> dict[str, Option]:
        """Options by each of their names."""
        return {name: each for each in self.options for name in each.names}


class _Table(Frozen):
    runners: tuple[Runner, ...]


@cache
def runners() -> tuple[Runner, ...]:
    """Every known runner."""
    return read_table(_DATA, _Table).runners


@cache
def settings_file_names() -> frozenset[str]:
    """The names of all files that configure a known runner."""
    return frozenset(file.name for runner in runners() for file in runner.files)
