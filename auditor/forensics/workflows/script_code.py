"""Text of outsiders that a script in a language other than the shell runs as code: `shell: python`, `github-script`, `perl -e`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from auditor.forensics.workflows.script_injection import holds_outsider_text
from auditor.forensics.workflows.workflow_job_lines import ANY_KEY
from auditor.lazy_regex import lazy_compile

_RUNS = lazy_compile(
    r"(?<![\w.])(?P<command>exec|eval|Function|os\.(?:system|popen)|subprocess\.\w{1,20}|(?:\w{1,40}\.|require\([\"'`](?:node:)?child_process[\"'`]\)\.)?(?:execSync|execFileSync|spawnSync|spawn|exec)|exec\.(?:exec|getExecOutput)|(?:vm\.)?runIn\w{3,20}|new\s+Function|system|popen|shell_exec|passthru|instance_eval|class_eval)\s*\("
    r"|(?<![\w.$-])(?P<statement>eval|exec|system|instance_eval|(?i:Invoke-Expression|iex))\s+(?=[\"'$E(])"
)
"""Calls that run what they are given, in Python, JavaScript, PHP, Perl, Ruby and PowerShell; the last three need no brackets."""
_PAYLOAD = lazy_compile(
    r"\bcontext\.payload\??\.(?:[\w?]{1,40}\.){0,4}(?:title|body|ref|message|label|login_name|default_branch|display_title)\b|\bgithub\.event\.(?:\w{1,40}\.){0,4}(?:title|body)\b"
)
_ASSIGNED = lazy_compile(
    r"^\s*(?:const\s+|let\s+|var\s+)?(?:\{\s*)?(?P<name>[A-Za-z_]\w{0,60})(?:\s*\})?\s*=(?![=>])\s*(?P<value>.+)$"
)
_TAKEN_APART = lazy_compile(
    r"(?:^\s*|\b(?:const|let|var)\s+|[;({]\s*)(?:[\[{](?P<names>[^\]}=\n]{1,200})[\]}]|(?P<list>[A-Za-z_]\w{0,60}\s*,[\w\s,*]{1,160}?))\s*=(?![=>])\s*(?P<value>.+)$"
    r"|\bfor\s*\(?\s*(?:const\s+|let\s+|var\s+)?(?P<each>[A-Za-z_]\w{0,60})\s+(?:of|in)\s+(?P<given>.+)$"
)
"""A value whose parts get several names, or one after the other the same name."""
_NAME = lazy_compile(r"[A-Za-z_]\w{0,60}(?=\s*(?:[,=]|$))")
_RUN_INPUT = lazy_compile(
    r"^\s*(?:-\s+)?(?P<name>command|commands|cmd|run_?commands?|run-commands?|args|arguments|entrypoint|custom_?command|bash|shell_?command)\s*:\s*(?P<value>\S.{0,900})$"
)
"""Inputs of actions that run what they are given, by their usual names."""
_WRITES = lazy_compile(r"\b(?P<call>\w{0,40}(?:write|append)\w{0,40}|print|puts)\s*\(")
_ENVIRONMENT_FILE = lazy_compile(r"(?:environ|getenv|process\.env|ENV)\W{0,12}(?:\.get\(\W{0,3})?GITHUB_(?:ENV|PATH)\b")
_OPENED_AS = lazy_compile(
    r"GITHUB_(?:ENV|PATH)\b.{0,60}\)\s*as\s+(?P<name>\w{1,40})|(?P<other>\w{1,40})\s*=[^=\n]{0,80}GITHUB_(?:ENV|PATH)\b"
)
_ESCAPE = lazy_compile(r"\\[nt]")
"""Line ends and tabs as a text in double quotes writes them, so that a script in one row still has words."""
_MAX_LINE = 1_000
_ROUNDS = 2


def outsider_code(workflow: str) -> Iterator[tuple[int, str, str]]:
    """Line from 1, what holds text of outsiders, and the call or the input that may run it."""
    rows = [_ESCAPE.sub("  ", row[:_MAX_LINE]) for row in workflow.split("\n")]
    read = _readers(rows, workflow)
    for number, row in enumerate(rows, start=1):
        given = _RUN_INPUT.match(row)
        if given is not None and holds_outsider_text(given["value"], workflow):
            yield number, given["name"], "the action"
            continue
        for run in _RUNS.finditer(row):
            found = read.search(row, run.end())
            if found is not None:
                yield number, found[0].strip("\"'[]() "), run["command"] or run["statement"]
                break


def outsider_environment_writes(workflow: str) -> Iterator[int]:
    """Lines (from 1) of scripts in other languages than the shell that write text of outsiders into `GITHUB_ENV` or `GITHUB_PATH`."""
    if not _ENVIRONMENT_FILE.search(workflow):
        return
    rows = [row[:_MAX_LINE] for row in workflow.split("\n")]
    files = {found["name"] or found["other"] for row in rows if (found := _OPENED_AS.search(row)) is not None}
    read = _readers(rows, workflow)
    for number, row in enumerate(rows, start=1):
        found = _WRITES.search(row)
        named = _ENVIRONMENT_FILE.search(row) or any(
            re.search(rf"(?<![\w.]){re.escape(each)}\b", row) for each in files
        )
        if found is not None and named and read.search(row, found.end()):
            yield number


def _readers(rows: Sequence[str], workflow: str) -> re.Pattern[str]:
    """An expression for all that reads text of outsiders: their variables, the payload, and names that are assigned from them."""
    return _followed(rows, lambda value: holds_outsider_text(value, workflow), [_PAYLOAD.pattern])


def printed_secret_code(workflow: str) -> Iterator[tuple[int, bool]]:
    """Lines (from 1) of scripts in other languages than the shell that print a secret, and whether its form is changed."""
    if "secrets." not in workflow:
        return
    rows = [row[:_MAX_LINE] for row in workflow.split("\n")]
    read = _followed(rows, lambda value: _SECRET.search(value) is not None, [_SECRET.pattern])
    for number, row in enumerate(rows, start=1):
        printed = _PRINTS.search(row)
        found = read.search(row, printed.end()) if printed is not None else None
        if printed is not None and found is not None and not _ASKS.search(row[printed.end() :]):
            yield number, _CHANGES.search(row, printed.end()) is not None


_SECRET = lazy_compile(r"\$\{\{[^}]{0,200}\bsecrets\.(?!GITHUB_TOKEN\b)\w")
_PRINTS = lazy_compile(
    r"(?<![\w.$-])(?:print|puts|printf|console\.(?:log|info|warn|error|debug|table)|core\.(?:info|notice|warning|error|debug|setOutput|summary(?:\.\w{1,20}\([^()\n]{0,80}\)){0,3}\.add\w{1,20})|(?:sys\.|process\.)?std(?:out|err)\.write|fmt\.Print\w{0,3}|Write-(?:Host|Output))(?:\s*\(|\s+(?=[\w\"'$]))"
)
_ASKS = lazy_compile(
    r"\b(?:len|bool|is_set|sha\d+|md5|hash)\s*\(|\.(?:length|size|empty\?|startsWith|startswith|includes|endsWith)\b|\?|\bis\s+(?:not\s+)?None\b|\bnot\s|\bin\s+os\.environ|!!|[!=]=|\bdigest\("
)
"""What tells something of a value, but not the value."""
_CHANGES = lazy_compile(
    r"\[[^\]\"'\n]{0,20}:|\.(?!environ\b|env\b|get\b|getenv\b|fetch\b)\w{1,30}\(|\b(?:reversed|b64encode|btoa|hexlify|list|ord|zip|rot13|Buffer)\b"
)


def _followed(rows: Sequence[str], is_sought: Callable[[str], bool], further: Sequence[str]) -> re.Pattern[str]:
    """An expression for what reads variables with such a value, and names that are assigned from them."""
    names = {
        found["key"]
        for row in rows
        for found in ANY_KEY.finditer(row)
        if "${{" in found["value"] and is_sought(found["value"])
    }
    told = _expression(names, frozenset(), further)
    variables: set[str] = set()
    for _ in range(_ROUNDS):
        for row in rows:
            found = _ASSIGNED.match(row)
            if found is not None and told.search(found["value"]):
                variables.add(found["name"])
            parts = _TAKEN_APART.search(row)
            if parts is not None and told.search(parts["value"] or parts["given"]):
                variables.update(_NAME.findall(parts["names"] or parts["list"] or parts["each"]))
        told = _expression(names, variables, further)
    return told


def _expression(names: set[str], variables: set[str] | frozenset[str], further: Sequence[str]) -> re.Pattern[str]:
    parts = [*further]
    if names:
        told = "|".join(sorted(map(re.escape, names)))
        parts.append(
            rf"process\.env(?:\.|\[[\"'])(?:{told})\b|(?:environ|getenv)(?:\.get)?[\[(]\s*[\"'](?:{told})[\"']"
            rf"|\$?\bENV(?:\.fetch)?[\[{{(]\s*[\"']?(?:{told})[\"']?\s*[\]}})]|\$\{{?(?i:env):(?:{told})\b"
        )
    if variables:
        parts.append(rf"(?<![\w.\"'])(?:{'|'.join(sorted(map(re.escape, variables)))})\b(?!\s*[:=])")
    return re.compile("|".join(parts) or "(?!)")
