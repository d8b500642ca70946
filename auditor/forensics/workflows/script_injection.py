"""Expressions that are pasted into scripts of a workflow: whose text they hold, as far as its rows tell.

The engine tells of every expression that could hold foreign text. Here those are taken back whose text only people of
the repository write, and those added that come by the outputs of a step or a job.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from auditor.forensics.workflows import job_rows
from auditor.forensics.workflows.indented_rows import indent
from auditor.lazy_regex import lazy_compile

_EXPRESSION = lazy_compile(r"\$\{\{([^}]{0,300})\}\}")
_OURS = lazy_compile(
    r"^(?:github\.(?:workflow|actor|actor_id|triggering_actor|repository\w*|run_\w+|sha|job|event_name|ref_name|ref_type|ref|ref_protected|base_ref|server_url|api_url|workspace|action\w*|token"
    r"|event\.(?:[\w.]+\.)?(?:number|id|sha|login|node_id|created_at|updated_at|tag_name|merged|draft|html_url|url|conclusion|run_number|state|before|after|author_association|full_name|fork))"
    r"|runner\.\w+|job\.[\w.]+|vars\.\w+|secrets\.\w+|strategy\.[\w-]+|matrix\.[\w.-]+|(?:steps|needs)\.[\w-]+\.outputs\.[\w-]+)$"
)
"""Values that outsiders cannot fill with text of their own: numbers, ids, names of accounts, and what the repository sets itself.

