"""The fake and what we ask of it, held against GitHub's own description. Every other test with the fake is too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.domain import Annotation, AnnotationLevel, CheckConclusion, CheckOutput
from auditor.github import GitHub
from tests.fake_github import JOB_TOKEN, FakeGitHub, Seen, official

HEAD = "a" * 40


def known(name: str) -> official.Description:
    try:
        return official.description(name)
    except official.Missing as missing:
        pytest.skip(str(missing))


def everything(fake: FakeGitHub) -> list[Seen]:
    """One request of each kind."""
    github = GitHub.connect(fake.url, JOB_TOKEN, "octo/shop", pace=0)
    github.pull_request(7)
    github.find_pull_requests(HEAD, "octo/shop")
    github.find_pull_requests(HEAD, "octo/shop", "work")
    output = CheckOutput(title="T", summary="S", text="X")
    run = github.create_check_run("Audit", HEAD, "x/7", output, "https://example.com")
    note = Annotation(path="a.py", start_line=1, end_line=2, level=AnnotationLevel.WARNING, title="T", message="M")
    github.update_check_run(
        run.id, output=output.model_copy(update={"annotations": (note,)}), conclusion=CheckConclusion.FAILURE
    )
    github.update_check_run(run.id, external_id="x/7/superseded", details_url="https://example.com")
    github.check_runs(HEAD, name="Audit")
    github.annotations(run.id)
    comment = github.create_comment(7, "hello")
    github.update_comment(comment.id, "changed")
    github.comments(7)
    github.delete_comment(comment.id)
    github.login()
    github.required_checks("main")
    fake.world.review(7, "maintainer")
    github.reviews(7)
    github.can_write("maintainer")
    return [seen for seen in fake.log if not seen.odd]


def test_where_the_description_cannot_be_had_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(official.Missing, match="there is no npm"):
        official.fetch(tmp_path)
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(official.Missing, match="npm could not fetch @octokit/openapi"):
        official.fetch(tmp_path)


@pytest.mark.parametrize("name", [official.GITHUB, official.ENTERPRISE])
def test_every_request_and_answer_is_as_github_describes_it(fake: FakeGitHub, name: str) -> None:
    description = known(name)
    asked = everything(fake)
    assert len({seen.line for seen in asked}) >= 12
    assert [complaint for seen in asked for complaint in description.complaints(seen)] == []


def test_what_is_not_as_described_is_noticed() -> None:
    description = known(official.GITHUB)
    create = Seen("POST", "/repos/octo/shop/check-runs", {}, {"name": "Audit", "head_sha": HEAD}, 0, "job")
    assert description.complaints(create) == []
    output = {"title": "T", "summary": "S"}
    note = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "error", "message": "M"}
    wrong = [
        replace(create, path="/repos/octo/shop/checkruns"),
        replace(create, body=None),
        replace(create, body={"name": "Audit"}),
        replace(create, body={**create.body, "colour": "red"}),
        replace(create, body={**create.body, "started_at": "yesterday"}),
        replace(create, body={**create.body, "output": {"title": "T"}}),
        replace(create, body={**create.body, "output": {"title": "T", "summary": "S" * 65_536}}),
        replace(create, body={**create.body, "output": {**output, "annotations": [note]}}),
        replace(create, body={**create.body, "output": {**output, "annotations": [{**note, "annotation_level": "notice"}] * 51}}),
        Seen("PATCH", "/repos/octo/shop/check-runs/1", {}, {"status": "completed"}, 0, "job"),
        Seen("GET", "/repos/octo/shop/issues/7/comments", {"limit": "100"}, None, 0, "job"),
        Seen("GET", "/repos/octo/shop/issues/7/comments", {"page": "last"}, None, 0, "job"),
        Seen("GET", f"/repos/octo/shop/commits/{HEAD}/check-runs", {"filter": "newest"}, None, 0, "job"),
        Seen("POST", "/repos/octo/shop/issues/7/comments", {}, {"body": "x"}, 201, "job", answer={"id": 1}),
    ]  # fmt: skip
    for seen in wrong:
        assert description.complaints(seen), seen
