"""Windows, played: what only Unix has is taken away before the command starts; then the command runs for real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repos import Drawing

ROOT = Path(__file__).parents[2]
PLAYED = """
import multiprocessing, os, platform, shutil, signal, subprocess, sys, sysconfig, tempfile
import click  # it and the modules of Python above do by other means on Windows what they do here

sysconfig.get_config_vars(), platform.uname()  # Python's own answers, which the name of the system would lead astray
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "getuid", "geteuid", "getpgid", "killpg", "register_at_fork", "setpgid", "setsid"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "alarm", "pthread_sigmask", "setitimer"):
    delattr(signal, name)
sys.platform = "win32"

from auditor.cli import run

sys.exit(run(sys.argv[1:]))
"""


def on_windows(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PLAYED, *map(str, arguments)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("command", [("audit", "."), ("audit", ".", "--base", "main"), ("action",), ("doctor",)])
def test_on_windows_one_sentence_points_to_wsl(drawing: Drawing, command: tuple[str, ...]) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    done = on_windows(*command, folder=drawing.path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "auditor: audits do not run on Windows: install WSL (https://learn.microsoft.com/windows/wsl/install) and "
        "run auditor in it; `auditor replay`, `auditor compare`, `auditor schema`, `auditor cost` and `auditor rubric` work "
        "here.\n"
    )


@pytest.mark.parametrize("what", ["report", "rubric", "config"])
def test_schemas_are_printed_on_windows(tmp_path: Path, what: str) -> None:
    done = on_windows("schema", what, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["type"] == "object"


def test_a_record_is_replayed_compared_and_billed_on_windows(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "import os\nos.system(input())\n"})
    out = tmp_path / "out"
    subprocess.run(
        [sys.executable, "-m", "auditor", "audit", str(drawing.path), "--out", str(out), "--quiet", "--no-cache"],
        cwd=ROOT, check=False, timeout=60,
    )  # fmt: skip
    done = on_windows("replay", out / "report.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("same: ")
    done = on_windows("compare", out / "report.json", out / "report.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads((out / "report.json").read_text())
    record["verdict"]["overall"] = 1.5
    (out / "report.json").write_text(json.dumps(record))
    assert on_windows("replay", out / "report.json", folder=tmp_path).returncode == 1
    assert on_windows("cost", out / "report.json", folder=tmp_path).returncode == 0


def test_rubrics_are_checked_on_windows(tmp_path: Path) -> None:
    done = on_windows("rubric", "check", ROOT / "rubric/pull-request.yaml", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
