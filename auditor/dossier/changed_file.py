"""One changed file with the lines of both sides, and whether judges are shown it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from auditor.domain import FileChange, OmissionReason, Side, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.source_text.file_roles import Role, is_code, is_compressed_by_name, role
from auditor.forensics.source_text.generated_files import has_generated_notice, is_bundled
from auditor.forensics.source_text.text_decoding import decode_text

ReadBlobs = Callable[[Iterable[TreeEntry]], Mapping[str, bytes | None]]
"""Contents by blob id; None for what cannot be read."""
Withheld = Mapping[OmissionReason, tuple[str, ...]]
"""Globs of files that the trusted configuration keeps from judges, by the reason."""
_UNKNOWN_LINES = 1_000
"""Lines that a file counts for of which nothing is known: what cannot be read must not look small."""
_MAX_DERIVED_LINES = 400
"""Changed lines of a vendored or generated file, without blank ones, up to which judges are shown them. More is an update, and no edit by hand."""
_MAX_READ_LINES = 2_000
"""Changed lines of such a file, with blank ones, up to which it is read."""
_DERIVED = {Role.VENDORED: OmissionReason.VENDORED, Role.GENERATED: OmissionReason.GENERATED}


@dataclass(frozen=True)
class ChangedFile:
    """A file that the change touches, as text."""

    change: FileChange
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    content: Mapping[Side, bytes] = field(default_factory=dict)
    omitted: OmissionReason | None = None
    is_vendored_or_generated: bool = False
    """Is it vendored or generated, by its path or its base version? Judges see edits of it after all other code."""
    unread_lines: int = 0
    """Lines of a file that could not be read as text, whatever of them was changed."""

    @property
    def path(self) -> str:
        """Where it is at the head, or was at the base."""
        return self.change.path

    @property
    def is_product(self) -> bool:
        """Is it product code, by its path?"""
        return role(self.path) is Role.PRODUCT

    @property
    def is_document(self) -> bool:
        """Is it prose, by its path?"""
        return role(self.path) is Role.DOCUMENTATION

    @property
    def changed_lines(self) -> int:
        """Lines that the change adds or removes, blank ones left out where the text is known."""
        if not self.content:
            return self.change.added + self.change.deleted or self.unread_lines
        added = sum(bool(_at(self.after, line).strip()) for line in self.change.added_lines)
        return added + sum(bool(_at(self.before, line).strip()) for line in self.change.deleted_lines)


def _at(lines: tuple[str, ...], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def changed_files(
    changes: Iterable[FileChange], read: ReadBlobs, withheld: Withheld, *, with_locks: bool = False
) -> tuple[ChangedFile, ...]:
    """The files of a change in the order of their paths, with their lines where judges may be shown them.

    Lock files have theirs only `with_locks`.
    """
    ordered = sorted(changes, key=lambda each: each.path)
    omitted = [_omitted_by_path(each, withheld, with_locks=with_locks) for each in ordered]
    wanted = [each for each, reason in zip(ordered, omitted, strict=True) if reason is None]
    contents = read(entry for each in wanted for entry in (each.base, each.head) if entry is not None)
    return tuple(_changed_file(each, contents, reason) for each, reason in zip(ordered, omitted, strict=True))


def _omitted_by_path(change: FileChange, withheld: Withheld, *, with_locks: bool) -> OmissionReason | None:
    paths = [entry.path for entry in (change.base, change.head) if entry is not None]
    for reason, globs in withheld.items():
        if any(matches_any(path, globs) for path in paths):
            return reason
    if (change.binary and not is_code(change.path)) or is_compressed_by_name(change.path):
        return OmissionReason.BINARY
    kind = role(change.path)
    if kind is Role.LOCK and not with_locks:
        return OmissionReason.LOCK_FILE
    return _DERIVED.get(kind) if change.added + change.deleted > _MAX_READ_LINES else None


def _changed_file(
    change: FileChange, contents: Mapping[str, bytes | None], omitted: OmissionReason | None
) -> ChangedFile:
    if omitted is not None:
        return ChangedFile(change, omitted=omitted)
    found: dict[Side, bytes] = {}
    for side, entry in ((Side.BASE, change.base), (Side.HEAD, change.head)):
        if entry is None:
            continue
        raw = contents.get(entry.blob)
        if raw is None:
            return ChangedFile(change, omitted=OmissionReason.UNREAD, unread_lines=_UNKNOWN_LINES)
        text, is_text = decode_text(raw)
        if not is_text or change.binary:
            reason = OmissionReason.UNREAD if is_code(change.path) else OmissionReason.BINARY
            return ChangedFile(change, omitted=reason, unread_lines=raw.count(b"\n") + 1)
        found[side] = text
    before, after = (_lines(found.get(side, b"")) for side in (Side.BASE, Side.HEAD))
    derived = _DERIVED.get(role(change.path))
    if derived is None and Side.BASE in found and _is_generated(change.path, found[Side.BASE]):
        derived = OmissionReason.GENERATED
    file = ChangedFile(change, before, after, found, is_vendored_or_generated=derived is not None)
    return ChangedFile(change, omitted=derived) if derived and file.changed_lines > _MAX_DERIVED_LINES else file


def _is_generated(path: str, content: bytes) -> bool:
    """Does the base side say so? What only the head says is the author's word, and would hide a file from judges."""
    text = content.decode("utf-8", errors="backslashreplace")
    return has_generated_notice(text) or is_bundled(path, text)


def _lines(content: bytes) -> tuple[str, ...]:
    text = content.decode("utf-8", errors="backslashreplace")
    lines = text.split("\n")
    return tuple(each.removesuffix("\r") for each in (lines[:-1] if lines[-1] == "" else lines))
