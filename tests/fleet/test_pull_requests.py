"""Pull requests as targets: read by the API, audited as they were at the merge."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from auditor import cli
from auditor.domain import UserError
from auditor.fleet.pull_requests import list_pulls
from auditor.fleet.store import Store
from auditor.fleet.targets import Pulls, PullState
from tests.action.git_server import serve
from tests.fake_github import JOB_TOKEN, FakeGitHub
from tests.repos import Drawing


@pytest.fixture
def world(fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    """A GitHub with a merged, a closed and an open pull request."""
    monkeypatch.setenv("GITHUB_API_URL", fake.url)
    fake.world.pulls.clear()
    fake.world.pull(1, "1" * 40, state="closed", merged=True, merge_commit_sha="a" * 40, title="Add x", body="Fixes #3")
    fake.world.pull(2, "2" * 40, state="closed")
    fake.world.pull(3, "3" * 40)
    return fake


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (PullState.MERGED, [(1, "1" * 40, f"{'a' * 40}^1", "Add x\n\nFixes #3")]),
        (PullState.CLOSED, [(2, "2" * 40, "b" * 40, "A change\n\n")]),
        (PullState.OPEN, [(3, "3" * 40, "b" * 40, "A change\n\n")]),
    ],
)
def test_pull_requests_are_listed_by_state_with_the_base_at_the_merge(
    world: FakeGitHub, state: PullState, expected: list[tuple[int, str, str, str]]
) -> None:
    found = list_pulls("https://github.com/octo/shop", Pulls(state=state, last=5), JOB_TOKEN)
    assert [(each.number, each.head, each.base, each.description) for each in found] == expected


def test_no_more_are_listed_than_wanted(world: FakeGitHub) -> None:
    for number in range(10, 15):
        world.world.pull(number, "4" * 40)
    assert len(list_pulls("https://github.com/octo/shop", Pulls(state=PullState.OPEN, last=2), JOB_TOKEN)) == 2


@pytest.mark.parametrize(
    ("url", "token", "sentence"),
    [
        ("https://github.com/octo/shop", None, "name a variable with a token by --token-env"),
        ("https://github.com/octo/shop", "nobody", "pull requests cannot be read"),
        ("https://github.com/octo/gone", JOB_TOKEN, "pull requests cannot be read"),
        ("https://github.com/octo", JOB_TOKEN, "not of the form owner/name"),
        ("git@github.com:octo/shop", JOB_TOKEN, "need the https URL"),
    ],
)
def test_pull_requests_that_cannot_be_read_are_one_sentence(
    world: FakeGitHub, url: str, token: str | None, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        list_pulls(url, Pulls(last=1), token)


def test_a_squashed_pull_request_is_audited_against_its_base_at_the_merge(
    drawing: Drawing, fake: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_API_URL", fake.url)
    monkeypatch.setenv("TOKEN", JOB_TOKEN)
    drawing.commit({"a.py": "x = 0\n"})
    drawing.branch("topic")
    head = drawing.commit({"a.py": "x = 1\n"})
    drawing.git("update-ref", "refs/pull/7/head", head)
    drawing.switch("main")
    before = drawing.commit({"b.py": "y = 0\n"})
    merge = drawing.commit({"a.py": "x = 1\n"})
    drawing.git("branch", "-D", "topic")
    drawing.git("config", "uploadpack.allowAnySHA1InWant", "true")
    fake.world.pulls.clear()
    fake.world.pull(7, head, state="closed", merged=True, merge_commit_sha=merge)
    (tmp_path / "served" / "octo").mkdir(parents=True)
    shutil.move(drawing.path / ".git", tmp_path / "served" / "octo" / "shop")
    store = tmp_path / "store"
    with serve(tmp_path / "served") as server:
        targets = tmp_path / "t.yaml"
        targets.write_text(f"targets:\n  - repository: {server.url}/octo/shop\n    pulls: {{last: 1}}\n")
        arguments = ("fleet", "run", targets, "--store", store, "--token-env", "TOKEN", "--workers", 1, "--quiet")
        assert cli.run([*map(str, arguments)]) == 0
    (record,) = Store.open(store).records()
    subject = json.loads(record.path.read_bytes())["subject"]
    assert (subject["head"], subject["base"], subject["pull_request"]) == (head, before, 7)
