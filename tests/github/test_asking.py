"""What is asked of GitHub, and what comes back as values."""

from __future__ import annotations

import logging

import pytest

from auditor.domain import Annotation, AnnotationLevel, CheckConclusion, CheckOutput
from auditor.github import ErrorKind, GitHub, GitHubError
from tests.fake_github import JOB_TOKEN, PERSONAL_TOKEN, READ_ONLY_TOKEN, FakeGitHub

HEAD = "a" * 40
OUTPUT = CheckOutput(title="Failed: 2.1 of 5", summary="One criterion is below its threshold.")


def connected(fake: FakeGitHub, token: str = JOB_TOKEN, deadline: float = 5) -> GitHub:
    return GitHub.connect(fake.url, token, "octo/shop", deadline=deadline, pace=0)


def test_a_pull_request_is_read_as_it_stands_now(fake: FakeGitHub) -> None:
    fake.world.pull(8, "c" * 40, head_repository="stranger/shop", draft=True, labels=("audit",), mergeable=None)
    pull = connected(fake).pull_request(8)
    assert (pull.number, pull.head_sha, pull.fork, pull.draft, pull.open) == (8, "c" * 40, True, True, True)
    assert (pull.labels, pull.mergeable, pull.body, pull.merged) == (("audit",), None, "", False)
    assert not connected(fake).pull_request(7).fork


def test_a_pull_request_of_a_deleted_fork_is_still_one_of_a_fork(fake: FakeGitHub) -> None:
    fake.world.pull(9, "c" * 40, head_repository=None)
    pull = connected(fake).pull_request(9)
    assert pull.fork
    assert pull.head_repository is None


@pytest.mark.parametrize("branch", [None, "work"])
def test_the_pull_request_of_a_finished_workflow_is_found_by_head_and_repository(
    fake: FakeGitHub, branch: str | None
) -> None:
    fake.world.pull(8, HEAD, head_repository="stranger/shop")
    fake.world.pull(9, HEAD, head_repository="stranger/shop", state="closed")
    fake.world.pull(10, "d" * 40, head_repository="stranger/shop")
    found = connected(fake).find_pull_requests(HEAD, "Stranger/Shop" if branch is None else "stranger/shop", branch)
    assert [pull.number for pull in found] == [8]


def test_every_page_of_comments_is_read(fake: FakeGitHub) -> None:
    for number in range(250):
        fake.world.comment(7, "somebody", f"comment {number}")
    found = connected(fake).comments(7)
    assert [each.body for each in found] == [f"comment {number}" for number in range(250)]
    assert len(fake.log) == 3


def test_one_connection_serves_all_requests(fake: FakeGitHub) -> None:
    github = connected(fake)
    comment = github.create_comment(7, "hello")
    github.update_comment(comment.id, "changed")
    with pytest.raises(GitHubError):
        github.pull_request(99)
    github.delete_comment(comment.id)
    github.within(3).comments(7)
    assert (len(fake.log), fake.connections) == (5, 1)


def test_a_list_that_just_fills_its_page_is_complete(fake: FakeGitHub) -> None:
    for number in range(100):
        fake.world.comment(7, "somebody", f"comment {number}")
    assert len(connected(fake).comments(7)) == 100


def test_a_check_run_is_made_in_progress_and_concluded_in_utc(fake: FakeGitHub) -> None:
    github = connected(fake)
    run = github.create_check_run("Audit", HEAD, "automaton-auditor/pull-request/7", OUTPUT, "https://example.com/run")
    assert (run.status, run.conclusion, run.app) == ("in_progress", None, "github-actions")
    note = Annotation(path="a.py", start_line=1, end_line=2, level=AnnotationLevel.FAILURE, title="T", message="M")
    done = github.update_check_run(
        run.id, output=OUTPUT.model_copy(update={"annotations": (note,)}), conclusion=CheckConclusion.FAILURE
    )
    assert (done.is_completed, done.conclusion, done.title, done.annotations) == (True, "failure", OUTPUT.title, 1)
    assert github.annotations(run.id) == (note,)
    assert (fake.world.runs[0].completed_at or "").endswith("Z")


def test_check_runs_come_newest_first_and_those_of_one_external_id_alone(fake: FakeGitHub) -> None:
    first = fake.world.run("Audit", HEAD, external_id="x/1", status="completed", conclusion="failure")
    fake.world.run("Audit", HEAD, external_id="x/2")
    last = fake.world.run("Audit", HEAD, external_id="x/1")
    github = connected(fake)
    assert [run.id for run in github.check_runs(HEAD, "x/1")] == [last.id, first.id]
    assert len(github.check_runs(HEAD, name="Audit")) == 3
    assert github.check_runs(HEAD, name="Tests") == ()


