"""What each event asks for: a plan, made from the event alone. Nothing is read from GitHub or git here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.action.runner_environment import Runner
from auditor.domain import PullRequest, UserError


@dataclass(frozen=True)
class ReviewEvent:
    """The review that an event is about."""

    author: str
    decides: bool
    """Does it approve, refuse, or take that back? A comment does not."""


@dataclass(frozen=True)
class AuditPullRequest:
    """Audit what a pull request changes. `event_state` is its state when the event was sent, which may be long ago."""

    number: int
    event_state: PullRequest
    previous_head: str | None = None
    """The head before the push that this event tells of."""
    label: str | None = None
    """The label whose setting this event tells of."""
    opened: bool = False
    """Does this event tell of its opening?"""
    review: ReviewEvent | None = None


@dataclass(frozen=True)
class FindPullRequest:
    """Find the open pull request with this head through the API, then audit it. Nothing the run left behind is read."""

    head_sha: str
    head_repository: str
    head_branch: str


@dataclass(frozen=True)
class AuditTree:
    """Audit all files of a commit of this repository."""

    sha: str
    previous_head: str | None = None
    """The head of the branch before the push that this event tells of."""


@dataclass(frozen=True)
class CarryOver:
    """Conclude a merge group as its pull request ended; ask no model again."""

    sha: str
    base_sha: str
    number: int | None


@dataclass(frozen=True)
class Skip:
    """Nothing to do, and why."""

    reason: str


Plan = AuditPullRequest | FindPullRequest | AuditTree | CarryOver | Skip

AUDITED_ACTIONS = ("opened", "synchronize", "reopened", "ready_for_review", "edited", "labeled")
"""What can happen to a pull request that calls for a verdict."""
REVIEW_ACTIONS = ("submitted", "edited", "dismissed")
"""What can happen to a review."""
_DECIDING_REVIEWS = frozenset({"approved", "changes_requested", "dismissed"})
"""States of a review that can change whether the head is approved."""
_MAX_TEXT = 300_000
_SHA = r"^[0-9a-f]{40}([0-9a-f]{24})?$"
_MERGE_QUEUE_REF = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-[0-9a-f]{40,64}")
_ZERO_SHA = re.compile(r"0{40,64}")


def plan(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    """What the event asks for. Raises UserError for an event nobody can audit, so that no workflow is green by mistake."""
    planner = _PLANNERS.get(runner.event)
    if planner is None:
        raise UserError(
            f"the event {runner.event[:60]!r} cannot be audited: trigger the workflow with one of {', '.join(_PLANNERS)}."
        )
    return planner(runner, payload)


class _EventPart(BaseModel):
    """Part of an event; its other fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Repository(_EventPart):
    full_name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$")


class _Branch(_EventPart):
    ref: str = Field(max_length=1024)
    sha: str = Field(pattern=_SHA)
    repo: _Repository | None = None


class _User(_EventPart):
    login: str = Field(max_length=200)


class _Label(_EventPart):
    name: str = Field(max_length=1000)


class _PullRequest(_EventPart):
    number: int = Field(ge=1)
    state: str
    draft: bool = False
    merged: bool = False
    title: str = Field(max_length=_MAX_TEXT)
    body: str | None = Field(default=None, max_length=_MAX_TEXT)
    user: _User | None = None
    base: _Branch
    head: _Branch
    labels: tuple[_Label, ...] = ()
    mergeable: bool | None = None


class _PullRequestEvent(_EventPart):
    action: str
    before: str | None = Field(default=None, pattern=_SHA)
    label: _Label | None = None
    pull_request: _PullRequest


class _Review(_EventPart):
    state: str = Field(max_length=100)
    user: _User | None = None


class _PullRequestReviewEvent(_EventPart):
    action: str
    review: _Review
    pull_request: _PullRequest


class _WorkflowRun(_EventPart):
    event: str
    head_sha: str = Field(pattern=_SHA)
    head_branch: str | None = Field(default=None, max_length=1024)
    head_repository: _Repository | None = None


class _WorkflowRunEvent(_EventPart):
    workflow_run: _WorkflowRun


class _MergeGroup(_EventPart):
    head_sha: str = Field(pattern=_SHA)
    head_ref: str = Field(max_length=1024)
    base_sha: str = Field(pattern=_SHA)


class _MergeGroupEvent(_EventPart):
    action: str
    merge_group: _MergeGroup


Event = TypeVar("Event", bound=_EventPart)


def _parse_event(kind: type[Event], runner: Runner, payload: Mapping[str, Any]) -> Event:
    try:
        return kind.model_validate(payload)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise UserError(f"the event {runner.event} lacks a usable {place}, which GitHub always sends.") from error


