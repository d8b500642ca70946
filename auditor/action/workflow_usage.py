"""What the workflows of a repository do with the Action, and what is wrong about it. Text in, findings out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import yaml

from auditor import rubric_loader
from auditor.action import action_inputs
from auditor.action.action_inputs import Drafts, Inputs, Judges
from auditor.action.workflow_examples import PERMISSIONS
from auditor.domain import UserError
from auditor.settings import DEFAULT_RUBRIC

MAX_BYTES = 1_000_000
_ACTION_REFERENCE = re.compile(r"(?:[\w.-]+/automaton-auditor|docker://\S*automaton-auditor\S*)(?:[@/].*)?", re.ASCII)
_HEAD_REFERENCE = re.compile(r"pull_request\.head|head_ref|refs/pull/|merge_commit_sha")
_PINNED = re.compile(r"@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$")
_PERMISSION_LEVELS = {"none": 0, "read": 1, "write": 2}


class FindingLevel(StrEnum):
    """How much a finding matters."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked: its result, and what to do about it."""

    weight: FindingLevel
    says: str
    remedy: str = ""


@dataclass(frozen=True)
class ActionStep:
    """One step that uses the Action."""

    file: str
    workflow: Mapping[Any, Any]
    job_id: str
    job: Mapping[Any, Any]
    step: Mapping[Any, Any]

    @property
    def events(self) -> Mapping[str, Any]:
        """What starts the workflow, with its filters. YAML 1.1 reads the key `on` as true."""
        on = self.workflow.get("on", self.workflow.get(True))
        if isinstance(on, str):
            return {on: None}
        if isinstance(on, list):
            return {str(each): None for each in on}
        return {str(name): filters for name, filters in on.items()} if isinstance(on, Mapping) else {}

    @property
    def uses(self) -> str:
        """What the step names."""
        return str(self.step.get("uses", ""))

    @property
    def given(self) -> dict[str, str]:
        """The inputs it gives, without those that are known only at run time."""
        given = self.step.get("with")
        if not isinstance(given, Mapping):
            return {}
        return {str(name): _scalar_text(value) for name, value in given.items()}


def _scalar_text(value: Any) -> str:
    """A scalar as text. Lists and mappings may repeat each other without end, and are nobody's input."""
    return str(value) if isinstance(value, str | int | float) else ""


def find_action_steps(file: str, content: bytes, *, local: bool = False) -> tuple[ActionStep, ...]:
    """The steps of a workflow that use the Action; `local` says that `./` is the Action itself.

    Raises UserError for what is no workflow.
    """
    try:
        plain = yaml.safe_load(content) if len(content) <= MAX_BYTES else None
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError) as error:
        raise UserError(f"{file} is not valid YAML: check it with actionlint.") from error
    if not isinstance(plain, Mapping) or not isinstance(plain.get("jobs"), Mapping):
        return ()
    return tuple(
        ActionStep(file, plain, str(job_id), job, step)
        for job_id, job in plain["jobs"].items()
        if isinstance(job, Mapping) and isinstance(job.get("steps"), list)
        for step in job["steps"]
        if isinstance(step, Mapping) and _is_ours(str(step.get("uses", "")), local=local)
    )


def _is_ours(uses: str, *, local: bool) -> bool:
    return _ACTION_REFERENCE.fullmatch(uses) is not None or (local and uses in {"./", "."})


def check_step(use: ActionStep) -> tuple[Finding, ...]:
    """What is to be said of a use, the most severe first."""
    found = [
        *_check_inputs(use),
        *_check_events(use),
        *_check_permissions(use),
        *_check_trust(use),
        *_check_names(use),
        *_check_details(use),
    ]
    order = (FindingLevel.WRONG, FindingLevel.NOTE, FindingLevel.FINE)
    return tuple(sorted(found, key=lambda each: order.index(each.weight)))


