"""What functions of other files do, for files in languages other than Python that call them with untrusted input.

A first look at a file tells which functions of other files it asks about. Files that may define these are read for what
the functions do with what they are given, and the file is looked at again with that known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from auditor.domain import EntryKind, TreeEntry
from auditor.forensics.code_facts.input_flows import CALL_MARK
from auditor.forensics.engine.blob_batch_reading import ScanResults, record_key
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.languages.data_flow.flow_models import followed_probes
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.source_text.neighbour_files import KEY_SEPARATOR, NeighbourFiles
from auditor.repo.git_objects import BlobReader

_MAX_ASKING_FILES = 100
_MAX_NEIGHBOURS = 200
_MAX_FILE_BYTES = 300_000
Keys = dict[str, list[str]]


@dataclass
class NeighbourFlowScanner:
    """Looks again at files that call functions of others; a file that is the same on both sides is read once."""

    seen: ScanResults
    reader: BlobReader
    pool: Pool
    _known: dict[tuple[str, frozenset[str]], Mapping[str, object]] = field(default_factory=dict)

    def records(self, entries: Mapping[str, TreeEntry], tree: Mapping[str, TreeEntry]) -> dict[str, FileRecord]:
        """Of the entries of one side, by path, those that may show something else once it is known what they call."""
        asking = dict(self._asking(entries))
        if not asking:
            return {}
        files = NeighbourFiles(path for path, each in tree.items() if each.kind is EntryKind.FILE)
        places = {path: self._places(path, keys, files) for path, keys in asking.items()}
        told = self._told(places, tree)
        again = {path: flows for path, keys in places.items() if (flows := _flows_by_key(keys, told))}
        return self._look_again(again, entries)

    def _asking(self, entries: Mapping[str, TreeEntry]) -> Iterator[tuple[str, tuple[str, ...]]]:
        number = 0
        for path, entry in entries.items():
            record = self.seen.records.get(record_key(entry))
            outline = record.outline if record is not None else None
            if outline is None or not outline.requested_names or not followed_probes(language(path)):
                continue
            number += 1
            if number > _MAX_ASKING_FILES:
                return
            yield path, outline.requested_names

    def _places(self, path: str, keys: Iterable[str], files: NeighbourFiles) -> Keys:
        """The files in which each function may be that a file asks about."""
        placed = ((key, files.files(path, key.partition(KEY_SEPARATOR)[0], language(path))) for key in keys)
        return {key: found for key, found in placed if found}

    def _told(self, places: Mapping[str, Keys], tree: Mapping[str, TreeEntry]) -> dict[tuple[str, str], object]:
        """What functions do, by their file and name."""
        wanted: dict[str, set[str]] = {}
        for keys in places.values():
            for key, paths in keys.items():
                for path in paths:
                    wanted.setdefault(path, set()).add(key.partition(KEY_SEPARATOR)[2])
        chosen = dict(sorted(wanted.items())[:_MAX_NEIGHBOURS])
        contents = dict(self.reader.read(sorted({tree[path].blob for path in chosen}), limit=_MAX_FILE_BYTES))
        tasks: dict[str, Task] = {}
        for path, names in chosen.items():
            content = contents.get(tree[path].blob)
            defined = frozenset(each for each in names if isinstance(content, bytes) and _may_define(content, each))
            is_known = (tree[path].blob, defined) in self._known
            if defined and isinstance(content, bytes) and not is_known:
                tasks[path] = Task("", language(path), content, flows_only=True, summarized=defined)
        for path, record in self._scan(tasks).items():
            self._known[tree[path].blob, tasks[path].summarized] = record.outline.known_values if record.outline else {}
        found: dict[tuple[str, str], object] = {}
        for path in chosen:
            for (blob, _), flows in self._known.items():
                if blob == tree[path].blob:
                    found |= {(path, name.removesuffix(CALL_MARK)): each for name, each in flows.items()}
        return found

    def _look_again(
        self, again: Mapping[str, Mapping[str, object]], entries: Mapping[str, TreeEntry]
    ) -> dict[str, FileRecord]:
        """The records of files, with what the rules that follow values see in them now; the other rules are not asked again."""
        contents = dict(self.reader.read(sorted({entries[path].blob for path in again}), limit=_MAX_FILE_BYTES))
        tasks = {
            path: Task("", record_key(entries[path]).language, content, told=flows, flows_only=True)
            for path, flows in again.items()
            if isinstance(content := contents.get(entries[path].blob), bytes)
        }
        return {
            path: _with_flows(self.seen.records[record_key(entries[path])], record, followed_probes(language(path)))
            for path, record in self._scan(tasks).items()
        }

    def _scan(self, tasks: Mapping[str, Task]) -> dict[str, FileRecord]:
        paths = list(tasks)
        for number, path in enumerate(paths):
            self.pool.submit(replace(tasks[path], key=str(number)))
        return {paths[int(task.key)]: FileRecord.unpack(answer) for task, answer in self.pool.results()}


def _with_flows(first: FileRecord, again: FileRecord, followed: frozenset[str]) -> FileRecord:
    """The first record, with what the second look says of the rules that follow values; one that failed is unread."""
    if again.reading is ReadStatus.NONE:
        return again
    others = {probe: seen for probe, seen in first.sites.items() if probe not in followed}
    return replace(
        first,
        reason="; ".join(dict.fromkeys(filter(None, (first.reason, again.reason)))),
        sites=others | {probe: seen for probe, seen in again.sites.items() if probe in followed},
        candidates=first.candidates | again.candidates,
        failed=first.failed | again.failed,
    )


def _flows_by_key(keys: Keys, told: Mapping[tuple[str, str], object]) -> dict[str, object]:
    """What is known of the functions that a file asks about, of each in the first file that defines it."""
    found: dict[str, object] = {}
    for key, paths in keys.items():
        name = key.partition(KEY_SEPARATOR)[2]
        flows = (told[path, name] for path in paths if (path, name) in told)
        if (first := next(flows, None)) is not None:
            found[key] = first
    return found


def _may_define(content: bytes, name: str) -> bool:
    """Does a file hold the name at all?"""
    return name == "default" or name.encode() in content
