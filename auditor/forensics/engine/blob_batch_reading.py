"""From blob ids to records: what the cache has, what must be read, and who reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from auditor.domain import TreeEntry
from auditor.forensics.engine import ruff_second_look
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import MAX_TEXT
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.languages.language_registry import covered
from auditor.forensics.probe_kit.file_record import FileRecord, Reading
from auditor.forensics.python.source_parsing import MAX_PYTHON
from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.forensics.source_text.file_roles import language
from auditor.repo.git_objects import MISSING, BlobReader, Refused

MAX_BYTES = 2_000_000_000
"""Bytes of source an audit reads; what lies beyond is listed as unread."""
_MANY = 200
"""Files, of which ruff looks at most again while the last of them are read."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a record is kept under."""

    blob: str
    language: str


@dataclass
class Seen:
    """Records of all files read, and the second look's findings, by key."""

    records: dict[Key, FileRecord] = field(default_factory=dict)
    second: dict[Key, ruff_second_look.Found] = field(default_factory=dict)
    cached: int = 0
    fresh: dict[str, tuple[Key, bytes]] = field(default_factory=dict)
    """What was read just now, packed, by the name that it is to be kept under."""
    doubted: dict[str, Key] = field(default_factory=dict)
    """Files that are being looked at again, by the name that they are looked at under."""


def key(entry: TreeEntry) -> Key:
    """The key of a tree entry; only Python and the rest are told apart."""
    return Key(entry.blob, language(entry.path))


def read_all(
    entries: Iterable[TreeEntry],
    reader: BlobReader,
    interest: Interest,
    cache: RecordCache,
    pool: Pool,
    again: ruff_second_look.SecondLook,
    progress: Callable[[int, int], None],
) -> Seen:
    """Records of all entries: from the cache, else read by worker processes.

    Ruff begins to look again where they saw something; `look_again` says what it found.
    """
    seen = Seen()
    wanted = list(dict.fromkeys(key(entry) for entry in entries))
    stored = _names(wanted, interest) if cache.keeps else {}
    _from_cache(stored, cache, seen)
    seen.cached = len(seen.records)
    unread = [each for each in wanted if each not in seen.records]
    if not unread:
        return seen
    sizes = reader.sizes(each.blob for each in unread)
    small = _within_limits(unread, sizes, seen)
    packed = _read(small, sizes, reader, interest, pool, again, seen, progress) if small else {}
    seen.fresh = {name: (each, packed[each]) for name, each in stored.items() if each in packed}
    return seen


def _names(wanted: Iterable[Key], interest: Interest) -> dict[str, Key]:
    """The names that records are kept under: whoever looks otherwise, or at something else, finds none of them."""
    version = f"{probe_set_version()}:{interest.digest}:{ruff_second_look.version()}"
    return {f"{version}:{each.language}:{each.blob}": each for each in wanted}


def look_again(seen: Seen, again: ruff_second_look.SecondLook) -> None:
    """Take in what the second look found, once nothing is left to be done beside it."""
    seen.second.update({seen.doubted[name]: found for name, found in again.findings().items()})


def keep(seen: Seen, cache: RecordCache, secret: Collection[str]) -> None:
    """Keep what was read, but of no blob that holds a secret: a record quotes lines as they are."""
    kept = {name: (each, packed) for name, (each, packed) in seen.fresh.items() if each.blob not in secret}
    cache.put({name: _stored(seen, each, packed) for name, (each, packed) in kept.items()})


def _within_limits(unread: list[Key], sizes: Mapping[str, int | None], seen: Seen) -> list[Key]:
    small: list[Key] = []
    total = 0
    for each in unread:
        size = sizes[each.blob]
        limit = MAX_PYTHON if each.language == "python" else MAX_TEXT
        if size is None:
            seen.records[each] = FileRecord(Reading.NONE, MISSING)
        elif size > limit:
            seen.records[each] = FileRecord(Reading.NONE, f"larger than {limit:,} bytes")
        elif total + size > MAX_BYTES:
            seen.records[each] = FileRecord(Reading.NONE, "beyond what one audit reads")
        else:
            total += size
            small.append(each)
    return small


def _read(
    small: list[Key],
    sizes: Mapping[str, int | None],
    reader: BlobReader,
    interest: Interest,
    pool: Pool,
    again: ruff_second_look.SecondLook,
    seen: Seen,
    progress: Callable[[int, int], None],
) -> dict[Key, bytes]:
    """Have files looked at; fills in what was seen, and gives the packed records that are worth keeping."""
    small.sort(key=lambda each: -(sizes[each.blob] or 0))  # the largest first: workers then end at the same time
    named = {_file_name(number, each): each for number, each in enumerate(small)}
    by_blob: dict[str, list[str]] = {}
    for name, each in named.items():
        by_blob.setdefault(each.blob, []).append(name)
    packed: dict[Key, bytes] = {}
    for written in {each.language for each in small}:
        covered().get(written)  # a page that is opened now, workers have from the start
    for blob, content in reader.read(by_blob, limit=MAX_TEXT):
        for name in by_blob[blob]:
            if isinstance(content, Refused):
                seen.records[named[name]] = FileRecord(Reading.NONE, content.reason)
            else:
                pool.submit(Task(name, named[name].language, content))
    # the few that are left by then take ruff less time than what is done after them
    most = len(named) - len(named) // 4 if len(named) >= _MANY else 0
    for done, (task, answer) in enumerate(pool.results(), start=1):
        each = named[task.key]
        record = seen.records[each] = FileRecord.unpacked(answer)
        if record.reading is not Reading.NONE and not record.failed:
            packed[each] = answer
        if task.language == "python" and interest.wants_second_look(record):
            again.add(task.key, task.content)
            seen.doubted[task.key] = each
        if done == most:
            again.begin(pool.jobs)
        progress(done, len(named))
    again.begin(pool.jobs)
    return packed


def _file_name(number: int, each: Key) -> str:
    return f"{number}.py" if each.language == "python" else f"{number}.txt"


def _from_cache(stored: Mapping[str, Key], cache: RecordCache, seen: Seen) -> None:
    for name, value in cache.get(stored).items():
        try:
            second, packed = value.split(b"\n", 1)
            record = FileRecord.unpacked(packed)
            found = json.loads(second)
            looked = None if found is None else tuple((str(code), int(start), int(end)) for code, start, end in found)
        except (ValueError, TypeError, RecursionError):
            continue  # not what we wrote: read the file afresh
        seen.records[stored[name]] = record
        if looked is not None:
            seen.second[stored[name]] = looked


def _stored(seen: Seen, each: Key, packed: bytes) -> bytes:
    """A record as the cache keeps it, behind what the second look found."""
    return json.dumps(seen.second.get(each)).encode("ascii") + b"\n" + packed
