"""Edits to what decides on changes: the audit's configuration, code owners, the pipelines that check changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum

from auditor.constant_folding.escape_sequences import NUMBER_ESCAPES, decode_escapes
from auditor.domain import Fact, FileChange
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.change_places import change_paths, change_places
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.workflows import workflow_job_lines
from auditor.forensics.workflows.check_name_collisions import ReservedNameUse, WorkflowComparison
from auditor.forensics.workflows.checking_pipelines import (
    CALLED_FILES,
    CalledScripts,
    find_check_pipelines,
    strip_comments,
)
from auditor.forensics.workflows.governance_files import (
    find_audit_pipelines,
    is_gate,
    references_pipeline,
    runs_audit,
)
from auditor.forensics.workflows.moved_steps import is_only_moved
from auditor.forensics.workflows.outsider_triggers import is_safe_for_outsiders
from auditor.forensics.workflows.unused_permissions import find_unused_permissions, write_permissions
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from auditor.lazy_regex import lazy_compile

CONFIGURATION = ".github/auditor.yml"
_RIGHTS = lazy_compile(
    r"\b(?:pull_request_target|workflow_run)\b(?!\.)|\bwrite-all\b"
    r"|\b(?!issues|discussions)[a-z][a-z-]{1,30}[\"']?\s{0,4}:\s{0,40}(?:[>|][+-]?\s{1,40}|!\S{1,20}\s{1,4}|&\S{1,20}\s{1,4})?[\"']?write\b(?!-all)"
)
_REQUIRED = "the repository does not record which checks are required"
_PARTIAL_MEASURE = 0.5
"""The measure of touching a script that checks call, or the pipeline of another service.

