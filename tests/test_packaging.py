"""What ships, what is locked, and who may import whom."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent


def test_the_wheel_ships_rubrics_and_templates(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"auditor/shipped_files/rubric/pull-request.yaml", "auditor/shipped_files/templates/report.md.j2"} <= names
    assert not any(name.startswith("tests") for name in names)


def test_every_dependency_is_locked_in_its_range_with_hashes_and_no_index_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ \n]+)", lock, re.MULTILINE))
    for requirement in map(Requirement, wanted):
        assert requirement.name in locked, requirement.name
        assert requirement.specifier.contains(locked[requirement.name]), requirement.name
    assert "://" not in lock
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert all("--hash=sha256:" in each for each in entries)


def test_imports_follow_the_pipeline_downwards() -> None:
    pytest.importorskip("importlinter", reason="import-linter comes with the extra `lint`")
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_visitor_classes_and_no_recursive_evaluation_of_foreign_source() -> None:
    for file in (ROOT / "auditor").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"NodeVisitor|NodeTransformer|ast\.unparse|literal_eval\(", text), file
