"""What a probe may ask for. The engine passes these by the annotation of the probe's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from auditor.domain import FileChange, TreeEntry
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.folders import all_folders


@dataclass(frozen=True)
class Change:
    """All files that differ between the merge base and the head.

    A probe that asks for it answers NOT_APPLICABLE when the whole tree is audited without a base.
    """

    files: tuple[FileChange, ...]

    @cached_property
    def by_path(self) -> Mapping[str, FileChange]:
        """Changed files by their path at the head, or at the base when deleted."""
        return {file.path: file for file in self.files}

    def added_lines(self, path: str) -> frozenset[int]:
        """The lines of a file that the change wrote; none of one that it leaves alone."""
        file = self.by_path.get(path)
        return frozenset() if file is None else file.added_lines


@dataclass(frozen=True)
class Tree:
    """Every file of the head and, with a base, of the merge base."""

    head: Mapping[str, TreeEntry]
    base: Mapping[str, TreeEntry] = field(default_factory=dict)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder of the head that holds something, without a trailing slash."""
        return all_folders(self.head)

    @cached_property
    def endings(self) -> frozenset[str]:
        """Every path and folder of the head, also without its first folders: `b/c.py` for `a/b/c.py`."""
        ends: set[str] = set()
        for path in (*self.head, *self.folders):
            parts = path.split("/")
            ends.update("/".join(parts[start:]) for start in range(max(0, len(parts) - 12), len(parts)))
        return frozenset(ends)

    def exists(self, path: str) -> bool:
        """Is a file or folder of that path in the head?"""
        path = path.rstrip("/")
        return path in self.head or path in self.folders


@dataclass(frozen=True)
class PythonModules:
    """Outlines of the Python files in scope, all of them or with a base the changed ones of both sides; and of others."""

    head: Mapping[str, Outline]
    base: Mapping[str, Outline] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(
        default_factory=dict, metadata={"doc": "path at the head -> reason, Python and others"}
    )
    others: Mapping[str, Outline] = field(
        default_factory=dict, metadata={"doc": "other languages: functions and tests"}
    )
    other_languages_base: Mapping[str, Outline] = field(default_factory=dict)
    served: frozenset[str] = frozenset()
    """Files named like tests that product code imports."""


@dataclass(frozen=True)
class Documents:
    """Text of the files in scope whose paths fit the probe's `reads` patterns."""

    head: Mapping[str, str]
    base: Mapping[str, str] = field(default_factory=dict)