@pytest.mark.parametrize(("token", "login"), [(JOB_TOKEN, None), (PERSONAL_TOKEN, "maintainer")])
def test_whose_token_it_is_is_known_for_persons_only(fake: FakeGitHub, token: str, login: str | None) -> None:
    assert connected(fake, token).login() == login


def test_what_a_token_may_write_is_told_without_writing(fake: FakeGitHub) -> None:
    assert connected(fake).write_refusals(7) == connected(fake).write_refusals(7)
    assert (connected(fake).write_refusals(7).checks, connected(fake).write_refusals(7).comments) == ("", "")
    assert "checks: write" in connected(fake, READ_ONLY_TOKEN).write_refusals(7).checks
    assert "pull-requests: write" in connected(fake, READ_ONLY_TOKEN).write_refusals(7).comments
    assert "GitHub App" in connected(fake, PERSONAL_TOKEN).write_refusals(7).checks
    assert (fake.world.runs, fake.world.comments) == ([], [])


def test_required_checks_come_from_protection_and_rulesets(fake: FakeGitHub) -> None:
    fake.world.required_checks, fake.world.required_by_rules = ("Audit", "Tests"), ("Tests", "Lint")
    assert connected(fake).required_checks("main") == ("Audit", "Tests", "Lint")
    assert connected(fake).required_checks("release/1.0") == ("Audit", "Tests", "Lint")


def test_a_server_of_ones_own_is_reached_below_its_prefix() -> None:
    with FakeGitHub(prefix="/api/v3") as fake:
        fake.world.pull()
        github = GitHub.connect(f"{fake.url}/", JOB_TOKEN, "octo/shop", pace=0)
        assert github.pull_request(7).number == 7
        comment = github.create_comment(7, "hello")
        assert comment.url == f"{fake.site}/octo/shop/pull/7#issuecomment-{comment.id}"


@pytest.mark.parametrize(
    ("api", "host"),
    [
        ("https://api.github.com", "github.com"),
        ("https://api.acme.ghe.com", "acme.ghe.com"),
        ("https://github.acme.example/api/v3", "github.acme.example"),
    ],
)
def test_pages_are_on_the_host_that_belongs_to_the_api(api: str, host: str) -> None:
    assert GitHub.connect(api, "s3cr3t", "octo/shop").host == host


@pytest.mark.parametrize(
    ("api", "token", "repository", "kind", "word"),
    [
        ("https://api.github.com", "", "octo/shop", ErrorKind.DENIED, "No token"),
        ("https://api.github.com", " \n", "octo/shop", ErrorKind.DENIED, "No token"),
        ("https://api.github.com", "s3cr3t\r\nX-Evil: 1", "octo/shop", ErrorKind.DENIED, "control characters"),
        ("https://api.github.com", "s3crét", "octo/shop", ErrorKind.DENIED, "control characters"),
        ("https://api.github.com", "s3cr3t", "octo", ErrorKind.INVALID, "owner/name"),
        ("https://api.github.com", "s3cr3t", "octo/..", ErrorKind.INVALID, "owner/name"),
        ("https://api.github.com", "s3cr3t", "octo/shop/../../user", ErrorKind.INVALID, "owner/name"),
        ("ftp://api.github.com", "s3cr3t", "octo/shop", ErrorKind.INVALID, "GITHUB_API_URL"),
        ("https://me:s3cr3t@api.github.com", "s3cr3t", "octo/shop", ErrorKind.INVALID, "GITHUB_API_URL"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_sent(
    api: str, token: str, repository: str, kind: ErrorKind, word: str
) -> None:
    with pytest.raises(GitHubError, match=word) as caught:
        GitHub.connect(api, token, repository)
    assert caught.value.kind is kind
    assert "s3cr" not in str(caught.value)


def test_a_commit_is_named_by_its_full_id_only(fake: FakeGitHub) -> None:
    for name in ("main", "a" * 39, "../pulls", "A" * 40):
        with pytest.raises(GitHubError, match="full commit id"):
            connected(fake).check_runs(name)
    assert fake.log == []


def test_the_token_is_in_no_log_and_no_repr(fake: FakeGitHub, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    github = connected(fake)
    github.pull_request(7)
    github.create_comment(7, "hello")
    assert len(caplog.records) > 2
    assert JOB_TOKEN not in caplog.text
    assert JOB_TOKEN not in repr(github) + repr(vars(github))
