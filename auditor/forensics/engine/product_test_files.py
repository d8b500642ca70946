"""Reads who uses files that are named like tests, as far as it matters: for what the change edits, and for what it begins to use.

Files that the change leaves alone are searched only where a test-named file that it writes shows something to probes, or where
it makes use of one that it does not write. They are searched in the languages of those files; manifests in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from auditor.domain import EntryKind, FileChange, Side, Status, TreeEntry
from auditor.forensics.engine.blob_batch_reading import ScanResults, record_key
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.public_api.product_use import TestNamedFiles, UseGraph, Uses, is_product
from auditor.forensics.public_api.shipped_test_modules import imports_in, test_imports_in
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import is_test, language
from auditor.forensics.source_text.quoted_test_paths import quoted_relative_paths, quoted_test_paths
from auditor.forensics.workflows.production_commands import MAX_MANIFESTS, is_production_manifest, production_paths

_MAX_NEWLY_USED = 50
_MAX_OTHER_FILES = 30_000
_MAX_FOLLOWED = 200
_MAX_FILE_BYTES = 1_000_000
_Read = Callable[..., Iterable[tuple[str, object]]]


@dataclass(frozen=True)
class ProductTestFiles:
    """Files named like tests that serve the product, by side."""

    head: frozenset[str] = frozenset()
    base: frozenset[str] = frozenset()


@dataclass(frozen=True)
class UseSearch:
    """The trees of both sides, what is in scope, and how contents are read. The reader must be free."""

    head: Mapping[str, TreeEntry]
    before: Mapping[str, TreeEntry]
    changes: tuple[FileChange, ...] | None
    selection: Selection
    read: _Read

    def newly_used(self) -> dict[str, TreeEntry]:
        """Test-named files that the change leaves alone and makes part of the product: what they hold is new there."""
        changed = {each.head.path: each.head for each in self.changes or () if each.head is not None}
        users = {path: entry for path, entry in changed.items() if self._is_user(path, entry)}
        if not users or not self._tests.paths:
            return {}
        after = self._graph(users)
        bases = {each.base.path: each.base for each in self.changes or () if each.base is not None}
        before = self._graph({path: entry for path, entry in bases.items() if self._is_user(path, entry)})
        added = after.product_files(self._tests, self._read_head) - before.product_files(self._tests, self._read_base)
        if not added:
            return {}
        known = self._unchanged_product({language(path) for path in added})
        drawn = sorted(path for path in added if path not in known and path not in self._touched)
        return {path: self.head[path] for path in drawn[:_MAX_NEWLY_USED]}

    def product_tests(self, seen: ScanResults, newly_used: Iterable[str]) -> ProductTestFiles:
        """The files that serve the product, as far as anything is asked about them."""
        records = {
            side: {path: seen.records[record_key(entry)] for path, entry in entries.items()}
            for side, entries in ((Side.HEAD, self.selection.head), (Side.BASE, self.selection.base))
        }
        asked = self._asked(records[Side.HEAD], seen)
        if self.changes is None:
            manifests = self._graph(self._manifests(self.head)).named
            graph = UseGraph(_uses(records[Side.HEAD]), manifests)
            return ProductTestFiles(graph.product_files(self._tests, self._read_head))
        families = {language(path) for path in (*asked, *newly_used)}
        others = self._graph(self._others(families)).uses if families else {}
        moved = any(is_production_manifest(each.path) for each in self.changes)
        named = {
            side: self._graph(self._manifests(tree)).named if families or moved else {}
            for side, tree in ((Side.HEAD, self.head), (Side.BASE, self.before))
        }
        head, base = (
            UseGraph({**others, **_uses(records[side])}, named[side]).product_files(tests, read)
            for side, tests, read in (
                (Side.HEAD, self._tests, self._read_head),
                (Side.BASE, self._tests_before, self._read_base),
            )
        )
        return ProductTestFiles(head, base)

    @cached_property
    def _tests(self) -> TestNamedFiles:
        return TestNamedFiles.of(self.head)

    @cached_property
    def _tests_before(self) -> TestNamedFiles:
        return TestNamedFiles.of(self.before)

    @cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(each.path for each in self.changes or ())

    def _is_user(self, path: str, entry: TreeEntry) -> bool:
        if entry.kind is not EntryKind.FILE:
            return False
        return is_production_manifest(path) or (_family(language(path)) != "" and not is_test(path))

    def _read_head(self, paths: Iterable[str]) -> Mapping[str, Uses]:
        return self._uses_of_tests(paths, self.head)

    def _read_base(self, paths: Iterable[str]) -> Mapping[str, Uses]:
        return self._uses_of_tests(paths, self.before)

    def _uses_of_tests(self, paths: Iterable[str], tree: Mapping[str, TreeEntry]) -> Mapping[str, Uses]:
        """What test-named files use, of the first few."""
        entries = {path: tree[path] for path in sorted(paths)[:_MAX_FOLLOWED] if path in tree}
        texts = self._texts(entries)
        return {
            path: Uses(
                imports_in(text) if language(path) == "python" else (), quoted_relative_paths(text, language(path))
            )
            for path, text in texts.items()
        }

    def _unchanged_product(self, languages: Iterable[str]) -> frozenset[str]:
        """Test-named files that other code makes part of the product already."""
        manifests = {path: entry for path, entry in self._manifests(self.before).items() if path not in self._touched}
        return self._graph({**self._others(languages), **manifests}).product_files(self._tests, self._read_base)

    def _asked(self, records: Mapping[str, FileRecord], seen: ScanResults) -> list[str]:
        """Test-named files in scope that show something new to questions about code."""
        bases = {each.path: each.base for each in self.changes or ()}
        return [
            path
            for path, base in bases.items()
            if path in records
            and is_test(path)
            and has_new_sites(records[path], seen.records.get(record_key(base)) if base is not None else None)
        ]

    def _others(self, languages: Iterable[str]) -> dict[str, TreeEntry]:
        """Code that the change leaves alone, in some languages and those that are used along with them."""
        families = {_family(each) for each in languages} - {""}
        fitting = (
            (path, entry)
            for path, entry in self.head.items()
            if entry.kind is EntryKind.FILE
            and path not in self._touched
            and _family(language(path)) in families
            and not is_test(path)
            and (is_product(path) or language(path) == "python")
        )
        return dict(islice(fitting, _MAX_OTHER_FILES))

    def _manifests(self, tree: Mapping[str, TreeEntry]) -> dict[str, TreeEntry]:
        fitting = sorted(
            (path for path, entry in tree.items() if entry.kind is EntryKind.FILE and is_production_manifest(path)),
            key=lambda path: (path.count("/"), path),
        )
        return {path: tree[path] for path in fitting[:MAX_MANIFESTS]}

    def _graph(self, entries: Mapping[str, TreeEntry]) -> UseGraph:
        """Who uses what among some files, manifests apart."""
        uses: dict[str, Uses] = {}
        named: dict[str, Uses] = {}
        for path, text in self._texts(entries).items():
            if is_production_manifest(path):
                paths, modules = production_paths(path, text)
                named[path] = Uses(modules, paths)
                continue
            names = test_imports_in(text) if language(path) == "python" else ()
            uses[path] = Uses(names, quoted_test_paths(text, language(path)))
        return UseGraph(uses, named)

    def _texts(self, entries: Mapping[str, TreeEntry]) -> dict[str, str]:
        if not entries:
            return {}
        contents = dict(self.read({entry.blob for entry in entries.values()}, limit=_MAX_FILE_BYTES))
        return {
            path: content.decode("utf-8", errors="replace")
            for path, entry in entries.items()
            if isinstance(content := contents[entry.blob], bytes)
        }


def _uses(records: Mapping[str, FileRecord]) -> dict[str, Uses]:
    """What files in scope use."""
    found: dict[str, Uses] = {}
    for path, record in records.items():
        modules: tuple[str, ...] = ()
        if record.outline is not None and language(path) == "python":
            modules = record.outline.imported_test_modules
        if modules or record.test_paths:
            found[path] = Uses(modules, record.test_paths)
    return found


def _family(name: str) -> str:
    """Languages whose files use each other; empty for one that is not searched."""
    if name in {"javascript", "typescript"} or name in file_suffixes(FileKind.PAGE):
        return "javascript"
    return name if name == "python" or name in covered_languages() else ""


def has_new_sites(record: FileRecord, before: FileRecord | None) -> bool:
    """Do questions about code see something in a file that was not there before the change?"""
    return any(
        _count_sites(record, probe) - _count_sites(before, probe) for probe in record.sites if probe.startswith("code.")
    )


def _count_sites(record: FileRecord | None, probe: str) -> Counter[tuple[str, str]]:
    """What a probe saw in a file, by the code that it saw it in."""
    return Counter((each.site.statement, each.mark) for each in record.sites.get(probe, ())) if record else Counter()


def as_changes(entries: Mapping[str, TreeEntry]) -> tuple[FileChange, ...]:
    """Files that a change makes part of the product, as files that it adds to it."""
    return tuple(FileChange(Status.ADDED, None, entry) for entry in entries.values())
