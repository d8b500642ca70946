"""What the environment of a runner says: where a step runs, for which event, and where results are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from auditor.domain import Frozen, UserError
from auditor.report.rule_page_text import ToolHome

_MAX_EVENT_BYTES = 25_000_000
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_ACCESS_PREFIXES = (
    "ACTIONS_ID_TOKEN_REQUEST_",
    "AWS_",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "ANTHROPIC_VERTEX_",
    "ANTHROPIC_FOUNDRY_",
)
_ACTION_REF = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


class Runner(Frozen):
    """The environment of one step. Paths are absent where a runner is missing, as on a developer's machine."""

    event: str
    event_path: Path | None = None
    repository: str
    sha: str
    ref: str = ""
    server_url: str = "https://github.com"
    api_url: str = "https://api.github.com"
    run_id: str = ""
    attempt: int = 1
    actor: str = ""
    workflow: str = ""
    workflow_ref: str = ""
    """`owner/name/PATH@REF` of the file whose workflow runs."""
    job: str = ""
    workspace: Path
    output: Path | None = None
    summary: Path | None = None
    action_repository: str = ""
    """`owner/name` of the Action itself, where the runner says so."""
    action_ref: str = ""
    access: dict[str, str] = Field(default_factory=dict, repr=False)
    """What leads to a model: the credentials of its platforms, and what the job may ask for its OIDC token with."""

    @property
    def clone_url(self) -> str:
        """Where git fetches the repository from."""
        return f"{self.server_url}/{self.repository}.git"

    @property
    def repository_url(self) -> str:
        """The repository's page."""
        return f"{self.server_url}/{self.repository}"

    @property
    def tool_home(self) -> ToolHome | None:
        """Where the Action itself can be read; None where it is built from the audited repository."""
        if not (self.action_repository and self.action_ref):
            return None
        return ToolHome(f"{self.server_url}/{self.action_repository}", self.action_ref)

    @property
    def workflow_path(self) -> str:
        """The file of this repository whose workflow runs; empty where it is one of another repository, or not known."""
        repository, path = f"{self.repository}/", self.workflow_ref.partition("@")[0]
        return path.removeprefix(repository) if path.startswith(repository) else ""

    @property
    def run_url(self) -> str | None:
        """The page of this run."""
        return f"{self.repository_url}/actions/runs/{self.run_id}" if self.run_id else None


def read(environment: Mapping[str, str]) -> Runner:
    """The runner of an environment. Raises UserError, in one sentence a line, for what no runner would say."""
    mistakes = [
        f"{name} is not set: `auditor action` runs as a step of a workflow; use `auditor audit` elsewhere."
        for name in ("GITHUB_EVENT_NAME", "GITHUB_REPOSITORY", "GITHUB_SHA")
        if not environment.get(name)
    ]
    if mistakes:
        raise UserError(mistakes[0])
    wrong = [
        name
        for name, shape in (("GITHUB_REPOSITORY", _REPOSITORY), ("GITHUB_SHA", _COMMIT))
        if not shape.fullmatch(environment[name])
    ]
    if wrong:
        raise UserError(f"{wrong[0]} has an invalid value: {environment[wrong[0]][:60]!r}.")
    attempt = environment.get("GITHUB_RUN_ATTEMPT", "1")
    run_id = environment.get("GITHUB_RUN_ID", "")
    return Runner(
        event=environment["GITHUB_EVENT_NAME"],
        event_path=_path(environment, "GITHUB_EVENT_PATH"),
        repository=environment["GITHUB_REPOSITORY"],
        sha=environment["GITHUB_SHA"],
        ref=environment.get("GITHUB_REF", ""),
        server_url=_url(environment, "GITHUB_SERVER_URL", "https://github.com"),
        api_url=_url(environment, "GITHUB_API_URL", "https://api.github.com"),
        run_id=run_id if run_id.isdecimal() else "",
        attempt=int(attempt) if attempt.isdecimal() and len(attempt) < 6 else 1,
        actor=environment.get("GITHUB_ACTOR", ""),
        workflow=environment.get("GITHUB_WORKFLOW", ""),
        workflow_ref=environment.get("GITHUB_WORKFLOW_REF", ""),
        job=environment.get("GITHUB_JOB", ""),
        workspace=_path(environment, "GITHUB_WORKSPACE") or Path.cwd(),
        output=_path(environment, "GITHUB_OUTPUT"),
        summary=_path(environment, "GITHUB_STEP_SUMMARY"),
        action_repository=_matching(environment, "GITHUB_ACTION_REPOSITORY", _REPOSITORY),
        action_ref=_matching(environment, "GITHUB_ACTION_REF", _ACTION_REF),
        access={name: value for name, value in environment.items() if name.startswith(_ACCESS_PREFIXES)},
    )


def _matching(environment: Mapping[str, str], name: str, shape: re.Pattern[str]) -> str:
    """The value of a variable that only adds links; empty where it is not set or has another form."""
    value = environment.get(name, "")
    return value if shape.fullmatch(value) else ""


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    return Path(environment[name]) if environment.get(name) else None


def _url(environment: Mapping[str, str], name: str, default: str) -> str:
    """A server's address. Plain http would show the token to everybody on the way, except to this machine itself."""
    value = (environment.get(name) or default).rstrip("/")
    parts = urlsplit(value)
    loopback = parts.scheme == "http" and parts.hostname in {"127.0.0.1", "::1", "localhost"}
    if not (parts.hostname and (parts.scheme == "https" or loopback)) or parts.username or parts.query:
        raise UserError(f"{name} must be an https address, not {value[:60]!r}.")
    return value


def read_payload(runner: Runner) -> dict[str, Any]:
    """The event as the runner wrote it; empty when there is none. Raises UserError when it cannot be read."""
    if runner.event_path is None:
        return {}
    try:
        if runner.event_path.stat().st_size > _MAX_EVENT_BYTES:
            raise UserError(f"GITHUB_EVENT_PATH names a file of more than {_MAX_EVENT_BYTES:,} bytes.")
        found = json.loads(runner.event_path.read_bytes())
    except OSError as error:
        raise UserError(f"GITHUB_EVENT_PATH cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise UserError("GITHUB_EVENT_PATH names a file that is not JSON.") from error
    if not isinstance(found, dict):
        raise UserError("GITHUB_EVENT_PATH names a file that contains no event.")
    return found
