"""What files take in from other modules of the repository that stands for something a probe looks for.

A record says what one file shows by itself. Here the outlines of the files asked about, and those of the modules that
they import, are put together, and files that take something in are looked at again with its real name known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from auditor.domain import EntryKind, TreeEntry
from auditor.forensics.code_facts.input_flows import CALL_MARK
from auditor.forensics.engine.blob_batch_reading import ScanResults, record_key
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.python.imported_flows import TAKES_IN, matters_without_input
from auditor.forensics.python.reexports import (
    MAX_HOPS,
    ModuleFinder,
    NameSource,
    find_reexports,
    import_sources,
    known_imported_values,
    next_sources,
    resolve_reexports,
)
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES
from auditor.forensics.python.sql_runners import may_run_built_query
from auditor.forensics.python.taint_models import all_source_words
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import language
from auditor.repo.git_objects import BlobReader

MAX_IMPORTED_MODULES = 2_000
"""Modules that are read because others import them; their definitions are left out, so a thousand take less than a second."""
MAX_FOLLOWED_MODULES = 60
"""Of these, the ones whose functions are read as well, for what they do with what they are given."""
_FLOW_HOPS = 2
"""Imports from one file to the next behind which functions are read."""
MAX_FOLLOWED_BYTES = 200_000
MAX_RESCANNED_FILES = 200
"""Files that are looked at again."""
_UNREAD_IMPORTS_REASON = f"it imports from more than {MAX_IMPORTED_MODULES:,} modules, directly or through others, so some of its names are unknown"
_NOT_RESCANNED_REASON = (
    f"more than {MAX_RESCANNED_FILES} files use names of other modules, so those of this file were not looked up"
)


@dataclass
class ImportedNameScanner:
    """Rescans files with the names they import; a module that is the same on both sides is read once."""

    seen: ScanResults
    interest: Interest
    reader: BlobReader
    prepare: Callable[[Iterable[str]], None]
    pool: Pool
    _following: int = 0
    """Modules whose functions may still be read."""
    _bound: dict[str, Outline | None] = field(default_factory=dict)
    """What modules bind, by blob; None for what could not be read."""

    def records(self, entries: Mapping[str, TreeEntry], tree: Mapping[str, TreeEntry]) -> dict[str, FileRecord]:
        """Of the entries of one side, by path, those that show something else once it is known what is passed on to them."""
        asking = {
            path: outline
            for path, entry in entries.items()
            if language(path) == "python" and (outline := self.seen.records[record_key(entry)].outline) is not None
        }
        own = self.interest.team_rows.names
        wanted = self.interest.followed | own
        if not wanted and not any(each.requested_names for each in asking.values()):
            return {}
        modules = ModuleFinder(tree)
        self._following = MAX_FOLLOWED_MODULES if self.interest.following_values.probes else 0
        asking = self._with_flows(asking, entries, modules)
        alone = any(path not in entries and language(path) == "python" for path in tree)
        beyond, complete = self._read_imported_modules(asking, entries, tree, modules) if alone else ({}, True)
        outlines = {**asking, **beyond}
        passed = find_reexports(outlines, wanted, modules, own)
        taking = dict(resolve_reexports(asking, passed, wanted, modules)) if passed else {}
        known = dict(known_imported_values(asking, outlines, modules))
        contents = self._texts(entries, {*taking, *known})
        taking = {path: _used_names(names, wanted, contents.get(path, b"")) for path, names in taking.items()}
        affected = [
            path
            for path, content in contents.items()
            if _may_matter(known.get(path, {}), content) or may_run_built_query(taking.get(path, {}), content)
        ]
        again = self._rescan_tasks(
            {
                path: Task(path, "python", contents[path], taking.get(path, {}), known.get(path, {}))
                for path in affected[:MAX_RESCANNED_FILES]
            }
        )
        untold = dict.fromkeys(asking, _UNREAD_IMPORTS_REASON) if not complete else {}
        untold |= dict.fromkeys(affected[MAX_RESCANNED_FILES:], _NOT_RESCANNED_REASON)
        doubted = {path: again.get(path, self.seen.records[record_key(entries[path])]) for path in untold}
        return again | {path: _add_reason(record, untold[path]) for path, record in doubted.items()}

    def _read_imported_modules(
        self,
        asking: Mapping[str, Outline],
        entries: Mapping[str, TreeEntry],
        tree: Mapping[str, TreeEntry],
        modules: ModuleFinder,
    ) -> tuple[dict[str, Outline], bool]:
        """What modules bind that the files asked about take names from, directly or through each other; and were all read?"""
        beyond: dict[str, Outline] = {}
        sources = {each for path, outline in asking.items() for each in import_sources(path, outline.imports, modules)}
        known: set[NameSource] = set()
        for _ in range(MAX_HOPS):
            known |= sources
            new = sorted({path for path, _ in sources if path not in entries and path not in beyond and path in tree})
            room = MAX_IMPORTED_MODULES - len(beyond)
            beyond |= self._read({path: tree[path] for path in new[:room]})
            if len(new) > room:
                return beyond, False
            sources = {
                each
                for source in sources
                if (outline := asking.get(source[0]) or beyond.get(source[0])) is not None
                for each in next_sources(source, outline, modules)
            } - known
        return beyond, True

    def _read(self, entries: Mapping[str, TreeEntry]) -> dict[str, Outline]:
        """What modules bind, by path."""
        files = {path: each for path, each in entries.items() if each.kind is EntryKind.FILE}
        seen = {
            path: record.outline for path, each in files.items() if (record := self.seen.records.get(record_key(each)))
        }
        unread = {each.blob for path, each in files.items() if path not in seen and each.blob not in self._bound}
        if unread:
            self._bound |= dict.fromkeys(unread)
            self.prepare(unread)
            tasks = (self._neighbour_task(blob, content) for blob, content in self._contents(unread))
            self._bound |= {blob: record.outline for blob, record in _scan_tasks(self.pool, tasks).items()}
        found = {path: seen.get(path, self._bound.get(each.blob)) for path, each in files.items()}
        return {path: outline for path, outline in found.items() if outline is not None}

    def _with_flows(
        self, asking: Mapping[str, Outline], entries: Mapping[str, TreeEntry], modules: ModuleFinder
    ) -> dict[str, Outline]:
        """The outlines, with what functions do of those files that others import which ask for it."""
        near = [path for path, each in asking.items() if _asks_for_flows(each)]
        wanted: set[str] = set()
        for _ in range(_FLOW_HOPS):
            near = [
                path
                for each in near
                for path, _ in import_sources(each, asking[each].imports, modules)
                if path in asking
            ]
            wanted.update(near)
        unread = sorted(path for path in wanted if TAKES_IN not in asking[path].requested_names)[: self._following]
        contents = self._texts(entries, unread)
        self._following -= len(contents)
        tasks = {path: Task(path, "python", content, flows_only=True) for path, content in contents.items()}
        read = {path: each.outline for path, each in self._rescan_tasks(tasks).items() if each.outline is not None}
        return {**asking, **{path: _merged(asking[path], each) for path, each in read.items()}}

    def _neighbour_task(self, blob: str, content: bytes) -> Task:
        """A module that others import; what its functions do is read of the first few, which are the nearest."""
        follows = self._following > 0 and len(content) <= MAX_FOLLOWED_BYTES and b"def " in content
        self._following -= follows
        return Task(blob, "python", content, names_only=not follows, flows_only=follows)

    def _rescan_tasks(self, tasks: Mapping[str, Task]) -> dict[str, FileRecord]:
        """Files looked at with the names known that are passed on to them, and what is known of others, by path."""
        paths = list(tasks)
        numbered = (replace(tasks[path], key=str(number)) for number, path in enumerate(paths))
        return {paths[int(number)]: record for number, record in _scan_tasks(self.pool, numbered).items()}

    def _texts(self, entries: Mapping[str, TreeEntry], paths: Collection[str]) -> dict[str, bytes]:
        """Contents by path, in the order of the paths' names; what cannot be read is left out."""
        contents = dict(self._contents({entries[path].blob for path in paths}))
        return {path: contents[entries[path].blob] for path in sorted(paths) if entries[path].blob in contents}

    def _contents(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes]]:
        for blob, content in self.reader.read(sorted(blobs), limit=MAX_PYTHON_BYTES):
            if isinstance(content, bytes):
                yield blob, content


