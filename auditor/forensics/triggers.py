"""What an outsider who starts a workflow gets hold of: told by the rows of its jobs.

A trigger such as `pull_request_target` lends a job the repository's own rights. That is what it is made for where the
job only labels or answers; it is dangerous where the job holds secrets, may write what others build on, or touches
what the outsider wrote.
"""

from __future__ import annotations

from auditor.forensics import jobs
from auditor.forensics.rights import given
from auditor.late import late

_TALK = frozenset({"issues", "pull-requests", "discussions"})
"""Rights with which a job can label, answer and close, and change nothing that others build on."""
_SECRETS = late(r"\bsecrets\.(?!GITHUB_TOKEN\b)\w|\bsecrets\s*\[|\bsecrets\s*:\s*inherit|\(\s*secrets\s*\)")
_TOUCHES = late(
    r"\bhead\.(?:sha|ref)\b|\bhead_(?:ref|sha|branch)\b|\bmerge_commit_sha\b|\bgh\s+(?:pr\s+(?:checkout|diff)|run\s+download)\b|\brefs/pull/|download-artifact|\bpull/\$"
)
_ALL = late(r"permissions:\s*[\"']?(?:write-all|read-all)")
_INSIDERS = late(
    r"\bauthor_association\b[^\n]{0,200}\b(?:OWNER|MEMBER|COLLABORATOR)\b|\b(?:OWNER|MEMBER|COLLABORATOR)\b[^\n]{0,200}\bauthor_association\b"
    r"|head\.repo\.full_name\s*==\s*github\.repository\b|github\.repository\s*==\s*github\.event\.(?:pull_request|workflow_run)\.head\w*\.?\w*\.full_name|head_repository\.full_name\s*==\s*github\.repository\b"
    r"|!\s*github\.event\.pull_request\.head\.repo\.fork\b|head\.repo\.fork\s*==\s*false"
    r"|github\.(?:actor|triggering_actor|event\.(?:pull_request|comment|sender|issue)\.(?:user\.)?login)\s*==\s*['\"]"
)
"""Conditions that outsiders do not meet."""
_ANY_OF = late(r"\|\|")


def is_harmless(text: str) -> bool:
    """Does every job that an outsider can start hold no secrets, at most the right to talk, and nothing that they wrote?"""
    read = jobs.read(text)
    if not read.jobs:
        return False
    top = read.tops.get("permissions")
    shared = None if top is None or _ALL.search(read.block(top)) else frozenset(given(read, top))
    common = "\n".join(read.block(row) for key, row in read.tops.items() if key in {"env", "defaults"})
    if _SECRETS.search(common):
        return False
    guarded: set[str] = set()
    for job in read.jobs:
        if _is_guarded(read, job, guarded):
            guarded.add(job.name)
        elif not _only_talks(read, job, shared):
            return False
    return True


def _is_guarded(read: jobs.Rows, job: jobs.Job, guarded: set[str]) -> bool:
    """Is it left to people of the repository, by its own condition or by that of a job that it waits for?"""
    said = read.block(job.keys["if"]) if "if" in job.keys else ""
    joined = " ".join(said.split())
    if "always()" in joined:
        return False
    needs = read.block(job.keys["needs"]).replace(",", " ").split() if "needs" in job.keys else []
    if any(each.strip("[]\"'-") in guarded for each in needs):
        return True
    alternatives = _ANY_OF.split(joined)
    return bool(joined) and all(_INSIDERS.search(each) for each in alternatives)


def _only_talks(read: jobs.Rows, job: jobs.Job, shared: frozenset[str] | None) -> bool:
    own = job.keys.get("permissions")
    rights = shared
    if own is not None:
        rights = None if _ALL.search(read.block(own)) else frozenset(given(read, own))
    said = read.text(job.begin, job.end)
    return (
        rights is not None
        and rights <= _TALK
        and "uses" not in job.keys
        and not _SECRETS.search(said)
        and not _TOUCHES.search(said)
    )