A workflow of GitHub is judged by what else is asked of it; here nothing else is, and the doubt would stand alone.
"""
_EFFECT_REASON = "This takes effect after the merge; this audit used the base branch"


@probe("governance.gate_changed", reads=CALLED_FILES)
def gate_changed(change: Change, documents: Documents, governing: GovernanceFiles) -> Iterator[Fact]:
    """Does the change edit the checks and owners that decide on it?

    Counts: an edit to the audit's configuration and rubrics, to code owners, to an existing workflow that runs the audit or checks
    changes, or to an action, script or recipe that it calls. In other workflows: write access that they gain (in a new workflow only
    if no step uses it), and a job whose check has, or can get at run time, the name of the audit's own check, or that publishes a
    check and holds this name. Does not count: the first workflow that runs the audit.

    Ask a code owner of each file, or a maintainer other than you, to approve this edit, ideally in a separate pull request.
    """
    ours = {path: governing.texts[path] for path in find_audit_pipelines(governing.texts, governing.included)}
    checks = find_check_pipelines(governing.texts, governing.included) - ours.keys()
    called = CalledScripts((path, governing.texts[path]) for path in sorted(checks | ours.keys()))
    touched = [file for file in change.files if _is_gate_file(file, documents, ours)]
    first = touched if not ours and _is_first_audit(touched, documents, governing) else []
    touched = _exclude(touched, first)
    others = _exclude(change.files, touched)
    gained = {
        file.path: gain for file in others if (gain := _privilege_gain(file, documents)) is not _PrivilegeGain.NONE
    }
    raised = [file for file in others if gained.get(file.path) is _PrivilegeGain.UNUSED]
    lent = [file for file in others if gained.get(file.path) is _PrivilegeGain.POSSIBLE]
    opened = [file for file in others if gained.get(file.path) is _PrivilegeGain.TRIGGER]
    rest = _exclude(others, [*raised, *_moved_workflows(others, documents)])
    checked = [file for file in rest if _changes_pipeline(file, checks, documents)]
    recast = [file for file in _exclude(rest, checked) if _changes_called_script(file, called, documents)]
    last = _last_pipelines(checked, checks)
    elsewhere = [file for file in _remaining_files(checked) if not _is_of_github(file.path)]
    told = [
        found(_with_files(statement, files), at=change_places(files), confidence=confidence, because=because, introduced=True)
        for files, statement, confidence, because in (
            (_remaining_files(touched), f"The change edits files that decide what may be merged: {{files}}. {_EFFECT_REASON}.", 1.0, ""),
            (_removed_files(touched), f"The change removes files that decide what may be merged: {{files}}. {_EFFECT_REASON}.", 1.0, ""),
            (raised, "The change adds write permissions that no step seems to use: {files}.", 0.9, "what the steps need was judged by their text"),
            (lent, "The change adds write permissions to a workflow: {files}.", 0.6, "the steps seem to need them"),
            (opened, "The change adds a trigger by which outsiders can start a workflow with write access or secrets: {files}.", 0.6, "the workflow may never use their code or text"),
            (_exclude(_remaining_files(checked), elsewhere), "The change edits CI configuration that checks pull requests: {files}.", 0.55, _REQUIRED),
            (last, "The change removes the only CI configuration that checks pull requests: {files}.", 0.8, _REQUIRED),
            (_exclude(_removed_files(checked), last), "The change removes CI configuration that checks pull requests: {files}.", 0.6, _REQUIRED),
            (_removed_files(recast), "The change removes a script or settings that CI checks use: {files}.", 0.6, _REQUIRED),
        )
        if files
    ]  # fmt: skip
    told += [
        found(
            _with_files(statement, files),
            at=change_places(files),
            confidence=0.55,
            because=_REQUIRED,
            introduced=True,
            measure=_PARTIAL_MEASURE,
        )
        for files, statement in (
            (elsewhere, "The change edits CI configuration that checks pull requests: {files}."),
            (_remaining_files(recast), "The change edits a script or settings that CI checks use: {files}."),
        )
        if files
    ]
    told += _reserved_name_facts(change, documents, governing, frozenset(ours))
    yield from told
    if not told:
        yield not_found(
            _with_files("The change adds the first workflow that audits changes: {files}.", first)
            if first
            else "The change edits no rules for merging, code owners or CI checks, and adds no permissions.",
            confidence=0.9,
            because=_REQUIRED,
        )


def _is_first_audit(touched: Sequence[FileChange], documents: Documents, governing: GovernanceFiles) -> bool:
    """Are these new workflows that run the audit, where the base has none that they could weaken?

    Where the Action runs from a workflow that is not among them, such as one that an organization requires, there is a gate
    already: another audit could write a check of its name. If it runs from one of them, a new configuration belongs to it.
    """
    paths = {file.path for file in touched}
    is_own = governing.workflow_path in paths
    if governing.check_name and not is_own:
        return False
    return all(
        file.base is None
        and (
            (_is_workflow(file.path) and runs_audit(documents.head.get(file.path, "")))
            or (is_own and file.path == CONFIGURATION)
        )
        for file in touched
    )


def _with_files(statement: str, files: Sequence[FileChange]) -> str:
    """The statement with the files in place of `{files}`; workflows are known by their file names."""
    return statement.replace("{files}", list_names(file.path.removeprefix(".github/workflows/") for file in files))


def _last_pipelines(check_files: Sequence[FileChange], checks: Collection[str]) -> list[FileChange]:
    """Pipelines of other services that the change removes, where no workflow checked changes beside them."""
    if any(_is_workflow(path) for path in checks):
        return []
    return [file for file in _removed_files(check_files) if file.base is not None and not _is_of_github(file.base.path)]


def _exclude(files: Sequence[FileChange], reported: Sequence[FileChange]) -> list[FileChange]:
    """The files that were not reported yet."""
    paths = {file.path for file in reported}
    return [file for file in files if file.path not in paths]


def _moved_workflows(files: Sequence[FileChange], documents: Documents) -> list[FileChange]:
    """Workflows whose steps and jobs are all still there, moved or renamed at most."""
    workflows = [file for file in files if any(_is_workflow(name) for name in change_paths(file))]
    old = [documents.base.get(file.base.path, "[") for file in workflows if file.base and _is_workflow(file.base.path)]
    new = [documents.head.get(file.head.path, "[") for file in workflows if file.head and _is_workflow(file.head.path)]
    return workflows if is_only_moved(old, new) else []


def _removed_files(files: Sequence[FileChange]) -> list[FileChange]:
    """The files that the change removes."""
    return [file for file in files if _is_gone(file)]


def _remaining_files(files: Sequence[FileChange]) -> list[FileChange]:
    """The files that are still there, possibly changed."""
    return [file for file in files if not _is_gone(file)]


def _is_gone(file: FileChange) -> bool:
    """Is there no such file any more? A workflow that is moved to where nothing runs it is gone as one."""
    before, after = file.base, file.head
    return after is None or (before is not None and _is_workflow(before.path) and not _is_workflow(after.path))


def _is_of_github(path: str) -> bool:
    return path.startswith(".github/") or path.endswith(("/action.yml", "/action.yaml"))


def _is_workflow(path: str) -> bool:
    return path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))


def _changes_pipeline(file: FileChange, checks: frozenset[str], documents: Documents) -> bool:
    """Does the change alter an existing pipeline, comments aside?"""
    if file.base is None or file.base.path not in checks:
        return False
    if file.head is None or file.head.path != file.base.path:
        return True
    before, after = documents.base.get(file.base.path), documents.head.get(file.head.path)
    return before is None or after is None or strip_comments(before) != strip_comments(after)


class _PrivilegeGain(Enum):
    """What privileges a change adds to a workflow."""

    NONE = "none"
    POSSIBLE = "possible"
    """Permissions that a workflow which was there before seems to use."""
    TRIGGER = "trigger"
    """A trigger with the base's permissions."""
    UNUSED = "unused"
    """Every permission, or one that nothing in the workflow uses."""


