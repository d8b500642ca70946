"""Every event has a defined outcome."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.action import event_plans, runner_environment
from auditor.action.event_plans import (
    EVENTS,
    AuditPullRequest,
    AuditTree,
    CarryOver,
    FindPullRequest,
    Plan,
    ReviewEvent,
    Skip,
    Superseded,
    resolve_plan,
)
from auditor.domain import PullRequest, UserError
from tests.action.recorded import BASE, HEAD, MERGE, NAMES, payload, runner_of


def planned(name: str, **changes: Any) -> Plan:
    return event_plans.plan(runner_of(name), {**payload(name), **changes})


def told(name: str) -> PullRequest:
    plan = planned(name)
    assert isinstance(plan, AuditPullRequest)
    return plan.event_state


@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "ready_for_review", "edited", "labeled"])
def test_what_changes_a_pull_request_is_audited(action: str) -> None:
    found = told(f"pull_request.{action}")
    assert (found.number, found.base_sha, found.head_sha) == (7, BASE, HEAD)
    assert (found.open, found.draft, found.fork) == (True, False, False)


@pytest.mark.parametrize(("state", "decides"), [("approved", True), ("dismissed", True), ("commented", False)])
def test_a_review_calls_for_a_verdict_and_the_plan_tells_whether_it_decides_something(
    state: str, decides: bool
) -> None:
    plan = planned(f"pull_request_review.{state}")
    assert isinstance(plan, AuditPullRequest)
    assert (plan.number, plan.event_state.base_sha, plan.event_state.head_sha) == (7, BASE, HEAD)
    assert plan.review == ReviewEvent("maintainer", decides)


def test_the_pull_request_of_a_workflow_that_ran_on_a_review_is_looked_for() -> None:
    run = payload("workflow_run.of_a_fork")
    run["workflow_run"]["event"] = "pull_request_review"
    assert planned("workflow_run.of_a_fork", **run) == FindPullRequest(HEAD, "stranger/project", "rounding")


@pytest.mark.parametrize(
    ("name", "plan"),
    [
        ("pull_request.closed", Skip("Pull request #7 is closed.")),
        ("pull_request.converted_to_draft", Skip("`converted_to_draft` changes nothing that is audited.")),
        ("pull_request.assigned", Skip("`assigned` changes nothing that is audited.")),
        ("workflow_run.of_a_fork", FindPullRequest(HEAD, "stranger/project", "rounding")),
        ("workflow_run.of_a_push", Skip("The run that ended was of a 'push', not of a pull request.")),
        ("workflow_run.of_a_deleted_fork", Skip("The repository that the pull request came from is gone.")),
        ("merge_group.checks_requested", CarryOver(MERGE, BASE, 7)),
        ("merge_group.destroyed", Skip("A merge group was 'destroyed'; it asks for no check.")),
        ("push.commits", AuditTree(MERGE, BASE)),
        ("push.branch_deleted", Skip("A branch was deleted; there is nothing to audit.")),
        ("schedule", AuditTree(MERGE)),
        ("workflow_dispatch", AuditTree(MERGE)),
    ],
)
def test_other_events_have_their_plan(name: str, plan: Plan) -> None:
    assert planned(name) == plan


def test_every_event_that_is_known_is_recorded_and_every_record_can_be_planned() -> None:
    assert {name.partition(".")[0] for name in NAMES} == set(EVENTS) - {"repository_dispatch"}
    for name in NAMES:
        planned(name)


@pytest.mark.parametrize(
    ("name", "fork", "head_repository"),
    [
        ("pull_request.opened", False, "example/project"),
        ("pull_request.dependabot", False, "example/project"),
        ("pull_request.fork", True, "stranger/project"),
        ("pull_request_target.opened", True, "stranger/project"),
        ("pull_request.deleted_fork", True, None),
    ],
)
def test_a_fork_is_told_by_its_repository(name: str, fork: bool, head_repository: str | None) -> None:
    assert (told(name).fork, told(name).head_repository) == (fork, head_repository)


def test_an_event_nobody_can_audit_is_an_error_that_names_those_one_can() -> None:
    for event in ("issue_comment", "release", "::error::x"):
        with pytest.raises(UserError, match="trigger the workflow with one of pull_request, pull_request_target"):
            event_plans.plan(
                runner_environment.read({"GITHUB_EVENT_NAME": event, "GITHUB_REPOSITORY": "e/p", "GITHUB_SHA": MERGE}),
                {},
            )


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"pull_request": None}, "pull_request"),
        ({"pull_request": {**payload("pull_request.opened")["pull_request"], "number": -1}}, "pull_request.number"),
        (
            {"pull_request": {**payload("pull_request.opened")["pull_request"], "head": {"ref": "x", "sha": "--upload-pack=sh"}}},
            "pull_request.head.sha",
        ),
        ({"pull_request": {**payload("pull_request.opened")["pull_request"], "title": "t" * 400_000}}, "pull_request.title"),
    ],
)  # fmt: skip
def test_an_event_that_github_would_not_send_is_refused_in_one_sentence(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(UserError, match=f"lacks a usable {place}") as raised:
        planned("pull_request.opened", **changes)
    assert len(str(raised.value)) < 200


def settled(live: PullRequest, attempt: int = 1, *, skip_drafts: bool = True, label: str | None = None) -> object:
    plan = planned("pull_request.opened")
    assert isinstance(plan, AuditPullRequest)
    return resolve_plan(plan, live, attempt=attempt, skip_drafts=skip_drafts, label=label)


def test_the_live_state_decides_and_not_the_event() -> None:
    live = told("pull_request.opened")
    assert settled(live) == AuditPullRequest(7, live)
    assert settled(live.model_copy(update={"open": False})) == Skip("Pull request #7 is closed.")
    assert settled(live.model_copy(update={"open": False, "merged": True})) == Skip("Pull request #7 is merged.")
    draft = live.model_copy(update={"draft": True})
    assert isinstance(settled(draft), Skip)
    assert settled(draft, skip_drafts=False) == AuditPullRequest(7, draft)


def test_only_the_label_that_is_cared_for_calls_for_another_verdict() -> None:
    plan = planned("pull_request.labeled")
    assert isinstance(plan, AuditPullRequest)
    assert plan.label == "audit"
    for label, found in ((None, AuditPullRequest), ("audit", AuditPullRequest), ("other", Skip)):
        assert isinstance(resolve_plan(plan, plan.event_state, attempt=1, skip_drafts=True, label=label), found)
    pushed = planned("pull_request.synchronize")
    assert isinstance(pushed, AuditPullRequest)
    assert isinstance(
        resolve_plan(pushed, pushed.event_state, attempt=1, skip_drafts=True, label="audit"), AuditPullRequest
    )


def test_a_newer_head_supersedes_a_first_run_and_is_what_a_second_run_audits() -> None:
    newer = told("pull_request.opened").model_copy(update={"head_sha": "5" * 40})
    assert settled(newer) == Superseded("5" * 40)
    assert settled(newer, attempt=2) == AuditPullRequest(7, newer)
