"""The programs that packages install are found wherever pip put them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from sysconfig import get_path

import pytest

from auditor.forensics.record_cache import installed_engines
from tests.repos import Drawing

ROOT = Path(__file__).parents[3]
WORKFLOW = """\
on: push
permissions: write-all
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
"""


def _without_programs(tmp_path: Path) -> tuple[str, dict[str, str]]:
    """An interpreter with no programs beside it and none on PATH but git's and the shell's; its packages are elsewhere."""
    venv.create(tmp_path / "bare", with_pip=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in os.get_exec_path():
        for each in Path(folder).glob("*"):
            if each.name not in {"ruff", "zizmor"} and not (programs / each.name).is_symlink():
                (programs / each.name).symlink_to(each)
    packages = os.pathsep.join([str(ROOT), get_path("purelib")])
    environment = {"PATH": str(programs), "PYTHONPATH": packages, "HOME": str(tmp_path)}
    return str(tmp_path / "bare/bin/python"), {**environment, "KF_RULE_CACHE_DIR": os.environ["KF_RULE_CACHE_DIR"]}


def test_ruff_and_zizmor_are_found_where_pip_says_that_it_put_them(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"run.py": "import os\nos.system(input())\n", ".github/workflows/ci.yml": WORKFLOW})
    python, environment = _without_programs(tmp_path)
    done = subprocess.run(
        [python, "-m", "auditor", "audit", str(drawing.path), "--no-cache", "--jobs", "1", "--out", str(tmp_path / "out"), "--quiet"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    evidence = json.loads((tmp_path / "out/report.json").read_text())["evidence"]
    looked_again = [each for each in evidence if each["probe"] == "code.shell_execution" and each["outcome"] == "found"]
    assert [each["second_look"] for each in looked_again] == ["agrees"]
    assert [
        each["outcome"] for each in evidence if each["probe"] == "workflows.broad_permissions" and each["locations"]
    ] == ["found"]


def _package(folder: Path, program: str) -> None:
    """A package called ruff, installed below a folder as pip would, with its program in `bin`."""
    about = folder / "packages/ruff-99.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ruff\nVersion: 99.0\n")
    (about / "RECORD").write_text(f"{program},,\nruff-99.0.dist-info/METADATA,,\n")
    (folder / "bin").mkdir()


@pytest.mark.parametrize(("mode", "is_found"), [(0o755, True), (0o644, False)])
def test_only_a_program_that_can_be_run_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, is_found: bool
) -> None:
    _package(tmp_path, "../bin/ruff")
    (tmp_path / "bin/ruff").write_text("#!/bin/sh\n")
    (tmp_path / "bin/ruff").chmod(mode)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    assert installed_engines._program_from_metadata("ruff") == (
        str((tmp_path / "bin/ruff").resolve()) if is_found else ""
    )


def test_a_package_in_the_current_folder_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m auditor` inside an audited repository has that on its path."""
    _package(tmp_path, "../bin/ruff")
    (tmp_path / "bin/ruff").write_text("#!/bin/sh\n")
    (tmp_path / "bin/ruff").chmod(0o755)
    monkeypatch.chdir(tmp_path / "packages")
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "packages"), f"{tmp_path}/packages/../packages"])
    assert installed_engines._program_from_metadata("ruff") == ""
