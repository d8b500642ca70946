"""Ask a subject probe about inputs made by hand."""

from __future__ import annotations

from auditor.domain import Commit, CommitFile, Fact, FileChange, Hunk, Signature, Status, TreeEntry
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.probe_kit.probe_decorators import SubjectProbe
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules, Tree
from auditor.forensics.source_text.file_outline import Outline


def ask(probe_id: str, *inputs: object) -> list[Fact]:
    """The facts that a probe yields for inputs in the order of its parameters."""
    probe = discover_probes()[probe_id]
    assert isinstance(probe, SubjectProbe)
    return list(probe.ask(*inputs))


def added(path: str, lines: int = 1) -> FileChange:
    """A new file with that many lines."""
    return FileChange(Status.ADDED, None, TreeEntry(path, "1" * 40), (Hunk(0, 0, 1, lines),), lines, 0)


def modified(path: str, lines: int = 1, start: int = 1) -> FileChange:
    """A file with that many lines changed from `start` on."""
    hunk = Hunk(start, lines, start, lines)
    return FileChange(Status.MODIFIED, TreeEntry(path, "0" * 40), TreeEntry(path, "1" * 40), (hunk,), lines, lines)


def deleted(path: str, lines: int = 1) -> FileChange:
    """A file that is gone."""
    return FileChange(Status.DELETED, TreeEntry(path, "0" * 40), None, (Hunk(1, lines, 0, 0),), 0, lines)


def renamed(old: str, new: str) -> FileChange:
    """A file that moved as it was."""
    return FileChange(Status.RENAMED, TreeEntry(old, "1" * 40), TreeEntry(new, "1" * 40))


def change(*files: FileChange) -> Change:
    """A change of those files."""
    return Change(files)


def tree(*paths: str) -> Tree:
    """A head with those files."""
    return Tree({path: TreeEntry(path, "1" * 40) for path in paths})


def shape(source: str) -> Outline:
    """The outline of a Python source."""
    outlined = scan_file(source.encode(), "python", Interest(())).outline
    assert outlined is not None
    return outlined


def modules(head: dict[str, str], base: dict[str, str] | None = None) -> PythonModules:
    """Outlines of sources by path."""
    return PythonModules(
        {path: shape(source) for path, source in head.items()},
        {path: shape(source) for path, source in (base or {}).items()},
    )


def commit(
    number: int,
    message: str = "Explain the thing",
    *,
    files: int = 1,
    authored: int | None = None,
    committed: int | None = None,
    parent: int | None = None,
) -> Commit:
    """A commit made at hour `number`, unless told otherwise, that touches so many files in as many folders."""
    hour = 1_700_000_000 + number * 3600
    when = hour if committed is None else committed
    return Commit(
        sha=f"{number:040x}",
        parents=() if parent is None else (f"{parent:040x}",),
        author=Signature("Ada", "ada@example.org", hour if authored is None else authored),
        committer=Signature("Ada", "ada@example.org", when),
        message=message,
        files=tuple(CommitFile(Status.MODIFIED, f"d{n}/f.py", "1" * 40) for n in range(files)),
    )
