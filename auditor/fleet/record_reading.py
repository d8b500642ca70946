"""The records of a store, each read once and held against its digest, by several processes where there are many."""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from auditor.domain import UserError
from auditor.fleet.store import Store, StoredRecord
from auditor.report.report_json import MAX_BYTES

Value = TypeVar("Value")
EDITED = "it does not have the bytes that the audit wrote"
_FEW_RECORDS = 150
"""So many are read before another process would have started."""
_CHUNK = 32
_MAX_PROCESSES = 32


@dataclass(frozen=True)
class ReadRecord(Generic[Value]):
    """What became of a record: a value made of it, or why there is none."""

    key: str
    value: Value | None
    problem: str = ""


def read_records(
    store: Store, make: Callable[[StoredRecord, bytes], Value], processes: int | None = None
) -> Iterator[ReadRecord[Value]]:
    """What `make` makes of each record, in the order of their keys.

    `make` may raise UserError for a record that it cannot read. It travels to other processes, and so does what it makes.
    """
    keys = sorted(store.keys())
    count = min(processes or os.cpu_count() or 1, _MAX_PROCESSES, -(-len(keys) // _CHUNK))
    if len(keys) < _FEW_RECORDS or count < 2:
        for each in keys:
            yield _read(make, store.record(each))
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=gc.disable) as pool:
        # What a record is made of refers to nothing in a circle, and looking for circles costs a fifth of the time.
        chunks = (keys[start : start + _CHUNK] for start in range(0, len(keys), _CHUNK))
        for found in pool.map(partial(_read_all, make, store), chunks):
            yield from found


def _read_all(
    make: Callable[[StoredRecord, bytes], Value], store: Store, keys: Sequence[str]
) -> tuple[ReadRecord[Value], ...]:
    return tuple(_read(make, store.record(each)) for each in keys)


def _read(make: Callable[[StoredRecord, bytes], Value], record: StoredRecord) -> ReadRecord[Value]:
    try:
        if record.path.stat().st_size > MAX_BYTES:
            return ReadRecord(record.key, None, "it is larger than any record")
        content = record.path.read_bytes()
    except OSError as error:
        return ReadRecord(record.key, None, f"it cannot be read ({error.strerror})")
    about = record.about
    if about is None or about.key != record.key or hashlib.sha256(content).hexdigest() != about.record_sha256:
        return ReadRecord(record.key, None, EDITED)
    try:
        return ReadRecord(record.key, make(record, content))
    except UserError as error:
        return ReadRecord(record.key, None, str(error))
