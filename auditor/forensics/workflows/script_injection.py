"""Expressions that are pasted into scripts of a workflow: whose text they hold, as far as its rows show.

The engine tells of every expression that could hold foreign text. Here those are taken back whose text only people of
the repository write, and those added that come by the outputs of a step or a job.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from auditor.forensics.workflows import workflow_job_lines
from auditor.forensics.workflows.yaml_line_indentation import indentation
from auditor.lazy_regex import lazy_compile

_EXPRESSION = lazy_compile(r"\$\{\{([^}]{0,300})\}\}")
_TRUSTED_CONTEXT = lazy_compile(
    r"^(?:github\.(?:workflow|actor|actor_id|triggering_actor|repository\w*|run_\w+|sha|job|event_name|ref_name|ref_type|ref|ref_protected|base_ref|server_url|api_url|workspace|action\w*|token"
    r"|event\.(?:[\w.]+\.)?(?:number|id|sha|login|node_id|created_at|updated_at|tag_name|merged|draft|html_url|url|conclusion|run_number|state|before|after|author_association|full_name|fork))"
    r"|runner\.\w+|job\.[\w.]+|vars\.\w+|secrets\.\w+|strategy\.[\w-]+|matrix\.[\w.-]+|(?:steps|needs)\.[\w-]+\.outputs\.[\w-]+)$"
)
"""Context values that outsiders cannot fill with their own text: numbers, ids, account names and the like.

