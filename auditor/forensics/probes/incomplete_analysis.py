"""Files of a change that were not read, or not as what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from auditor.domain import Coverage, Fact, FileCoverage, FileStatus
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_found, pluralize, verb
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_roles import Role, is_code, language, role
from auditor.forensics.source_text.unparsed_languages import is_build_script


@probe("coverage.analysed")
def analysed(coverage: Coverage, change: Change | None = None) -> Iterator[Fact]:
    """Could every file in scope be looked into?

    Files that are too large, broken, binary under a name of code, or product code in a language that is only
    read as text count as not looked into.

    Split very large files, mend syntax errors, use UTF-8; have code in a language that is only read as text reviewed by somebody who knows it, or exclude it in the base-side configuration.
    """
    readable = [file for file in coverage.files if file.status is not FileStatus.NOT_APPLICABLE]
    dark = [file for file in readable if file.status is FileStatus.UNAVAILABLE or _is_text_only(file)]
    as_text = sum(map(_is_text_only, dark))
    excluded = [file for file in readable if file.status is FileStatus.EXCLUDED]
    unlisted = "" if coverage.complete else f" The list of files is not whole: {coverage.limit_reason}."
    if dark or unlisted:
        share = round(1 - len(dark) / (len(readable) or 1), 4)
        sure = 1.0 if unlisted or as_text < len(dark) else 0.8
        yield not_found(
            f"{_incomplete_text(dark, as_text, len(readable))}{_unparsed_text(dark, change)}{unlisted}",
            at=[code_location(file.path) for file in dark],
            confidence=sure,
            because="" if sure == 1 else "what can be told of text was told",
            measure=share if not unlisted else min(share, 0.5),
        )
        return
    confidence = round(1 - 0.5 * len(excluded) / (len(readable) or 1), 4)
    said = f"{len(excluded)} excluded by configuration" if excluded else ""
    yield found(
        f"{_all(len(readable))} looked into{f' ({said})' if said else ''}.",
        confidence=confidence,
        because=said and f"of {len(readable):,} files, {said}",
    )


def _all(files: int) -> str:
    return "The only file in scope was" if files == 1 else f"All {files:,} files in scope were"


def _incomplete_text(unread: list[FileCoverage], as_text: int, readable: int) -> str:
    """A sentence about how many files were not examined and why, and how many of those in part."""
    if unread and len(unread) == as_text:
        return (
            f"{len(unread):,} of {readable:,} files {verb(as_text, 'was', 'were')} read only in part, or as text alone."
        )
    said = f" ({as_text:,} {verb(as_text, 'was', 'were')} read in part, or as text alone)" if as_text else ""
    causes = dict.fromkeys(file.reason for file in unread if file.status is FileStatus.UNAVAILABLE and file.reason)
    why = f": {first_few(list(causes), _CAUSES)}" if causes else ""
    return f"{len(unread):,} of {readable:,} files could not be looked into{said}{why}."


def _unparsed_text(dark: list[FileCoverage], change: Change | None) -> str:
    """How much code of which languages was read as text; empty where there is none."""
    files = [each for each in dark if each.unparsed_language]
    if not files:
        return ""
    by_language: Counter[str] = Counter()
    for each in files:
        file = change.by_path.get(each.path) if change is not None else None
        by_language[each.unparsed_language] += 1 if change is None else (file.added if file is not None else 0)
    unit = "file" if change is None else "changed line"
    parts = [f"{pluralize(count, unit)} of {title}" for title, count in sorted(by_language.items())]
    return f" Read as text, because there is no grammar: {first_few(parts, _CAUSES)}."


_CAUSES = 2
"""Of the reasons why files were not read, so many are told; the list of files has them all."""


_QUERY_LANGUAGE = "sql"
"""A language that is text to most tools: its files are counted as read."""


def _is_text_only(file: FileCoverage) -> bool:
    """Is it code of which only a part, or only the text, was looked at? Samples in other languages hide nothing."""
    if file.status is FileStatus.TEXT:
        return bool(file.unparsed_language) and _is_product_code(file.path)
    if file.status is not FileStatus.PARTIAL or not is_code(file.path):
        return False
    return language(file.path) == "python" or _is_product_code(file.path)


def _is_product_code(path: str) -> bool:
    """Is it product code by its path, or a script whose name does not say what it is?"""
    if is_build_script(path) or language(path) == _QUERY_LANGUAGE:
        return False
    return role(path) in (Role.PRODUCT, Role.DATA)
