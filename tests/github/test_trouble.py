"""What goes wrong with GitHub is one error with a kind and a sentence; what may be repeated is, and nothing else."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import replace

import github
import pytest

from auditor.domain import Annotation, AnnotationLevel, CheckOutput
from auditor.github import ErrorKind, GitHub, GitHubError
from auditor.github.error_translation import rate_limit_wait
from tests.fake_github import JOB_TOKEN, PERSONAL_TOKEN, READ_ONLY_TOKEN, FakeGitHub, Fault, How

HEAD = "a" * 40
NOTE = Annotation(path="a.py", start_line=1, end_line=1, level=AnnotationLevel.NOTICE, title="T", message="M")
OUTPUT = CheckOutput(title="T", summary="S")
TRIES = 4

Ask = Callable[[GitHub], object]
READ: Ask = lambda github: github.pull_request(7)  # noqa: E731
CREATE: Ask = lambda github: github.create_comment(7, "hello")  # noqa: E731
EDIT: Ask = lambda github: github.update_comment(1001, "changed")  # noqa: E731
DELETE: Ask = lambda github: github.delete_comment(1001)  # noqa: E731
ANNOTATE: Ask = lambda github: github.update_check_run(  # noqa: E731
    1002, output=OUTPUT.model_copy(update={"annotations": (NOTE,)})
)


def connected(fake: FakeGitHub, token: str = JOB_TOKEN, deadline: float = 5) -> GitHub:
    """A connection to a repository with a comment, 1001, and a check run, 1002."""
    fake.world.comment(7, "github-actions[bot]", "old")
    fake.world.run("Audit", HEAD)
    return GitHub.connect(fake.url, token, "octo/shop", deadline=deadline, pace=0)


def trouble(ask: Ask, github: GitHub) -> GitHubError:
    with pytest.raises(GitHubError) as caught:
        ask(github)
    sentence = caught.value.sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert JOB_TOKEN not in sentence
    return caught.value


PASSING = {
    "500": Fault.server_error(500),
    "5xx": Fault.server_error(503),
    "5xx though served": Fault.server_error(502, served=True),
    "dropped": Fault.drop(),
    "dropped though served": Fault.drop(served=True),
    "cut": Fault.cut(),
    "broken JSON": Fault.broken_json(served=True),
    "not ready": Fault(status=202, body=b"{}"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
@pytest.mark.parametrize("ask", [READ, EDIT], ids=["read", "edit"])
def test_reading_and_editing_go_on_after_a_passing_failure(fake: FakeGitHub, ask: Ask, fault: Fault) -> None:
    fake.fail(fault)
    ask(connected(fake))
    assert len(fake.log) == 2


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
@pytest.mark.parametrize("ask", [READ, EDIT], ids=["read", "edit"])
def test_a_failure_that_does_not_pass_ends_after_a_few_tries(fake: FakeGitHub, ask: Ask, fault: Fault) -> None:
    fake.fail(replace(fault, times=99))
    assert trouble(ask, connected(fake)).kind is ErrorKind.UNREACHABLE
    assert len(fake.log) == TRIES


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
@pytest.mark.parametrize("ask", [CREATE, ANNOTATE], ids=["create", "annotate"])
def test_what_adds_is_never_sent_twice_when_its_fate_is_unclear(fake: FakeGitHub, ask: Ask, fault: Fault) -> None:
    fake.fail(fault)
    found = trouble(ask, connected(fake))
    assert (found.kind, found.maybe_done) == (ErrorKind.UNREACHABLE, True)
    assert len(fake.log) == 1
    assert len(fake.world.comments) <= 2
    assert len(fake.world.runs[0].annotations) <= 1


@pytest.mark.parametrize("ask", [READ, CREATE, EDIT, ANNOTATE], ids=["read", "create", "edit", "annotate"])
def test_a_rate_limit_with_a_short_wait_is_waited_for_even_by_what_adds(fake: FakeGitHub, ask: Ask) -> None:
    fake.fail(Fault.secondary_limit(retry_after=0), Fault.secondary_limit(retry_after=0, status=429))
    ask(connected(fake))
    assert len(fake.log) == 3
    assert len(fake.world.comments) == (2 if ask is CREATE else 1)


def test_the_wait_that_github_asks_for_is_kept(fake: FakeGitHub) -> None:
    fake.fail(Fault.secondary_limit(retry_after=1))
    started = time.monotonic()
    connected(fake).pull_request(7)
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    "fault",
    [
        Fault.secondary_limit(),
        Fault.secondary_limit(retry_after=3600),
        Fault.primary_limit(reset_in=3000),
        Fault.secondary_limit(status=429),
    ],
    ids=["secondary without a time", "an hour", "primary", "429"],
)
@pytest.mark.parametrize("ask", [READ, CREATE], ids=["read", "create"])
def test_a_wait_beyond_the_deadline_is_not_begun(fake: FakeGitHub, ask: Ask, fault: Fault) -> None:
    fake.fail(fault)
    started = time.monotonic()
    found = trouble(ask, connected(fake))
    assert found.kind is ErrorKind.RATE_LIMITED
    assert not found.maybe_done
    assert "asks to wait" in found.sentence
    assert time.monotonic() - started < 4
    assert len(fake.log) == 1


def test_how_long_a_limit_asks_to_wait() -> None:
    now = time.time()
    assert rate_limit_wait(403, {"retry-after": "7"}, "anything") == 7
    assert rate_limit_wait(429, {}, "slow down") == 60
    assert rate_limit_wait(403, {}, "You have exceeded a secondary rate limit.") == 60
    spent = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(now) + 30)}
    assert 29 <= (rate_limit_wait(403, spent, "API rate limit exceeded") or 0) <= 31.5
    assert rate_limit_wait(403, {}, "Resource not accessible by integration") is None
    assert rate_limit_wait(403, spent, "Resource not accessible by integration") is None
    assert rate_limit_wait(500, {"retry-after": "7"}, "") is None
    assert rate_limit_wait(403, {"retry-after": "9" * 40}, "") == 86_400
    assert rate_limit_wait(429, {"retry-after": "soon"}, "") == 60
    assert rate_limit_wait(403, {**spent, "x-ratelimit-reset": "never"}, "API rate limit exceeded") == 60


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault.refusing(401, "Bad credentials"), ErrorKind.DENIED, "does not accept the token"),
        (Fault.read_only(), ErrorKind.READ_ONLY, "checks: write and pull-requests: write"),
        (Fault.refusing(403, "Repository was archived so is read-only."), ErrorKind.READ_ONLY, "may not write"),
        (Fault.refusing(403, "Your IP address is not on the allow list"), ErrorKind.DENIED, "allow list"),
        (Fault.refusing(404, "Not Found"), ErrorKind.NOT_FOUND, "hides it"),
        (Fault.refusing(410, "Issues are disabled"), ErrorKind.NOT_FOUND, "no more"),
        (Fault.refusing(422, "Validation Failed"), ErrorKind.INVALID, "422: Validation Failed"),
        (Fault(status=422, body=b'{"message":"Validation Failed","errors":[{"field":"data","message":"too long"}]}'), ErrorKind.INVALID, "data too long"),
        (Fault(status=400, body=b"<html>No</html>"), ErrorKind.INVALID, "400"),
        (Fault(status=301, headers={"Location": "https://evil.example/"}), ErrorKind.NOT_FOUND, "not followed"),
        (Fault(status=307, headers={"Location": "/repositories/1"}), ErrorKind.NOT_FOUND, "not followed"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_in_a_sentence_and_not_repeated(
    fake: FakeGitHub, fault: Fault, kind: ErrorKind, words: str
) -> None:
    fake.fail(fault)
    found = trouble(EDIT, connected(fake))
    assert found.kind is kind
    assert words in found.sentence
    assert len(fake.log) == 1


def test_a_read_only_token_and_a_persons_token_are_told_apart_from_a_missing_thing(fake: FakeGitHub) -> None:
    create: Ask = lambda github: github.create_check_run("Audit", HEAD, "x", OUTPUT)  # noqa: E731
    found = trouble(create, connected(fake, READ_ONLY_TOKEN))
    assert (found.kind, "checks: write" in found.sentence) == (ErrorKind.READ_ONLY, True)
    found = trouble(create, connected(fake, PERSONAL_TOKEN))
    assert (found.kind, "GitHub App" in found.sentence) == (ErrorKind.READ_ONLY, True)
    assert trouble(lambda github: github.pull_request(99), connected(fake)).kind is ErrorKind.NOT_FOUND


@pytest.mark.parametrize("ask", [READ, CREATE], ids=["read", "create"])
def test_an_answer_that_takes_too_long_ends_at_the_deadline(fake: FakeGitHub, ask: Ask) -> None:
    fake.fail(Fault.slow(30, times=9))
    github = connected(fake)
    started = time.monotonic()
    found = trouble(ask, github.within(0.5))
    assert found.kind in (ErrorKind.TOO_LATE, ErrorKind.UNREACHABLE)
    assert found.maybe_done
    assert time.monotonic() - started < 10
    assert len(fake.log) == 1


def test_an_answer_that_comes_byte_by_byte_ends_at_the_deadline(fake: FakeGitHub) -> None:
    fake.fail(Fault.drip(0.05))
    github = connected(fake)
    started = time.monotonic()
    assert trouble(READ, github.within(0.5)).kind is ErrorKind.TOO_LATE
    assert time.monotonic() - started < 10


def test_nothing_is_sent_after_the_deadline(fake: FakeGitHub) -> None:
    github = connected(fake, deadline=0)
    assert trouble(READ, github).kind is ErrorKind.TOO_LATE
    assert fake.log == []
    assert github.within(5).pull_request(7).number == 7


def test_others_who_use_the_library_are_not_held_to_our_bounds(fake: FakeGitHub) -> None:
    connected(fake, deadline=0)
    with github.Github(base_url=fake.url, auth=github.Auth.Token(JOB_TOKEN), lazy=True) as plain:
        assert plain.get_repo("octo/shop").get_pull(7).title == "A change"


def test_a_host_that_nobody_listens_on_is_one_sentence_even_for_what_adds() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    for ask in (READ, CREATE):
        found = trouble(ask, GitHub.connect(url, JOB_TOKEN, "octo/shop", deadline=5, pace=0))
        assert (found.kind, found.maybe_done) == (ErrorKind.UNREACHABLE, False)
        assert "cannot be reached" in found.sentence


def test_writes_keep_their_distance(fake: FakeGitHub) -> None:
    github = GitHub.connect(fake.url, JOB_TOKEN, "octo/shop", deadline=5, pace=0.2)
    started = time.monotonic()
    for _ in range(3):
        github.create_comment(7, "hello")
    assert time.monotonic() - started >= 0.4


def test_deleting_what_is_gone_is_no_trouble(fake: FakeGitHub) -> None:
    github = connected(fake)
    fake.fail(Fault.drop(served=True))
    github.delete_comment(1001)
    github.delete_comment(1001)
    assert fake.world.comments == []


def test_faults_of_every_way_are_tried() -> None:
    assert {fault.how for fault in PASSING.values()} | {How.SLOW, How.DRIP} == set(How)