def _plan_pull_request(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    event = _parse_event(_PullRequestEvent, runner, payload)
    told = event.pull_request
    if event.action == "closed":
        return Skip(f"Pull request #{told.number} is closed.")
    if event.action not in AUDITED_ACTIONS:
        return Skip(f"`{event.action[:40]}` changes nothing that is audited.")
    label = event.label.name if event.action == "labeled" and event.label else None
    return AuditPullRequest(told.number, _to_pull_request(told), event.before, label, event.action == "opened")


def _plan_review(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    """An approval, or one that was taken back, may change the verdict.

    A comment does not, and needs a verdict all the same: where the job is required, a run that skipped would stand for one.
    """
    event = _parse_event(_PullRequestReviewEvent, runner, payload)
    told, said = event.pull_request, event.review
    if event.action not in REVIEW_ACTIONS:
        return Skip(f"`{event.action[:40]}` changes nothing that is audited.")
    review = ReviewEvent(said.user.login if said.user else "", said.state.lower() in _DECIDING_REVIEWS)
    return AuditPullRequest(told.number, _to_pull_request(told), review=review)


def _to_pull_request(told: _PullRequest) -> PullRequest:
    home = told.base.repo.full_name if told.base.repo else None
    head_home = told.head.repo.full_name if told.head.repo else None
    return PullRequest(
        number=told.number,
        open=told.state == "open",
        draft=told.draft,
        merged=told.merged,
        title=told.title,
        body=told.body or "",
        author=told.user.login if told.user else "",
        base_ref=told.base.ref,
        base_sha=told.base.sha,
        head_ref=told.head.ref,
        head_sha=told.head.sha,
        head_repository=head_home,
        fork=head_home is None or head_home != home,
        labels=tuple(each.name for each in told.labels),
        mergeable=told.mergeable,
    )


def _plan_workflow_run(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    run = _parse_event(_WorkflowRunEvent, runner, payload).workflow_run
    if run.event not in {"pull_request", "pull_request_target", "pull_request_review"}:
        return Skip(f"The run that ended was of a {run.event[:40]!r}, not of a pull request.")
    if run.head_repository is None or not run.head_branch:
        return Skip("The repository that the pull request came from is gone.")
    return FindPullRequest(run.head_sha, run.head_repository.full_name, run.head_branch)


def _plan_merge_group(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    event = _parse_event(_MergeGroupEvent, runner, payload)
    if event.action != "checks_requested":
        return Skip(f"A merge group was {event.action[:40]!r}; it asks for no check.")
    queued = _MERGE_QUEUE_REF.fullmatch(event.merge_group.head_ref)
    return CarryOver(event.merge_group.head_sha, event.merge_group.base_sha, int(queued[1]) if queued else None)


def _plan_push(runner: Runner, payload: Mapping[str, Any]) -> Plan:
    if payload.get("deleted") is True or _ZERO_SHA.fullmatch(str(payload.get("after"))):
        return Skip("A branch was deleted; there is nothing to audit.")
    before = str(payload.get("before"))
    known = re.fullmatch(_SHA, before) and not _ZERO_SHA.fullmatch(before)
    return AuditTree(runner.sha, before if known else None)


def _plan_tree(runner: Runner, _payload: Mapping[str, Any]) -> Plan:
    return AuditTree(runner.sha)


_PLANNERS: Mapping[str, Callable[[Runner, Mapping[str, Any]], Plan]] = {
    "pull_request": _plan_pull_request,
    "pull_request_target": _plan_pull_request,
    "pull_request_review": _plan_review,
    "workflow_run": _plan_workflow_run,
    "merge_group": _plan_merge_group,
    "push": _plan_push,
    "schedule": _plan_tree,
    "workflow_dispatch": _plan_tree,
    "repository_dispatch": _plan_tree,
}
EVENTS = tuple(_PLANNERS)


@dataclass(frozen=True)
class Superseded:
    """There is a newer head, which has a run of its own."""

    head_sha: str


def was_label_set_on(plan: AuditPullRequest, head: str, label: str) -> bool:
    """Was the label set when this very commit was the head, as far as the event shows?

    Labels outlive pushes: one that was there before the last push says nothing of what was pushed.
    """
    return plan.event_state.head_sha == head and (plan.opened or plan.label == label)


def resolve_plan(
    plan: AuditPullRequest, live: PullRequest, *, attempt: int, skip_drafts: bool, label: str | None
) -> AuditPullRequest | Skip | Superseded:
    """The plan in the light of the state of the pull request now. `label` is the one that the workflow cares for.

    A run that is started again carries the event of its first start, so it audits the head of today. On
    a first run another head means that somebody pushed meanwhile, and that push has a run of its own.
    """
    if not live.open:
        return Skip(f"Pull request #{live.number} is {'merged' if live.merged else 'closed'}.")
    if live.draft and skip_drafts:
        return Skip(f"Pull request #{live.number} is a draft; it is audited when it is ready for review.")
    if label is not None and plan.label not in (None, label):
        return Skip("The label that was set decides nothing here.")
    if attempt <= 1 and live.head_sha != plan.event_state.head_sha:
        return Superseded(live.head_sha)
    return AuditPullRequest(live.number, live, plan.previous_head, plan.label)
