"""Text of outsiders that chooses what a job runs in or with: its image, its runner, its shell, variables that programs run as code."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.workflows.script_injection import holds_outsider_text
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.workflow_job_lines import KEY
from auditor.lazy_regex import lazy_compile

_WHOLE_TEXT = lazy_compile(
    r"^[\"'\[\s]*\$\{\{\s*(?:fromJSON\(\s*)?(?P<source>[\w.-]{3,200}|[\w.-]{3,150}\[[\"'\w]{1,40}\][\w.]{0,60})\s*\)?\s*(?:\|\|[^}]{0,200})?\}\}"
)
"""A value that begins with the text itself, rather than with a constant or with the answer to a question."""
_CHOICES = {
    "container": "the image of the job",
    "image": "the image of the job",
    "runs-on": "the runner of the job",
    "shell": "the shell of the script",
}
_MAX_LINE = 1_000


def outsider_choices(workflow: str) -> Iterator[tuple[int, str, str]]:
    """Line from 1, the expression with text of outsiders, and what it chooses."""
    variables = script_values().code_variables
    for number, row in enumerate(workflow.split("\n"), start=1):
        named = KEY.match(row[:_MAX_LINE].replace("- ", "  ", 1)) if "${{" in row else None
        if named is None:
            continue
        chosen = _CHOICES.get(named["key"]) or (f"`{named['key']}`" if named["key"] in variables else "")
        found = _WHOLE_TEXT.match(named["value"]) if chosen else None
        if found is not None and holds_outsider_text(f"${{{{ {found['source']} }}}}", workflow):
            yield number, found["source"], chosen