def _known_inputs(use: ActionStep) -> Inputs:
    """Its inputs as far as they can be read without a run."""
    plain = {f"INPUT_{name.upper()}": value for name, value in use.given.items() if "${{" not in value}
    try:
        return action_inputs.read(plain)[0]
    except UserError:
        return Inputs()


def _check_inputs(use: ActionStep) -> Iterator[Finding]:
    plain = {f"INPUT_{name.upper()}": value for name, value in use.given.items() if "${{" not in value}
    known = {each.name for each in action_inputs.INPUTS}
    try:
        action_inputs.read(plain)
    except UserError as error:
        for line in str(error).splitlines():
            yield Finding(FindingLevel.WRONG, line, "Correct it under `with:`.")
    for name in sorted(set(use.given) - known):
        if "${{" in use.given[name]:
            yield Finding(
                FindingLevel.WRONG,
                f"There is no input {name!r}.",
                "See the list of inputs in .github/docs/action.md of the Action.",
            )
    wanted = _known_inputs(use)
    name = wanted.rubric or DEFAULT_RUBRIC
    if name in rubric_loader.names():
        there = {each.id for each in rubric_loader.built_in(name).criteria}
        for each in sorted(set(wanted.min_scores) - there):
            yield Finding(
                FindingLevel.WRONG if wanted.rubric else FindingLevel.NOTE,
                f"min-scores names {each}, which is not a criterion of the rubric {name}.",
                f"Its criteria are {', '.join(sorted(there))}; a rubric named in the configuration may have others.",
            )
    if wanted.judges is Judges.CLAUDE and not {"anthropic-api-key", "federation-rule", "provider"} & set(use.given):
        yield Finding(
            FindingLevel.WRONG,
            "judges is claude, and no key is given.",
            "Set `anthropic-api-key: ${{ secrets.ANTHROPIC_API_KEY }}`, or keep judges: auto.",
        )


def _check_events(use: ActionStep) -> Iterator[Finding]:
    events = use.events
    about_pulls = {"pull_request", "pull_request_target"} & set(events)
    if not about_pulls and "workflow_run" not in events:
        yield Finding(
            FindingLevel.NOTE, "The workflow does not run for pull requests.", "Add the trigger pull_request."
        )
    for event in sorted(about_pulls):
        filters = events[event] if isinstance(events[event], Mapping) else {}
        types = filters.get("types") or ["opened", "synchronize", "reopened"]
        if _known_inputs(use).drafts is Drafts.SKIP and "ready_for_review" not in types:
            yield Finding(
                FindingLevel.WRONG,
                f"{event} does not start on ready_for_review, so a draft that becomes ready is not audited.",
                "Add ready_for_review to its types, or set drafts: audit.",
            )
        if "edited" not in types and not _is_read_only(use):
            yield Finding(
                FindingLevel.WRONG,
                f"{event} does not start on edited, so a pull request that gets another base keeps the verdict on the first one.",
                "Add edited to its types.",
            )
        for name in ("paths", "paths-ignore"):
            if name in filters:
                yield Finding(
                    FindingLevel.WRONG,
                    f"{event} has {name}: if no path matches, a required check waits forever.",
                    "Remove the filter, and exclude files in .github/auditor.yml instead.",
                )
        if _known_inputs(use).label is not None and "labeled" not in types:
            yield Finding(
                FindingLevel.WRONG, f"{event} does not start when a label is set.", "Add labeled to its types."
            )
    if about_pulls and "merge_group" not in events:
        yield Finding(
            FindingLevel.NOTE,
            "Without the event merge_group, a merge queue waits forever for the check.",
            "Add merge_group.",
        )


