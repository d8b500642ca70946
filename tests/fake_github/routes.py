"""What the fake does for each request: who may, what is refused, what changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.fake_github import answers
from tests.fake_github.state import StoredRun, Token, World

COMMENT_CHARACTERS = 65_536
OUTPUT_LIMIT = 65_535
"""Characters by the description, bytes by experience."""
_LEVELS = {"notice", "warning", "failure"}
_CONCLUSIONS = {"action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"}


@dataclass(frozen=True)
class Request:
    """A request as a route sees it."""

    world: World
    token: Token | None
    query: dict[str, str]
    body: Any
    site: str
    api: str


@dataclass(frozen=True)
class Reply:
    """What a route answers. `entries` are cut into pages by the server."""

    status: int
    data: Any = None
    entries: list[Any] | None = None
    wrap: Callable[[list[Any]], Any] = field(default=lambda page: page)
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """A refusal in GitHub's shape."""

    def __init__(
        self, status: int, message: str, errors: list[Any] | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        body = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
        self.reply = Reply(status, {**body, "errors": errors} if errors else body, headers=headers or {})


Route = Callable[..., Reply]
ROUTES: list[tuple[str, re.Pattern[str], Route]] = []


def route(verb: str, pattern: str) -> Callable[[Route], Route]:
    """Register a route; `R` stands for the repository, `N` for a number, `S` for a commit id."""
    pattern = pattern.replace("R", r"/repos/(?P<repository>[^/]+/[^/]+)").replace("N", r"(?P<number>\d+)")
    compiled = re.compile(rf"^{pattern.replace('S', '(?P<sha>[0-9a-f]{40})').replace('B', '(?P<branch>[^/]+)')}$")

    def register(function: Route) -> Route:
        ROUTES.append((verb, compiled, function))
        return function

    return register


def answer(verb: str, path: str, request: Request) -> Reply:
    """Find the route and follow it."""
    try:
        return _followed(verb, path, request)
    except Refused as refused:
        return refused.reply


def _followed(verb: str, path: str, request: Request) -> Reply:
    for known, pattern, function in ROUTES:
        found = pattern.match(path) if known == verb else None
        if found:
            named = found.groupdict()
            if named.pop("repository", request.world.repository).lower() != request.world.repository:
                break
            return function(request, **{key: int(value) if key == "number" else value for key, value in named.items()})
    raise Refused(404, "Not Found")


# Reading


@route("GET", "/user")
def whoami(request: Request) -> Reply:
    if request.token is None:
        raise Refused(401, "Requires authentication")
    if request.token.app:
        raise Refused(403, "Resource not accessible by integration")
    return Reply(200, answers.user(request.token.login))


@route("GET", "R/pulls/N")
def one_pull(request: Request, number: int) -> Reply:
    pull = request.world.pulls.get(number)
    if request.token is not None and not request.token.pulls:
        raise Refused(403, "Resource not accessible by integration")
    if pull is None:
        raise Refused(404, "Not Found")
    return Reply(200, answers.pull(pull, request.site, request.api, request.world.repository, alone=True))


@route("GET", "R/pulls/N/reviews")
def reviews(request: Request, number: int) -> Reply:
    found = [each for each in request.world.reviews if each.pull == number]
    return Reply(
        200, entries=[answers.review(each, request.site, request.api, request.world.repository) for each in found]
    )


@route("GET", "R/collaborators/B/permission")
def permission(request: Request, branch: str) -> Reply:
    login = unquote(branch)
    level = request.world.permissions.get(login)
    if level is None and login.startswith("gone-"):
        raise Refused(404, "Not Found")
    return Reply(200, answers.permission(login, level or "read"))


@route("GET", "R/pulls")
def pulls(request: Request) -> Reply:
    state, head = request.query.get("state", "open"), request.query.get("head")
    found = [
        answers.pull(each, request.site, request.api, request.world.repository, alone=False)
        for each in request.world.pulls.values()
        if state in ("all", each.state)
    ]
    return Reply(200, entries=[each for each in found if head in (None, each["head"]["label"])])


@route("GET", "R/commits/S/pulls")
def pulls_of_commit(request: Request, sha: str) -> Reply:
    if sha not in request.world.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    found = [each for each in request.world.pulls.values() if each.head_sha == sha]
    return Reply(
        200,
        entries=[
            answers.pull(each, request.site, request.api, request.world.repository, alone=False) for each in found
        ],
    )


@route("GET", "R/commits/S/check-runs")
def runs_of_commit(request: Request, sha: str) -> Reply:
    if sha not in request.world.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    name = request.query.get("check_name")
    found = [run for run in request.world.runs if run.head_sha == sha and name in (None, run.name)]
    if request.query.get("filter", "latest") == "latest":
        found = [run for run in found if run in request.world.shown(sha, run.name)]
    return Reply(
        200,
        entries=[_shown(request, run) for run in reversed(found)],
        wrap=lambda page: {"total_count": len(found), "check_runs": page},
    )


@route("GET", "R/check-runs/N/annotations")
def annotations_of_run(request: Request, number: int) -> Reply:
    return Reply(200, entries=[answers.annotation(each, request.site) for each in _run(request, number).annotations])


@route("GET", "R/issues/N/comments")
def comments_of_pull(request: Request, number: int) -> Reply:
    _pull_exists(request, number)
    found = [each for each in request.world.comments if each.pull == number]
    return Reply(200, entries=[_comment(request, each) for each in found])


@route("GET", "R/branches/B")
def branch(request: Request, branch: str) -> Reply:
    contexts = list(request.world.required_checks)
    checks = [{"context": each, "app_id": None} for each in contexts]
    required = {"enforcement_level": "everyone" if contexts else "off", "contexts": contexts, "checks": checks}
    protection = {"enabled": bool(contexts), "required_status_checks": required}
    return Reply(200, {"name": branch, "protected": bool(contexts), "protection": protection})


@route("GET", "R/rules/branches/B")
def rules(request: Request, branch: str) -> Reply:
    checks = [{"context": each} for each in request.world.required_by_rules]
    rule = {"type": "required_status_checks", "parameters": {"required_status_checks": checks}}
    return Reply(200, entries=[{"type": "deletion"}, rule] if checks else [])


# Check runs


@route("POST", "R/check-runs")
def create_run(request: Request) -> Reply:
    token = _may_write_checks(request)
    body = _object(request.body)
    for name in ("name", "head_sha"):
        if not isinstance(body.get(name), str):
            raise Refused(422, f'Invalid request.\n\n"{name}" wasn\'t supplied.')
    if body["head_sha"] not in request.world.commits:
        raise Refused(422, f"No commit found for SHA: {body['head_sha']}")
    output = _checked_output(body.get("output"), needs_title=True)
    run = StoredRun(
        request.world.new_id(), body["name"], body["head_sha"], app=token.app or "", suite=request.world.suite
    )
    _change(run, body, output)
    request.world.runs.append(run)
    return Reply(201, _shown(request, run))


@route("PATCH", "R/check-runs/N")
def update_run(request: Request, number: int) -> Reply:
    token = _may_write_checks(request)
    run = _run(request, number)
    if run.app != token.app:
        raise Refused(403, "Invalid app_id `1` - check run can only be modified by the GitHub App that created it.")
    body = _object(request.body)
    if run.of_a_job and {"status", "conclusion"} & body.keys():
        raise Refused(403, "Check runs of a job cannot be changed.")
    _change(run, body, _checked_output(body.get("output"), needs_title=False))
    return Reply(200, _shown(request, run))


def _change(run: StoredRun, body: dict[str, Any], output: dict[str, Any] | None) -> None:
    conclusion, status = body.get("conclusion"), body.get("status")
    if conclusion is None and (status == "completed" or "completed_at" in body):
        raise Refused(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.')
    if conclusion is not None and conclusion not in _CONCLUSIONS:
        raise Refused(422, f"Invalid request.\n\n{conclusion} is not a member of the conclusions.")
    for name in ("name", "external_id", "details_url", "started_at", "completed_at"):
        if name in body:
            setattr(run, name, body[name])
    run.status = "completed" if conclusion else status or run.status
    if conclusion or status in ("queued", "in_progress"):
        run.conclusion = conclusion
    if output is not None:
        run.output.update({name: output[name] for name in ("title", "summary", "text") if name in output})
        run.annotations.extend(output.get("annotations", []))


def _checked_output(output: Any, *, needs_title: bool) -> dict[str, Any] | None:
    if output is None:
        return None
    checked = _object(output)
    for name in ("title", "summary") if needs_title else ("summary",):
        if not isinstance(checked.get(name), str):
            raise Refused(422, f'Invalid request.\n\n"output.{name}" wasn\'t supplied.')
    for name in ("summary", "text"):
        text = checked.get(name) or ""
        if len(text) > OUTPUT_LIMIT or len(text.encode()) > OUTPUT_LIMIT:
            raise Refused(
                422, f"Invalid request.\n\nOnly {OUTPUT_LIMIT} characters are allowed; {len(text)} were supplied."
            )
    found = checked.get("annotations", [])
    if len(found) > 50:
        raise Refused(422, f"Invalid request.\n\nNo more than 50 items are allowed; {len(found)} were supplied.")
    for each in found:
        _check_annotation(each)
    return checked


def _check_annotation(each: dict[str, Any]) -> None:
    if not isinstance(each.get("path"), str) or not each.get("message"):
        raise Refused(422, "Invalid request.\n\nAn annotation needs path and message.")
    if not 1 <= each.get("start_line", 0) <= each.get("end_line", 0):
        raise Refused(422, "Invalid request.\n\nThe lines of an annotation are wrong.")
    if each.get("annotation_level") not in _LEVELS:
        raise Refused(422, f"Invalid request.\n\n{each.get('annotation_level')} is not a member of the levels.")
    if len(each.get("title") or "") > 255 or len(each["message"].encode()) > 65_536:
        raise Refused(422, "Invalid request.\n\nAn annotation is too long.")


# Comments


@route("POST", "R/issues/N/comments")
def create_comment(request: Request, number: int) -> Reply:
    token = _may_comment(request)
    _pull_exists(request, number)
    stored = request.world.comment(number, token.login, _checked_comment(request.body))
    return Reply(201, _comment(request, stored))


@route("PATCH", "R/issues/comments/N")
def update_comment(request: Request, number: int) -> Reply:
    _may_comment(request)
    stored = next((each for each in request.world.comments if each.id == number), None)
    if stored is None:
        raise Refused(404, "Not Found")
    stored.body = _checked_comment(request.body)
    stored.edits += 1
    return Reply(200, _comment(request, stored))


@route("DELETE", "R/issues/comments/N")
def delete_comment(request: Request, number: int) -> Reply:
    _may_comment(request)
    stored = next((each for each in request.world.comments if each.id == number), None)
    if stored is None:
        raise Refused(404, "Not Found")
    request.world.comments.remove(stored)
    return Reply(204)


def _checked_comment(body: Any) -> str:
    text = _object(body).get("body")
    if not isinstance(text, str) or not text.strip():
        errors = [
            {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body cannot be blank"}
        ]
        raise Refused(422, "Validation Failed", errors)
    if len(text) > COMMENT_CHARACTERS:
        too_long = "body is too long (maximum is 65536 characters)"
        errors = [{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": too_long}]
        raise Refused(422, "Validation Failed", errors)
    return text


# Who may what


def _may_write_checks(request: Request) -> Token:
    if request.token is None:
        raise Refused(401, "Requires authentication")
    if request.token.app is None:
        raise Refused(403, "You must authenticate via a GitHub App.")
    if not request.token.checks:
        raise Refused(
            403, "Resource not accessible by integration", headers={"X-Accepted-GitHub-Permissions": "checks=write"}
        )
    return request.token


def _may_comment(request: Request) -> Token:
    if request.token is None:
        raise Refused(401, "Requires authentication")
    if not request.token.comments:
        needed = {"X-Accepted-GitHub-Permissions": "issues=write; pull_requests=write"}
        raise Refused(403, "Resource not accessible by integration", headers=needed)
    return request.token


def _object(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise Refused(400, "Problems parsing JSON")
    return body


def _run(request: Request, number: int) -> StoredRun:
    run = next((each for each in request.world.runs if each.id == number), None)
    if run is None:
        raise Refused(404, "Not Found")
    return run


def _pull_exists(request: Request, number: int) -> None:
    if number not in request.world.pulls:
        raise Refused(404, "Not Found")


def _shown(request: Request, run: StoredRun) -> dict[str, Any]:
    return answers.check_run(run, request.site, request.api, request.world.repository)


def _comment(request: Request, stored: Any) -> dict[str, Any]:
    return answers.comment(stored, request.site, request.api, request.world.repository)
