"""What an outsider who starts a workflow gets hold of: told by the rows of its jobs.

A trigger such as `pull_request_target` lends a job the repository's own rights. That is what it is made for where the
job only labels or answers; it is dangerous where the job holds secrets, may write what others build on, or touches
what the outsider wrote.
"""

from __future__ import annotations

import re

from auditor.forensics.workflows import job_rows
from auditor.forensics.workflows.unused_permissions import GIVEN, given
from auditor.lazy_regex import lazy_compile

_TALK = frozenset({"issues", "pull-requests", "discussions"})
"""Rights with which a job can label, answer and close, and change nothing that others build on."""
_SECRETS = lazy_compile(r"\bsecrets\.(?!GITHUB_TOKEN\b)\w|\bsecrets\s*\[|\bsecrets\s*:\s*inherit|\(\s*secrets\s*\)")
_TOUCHES = lazy_compile(
    r"\bhead(?:[\"']?\])?(?:\.|\[[\"'])(?:sha|ref)\b|\brepository:\s*[\"']?\$\{\{|\bhead_(?:ref|sha|branch)\b|\bmerge_commit_sha\b|\bgh\s+pr\s+(?:checkout|diff)\b|\brefs/pull/|\bpull/\$"
)
_TAKES_ALONG = lazy_compile(
    r"download-?artifact|\bgh\s+run\s+download\b|\bartifacts_url\b|\barchive_download_url\b|\bactions/artifacts/",
    re.IGNORECASE,
)
"""What a job has of another workflow's run: files that outsiders may have filled."""
_RUNS = lazy_compile(
    r"(?:^|[\s;&|('\"])(?:(?:\$\{{0,2}[^\n{}$/]{1,60}\}{0,2}|\.{0,2})/[\w.-]|(?:(?:ba|da|z)?sh|source|\.|eval|exec|node|deno|bun|python[\d.]*|uv|ruby|perl|php|Rscript|pwsh|java|dotnet|gradlew?|mvnw?|just|make|npm|npx|yarn|pnpm|pip[\d.]*|cargo|go|docker|terraform)(?:[\s\"']|$))|\bGITHUB_(?:ENV|PATH)\b|actions/checkout@",
    re.MULTILINE,
)
"""Steps that may run a file which lies there, or what stands in one; who only reads files to a comment runs none."""
_CARRIES = lazy_compile(
    r"artifact|\bhead_commit(?:\.id\b|\[)|\bhead_repository\.\w{0,10}url\b|\bgit\b[^\n;|&]{0,80}\b(?:fetch|clone|pull)\b|\bgh\s+(?:pr\s+merge|repo\s+clone)\b|\bpull/\d",
    re.IGNORECASE,
)
"""What of another workflow's run, or of whoever started that, is more than a message; a job with secrets takes none of it."""
_SPELT_OUT = lazy_compile(r"\s*[\"']?permissions[\"']?\s*:\s*(?:\{[^{}\n]{0,500}\}\s*)?$")
"""Rights that are told one by one; a word for all of them, or a name for rights told elsewhere, says nothing here."""
_INSIDERS = lazy_compile(
    r"\bauthor_association\b[^\n]{0,200}\b(?:OWNER|MEMBER|COLLABORATOR)\b|\b(?:OWNER|MEMBER|COLLABORATOR)\b[^\n]{0,200}\bauthor_association\b"
    r"|head\.repo\.full_name\s*==\s*github\.repository\b|github\.repository\s*==\s*github\.event\.(?:pull_request|workflow_run)\.head\w*\.?\w*\.full_name|head_repository\.full_name\s*==\s*github\.repository\b"
    r"|!\s*github\.event\.pull_request\.head\.repo\.fork\b|head\.repo\.fork\s*==\s*false"
    r"|github\.(?:actor|triggering_actor|event\.(?:pull_request|comment|sender|issue)\.(?:user\.)?login)\s*==\s*['\"]"
)
"""Conditions that outsiders do not meet."""
_ANY_OF = lazy_compile(r"\|\|")
_DENIED = lazy_compile(r"!=|!(?!\s*github\.event\.pull_request\.head\.repo\.fork\b)|\)\s*==\s*false")
"""What makes of a condition for insiders one for everybody else."""
_WHEREVER = lazy_compile(r"\b(?:cancelled|failure)\(\)")
"""With these a job runs although one that it waits for was left out."""
_EXPRESSION = lazy_compile(r"(?:[|>]- )?[\"']?\$\{\{(?>(?:(?!\}\}).)*)\}\}[\"']?")


