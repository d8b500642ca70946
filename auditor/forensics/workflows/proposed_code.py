"""Whether a workflow fetches what the author of a change proposes, however the commit, the branch or the repository is named.

A name is followed through `env:`, outputs and variables of the shell by what is assigned to it anywhere in the workflow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from auditor.constant_folding.escape_sequences import NUMBER_ESCAPES, decode_escapes
from auditor.lazy_regex import lazy_compile

_INDEX = lazy_compile(r"\[\s*[\"'](\w{1,60})[\"']\s*\]")
_PROPOSED = lazy_compile(
    r"\bhead\.(?:sha|ref|repo)\b(?!\.(?:full_name\s*[!=]=|fork|id\b))|\bhead_(?:ref|sha|branch|commit\.id|repository)\b(?!\.(?:full_name\s*[!=]=|fork))"
    r"|\bmerge_commit_sha\b|\bGITHUB_HEAD_REF\b|\brefs/(?:remotes/)?pull/|\bpull/(?:\$\{\{[^}]{0,80}\}\}|[^\s\"'/]){1,60}/(?:head|merge)\b|\bheadRef(?:Name|Oid)\b"
)
"""The commit, branch or repository that somebody proposes."""
_ASSIGNED = lazy_compile(r"(?:^|[\s{,\"'])(?:export\s+|local\s+)?(?P<name>[A-Za-z_][\w-]{0,80})[\"']?\s*(?:=|:\s|<<)")
_CHECKOUT_INPUT = lazy_compile(
    r"^\s*(?:-\s+)?[\"']?(?:ref|repository)[\"']?\s*:\s*\S|[{,]\s*[\"']?(?:ref|repository)[\"']?\s*:\s*\S"
)
_FETCH_COMMAND = lazy_compile(
    r"\bgit\b[^\n;|&]{0,120}?\b(?:fetch|clone|pull|checkout|switch|worktree|merge|cherry-pick|reset|archive)\b|\bgh\s+repo\s+(?:clone|fork)\b|\bgh\s+api\b[^\n]{0,200}\b(?:tarball|zipball)\b|\b(?:curl|wget)\b[^\n]{0,200}(?:tarball|zipball|archive|codeload|raw\.githubusercontent)"
)
_PULL_REQUEST_CHECKOUT = lazy_compile(r"\bgh\s+pr\s+checkout\b|\bhub\s+pr\s+checkout\b")
_MAX_LINE = 1_000
_MAX_NAMES = 60


def fetches_proposed_code(workflow: str) -> bool:
    """Does a step check out, clone or fetch what is proposed?"""
    rows = [plain_row(row[:_MAX_LINE]) for row in workflow.split("\n") if not row.lstrip().startswith("#")]
    if any(map(_PULL_REQUEST_CHECKOUT.search, rows)):
        return True
    named = _named(rows)
    return any(
        (_CHECKOUT_INPUT.search(row) or _FETCH_COMMAND.search(row))
        and (_PROPOSED.search(row) or (named is not None and named.search(row)))
        for row in rows
    )


def proposed_reader(workflow: str) -> str:
    """An expression for what reads the proposed commit, branch or repository, directly or by a name that stands for it."""
    named = _named([plain_row(row[:_MAX_LINE]) for row in workflow.split("\n") if not row.lstrip().startswith("#")])
    return f"{_PROPOSED.pattern}|{named.pattern}" if named else _PROPOSED.pattern


def plain_row(row: str) -> str:
    """A row with `a.b` for `a['b']` and characters for their escapes."""
    return _INDEX.sub(r".\1", decode_escapes(row, NUMBER_ESCAPES))


def _named(rows: Sequence[str]) -> re.Pattern[str] | None:
    """An expression for what reads a name that stands for the proposed commit, branch or repository."""
    names = {
        found["name"]
        for row in rows
        if (at := _PROPOSED.search(row)) is not None and not _CHECKOUT_INPUT.search(row)
        for found in _ASSIGNED.finditer(row[: at.start()])
    }
    if not names:
        return None
    told = "|".join(re.escape(each) for each in sorted(names, key=len, reverse=True)[:_MAX_NAMES])
    return re.compile(rf"(?:\b(?:env|outputs|vars)\.|\$\{{?)(?:{told})(?![\w-])")
