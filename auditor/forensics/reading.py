"""From blob ids to records: what the cache has, what must be read, and who reads it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from auditor.domain import TreeEntry
from auditor.forensics import ruff
from auditor.forensics.cache import RecordCache, probe_set_version
from auditor.forensics.languages import covered
from auditor.forensics.look import MAX_PYTHON, MAX_TEXT, Interest
from auditor.forensics.record import FileRecord, Reading
from auditor.forensics.roles import language
from auditor.forensics.workers import Pool, Task
from auditor.repo import MISSING, BlobReader, Refused

SERIAL_BYTES = 1_000_000
"""Below this much source one process is faster than two."""
MAX_BYTES = 2_000_000_000
"""Bytes of source an audit reads; what lies beyond is listed as unread."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a record is kept under."""

    blob: str
    language: str


@dataclass
class Seen:
    """Records of all files read, and the second look's findings, by key."""

    records: dict[Key, FileRecord] = field(default_factory=dict)
    second: dict[Key, ruff.Found] = field(default_factory=dict)
    cached: int = 0
    fresh: dict[str, tuple[Key, bytes]] = field(default_factory=dict)
    """What was read just now, packed, by the name that it is to be kept under."""


def key(entry: TreeEntry) -> Key:
    """The key of a tree entry; only Python and the rest are told apart."""
    return Key(entry.blob, language(entry.path))


def read_all(
    entries: Iterable[TreeEntry],
    reader: BlobReader,
    interest: Interest,
    cache: RecordCache,
    jobs: int,
    progress: Callable[[int, int], None],
) -> Seen:
    """Records of all entries: from the cache, else read by worker processes. Ruff looks again where they saw something."""
    seen = Seen()
    wanted = list(dict.fromkeys(key(entry) for entry in entries))
    version = f"{probe_set_version()}:{interest.digest}:{ruff.version()}"
    stored = {f"{version}:{each.language}:{each.blob}": each for each in wanted}
    _from_cache(stored, cache, seen)
    seen.cached = len(seen.records)
    unread = [each for each in wanted if each not in seen.records]
    if not unread:
        return seen
    sizes = reader.sizes(each.blob for each in unread)
    small = _within_limits(unread, sizes, seen)
    packed = _read(small, sizes, reader, interest, jobs, seen, progress) if small else {}
    if cache.keeps:
        seen.fresh = {name: (each, packed[each]) for name, each in stored.items() if each in packed}
    return seen


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
    jobs: int,
    seen: Seen,
    progress: Callable[[int, int], None],
) -> dict[Key, bytes]:
    """Have files looked at; fills in what was seen, and gives the packed records that are worth keeping."""
    total = sum(sizes[each.blob] or 0 for each in small)
    jobs = jobs if total > SERIAL_BYTES else 1
    small.sort(key=lambda each: -(sizes[each.blob] or 0))  # the largest first: workers then end at the same time
    named = {_file_name(number, each): each for number, each in enumerate(small)}
    by_blob: dict[str, list[str]] = {}
    for name, each in named.items():
        by_blob.setdefault(each.blob, []).append(name)
    packed: dict[Key, bytes] = {}
    doubted: list[str] = []
    if any(each.language != "python" for each in small):
        covered()  # what is worked out now, workers have from the start
    with tempfile.TemporaryDirectory(prefix="auditor-") as place:
        folder = Path(place)
        with Pool(interest, jobs) as pool:
            for blob, content in reader.read(by_blob, limit=MAX_TEXT):
                for name in by_blob[blob]:
                    if isinstance(content, Refused):
                        seen.records[named[name]] = FileRecord(Reading.NONE, content.reason)
                    else:
                        pool.submit(Task(name, named[name].language, content))
            for done, (task, answer) in enumerate(pool.results(), start=1):
                each = named[task.key]
                record = seen.records[each] = FileRecord.unpacked(answer)
                if record.reading is not Reading.NONE and not record.failed:
                    packed[each] = answer
                if task.language == "python" and interest.wants_second_look(record):
                    _write(folder / task.key, task.content)
                    doubted.append(task.key)
                progress(done, len(named))
        found = ruff.second_look(folder, sorted(doubted), interest.codes, jobs)
    seen.second.update({named[name]: looked for name, looked in found.items()})
    return packed


def _write(file: Path, content: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)


def _file_name(number: int, each: Key) -> str:
    return f"{number}.py" if each.language == "python" else f"{number}.txt"


def _from_cache(stored: Mapping[str, Key], cache: RecordCache, seen: Seen) -> None:
    for name, value in cache.get(stored).items():
        try:
            second, packed = bytes(value).split(b"\n", 1)
            record = FileRecord.unpacked(packed)
            found = json.loads(second)
            looked = None if found is None else tuple((str(code), int(start), int(end)) for code, start, end in found)
        except (ValueError, TypeError):
            continue  # not what we wrote: read the file afresh
        seen.records[stored[name]] = record
        if looked is not None:
            seen.second[stored[name]] = looked


def _stored(seen: Seen, each: Key, packed: bytes) -> bytes:
    """A record as the cache keeps it, behind what the second look found."""
    return json.dumps(seen.second.get(each)).encode("ascii") + b"\n" + packed
