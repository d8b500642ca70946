"""Findings about a workflow that are read from its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from auditor.forensics.workflows.environment_file_writes import environment_file_writes
from auditor.forensics.workflows.evaluated_outsider_text import evaluated_outsider_text
from auditor.forensics.workflows.job_actions import job_actions
from auditor.forensics.workflows.outsider_choices import outsider_choices
from auditor.forensics.workflows.printed_secrets import printed_secret_lines, sent_secrets, stored_secret_lines
from auditor.forensics.workflows.script_code import outsider_code, outsider_environment_writes, printed_secret_code
from auditor.forensics.workflows.script_injection import find_untrusted_outputs
from auditor.forensics.workflows.unused_permissions import find_unused_permissions
from auditor.forensics.workflows.workflow_files import WorkflowFile, WorkflowFinding
from auditor.forensics.workflows.yaml_line_indentation import indentation, parent_rows
from auditor.lazy_regex import lazy_compile

_LINE_FINDINGS = (WorkflowFinding("unpinned-uses", "an image is used by a tag", 0, "high", "medium"),)
_LINE_PATTERNS = (lazy_compile(r"^\s*(?:-\s+)?uses:\s*[\"']?docker://(?!\S*@sha256:)\S+"),)
"""Findings by a single line that zizmor does not report: images by tag."""
_UNSECURE_COMMANDS = lazy_compile(r"\bACTIONS_ALLOW_UNSECURE_COMMANDS=[\"']?(?i:true)\b")
_MAX_LINE_LENGTH = 1_000


def line_findings(path: str, workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    """Findings by the lines of a workflow that zizmor did not report there."""
    told = {(each.rule, each.line) for each in workflow.findings if each.severity != "informational"}
    for finding in (
        *_row_findings(workflow),
        *_evaluated_text_findings(workflow),
        *_unsecure_command_findings(workflow),
        *_unused_permission_findings(path, workflow),
        *_job_action_findings(workflow),
    ):
        if (finding.rule, finding.line) not in told:
            yield finding


def _job_action_findings(workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    """What steps do that gives outsiders a say or shows a secret."""
    for each in job_actions(
        workflow.text, by_outsiders="dangerous-triggers" in {one.rule for one in workflow.findings}
    ):
        yield WorkflowFinding(each.rule, each.says, each.line, each.confidence, "high")


def _unused_permission_findings(path: str, workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    """Unused permissions that are listed one by one; zizmor reports those that grant all."""
    for each in () if workflow.is_action else find_unused_permissions(workflow.text, path):
        says = f"`{each.right}: write` is granted, but no step seems to use it"
        yield WorkflowFinding("unused-right", says, each.line, "high" if each.sure else "medium", "medium")


def _evaluated_text_findings(workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    """Text of outsiders that a script is given as a variable and runs as code."""
    told: set[tuple[int, str]] = set()
    for each in evaluated_outsider_text(workflow.text):
        if (each.line, each.variable) in told:
            continue
        told.add((each.line, each.variable))
        holds = "prints" if each.is_printed else "holds"
        runs = "may run" if each.is_likely else "runs"
        says = (
            f"Script injection: `{each.variable}` {holds} text from outsiders, and `{each.command}` {runs} it as code"
        )
        sure = "medium" if each.is_likely else "high"
        yield WorkflowFinding("evaluated-text", says.replace("`the shell`", "the shell"), each.line, sure, "high")
    for line, source, command in outsider_code(workflow.text):
        runs = "an action that may run it gets it" if command == "the action" else f"`{command}` runs it as code"
        says = f"Script injection: `{source}` holds text from outsiders, and {runs}"
        yield WorkflowFinding("evaluated-text", says, line, "medium" if command == "the action" else "high", "high")
    for line, source, chosen in outsider_choices(workflow.text):
        says = f"Script injection: `{source}` holds text from outsiders, and it sets {chosen}"
        yield WorkflowFinding("evaluated-text", says, line, "high", "high")
    writes = {*environment_file_writes(workflow.text), *outsider_environment_writes(workflow.text)}
    for line in sorted(writes):
        yield WorkflowFinding("github-env", "untrusted text sets variables of later steps", line, "high", "high")


def _unsecure_command_findings(workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    """Scripts that enable the commands by which printed text sets variables."""
    for found in _UNSECURE_COMMANDS.finditer(workflow.text):
        line = workflow.text.count("\n", 0, found.start()) + 1
        yield WorkflowFinding("insecure-commands", "unsafe commands are enabled", line, "high", "high")


def _row_findings(workflow: WorkflowFile) -> Iterator[WorkflowFinding]:
    rows = [line[:_MAX_LINE_LENGTH] for line in workflow.text.split("\n")]
    if "docker://" in workflow.text:
        for number, line in enumerate(rows, start=1):
            for finding, form in zip(_LINE_FINDINGS, _LINE_PATTERNS, strict=True):
                if form.match(line):
                    yield replace(finding, line=number)
    if "secrets." in workflow.text and not workflow.is_action:
        yield from (replace(_SHARED_SECRET_FINDING, line=number) for number in _shared_secrets(rows))
    for number, changed in sorted(dict(sorted(_printed_secrets(workflow.text))).items()):
        yield WorkflowFinding("printed-secret", "a secret is printed", number, "high" if changed else "medium", "high")
    for sent in {each.line: each for each in sorted(sent_secrets(workflow.text))}.values():
        yield WorkflowFinding("sent-secret", sent.says, sent.line, "high" if sent.is_sure else "low", "high")
    for number in sorted(set(stored_secret_lines(workflow.text))):
        yield WorkflowFinding("stored-secret", "a secret is in an artifact", number, "high", "high")
    if ".outputs." in workflow.text or "matrix" in workflow.text:
        yield from (replace(_OUTPUT_INJECTION_FINDING, line=number) for number in find_untrusted_outputs(workflow.text))


def _printed_secrets(workflow: str) -> Iterator[tuple[int, bool]]:
    yield from printed_secret_lines(workflow)
    yield from printed_secret_code(workflow)


_SHARED_SECRET_FINDING = WorkflowFinding("shared-secret", "a secret is exposed to every step", 0, "medium", "medium")
_OUTPUT_INJECTION_FINDING = WorkflowFinding(
    "output-injection", "untrusted text in the output of a step", 0, "medium", "high"
)
_ENV = lazy_compile(r"^(\s*)env:\s*(?:#.*)?$")
_STEPS = lazy_compile(r"^(\s*)steps:\s*(?:#.*)?$")
_STEP = lazy_compile(r"^(\s*)-\s+\S")
_SECRET_ENV_ENTRY = lazy_compile(r"^\s*[\w-]+:\s*[\"']?\$\{\{\s*secrets\.(?!GITHUB_TOKEN\b)\w+\s*(?:\|\||\}\})")


def _shared_secrets(rows: list[str]) -> Iterator[int]:
    """Lines below an `env:` of a whole workflow, or of a job with several steps, that take a secret."""
    for begin, steps in _environments(rows):
        if steps < 2:
            continue
        depth = indentation(rows[begin])
        for number in range(begin + 1, len(rows)):
            if rows[number].strip() and indentation(rows[number]) <= depth:
                break
            if _SECRET_ENV_ENTRY.match(rows[number]):
                yield number + 1


def _environments(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Where an `env:` is that is not a step's own, and how many steps get it; of very many, the first."""
    above = parent_rows(rows)
    blocks = [number for number, row in enumerate(rows) if _STEPS.match(row)][:_MAX_JOBS]
    steps = {above[number]: _count_of_steps(rows, number, indentation(rows[number])) for number in blocks}
    for number in [number for number, row in enumerate(rows) if _ENV.match(row)][:_MAX_JOBS]:
        yield number, sum(steps.values()) if indentation(rows[number]) == 0 else steps.get(above[number], 0)


_MAX_JOBS = 30


def _count_of_steps(rows: list[str], begin: int, depth: int) -> int:
    """The entries of a list below its key, which may be as far to the left as the key."""
    inner = -1
    count = 0
    for row in rows[begin + 1 :]:
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        found = _STEP.match(row)
        if indentation(row) < depth or (indentation(row) == depth and found is None):
            break
        if found is not None and (inner < 0 or len(found[1]) == inner):
            inner, count = len(found[1]), count + 1
    return count