def is_harmless(text: str) -> bool:
    """Does every job that an outsider can start hold no secrets, at most the right to talk, and nothing that they wrote?"""
    read = job_rows.read(text)
    if not read.jobs:
        return False
    top = read.tops.get("permissions")
    shared = None if top is None else _rights(read, top)
    common = "\n".join(read.block(row) for key, row in read.tops.items() if key in {"env", "defaults"})
    starts = read.block(read.tops["on"]) if "on" in read.tops else ""
    after = "workflow_run" in starts and not _OUTSIDERS.search(starts) and not _ELSEWHERE.search(starts)
    held = _SECRETS.search(common) is not None
    if held and not after:
        return False
    guarded: set[str] = set()
    for job in read.jobs:
        if _is_guarded(read, job, guarded):
            guarded.add(job.name)
        elif not _only_talks(read, job, shared, after=after, held=held):
            return False
    return True


def _is_guarded(read: job_rows.Rows, job: job_rows.Job, guarded: set[str]) -> bool:
    """Is it left to people of the repository, by its own condition or by that of a job that it waits for?"""
    said = read.block(job.keys["if"]) if "if" in job.keys else ""
    joined = " ".join(said.split())
    if "always()" in joined:
        return False
    needs = read.block(job.keys["needs"]).replace(",", " ").split() if "needs" in job.keys else []
    if not _WHEREVER.search(joined) and any(each.strip("[]\"'-") in guarded for each in needs):
        return True
    told = joined.partition(":")[2].strip()
    if "${{" in told and not _EXPRESSION.fullmatch(told):
        return False  # a text that only holds an expression is true whatever that gives
    return bool(told) and all(map(_is_for_insiders, _ANY_OF.split(told)))


def _is_for_insiders(condition: str) -> bool:
    """Does one of the things that are asked together leave outsiders out?"""
    if "!(" in condition.replace(" ", ""):
        return False
    return any(_INSIDERS.search(each) and not _DENIED.search(each) for each in condition.split("&&"))


def _rights(read: job_rows.Rows, key: int) -> frozenset[str] | None:
    """The rights to write that stand below a key; None where not each of them is spelt out."""
    if not _SPELT_OUT.match(read.rows[key].partition(" #")[0]):
        return None
    below = (read.rows[number] for number in read.below(key) - {key})
    return frozenset(given(read, key)) if all(map(GIVEN.search, below)) else None


_OUTSIDERS = lazy_compile(
    r"\b(?:pull_request_target|issue_comment|issues|discussion\w*|pull_request_review\w*|commit_comment|fork|watch)\b"
)
"""What outsiders do that tells a workflow more than that another one has ended."""
_ELSEWHERE = lazy_compile(r"\\|(?:^|[\s\[,])[*&]\w", re.MULTILINE)
"""Triggers that are written by the numbers of their letters, or told by another row."""


def _only_talks(
    read: job_rows.Rows, job: job_rows.Job, shared: frozenset[str] | None, *, after: bool, held: bool
) -> bool:
    own = job.keys.get("permissions")
    rights = shared
    if own is not None:
        rights = _rights(read, own)
    said = read.text(job.begin, job.end)
    if own is None and "permissions" in said:
        return False  # it may say so where no rows tell its keys
    holds = held or _SECRETS.search(said) is not None
    return (
        rights is not None
        and rights <= _TALK
        and "uses" not in job.keys
        and not (holds and (not after or _CARRIES.search(said)))
        and not _TOUCHES.search(said)
        and not (_TAKES_ALONG.search(said) and (_RUNS.search(said) or holds))
    )
