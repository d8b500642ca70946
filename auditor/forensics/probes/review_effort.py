"""How much work a change is to review."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pydantic import ConfigDict

from auditor.domain import Fact, FileChange, ProbeData, Status
from auditor.english_counts import pluralize
from auditor.forensics.dependencies.manifest_formats import is_manifest, requests_images
from auditor.forensics.probe_kit.change_places import change_places
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.probe_kit.site_statements import agreeing
from auditor.forensics.source_text.added_code import count_added_code, removed_lines
from auditor.forensics.source_text.file_kinds import FileKind, file_patterns
from auditor.forensics.source_text.file_roles import Role, is_code, role
from auditor.forensics.source_text.generated_files import (
    has_copied_notice,
    has_generated_notice,
    is_bundled,
    is_third_party_library,
)
from auditor.lazy_regex import lazy_compile

REVIEWABLE_LINES = 400
"""Added lines that one review can hold: defect detection fell off above 200 to 400 lines in the study of 2,500
reviews at Cisco (J. Cohen, Best Kept Secrets of Peer Code Review, 2006)."""
UNREVIEWABLE_LINES = 2000
_TEST_LINE_WEIGHT = 0.5
"""The weight of a line of tests compared to one of code: it is read more quickly."""
REVIEWABLE_FOLDERS = 8
UNREVIEWABLE_FOLDERS = 24
_MIN_REFORMATTED_FILES = 3
"""Number of files that are only reformatted from which they disturb a review."""
_MIN_CODE_LINES = 3
"""New lines of code from which a change is about more than layout."""
_NOT_REVIEWED_ROLES = (Role.GENERATED, Role.VENDORED)
_READ = (Role.PRODUCT, Role.TEST, Role.CONFIGURATION, Role.WORKFLOW)


class Size(ProbeData):
    """Lines by what they are for."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    added: int
    deleted: int
    files: int
    by_role: dict[str, int]


@probe("change.size")
def size(change: Change) -> Iterator[Fact]:
    """Is the change too large for one review?

    Counts: more than 400 added lines of code, tests, configuration and workflows, with lines of tests counted half. Does not count:
    lines in documents, data, lock files, and files that are generated or vendored by their name.

    Split it into changes that each do one thing and can be merged alone. Move and rename files in a separate change.
    """
    to_read = [file for file in change.files if role(file.path) in _READ]
    tests = _added(file for file in to_read if role(file.path) is Role.TEST)
    data = Size(
        added=_added(to_read),
        deleted=sum(file.deleted for file in to_read),
        files=len(change.files),
        by_role=_by_role(change),
    )
    weight = _weight(data.added, tests)
    added_text = (
        f"{_review_size_text(data.added, tests, len(to_read))}{_not_reviewed_text(_added(change.files), data.added)}"
    )
    if weight <= REVIEWABLE_LINES:
        named = _added(each for each in change.files if role(each.path) in _NOT_REVIEWED_ROLES and is_code(each.path))
        hidden = weight + named > REVIEWABLE_LINES
        yield not_found(
            f"The change adds {added_text}.",
            confidence=0.6 if hidden else 1.0,
            because=f"{named:,} lines of code do not count because of their file names" if hidden else "",
            data=data,
        )
        return
    grown = [file for file in to_read if file.added]
    largest = sorted(grown, key=lambda file: (role(file.path) is Role.TEST, -file.added, file.path))
    yield found(
        f"Too large for one review: {_excess_text(data.added, tests, len(grown))}.",
        at=[code_location(file.path) for file in largest],
        measure=_grade(weight, REVIEWABLE_LINES, UNREVIEWABLE_LINES),
        data=data,
    )


def _added(files: Iterable[FileChange]) -> int:
    return sum(file.added for file in files)


def _by_role(change: Change) -> dict[str, int]:
    """Added lines by what they are for; what has none is left out."""
    added = {each: _added(file for file in change.files if role(file.path) is each) for each in Role}
    return {each.value: count for each, count in added.items() if count}


def _review_size_text(added: int, tests: int, files: int) -> str:
    if not added:
        return "no lines to review"
    of_tests = f" ({tests:,} in tests, which count half)" if tests else ""
    return f"{pluralize(added, 'line')} to review{of_tests} in {pluralize(files, 'file')}"


def _weight(added: int, tests: int) -> int:
    return round(added - (1 - _TEST_LINE_WEIGHT) * tests)


