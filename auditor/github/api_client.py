"""What this program asks of GitHub: one method a question, small typed values as answers, one error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from auditor.domain import Annotation, CheckConclusion, CheckOutput, CheckRun, Comment, PullRequest, Review
from auditor.github.github_error import ErrorKind, GitHubError
from auditor.github.request_deadline import Deadline
from auditor.github.request_retries import Transport
from auditor.github.response_types import (
    AnnotationAnswer,
    BranchAnswer,
    CheckRunAnswer,
    CheckRunsAnswer,
    CommentAnswer,
    PermissionAnswer,
    PullRequestAnswer,
    ReviewAnswer,
    RuleAnswer,
    UserAnswer,
    parse_answer,
)

PAGE_SIZE = 100
"""Entries a page: the most that GitHub gives."""
MAX_PAGES = 50
"""Pages of one list that are read. 5,000 comments are more than a pull request is readable with."""
ANNOTATIONS_PER_REQUEST = 50
_REPOSITORY = re.compile(r"\A[A-Za-z0-9_][A-Za-z0-9_-]{0,99}/(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}\Z")
_SHA = re.compile(r"\A[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class WriteRefusals:
    """Why the token may not write check runs and comments, each in a sentence; empty where it may."""

    checks: str
    comments: str


@dataclass(frozen=True)
class GitHub:
    """A repository on GitHub, as far as a token reaches, until a deadline.

    Every method raises GitHubTrouble and nothing else. Not for several threads at a time.
    """

    repository: str
    host: str = field(metadata={"meaning": "host name of the web pages, not of the API"})
    transport: Transport = field(repr=False)
    deadline: Deadline = field(repr=False)

    @classmethod
    def connect(cls, api_url: str, token: str, repository: str, *, deadline: float = 60.0, pace: float = 1.0) -> GitHub:
        """Prepare for `owner/name` on the GitHub at `api_url`; nothing is sent yet.

        `deadline` is in seconds from now; `within` sets it anew. `pace` is the seconds between two writes, of
        which GitHub asks for one, and the unit of waiting before another try; 0 is for tests.
        """
        if not token.strip():
            raise GitHubError(ErrorKind.DENIED, "No token was given: pass `token: ${{ github.token }}` to the step.")
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise GitHubError(
                ErrorKind.DENIED, "The token holds blanks or control characters: check the secret it comes from."
            )
        if not _REPOSITORY.match(repository):
            raise GitHubError(ErrorKind.INVALID, "The repository is not of the form owner/name.")
        return cls(
            repository, _web_host(api_url), Transport(api_url.rstrip("/"), token, pace), Deadline.within(deadline)
        )

    def within(self, seconds: float) -> GitHub:
        """The same connection with so many seconds from now on."""
        return replace(self, deadline=Deadline.within(seconds))

    def pause(self) -> None:
        """Let a write that may be under way on GitHub's side come to its end, before looking for it."""
        self.transport.pause(self.deadline)

    def close(self) -> None:
        """Give the connections back."""
        self.transport.close()

    # Pull requests

    def pull_request(self, number: int) -> PullRequest:
        """A pull request as it is now."""
        return parse_answer(PullRequestAnswer, self._get(f"/pulls/{int(number)}")).value()

    def find_pull_requests(
        self, head_sha: str, head_repository: str, head_branch: str | None = None
    ) -> tuple[PullRequest, ...]:
        """Open pull requests to this repository whose head is exactly this commit of that repository.

        For `workflow_run`, whose own list is empty for forks. The branch, when known, saves looking at others.
        """
        sha = _require_sha(head_sha)
        if head_branch:
            owner = head_repository.partition("/")[0]
            found = self._list("/pulls", PullRequestAnswer, {"state": "open", "head": f"{owner}:{head_branch}"})
        else:
            found = self._list(f"/commits/{sha}/pulls", PullRequestAnswer)
        values = (each.value() for each in found)
        return tuple(
            pull
            for pull in values
            if pull.open and pull.head_sha == sha and (pull.head_repository or "").lower() == head_repository.lower()
        )

    def list_pull_requests(self, is_open: bool, last: int, *, merged: bool | None = None) -> tuple[PullRequest, ...]:
        """Pull requests that are open or not, those changed last first; of closed ones all, or those merged or not."""
        query: dict[str, str | int] = {
            "state": "open" if is_open else "closed", "sort": "updated", "direction": "desc"
        }  # fmt: skip
        values = (each.value() for each in self._list("/pulls", PullRequestAnswer, query))
        return tuple(islice((each for each in values if merged in (None, each.merged)), last))

    def reviews(self, number: int) -> tuple[Review, ...]:
        """All reviews of a pull request, oldest first."""
        return tuple(each.value() for each in self._list(f"/pulls/{int(number)}/reviews", ReviewAnswer))

    def can_write(self, login: str) -> bool:
        """Can somebody push to this repository? GitHub knows nothing of people who are gone: they cannot."""
        try:
            answer = self._get(f"/collaborators/{quote(login, safe='')}/permission")
        except GitHubError as trouble:
            if trouble.kind is ErrorKind.NOT_FOUND:
                return False
            raise
        return parse_answer(PermissionAnswer, answer).can_write

    # Check runs

    def check_runs(self, sha: str, external_id: str | None = None, *, name: str | None = None) -> tuple[CheckRun, ...]:
        """Check runs on a commit, newest first, superseded ones too; by external id and name when given.

        The external id is only what whoever made the run wrote: see `CheckRun.app` for who that was.
        """
        query: dict[str, str | int] = {"filter": "all"}
        if name is not None:
            query["check_name"] = name
        found = self._list(
            f"/commits/{_require_sha(sha)}/check-runs",
            CheckRunAnswer,
            query,
            entries=lambda page: parse_answer(CheckRunsAnswer, page).check_runs,
        )
        runs = (each.value(self.host) for each in found)
        matching = (run for run in runs if external_id is None or run.external_id == external_id)
        return tuple(sorted(matching, key=lambda run: run.id, reverse=True))

    def create_check_run(
        self, name: str, sha: str, external_id: str, output: CheckOutput, details_url: str | None = None
    ) -> CheckRun:
        """Make a check run that is `in_progress` from now on; annotations are for later.

        After trouble that is `maybe_done`, look for it by its external id before asking again.
        """
        body: dict[str, Any] = {
            "name": name,
            "head_sha": _require_sha(sha),
            "external_id": external_id,
            "status": "in_progress",
            "started_at": _timestamp(),
            "output": {name: text for name, text in _output_body(output).items() if text},
        }
        if details_url:
            body["details_url"] = details_url
        answer = self._send("POST", "/check-runs", body, repeatable=False)
        return parse_answer(CheckRunAnswer, answer).value(self.host)

    def update_check_run(
        self,
        id: int,  # noqa: A002 - GitHub's own word
        *,
        output: CheckOutput | None = None,
        conclusion: CheckConclusion | None = None,
        external_id: str | None = None,
        details_url: str | None = None,
    ) -> CheckRun:
        """Change a check run of ours; with a conclusion it is completed now. What is not given stays.

        Annotations (at most 50) are *added* to those it has, so with any the request is never sent twice.
        """
        body: dict[str, Any] = {}
        if conclusion is not None:
            body |= {"status": "completed", "conclusion": conclusion.value, "completed_at": _timestamp()}
        if output is not None:
            body["output"] = _output_body(output)
            if output.annotations:
                body["output"]["annotations"] = [_annotation_body(each) for each in output.annotations]
        if external_id is not None:
            body["external_id"] = external_id
        if details_url is not None:
            body["details_url"] = details_url
        adds = output is not None and bool(output.annotations)
        answer = self._send("PATCH", f"/check-runs/{int(id)}", body, repeatable=not adds)
        return parse_answer(CheckRunAnswer, answer).value(self.host)

    def annotations(self, check_run_id: int) -> tuple[Annotation, ...]:
        """What a check run has on lines."""
        found = self._list(f"/check-runs/{int(check_run_id)}/annotations", AnnotationAnswer)
        return tuple(each.value() for each in found)

    # Comments

    def comments(self, number: int) -> tuple[Comment, ...]:
        """All comments of a pull request, oldest first."""
        found = self._list(f"/issues/{int(number)}/comments", CommentAnswer)
        return tuple(each.value(self.host) for each in found)

    def create_comment(self, number: int, body: str) -> Comment:
        """Make a comment. After trouble that is `maybe_done`, look for it before asking again."""
        answer = self._send("POST", f"/issues/{int(number)}/comments", {"body": body}, repeatable=False)
        return parse_answer(CommentAnswer, answer).value(self.host)

    def update_comment(self, id: int, body: str) -> Comment:  # noqa: A002 - GitHub's own word
        """A comment with another text."""
        answer = self._send("PATCH", f"/issues/comments/{int(id)}", {"body": body})
        return parse_answer(CommentAnswer, answer).value(self.host)

    def delete_comment(self, id: int) -> None:  # noqa: A002 - GitHub's own word
        """Take a comment away. One that is gone already is no trouble."""
        try:
            self._send("DELETE", f"/issues/comments/{int(id)}", None)
        except GitHubError as trouble:
            if trouble.kind is not ErrorKind.NOT_FOUND:
                raise

    # Who we are

    def login(self) -> str | None:
        """Whose token it is; none for the token of an app, which has no person and is refused the question."""
        try:
            answer = self.transport.send("GET", "/user", deadline=self.deadline)
        except GitHubError as trouble:
            if trouble.kind is ErrorKind.DENIED:
                return None
            raise
        return parse_answer(UserAnswer, answer).login

    def write_refusals(self, number: int | None = None) -> WriteRefusals:
        """What the token may write, found by requests without content: they are refused for the one or the other reason.

        Nothing is ever made by them. Raises GitHubTrouble when GitHub says neither.
        """
        comments = f"/issues/{int(number)}/comments" if number is not None else None
        return WriteRefusals(self._refusal("/check-runs"), self._refusal(comments) if comments else "")

    def _refusal(self, path: str) -> str:
        try:
            self._send("POST", path, {}, repeatable=False)
        except GitHubError as trouble:
            if trouble.kind in (ErrorKind.DENIED, ErrorKind.READ_ONLY):
                return trouble.sentence
            if trouble.kind is not ErrorKind.INVALID:
                raise
        return ""

    def required_checks(self, branch: str) -> tuple[str, ...]:
        """Names of the checks without which nothing is merged into a branch, by its protection and its rulesets."""
        name = quote(branch, safe="")
        protection = parse_answer(BranchAnswer, self._get(f"/branches/{name}"))
        rules = self._list(f"/rules/branches/{name}", RuleAnswer)
        return tuple(
            dict.fromkeys([*protection.required_checks(), *(each for rule in rules for each in rule.required_checks())])
        )

    def _get(self, path: str, query: dict[str, str | int] | None = None) -> Any:
        return self.transport.send("GET", self._path(path), deadline=self.deadline, query=query)

    def _send(self, verb: str, path: str, body: dict[str, Any] | None, *, repeatable: bool = True) -> Any:
        return self.transport.send(verb, self._path(path), deadline=self.deadline, body=body, repeatable=repeatable)

    def _path(self, path: str) -> str:
        return f"/repos/{quote(self.repository)}{path}"

    def _list(
        self,
        path: str,
        kind: type[Entry],
        query: dict[str, str | int] | None = None,
        entries: Callable[[Any], Sequence[Entry]] | None = None,
    ) -> Iterator[Entry]:
        """All entries of all pages, by page number: the links in an answer are never followed.

        Raises GitHubTrouble when the pages do not end.
        """
        for page in range(1, MAX_PAGES + 1):
            data = self._get(path, {**(query or {}), "per_page": PAGE_SIZE, "page": page})
            found = entries(data) if entries else parse_answer(tuple[kind, ...], data)  # type: ignore[valid-type]
            yield from found
            if len(found) < PAGE_SIZE:
                return
        raise GitHubError(ErrorKind.INVALID, f"A list of GitHub's has more than {MAX_PAGES * PAGE_SIZE:,} entries.")


def _web_host(api_url: str) -> str:
    """Where the web pages are: `api.github.com` serves github.com, an own server has both on one host."""
    parts = urlsplit(api_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise GitHubError(
            ErrorKind.INVALID,
            "The API URL is not an https address such as https://api.github.com: check GITHUB_API_URL.",
        )
    return parts.hostname.removeprefix("api.")


def _require_sha(text: str) -> str:
    if not _SHA.match(text):
        raise GitHubError(ErrorKind.INVALID, "A commit is named by something that is no full commit id.")
    return text


def _timestamp() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _output_body(output: CheckOutput) -> dict[str, Any]:
    """Every text, an empty one too: what is left out of an update stays as it was."""
    return {"title": output.title, "summary": output.summary, "text": output.text}


def _annotation_body(annotation: Annotation) -> dict[str, Any]:
    return {
        "path": annotation.path,
        "start_line": annotation.start_line,
        "end_line": annotation.end_line,
        "annotation_level": annotation.level.value,
        "title": annotation.title,
        "message": annotation.message,
    }
