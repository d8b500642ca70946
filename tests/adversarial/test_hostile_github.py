"""Answers of GitHub, or of whatever answers in its place, made to mislead: no other host is asked, nothing hangs, nothing leaks."""

from __future__ import annotations

import gzip
import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from auditor.domain import CheckConclusion, CheckOutput
from auditor.github import ErrorKind, GitHub, GitHubError, response_types
from auditor.publishers import PublicationSubject, check_run_publisher, comment_publisher
from tests.fake_github import JOB_TOKEN, FakeGitHub, Fault
from tests.fake_github import answers as honest

HEAD = "a" * 40
OUTPUT = CheckOutput(title="T", summary="S")
ABOUT = PublicationSubject("pull-request", HEAD, 7)


def connected(fake: FakeGitHub) -> GitHub:
    return GitHub.connect(fake.url, JOB_TOKEN, "octo/shop", deadline=10, pace=0)


@pytest.fixture
def evil() -> Iterator[FakeGitHub]:
    """Another host, which must never be asked for anything."""
    with FakeGitHub() as server:
        server.world.pull()
        yield server
        assert server.log == []


def answer(data: Any, status: int = 200, **more: Any) -> Fault:
    return Fault(status=status, body=json.dumps(data).encode(), **more)


def test_addresses_in_answers_are_neither_followed_nor_shown(fake: FakeGitHub, evil: FakeGitHub) -> None:
    stored = fake.world.run("Audit", HEAD)
    forged = honest.check_run(stored, evil.site.replace("127.0.0.1", "localhost"), evil.url, "octo/shop")
    fake.fail(answer(forged, 201, verb="POST"))
    run = connected(fake).create_check_run("Audit", HEAD, "x", OUTPUT)
    assert run.url is None
    connected(fake).update_check_run(run.id, conclusion=CheckConclusion.FAILURE)
    connected(fake).annotations(run.id)
    assert stored.conclusion == "failure"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("verb", ["GET", "POST", "PATCH"])
def test_no_redirection_carries_the_token_to_another_host(
    fake: FakeGitHub, evil: FakeGitHub, status: int, verb: str
) -> None:
    fake.fail(Fault(status=status, headers={"Location": f"{evil.url}/repos/octo/shop/pulls/7"}, verb=verb))
    with pytest.raises(GitHubError, match="not followed"):
        check_run_publisher.conclude(
            connected(fake),
            ABOUT,
            check_run_publisher.begin(connected(fake), ABOUT, "Audit"),
            CheckConclusion.FAILURE,
            OUTPUT,
        )


def test_links_to_further_pages_are_not_followed(fake: FakeGitHub, evil: FakeGitHub) -> None:
    page = [honest.comment(fake.world.comment(7, "x", "y"), fake.site, fake.url, "octo/shop")] * 100
    fake.fail(answer(page, headers={"Link": f'<{evil.url}/repos/octo/shop/issues/7/comments?page=2>; rel="next"'}))
    assert len(connected(fake).comments(7)) == 100
    assert [seen.query["page"] for seen in fake.log] == ["1", "2"]


def test_pages_without_end_end(fake: FakeGitHub) -> None:
    page = [honest.comment(fake.world.comment(7, "x", "y"), fake.site, fake.url, "octo/shop")] * 100
    fake.fail(answer(page, times=1000))
    with pytest.raises(GitHubError, match="more than 5,000 entries"):
        connected(fake).comments(7)
    assert len(fake.log) == 50


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (lambda: b"[" + b" " * 34_000_000, {}),
        (lambda: gzip.compress(b"[" + b" " * 200_000_000, 6), {"Content-Encoding": "gzip"}),
    ],
    ids=["large", "packed"],
)
def test_an_answer_too_large_is_not_read_to_its_end(
    fake: FakeGitHub, body: Callable[[], bytes], headers: dict[str, str]
) -> None:
    fake.fail(Fault(status=200, body=body(), headers=headers))
    with pytest.raises(GitHubError, match="larger than any") as caught:
        connected(fake).pull_request(7)
    assert caught.value.kind is ErrorKind.INVALID


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=200, body=b"[" * 200_000),
        Fault(status=200, body=b'{"a":' * 200_000),
        Fault(status=200, body=b"\xff\xfe\x00"),
        Fault(status=200, body=b""),
        Fault(status=200, body=b'"text"'),
        Fault(status=200, body=b"12"),
        Fault(status=500, body=b"[1]", times=9),
        Fault(status=422, body=b"[1]"),
        Fault(status=422, body=b'{"message": 5, "errors": "no list"}'),
        Fault(status=403, body=b'{"message": ["rate limit"]}'),
        Fault(status=403, body=b"<html>Blocked</html>"),
        Fault(status=401, body=b'"Bad credentials"'),
        Fault(status=200, body=b"{}", headers={"X-RateLimit-Remaining": "NaN", "X-RateLimit-Limit": "many"}),
        Fault(status=200, body=b"{}", headers={"X-RateLimit-Reset": "inf"}),
        Fault(status=429, body=b"{}", headers={"Retry-After": "-1"}),
        Fault(status=429, body=b"{}", headers={"Retry-After": "1e9"}),
        Fault(status=429, body=b"{}", headers={"Retry-After": "\u0663"}),
        Fault(status=999, body=b"{}"),
        Fault(status=204),
        Fault(status=200, body=b"{}", headers={"Content-Encoding": "gzip"}),
    ],
)
@pytest.mark.parametrize("kind", ["one", "list", "write"])
def test_an_answer_of_any_shape_is_one_sentence(fake: FakeGitHub, fault: Fault, kind: str) -> None:
    fake.fail(fault)
    github = connected(fake)
    asks: dict[str, Callable[[], object]] = {
        "one": lambda: github.pull_request(7),
        "list": lambda: github.comments(7),
        "write": lambda: github.create_comment(7, "x"),
    }
    started = time.monotonic()
    refused = trouble(asks[kind])
    assert time.monotonic() - started < 9
    if refused is None:  # a passing failure, after which the honest answer was read
        assert len(fake.log) > 1
    else:
        assert refused.sentence.endswith(".")
        assert refused.sentence.isprintable()
        assert len(refused.sentence) < 600