def _excess_text(added: int, tests: int, files: int) -> str:
    weighted = f", which count as {_weight(added, tests):,} because lines of tests count half" if tests else ""
    return f"{pluralize(added, 'added line')} in {pluralize(files, 'file')}{weighted} (limit {REVIEWABLE_LINES})"


def _not_reviewed_text(all_added: int, to_read: int) -> str:
    left = all_added - to_read
    if not left:
        return ""
    more = " more" if to_read else ""
    return f"; {left:,}{more} in documents, data, lock, generated or vendored files"


@probe("change.spread")
def spread(change: Change) -> Iterator[Fact]:
    """Is the change spread over many folders?

    Counts: product code and configuration in more than 8 folders. Does not count: package manifests, and files with a leading dot,
    which must be where their tools look for them.

    If it has several purposes, make a pull request for each. If it has one, say in the description why it reaches so far.
    """
    touched = [file for file in change.files if _counts_for_spread(file.path)]
    if all(role(file.path) is Role.DOCUMENTATION for file in change.files):
        yield not_applicable("The change edits only documents.")
        return
    folders = sorted({file.path.rpartition("/")[0] or "." for file in touched})
    code = all(role(file.path) is Role.PRODUCT for file in touched)
    what = "product code" if code else "product code and configuration"
    where = f"{what} in {pluralize(len(folders), 'folder')}" if folders else "no product code"
    statement = f"The change edits {where}"
    if len(folders) <= REVIEWABLE_FOLDERS:
        yield not_found(f"{statement}.")
        return
    yield found(
        f"{statement}, more than the {REVIEWABLE_FOLDERS} that a change with one purpose usually needs: {list_names(folders)}.",
        at=change_places(touched),
        confidence=0.8,
        because="a rename across the code has one purpose and spreads as far",
        measure=_grade(len(folders), REVIEWABLE_FOLDERS, UNREVIEWABLE_FOLDERS),
    )


def _counts_for_spread(path: str) -> bool:
    """Is it code of the product, or configuration that could be elsewhere?"""
    if role(path) is Role.CONFIGURATION:
        of_packages = is_manifest(path) and not requests_images(path)
        return not (of_packages or path.rpartition("/")[2].startswith("."))
    return role(path) is Role.PRODUCT