Outputs are among them: those that hold text of outsiders are told by what fills them.
"""
_DISPATCH_INPUT = lazy_compile(r"^(?:github\.event\.)?inputs\.[\w-]+$")
_ENV_REFERENCE = lazy_compile(r"^env\.(\w{1,100})$")
_KEY_ASSIGNMENT = lazy_compile(
    r"(?:^|[\s{,])[\"']?(?P<name>\w{1,100})[\"']?\s{0,4}:(?=(?:\s+|$)(?P<value>[^\n]{0,1000}))", re.MULTILINE
)
"""A key and its value on the same row or the row below; text after the value on the same row counts too."""
_UNTRUSTED_TEXT = lazy_compile(
    r"\$\{\{[^}]{0,200}github\.(?:head_ref|event\.(?:[\w.]+\.)?(?:title|body|message|ref|label|page_name|email|name|description|default_branch|head_branch|display_title)\b)"
    r"|context\.payload\.(?:[\w.?]+\.)?(?:title|body|ref|message)\b"
)
_STEP_OUTPUT = lazy_compile(r"\$\{\{[^}]{0,100}\bsteps\.([\w-]{1,100})\.outputs\.([\w-]{1,100})")
_JOB_OUTPUT = lazy_compile(r"\$\{\{[^}]{0,100}\bneeds\.([\w-]{1,100})\.outputs\.([\w-]{1,100})")
_STEP_ID = lazy_compile(r"^\s*(?:-\s+)?id:\s*[\"']?([\w-]{1,100})")
_SCRIPT_KEY = lazy_compile(r"^\s*(?:-\s+)?(?:run|script):(.*)$")
_STEP_START = lazy_compile(r"^(\s*)-\s+\S")
_SHELL_OUTPUT = lazy_compile(r"\b(?:echo|printf)\s+(?:-\w\s+)?[\"']?([\w-]{1,100})(?:=|<<)([^\n]{0,500})")
_SET_OUTPUT_CALL = lazy_compile(r"\bsetOutput\(\s*[\"'`]([\w-]{1,100})[\"'`]\s*,\s*([^\n]{0,300})")
_RETURNED = lazy_compile(r"\breturn\s+([^\n;]{1,300})")
_ASSIGNED_TEXT = lazy_compile(r"\b(?:const|let|var)\s+(?P<name>\w{1,60})\s*=\s*(?P<value>[^\n;]{1,300})")
_ASKED_ABOUT = lazy_compile(
    r"[\w.?]{1,200}(?:\?\.|\.)(?:(?:length|includes|startsWith|endsWith|indexOf|search)\b|match\([^\n]{0,200})|[\w.?]{1,200}\s*[=!]==?|\.test\([^()\n]{0,200}\)|[\w.?]{1,200}\s*\?(?!\.)"
)
"""Questions about a text, whose answers hold nothing of it."""
_LITERAL = r"(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|\d+|true|false)"
_CONSTANT_OUTPUT = lazy_compile(rf"(?:(?:[^?\n]|\?\.){{1,200}}\?\s*{_LITERAL}\s*:\s*)?{_LITERAL}\s*\)")
"""The value of an output that is a constant, or one of two."""
_UNTRUSTED_OUTPUT_ACTION = lazy_compile(
    r"^\s*(?:-\s+)?uses:\s*[\"']?(?:tj-actions/(?:changed-files|branch-names)|(?:jitterbit|lots0logs|masesgroup|trilom|ana06)/(?:get-|gh-action-get-)?(?:changed-files|file-changes-action|retrieve-changed-files)"
    r"|xt0rted/pull-request-comment-branch|actions-ecosystem/action-regex-match|gotson/pull-request-comment-branch)@",
    re.IGNORECASE,
)
"""Actions whose outputs are branch or file names, or other text that the proposer of a change writes."""
_MATRIX_VALUE = lazy_compile(r"\$\{\{[^}]{0,100}\bmatrix\.([\w-]{1,100})")
_ASKS = lazy_compile(r"[=!]=|\b(?:contains|startsWith|endsWith)\(")
"""Questions of expressions, whose answers hold nothing of the text that they ask about."""
_ALL_OUTPUTS = "*"
Output = tuple[str, str]
"""A step or job, and the name of one of its outputs; `*` for all."""


def has_only_trusted_expressions(text: str, number: int) -> bool:
    """Does every expression on that row (from 1) hold only what people of the repository write?"""
    rows = _rows(text)
    said = _EXPRESSION.findall(rows[number - 1][:_MAX_LINE_LENGTH]) if 0 < number <= len(rows) else []
    return bool(said) and all(_is_trusted(each.strip(), text) for each in said)


def _is_trusted(value: str, text: str) -> bool:
    if _TRUSTED_CONTEXT.match(value):
        return True
    if _DISPATCH_INPUT.match(value):
        return "workflow_dispatch" in text and "workflow_call" not in text and "\nruns:" not in text
    named = _ENV_REFERENCE.match(value)
    if named is None:
        return False
    later = "GITHUB_ENV" in text and any(f"{named[1]}{sign}" in text for sign in ("=", "<<"))
    return not later and _constant_keys(text).get(named[1], False)


@lru_cache(maxsize=4)
def _constant_keys(text: str) -> Mapping[str, bool]:
    """The keys that a workflow sets, and whether all values of each are literal text."""
    told: dict[str, bool] = {}
    for each in _KEY_ASSIGNMENT.finditer(text):
        foreign = "${{" in each["value"] or each["value"].strip() in {"", "|", ">"}
        told[each["name"]] = told.get(each["name"], True) and not foreign
    return told


@lru_cache(maxsize=4)
def _rows(text: str) -> Sequence[str]:
    return text.split("\n")


def holds_outsider_text(value: str, workflow: str) -> bool:
    """Does a value of an environment hold text of outsiders, directly or by the output of a step of the workflow?"""
    if _UNTRUSTED_TEXT.search(value):
        return True
    if ".outputs." not in value and "matrix." not in value:
        return False
    return _outputs_of(workflow).fill(value)


@dataclass(frozen=True)
class _UntrustedOutputs:
    """Outputs that hold text of outsiders, of steps and of jobs."""

    of_steps: frozenset[Output]
    of_jobs: frozenset[Output]
    of_matrices: frozenset[str] = frozenset()
    """Keys of matrices; `*` where a whole matrix is such text."""

    def fill(self, text: str) -> bool:
        """Does a text take one of them?"""
        return (
            _has_untrusted_output(_STEP_OUTPUT.findall(text), self.of_steps)
            or _has_untrusted_output(_JOB_OUTPUT.findall(text), self.of_jobs)
            or (bool(self.of_matrices) and self._takes_matrix(text))
        )

    def _takes_matrix(self, text: str) -> bool:
        return any(_ALL_OUTPUTS in self.of_matrices or each in self.of_matrices for each in _MATRIX_VALUE.findall(text))


@lru_cache(maxsize=4)
def _outputs_of(workflow: str) -> _UntrustedOutputs:
    by_step = frozenset(_untrusted_step_outputs([row[:_MAX_LINE_LENGTH] for row in workflow.split("\n")]))
    outputs = _UntrustedOutputs(by_step, frozenset(_untrusted_job_outputs(workflow, by_step)))
    return replace(outputs, of_matrices=frozenset(_untrusted_matrix_keys(workflow, outputs)))


def find_untrusted_outputs(text: str) -> Iterator[int]:
    """Rows of scripts (from 1) into which an output is pasted that holds text of outsiders."""
    rows = [row[:_MAX_LINE_LENGTH] for row in text.split("\n")]
    untrusted = _outputs_of(text)
    if not untrusted.of_steps and not untrusted.of_jobs and not untrusted.of_matrices:
        return
    script = -1
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        if (begun := _SCRIPT_KEY.match(row)) is not None:
            script = indentation(row)
        elif indentation(row) <= script:
            script = -1
        if (begun is not None or script >= 0) and untrusted.fill(row):
            yield number


def _has_untrusted_output(outputs: list[Output], untrusted: frozenset[Output]) -> bool:
    return any((place, name) in untrusted or (place, _ALL_OUTPUTS) in untrusted for place, name in outputs)


def _untrusted_step_outputs(rows: Sequence[str]) -> Iterator[Output]:
    """Outputs of steps that get text of outsiders and write it, or whose action passes such text on."""
    step: list[str] = []
    depth = -1
    for row in [*rows, "end"]:
        found = _STEP_START.match(row)
        if (found is not None and (depth < 0 or len(found[1]) <= depth)) or (row.strip() and indentation(row) < depth):
            written = "\n".join(step)
            named = next((told[1] for each in step if (told := _STEP_ID.match(each)) is not None), "")
            if named:
                yield from ((named, output) for output in _untrusted_output_names(written, step))
            step, depth = [], len(found[1]) if found is not None else -1
        step.append(row)


def _untrusted_output_names(text: str, step: Sequence[str]) -> Iterator[str]:
    if any(_UNTRUSTED_OUTPUT_ACTION.match(row) for row in step):
        yield _ALL_OUTPUTS
        return
    if not _UNTRUSTED_TEXT.search(text):
        return
    if "GITHUB_OUTPUT" in text:
        told = [(name, value.partition(">>")[0]) for name, value in _SHELL_OUTPUT.findall(text)]
        # what a script fills with a variable, a command or the rows between two marks may be that text
        yield from (name for name, value in told if "$" in value or "EOF" in value or "`" in value)
        if not told:
            yield _ALL_OUTPUTS
    if "github-script" in text and _returns_untrusted_text(text):
        yield "result"
    for name, value in _SET_OUTPUT_CALL.findall(text):
        if not _CONSTANT_OUTPUT.match(value):
            yield name


def _returns_untrusted_text(script: str) -> bool:
    """Does a script for `github-script` return text of outsiders as it is, from the payload or a name that is assigned from it?"""
    names = {found["name"] for found in _ASSIGNED_TEXT.finditer(script) if _UNTRUSTED_TEXT.search(found["value"])}
    for returned in _RETURNED.findall(script):
        given = _ASKED_ABOUT.sub("", returned)
        if _UNTRUSTED_TEXT.search(given) or any(re.search(rf"(?<![\w.]){each}\b", given) for each in names):
            return True
    return False


def _untrusted_job_outputs(text: str, by_step: frozenset[Output]) -> Iterator[Output]:
    read = workflow_job_lines.read_rows(text)
    for job in read.jobs:
        for number in read.row_with_children(job.keys["outputs"]) if "outputs" in job.keys else ():
            for named in workflow_job_lines.ANY_KEY.finditer(read.rows[number][:_MAX_LINE_LENGTH]):
                filled = _has_untrusted_output(_STEP_OUTPUT.findall(named["value"]), by_step)
                if filled or _UNTRUSTED_TEXT.search(named["value"]):
                    yield job.name, named["key"]


def _untrusted_matrix_keys(text: str, outputs: _UntrustedOutputs) -> Iterator[str]:
    """Keys of matrices whose values hold text of outsiders; `*` for a whole matrix and for `include`."""
    if "matrix" not in text:
        return
    read = workflow_job_lines.read_rows(text)
    for job in read.jobs:
        key = ""
        for row in read.block(job.keys["strategy"]).split("\n") if "strategy" in job.keys else ():
            named = workflow_job_lines.ANY_KEY.search(row) or workflow_job_lines.KEY.match(row)
            key = named["key"] if named else key
            filled = _UNTRUSTED_TEXT.search(row) or outputs.fill(row)
            if filled and not _ASKS.search(row):
                yield _ALL_OUTPUTS if key in {"matrix", "include"} else key


_MAX_LINE_LENGTH = 1_000