def _asks_for_flows(outline: Outline) -> bool:
    return any(each == TAKES_IN or each.endswith(CALL_MARK) for each in outline.requested_names)


def _merged(outline: Outline, flows: Outline) -> Outline:
    """An outline with what another look at the file shows of its functions."""
    return replace(outline, renamed=flows.renamed, known_values={**outline.known_values, **flows.known_values})


def _may_matter(known: Mapping[str, object], content: bytes) -> bool:
    """May what is known of functions of other modules change what is seen in a file?"""
    return bool(known) and (
        matters_without_input(known) or any(word.encode() in content for word in all_source_words())
    )


def _used_names(names: Mapping[str, str], wanted: frozenset[str], content: bytes) -> dict[str, str]:
    """Names that are passed on to a file, without the modules behind modules that it takes as a whole and does not name."""
    return {said: real for said, real in names.items() if real in wanted or said.rpartition(".")[2].encode() in content}


def _scan_tasks(pool: Pool, tasks: Iterable[Task]) -> dict[str, FileRecord]:
    """Records by the names of the tasks."""
    for task in tasks:
        pool.submit(task)
    return {task.key: FileRecord.unpack(answer) for task, answer in pool.results()}


def _add_reason(record: FileRecord, reason: str) -> FileRecord:
    return replace(record, reason="; ".join(filter(None, (record.reason, reason))))
