"""What is read to know which tests are collected before and after a change: settings around it, and tests they leave out.

Nothing is read unless the change touches settings of a runner, or adds, moves or removes a file that may hold tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from auditor.domain import EntryKind, FileChange, TreeEntry
from auditor.forensics.source_text.file_roles import Role, is_test, role
from auditor.forensics.source_text.folders import all_folders, folders_above
from auditor.forensics.test_suites.configured_suite import ConfiguredSuite, configure
from auditor.forensics.test_suites.runner_table import FILTERING, Effect, Runner, runners, settings_file_names
from auditor.forensics.test_suites.test_files import suffixes_of_tests

ReadTexts = Callable[[Mapping[str, TreeEntry]], Mapping[str, str]]
"""The texts of some entries by path, without those that are no text or too large."""
_MAX_SETTINGS_FILES = 300
_MAX_CANDIDATES = 20_000
"""Files of a side that a runner could collect tests from."""
_MAX_SECONDS = 4.0
"""Processor seconds in which patterns are matched with paths."""
_MAX_TEST_FILES = 300
"""Files whose tests are read, to know whether they hold any and which."""


@dataclass(frozen=True)
class SuiteSide:
    """The paths of one side, and the texts of settings files around the change."""

    paths: frozenset[str] = frozenset()
    settings: Mapping[str, str | None] = field(default_factory=dict)
    """None for one that was not read."""

    @cached_property
    def _folders(self) -> frozenset[str]:
        return all_folders(self.paths)

    def exists(self, path: str) -> bool:
        """Is there a file or folder of that path?"""
        return path in self.paths or path in self._folders

    @cached_property
    def suites(self) -> Mapping[str, Mapping[str, tuple[ConfiguredSuite, ...]]]:
        """Suites by the family of their runner and by folder."""
        found: dict[str, dict[str, tuple[ConfiguredSuite, ...]]] = {}
        by_folder: dict[str, dict[str, str | None]] = {"": {}}
        for path, text in self.settings.items():
            by_folder.setdefault(path.rpartition("/")[0], {})[path.rpartition("/")[2]] = text
        for folder, texts in by_folder.items():
            for runner in runners():
                suite = configure(runner, folder, texts, self.exists)
                if suite.file or (runner.always and not folder) or _is_used(runner, folder, by_folder):
                    own = found.setdefault(runner.family, {})
                    own[folder] = (*own.get(folder, ()), suite)
        return found

    def governing(self, path: str, family: str) -> tuple[ConfiguredSuite, ...]:
        """The suites of the nearest folder above a file that has some."""
        known = self.suites.get(family, {})
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in known:
                configured = tuple(each for each in known[folder] if each.file)
                return configured or known[folder]
        return ()


def _is_used(runner: Runner, folder: str, by_folder: Mapping[str, Mapping[str, str | None]]) -> bool:
    """Does a package, or a workspace around it, ask for a runner that the package does not configure?"""
    if not runner.needs or not by_folder[folder].get("package.json"):
        return False
    packages = (by_folder.get(each, {}).get("package.json") for each in ("", *folders_above(f"{folder}/")))
    return any(runner.needs in text for text in packages if text)


@dataclass(frozen=True)
class SuiteInputs:
    """Both sides, where files went, and the texts of test files at the head that settings may leave out."""

    base: SuiteSide = SuiteSide()
    head: SuiteSide = SuiteSide()
    moved: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """Was there more to read, or more to match with patterns, than there is time for?"""


@dataclass(frozen=True)
class LostFile:
    """A file of the head that was collected at the base and no longer is, or a file whose tests are filtered again."""

    path: str
    before: tuple[ConfiguredSuite, ...]
    after: tuple[ConfiguredSuite, ...]
    is_collected: bool


def is_settings_file(path: str) -> bool:
    """Does a file configure a known runner?"""
    return path.rpartition("/")[2] in settings_file_names() and role(path) is not Role.VENDORED


def gather_suites(
    changes: Iterable[FileChange], head: Mapping[str, TreeEntry], base: Mapping[str, TreeEntry], read: ReadTexts
) -> SuiteInputs:
    """The inputs for a change. `head` and `base` are all entries of both sides."""
    files = tuple(changes)
    touched = {entry.path for file in files for entry in (file.base, file.head) if entry is not None}
    settings = {path for path in touched if is_settings_file(path)}
    moved = {
        file.base.path: file.head.path
        for file in files
        if file.base is not None and file.head is not None and file.base.path != file.head.path
    }
    placed = {
        entry.path
        for file in files
        for entry in (file.base, file.head)
        if entry is not None and (file.base is None or file.head is None or file.base.path != file.head.path)
    }
    tests = {path for path in placed if _suffix(path) in suffixes_of_tests()}
    if not settings and not tests:
        return SuiteInputs()
    folders = {folder for path in (*settings, *tests) for folder in ("", *folders_above(path))}
    below = tuple({f"{folder}/" if (folder := path.rpartition("/")[0]) else "" for path in settings})
    sides = [_read_side(entries, folders, below, read) for entries in (base, head)]
    known = SuiteInputs(sides[0], sides[1], moved)
    started = time.process_time()
    lost = tuple(islice(find_lost_files(known), _MAX_TEST_FILES + 1)) if settings else ()
    late = time.process_time() - started > _MAX_SECONDS
    paths = dict.fromkeys([*(each.path for each in lost), *(_filtered_files(known) if settings else ())])
    wanted = {path: head[path] for path in islice(paths, _MAX_TEST_FILES)}
    texts = read(wanted) if wanted else {}
    return SuiteInputs(sides[0], sides[1], moved, texts, cut=late or len(paths) > _MAX_TEST_FILES)


def _filtered_files(known: SuiteInputs) -> Iterator[str]:
    """The test files of suites that got a filter on titles or tags, which the texts say whether it fits."""
    for family, folders in known.head.suites.items():
        for folder, suites in folders.items():
            before = known.base.suites.get(family, {}).get(folder, ())
            had = {each.meaning for suite in before for each in suite.of(Effect.TITLE)}
            for suite in suites:
                if any(each.meaning not in had for each in suite.of(Effect.TITLE)):
                    files = (path for path in sorted(known.head.paths) if is_test_of(suite, path))
                    yield from islice(files, _MAX_TEST_FILES + 1)


def is_test_of(suite: ConfiguredSuite, path: str) -> bool:
    """Is it test code below the folder of a suite, in a language of its runner?"""
    below = path.startswith(f"{suite.folder}/") or not suite.folder
    return below and is_test(path) and _suffix(path) in suite.runner.suffixes


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _read_side(
    entries: Mapping[str, TreeEntry], folders: set[str], below: tuple[str, ...], read: ReadTexts
) -> SuiteSide:
    """One side with the settings in some folders, and below others."""
    wanted = [
        path
        for path, entry in entries.items()
        if path.rpartition("/")[2] in settings_file_names()
        and entry.kind in {EntryKind.FILE, EntryKind.SYMLINK}
        and (path.rpartition("/")[0] in folders or path.startswith(below))
        and role(path) is not Role.VENDORED
    ]
    kept = sorted(wanted, key=lambda path: (path.count("/"), path))[:_MAX_SETTINGS_FILES]
    texts = read({path: entries[path] for path in kept if entries[path].kind is EntryKind.FILE})
    return SuiteSide(frozenset(entries), {path: texts.get(path) for path in kept})


def find_lost_files(known: SuiteInputs) -> Iterable[LostFile]:
    """Files of both sides that changed settings no longer collect, or collect by other filters on tests."""
    end = time.process_time() + _MAX_SECONDS
    for family in {runner.family: None for runner in runners()}:
        changed = _changed_folders(known, family)
        if not changed:
            continue
        suffixes = frozenset(each for runner in runners() if runner.family == family for each in runner.suffixes)
        starts = tuple(f"{folder}/" if folder else "" for folder in changed)
        candidates = (
            path for path in sorted(known.base.paths) if path.startswith(starts) and _suffix(path) in suffixes
        )
        for path in islice(candidates, _MAX_CANDIDATES):
            if time.process_time() > end:
                return
            lost = _lost_file(known, family, path)
            if lost is not None:
                yield lost


def _changed_folders(known: SuiteInputs, family: str) -> set[str]:
    """The folders whose suites of a family mean something else than before."""
    before, after = known.base.suites.get(family, {}), known.head.suites.get(family, {})
    return {folder for folder in {*before, *after} if _meanings(before.get(folder)) != _meanings(after.get(folder))}


def _meanings(suites: tuple[ConfiguredSuite, ...] | None) -> list[object]:
    return [(each.runner.name, each.meaning) for each in suites or ()]


def _lost_file(known: SuiteInputs, family: str, path: str) -> LostFile | None:
    now = known.moved.get(path, path)
    if now not in known.head.paths or role(now) is Role.VENDORED:
        return None
    before, after = known.base.governing(path, family), known.head.governing(now, family)
    suffix = _suffix(path)
    before = tuple(each for each in before if suffix in each.runner.suffixes and each.rejects(path) is None)
    if not before or not after:
        return None
    collecting = tuple(each for each in after if each.rejects(now) is None)
    if not collecting:
        return LostFile(now, before, after, is_collected=False)
    filters = [[each.meaning for each in suite.of(*FILTERING)] for suite in (*before, *collecting)]
    if all(each == filters[0] for each in filters):
        return None
    return LostFile(now, before, collecting, is_collected=True)
