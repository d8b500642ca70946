"""GitHub's answers as we read them: the few fields we need, checked, and everything else left out.

Addresses in answers are shown at most, never followed, and only when they lead to the same GitHub.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from auditor.domain import Annotation, AnnotationLevel, CheckRun, Comment, PullRequest, Review
from auditor.github.github_error import ErrorKind, GitHubError

Parsed = TypeVar("Parsed")


def _replace_surrogates(value: Any) -> Any:
    """A text without lone surrogates, which JSON can contain and UTF-8 cannot."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


Name = Annotated[str, BeforeValidator(_replace_surrogates)]
"""A text that is always there."""
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else _replace_surrogates(value))]
"""A text that GitHub may leave null."""
Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class _User(_Answer):
    login: Name


class _App(_Answer):
    slug: Text = ""


class _Repository(_Answer):
    full_name: Name


class _Branch(_Answer):
    """Head or base of a pull request."""

    ref: Name
    sha: Sha
    repo: _Repository | None = None


class _Label(_Answer):
    name: Text = ""


class PullRequestAnswer(_Answer):
    """A pull request, alone or in a list."""

    number: int
    state: str
    draft: bool | None = False
    merged_at: str | None = None
    merge_commit_sha: Sha | None = None
    title: Text = ""
    body: Text = ""
    user: _User | None = None
    base: _Branch
    head: _Branch
    labels: tuple[_Label, ...] = Field(default=(), strict=False)
    mergeable: bool | None = None

    def value(self) -> PullRequest:
        """The pull request as the rest of the program knows it. GitHub shows deleted accounts as `ghost`."""
        head = self.head.repo.full_name if self.head.repo else None
        base = self.base.repo.full_name if self.base.repo else None
        return PullRequest(
            number=self.number,
            open=self.state == "open",
            draft=bool(self.draft),
            merged=self.merged_at is not None,
            title=self.title,
            body=self.body,
            author=self.user.login if self.user else "ghost",
            base_ref=self.base.ref,
            base_sha=self.base.sha,
            head_ref=self.head.ref,
            head_sha=self.head.sha,
            head_repository=head,
            fork=head is None or base is None or head.lower() != base.lower(),
            labels=tuple(label.name for label in self.labels),
            mergeable=self.mergeable,
            merge_commit_sha=self.merge_commit_sha,
        )


class _Output(_Answer):
    title: Text = ""
    summary: Text = ""
    text: Text = ""
    annotations_count: int = 0


class CheckRunAnswer(_Answer):
    """A check run."""

    id: int
    name: Name
    head_sha: Sha
    external_id: Text = ""
    status: Name
    conclusion: Name | None = None
    html_url: str | None = None
    app: _App | None = None
    output: _Output = _Output()

    def value(self, host: str) -> CheckRun:
        """The check run as the rest of the program knows it."""
        return CheckRun(
            id=self.id,
            name=self.name,
            head_sha=self.head_sha,
            external_id=self.external_id,
            status=self.status,
            conclusion=self.conclusion,
            app=self.app.slug if self.app else "",
            url=own_url(self.html_url, host),
            title=self.output.title,
            summary=self.output.summary,
            text=self.output.text,
            annotations=self.output.annotations_count,
        )


class CheckRunsAnswer(_Answer):
    """A page of check runs."""

    check_runs: tuple[CheckRunAnswer, ...] = Field(strict=False)


class AnnotationAnswer(_Answer):
    """An annotation as it is stored."""

    path: Name
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    annotation_level: AnnotationLevel = Field(strict=False)
    title: Text = ""
    message: Text = ""

    def value(self) -> Annotation:
        """The annotation as the rest of the program knows it."""
        return Annotation(
            path=self.path,
            start_line=self.start_line,
            end_line=self.end_line,
            level=self.annotation_level,
            title=self.title,
            message=self.message,
        )


class _Reviewer(_Answer):
    login: Name
    type: Text = ""


class ReviewAnswer(_Answer):
    """A review of a pull request."""

    user: _Reviewer | None = None
    state: Text = ""
    commit_id: Sha | None = None
    author_association: Text = ""

    def value(self) -> Review:
        """The review as the rest of the program knows it. GitHub shows deleted accounts as `ghost`, who is nobody."""
        return Review(
            author=self.user.login if self.user else "ghost",
            by_person=self.user is not None and self.user.type == "User",
            by_member=self.author_association in {"OWNER", "MEMBER", "COLLABORATOR"},
            state=self.state.upper(),
            commit=self.commit_id,
        )


class PermissionAnswer(_Answer):
    """What somebody may do in a repository. GitHub gives `write` for the role *maintain*, and `read` for *triage*."""

    permission: Text = ""

    @property
    def can_write(self) -> bool:
        """May they push?"""
        return self.permission in {"admin", "write"}


class CommentAnswer(_Answer):
    """A comment."""

    id: int
    user: _User | None = None
    body: Text = ""
    html_url: str | None = None

    def value(self, host: str) -> Comment:
        """The comment as the rest of the program knows it."""
        return Comment(
            id=self.id,
            author=self.user.login if self.user else "ghost",
            body=self.body,
            url=own_url(self.html_url, host),
        )


class UserAnswer(_User):
    """Whose token it is."""


class _Contexts(_Answer):
    contexts: tuple[Name, ...] = Field(default=(), strict=False)


class _Protection(_Answer):
    required_status_checks: _Contexts | None = None


class BranchAnswer(_Answer):
    """A branch and its protection."""

    protection: _Protection | None = None

    def required_checks(self) -> tuple[str, ...]:
        """Names of required checks."""
        checks = self.protection.required_status_checks if self.protection else None
        return checks.contexts if checks else ()


class _Context(_Answer):
    context: Name


class _RuleParameters(_Answer):
    required_status_checks: tuple[_Context, ...] = Field(default=(), strict=False)


class RuleAnswer(_Answer):
    """A rule of a ruleset that holds for a branch."""

    type: str
    parameters: _RuleParameters | None = None

    def required_checks(self) -> tuple[str, ...]:
        """Names of required checks; none for a rule about something else."""
        if self.type != "required_status_checks" or self.parameters is None:
            return ()
        return tuple(each.context for each in self.parameters.required_status_checks)


def parse_answer(kind: type[Parsed], data: Any) -> Parsed:
    """An answer as a value. Raises GitHubTrouble for one that has not the shape that GitHub documents."""
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"][:4]) or "the whole"
        raise GitHubError(
            ErrorKind.INVALID, f"GitHub's answer is not what it documents ({place[:80]}).", maybe_done=True
        ) from None


def own_url(url: str | None, host: str) -> str | None:
    """The address when it leads to a page of this GitHub, else none: it will be printed and clicked."""
    if not url or not url.isascii() or not url.isprintable() or any(each in url for each in " \"'<>\\`()[]|"):
        return None
    try:
        parts = urlsplit(url)
        same = parts.hostname == host and parts.scheme in ("http", "https") and "@" not in parts.netloc
    except ValueError:
        return None
    return url if same else None
