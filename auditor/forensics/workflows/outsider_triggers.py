"""What an outsider who starts a workflow can reach, by the rows of its jobs.

A trigger such as `pull_request_target` lends a job the repository's own rights. That is what it is made for where the
job only labels or answers; it is dangerous where the job holds secrets, may write what others build on, or touches
what the outsider wrote.
"""

from __future__ import annotations

import re

from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.workflows import workflow_job_lines
from auditor.forensics.workflows.unused_permissions import PERMISSION, write_permissions
from auditor.lazy_regex import lazy_compile

_DISCUSSION_PERMISSIONS = frozenset({"issues", "pull-requests", "discussions"})
"""Permissions to label, answer and close, which change nothing that others build on."""
_SECRET_REFERENCE = lazy_compile(
    r"\bsecrets\.(?!GITHUB_TOKEN\b)\w|\bsecrets\s*\[|\bsecrets\s*:\s*inherit|\(\s*secrets\s*\)"
)
_HEAD_REFERENCE = lazy_compile(
    r"\bhead(?:[\"']?\])?(?:\.|\[[\"'])(?:sha|ref)\b|\brepository:\s*[\"']?\$\{\{|\bhead_(?:ref|sha|branch)\b|\bhead(?:[\"']?\])?(?:\.|\[[\"'])repo(?:[\"']?\])?(?:\.|\[[\"'])(?:clone_url|git_url|ssh_url|html_url)\b|\bmerge_commit_sha\b|\bheadRef(?:Name|Oid)\b|\bgh\s+pr\s+(?:checkout|diff)\b|\brefs/pull/|\bpull/\$"
)
_ARTIFACT_DOWNLOAD = lazy_compile(
    r"download-?artifact|\bgh\s+run\s+download\b|\bartifacts_url\b|\barchive_download_url\b|\bactions/artifacts/",
    re.IGNORECASE,
)
"""Downloads of artifacts of another workflow's run, which outsiders may have filled."""
_FILE_EXECUTION = lazy_compile(
    r"(?:^|[\s;&|('\"])(?:(?:\$\{{0,2}[^\n{}$/]{1,60}\}{0,2}|\.{0,2})/[\w.-]|(?:"
    + UNIX_SHELL
    + r"|source|\.|eval|exec|node|deno|bun|python[\d.]*|uv|ruby|perl|php|Rscript|pwsh|java|dotnet|gradlew?|mvnw?|just|make|npm|npx|yarn|pnpm|pip[\d.]*|cargo|go|docker|terraform)(?:[\s\"']|$))|\bGITHUB_(?:ENV|PATH)\b|actions/checkout@",
    re.MULTILINE,
)
"""Steps that may execute a file in the workspace or its content; merely reading one is not matched."""
_FOREIGN_RUN_DATA = lazy_compile(
    r"artifact|\bhead_commit(?:\.id\b|\[)|\bhead_repository\.\w{0,10}url\b|\bgit\b[^\n;|&]{0,80}\b(?:fetch|clone|pull)\b|\bgh\s+(?:pr\s+merge|repo\s+clone)\b|\bpull/\d",
    re.IGNORECASE,
)
"""Data of another workflow's run, or of who started it, beyond a message."""
_EXPLICIT_PERMISSIONS = lazy_compile(r"\s*[\"']?permissions[\"']?\s*:\s*(?:\{[^{}\n]{0,500}\}\s*)?$")
"""Permissions that are listed one by one, rather than by `write-all` or an alias."""
_INSIDER_CONDITION = lazy_compile(
    r"\bauthor_association\b[^\n]{0,200}\b(?:OWNER|MEMBER|COLLABORATOR)\b|\b(?:OWNER|MEMBER|COLLABORATOR)\b[^\n]{0,200}\bauthor_association\b"
    r"|head\.repo\.full_name\s*==\s*github\.repository\b|github\.repository\s*==\s*github\.event\.(?:pull_request|workflow_run)\.head\w*\.?\w*\.full_name|head_repository\.full_name\s*==\s*github\.repository\b"
    r"|!\s*github\.event\.pull_request\.head\.repo\.fork\b|head\.repo\.fork\s*==\s*false"
    r"|github\.(?:actor|triggering_actor|event\.(?:pull_request|comment|sender|issue)\.(?:user\.)?login)\s*==\s*['\"]"
)
"""Conditions that outsiders do not meet."""
_OR_OPERATOR = lazy_compile(r"\|\|")
_NEGATION = lazy_compile(r"!=|!(?!\s*github\.event\.pull_request\.head\.repo\.fork\b)|\)\s*==\s*false")
"""Operators that turn a condition for insiders into one for everybody else."""
_RUNS_AFTER_SKIPPED_JOB = lazy_compile(r"\b(?:cancelled|failure)\(\)")
"""With these a job runs although one that it needs was skipped."""
_WHOLE_EXPRESSION = lazy_compile(r"(?:[|>]- )?[\"']?\$\{\{(?>(?:(?!\}\}).)*)\}\}[\"']?")


