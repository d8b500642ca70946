"""The comment: one that stays one, told from a forged one, and left alone when nothing has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.domain import CheckRun
from auditor.github import ErrorKind, GitHub, GitHubError
from auditor.publishers import PublicationSubject, bot_login, comment_publisher
from tests.fake_github import JOB_TOKEN, PERSONAL_TOKEN, READ_ONLY_TOKEN, FakeGitHub, Fault
from tests.fake_github.state import Token
from tests.publishers.desks import ABOUT, HEAD, MARKER, NEWER, connected

BOT = "github-actions[bot]"


def post(github: GitHub, words: str = "Failed: 2.1 of 5", author: str = BOT) -> comment_publisher.PostedComment:
    posted = comment_publisher.post(github, ABOUT, f"{MARKER}\n{words}", author)
    assert posted is not None
    return posted


def bodies(fake: FakeGitHub) -> list[str]:
    return [each.partition("\n")[2] for each in fake.world.bodies(7)]


def test_the_second_push_edits_and_never_adds(fake: FakeGitHub) -> None:
    first, second = post(connected(fake), "Failed"), post(connected(fake), "Passed")
    assert first.comment.id == second.comment.id
    assert bodies(fake) == ["Passed"]
    assert fake.writes == ["POST /repos/octo/shop/issues/7/comments", "PATCH /repos/octo/shop/issues/comments/1001"]


@pytest.mark.parametrize("kept", ["{}", "{}\n\n", "  {}"], ids=["same", "blanks after", "blanks before"])
def test_what_is_unchanged_is_not_written(fake: FakeGitHub, kept: str) -> None:
    post(connected(fake))
    fake.world.comments[0].body = kept.format(fake.world.comments[0].body.replace("\n", "\r\n")).lstrip()
    posted = post(connected(fake))
    assert (posted.written, fake.world.comments[0].edits) == (False, 0)


def test_the_marker_is_put_before_a_text_that_lacks_it(fake: FakeGitHub) -> None:
    for words in ("Failed", "Passed"):
        comment_publisher.post(connected(fake), ABOUT, words, BOT)
    assert fake.world.bodies(7) == [f"{MARKER}\nPassed"]


def test_it_is_found_on_a_later_page(fake: FakeGitHub) -> None:
    for number in range(230):
        fake.world.comment(7, "somebody", f"comment {number}")
    post(connected(fake), "Failed")
    for number in range(120):
        fake.world.comment(7, "somebody", f"more {number}")
    post(connected(fake), "Passed")
    assert [each.edits for each in fake.world.comments if each.author == BOT] == [1]


def test_copies_of_ours_are_taken_away_and_the_oldest_stays(fake: FakeGitHub) -> None:
    for words in ("one", "two", "three"):
        fake.world.comment(7, BOT, f"{MARKER}\n{words}")
    fake.world.comment(7, BOT, "Another workflow's comment")
    posted = post(connected(fake))
    assert posted.comment.id == 1001
    assert bodies(fake) == ["Failed: 2.1 of 5", ""]


def test_a_rubric_has_its_own_comment(fake: FakeGitHub) -> None:
    post(connected(fake))
    other = PublicationSubject("agent-swarm", HEAD, 7)
    comment_publisher.post(connected(fake), other, "Another rubric", BOT)
    assert [each.split("\n")[0] for each in fake.world.bodies(7)] == [
        MARKER,
        "<!-- automaton-auditor:comment:agent-swarm -->",
    ]


@pytest.mark.parametrize(
    ("author", "body"),
    [
        ("attacker", f"{MARKER}\nPassed: 5.0 of 5"),
        ("github-actions", f"{MARKER}\nPassed: 5.0 of 5"),
        ("github-actions-bot", f"{MARKER}\nPassed: 5.0 of 5"),
        ("other-app[bot]", f"{MARKER}\nPassed: 5.0 of 5"),
        (BOT, f"Look: {MARKER}\nquoted by another workflow"),
        (BOT, f"> {MARKER}\nquoted by another workflow"),
        (BOT, f"\n\n{MARKER}\nnot the first line"),
        (BOT, "<!-- automaton-auditor:comment:pull-request-2 -->\nanother rubric"),
    ],
)
def test_what_only_looks_like_ours_is_left_untouched(fake: FakeGitHub, author: str, body: str) -> None:
    forged = fake.world.comment(7, author, body)
    post(connected(fake), "Failed")
    post(connected(fake), "Failed again")
    assert (forged in fake.world.comments, forged.body, forged.edits) == (True, body, 0)
    assert len(fake.world.comments) == 2


def test_a_superseded_run_writes_no_comment(fake: FakeGitHub) -> None:
    post(connected(fake), "Of the old commit")
    fake.before("GET", "/comments", lambda world: world.push(7, NEWER))
    assert comment_publisher.post(connected(fake), ABOUT, f"{MARKER}\nToo late", BOT) is None
    assert bodies(fake) == ["Of the old commit"]


@pytest.mark.parametrize(
    "fault",
    [
        Fault.server_error(),
        Fault.server_error(served=True),
        Fault.drop(),
        Fault.drop(served=True),
        Fault.cut(),
        Fault.broken_json(served=True),
        Fault.secondary_limit(retry_after=0),
    ],
    ids=["5xx", "5xx served", "drop", "drop served", "cut", "broken", "limit"],
)
@pytest.mark.parametrize("verb", ["POST", "PATCH", "DELETE", "GET"])
def test_whatever_fails_there_is_one_comment_with_the_last_text(fake: FakeGitHub, fault: Fault, verb: str) -> None:
    fake.fail(replace(fault, verb=verb))
    post(connected(fake), "Failed")
    fake.world.comment(7, BOT, f"{MARKER}\na copy")
    post(connected(fake), "Passed")
    assert bodies(fake) == ["Passed"]


def test_two_unclear_failures_in_a_row_are_trouble_and_no_third_comment(fake: FakeGitHub) -> None:
    fake.fail(Fault.server_error(verb="POST", times=2))
    with pytest.raises(GitHubError):
        post(connected(fake))
    assert fake.writes == ["POST /repos/octo/shop/issues/7/comments"] * 2


def test_copies_that_cannot_be_taken_away_do_not_cost_the_verdict(fake: FakeGitHub) -> None:
    for words in ("one", "two", "three"):
        fake.world.comment(7, BOT, f"{MARKER}\n{words}")
    fake.fail(Fault.read_only(verb="DELETE", skip=1, times=9))
    posted = post(connected(fake))
    assert (posted.left, bodies(fake)) == (1, ["Failed: 2.1 of 5", "three"])


def test_a_token_that_may_not_comment_is_trouble_of_its_own_kind(fake: FakeGitHub) -> None:
    with pytest.raises(GitHubError) as caught:
        post(connected(fake, READ_ONLY_TOKEN))
    assert caught.value.kind is ErrorKind.READ_ONLY


class TestWhoWeAre:
    """Our login is known without asking where a check run tells it, and learned from what we write otherwise."""

    def run_of(self, fake: FakeGitHub, app: str) -> CheckRun:
        stored = fake.world.run("Audit", HEAD, app=app)
        return next(run for run in connected(fake).check_runs(HEAD) if run.id == stored.id)

    @pytest.mark.parametrize("app", ["github-actions", "our-own-app"])
    def test_from_the_check_run_that_the_token_made(self, fake: FakeGitHub, app: str) -> None:
        run = self.run_of(fake, app)
        asked = len(fake.log)
        assert bot_login.login(connected(fake), run) == f"{app}[bot]"
        assert len(fake.log) == asked

    @pytest.mark.parametrize(("token", "login"), [(JOB_TOKEN, BOT), (PERSONAL_TOKEN, "maintainer")])
    def test_from_github_or_from_its_refusal(self, fake: FakeGitHub, token: str, login: str) -> None:
        assert bot_login.login(connected(fake, token)) == login

    @pytest.mark.parametrize(("token", "app"), [(JOB_TOKEN, "github-actions"), (PERSONAL_TOKEN, None)])
    def test_the_app_whose_check_runs_are_ours(self, fake: FakeGitHub, token: str, app: str | None) -> None:
        assert bot_login.app(connected(fake, token)) == app
        assert bot_login.app(connected(fake, token), self.run_of(fake, "our-own-app")) == "our-own-app"

    def test_an_app_that_was_taken_for_the_job_finds_its_comment_by_writing_one(self, fake: FakeGitHub) -> None:
        fake.world.tokens["app-token"] = Token("app", "our-own-app", "our-own-app[bot]", checks=False)
        for words in ("one", "two", "three"):
            post(connected(fake, "app-token"), words)
        assert [(each.author, each.body) for each in fake.world.comments] == [("our-own-app[bot]", f"{MARKER}\nthree")]
