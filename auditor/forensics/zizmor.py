"""GitHub workflows read by zizmor, on copies under numbers, out of reach of the audited tree's settings and of ours.

No configuration, no ignore comment and no variable of the environment counts, and nothing is asked of a network. A
file that zizmor cannot read or that ends it is said, and costs no other file its findings.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from sysconfig import get_path
from typing import Any

from auditor.forensics.inputs import WorkflowFinding

SECONDS = 30.0
MEMORY_KB = 2 * 1024 * 1024
OUTPUT_BLOCKS = 200_000
"""Blocks of 512 bytes that one run may write."""
MAX_WORKFLOW = 200_000
"""Characters of a workflow; the largest seen in public repositories has half of that."""
MAX_WORKFLOWS = 1_000
MAX_DEPTH = 200
_BRACKETS = re.compile(r"[\[\]{}]")
_RIGHTS, _EVERY_RIGHT = "excessive-permissions", "write-all"
_DONE = re.compile(r"completed (\d+)(?:/action)?\.yml")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a workflow has no findings that count."""

    reason: str


Outcome = tuple[WorkflowFinding, ...] | Unreadable


def look(texts: Mapping[str, str]) -> dict[str, Outcome]:
    """What stands in each workflow or action, by the path it was given under."""
    outcome: dict[str, Outcome] = {}
    named: dict[int, tuple[str, str]] = {}
    for path, text in sorted(texts.items()):
        if len(text) > MAX_WORKFLOW:
            outcome[path] = Unreadable(f"larger than {MAX_WORKFLOW:,} characters")
        elif _is_deep(text):
            outcome[path] = Unreadable(f"nested deeper than {MAX_DEPTH} levels")
        elif len(named) >= MAX_WORKFLOWS:
            outcome[path] = Unreadable(f"only {MAX_WORKFLOWS:,} workflows are read")
        else:
            named[len(named)] = (path, text)
    if not named:
        return outcome
    with tempfile.TemporaryDirectory(prefix="auditor-") as place:
        folder = Path(place)
        files = {number: _copy(folder, number, path, text) for number, (path, text) in named.items()}
        seen = _run(folder, files)
        if seen is None:
            seen = {}
            for number, file in files.items():
                seen.update(_run(folder, {number: file}) or {})
    for number, (path, _) in named.items():
        outcome[path] = seen.get(number, Unreadable("it is no workflow or action that can be read"))
    return outcome


def _is_deep(text: str) -> bool:
    """Are more brackets open at once than any honest file has? Reading them takes time that grows with the square."""
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            return True
    return False


def _copy(folder: Path, number: int, path: str, text: str) -> str:
    """Whether it is an action or a workflow is told by the name alone, so that much is kept of it."""
    is_action = path.rpartition("/")[2] in {"action.yml", "action.yaml"}
    name = f"{number}/action.yml" if is_action else f"{number}.yml"
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode("utf-8", errors="replace"))
    return name


def _run(folder: Path, files: Mapping[int, str]) -> dict[int, Outcome] | None:
    """Findings of the files that one run could read; None when the run failed."""
    program = Path(get_path("scripts")) / "zizmor"
    command = [
        "sh", "-c", 'ulimit -v "$0" && ulimit -f "$1" && shift && exec "$@"', str(MEMORY_KB), str(OUTPUT_BLOCKS),
        str(program) if program.exists() else "zizmor", "--offline", "--no-config", "--no-ignores", "--persona=pedantic", "--collect=all",
        "--format=json-v1", "--no-exit-codes", "--no-progress", "--color=never", "--", *files.values(),
    ]  # fmt: skip
    written = folder / "findings.json"
    try:
        with written.open("wb") as output:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                timeout=SECONDS,
                check=False,
                env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), "RAYON_NUM_THREADS": "2"},
            )
        if done.returncode != 0:
            return None
        reports = json.loads(written.read_bytes())
    except (OSError, ValueError, RecursionError, subprocess.TimeoutExpired):
        return None
    completed = {int(number) for number in _DONE.findall(done.stderr.decode("utf-8", errors="replace"))}
    by_number: dict[int, list[WorkflowFinding]] = {number: [] for number in files if number in completed}
    for report in reports:
        _file(report, files, by_number)
    return {number: tuple(found) for number, found in by_number.items()}


def _file(report: dict[str, Any], files: Mapping[int, str], by_number: dict[int, list[WorkflowFinding]]) -> None:
    """One rule's finding, by file. Of what zizmor tells only pedants, a workflow that takes every right is no matter of taste."""
    if report["determinations"]["persona"] != "Regular" and report["ident"] != _RIGHTS:
        return
    numbers = {name: number for number, name in files.items()}
    for place in _primaries(report["locations"]):
        if report["determinations"]["persona"] != "Regular" and _EVERY_RIGHT not in place["symbolic"]["annotation"]:
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


def _primaries(locations: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in locations if each["symbolic"]["kind"] == "Primary" and "Local" in each["symbolic"]["key"]]