def is_safe_for_outsiders(text: str) -> bool:
    """Does every job that an outsider can start hold no secrets, at most the right to talk, and nothing that they wrote?"""
    read = workflow_job_lines.read_rows(text)
    if not read.jobs:
        return False
    top = read.top_level_keys.get("permissions")
    shared = None if top is None else _explicit_write_permissions(read, top)
    common = "\n".join(read.block(row) for key, row in read.top_level_keys.items() if key in {"env", "defaults"})
    starts = read.block(read.top_level_keys["on"]) if "on" in read.top_level_keys else ""
    after = "workflow_run" in starts and not _OUTSIDER_EVENTS.search(starts) and not _ESCAPED_OR_ALIASED.search(starts)
    held = _SECRET_REFERENCE.search(common) is not None
    if held and not after:
        return False
    guarded = jobs_for_insiders(read)
    for job in read.jobs:
        if job.name not in guarded and not _is_limited_to_discussion(
            read, job, shared, is_workflow_run=after, has_shared_secrets=held
        ):
            return False
    return True


def jobs_for_insiders(read: workflow_job_lines.WorkflowRows) -> frozenset[str]:
    """The jobs that only people of the repository can start, by a condition or by a job that they need."""
    guarded: set[str] = set()
    for job in read.jobs:
        if _is_restricted_to_insiders(read, job, guarded):
            guarded.add(job.name)
    return frozenset(guarded)


def _is_restricted_to_insiders(
    rows: workflow_job_lines.WorkflowRows, job: workflow_job_lines.Job, restricted: set[str]
) -> bool:
    """Is it restricted to people of the repository, by its own condition or by a job that it needs?"""
    said = rows.block(job.keys["if"]) if "if" in job.keys else ""
    joined = " ".join(said.split())
    if "always()" in joined:
        return False
    needs = rows.block(job.keys["needs"]).replace(",", " ").split() if "needs" in job.keys else []
    if not _RUNS_AFTER_SKIPPED_JOB.search(joined) and any(each.strip("[]\"'-") in restricted for each in needs):
        return True
    told = joined.partition(":")[2].strip()
    if "${{" in told and not _WHOLE_EXPRESSION.fullmatch(told):
        return False  # a text that only holds an expression is true whatever that gives
    return bool(told) and all(map(excludes_outsiders, _OR_OPERATOR.split(told)))


def excludes_outsiders(condition: str) -> bool:
    """Does one of the conjuncts of a condition exclude outsiders?"""
    if "!(" in condition.replace(" ", ""):
        return False
    return any(_INSIDER_CONDITION.search(each) and not _NEGATION.search(each) for each in condition.split("&&"))


def _explicit_write_permissions(rows: workflow_job_lines.WorkflowRows, key: int) -> frozenset[str] | None:
    """The write permissions below a key; None where not each of them is listed explicitly."""
    if not _EXPLICIT_PERMISSIONS.match(rows.rows[key].partition(" #")[0]):
        return None
    below = (rows.rows[number] for number in rows.row_with_children(key) - {key})
    return frozenset(write_permissions(rows, key)) if all(map(PERMISSION.search, below)) else None


_OUTSIDER_EVENTS = lazy_compile(
    r"\b(?:pull_request_target|issue_comment|issues|discussion\w*|pull_request_review\w*|commit_comment|fork|watch)\b"
)
"""Events by which outsiders send a workflow more than that another one has ended."""
_ESCAPED_OR_ALIASED = lazy_compile(r"\\|(?:^|[\s\[,])[*&]\w", re.MULTILINE)
"""Triggers that are written with escapes or YAML aliases."""


def _is_limited_to_discussion(
    rows: workflow_job_lines.WorkflowRows,
    job: workflow_job_lines.Job,
    shared: frozenset[str] | None,
    *,
    is_workflow_run: bool,
    has_shared_secrets: bool,
) -> bool:
    own = job.keys.get("permissions")
    rights = shared
    if own is not None:
        rights = _explicit_write_permissions(rows, own)
    said = rows.text(job.begin, job.end)
    if own is None and "permissions" in said:
        return False  # it may say so where no rows tell its keys
    holds = has_shared_secrets or _SECRET_REFERENCE.search(said) is not None
    return (
        rights is not None
        and rights <= _DISCUSSION_PERMISSIONS
        and "uses" not in job.keys
        and not (holds and (not is_workflow_run or _FOREIGN_RUN_DATA.search(said)))
        and not _HEAD_REFERENCE.search(said)
        and not (_ARTIFACT_DOWNLOAD.search(said) and (_FILE_EXECUTION.search(said) or holds))
    )
