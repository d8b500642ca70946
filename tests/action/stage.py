"""A runner's world on this machine: a real git server, the fake GitHub, an event file, and the step as a process."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditor.action import entry_point
from auditor.domain import Description
from tests.action.git_server import GitServer, serve
from tests.action.recorded import payload
from tests.auditing import audited
from tests.fake_github.server import FakeGitHub
from tests.fake_github.state import StoredRun
from tests.repos import Content, Drawing
from tests.small_process import in_this_process
from tests.warm import warm_up

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "octo/shop"
NAME = "Automaton Auditor (pull-request)"
SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"
GOOD = {
    "pkg/a.py": '"""A."""\n\n\ndef double(x: int) -> int:\n    """Twice x."""\n    return x * 2\n',
    "tests/test_a.py": "def test_double():\n    assert double(2) == 4\n",
}
BETTER = {
    "pkg/b.py": '"""B."""\n\n\ndef triple(x: int) -> int:\n    """Three times x."""\n    return x * 3\n',
    "tests/test_b.py": "def test_triple():\n    assert triple(2) == 6\n",
}
WORSE = {"pkg/b.py": SHELL}


@dataclass(frozen=True)
class Done:
    """How a step ended."""

    code: int
    log: str
    outputs: Mapping[str, str]
    summary: str
    seconds: float


@dataclass
class Stage:
    """Everything around one repository."""

    folder: Path
    work: Drawing
    hosted: Path
    git: GitServer
    github: FakeGitHub
    runs: int = 0
    inputs: dict[str, str] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        """The step's workspace."""
        return self.folder / "workspace"

    def pull(self, files: Mapping[str, Content], number: int = 7, **more: Any) -> str:
        """Open a pull request with one commit on top of main, or push one more to it; gives its head."""
        known = number in self.github.world.pulls
        if known:
            self.work.switch(f"change-{number}")
        else:
            self.work.switch("main")
            self.work.branch(f"change-{number}")
        head = self.work.commit(files)
        self.work.git("push", "--quiet", "--force", str(self.hosted), f"HEAD:refs/pull/{number}/head")
        if known:
            self.github.world.push(number, head)
        else:
            self.github.world.pull(number, head, base_sha=self.work.git("rev-parse", "main"), **more)
        return head

    def event(self, name: str, number: int = 7, **changes: Any) -> dict[str, Any]:
        """A recorded event about a pull request as it stands."""
        told = payload(name)
        if "pull_request" in told:
            pull = self.github.world.pulls[number]
            known = told["pull_request"]
            known |= {"number": number, "title": pull.title, "body": pull.body, "draft": pull.draft}
            known["head"] |= {"sha": pull.head_sha}
            known["base"] |= {"sha": pull.base_sha}
        return {**told, **changes}

    def environment(self, name: str, event: Mapping[str, Any], **more: str) -> dict[str, str]:
        """What a runner sets for a step. Inputs are given as `INPUT_…` with dashes kept."""
        self.runs += 1
        place = self.folder / f"run-{self.runs}"
        place.mkdir()
        self.workspace.mkdir(exist_ok=True)
        (place / "event.json").write_text(json.dumps(event))
        for file in ("output", "summary"):
            (place / file).touch()
        given = {"token": self.github.token, **self.inputs}
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(place),
            "PYTHONPATH": str(ROOT),
            "KF_RULE_CACHE_DIR": os.environ["KF_RULE_CACHE_DIR"],
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name.partition(".")[0],
            "GITHUB_EVENT_PATH": str(place / "event.json"),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SHA": self.work.git("rev-parse", "main"),
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_SERVER_URL": self.git.url,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_RUN_ID": "4711",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(place / "output"),
            "GITHUB_STEP_SUMMARY": str(place / "summary"),
            **{f"INPUT_{each.upper()}": value for each, value in given.items()},
            **more,
        }

    def run(self, name: str = "pull_request.opened", event: Mapping[str, Any] | None = None, **more: str) -> Done:
        """The step, in this process."""
        environment = self.environment(name, event or self.event(name), **more)
        printed = io.StringIO()
        started = time.monotonic()
        code = entry_point.run(environment, printed)
        return self._done(environment, code, printed.getvalue(), started)

    def start(self, name: str = "pull_request.opened", **more: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
        """The step as a process of its own, by the entry point of the image, with nothing else in its environment."""
        environment = self.environment(name, self.event(name), **more)
        command = [sys.executable, "-m", "auditor", "action"]
        process = subprocess.Popen(
            command, cwd="/", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return process, environment

    def step(self, name: str = "pull_request.opened", **more: str) -> Done:
        """The step as a process of its own, to its end."""
        started = time.monotonic()
        process, environment = self.start(name, **more)
        return self.wait(process, environment, started)

    def wait(self, process: subprocess.Popen[str], environment: Mapping[str, str], started: float) -> Done:
        """See a step that was started to its end."""
        log, _ = process.communicate(timeout=60)
        return self._done(environment, process.returncode, log, started)

    def _done(self, environment: Mapping[str, str], code: int, log: str, started: float) -> Done:
        written = Path(environment["GITHUB_OUTPUT"]).read_text()
        found = dict(re.findall(r"^([a-z-]+)<<(?:\w+)\n(.*)\n\w+$", written, re.MULTILINE))
        summary = Path(environment["GITHUB_STEP_SUMMARY"]).read_text()
        return Done(code, log, found, summary, time.monotonic() - started)

    def checks(self, sha: str) -> list[StoredRun]:
        """The check runs on a commit, as a reader sees them."""
        return self.github.world.shown(sha, NAME)

    def check(self, sha: str) -> StoredRun:
        """The only check run on a commit."""
        (found,) = self.checks(sha)
        return found


@functools.cache
def _warm() -> None:
    """Audit once in this process: a step's child is a fork of it, and would load and compile the same anew each time.

    Expressions of what descriptions say are half of that: they are compiled when the first of them is read.
    """
    said = Description("Add a function", "Adds `triple` with 1 test and renames `a` to `b`. No other file changes.")
    with tempfile.TemporaryDirectory() as folder:
        work = Drawing(Path(folder))
        base = work.commit(GOOD)
        work.commit(BETTER)
        warm_up()
        with in_this_process():
            audited(work.path, base, description=said)
    importlib.import_module("httpcore2")


@contextlib.contextmanager
def staged(folder: Path, configuration: str | None = None) -> Iterator[Stage]:
    """A repository with nothing to fault, hosted and known to GitHub."""
    work = Drawing(folder / "work")
    work.commit({**GOOD, **({".github/auditor.yml": configuration} if configuration else {})})
    _warm()
    hosted = folder / "root" / f"{REPOSITORY}.git"
    work.git("clone", "--quiet", "--bare", str(work.path), str(hosted))
    for name in ("allowFilter", "allowAnySHA1InWant"):
        work.git("-C", str(hosted), "config", f"uploadpack.{name}", "true")
    with serve(folder / "root") as git, FakeGitHub() as github:
        git.token = github.token
        yield Stage(folder, work, hosted, git, github)
