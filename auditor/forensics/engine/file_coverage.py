"""What became of each file in scope: analysed, read as text, read in part or not read, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.domain import FileCoverage, FileStatus
from auditor.domain.glob_patterns import matches_any
from auditor.english_counts import pluralize
from auditor.forensics.embedded_shell.shell_formats import format_of, shell_formats
from auditor.forensics.engine.workflow_inputs import WORKFLOW_PATTERNS
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import is_code, language
from auditor.forensics.source_text.programming_languages import language_title
from auditor.forensics.source_text.template_code import template_languages
from auditor.forensics.source_text.unparsed_languages import title_by_name


def file_coverage(path: str, record: FileRecord) -> FileCoverage:
    """What became of a file that was asked for, by what came of reading it."""
    status, reason = _status(path, record)
    title = _unparsed_language(path, record) if status is FileStatus.TEXT else ""
    if title:
        reason = f"read as text: no grammar for {title}"
    return FileCoverage(path=path, status=status, reason=reason, unparsed_language=title)


def unread_sources(coverage: Iterable[FileCoverage]) -> Mapping[str, FileRecord]:
    """Empty records of files that nobody could read, by path: what is asked of code stays open for them."""
    return {
        each.path: FileRecord(ReadStatus.NONE, each.reason)
        for each in coverage
        if each.status is FileStatus.UNAVAILABLE
    }


def _status(path: str, record: FileRecord) -> tuple[FileStatus, str]:
    if record.reading is ReadStatus.BINARY and is_code(path):
        return FileStatus.UNAVAILABLE, "code by its name, but it holds zero bytes: it was not read"
    if record.reading is ReadStatus.BINARY:
        return FileStatus.NOT_APPLICABLE, "binary"
    if record.reading is ReadStatus.NONE:
        return FileStatus.UNAVAILABLE, record.reason
    return _status_of_read(path, record)


def _status_of_read(path: str, record: FileRecord) -> tuple[FileStatus, str]:
    parsed = _is_parsed(path, record)
    if record.failed and not record.reason:
        return FileStatus.PARTIAL, f"{pluralize(len(record.failed), 'probe')} could not check it"
    if record.reason and (parsed or record.reading is not ReadStatus.FULL):
        return FileStatus.PARTIAL, record.reason
    if not parsed:
        form = shell_formats().get(format_of(path))
        holds = "its commands as shell" if form and not form.holds else "it is no source code"
        sign = ": " if record.reason or holds.startswith("it is") else ", "
        return FileStatus.TEXT, f"read as text{sign}{record.reason or holds}"
    if language(path) in file_suffixes(FileKind.PAGE):
        return FileStatus.TEXT, f"read as text, its scripts as {language_title(record.detected_language)}"
    if language(path) in template_languages():
        return FileStatus.TEXT, f"read as text, its code as {language_title(record.detected_language)}"
    return FileStatus.ANALYSED, ""


def _is_parsed(path: str, record: FileRecord) -> bool:
    """Did a grammar read the code of the file?"""
    written = record.detected_language or language(path)
    return written == "python" or written in covered_languages() or matches_any(path, WORKFLOW_PATTERNS)


def _unparsed_language(path: str, record: FileRecord) -> str:
    """The title of the programming language of a file that no grammar read; empty for what is no code."""
    written = record.detected_language or language(path)
    if written == "python" or written in covered_languages():
        return ""
    if record.detected_language:
        return record.detected_language
    return title_by_name(path) or (language_title(language(path)) if is_code(path) else "")