def _privilege_gain(file: FileChange, documents: Documents) -> _PrivilegeGain:
    """The permissions or triggers that a change adds; a new workflow that narrows them to what it uses gains none."""
    if file.head is None or not _is_workflow(file.head.path):
        return _PrivilegeGain.NONE
    before = _rights(documents.base.get(file.base.path, "")) if file.base is not None else frozenset()
    after = documents.head.get(file.head.path, "")
    new = _rights(after) - before
    if not new:
        return _PrivilegeGain.NONE
    unneeded = {f"{each.right}:write": each.sure for each in find_unused_permissions(after, file.head.path)}
    if "write-all" in new or any(unneeded.get(_normalize_permission(each)) for each in new):
        return _PrivilegeGain.UNUSED
    if new & _PRIVILEGED_TRIGGERS and not is_safe_for_outsiders(after):
        return _PrivilegeGain.TRIGGER
    if new <= _PRIVILEGED_TRIGGERS:
        return _PrivilegeGain.NONE
    used = _granted_rights(after) - unneeded.keys()
    narrowed = file.base is None and all(_normalize_permission(each) in used for each in new - _PRIVILEGED_TRIGGERS)
    return _PrivilegeGain.NONE if narrowed else _PrivilegeGain.POSSIBLE


def _granted_rights(workflow: str) -> set[str]:
    """The permissions to write that are where GitHub reads them: at the top, or in a job."""
    read = workflow_job_lines.read_rows(workflow)
    keys = [read.top_level_keys.get("permissions"), *(job.keys.get("permissions") for job in read.jobs)]
    return {f"{right}:write" for key in keys if read.jobs and key is not None for right in write_permissions(read, key)}


_PRIVILEGED_TRIGGERS = frozenset({"pull_request_target", "workflow_run"})
"""Triggers that run with the base's permissions and secrets."""


def _normalize_permission(right: str) -> str:
    """A permission without quotes and YAML's signs."""
    return f"{right.partition(':')[0].strip(_QUOTES)}:write" if ":" in right else right


_QUOTES = "\"'"


def _rights(workflow: str) -> frozenset[str]:
    """Triggers that run with the base's rights, and permissions to write more than issues and discussions; no comments."""
    plain = "\n".join(line.partition(" #")[0] for line in workflow.split("\n") if not line.lstrip().startswith("#"))
    plain = decode_escapes(plain, NUMBER_ESCAPES)
    return frozenset("".join(found.group().split()) for found in _RIGHTS.finditer(plain))


def _changes_called_script(file: FileChange, called: CalledScripts, documents: Documents) -> bool:
    """Does the change alter what pipelines call? A new file was not called before."""
    if file.base is None:
        return False
    before = documents.base.get(file.base.path)
    after = documents.head.get(file.head.path, "") if file.head is not None and file.head.path == file.base.path else ""
    return called.changes_meaning(file.base.path, before, after)


def _is_gate_file(file: FileChange, documents: Documents, audit_pipelines: Mapping[str, str]) -> bool:
    """Is it part of the gate by its name, by what it runs, or because the audit's pipelines call it?"""
    names = change_paths(file)
    if any(is_gate(name) or name in audit_pipelines for name in names):
        return True
    if any(runs_audit(documents.head.get(name, "") + documents.base.get(name, "")) for name in names):
        return True
    return any(references_pipeline(text, name) for text in audit_pipelines.values() for name in names)


def _reserved_name_facts(
    change: Change, documents: Documents, governing: GovernanceFiles, audit_pipelines: frozenset[str]
) -> Iterator[Fact]:
    """Facts about jobs with the name of the audit's own check, and about workflows that cannot be read."""
    before = {**governing.texts, **documents.base}
    replaced = {file.base.path for file in change.files if file.base is not None}
    after = {path: text for path, text in before.items() if path not in replaced} | dict(documents.head)
    compared = WorkflowComparison(change.files, after, before, audit_pipelines, governing.check_name)
    forged = sorted(compared.find_reserved_name_uses(), key=lambda each: (each.is_dynamic, each.path, each.line))
    for sure, because in ((True, _REQUIRED), (False, "the name is only known at run time")):
        jobs = [each for each in forged if each.is_dynamic is not sure]
        if jobs:
            yield found(
                _reserved_name_statement(jobs),
                at=[code_location(each.path, each.line) for each in jobs],
                confidence=0.9 if sure else 0.8,
                because=because,
                introduced=True,
            )
    for each in compared.find_published_names():
        yield found(
            f"`{each.path}` publishes a check or status itself, and `{each.reserved_name}` is the name of the audit's own check.",
            at=[code_location(each.path, each.line)],
            confidence=0.9,
            because=_REQUIRED,
            introduced=True,
        )
    unread = compared.unread() if compared.is_audited else {}
    if unread:
        yield found(
            f"Check names in {list_names(unread)} are unknown and could match the audit's own check.",
            at=[code_location(path) for path in unread],
            confidence=0.8,
            because=f"the workflow could not be read: {next(iter(unread.values()))}",
            introduced=True,
        )


def _reserved_name_statement(jobs: Sequence[ReservedNameUse]) -> str:
    """What is wrong with jobs that are all known, or all known at run time only."""
    reserved = first_few(sorted({f"`{each.reserved_name}`" for each in jobs}), 3)
    named = first_few([f"job `{each.job}`" for each in jobs if each.job], 3) or "a job"
    said = f"{named[0].upper()}{named[1:]}"
    if jobs[0].is_dynamic:
        return f"{said} can get the name of the audit's own check {reserved} at run time and pass instead of it."
    return f"{said} has the name of the audit's own check {reserved} and could pass instead of it."
