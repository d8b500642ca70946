"""Files of a change that were not read, or not as what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from auditor.domain import Coverage, Fact, FileCoverage, FileStatus
from auditor.domain.english_lists import first_few
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_roles import Role, is_code, language, role
from auditor.forensics.source_text.unparsed_languages import is_build_script


@probe("coverage.analysed")
def analysed(coverage: Coverage, change: Change | None = None) -> Iterator[Fact]:
    """Was every file in scope analysed?

    Counts as not analysed: a file that is too large, broken, or binary despite the name of a source file, and product code in a
    language that is only searched as text.

    Review the named files by hand. If the reason is a syntax error, another encoding than UTF-8 or the size of the file, fix that.
    """
    readable = [file for file in coverage.files if file.status is not FileStatus.NOT_APPLICABLE]
    dark = [file for file in readable if file.status is FileStatus.UNAVAILABLE or _is_text_only(file)]
    as_text = sum(map(_is_text_only, dark))
    excluded = [file for file in readable if file.status is FileStatus.EXCLUDED]
    unlisted = "" if coverage.complete else f" The list of files is incomplete: {coverage.limit_reason}."
    if dark or unlisted:
        share = round(1 - len(dark) / (len(readable) or 1), 4)
        sure = 1.0 if unlisted or as_text < len(dark) else 0.8
        yield not_found(
            f"{_incomplete_text(dark, as_text, len(readable))} {_unparsed_text(dark, change)}".rstrip() + unlisted,
            at=[code_location(file.path) for file in dark],
            confidence=sure,
            because="" if sure == 1 else "a search of the text covered part of it",
            measure=share if not unlisted else min(share, 0.5),
        )
        return
    confidence = round(1 - 0.5 * len(excluded) / (len(readable) or 1), 4)
    said = f"{len(excluded)} excluded by configuration" if excluded else ""
    yield found(
        f"{_all(len(readable))} analysed{f' ({said})' if said else ''}.",
        confidence=confidence,
        because=said and f"of {len(readable):,} files, {said}",
    )


def _all(files: int) -> str:
    return "The only file in scope was" if files == 1 else f"All {files:,} files in scope were"


def _incomplete_text(unread: list[FileCoverage], as_text: int, readable: int) -> str:
    """A sentence about how many files were not examined and why, and how many of those in part."""
    if not unread:
        return "Not every file was analysed."
    paths = [file.path for file in unread]
    short = [each.rpartition("/")[2] for each in paths]
    names = list_names(short if len(set(short)) == len(short) > 1 else paths)
    of = f" ({len(unread):,} of {readable:,} files)" if len(unread) > 1 else ""
    is_partial = len(unread) == as_text
    status = FileStatus.PARTIAL if is_partial else FileStatus.UNAVAILABLE
    causes = dict.fromkeys(file.reason for file in unread if file.status is status and file.reason)
    why = f": {first_few(list(causes), _CAUSES)}" if causes else ""
    if is_partial:
        how = "analysed only in part" if causes else "only searched as text"
        return f"{names} {by_count(as_text, 'was', 'were')} {how}{of}{why}."
    return f"{names} could not be analysed{' in full' if as_text else ''}{of}{why}."


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
    parts = [f"{title} ({pluralize(count, unit)})" for title, count in sorted(by_language.items())]
    return f"There is no parser for {first_few(parts, _CAUSES)}."


_CAUSES = 2
"""The number of reasons in a statement; the list of files has all of them."""


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