Outputs are among them: those that hold text of outsiders are told by what fills them.
"""
_BY_HAND = lazy_compile(r"^(?:github\.event\.)?inputs\.[\w-]+$")
_OF_ENV = lazy_compile(r"^env\.(\w{1,100})$")
_SETS = lazy_compile(
    r"(?:^|[\s{,])[\"']?(?P<name>\w{1,100})[\"']?\s{0,4}:(?=(?:\s+|$)(?P<value>[^\n]{0,1000}))", re.MULTILINE
)
"""A key and what it is set to, beside it or on the row below; what is set on the same row behind it counts too."""
_OUTSIDE_TEXT = lazy_compile(
    r"\$\{\{[^}]{0,200}github\.(?:head_ref|event\.(?:[\w.]+\.)?(?:title|body|message|ref|label|page_name|email|name|description|default_branch|head_branch|display_title)\b)"
    r"|context\.payload\.(?:[\w.?]+\.)?(?:title|body|ref|message)\b"
)
_OUTPUT_OF = lazy_compile(r"\$\{\{[^}]{0,100}\bsteps\.([\w-]{1,100})\.outputs\.([\w-]{1,100})")
_OUTPUT_OF_JOB = lazy_compile(r"\$\{\{[^}]{0,100}\bneeds\.([\w-]{1,100})\.outputs\.([\w-]{1,100})")
_ID = lazy_compile(r"^\s*(?:-\s+)?id:\s*[\"']?([\w-]{1,100})")
_SCRIPT = lazy_compile(r"^\s*(?:-\s+)?(?:run|script):(.*)$")
_STEP = lazy_compile(r"^(\s*)-\s+\S")
_WRITES = lazy_compile(r"\b(?:echo|printf)\s+(?:-\w\s+)?[\"']?([\w-]{1,100})(?:=|<<)([^\n]{0,500})")
_SET_OUTPUT = lazy_compile(r"\bsetOutput\(\s*[\"'`]([\w-]{1,100})[\"'`]\s*,\s*([^\n]{0,300})")
_WORD = r"(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|\d+|true|false)"
_FIXED = lazy_compile(rf"(?:(?:[^?\n]|\?\.){{1,200}}\?\s*{_WORD}\s*:\s*)?{_WORD}\s*\)")
"""What a script sets an output to that is not text of somebody: a constant, or one of two."""
_HANDS_ON = lazy_compile(
    r"^\s*(?:-\s+)?uses:\s*[\"']?(?:tj-actions/(?:changed-files|branch-names)|(?:jitterbit|lots0logs|masesgroup|trilom|ana06)/(?:get-|gh-action-get-)?(?:changed-files|file-changes-action|retrieve-changed-files)"
    r"|xt0rted/pull-request-comment-branch|actions-ecosystem/action-regex-match|gotson/pull-request-comment-branch)@",
    re.IGNORECASE,
)
"""Actions whose outputs are names of branches or files, or other text of whoever proposes a change."""
_ANY = "*"
Output = tuple[str, str]
"""A step or job, and the name of one of its outputs; `*` for all."""


def only_ours(text: str, number: int) -> bool:
    """Does every expression on that row (from 1) hold only what people of the repository write?"""
    rows = _rows(text)
    said = _EXPRESSION.findall(rows[number - 1][:_WIDEST]) if 0 < number <= len(rows) else []
    return bool(said) and all(_is_ours(each.strip(), text) for each in said)


def _is_ours(value: str, text: str) -> bool:
    if _OURS.match(value):
        return True
    if _BY_HAND.match(value):
        return "workflow_dispatch" in text and "workflow_call" not in text and "\nruns:" not in text
    named = _OF_ENV.match(value)
    if named is None:
        return False
    later = "GITHUB_ENV" in text and any(f"{named[1]}{sign}" in text for sign in ("=", "<<"))
    return not later and _set_to(text).get(named[1], False)


@lru_cache(maxsize=4)
def _set_to(text: str) -> Mapping[str, bool]:
    """The names that a workflow sets, and whether all that each is set to is text that stands there."""
    told: dict[str, bool] = {}
    for each in _SETS.finditer(text):
        foreign = "${{" in each["value"] or each["value"].strip() in {"", "|", ">"}
        told[each["name"]] = told.get(each["name"], True) and not foreign
    return told


@lru_cache(maxsize=4)
def _rows(text: str) -> Sequence[str]:
    return text.split("\n")


def outputs_of_outsiders(text: str) -> Iterator[int]:
    """Rows of scripts (from 1) into which an output is pasted that holds text of outsiders."""
    rows = [row[:_WIDEST] for row in text.split("\n")]
    by_step = frozenset(_outputs_of_steps(rows))
    if not by_step:
        return
    by_job = frozenset(_outputs_of_jobs(text, by_step))
    script = -1
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        if (begun := _SCRIPT.match(row)) is not None:
            script = indent(row)
        elif indent(row) <= script:
            script = -1
        if (begun is not None or script >= 0) and (
            _names(_OUTPUT_OF.findall(row), by_step) or _names(_OUTPUT_OF_JOB.findall(row), by_job)
        ):
            yield number


def _names(outputs: list[Output], foreign: frozenset[Output]) -> bool:
    return any((place, name) in foreign or (place, _ANY) in foreign for place, name in outputs)


def _outputs_of_steps(rows: Sequence[str]) -> Iterator[Output]:
    """The outputs of steps that are given text of outsiders and write it, or that are made to hand it on."""
    step: list[str] = []
    depth = -1
    for row in [*rows, "end"]:
        found = _STEP.match(row)
        if (found is not None and (depth < 0 or len(found[1]) <= depth)) or (row.strip() and indent(row) < depth):
            written = "\n".join(step)
            named = next((told[1] for each in step if (told := _ID.match(each)) is not None), "")
            if named:
                yield from ((named, output) for output in _written(written, step))
            step, depth = [], len(found[1]) if found is not None else -1
        step.append(row)


def _written(text: str, step: Sequence[str]) -> Iterator[str]:
    if any(_HANDS_ON.match(row) for row in step):
        yield _ANY
        return
    if not _OUTSIDE_TEXT.search(text):
        return
    if "GITHUB_OUTPUT" in text:
        told = [(name, value.partition(">>")[0]) for name, value in _WRITES.findall(text)]
        # what a script fills with a variable, a command or the rows between two marks may be that text
        yield from (name for name, value in told if "$" in value or "EOF" in value or "`" in value)
        if not told:
            yield _ANY
    for name, value in _SET_OUTPUT.findall(text):
        if not _FIXED.match(value):
            yield name


def _outputs_of_jobs(text: str, by_step: frozenset[Output]) -> Iterator[Output]:
    read = job_rows.read(text)
    for job in read.jobs:
        for number in read.below(job.keys["outputs"]) if "outputs" in job.keys else ():
            named = job_rows.KEY.match(read.rows[number][:_WIDEST])
            if named is not None and _names(_OUTPUT_OF.findall(named["value"]), by_step):
                yield job.name, named["key"]


_WIDEST = 1_000
