"""Who may write and who approved is what GitHub says; nothing that the author of a change can write has a say."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.action.approval_questions import look_up_approval
from auditor.domain import ApprovalStatus
from auditor.github import GitHub
from tests.fake_github.faults import Fault
from tests.fake_github.server import FakeGitHub

FORK: dict[str, Any] = {"author": "stranger", "head_repository": "stranger/shop"}
APPROVED = ("maintainer",)


def asked(fake: FakeGitHub, **pull: Any) -> ApprovalStatus:
    if pull:
        fake.world.pull(7, **pull)
    github = GitHub.connect(fake.url, fake.token, fake.world.repository, pace=0.0)
    return look_up_approval(github, github.pull_request(7))


@pytest.mark.parametrize(
    ("pull", "author_can_write"),
    [
        ({}, True),
        (FORK, False),
        ({"author": "maintainer", "head_repository": "maintainer/shop"}, True),
        ({"author": "maintainer", "head_repository": "stranger/shop"}, False),
        ({"author": "triager", "head_repository": "triager/shop"}, False),
        ({"author": "stranger", "head_repository": None}, False),
        ({"author": "gone-away", "head_repository": "gone-away/shop"}, False),
    ],
)
def test_a_fork_is_from_outside_unless_it_belongs_to_an_author_who_can_write(
    fake: FakeGitHub, pull: dict[str, Any], author_can_write: bool
) -> None:
    assert asked(fake, **pull).author_can_write is author_can_write


def test_an_approval_of_the_head_by_somebody_who_can_write_counts(fake: FakeGitHub) -> None:
    fake.world.pull(7, **FORK)
    fake.world.review(7, "maintainer")
    assert asked(fake).approved_by == APPROVED


@pytest.mark.parametrize("author", ["triager", "stranger", "helper[bot]", "gone-away"])
def test_an_approval_by_readers_the_author_apps_and_deleted_accounts_does_not(fake: FakeGitHub, author: str) -> None:
    fake.world.pull(7, **FORK)
    fake.world.permissions |= {"helper[bot]": "admin", "stranger": "write"}
    fake.world.review(7, author)
    assert asked(fake).approved_by == ()


def test_a_push_makes_an_approval_void(fake: FakeGitHub) -> None:
    fake.world.pull(7, **FORK)
    fake.world.review(7, "maintainer")
    fake.world.push(7, "c" * 40)
    assert asked(fake).approved_by == ()


@pytest.mark.parametrize(("later", "left"), [("CHANGES_REQUESTED", ()), ("DISMISSED", ()), ("COMMENTED", APPROVED)])
def test_the_last_decision_of_a_reviewer_counts(fake: FakeGitHub, later: str, left: tuple[str, ...]) -> None:
    fake.world.pull(7, **FORK)
    fake.world.review(7, "maintainer")
    fake.world.review(7, "maintainer", later)
    assert asked(fake).approved_by == left


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/reviews", "Approvals could not be read: "),
        ("/maintainer/permission", "Approvals could not be read: "),
        ("/stranger/permission", "GitHub did not say whether the author can write: "),
    ],
)
def test_where_github_refuses_to_say_it_counts_as_no_and_the_reason_is_told(
    fake: FakeGitHub, path: str, told: str
) -> None:
    fake.world.pull(7, **FORK)
    fake.world.review(7, "maintainer")
    fake.fail(Fault.read_only(path=path))
    found = asked(fake)
    assert found.author_can_write is False
    assert found.unanswered.startswith(told)


def test_an_author_who_can_write_stays_one_where_reviews_cannot_be_read(fake: FakeGitHub) -> None:
    fake.world.pull(7, author="maintainer", head_repository="maintainer/shop")
    fake.fail(Fault.read_only(path="/reviews"))
    assert asked(fake).author_can_write is True


def test_a_crowd_of_approvals_does_not_keep_out_that_of_a_member(fake: FakeGitHub) -> None:
    fake.world.pull(7, **FORK)
    fake.world.review(7, "maintainer")
    for number in range(25):
        fake.world.review(7, f"crowd-{number}")
    assert asked(fake).approved_by == APPROVED


def test_without_a_token_a_branch_of_the_repository_is_still_inside_and_nothing_is_approved(fake: FakeGitHub) -> None:
    fake.world.pull(7)
    github = GitHub.connect(fake.url, fake.token, fake.world.repository, pace=0.0)
    found = look_up_approval(None, github.pull_request(7))
    assert (found.author_can_write, found.approved_by) == (True, ())
