"""Writes a site about a store to a folder, which is there whole or as it was before."""

from __future__ import annotations

import os
import secrets
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from auditor.domain import UserError
from auditor.english_counts import by_count, pluralize
from auditor.fleet.record_reading import read_records
from auditor.fleet.site_content import RuleTexts, SiteContent, repository_file, rule_file
from auditor.fleet.store import Store, StoredRecord
from auditor.fleet.table_index import TableIndex
from auditor.fleet.table_queries import open_tables
from auditor.report.fleet_pages import overview_page, repository_page, rule_page
from auditor.report.html_report import html
from auditor.report.report_json import from_json

_MARKER = "auditor-site.txt"
_MARKER_TEXT = "Written by `auditor fleet report`, which replaces this folder when it runs again.\n"


@dataclass(frozen=True)
class WrittenSite:
    """What was written."""

    pages: int
    bytes: int


def write_site(
    store: Store, index: TableIndex, folder: Path, texts: RuleTexts, *, records: bool, processes: int | None = None
) -> WrittenSite:
    """Write the pages. Raises UserError for a folder that holds something else, or that cannot be written."""
    _require_replaceable(folder)
    work = folder.with_name(f".{folder.name}-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        work.mkdir(parents=True)
        with open_tables(index) as tables:
            _write_pages(SiteContent(tables, records), index, len(tuple(store.failures())), work, texts)
        if records:
            for _ in read_records(store, partial(_write_record, work), processes):
                pass
        (work / _MARKER).write_text(_MARKER_TEXT)
        files = [each.stat().st_size for each in work.iterdir() if each.suffix == ".html"]
        _replace(folder, work)
    except OSError as error:
        raise UserError(f"{folder} cannot be written ({error.strerror}): give another folder with --out.") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return WrittenSite(len(files), sum(files))


def _write_pages(content: SiteContent, index: TableIndex, failed: int, folder: Path, texts: RuleTexts) -> None:
    repositories = content.repositories()
    audits = index.content.rows["audits"]
    headline = f"{pluralize(audits, 'audit')} of {len(repositories):,} {by_count(len(repositories), 'repository', 'repositories')}"
    _write(folder / "index.html", overview_page(headline, content.overview(), _notes(index, failed)))
    for name in repositories:
        _write(folder / repository_file(name), repository_page(name, content.repository(name)))
    for name in content.rules():
        _write(folder / rule_file(name), rule_page(content.rule(name, texts)))


def _notes(index: TableIndex, failed: int) -> tuple[str, ...]:
    notes = []
    if failed:
        notes.append(
            f"{pluralize(failed, 'unit')} failed and {by_count(failed, 'has', 'have')} no record: see `auditor fleet status`."
        )
    left_out = len(index.content.not_read)
    if left_out:
        notes.append(
            f"{left_out:,} {by_count(left_out, 'record is', 'records are')} left out: edited by hand, or not readable."
        )
    return tuple(notes)


def _write_record(folder: Path, record: StoredRecord, content: bytes) -> None:
    """Write the page of a record. Runs in other processes."""
    _write(folder / f"record-{record.key}.html", html(from_json(content, "it"), in_site=True))


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def _require_replaceable(folder: Path) -> None:
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UserError(f"{folder} is not a folder: give a new one with --out.")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARKER).is_file():
            raise UserError(f"{folder} holds something else than a site: give a new folder with --out.")
    except OSError as error:
        raise UserError(f"{folder} cannot be written ({error.strerror}): give another folder with --out.") from error


def _replace(folder: Path, work: Path) -> None:
    if folder.is_dir():
        old = work.with_name(f"{work.name}-old")
        folder.rename(old)
        work.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        work.rename(folder)