def trouble(ask: Callable[[], object]) -> GitHubError | None:
    """The trouble that it ends with, if any. Anything else that it raises fails the test."""
    try:
        ask()
    except GitHubError as found:
        return found
    return None


def test_what_github_says_of_a_refusal_is_shown_as_plain_words_without_the_token(
    fake: FakeGitHub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    words = f"No\r\n::error::evil \x1b[31m\u202e {JOB_TOKEN} " + "long " * 500
    fake.fail(Fault.refusing(422, words))
    with pytest.raises(GitHubError) as caught:
        connected(fake).create_comment(7, "x")
    shown = caught.value.sentence
    assert JOB_TOKEN not in shown
    assert shown.isprintable()
    assert len(shown) < 400
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("sha", ["", "HEAD", "a" * 39, "../../x", None, 7])
def test_a_head_that_is_no_commit_id_is_not_believed(fake: FakeGitHub, sha: object) -> None:
    forged = honest.pull(fake.world.pulls[7], fake.site, fake.url, "octo/shop", alone=True)
    forged["head"]["sha"] = sha
    fake.fail(answer(forged))
    with pytest.raises(GitHubError, match="not what it documents"):
        connected(fake).pull_request(7)


@pytest.mark.parametrize("number", ["1001/../../../user", 1.5, None, True, "1001"])
def test_an_id_that_is_no_number_makes_no_path(fake: FakeGitHub, number: object) -> None:
    forged = honest.comment(fake.world.comment(7, "x", "y"), fake.site, fake.url, "octo/shop")
    fake.fail(answer([{**forged, "id": number}]))
    with pytest.raises(GitHubError, match="not what it documents"):
        connected(fake).comments(7)


def test_half_characters_and_controls_in_names_are_values_and_no_trouble(fake: FakeGitHub) -> None:
    odd = "\x00\x1b[2J\r\n\u202e::error::"
    fake.world.pull(8, HEAD, title=odd, head_ref=odd, labels=(odd,), author=odd)
    forged = json.dumps(honest.pull(fake.world.pulls[8], fake.site, fake.url, "octo/shop", alone=True))
    fake.fail(Fault(status=200, body=forged.replace('"A change"', '""').replace("\\u202e", "\\ud800").encode()))
    pull = connected(fake).pull_request(8)
    assert pull.title.startswith("\x00\x1b[2J\r\n")
    pull.title.encode()
    pull.labels[0].encode()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "https://evil.example/127.0.0.1",
        "http://127.0.0.1@evil.example/",
        "http://user:password@127.0.0.1/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1/a)[evil](http://evil.example",
        "http://127.0.0.1/\n::error::evil",
        'http://127.0.0.1/"onmouseover="x',
        "http://127.0.0.1/<img>",
        "//127.0.0.1/x",
        "http://[::1",
        "",
    ],
)
def test_only_plain_addresses_of_the_same_github_are_shown(url: str) -> None:
    assert response_types.own_url(url, "127.0.0.1") is None


def test_a_thousand_forged_comments_cost_ten_pages_and_stay_untouched(fake: FakeGitHub) -> None:
    for _ in range(1000):
        fake.world.comment(7, "attacker", "<!-- automaton-auditor:comment:pull-request -->\nPassed")
    posted = comment_publisher.post(connected(fake), ABOUT, "Failed", "github-actions[bot]")
    assert posted is not None
    assert len(fake.log) <= 14
    assert len(fake.world.comments) == 1001
    assert not any(each.edits for each in fake.world.comments)


@pytest.mark.parametrize(
    "external_id",
    [
        "automaton-auditor/pull-request/" + "9" * 5000,
        "automaton-auditor/pull-request/\uff18",
        "automaton-auditor/pull-request/\u00b2",
        "automaton-auditor/pull-request/-8",
        "automaton-auditor/pull-request/8\n",
        "automaton-auditor/pull-request/refs/heads/8",
    ],
)
def test_an_external_id_that_is_no_number_holds_nobody_back(fake: FakeGitHub, external_id: str) -> None:
    fake.world.pull(8, HEAD)
    fake.world.run("Audit", HEAD, external_id=external_id, status="completed", conclusion="failure")
    github = connected(fake)
    done = check_run_publisher.conclude(
        github, ABOUT, check_run_publisher.begin(github, ABOUT, "Audit"), CheckConclusion.SUCCESS, OUTPUT
    )
    assert (done.run.conclusion, done.reason) == ("success", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS: list[type[BaseModel]] = [
    response_types.PullRequestAnswer,
    response_types.CheckRunAnswer,
    response_types.CheckRunsAnswer,
    response_types.AnnotationAnswer,
    response_types.CommentAnswer,
    response_types.UserAnswer,
    response_types.BranchAnswer,
    response_types.RuleAnswer,
    response_types.ReviewAnswer,
    response_types.PermissionAnswer,
]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_json_is_understood_or_refused_in_a_sentence(kind: type[BaseModel], data: st.DataObject) -> None:
    fields = {name: data.draw(JSON, label=name) for name in kind.model_fields}
    for forged in (fields, data.draw(JSON)):
        refused = trouble(lambda forged=forged: response_types.parse_answer(kind, forged))  # type: ignore[misc]
        assert refused is None or (refused.kind is ErrorKind.INVALID and len(refused.sentence) < 300)
