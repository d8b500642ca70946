"""From blob ids to records: what the cache has, what must be read, and who reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from auditor.domain import TreeEntry
from auditor.forensics.engine import ruff_second_look
from auditor.forensics.engine.embedded_shell_scan import scan_language, split_language
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import MAX_TEXT_BYTES
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.languages.kept_needs import prepare_language
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES
from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.repo.git_objects import MISSING_BLOB, BlobReader, SkippedBlob

MAX_TOTAL_BYTES = 2_000_000_000
"""Bytes of source an audit reads; what lies beyond is listed as unread."""
_EARLY_RUFF_THRESHOLD = 200
"""Files, of which ruff looks at most again while the last of them are read."""


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What identifies a record: the blob and its language."""

    blob: str
    language: str


@dataclass
class ScanResults:
    """The records of all files read, and ruff's findings in them, by key."""

    records: dict[RecordKey, FileRecord] = field(default_factory=dict)
    second: dict[RecordKey, ruff_second_look.FileFindings] = field(default_factory=dict)
    cached_count: int = 0
    fresh: dict[str, tuple[RecordKey, bytes]] = field(default_factory=dict)
    """What was read just now, packed, by the name that it is to be kept under."""
    queued_for_ruff: dict[str, RecordKey] = field(default_factory=dict)
    """Files that ruff is run on, by their file names there."""


def record_key(entry: TreeEntry) -> RecordKey:
    """The key of a tree entry: its content, and what its path says of the language."""
    return RecordKey(entry.blob, scan_language(entry.path))


def read_all(
    entries: Iterable[TreeEntry],
    reader: BlobReader,
    interest: Interest,
    cache: RecordCache,
    pool: Pool,
    second_look: ruff_second_look.SecondLook,
    progress: Callable[[int, int], None],
) -> ScanResults:
    """Records of all entries: from the cache, else read by worker processes.

    Ruff begins to look again where they saw something; `collect_ruff_findings` says what it found.
    """
    seen = ScanResults()
    wanted = list(dict.fromkeys(record_key(entry) for entry in entries))
    stored = _cache_keys(wanted, interest) if cache.keeps else {}
    _load_cached(stored, cache, seen)
    seen.cached_count = len(seen.records)
    unread = [each for each in wanted if each not in seen.records]
    if not unread:
        return seen
    sizes = reader.sizes(each.blob for each in unread)
    small = _within_limits(unread, sizes, seen)
    packed = _scan_files(small, sizes, reader, interest, pool, second_look, seen, progress) if small else {}
    seen.fresh = {name: (each, packed[each]) for name, each in stored.items() if each in packed}
    return seen


def _cache_keys(wanted: Iterable[RecordKey], interest: Interest) -> dict[str, RecordKey]:
    """The names that records are kept under: another version or another question finds none of them."""
    version = f"{probe_set_version()}:{interest.digest}:{ruff_second_look.version()}"
    return {f"{version}:{each.language}:{each.blob}": each for each in wanted}


def collect_ruff_findings(seen: ScanResults, second_look: ruff_second_look.SecondLook) -> None:
    """Add the findings of the second look to the results."""
    seen.second.update({seen.queued_for_ruff[name]: found for name, found in second_look.findings().items()})


def store_records(seen: ScanResults, cache: RecordCache, secret: Collection[str]) -> None:
    """Keep what was read, but of no blob that holds a secret: a record quotes lines as they are."""
    kept = {name: (each, packed) for name, (each, packed) in seen.fresh.items() if each.blob not in secret}
    cache.put({name: _encode_entry(seen, each, packed) for name, (each, packed) in kept.items()})


def _within_limits(unread: list[RecordKey], sizes: Mapping[str, int | None], seen: ScanResults) -> list[RecordKey]:
    small: list[RecordKey] = []
    total = 0
    for each in unread:
        size = sizes[each.blob]
        limit = MAX_PYTHON_BYTES if each.language == "python" else MAX_TEXT_BYTES
        if size is None:
            seen.records[each] = FileRecord(ReadStatus.NONE, MISSING_BLOB)
        elif size > limit:
            seen.records[each] = FileRecord(ReadStatus.NONE, f"larger than {limit:,} bytes")
        elif total + size > MAX_TOTAL_BYTES:
            seen.records[each] = FileRecord(ReadStatus.NONE, "beyond the size limit of one audit")
        else:
            total += size
            small.append(each)
    return small


def _scan_files(
    small: list[RecordKey],
    sizes: Mapping[str, int | None],
    reader: BlobReader,
    interest: Interest,
    pool: Pool,
    second_look: ruff_second_look.SecondLook,
    seen: ScanResults,
    progress: Callable[[int, int], None],
) -> dict[RecordKey, bytes]:
    """Scan files in the worker pool; fills `seen` and returns the packed records that may be cached."""
    small.sort(key=lambda each: -(sizes[each.blob] or 0))  # the largest first: workers then end at the same time
    named = {_file_name(number, each): each for number, each in enumerate(small)}
    by_blob: dict[str, list[str]] = {}
    for name, each in named.items():
        by_blob.setdefault(each.blob, []).append(name)
    packed: dict[RecordKey, bytes] = {}
    for written, form in {split_language(each.language) for each in small}:
        prepare_language("shell" if form else written)  # what is loaded now, workers have from the start
    for blob, content in reader.read(by_blob, limit=MAX_TEXT_BYTES):
        for name in by_blob[blob]:
            if isinstance(content, SkippedBlob):
                seen.records[named[name]] = FileRecord(ReadStatus.NONE, content.reason)
            else:
                pool.submit(Task(name, named[name].language, content))
    # the few that are left by then take ruff less time than what is done after them
    most = len(named) - len(named) // 4 if len(named) >= _EARLY_RUFF_THRESHOLD else 0
    for done, (task, answer) in enumerate(pool.results(), start=1):
        each = named[task.key]
        record = seen.records[each] = FileRecord.unpack(answer)
        if record.reading is not ReadStatus.NONE and not record.failed:
            packed[each] = answer
        if task.language == "python" and interest.wants_second_look(record):
            second_look.add(task.key, task.content)
            seen.queued_for_ruff[task.key] = each
        if done == most:
            second_look.begin(pool.jobs)
        progress(done, len(named))
    second_look.begin(pool.jobs)
    return packed


def _file_name(number: int, each: RecordKey) -> str:
    return f"{number}.py" if each.language == "python" else f"{number}.txt"


def _load_cached(stored: Mapping[str, RecordKey], cache: RecordCache, seen: ScanResults) -> None:
    for name, value in cache.get(stored).items():
        try:
            second, packed = value.split(b"\n", 1)
            record = FileRecord.unpack(packed)
            found = json.loads(second)
            looked = None if found is None else tuple((str(code), int(start), int(end)) for code, start, end in found)
        except (ValueError, TypeError, RecursionError):
            continue  # not what we wrote: read the file afresh
        seen.records[stored[name]] = record
        if looked is not None:
            seen.second[stored[name]] = looked


def _encode_entry(seen: ScanResults, each: RecordKey, packed: bytes) -> bytes:
    """A cache entry: ruff's findings, then the packed record."""
    return json.dumps(seen.second.get(each)).encode("ascii") + b"\n" + packed
