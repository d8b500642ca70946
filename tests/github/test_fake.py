"""The fake is as strict as GitHub where it matters: limits, rights, suites, pages. What it lets pass, tests would too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import requests

from auditor.domain import Annotation, AnnotationLevel, CheckConclusion, CheckOutput
from auditor.github import ErrorKind, GitHub, GitHubError
from tests.fake_github import JOB_TOKEN, FakeGitHub

HEAD = "a" * 40
NOTE = Annotation(path="a.py", start_line=1, end_line=1, level=AnnotationLevel.NOTICE, title="T", message="M")


def connected(fake: FakeGitHub) -> GitHub:
    return GitHub.connect(fake.url, JOB_TOKEN, "octo/shop", pace=0)


def output(**more: Any) -> CheckOutput:
    return CheckOutput(**{"title": "T", "summary": "S", **more})


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        (output(summary="s" * 65_535), output(summary="s" * 65_536)),
        (output(text="é" * 32_767), output(text="é" * 32_768)),
        (output(annotations=(NOTE,) * 50), output(annotations=(NOTE,) * 51)),
        (
            output(annotations=(NOTE.model_copy(update={"title": "t" * 255}),)),
            output(annotations=(NOTE.model_copy(update={"title": "t" * 256}),)),
        ),
        (
            output(annotations=(NOTE.model_copy(update={"message": "m" * 65_536}),)),
            output(annotations=(NOTE.model_copy(update={"message": "m" * 65_537}),)),
        ),
        (output(), output(annotations=(NOTE.model_copy(update={"start_line": 2}),))),
        (output(), output(annotations=(NOTE.model_copy(update={"message": ""}),))),
    ],
    ids=["characters", "bytes", "annotations", "title", "message", "lines", "no message"],
)
def test_a_check_run_has_limits(fake: FakeGitHub, allowed: CheckOutput, refused: CheckOutput) -> None:
    stored = fake.world.run("Audit", HEAD)
    connected(fake).update_check_run(stored.id, output=allowed)
    fake.log.clear()
    with pytest.raises(GitHubError, match="422: Invalid request") as caught:
        connected(fake).update_check_run(stored.id, output=refused)
    assert caught.value.kind is ErrorKind.INVALID
    fake.log.clear()  # not as described, on purpose


def test_a_comment_has_limits_in_characters(fake: FakeGitHub) -> None:
    connected(fake).create_comment(7, "é" * 65_536)
    for body in ("é" * 65_537, " \n"):
        with pytest.raises(GitHubError, match="422: Validation Failed: data unprocessable"):
            connected(fake).create_comment(7, body)


@pytest.mark.parametrize(
    "ask",
    [
        lambda github: github.create_check_run("Audit", "e" * 40, "x", output()),
        lambda github: github.check_runs("e" * 40),
        lambda github: github.pull_request(99),
        lambda github: github.create_comment(99, "x"),
        lambda github: github.update_comment(99, "x"),
        lambda github: github.update_check_run(99, output=output()),
        lambda github: github.annotations(99),
    ],
)
def test_what_is_not_there_is_refused(fake: FakeGitHub, ask: Callable[[GitHub], object]) -> None:
    with pytest.raises(GitHubError) as caught:
        ask(connected(fake))
    assert caught.value.kind in (ErrorKind.NOT_FOUND, ErrorKind.INVALID)


def test_only_the_app_that_made_a_run_may_change_it_and_nobody_that_of_a_job(fake: FakeGitHub) -> None:
    other, job = fake.world.run("Audit", HEAD, app="other-app"), fake.world.run("Audit", HEAD, of_a_job=True)
    for run in (other, job):
        with pytest.raises(GitHubError) as caught:
            connected(fake).update_check_run(run.id, conclusion=CheckConclusion.SUCCESS)
        assert caught.value.kind is ErrorKind.DENIED


def test_annotations_add_up_and_texts_left_out_stay(fake: FakeGitHub) -> None:
    github = connected(fake)
    stored = fake.world.run("Audit", HEAD)
    for _ in range(2):
        github.update_check_run(stored.id, output=output(text="X", annotations=(NOTE,)))
    github.update_check_run(stored.id, conclusion=CheckConclusion.FAILURE)
    assert (len(github.annotations(stored.id)), stored.output["text"]) == (2, "X")


def test_the_latest_run_of_a_name_is_shown_in_each_suite(fake: FakeGitHub) -> None:
    ids = [fake.world.run("Audit", HEAD).id for _ in range(2)]
    fake.world.suite = 2
    ids.append(fake.world.run("Audit", HEAD).id)
    assert [run.id for run in fake.world.shown(HEAD, "Audit")] == ids[1:]


@pytest.mark.parametrize(("query", "found", "link"), [("", 30, 'page=2>; rel="next"'), ("?per_page=100&page=2", 20, 'page=1>; rel="prev"'), ("?per_page=999", 100, 'page=2>; rel="last"')])  # fmt: skip
def test_lists_come_in_pages_with_links(fake: FakeGitHub, query: str, found: int, link: str) -> None:
    for number in range(120):
        fake.world.comment(7, "somebody", str(number))
    answer = requests.get(f"{fake.url}/repos/octo/shop/issues/7/comments{query}", timeout=10)
    assert len(answer.json()) == found
    assert link in answer.headers["Link"]
