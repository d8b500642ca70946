"""The ladder: every rung alone and in order, a budget of requests, and nothing that ever raises."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.domain import CheckConclusion, Delivery
from auditor.publishers import PublicationSubject, PublishContext, publish
from tests.fake_github import PERSONAL_TOKEN, READ_ONLY_TOKEN, FakeGitHub, Fault
from tests.fake_github.state import Token
from tests.publishers.desks import HEAD, NAME, NEWER, begun, connected, desk, publication


def told(deliveries: tuple[Delivery, ...]) -> dict[str, bool]:
    return {each.destination: each.delivered for each in deliveries}


def printed(at: PublishContext) -> str:
    assert isinstance(at.stdout, io.StringIO)
    return at.stdout.getvalue()


def test_with_all_rights_the_verdict_is_everywhere_and_the_lines_are_in_the_check_run_only(
    fake: FakeGitHub, tmp_path: Path
) -> None:
    github = connected(fake)
    at = desk(github, begun(github), tmp_path)
    deliveries = publish(publication([1, 2]), at)
    assert told(deliveries) == {"check": True, "comment": True, "summary": True, "files": True}
    assert [each.url for each in deliveries[:2]] == [
        f"{fake.site}/octo/shop/runs/1001",
        f"{fake.site}/octo/shop/pull/7#issuecomment-1002",
    ]
    assert printed(at) == ""
    assert (tmp_path / "step-summary.md").read_text() == "# Failed: 2.1 of 5\n"
    assert (tmp_path / "auditor-report" / "report.md").read_text() == "# Failed: 2.1 of 5"


def test_a_verdict_with_fifty_annotations_takes_at_most_twelve_requests(fake: FakeGitHub, tmp_path: Path) -> None:
    for lines in (range(1, 51), range(1, 51), range(2, 52)):
        fake.log.clear()
        github = connected(fake)
        github.pull_request(7)  # as the Action does before it begins
        publish(publication(lines, str(lines)), desk(github, begun(github), tmp_path))
        assert len(fake.log) <= 12, fake.lines
    assert len(fake.world.bodies(7)) == 1


def test_a_first_verdict_takes_nine_requests(fake: FakeGitHub, tmp_path: Path) -> None:
    github = connected(fake)
    github.pull_request(7)
    publish(publication(range(1, 51)), desk(github, begun(github), tmp_path))
    assert fake.lines == [
        "GET /repos/octo/shop/pulls/7",
        f"GET /repos/octo/shop/commits/{HEAD}/check-runs",
        "POST /repos/octo/shop/check-runs",
        "GET /repos/octo/shop/pulls/7",
        f"GET /repos/octo/shop/commits/{HEAD}/check-runs",
        "PATCH /repos/octo/shop/check-runs/1001",
        "GET /repos/octo/shop/issues/7/comments",
        "GET /repos/octo/shop/pulls/7",
        "POST /repos/octo/shop/issues/7/comments",
    ]


def test_without_check_runs_the_lines_go_into_the_log_and_the_comment_stays(fake: FakeGitHub, tmp_path: Path) -> None:
    github = connected(fake, PERSONAL_TOKEN)
    at = desk(github, begun(github), tmp_path)
    deliveries = publish(publication([1, 2]), at)
    assert told(deliveries) == {"check": False, "comment": True, "annotations": True, "summary": True, "files": True}
    assert "GitHub App" in deliveries[0].reason
    assert printed(at).count("::error file=app.py,line=") == 2
    assert [each.author for each in fake.world.comments] == ["maintainer"]


def test_with_a_token_that_only_reads_log_summary_and_files_are_left(fake: FakeGitHub, tmp_path: Path) -> None:
    github = connected(fake, READ_ONLY_TOKEN)
    at = desk(github, begun(github), tmp_path)
    deliveries = publish(publication([1, 2]), at)
    assert told(deliveries) == {"check": False, "comment": False, "annotations": True, "summary": True, "files": True}
    assert all("may not write" in each.reason for each in deliveries[:2])
    assert (fake.world.runs, fake.world.comments) == ([], [])


def test_with_checks_but_no_comments_the_check_run_is_left(fake: FakeGitHub, tmp_path: Path) -> None:
    fake.world.tokens["checks-only"] = Token("job", "github-actions", "github-actions[bot]", comments=False)
    github = connected(fake, "checks-only")
    deliveries = publish(publication([1]), desk(github, begun(github), tmp_path))
    assert told(deliveries) == {"check": True, "comment": False, "summary": True, "files": True}


def test_without_github_the_log_the_summary_and_the_files_are_left(tmp_path: Path) -> None:
    at = desk(None, None, tmp_path)
    assert told(publish(publication([1]), at)) == {"annotations": True, "summary": True, "files": True}
    assert printed(at).startswith("::error file=app.py,line=1,endLine=1,title=Security::")


def test_without_a_summary_file_and_a_writable_folder_only_the_log_is_left(tmp_path: Path) -> None:
    (tmp_path / "auditor-report").write_text("a file is in the way")
    at = replace(desk(None, None, tmp_path), step_summary=tmp_path / "nowhere" / "summary.md")
    deliveries = publish(publication([1]), at)
    assert told(deliveries) == {"annotations": True, "summary": False, "files": False}
    assert all(each.reason for each in deliveries[1:])


def test_a_bug_in_one_place_costs_none_of_the_others(tmp_path: Path) -> None:
    closed = io.StringIO()
    closed.close()
    deliveries = publish(publication([1]), replace(desk(None, None, tmp_path), stdout=closed))
    assert told(deliveries) == {"annotations": False, "summary": True, "files": True}
    assert "ValueError" in deliveries[0].reason


def test_what_is_not_wanted_is_not_told_of(fake: FakeGitHub, tmp_path: Path) -> None:
    github = connected(fake)
    wanted = replace(publication(), comment=None, summary="", files={}, conclusion=None)
    assert publish(wanted, desk(github, begun(github), tmp_path)) == ()


def test_a_verdict_about_no_pull_request_has_no_comment(fake: FakeGitHub, tmp_path: Path) -> None:
    about = PublicationSubject("pull-request", HEAD, ref="refs/heads/main")
    github = connected(fake)
    deliveries = publish(publication(), desk(github, begun(github, about), tmp_path, about))
    assert told(deliveries) == {"check": True, "summary": True, "files": True}


@pytest.mark.parametrize("moment", ["before the check", "between check and comment"])
def test_a_newer_commit_holds_back_whatever_is_not_out_yet(fake: FakeGitHub, tmp_path: Path, moment: str) -> None:
    github = connected(fake)
    at = desk(github, begun(github), tmp_path)
    if moment == "before the check":
        fake.world.push(7, NEWER)
    else:
        fake.before("GET", "/comments", lambda world: world.push(7, NEWER))
    deliveries = publish(publication([1]), at)
    check, comment = deliveries[:2]
    assert (check.delivered, comment.delivered, comment.superseded) == (moment != "before the check", False, True)
    assert check.superseded is (moment == "before the check")
    assert fake.world.runs[0].conclusion == ("cancelled" if check.superseded else "failure")
    assert fake.world.comments == []
    assert printed(at) == ""
    assert told(deliveries)["files"]


@pytest.mark.parametrize(
    "fault",
    [
        Fault.server_error(times=999),
        Fault.server_error(served=True, times=999),
        Fault.drop(times=999),
        Fault.cut(times=999),
        Fault.broken_json(times=999),
        Fault.read_only(times=999),
        Fault.refusing(401, "Bad credentials", times=999),
        Fault.refusing(404, "Not Found", times=999),
        Fault.refusing(422, "Validation Failed", times=999),
        Fault.primary_limit(3000, times=999),
        Fault.secondary_limit(times=999),
        Fault.secondary_limit(retry_after=0, times=999),
        Fault(status=200, body=b"[]", times=999),
        Fault(status=200, body=b"null", times=999),
        Fault(status=200, body=b"<html>Captive portal</html>", times=999),
    ],
)
@pytest.mark.parametrize("verb", ["*", "GET", "POST", "PATCH"])
def test_no_failure_raises_adds_twice_or_costs_the_local_reports(
    fake: FakeGitHub, tmp_path: Path, fault: Fault, verb: str
) -> None:
    github = connected(fake)
    run = begun(github)
    fake.fail(replace(fault, verb=verb))
    started = time.monotonic()
    deliveries = publish(publication([1, 2]), desk(github, run, tmp_path))
    assert time.monotonic() - started < 15
    assert told(deliveries) == {**told(deliveries), "summary": True, "files": True}
    assert all(each.reason.endswith(".") for each in deliveries if not each.delivered)
    assert len(fake.world.runs) == 1
    assert len(fake.world.runs[0].annotations) <= 2
    if not fault.served:
        assert len(fake.world.comments) <= 1


def test_a_run_that_cannot_even_begin_still_leaves_its_reports(fake: FakeGitHub, tmp_path: Path) -> None:
    fake.fail(Fault.server_error(times=999))
    github = connected(fake)
    deliveries = publish(publication([1]), desk(github, begun(github), tmp_path))
    assert told(deliveries) == {"check": False, "comment": False, "annotations": True, "summary": True, "files": True}


def test_the_conclusion_is_the_one_that_was_asked_for(fake: FakeGitHub, tmp_path: Path) -> None:
    github = connected(fake)
    wanted = replace(publication(), conclusion=CheckConclusion.NEUTRAL)
    publish(wanted, desk(github, begun(github), tmp_path))
    assert [(run.name, run.conclusion) for run in fake.world.runs] == [(NAME, "neutral")]