@probe("change.generated_or_vendored", reads=file_patterns(FileKind.COMMENTED, FileKind.NOTICED))
def generated_or_vendored(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change include generated or vendored files?

    Counts: a file whose folder or name, comment at the top, third-party banner or lines (such as minified code) show that nobody
    wrote it by hand here. Does not count: lock files, migrations, and code that generates something.

    Do not edit such a file by hand: change its source and run the generator. Name the command in the description.
    """
    brought = [file for file in change.files if file.head and (file.added or file.status is Status.ADDED)]
    carried = [file for file in brought if role(file.path) in _NOT_REVIEWED_ROLES]
    others = [file for file in brought if role(file.path) not in _NOT_REVIEWED_ROLES]
    texts = {file.path: documents.head.get(file.path, "") for file in others}
    marked = [file for file in others if has_generated_notice(texts[file.path])]
    told = {file.path for file in marked}
    copied = [file for file in others if file.path not in told and has_copied_notice(texts[file.path])]
    told |= {file.path for file in copied}
    built = [file for file in others if file.path not in told and _is_generated_or_vendored(file, texts[file.path])]
    if not (carried or marked or copied or built):
        yield not_found("The change includes no generated or vendored files.")
        return
    total = sum(file.added for file in change.files) or 1
    for files, statement, confidence, because in (
        (carried, "Generated or vendored [file|files], by [its path|their paths]: {files}.", 1.0, ""),
        (marked, "The change includes [a file that is|files that are] marked as generated: {files}.", 0.7, "the mark is the author's; the files are reviewed like all others"),
        (copied, "[File is|Files are] marked as copied from another project: {files}.", 0.7, "the mark is the author's; the files are reviewed like all others"),
        (built, "[File looks|Files look] like build output or a third-party library: {files}.", 0.7, "the source of the files was not looked for"),
    ):  # fmt: skip
        if files:
            yield found(
                agreeing(statement, len(files)).replace("{files}", list_names(file.path for file in files)),
                at=[code_location(file.path, 1 if confidence < 1 else None) for file in files],
                confidence=confidence,
                because=because,
                measure=round(sum(file.added for file in files) / total, 4),
            )


def _is_generated_or_vendored(file: FileChange, text: str) -> bool:
    """An edited library may be the project's own: without a version in its banner it counts only when it is added."""
    return is_bundled(file.path, text) or (file.base is None and is_third_party_library(file.path, text))


@probe("change.laid_out_anew", reads=file_patterns(FileKind.COMMENTED))
def laid_out_anew(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change mix reformatting with other edits?

    Counts: three or more code files in which only whitespace, line breaks, quotes or the order of lines change, while other code
    gets at least three new lines.

    Move the reformatting to a pull request of its own.
    """
    edited = [file for file in change.files if file.base and file.head and file.hunks and is_code(file.path)]
    alike = [file for file in edited if _is_only_reformatted(file, documents)]
    if not alike:
        yield not_found("No code file is only reformatted.")
        return
    rest = [file for file in change.files if is_code(file.path) and file not in alike]
    added = count_added_code(rest, removed_lines(rest, documents.base), documents.head).lines
    if len(alike) < _MIN_REFORMATTED_FILES or added < _MIN_CODE_LINES:
        beside = "too few to hide other edits" if added >= _MIN_CODE_LINES else "and almost no other code changes"
        yield not_found(f"{_files(len(alike))} only reformatted, {beside}.")
    else:
        yield found(
            f"{_files(len(alike))} only reformatted ({list_names(file.path for file in alike)}), which hides the edits in {_other_files(len(rest))}.",
            at=[code_location(file.path, file.hunks[0].head_start or None) for file in alike],
            confidence=0.85,
            because="whitespace and the order of lines can have meaning",
            measure=round(len(alike) / (len(alike) + len(rest)), 4),
        )


def _files(count: int) -> str:
    return "1 code file is" if count == 1 else f"{count:,} code files are"


def _other_files(count: int) -> str:
    return "1 other file" if count == 1 else f"{count:,} other files"


def _is_only_reformatted(file: FileChange, documents: Documents) -> bool:
    """Are both sides the same but for layout and the order of lines?"""
    assert file.base is not None
    assert file.head is not None
    before, after = documents.base.get(file.base.path), documents.head.get(file.head.path)
    if before is None or after is None:
        return False
    old, new = before.split("\n"), after.split("\n")
    if _words(old, file.deleted_lines) != _words(new, file.added_lines):
        return False  # which most changes are told by, from a few lines: the others have the whole text compared
    return (
        _strip_layout(before) == _strip_layout(after)
        or _sorted_characters(old) == _sorted_characters(new)
        or _split_imports(old) == _split_imports(new)
    )


def _sorted_characters(text: list[str]) -> list[str]:
    return sorted(filter(None, map(_strip_layout, text)))


def _split_imports(text: list[str]) -> tuple[list[str], str]:
    """The import lines in no order, and the rest as it is: formatters sort the one and wrap the other."""
    brought = [_IMPORT_LINE.match(line) is not None for line in text]
    rest = "\n".join(line for line, is_brought in zip(text, brought, strict=True) if not is_brought)
    return _sorted_characters(
        [line for line, is_brought in zip(text, brought, strict=True) if is_brought]
    ), _strip_layout(rest)


_IMPORT_LINE = lazy_compile(r"(?:import|from|use|using|#include)\b")


def _words(text: list[str], numbers: Iterable[int]) -> list[str]:
    """Every character of some lines that no formatter takes away or adds, in no order that matters."""
    return sorted(_LAYOUT.sub("", "".join(text[number - 1] for number in numbers if number <= len(text))))


def _strip_layout(text: str) -> str:
    """The text without what a formatter decides: blanks, line breaks, quote style, trailing commas."""
    return _TRAILING.sub("", _BLANK.sub("", text).replace("'", '"'))


_LAYOUT = lazy_compile(r"[\s;,'\"]+")
_BLANK = lazy_compile(r"\s+|;(?=\s*$)", re.MULTILINE)
_TRAILING = lazy_compile(r",(?=[)\]}])")


def _grade(value: int, good: int, hopeless: int) -> float:
    """0 at `good`, 1 at `hopeless`, in a line between."""
    return round(min(max((value - good) / (hopeless - good), 0.0), 1.0), 4)
