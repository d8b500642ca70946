"""Checks of changes that were weakened: they can no longer fail, or no longer run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from auditor.domain import Fact, FileChange
from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, Tree
from auditor.forensics.workflows.called_file_checks import CalledFiles, ChangedFile
from auditor.forensics.workflows.check_comparison import Weakening, find_weakenings
from auditor.forensics.workflows.check_inventory import CollectedChecks, collect_checks, is_workflow
from auditor.forensics.workflows.checking_pipelines import CALLED_FILES, find_check_pipelines
from auditor.forensics.workflows.ci_systems import included_pipelines
from auditor.forensics.workflows.governance_files import is_pipeline
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from auditor.row_tables import names_of

_MAX_SHOWN = 20
_PARTIAL_MEASURE = 0.5
"""The measure of a check that may have been replaced by another."""
_CONFIRMED = 0.8
_NOT_FOLLOWED_REASON = "recipes, actions and workflows of other repositories were not checked"
_RECIPE_FILES = names_of(project_files().recipe_files)
_SCRIPTS = tuple(sorted(names_of(project_files().step_files) | _RECIPE_FILES | set(CALLED_FILES)))


@probe("governance.weakened_checks", reads=_SCRIPTS)
def weakened_checks(change: Change, documents: Documents, governing: GovernanceFiles, tree: Tree) -> Iterator[Fact]:
    """Is a CI check weakened or removed?

    Counts: a test, linter, type checker or scanner that pipelines ran for changes at the base, and that now has
    `continue-on-error: true`, `allow_failure: true`, `|| true`, `--exit-zero` or the like, has a condition or trigger that is never met,
    waits for somebody to start it, runs on the base branch in place of the change, gets options by which it checks less, or is removed
    without a replacement; also in the scripts and recipes that pipelines call. Does not count: a check that is moved, renamed or
    replaced by another tool of its kind.

    Undo this edit, so that the check can fail again, or remove the check in a separate change that its owners approve.
    """
    said = {**governing.texts, **documents.head}
    included = {each for several in included_pipelines(said, said.keys()).values() for each in several}
    changed = [file for file in change.files if _is_relevant(file, governing.included | included)]
    before, after = (
        _collected(changed, documents, governing, tree) if changed else (CollectedChecks(), CollectedChecks())
    )
    rest = _unread_files(change, documents, before.files | before.unread.keys())
    paths = find_check_pipelines(governing.texts, governing.included) if changed or rest else ()
    pipelines = {path: governing.texts[path] for path in paths}
    called = CalledFiles(pipelines, rest)
    if not changed and not called.files:
        yield not_found("The change edits no workflow and no script that workflows run.")
        return
    if not pipelines and not before.checks and not before.unread and not before.cut:
        yield not_applicable("No workflow of the base branch checks changes.")
        return
    sides = [{**governing.scripts, **_scripts(each)} for each in (documents.base, documents.head)]
    seen = [*find_weakenings(before, after), *called.weakenings(*sides)]
    yield from _weakening_facts(seen)
    dark = _unread_workflows(changed, documents, before, after)
    if dark:
        path, reason = next(iter(dark.items()))
        yield unavailable(
            f"`{path}` could not be read, so weakened checks may be missed: {reason}.",
            at=[code_location(each) for each in dark],
        )
    elif not seen:
        yield not_found("Every CI check still runs and can still fail.", confidence=0.9, because=_NOT_FOLLOWED_REASON)


def _collected(
    changed: list[FileChange], documents: Documents, governing: GovernanceFiles, tree: Tree
) -> tuple[CollectedChecks, CollectedChecks]:
    """The checks of both sides, as far as pipelines and what they call are followed."""
    before = collect_checks({**governing.texts, **governing.scripts, **_scripts(documents.base)}, tree.base.keys())
    texts = {**_head_pipelines(changed, documents, governing), **_scripts(documents.head)}
    return before, collect_checks(texts, tree.head.keys(), before.branches)


def _unread_files(change: Change, documents: Documents, read: Collection[str]) -> list[ChangedFile]:
    """The files on both sides of a change whose commands were not read."""
    return [
        ChangedFile(old.path, new.path, documents.base[old.path], documents.head[new.path])
        for old, new in ((file.base, file.head) for file in change.files)
        if old and new and old.path not in read and old.path in documents.base and new.path in documents.head
    ]


def _weakening_facts(seen: list[Weakening]) -> Iterator[Fact]:
    """A fact for each message; matrix jobs and copies have the same one."""
    by_sentence: dict[str, list[Weakening]] = {}
    for each in seen:
        by_sentence.setdefault(each.says, []).append(each)
    ordered = sorted(by_sentence.items(), key=lambda item: -item[1][0].confidence)
    for says, several in ordered[:_MAX_SHOWN]:
        first = several[0]
        places = dict.fromkeys((each.path, each.line, each.side) for each in several)
        yield found(
            says,
            at=[code_location(path, line or None, side=side) for path, line, side in places],
            confidence=first.confidence,
            because=first.because or _NOT_FOLLOWED_REASON,
            measure=None if first.confidence >= _CONFIRMED else _PARTIAL_MEASURE,
            introduced=True,
        )


def _is_relevant(file: FileChange, included: Collection[str]) -> bool:
    return any(
        is_pipeline(entry.path) or _is_script(entry.path) or entry.path in included
        for entry in (file.base, file.head)
        if entry is not None
    )


def _scripts(texts: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in texts.items() if _is_script(path)}


def _is_script(path: str) -> bool:
    return path.endswith((".sh", ".bash")) or path in _RECIPE_FILES


def _head_pipelines(changed: list[FileChange], documents: Documents, governing: GovernanceFiles) -> dict[str, str]:
    """The pipelines of the head: those of the base with the change applied."""
    gone = {file.base.path for file in changed if file.base is not None}
    kept = {path: text for path, text in {**governing.scripts, **governing.texts}.items() if path not in gone}
    new = {
        file.head.path: documents.head[file.head.path]
        for file in changed
        if file.head is not None and file.head.path in documents.head
    }
    return {**kept, **new}


def _unread_workflows(
    changed: list[FileChange], documents: Documents, before: CollectedChecks, after: CollectedChecks
) -> dict[str, str]:
    """Workflows of which one side could not be read or followed, and why: those of the change, and those that run what it changes."""
    dark = {**before.cut, **after.cut}
    for file in changed:
        if file.base is not None and file.base.path in before.unread:
            dark[file.base.path] = before.unread[file.base.path]
        if file.head is None or not is_workflow(file.head.path) or file.base is None:
            continue
        if file.head.path not in documents.head:
            dark[file.head.path] = "its text is not available"
        elif file.head.path in after.unread:
            dark[file.head.path] = after.unread[file.head.path]
    return dark
