"""GitHub workflows read by zizmor, on copies under numbers, out of reach of the audited tree's settings and of ours.

No configuration, no ignore comment and no variable of the environment counts, and nothing is asked of a network. A
file that zizmor cannot read or that ends it is said, and costs no other file its findings.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.child_process import limit_command
from auditor.forensics.probe_kit.external_tool import RunningTool, run_tool
from auditor.forensics.record_cache.installed_engines import program_path
from auditor.forensics.workflows.workflow_files import WorkflowFinding
from auditor.lazy_regex import lazy_compile

TIMEOUT_SECONDS = 30.0
MEMORY_KB = 2 * 1024 * 1024
OUTPUT_BLOCKS = 200_000
"""Blocks of 512 bytes that one run may write."""
MAX_WORKFLOW_LENGTH = 200_000
"""Characters of a workflow; the largest seen in public repositories has half of that."""
MAX_WORKFLOWS = 2_000
"""Workflows of both sides together."""
MAX_DEPTH = 200
_BRACKETS = lazy_compile(r"[\[\]{}]")
_EXCESSIVE_PERMISSIONS_RULE, _WRITE_ALL = "excessive-permissions", "write-all"
_COMPLETED_LINE = lazy_compile(r"completed (\d+)(?:/action)?\.yml")


@dataclass(frozen=True, slots=True)
class UnreadableWorkflow:
    """Why a workflow has no findings that count."""

    reason: str


Outcome = tuple[WorkflowFinding, ...] | UnreadableWorkflow
Workflow = tuple[str, str]
"""Path and text of a workflow or action."""


class WorkflowScan:
    """One zizmor run in the background on workflows and actions of both sides: starting it takes longer than reading."""

    def __init__(self, workflows: Iterable[Workflow]) -> None:
        self._rejected: dict[Workflow, Outcome] = {}
        self._named: dict[int, Workflow] = {}
        self._closing = ExitStack()
        for workflow in dict.fromkeys(workflows):
            text = workflow[1]
            if len(text) > MAX_WORKFLOW_LENGTH:
                self._rejected[workflow] = UnreadableWorkflow(f"larger than {MAX_WORKFLOW_LENGTH:,} characters")
            elif _is_deeply_nested(text):
                self._rejected[workflow] = UnreadableWorkflow(f"nested deeper than {MAX_DEPTH} levels")
            elif len(self._named) >= MAX_WORKFLOWS:
                self._rejected[workflow] = UnreadableWorkflow(f"only the first {MAX_WORKFLOWS:,} workflows are read")
            else:
                self._named[len(self._named)] = workflow

    def __enter__(self) -> WorkflowScan:
        if self._named:
            self._folder = Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="auditor-")))
            self._files = {
                number: _write_copy(self._folder, number, path, text) for number, (path, text) in self._named.items()
            }
            self._under_way = self._closing.enter_context(_start_zizmor(self._folder, self._files))
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def wait_for_outcomes(self) -> dict[Workflow, Outcome]:
        """The findings in each workflow, or why there are none that count."""
        if not self._named:
            return self._rejected
        seen = _parse_findings(self._under_way, self._files)
        if seen is None:
            seen = {}
            for number, file in self._files.items():
                with _start_zizmor(self._folder, {number: file}) as alone:
                    seen.update(_parse_findings(alone, {number: file}) or {})
        unread = UnreadableWorkflow("zizmor could not read it as a workflow or action")
        return {**self._rejected, **{each: seen.get(number, unread) for number, each in self._named.items()}}


def _is_deeply_nested(text: str) -> bool:
    """Are more brackets open at once than any honest file has? Reading them takes time that grows with the square."""
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            return True
    return False


def _write_copy(folder: Path, number: int, path: str, text: str) -> str:
    """Write a numbered copy. zizmor distinguishes actions from workflows by the file name, so the name is kept."""
    is_action = path.rpartition("/")[2] in {"action.yml", "action.yaml"}
    name = f"{number}/action.yml" if is_action else f"{number}.yml"
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode("utf-8", errors="replace"))
    return name


def _start_zizmor(folder: Path, files: Mapping[int, str]) -> AbstractContextManager[RunningTool]:
    command = [
        program_path("zizmor"), "--offline", "--no-config", "--no-ignores", "--persona=pedantic", "--collect=all",
        "--format=json-v1", "--no-exit-codes", "--no-progress", "--color=never", "--", *files.values(),
    ]  # fmt: skip
    return run_tool(
        limit_command(command, memory_kb=MEMORY_KB, blocks=OUTPUT_BLOCKS),
        folder,
        {"HOME": str(folder), "RAYON_NUM_THREADS": "2"},
        TIMEOUT_SECONDS,
    )


def _parse_findings(tool: RunningTool, files: Mapping[int, str]) -> dict[int, Outcome] | None:
    """The findings of the files that one run could read; None when the run failed."""
    printed = tool.wait_for_output()
    if printed is None:
        return None
    try:
        reports = json.loads(printed.output)
    except (ValueError, RecursionError):
        return None
    completed = {int(number) for number in _COMPLETED_LINE.findall(printed.errors.decode("utf-8", errors="replace"))}
    by_number: dict[int, list[WorkflowFinding]] = {number: [] for number in files if number in completed}
    for report in reports:
        _add_finding(report, files, by_number)
    return {number: tuple(found) for number, found in by_number.items()}


def _add_finding(report: dict[str, Any], files: Mapping[int, str], by_number: dict[int, list[WorkflowFinding]]) -> None:
    """One rule's finding, by file. Of what zizmor reports only in pedantic mode, a workflow with every permission is kept."""
    if report["determinations"]["persona"] != "Regular" and report["ident"] != _EXCESSIVE_PERMISSIONS_RULE:
        return
    numbers = {name: number for number, name in files.items()}
    for place in _primary_locations(report["locations"]):
        if report["determinations"]["persona"] != "Regular" and _WRITE_ALL not in place["symbolic"]["annotation"]:
            continue
        number = numbers.get(str(place["symbolic"]["key"]["Local"]["verbatim_path"]))
        if number in by_number:
            grade = report["determinations"]
            by_number[number].append(
                WorkflowFinding(
                    rule=str(report["ident"]),
                    says=str(place["symbolic"]["annotation"]),
                    line=int(place["concrete"]["location"]["start_point"]["row"]) + 1,
                    confidence=str(grade["confidence"]).lower(),
                    severity=str(grade["severity"]).lower(),
                )
            )


def _primary_locations(locations: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in locations if each["symbolic"]["kind"] == "Primary" and "Local" in each["symbolic"]["key"]]
