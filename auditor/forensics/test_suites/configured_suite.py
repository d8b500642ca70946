"""One configured test runner: which files and tests it collects, evaluated from its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from auditor.forensics.test_suites import path_patterns
from auditor.forensics.test_suites.path_patterns import PathTest, UnknownPattern
from auditor.forensics.test_suites.runner_options import expand_options
from auditor.forensics.test_suites.runner_table import INCLUDING, SKIPPING, Effect, Key, Runner
from auditor.forensics.test_suites.setting import Setting
from auditor.forensics.test_suites.settings_readers import UnreadableSettings, has_section, read_settings, split_words


class EffectiveSetting(NamedTuple):
    """A setting with what it does. `line` is 0 for a default of the runner."""

    effect: Effect
    name: str
    values: tuple[str, ...]
    line: int = 0
    unknown: str = ""
    scope: str = ""

    @property
    def meaning(self) -> tuple[Effect, str, tuple[str, ...], str]:
        """What must be equal on two sides for the setting to be the same."""
        return self.effect, self.name, self.values, self.unknown


NO_SETTING = EffectiveSetting(Effect.NAMES, "", ())


@dataclass(frozen=True)
class ConfiguredSuite:
    """A runner as the settings of a folder configure it. `file` is the settings file; empty where the defaults apply."""

    runner: Runner
    folder: str
    file: str = ""
    settings: tuple[EffectiveSetting, ...] = ()
    unread: str = ""
    """Why the settings file was not read."""

    @cached_property
    def meaning(self) -> tuple[object, ...]:
        """What must be equal on two sides for the same tests to be collected."""
        return self.unread, *(each.meaning for each in self.settings)

    def of(self, *effects: Effect) -> tuple[EffectiveSetting, ...]:
        """The settings of some effects."""
        return tuple(each for each in self.settings if each.effect in effects)

    @cached_property
    def unevaluated(self) -> tuple[EffectiveSetting, ...]:
        """The settings of which a pattern, or one beyond the first hundred, is not evaluated."""
        return tuple(each for each in self.of(*INCLUDING, *SKIPPING) if not _can_be_evaluated(each))

    def rejects(self, path: str) -> EffectiveSetting | None:
        """The setting by which a file is not collected; None where it is, or where that is not known."""
        inside = self._relative(path)
        if inside is None:
            return next(iter(self.of(Effect.ROOT)), NO_SETTING)
        for each in self._switches:
            if not each.scope or path_patterns.glob_test(each.scope)(inside):
                return each
        root = self._root(inside)
        if root is None:
            return self.of(Effect.ROOTS)[-1]
        if self._including and not any(test(inside) for test in self._including):
            return self.of(*INCLUDING)[-1]
        return next((each for each, test in self._skipping if test(inside, root)), None)

    def _relative(self, path: str) -> str | None:
        """A path relative to the folder that the settings speak of."""
        folder = self.folder
        for each in self.of(Effect.ROOT):
            own = each.values[-1].removeprefix("./").strip("/") if each.values else ""
            if own and not own.startswith((".", "<", "$")):
                folder = f"{folder}/{own}" if folder else own
        if not folder:
            return path
        return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None

    @cached_property
    def _switches(self) -> tuple[EffectiveSetting, ...]:
        return tuple(each for each in self.of(Effect.DISABLED, Effect.ENABLED) if _switches_off(each))

    def _root(self, path: str) -> str | None:
        """The root below which a file lies; None where there are roots and it lies below none."""
        roots = [value for each in self.of(Effect.ROOTS) for value in each.values]
        if not roots or any(each.unknown for each in self.of(Effect.ROOTS)):
            return ""
        fitting = [each for each in roots if path_patterns.is_below(path, each.partition("::")[0])]
        return max(fitting, key=len, default=None)

    @cached_property
    def _including(self) -> tuple[PathTest, ...]:
        """Tests of what holds tests; none where one of them cannot be evaluated."""
        settings = self.of(*INCLUDING)
        try:
            if any(each.unknown for each in settings):
                return ()
            return tuple(_path_test(each.effect, value) for each in settings for value in each.values[:_MAX_PATTERNS])
        except UnknownPattern:
            return ()

    @cached_property
    def _skipping(self) -> tuple[tuple[EffectiveSetting, Callable[[str, str], bool]], ...]:
        return tuple(_skips(self.of(*SKIPPING)))


_MAX_PATTERNS = 100
"""Patterns of a setting that are evaluated."""


def _can_be_evaluated(setting: EffectiveSetting) -> bool:
    if len(setting.values) > _MAX_PATTERNS:
        return False
    try:
        for value in setting.values:
            _path_test(setting.effect, value)
    except UnknownPattern:
        return False
    return True


def _skips(settings: tuple[EffectiveSetting, ...]) -> Iterator[tuple[EffectiveSetting, Callable[[str, str], bool]]]:
    """What is skipped; a pattern that is not evaluated skips nothing."""
    for each in settings:
        for value in each.values[:_MAX_PATTERNS]:
            try:
                if each.effect is Effect.SKIP_FOLDERS:
                    yield each, _folder_test(value)
                else:
                    test = _path_test(each.effect, value)
                    yield each, lambda path, _root, test=test: test(path)  # type: ignore[misc]
            except UnknownPattern:
                continue


def _folder_test(pattern: str) -> Callable[[str, str], bool]:
    """Is one of the folders of a file below its root called so?"""

    def fits(path: str, root: str) -> bool:
        plain = root.removeprefix("./").strip("/")
        inside = path[len(plain) :].strip("/") if plain and path.startswith(plain) else path
        folders = inside.split("/")[:-1]
        if "/" in pattern.strip("/"):
            whole = path.rpartition("/")[0]
            return path_patterns.is_below(whole, pattern) or path_patterns.fits_name(f"/{whole}", f"*/{pattern}")
        return any(path_patterns.fits_name(each, pattern.strip("/")) for each in folders)

    return fits


def _path_test(effect: Effect, value: str) -> PathTest:
    """The test of paths that a value of an effect stands for. Raises UnknownPattern."""
    if effect in {Effect.NAMES, Effect.SKIP_NAMES}:
        if "/" in value:
            return lambda path: path_patterns.fits_name(path, value) or path_patterns.fits_name(path, f"*/{value}")
        return lambda path: path_patterns.fits_name(path.rpartition("/")[2], value)
    if effect is Effect.SKIP_FOLDERS or effect is Effect.SKIP_PATHS:
        return lambda path: path_patterns.is_below(path, value)
    if effect is Effect.SKIP_MATCHES:
        return lambda path: path_patterns.fits_name(path, value) or path_patterns.fits_name(f"/{path}", value)
    if effect in {Effect.REGEXES, Effect.SKIP_REGEXES}:
        return path_patterns.regex_test(value)
    exact, within = path_patterns.glob_test(value), path_patterns.glob_test(f"{value.rstrip('/')}/**")
    anywhere = path_patterns.glob_test(f"**/{value}") if "/" not in value and effect is Effect.SKIP_GLOBS else exact
    return lambda path: exact(path) or within(path) or anywhere(path)


def _switches_off(setting: EffectiveSetting) -> bool:
    """Does a switch keep tests from running?"""
    plain = Setting(setting.name, setting.values, setting.line)
    return plain.is_true if setting.effect is Effect.DISABLED else plain.is_false


def configure(
    runner: Runner, folder: str, texts: Mapping[str, str | None], exists: Callable[[str], bool]
) -> ConfiguredSuite:
    """The suite of a folder by the first of its settings files that counts. `texts` holds these by name, None for one that was not read; `exists` knows files and folders."""

    def inside(name: str) -> bool:
        return exists(f"{folder}/{name}" if folder else name)

    unread: ConfiguredSuite | None = None
    for place in runner.files:
        if place.name not in texts:
            continue
        text = texts[place.name]
        path = f"{folder}/{place.name}" if folder else place.name
        read = read_settings(place.format, text) if text is not None else _NOT_READ
        if isinstance(read, UnreadableSettings):
            unread = unread or ConfiguredSuite(runner, folder, path, unread=read.reason)
            if place.whole:
                return unread
            continue
        if place.under and not has_section(read, place.under) and not place.whole:
            continue
        prefix = f"{place.under}." if place.under else ""
        own = [each._replace(key=each.key[len(prefix) :]) for each in read if each.key.startswith(prefix)]
        settings = tuple(_effective(runner, own, inside))
        return ConfiguredSuite(runner, folder, path, _with_defaults(runner, settings))
    return unread or ConfiguredSuite(runner, folder, "", _with_defaults(runner, ()))


_NOT_READ = UnreadableSettings("it is too large or a symbolic link")


def _effective(runner: Runner, settings: list[Setting], exists: Callable[[str], bool]) -> Iterator[EffectiveSetting]:
    rows = runner.key_rows
    tables = {each.key.partition(".")[0] for each in settings}
    found: list[EffectiveSetting] = []
    for each in settings:
        row = rows.get(each.key)
        if row is None or each.is_table or (row.unless and row.unless in tables):
            continue
        values = split_words(each.values) if row.form == "words" else each.values
        if row.effect is Effect.OPTIONS:
            found += expand_options(runner, values, each.line, exists, EffectiveSetting)
        elif not row.falls_back or any(_may_exist(value, exists) for value in values):
            found.append(EffectiveSetting(row.effect, row.key, values, each.line, each.unknown, row.scope))
    overridden = {each.name for each in found if each.effect is Effect.OVERRIDE}
    for each_ in found:
        if each_.effect is Effect.OVERRIDE:
            yield from _override(rows, each_)
        elif each_.name not in overridden:
            yield each_


def _may_exist(root: str, exists: Callable[[str], bool]) -> bool:
    plain = root.removeprefix("./").rstrip("/")
    return plain in {"", "."} or any(sign in plain for sign in "*?[") or exists(plain)


def _override(rows: Mapping[str, Key], setting: EffectiveSetting) -> Iterator[EffectiveSetting]:
    """`-o key=value`, as if it stood in the settings file."""
    row = rows.get(setting.name)
    if row is not None and row.effect is not Effect.OPTIONS:
        yield EffectiveSetting(row.effect, row.key, split_words(setting.values), setting.line, "", row.scope)


def _with_defaults(runner: Runner, settings: tuple[EffectiveSetting, ...]) -> tuple[EffectiveSetting, ...]:
    """Settings and the defaults of what is not set; what says which files hold tests replaces all that says so."""
    names = {each.name for each in settings}
    including = any(each.effect in INCLUDING for each in settings)
    rows = runner.key_rows
    missing = (
        EffectiveSetting(rows[name].effect, name, values)
        for name, values in runner.defaults.items()
        if name not in names and not (including and rows[name].effect in INCLUDING)
    )
    return (*missing, *settings)
