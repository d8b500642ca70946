"""What a probe may ask for. The engine passes these by the annotation of the probe's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from auditor.domain import FileChange, Term, TreeEntry
from auditor.forensics.documents.passages import Document
from auditor.forensics.outline import Outline
from auditor.forensics.surface import Served


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

    def lines_written(self, path: str) -> frozenset[int]:
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
        return _folders(self.head)

    @cached_property
    def endings(self) -> frozenset[str]:
        """Every path and folder of the head, also without its first folders: `b/c.py` for `a/b/c.py`."""
        ends: set[str] = set()
        for path in (*self.head, *self.folders):
            parts = path.split("/")
            ends.update("/".join(parts[start:]) for start in range(max(0, len(parts) - 12), len(parts)))
        return frozenset(ends)

    def exists(self, path: str) -> bool:
        """Does a file or folder of that path stand in the head?"""
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
    others_base: Mapping[str, Outline] = field(default_factory=dict)
    served: frozenset[str] = frozenset()
    """Files named like tests that product code imports."""


@dataclass(frozen=True)
class Surfaces:
    """What packages serve of their files, by path, on both sides of a change; of Python those of private names alone."""

    head: Mapping[str, Served] = field(default_factory=dict)
    base: Mapping[str, Served] = field(default_factory=dict)


@dataclass(frozen=True)
class Documents:
    """Text of the files in scope whose paths fit the probe's `reads` patterns."""

    head: Mapping[str, str]
    base: Mapping[str, str] = field(default_factory=dict)


StandsIn = Literal["content", "message", "name", "link", "signature"]
"""What of a commit holds a secret: a file's content, its own message, or the name of a file."""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """A secret at a path: the oldest commit of the range that it stands in, and whether it still does.

    In the message of a commit it has no path.
    """

    kind: str
    fingerprint: str
    path: str
    line: int
    commit: str
    quote: str
    at_head: bool
    introduced: bool | None
    sure: bool
    """Does it have a form that only its issuer gives?"""
    stands_in: StandsIn = "content"


@dataclass(frozen=True)
class CommittedSecrets:
    """Secrets in all commits of the range and in the head's files in scope. No value is in here."""

    places: tuple[SecretPlace, ...]
    commits: int = 0
    contents: int = 0
    """Versions of files that were looked through to the end."""
    unread: Mapping[str, str] = field(default_factory=dict, metadata={"doc": "path -> reason"})
    unread_contents: int = 0
    """Versions of files that could not be looked through."""
    unheard: str = ""
    """Why commit messages, names of files or of people were not looked through; empty where all were."""
    lost: str = ""
    """Why the secret detector was given up; empty where it was not."""
    material: int = 0
    """Keys and passwords in tests, examples and documents that anybody could have made up, and that were left out."""
    limit_reason: str = ""


@dataclass(frozen=True, slots=True)
class WorkflowFinding:
    """What zizmor reports of a workflow: its rule and sentence, the line from 1, its confidence and severity."""

    rule: str
    says: str
    line: int
    confidence: str
    severity: str


@dataclass(frozen=True)
class Workflow:
    """A GitHub workflow or action: its text and what was seen in it, or why nothing could be."""

    text: str
    findings: tuple[WorkflowFinding, ...] = ()
    unread: str = ""
    is_action: bool = False

    def line(self, number: int) -> str:
        """A line, counted from 1; empty when there is none."""
        source = self.text.split("\n")
        return source[number - 1] if 0 < number <= len(source) else ""


@dataclass(frozen=True)
class Workflows:
    """The workflows and actions in scope, by path."""

    head: Mapping[str, Workflow]
    base: Mapping[str, Workflow] = field(default_factory=dict)


@dataclass(frozen=True)
class Bystanders:
    """Markdown that a change leaves alone and that its links have to do with.

    `texts` are those from which a link may lead to what goes, `gone` the paths of these files and of folders of which
    nothing is left: both are empty where none goes. To headings of the `linked` documents of the change link.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    linked: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Governing:
    """What governs changes at the base, whether or not the change touches it; empty without a base.

    `texts` are pipelines and instructions for agents by path, `links` are symbolic links among these and where they lead.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    check_name: str = field(default="", metadata={"doc": "of the check run, where the Action knows it"})


@dataclass(frozen=True)
class Manifests:
    """Text of all manifests and lock files of the head and, with a base, of those in scope there; None where unread."""

    head: Mapping[str, str | None]
    base: Mapping[str, str | None] = field(default_factory=dict)
    in_scope: frozenset[str] = frozenset()
    popular: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata={"doc": "registry -> known names"})


@dataclass(frozen=True)
class Reports:
    """Reports handed over and found, read; what the rubric looks for in them; and what to say when there are none."""

    documents: tuple[Document, ...]
    terms: tuple[Term, ...] = ()
    summaries: tuple[str, ...] = ()
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Forms of words by the id of what they claim."""
    denials: tuple[str, ...] = ()
    """Forms of words by which a sentence denies, doubts or plans."""
    negations: tuple[str, ...] = ()
    """Forms of words that deny what the same part of a sentence claims."""
    absence: str = (
        "No report was handed over with `--report`, and none was found where the rubric looks (`papers.reports`)."
    )


def _folders(paths: Mapping[str, TreeEntry]) -> frozenset[str]:
    seen: set[str] = set()
    for path in paths:
        parent = path.rpartition("/")[0]
        while parent and parent not in seen:
            seen.add(parent)
            parent = parent.rpartition("/")[0]
    return frozenset(seen)
