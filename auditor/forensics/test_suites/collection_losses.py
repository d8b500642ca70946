"""Tests that a change keeps and that are collected no more, and the setting or the code behind each loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from auditor.domain import CodeLocation
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import code_location, list_names
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import is_expected_output, is_test
from auditor.forensics.test_suites.configured_suite import NO_SETTING, ConfiguredSuite, EffectiveSetting
from auditor.forensics.test_suites.runner_table import INCLUDING, SKIPPING, Effect
from auditor.forensics.test_suites.selected_python_tests import deselects, list_functions
from auditor.forensics.test_suites.suite_inputs import LostFile, SuiteInputs, find_lost_files, is_test_of
from auditor.forensics.test_suites.test_files import runner_families
from auditor.lazy_regex import lazy_compile

CONFIRMED, LIKELY, UNEVALUATED = 0.9, 0.7, 0.6
NOT_FOLLOWED = "the command that runs the tests was not followed"
_BY_DEFAULT = "the runner was not configured before, so its defaults were assumed"
_MAX_LOCATIONS = 20


class CollectionLoss(NamedTuple):
    """Tests that are run no more: a sentence, where, and how sure it is."""

    says: str
    at: tuple[CodeLocation, ...]
    confidence: float
    because: str = NOT_FOLLOWED


def find_setting_losses(known: SuiteInputs, base_outlines: Mapping[str, Outline]) -> Iterator[CollectionLoss]:
    """What settings leave out of the tests that stay. `base_outlines` are those of changed files."""
    files: dict[tuple[str, EffectiveSetting], list[LostFile]] = {}
    tests: dict[tuple[str, EffectiveSetting], dict[str, str]] = {}
    for lost in find_lost_files(known):
        text = known.texts.get(lost.path)
        if text is None:
            continue
        if not lost.is_collected:
            reason = _rejecting(lost)
            if reason is not None and lost.after[0].runner.test_pattern.search(text):
                files.setdefault(reason, []).append(lost)
        elif lost.path.endswith(".py"):
            for reason, title in _deselected_tests(lost, text, base_outlines):
                tests.setdefault(reason, {})[title] = lost.path
    for (path, setting), several in files.items():
        yield _lost_files(path, setting, several)
    for (path, setting), titles in tests.items():
        what = f"{pluralize(len(titles), 'test')} that ran before"
        says = f"{_named(setting, path)} leaves out {what}: {list_names(titles)}."
        yield CollectionLoss(says, _places(path, setting, dict.fromkeys(titles.values())), CONFIRMED)
    yield from _switch_losses(known)


def _rejecting(lost: LostFile) -> tuple[str, EffectiveSetting] | None:
    """The setting that leaves a file out, and its settings file; None where a switch does, which is reported by itself."""
    suite = next((each for each in lost.after if each.runner.name == lost.before[0].runner.name), lost.after[0])
    setting = suite.rejects(lost.path) or NO_SETTING
    if setting.effect in {Effect.DISABLED, Effect.ENABLED} and not setting.scope:
        return None
    return suite.file, setting


def _deselected_tests(
    lost: LostFile, text: str, base_outlines: Mapping[str, Outline]
) -> Iterator[tuple[tuple[str, EffectiveSetting], str]]:
    before = base_outlines.get(lost.path)
    names = {each.name for each in before.functions} if before is not None else None
    for test in list_functions(lost.path, text):
        if names is not None and test.name not in names:
            continue
        if all(deselects(each, test) is not None for each in lost.before):
            continue
        reasons = [(each.file, setting) for each in lost.after if (setting := deselects(each, test)) is not None]
        if len(reasons) == len(lost.after):
            yield reasons[0], test.title


def _lost_files(path: str, setting: EffectiveSetting, lost: list[LostFile]) -> CollectionLoss:
    count = pluralize(len(lost), "test file")
    says = f"{_named(setting, path)} leaves out {count} that ran before: {list_names(each.path for each in lost)}."
    explicit = any(suite.file for each in lost for suite in each.before) or not path
    confidence, because = (CONFIRMED, NOT_FOLLOWED) if explicit else (LIKELY, _BY_DEFAULT)
    return CollectionLoss(says, _places(path, setting, (each.path for each in lost)), confidence, because)


def _named(setting: EffectiveSetting, path: str) -> str:
    if not setting.name or not setting.line:
        return f"The default of `{setting.name}`" if setting.name else f"What is configured in `{path}`"
    return f"`{setting.name}` in `{path}`"


def _places(path: str, setting: EffectiveSetting, others: Iterable[str]) -> tuple[CodeLocation, ...]:
    own = (code_location(path, setting.line or None),) if path else ()
    return (*own, *(code_location(each) for each in list(others)[:_MAX_LOCATIONS]))


_CONSEQUENCES = {
    Effect.DISABLED: "no test is run any more",
    Effect.ENABLED: "no test is run any more",
    Effect.PARTLY_ENABLED: "a test target is no longer run",
    Effect.CONDITION: "a test target only runs under a condition",
    Effect.PASSES: "a run succeeds although tests failed",
    Effect.GUARD: "fewer failures make a run fail than before",
    Effect.TITLE: "only some of the tests are run",
}
"""What follows from a switch that the change turned."""
_UNDER_CONDITION = "tests only run under a condition"
"""The same where an expression turns it."""


def _switch_losses(known: SuiteInputs) -> Iterator[CollectionLoss]:
    """Switches that the change turned, and settings that it made impossible to evaluate."""
    for family, folders in known.head.suites.items():
        before = known.base.suites.get(family, {})
        for folder, suites in folders.items():
            for suite in suites:
                old = next((each for each in before.get(folder, ()) if each.runner.name == suite.runner.name), None)
                if old is not None and old.meaning != suite.meaning and _has_tests(known, suite):
                    yield from _turned(known, old, suite)
                    yield from _unevaluated(old, suite)


def _has_tests(known: SuiteInputs, suite: ConfiguredSuite) -> bool:
    """Is there a test below the folder that the runner could run?"""
    start = f"{suite.folder}/" if suite.folder else ""
    both = known.base.paths & known.head.paths
    return any(
        path.startswith(start)
        and path.rpartition(".")[2].lower() in suite.runner.suffixes
        and _may_hold_tests(path, suite)
        for path in both
    )


def _may_hold_tests(path: str, suite: ConfiguredSuite) -> bool:
    return is_test(path) or (suite.runner.family == "rust" and "src/" in path)


def _turned(known: SuiteInputs, old: ConfiguredSuite, new: ConfiguredSuite) -> Iterator[CollectionLoss]:
    if new.unread:
        return
    rows = new.runner.key_rows
    had = {(each.name, each.values) for each in old.of(*_CONSEQUENCES) if _is_effective(each)}
    for each in new.of(*_CONSEQUENCES):
        if each.effect is Effect.GUARD or each.scope or not _is_effective(each) or (each.name, each.values) in had:
            continue
        if each.effect is Effect.TITLE and _fits_no_test(known, new, each):
            continue
        row = rows.get(each.name)
        consequence = _UNDER_CONDITION if _is_computed(each) else _CONSEQUENCES[each.effect]
        consequence = row.says if row is not None and row.says else consequence
        is_sure = each.effect not in {Effect.TITLE, Effect.CONDITION} and not (each.unknown or _is_computed(each))
        sure = CONFIRMED if is_sure else LIKELY
        reason = NOT_FOLLOWED if sure == CONFIRMED else "which tests it affects was not analysed"
        yield CollectionLoss(f"{_named(each, new.file)}: {consequence}.", _places(new.file, each, ()), sure, reason)
    for row in new.runner.keys:
        if row.effect is Effect.GUARD and _is_on(old, row.key, row.is_on) and not _is_on(new, row.key, row.is_on):
            says = f"`{row.key}` is switched off in `{new.file or old.file}`: {row.says or _CONSEQUENCES[row.effect]}."
            line = next((each.line for each in new.settings if each.name == row.key), None)
            yield CollectionLoss(says, (code_location(new.file or old.file, line),), CONFIRMED)


def _fits_no_test(known: SuiteInputs, suite: ConfiguredSuite, setting: EffectiveSetting) -> bool:
    """Does a filter only leave out what has a tag or name that is written in no test file?"""
    value = " ".join(setting.values)
    negated = setting.name.startswith("exclude") or value.startswith("~")
    words = _LONG_WORD.findall(value)[:20]
    texts = [text for path, text in known.texts.items() if is_test_of(suite, path)]
    if not (negated and words and texts) or known.cut or setting.unknown:
        return False
    return not any(all(word in text for word in words) for text in texts)


_LONG_WORD = lazy_compile(r"\w{3,100}")


def _is_on(suite: ConfiguredSuite, name: str, default: bool) -> bool:
    found = [each for each in suite.settings if each.name == name and each.values]
    return found[-1].values[-1].lower() == "true" if found else default


def _is_effective(setting: EffectiveSetting) -> bool:
    """Is a switch set so that something is lost?"""
    last = setting.values[-1].lower() if setting.values else ""
    if setting.effect in {Effect.DISABLED, Effect.PASSES}:
        return last in {"true", "1", "yes"}
    if setting.effect in {Effect.ENABLED, Effect.PARTLY_ENABLED}:
        return last in {"false", "0", "no"} or _is_computed(setting)
    return bool(setting.values or setting.unknown)


def _is_computed(setting: EffectiveSetting) -> bool:
    """Does an expression decide whether tests are run?"""
    is_literal = bool(setting.values) and setting.values[-1].lower() in _SWITCH_VALUES
    return setting.effect is Effect.ENABLED and not is_literal and bool(setting.values or setting.unknown)


_SWITCH_VALUES = frozenset({"true", "false", "0", "1", "no", "yes"})


def _unevaluated(old: ConfiguredSuite, new: ConfiguredSuite) -> Iterator[CollectionLoss]:
    if new.unread and old.file and not old.unread:
        says = f"What `{new.file}` leaves out could not be evaluated: {new.unread}."
        yield CollectionLoss(says, (code_location(new.file),), UNEVALUATED, "the settings were not read")
    known = {each.meaning for each in old.unevaluated}
    for each in new.unevaluated:
        if each.meaning not in known:
            says = f"A pattern of {_named(each, new.file)} could not be evaluated, so it may leave out tests."
            yield CollectionLoss(says, _places(new.file, each, ()), UNEVALUATED, "the pattern may take long to match")
    had = {(each.name, each.unknown) for each in old.settings}
    for each in new.of(Effect.ROOTS, *INCLUDING, *SKIPPING):
        if each.unknown and (each.name, each.unknown) not in had:
            says = f"{_named(each, new.file)} is computed, so which tests are left out could not be evaluated."
            because = "the value is not a constant"
            yield CollectionLoss(says, _places(new.file, each, ()), UNEVALUATED, because)


class _Placed(NamedTuple):
    """The tests of a file by name."""

    path: str
    names: frozenset[str]


def find_moved_losses(
    known: SuiteInputs,
    before: Mapping[str, Outline],
    after: Mapping[str, Outline],
    head_texts: Mapping[str, str],
) -> Iterator[CollectionLoss]:
    """Tests that changed files of the base held, and that the head holds only in files that nobody collects."""
    lost: dict[str, set[str]] = {}
    collected = {name for each in _tests(after) if _is_collected(known, each.path, head=True) for name in each.names}
    hidden = [each for each in _tests(after) if _is_collected(known, each.path, head=True) is False]
    if not hidden:
        return
    for old in _tests(before):
        gone = old.names - collected
        if not gone or _is_collected(known, old.path, head=False) is not True:
            continue
        for new in hidden:
            if gone & new.names and new.path != old.path and not _is_used(new.path, after, head_texts):
                lost.setdefault(new.path, set()).update(gone & new.names)
    for path, names in lost.items():
        count = pluralize(len(names), "test")
        says = f"No runner collects `{path}`, to which {count} {by_count(len(names), 'was', 'were')} moved: {_listed(names)}."
        at = (code_location(path),)
        yield CollectionLoss(says, at, CONFIRMED - 0.05, "another command may name the file")


def _listed(names: Iterable[str]) -> str:
    plain = sorted(names)
    return list_names(plain) if all(each.isidentifier() for each in plain) else f"{len(plain)} titles"


def _tests(outlines: Mapping[str, Outline]) -> list[_Placed]:
    found = []
    for path, shape in sorted(outlines.items()):
        names = {each.name for each in shape.tests}
        if path.endswith(".py"):
            names |= {each.qualname for each in shape.functions if each.name.startswith("test") and not each.is_nested}
        if names and not is_expected_output(path):
            found.append(_Placed(path, frozenset(names)))
    return found


def _is_collected(known: SuiteInputs, path: str, *, head: bool) -> bool | None:
    """Is a file collected on a side? None where no runner is known."""
    side = known.head if head else known.base
    suites = side.governing(path, runner_families().get(path.rpartition(".")[2].lower(), ""))
    return any(each.rejects(path) is None for each in suites) if suites else None


def _is_used(path: str, after: Mapping[str, Outline], texts: Mapping[str, str]) -> bool:
    """Does another changed file name the module, so that its tests may be run from there?"""
    stem = path.rpartition("/")[2].partition(".")[0]
    if stem in {"mod", "__init__", "index"}:
        stem = path.split("/")[-2] if "/" in path else stem
    return any(other != path and other in after and stem in text for other, text in texts.items())