def _check_permissions(use: ActionStep) -> Iterator[Finding]:
    granted = use.job.get("permissions", use.workflow.get("permissions"))
    if granted is None:
        yield Finding(
            FindingLevel.NOTE,
            "The job has the default permissions of the repository.",
            "Set `permissions: {}` at the top, and give the job only the permissions that it needs.",
        )
        return
    if _is_read_only(use):
        yield Finding(
            FindingLevel.NOTE,
            "The job can only read: its verdict is in the job summary and the exit code, not on the pull request.",
            "Require the job; or give it checks: write and pull-requests: write, and require the check.",
        )
        return
    for name, needed in PERMISSIONS.items():
        if _PERMISSION_LEVELS.get(_granted_level(granted, name), 0) < _PERMISSION_LEVELS[needed]:
            yield Finding(FindingLevel.WRONG, f"The job lacks {name}: {needed}.", "Add it to the job's permissions.")
    if granted == "write-all":
        yield Finding(
            FindingLevel.WRONG, "The job has every write permission.", "Give it only the permissions that it needs."
        )


def _is_read_only(use: ActionStep) -> bool:
    return use.job.get("permissions") == {"contents": "read"}


def _granted_level(granted: Any, name: str) -> str:
    """The extent of a permission. A comment needs pull-requests or issues."""
    if not isinstance(granted, Mapping):
        return str(granted).removesuffix("-all")
    if name == "pull-requests" and granted.get("issues") == "write":
        return "write"
    return str(granted.get(name, "none"))


def _check_trust(use: ActionStep) -> Iterator[Finding]:
    if not {"pull_request_target", "workflow_run"} & set(use.events):
        return
    steps = [each for each in use.job.get("steps", []) if isinstance(each, Mapping)]
    for step in steps:
        given = step.get("with")
        words = [*(given.values() if isinstance(given, Mapping) else ()), step.get("run")]
        checks_out = str(step.get("uses", "")).startswith("actions/checkout")
        if (checks_out or "run" in step) and any(_HEAD_REFERENCE.search(_scalar_text(each)) for each in words):
            yield Finding(
                FindingLevel.WRONG,
                "A job that has a token that can write and secrets checks out the head of a pull request.",
                "Remove the step: the Action fetches what it reads itself, and runs none of it.",
            )


def _check_names(use: ActionStep) -> Iterator[Finding]:
    name = _known_inputs(use).check_name
    jobs = {str(job.get("name", job_id)) for job_id, job in use.workflow["jobs"].items() if isinstance(job, Mapping)}
    if name is not None and name in jobs:
        yield Finding(
            FindingLevel.WRONG,
            f"The check-name {name!r} is also the name of a job: two checks with the same name must both pass.",
            "Give the check another name.",
        )


def _cancels_on_labels(use: ActionStep) -> bool:
    """Do runs for labels that decide nothing cancel others?"""
    found = use.job.get("concurrency", use.workflow.get("concurrency"))
    cancelling = isinstance(found, Mapping) and found.get("cancel-in-progress") not in (None, False)
    return cancelling and "event.label" not in _scalar_text(found.get("group"))


def _check_details(use: ActionStep) -> Iterator[Finding]:
    if "concurrency" not in use.workflow and "concurrency" not in use.job:
        yield Finding(
            FindingLevel.NOTE,
            "Without a concurrency group, an older run continues beside a newer one; it writes nothing but costs time.",
            "Add the concurrency group of the workflow in the README.",
        )
    elif _known_inputs(use).label is not None and _cancels_on_labels(use):
        yield Finding(
            FindingLevel.WRONG,
            "Any label cancels the running audit, but only one label starts another.",
            "Use the concurrency group of the workflow in the page Forks, which distinguishes labels.",
        )
    if use.uses.startswith("OWNER/"):
        yield Finding(
            FindingLevel.NOTE,
            "The Action is named `OWNER/automaton-auditor`, as in the documentation.",
            "Replace OWNER with the account that hosts the Action, and pin it to the commit SHA of a release.",
        )
    elif not _PINNED.search(use.uses) and not use.uses.startswith("."):
        yield Finding(
            FindingLevel.NOTE,
            "The Action is not pinned.",
            "Pin it to the commit SHA of a release, which also pins its image.",
        )
    if use.step.get("continue-on-error") is True or use.job.get("continue-on-error") is True:
        yield Finding(
            FindingLevel.NOTE,
            "continue-on-error hides a failed step.",
            "Require the check run, or remove continue-on-error.",
        )
