"""Rights to write that a workflow holds and that nothing in its jobs seems to use.

What a job does is told by its words: a step that pushes an image speaks of a registry, one that comments speaks of
issues or pull requests. A job whose steps never get the token cannot use most rights at all, whatever they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from auditor.domain.frozen_model import Frozen
from auditor.forensics.workflows import workflow_job_lines
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, NameSet, Row, Source, names_of, read_table

PERMISSION = lazy_compile(r"[\"']?(?P<right>[a-z][a-z-]{1,30})[\"']?\s{0,4}:\s{0,4}[\"']?(?P<level>write|read|none)\b")
"""A permission and its level, as rows of `permissions:` give it."""
_USES_KEY = lazy_compile(r"^\s*(?:-\s+)?uses:\s*[\"']?(?P<used>[^\s\"'#]{1,300})")
_TOKEN_REFERENCE = lazy_compile(r"github\.token|GITHUB_TOKEN|GH_TOKEN|github\[", re.IGNORECASE)
_READ_ONLY_ACTION = lazy_compile(
    r"^(?:actions/(?:checkout|cache|setup-[\w-]+|upload-artifact|download-artifact)(?:/[\w-]+)*"
    r"|[\w.-]+/(?:setup-[\w.-]+|[\w.-]*toolchain|rust-cache|install-action|action-setup|harden-runner|actions-codespell|typos|ghaction-setup-\w+))@",
    re.IGNORECASE,
)
"""Actions that fetch or store something and write nothing to the repository."""
_DATA = Path(__file__).with_name("permission_uses.yaml")


class _Permission(Row):
    permission: str
    words: NameSet
    source: Source


class _Table(Frozen):
    permissions: tuple[_Permission, ...]
    unrestricted: NameRows


@cache
def _permission_uses() -> Mapping[str, re.Pattern[str]]:
    """The words of steps that may use a permission, those of tools that may use any among them."""
    table = read_table(_DATA, _Table)
    anything = names_of(table.unrestricted)
    return {
        row.permission: re.compile("|".join(sorted(row.words | anything)), re.IGNORECASE) for row in table.permissions
    }


_ENVIRONMENT_PERMISSIONS = frozenset({"id-token", "attestations", "pages"})
"""Permissions that a step can use through an address in its environment."""
_CHECKOUT = lazy_compile(r"^actions/checkout@", re.IGNORECASE)
_NO_PERSISTED_CREDENTIALS = lazy_compile(
    r"^[ \t]*persist-credentials[ \t]*:[ \t]*[\"']?false\b", re.MULTILINE | re.IGNORECASE
)
_REGISTRY_ACTION = lazy_compile(r"^(?:aws-actions|azure|google-github-actions|hashicorp|docker)/", re.IGNORECASE)
"""Actions that reach registries, GitHub's own too, only with credentials that they are given."""


class UnusedPermission(NamedTuple):
    """An unused write permission, the line from 1 that grants it, and whether no step gets the token at all."""

    line: int
    right: str
    sure: bool


class _JobPermissions(NamedTuple):
    """What a job says beside its rights, the rights of its own with the line of each, and whether it runs another workflow, which uses what it likes."""

    text: str
    own: dict[str, int] | None
    called: bool


def find_unused_permissions(text: str, path: str) -> Iterator[UnusedPermission]:
    """Write permissions that no job with them uses, those of the whole workflow first."""
    if "write" not in text or "permissions" not in text:
        return
    read = workflow_job_lines.read_rows(text)
    if not read.jobs:
        return
    held = [_job_permissions(read, each) for each in read.jobs]
    shared = write_permissions(read, read.top_level_keys["permissions"]) if "permissions" in read.top_level_keys else {}
    above = read.top_level_keys["jobs"]
    head = "\n".join([path.rpartition("/")[2], *read.rows[:above]]) if above < 200 else path
    head = "\n".join(row for row in head.split("\n") if not PERMISSION.search(row))
    heirs = [job for job in held if job.own is None]
    for right, line in shared.items():
        known = [_unused_certainty(right, job, head) for job in heirs]
        if heirs and all(each is not None for each in known):
            yield UnusedPermission(line, right, all(known))
    for job in held:
        for right, line in (job.own or {}).items():
            sure = _unused_certainty(right, job, head)
            if sure is not None:
                yield UnusedPermission(line, right, sure)


def _unused_certainty(right: str, job: _JobPermissions, head: str) -> bool | None:
    """None when the job may use the permission; else whether it is certain that it does not."""
    words = _permission_uses().get(right)
    if words is None or job.called:
        return None
    used = [found["used"] for row in job.text.split("\n") if (found := _USES_KEY.match(row))]
    if (
        not _TOKEN_REFERENCE.search(job.text)
        and not _TOKEN_REFERENCE.search(head)
        and _needs_token(right, used, job.text)
    ):
        return True
    return None if words.search(job.text) or words.search(head) else False


def _needs_token(right: str, used: list[str], text: str) -> bool:
    """Can none of these actions, nor a command beside them, use a right without being given the token?"""
    others = [each for each in used if not _READ_ONLY_ACTION.match(each)]
    if right == "packages":
        return all(_REGISTRY_ACTION.match(each) for each in others)
    if others or right in _ENVIRONMENT_PERMISSIONS:
        return False
    # a command can push with what a checkout leaves behind
    return right != "contents" or len(_NO_PERSISTED_CREDENTIALS.findall(text)) >= sum(
        bool(_CHECKOUT.match(each)) for each in used
    )


def _job_permissions(rows: workflow_job_lines.WorkflowRows, job: workflow_job_lines.Job) -> _JobPermissions:
    own = write_permissions(rows, job.keys["permissions"]) if "permissions" in job.keys else None
    granting = rows.row_with_children(job.keys.get("permissions"))
    return _JobPermissions(rows.text(job.begin, job.end, granting), own, "uses" in job.keys)


def write_permissions(rows: workflow_job_lines.WorkflowRows, key: int) -> dict[str, int]:
    """Write permissions below a `permissions:` key, or beside it in braces, and the line of each."""
    return {
        found["right"]: number + 1
        for number in sorted(rows.row_with_children(key))
        for found in PERMISSION.finditer(rows.rows[number].partition("#")[0][:1_000])
        if found["level"] == "write"
    }
