"""Events in the shape GitHub sends them, and the environment a runner would set for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from auditor.action import runner_environment
from auditor.action.runner_environment import Runner

FOLDER = Path(__file__).parent / "payloads"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
BASE, HEAD, MERGE = "1" * 40, "2" * 40, "3" * 40
"""Commits that the recorded events name."""


def payload(name: str) -> dict[str, Any]:
    """A recorded event."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def runner_of(name: str, **more: str) -> Runner:
    """The runner of a recorded event."""
    return runner_environment.read(
        {
            "GITHUB_EVENT_NAME": name.partition(".")[0],
            "GITHUB_REPOSITORY": "example/project",
            "GITHUB_SHA": MERGE,
            "GITHUB_WORKSPACE": "/github/workspace",
            **more,
        }
    )
