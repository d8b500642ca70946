"""Files that the change leaves alone and that call a function of which the change makes something dangerous.

A helper that begins to pass its parameter to a shell, or to return what a request holds, does no harm where it is
written. The files that call it are searched only where what the changed functions do is not what they did before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from auditor.domain import EntryKind, FileChange, Status, TreeEntry
from auditor.forensics.code_facts.input_flows import CALL_MARK
from auditor.forensics.engine.blob_batch_reading import ScanResults, record_key
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.engine.product_test_files import has_new_sites
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.languages.data_flow.flow_models import followed_probes, language_models
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.python.sql_runners import PASSING_PREFIX, RUNNER_NAMES
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import is_test, language

_MAX_SEARCHED_FILES = 5_000
_MAX_CALLERS = 40
_MAX_FILE_BYTES = 400_000
_MAX_CHANGED_FILES = 60
_CALLED = re.compile(rb"\b([A-Za-z_]\w{1,60}[?!]?)\s?(?:\(|=\s?(?:async\s?)?(?:function|\())")
_Read = Callable[..., Iterable[tuple[str, object]]]
Records = Mapping[str, FileRecord]


@dataclass(frozen=True)
class CallerSearch:
    """What is in scope, and how files outside of it are read. The reader and the pool must be free."""

    head: Mapping[str, TreeEntry]
    changes: tuple[FileChange, ...] | None
    selection: Selection
    seen: ScanResults
    read: _Read
    pool: Pool

    def callers(self) -> dict[str, TreeEntry]:
        """Unchanged files that may call a function whose effect the change alters; their records are added to those seen."""
        words = {word for path, names in self._altered().items() for word in _words(path, names)}
        families = {"python"} if words else set()
        for path, names in self._altered_elsewhere().items():
            families.add(language(path))
            words |= {(b"", name.encode()) for name in names}
        if not words:
            return {}
        entries = dict(islice(self._others(families), _MAX_SEARCHED_FILES))
        contents = dict(self.read({each.blob for each in entries.values()}, limit=_MAX_FILE_BYTES))
        found: dict[str, bytes] = {}
        for path, entry in entries.items():
            content = contents.get(entry.blob)
            if isinstance(content, bytes) and _may_call(path, content, words):
                found[path] = content
        chosen = dict(islice(sorted(found.items()), _MAX_CALLERS))
        self._scan(chosen)
        return {path: entries[path] for path in chosen}

    def _altered(self) -> dict[str, set[str]]:
        """The functions of changed files that give back or pass on what they did not before."""
        pairs = [
            (each.path, each.head, each.base)
            for each in self.changes or ()
            if each.head is not None and each.base is not None and each.path in self.selection.head
            if language(each.path) == "python" and not is_test(each.path)
        ][:_MAX_CHANGED_FILES]
        outlines = self._outlines([entry for _, head, base in pairs for entry in (head, base)])
        found: dict[str, set[str]] = {}
        for path, head, base in pairs:
            after, before = _told(outlines.get(head.blob)), _told(outlines.get(base.blob))
            known = self._defined(base)
            names = {name for name, told in after.items() if before.get(name) != told and name.strip() in known}
            if names:
                found[path] = names
        return found

    def _outlines(self, entries: Iterable[TreeEntry]) -> dict[str, Outline]:
        """The outlines of files that are read for what their functions do, by blob."""
        blobs = sorted({each.blob for each in entries})
        contents = dict(self.read(blobs, limit=_MAX_FILE_BYTES)) if blobs else {}
        for number, blob in enumerate(blobs):
            content = contents.get(blob)
            if isinstance(content, bytes) and b"def " in content:
                self.pool.submit(Task(str(number), "python", content, flows_only=True))
        read = ((blobs[int(task.key)], FileRecord.unpack(packed).outline) for task, packed in self.pool.results())
        return {blob: outline for blob, outline in read if outline is not None}

    def _defined(self, entry: TreeEntry | None) -> frozenset[str]:
        """The functions that a file defined before: others nobody could call."""
        record = self.seen.records.get(record_key(entry)) if entry is not None else None
        outline = record.outline if record is not None else None
        return frozenset(each.qualname for each in outline.functions) if outline is not None else frozenset()

    def _altered_elsewhere(self) -> dict[str, frozenset[str]]:
        """The same of changed files in other languages, whose functions are read for it."""
        sides: dict[str, tuple[bytes, bytes]] = {}
        pairs = [
            each
            for each in self.changes or ()
            if each.head is not None and each.base is not None and each.path in self.selection.head
            if language(each.path) != "python" and followed_probes(language(each.path)) and not is_test(each.path)
        ][:_MAX_CHANGED_FILES]
        blobs = {entry.blob for each in pairs for entry in (each.head, each.base) if entry is not None}
        contents = dict(self.read(blobs, limit=_MAX_FILE_BYTES)) if blobs else {}
        for each in pairs:
            after, before = (
                contents.get(entry.blob) if entry is not None else None for entry in (each.head, each.base)
            )
            if isinstance(after, bytes) and isinstance(before, bytes) and _may_do_harm(each.path, after):
                sides[each.path] = (after, before)
        told = self._summaries(sides)
        found = {
            path: frozenset(name.removesuffix(CALL_MARK) for name, flows in after.items() if before.get(name) != flows)
            for path, (after, before) in told.items()
        }
        return {path: names for path, names in found.items() if names}

    def _summaries(
        self, sides: Mapping[str, tuple[bytes, bytes]]
    ) -> dict[str, tuple[Mapping[str, object], Mapping[str, object]]]:
        """What functions do that both versions of a file define: after the change, and before."""
        keys: list[str] = []
        for path, versions in sides.items():
            names = frozenset(
                word.decode() for word in set(_CALLED.findall(versions[0])) & set(_CALLED.findall(versions[1]))
            )
            for content in versions:
                task = Task(
                    str(len(keys)), language(path), content, flows_only=True, summarized=names or frozenset({"-"})
                )
                self.pool.submit(task)
                keys.append(path)
        answers = {int(task.key): FileRecord.unpack(packed).outline for task, packed in self.pool.results()}
        known = [
            outline.known_values if (outline := answers[number]) is not None else {} for number in range(len(keys))
        ]
        return {path: (known[2 * number], known[2 * number + 1]) for number, path in enumerate(sides)}

    def _others(self, families: set[str]) -> Iterator[tuple[str, TreeEntry]]:
        touched = {each.path for each in self.changes or ()}
        for path, entry in self.head.items():
            if (
                entry.kind is EntryKind.FILE
                and path not in touched
                and language(path) in families
                and not is_test(path)
            ):
                yield path, entry

    def _scan(self, contents: Mapping[str, bytes]) -> None:
        paths = list(contents)
        for number, path in enumerate(paths):
            self.pool.submit(Task(str(number), record_key(self.head[path]).language, contents[path]))
        for task, answer in self.pool.results():
            self.seen.records[record_key(self.head[paths[int(task.key)]])] = FileRecord.unpack(answer)


def _told(outline: Outline | None) -> dict[str, object]:
    """What functions of a file pass on, by name, and what they give back, by name with a blank behind."""
    if outline is None:
        return {}
    passing = {
        each.name: each.qualified_name
        for each in outline.renamed
        if each.qualified_name.startswith(PASSING_PREFIX) or each.qualified_name in RUNNER_NAMES
    }
    known = ((name, each) for name, each in outline.known_values.items() if name.endswith(CALL_MARK))
    return passing | {f"{name.removesuffix(CALL_MARK)} ": each for name, each in known}


def _may_do_harm(path: str, content: bytes) -> bool:
    """Does a file hold the name of a dangerous call or of untrusted input?"""
    models = language_models(language(path))
    return any(each in content for each in (*models.input_words, *models.sink_words))


def _may_call(path: str, content: bytes, words: Iterable[tuple[bytes, bytes]]) -> bool:
    """May a file call one of some functions, and give it untrusted input?"""
    if not any(one in content and two in content for one, two in words):
        return False
    if language(path) == "python":
        return True
    return any(each in content for each in language_models(language(path)).input_words)


def _words(path: str, names: Iterable[str]) -> Iterator[tuple[bytes, bytes]]:
    """What a file holds that calls one of some functions: the name of their module or package, and their own."""
    parts = path.removesuffix(".py").split("/")
    for name in names:
        called = f"{name.strip().rpartition('.')[2]}(".encode()
        yield from ((module.encode(), called) for module in parts[-2:] if module != "__init__")


def affected(callers: Mapping[str, TreeEntry], head: Records, base: Records) -> dict[str, TreeEntry]:
    """The callers in which something is seen now that was not before."""
    return {path: each for path, each in callers.items() if path in head and has_new_sites(head[path], base.get(path))}


def as_unchanged(entries: Mapping[str, TreeEntry]) -> tuple[FileChange, ...]:
    """Files that are the same on both sides, as changes: what is seen in them only now is new."""
    return tuple(FileChange(Status.MODIFIED, entry, entry) for entry in entries.values())
