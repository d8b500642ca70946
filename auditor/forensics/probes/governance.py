"""Changes to what governs other changes: the gate, its owners, the instructions of agents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Coverage, Fact, FileChange, FileStatus, Location, Side
from auditor.forensics.facts import found, lines, not_found
from auditor.forensics.inputs import Change, Documents
from auditor.forensics.probe import probe
from auditor.forensics.roles import is_code, language

CONFIGURATION = ".github/auditor.yml"
_GATE = re.compile(
    r"^(?:\.github/auditor\.ya?ml|\.github/auditor/.*|(?:\.github/|\.gitlab/|docs/)?CODEOWNERS|(?:.*/)?rubrics?/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.github/(?:rulesets|settings)[/.].*)$"
)
_RUNS_US = re.compile(r"automaton[-_]auditor|\bauditor\s+(?:audit|action)\b", re.IGNORECASE)
_RIGHTS = re.compile(
    r"\b(?:pull_request_target|workflow_run)\b(?!\.)|\bwrite-all\b"
    r"|\b(?!issues|discussions)[a-z][a-z-]{1,30}[\"']?\s{0,4}:\s{0,40}(?:[>|][+-]?\s{1,40}|!\S{1,20}\s{1,4}|&\S{1,20}\s{1,4})?[\"']?write\b(?!-all)"
)
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})")
_INSTRUCTIONS = re.compile(
    r"(?:^|/)(?:AGENTS?\.md|CLAUDE(?:\.local)?\.md|GEMINI\.md|QWEN\.md|CONVENTIONS\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.aider\.conf\.yml|\.mcp\.json|mcp\.json|llms\.txt|copilot-instructions\.md|copilot-setup-steps\.ya?ml|\.goosehints|\.roomodes)$"
    r"|(?:^|/)(?:\.cursor|\.clinerules|\.junie|\.claude|\.windsurf|\.continue|\.roo|\.gemini|\.codex|\.kiro|\.github/(?:instructions|prompts|agents|chatmodes))/",
    re.IGNORECASE,
)
_LATER = "it takes effect only after the merge: this audit used the base side"


@probe("governance.gate_changed", reads=(".github/workflows/*", ".github/actions/**", "action.yml", "action.yaml"))
def gate_changed(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change touch the gate that judges it?

    Put changes of the gate, its owners and its workflows into a change of their own, for its owners to approve.
    """
    touched = [file for file in change.files if _governs(file, documents)]
    raised = [file for file in change.files if file not in touched and _gains_rights(file, documents)]
    if touched:
        yield found(f"The change touches what gates changes; {_LATER}.", at=_places(touched), introduced=True)
    if raised:
        yield found(
            "A workflow gets rights over the repository that it did not have before.",
            at=_places(raised),
            confidence=0.9,
            because="what the workflow does with them was not followed",
            introduced=True,
        )
    if not touched and not raised:
        yield not_found(
            "The change leaves the gate, its owners and its workflow alone, and gives no workflow new rights.",
            confidence=0.9,
            because="which workflows are required does not stand in the repository",
        )


def _gains_rights(file: FileChange, documents: Documents) -> bool:
    """Does a workflow run with the base's rights, or write, by words that it did not hold before?"""
    if file.head is None or not file.head.path.startswith(".github/workflows/"):
        return False
    before = _rights(documents.base.get(file.base.path, "")) if file.base is not None else frozenset()
    return bool(_rights(documents.head.get(file.head.path, "")) - before)


def _rights(workflow: str) -> frozenset[str]:
    """Triggers that run with the base's rights, and permissions to write more than issues and discussions; no comments."""
    plain = "\n".join(line.partition(" #")[0] for line in workflow.split("\n") if not line.lstrip().startswith("#"))
    plain = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), plain)
    return frozenset("".join(found.group().split()) for found in _RIGHTS.finditer(plain))


def _governs(file: FileChange, documents: Documents) -> bool:
    names = {entry.path for entry in (file.base, file.head) if entry is not None}
    if any(_GATE.match(name) for name in names):
        return True
    texts = [documents.head.get(name, "") + documents.base.get(name, "") for name in names]
    return any(_RUNS_US.search(text) for text in texts)


@probe("agents.instructions_changed")
def instructions_changed(change: Change) -> Iterator[Fact]:
    """Does the change touch instructions for coding agents?

    Have such files reviewed like code: every agent that later works here will follow them.
    """
    touched = [
        file for file in change.files if any(_INSTRUCTIONS.search(each.path) for each in (file.base, file.head) if each)
    ]
    if not touched:
        yield not_found("The change leaves instructions for coding agents alone.")
        return
    yield found(
        "The change touches instructions that coding agents follow; this audit follows none.",
        at=_places(touched),
        introduced=True,
    )


def _places(files: list[FileChange]) -> list[Location]:
    return [lines(file.path, side=Side.HEAD if file.head else Side.BASE) for file in files]


@probe("coverage.analysed")
def analysed(coverage: Coverage) -> Iterator[Fact]:
    """Could every file in scope be looked into?

    Make the files readable (split very large ones, mend syntax errors, use UTF-8) or exclude them in the base-side configuration.
    """
    readable = [file for file in coverage.files if file.status is not FileStatus.NOT_APPLICABLE]
    dark = [file for file in readable if file.status is FileStatus.UNAVAILABLE or _broken(file.status, file.path)]
    excluded = [file for file in readable if file.status is FileStatus.EXCLUDED]
    shallow = [file for file in readable if file.status is FileStatus.PARTIAL and file not in dark]
    unlisted = "" if coverage.complete else f" The list of files is not whole: {coverage.limit_reason}."
    if dark or unlisted:
        share = round(1 - len(dark) / (len(readable) or 1), 4)
        yield not_found(
            f"{len(dark)} of {len(readable):,} files could not be looked into.{unlisted}",
            at=[lines(file.path) for file in dark],
            measure=share if not unlisted else min(share, 0.5),
        )
        return
    confidence = round(1 - 0.5 * (len(shallow) + len(excluded)) / (len(readable) or 1), 4)
    left = [
        f"{len(shallow)} only as text" if shallow else "",
        f"{len(excluded)} excluded by configuration" if excluded else "",
    ]
    said = ", ".join(filter(None, left))
    yield found(
        f"All {len(readable):,} files in scope were looked into{f' ({said})' if said else ''}.",
        confidence=confidence,
        because=said and f"of {len(readable):,} files, {said}",
    )


def _broken(status: FileStatus, path: str) -> bool:
    """A Python file read in part hides something; another language read as text is merely not deep."""
    return status is FileStatus.PARTIAL and is_code(path) and language(path) == "python"
