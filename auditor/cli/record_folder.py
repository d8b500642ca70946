"""The records in a folder: where they are, and what each is about."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.input_file import read_file
from auditor.user_error import UserError

if TYPE_CHECKING:
    from auditor.domain import AuditReport
    from auditor.ledger.record_pairing import RecordKey

MAX_FILES = 5_000


@dataclass(frozen=True)
class RecordFolder:
    """The records below a folder, and a sentence on each JSON file that is none."""

    records: tuple[RecordKey, ...]
    not_read: tuple[str, ...]


def read_record(file: Path) -> AuditReport:
    """The record in a file. Raises UserError with one sentence."""
    from auditor.report.report_json import MAX_BYTES, from_json

    expected = "the report.json that an audit wrote"
    try:
        too_large = file.stat().st_size > MAX_BYTES
    except OSError:
        too_large = False  # reading it gives the reason
    if too_large:
        raise UserError(f"{file} is too large for a record: give {expected}.")
    return from_json(read_file(file, expected), str(file))


def list_records(folder: Path) -> RecordFolder:
    """Every `*.json` below the folder, links to other folders not followed.

    Raises UserError when there is no record, or when there are more than `MAX_FILES` such files.
    """
    from auditor.ledger.record_pairing import RecordKey

    records: list[RecordKey] = []
    not_read: list[str] = []
    for path in _json_files(folder):
        try:
            report = read_record(folder / path)
        except UserError as error:
            not_read.append(f"Left out: {error}")
            continue
        records.append(RecordKey(path.as_posix(), report.subject, report.rubric.definition.id))
    if not records:
        raise UserError(f"{folder} contains no record: give a folder with the report.json of an audit, at any depth.")
    return RecordFolder(tuple(records), tuple(not_read))


def _json_files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in _walk(folder):
        found.append(path)
        if len(found) > MAX_FILES:
            raise UserError(f"{folder} contains more than {MAX_FILES:,} JSON files: give a smaller folder.")
    return sorted(found)


def _walk(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        for name in names:
            file = Path(parent, name)
            if name.endswith(".json") and file.is_file():
                yield file.relative_to(folder)
